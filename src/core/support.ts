// What people ask support to look at: about an order, about a claim, or about anything at all.
import { and, desc, eq, lt } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { users } from "../../db/schema.ts";
import { supportRequests } from "../../db/schema-payments.ts";
import { type By, limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import * as orderLists from "./order-lists.ts";
import * as rateLimits from "./rate-limits.ts";
import * as settings from "./settings.ts";

export type SupportRequest = typeof supportRequests.$inferSelect;
export type SupportRow = SupportRequest & { username: string };

const FILED_PER_DAY = 10;

type Filing = {
  by: By;
  /** Whoever files it has seen to it that this is theirs. */
  about?: { type: "order" | "claim"; id: number };
  fullName?: string;
  email?: string;
  subject?: string;
  message: string;
};

/** Files a request. Throws request.rate_limited. */
export async function file(db: Db, { by, about, ...words }: Filing): Promise<SupportRequest> {
  const userId = by.userId!;
  await rateLimits.count(db, {
    bucket: `support:${userId}`,
    countMax: FILED_PER_DAY,
    windowSeconds: 86_400,
  });
  const [request] = await db
    .insert(supportRequests)
    .values({ userId, subjectType: about?.type ?? "general", subjectId: about?.id ?? null, ...words })
    .returning();
  return request!;
}

/** Files a request about one's own order. Throws order.not_found, also for somebody else's; request.rate_limited. */
export async function reportOrder(
  db: Db,
  { by, orderId, message }: { by: By; orderId: number; message: string },
): Promise<SupportRequest> {
  const order = await orderLists.get(db, by, orderId);
  if (order.userId !== by.userId) throw new AppError("order.not_found");
  return file(db, { by, about: { type: "order", id: order.id }, message });
}

/** Requests newest first, from below `cursor` on: a user's own, or (for admins) everybody's. */
export async function list(
  db: Db,
  filter: { userId?: number | undefined },
  page: { cursor?: number | undefined; limit: number },
): Promise<SupportRow[]> {
  const rows = await db
    .select({ request: supportRequests, username: users.username })
    .from(supportRequests)
    .innerJoin(users, eq(users.id, supportRequests.userId))
    .where(
      and(
        filter.userId === undefined ? undefined : eq(supportRequests.userId, filter.userId),
        page.cursor ? lt(supportRequests.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(supportRequests.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  return rows.map((row) => ({ ...row.request, username: row.username }));
}

export type Contacts = { email: string; phone: string; hours: string };

/** How support is reached; what is not set is empty. */
export async function contacts(db: Db): Promise<Contacts> {
  const [email, phone, hours] = await Promise.all([
    settings.get(db, "support_email"),
    settings.get(db, "support_phone"),
    settings.get(db, "support_hours"),
  ]);
  return { email, phone, hours };
}
