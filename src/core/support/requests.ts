// Requests to support and their threads: about an order, a deposit, or anything else. A dispute is a request, too.
import { and, desc, eq, getTableColumns, ilike, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { supportMessages, supportRequests } from "../../../db/schema/support.ts";
import { type ByUser, limits, type RequestState } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id, requiredText } from "../../shared/inputs.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { hasRight } from "../../shared/rights.ts";
import * as notices from "../messaging/notices.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { isActiveWith } from "../platform/colleagues/staff.ts";
import { command, type Logged } from "../platform/commands.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as settings from "../platform/settings/settings.ts";

export type SupportRequest = typeof supportRequests.$inferSelect;
/** `assignee`: the name of whoever looks after it; null for nobody, or for somebody who no longer answers requests. */
export type SupportRow = SupportRequest & { username: string; assignee: string | null };
/** What statements over `support_requests` and the `users` who wrote them select for a SupportRow. */
export const ROW = {
  ...getTableColumns(supportRequests),
  username: users.username,
  assignee: sql<string | null>`(
    select ${users.username} from ${users}
    where ${users.id} = ${supportRequests.assignedToUserId} and ${isActiveWith("support.answer")})`,
};

export type Message = typeof supportMessages.$inferSelect & { username: string | null };

type Filing = {
  by: ByUser;
  key?: Key | null;
  /** Its ownership is checked by the caller. */
  about?: { type: "order" | "claim"; id: number };
  fullName?: string;
  email?: string;
  subject?: string;
  message: string;
};

/** Files a request. Throws request.rate_limited. */
export async function file(db: Db, { by, key = null, about, ...fields }: Filing): Promise<Answered<SupportRow>> {
  const userId = by.userId;
  const subject = { subjectType: about?.type ?? ("general" as const), subjectId: about?.id ?? null };
  const row = { userId, ...subject, ...fields };
  return once(db, userId, key, ["support", row], async (tx) => {
    await budgets.spend(tx, "support.requests", userId);
    const [request] = await tx.insert(supportRequests).values(row).returning({ id: supportRequests.id });
    return get(tx, by, request!.id);
  });
}

/**
 * Adds a message to a request. Support's answers it; the author's reopens it, even when it was closed. A decided
 * dispute takes no more messages.
 */
export const reply = command({
  name: "support.reply",
  right: null,
  about: "Reply to a request; its author's reply reopens it for support",
  subject: "support",
  input: { requestId: Id, message: requiredText(limits.messageChars, "Write an answer") },
  errors: ["support.not_found", "case.decided", "request.rate_limited"],
  run: async ({ tx, by, audit }, { requestId, message }) => {
    const request = await lock(tx, by, requestId);
    if (request.outcome !== null) throw new AppError("case.decided");
    const isSupport = hasRight(by, "support.answer") && request.userId !== by.userId;
    if (!isSupport) await budgets.spend(tx, "support.replies", by.userId);
    const messageId = await write(tx, request, { isSupport, byUserId: by.userId, message });
    await tx
      .update(supportRequests)
      .set({
        state: "open",
        closedAt: null,
        closedByUserId: null,
        answeredAt: isSupport ? sql`now()` : null,
        // Who answers first looks after it, until somebody is chosen.
        ...(isSupport && (await assigneeOf(tx, requestId)) === null && { assignedToUserId: by.userId }),
      })
      .where(eq(supportRequests.id, requestId));
    if (isSupport) await audit(requestId, { after: { messageId } });
    return get(tx, by, requestId);
  },
});

/**
 * Adds a message to a request's thread, in the caller's transaction; returns its id. The only place that writes
 * replies, so that their notices are queued here, in the same commit.
 */
export async function write(
  tx: Tx,
  request: SupportRequest,
  content: { isSupport: boolean; byUserId: number | null; message: string },
): Promise<number> {
  const [written] = await tx
    .insert(supportMessages)
    .values({ requestId: request.id, ...content })
    .returning({ id: supportMessages.id });
  if (content.isSupport) await notices.supportAnswered(tx, request, content.message);
  return written!.id;
}

/** Closes a request, as support or its author; a closed one stays as it is. A dispute closes only by its outcome. */
export const close = command({
  name: "support.close",
  right: null,
  about: "Close a request; a dispute must be decided instead",
  subject: "support",
  input: { requestId: Id },
  errors: ["support.not_found", "support.is_case"],
  run: async ({ tx, by, audit }, { requestId }) => {
    const request = await lock(tx, by, requestId);
    if (request.kind === "not_received") throw new AppError("support.is_case");
    if (request.state === "closed") return;
    await tx
      .update(supportRequests)
      .set({ state: "closed", closedAt: sql`now()`, closedByUserId: by.userId })
      .where(eq(supportRequests.id, requestId));
    if (hasRight(by, "support.answer")) await audit(requestId, { after: { state: "closed" } });
  },
});

/** Says who of staff looks after a request or a dispute; with nobody named, it is for whoever comes first. */
export const assign = command({
  name: "support.assign",
  right: "support.answer",
  about: "Choose who of staff looks after a request, or nobody",
  subject: "support",
  input: { requestId: Id, toUserId: Id.nullable() },
  errors: ["support.not_found", "support.assignee"],
  undo: ({ subjectId, before }: Logged<{ to: number | null }>) => ({
    requestId: Number(subjectId),
    toUserId: before.to,
  }),
  run: async ({ tx, by, audit }, { requestId, toUserId }) => {
    const request = await lock(tx, by, requestId);
    if (toUserId !== null && !(await assignees(tx)).some(({ id }) => id === toUserId))
      throw new AppError("support.assignee");
    if (request.assignedToUserId !== toUserId) {
      await tx.update(supportRequests).set({ assignedToUserId: toUserId }).where(eq(supportRequests.id, requestId));
      const change = { before: { to: request.assignedToUserId }, after: { to: toUserId } };
      await audit(requestId, change);
    }
    return get(tx, by, requestId);
  },
});

/** Those of staff who may look after a request, by name. */
export function assignees(db: Reads): Promise<{ id: number; username: string }[]> {
  return db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(isActiveWith("support.answer"))
    .orderBy(users.username);
}

/** One request; throws support.not_found when it does not exist or `by` may not see it. */
export async function get(db: Reads, by: ByUser, requestId: number): Promise<SupportRow> {
  const [row] = await rows(db).where(eq(supportRequests.id, requestId));
  if (!row || (row.userId !== by.userId && !hasRight(by, "support.answer"))) throw new AppError("support.not_found");
  return row;
}

/** The messages in a request's thread, oldest first. */
export async function messages(db: Db, requestId: number): Promise<Message[]> {
  const rows = await db
    .select({ message: supportMessages, username: users.username })
    .from(supportMessages)
    .leftJoin(users, eq(users.id, supportMessages.byUserId))
    .where(eq(supportMessages.requestId, requestId))
    .orderBy(supportMessages.id);
  return rows.map((row) => ({ ...row.message, username: row.username }));
}

/** A request's state as people see it. */
export function stateOf({ state, answeredAt }: Pick<SupportRequest, "state" | "answeredAt">): RequestState {
  if (state === "closed") return "closed";
  return answeredAt ? "answered" : "open";
}

export type SupportFilter = {
  /** Only this user's; left out in the admins' list. */
  userId?: number | undefined;
  state?: RequestState | undefined;
  kind?: SupportRequest["kind"] | undefined;
  /** Only those that this user of staff looks after. */
  assignedToUserId?: number | undefined;
  /** The id of a request, an order or a user; an order's phone number; part of a name, an e-mail or the text. */
  search?: string | undefined;
};

/** Requests newest first, those before the id `cursor`: one user's, or (for admins) everybody's. */
export async function list(
  db: Db,
  filter: SupportFilter,
  page: { cursor?: number | undefined; limit: number },
): Promise<SupportRow[]> {
  return rows(db)
    .where(
      and(
        filter.userId === undefined ? undefined : eq(supportRequests.userId, filter.userId),
        filter.kind && eq(supportRequests.kind, filter.kind),
        filter.state && isIn(filter.state),
        filter.assignedToUserId === undefined
          ? undefined
          : eq(supportRequests.assignedToUserId, filter.assignedToUserId),
        filter.search?.trim() ? matches(filter.search.trim()) : undefined,
        page.cursor ? lt(supportRequests.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(supportRequests.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
}

/** How many wait for support: requests without an answer, and open disputes. */
export async function waitingCount(db: Db): Promise<number> {
  const undecided = and(eq(supportRequests.kind, "not_received"), eq(supportRequests.state, "open"));
  return db.$count(supportRequests, or(isIn("open"), undecided));
}

export type Contacts = { email: string; phone: string; whatsApp: string; hours: string };

/** How to reach support; empty where not configured, as are its hours where there is no way to reach it. */
export async function contacts(db: Db): Promise<Contacts> {
  return contactsIn(await settings.all(db));
}

export function contactsIn(set: settings.Settings): Contacts {
  const { support_email: email, support_phone: phone, support_whatsapp: whatsApp } = set;
  return { email, phone, whatsApp, hours: email || phone || whatsApp ? set.support_hours : "" };
}

function rows(db: Reads) {
  return db.select(ROW).from(supportRequests).innerJoin(users, eq(users.id, supportRequests.userId));
}

async function assigneeOf(tx: Reads, requestId: number): Promise<string | null> {
  const [row] = await rows(tx).where(eq(supportRequests.id, requestId));
  return row!.assignee;
}

async function lock(tx: Tx, by: ByUser, requestId: number): Promise<SupportRequest> {
  const [request] = await tx.select().from(supportRequests).where(eq(supportRequests.id, requestId)).for("update");
  if (!request || (request.userId !== by.userId && !hasRight(by, "support.answer")))
    throw new AppError("support.not_found");
  return request;
}

function isIn(state: RequestState): SQL | undefined {
  if (state === "closed") return eq(supportRequests.state, "closed");
  const { answeredAt } = supportRequests;
  return and(eq(supportRequests.state, "open"), state === "answered" ? isNotNull(answeredAt) : isNull(answeredAt));
}

function matches(search: string): SQL | undefined {
  const { id, subjectType, subjectId, userId } = supportRequests;
  const isOrder = eq(subjectType, "order");
  const msisdn = parseMsisdn(search);
  if (msisdn) return and(isOrder, sql`${subjectId} in (select id from orders where msisdn = ${msisdn})`);
  if (/^#?\d{1,15}$/.test(search)) {
    const number = Number(search.replace("#", ""));
    return or(eq(id, number), eq(userId, number), and(isOrder, eq(subjectId, number)));
  }
  const pattern = `%${search.replace(/[%_\\]/g, "\\$&")}%`;
  return or(
    ilike(users.username, pattern),
    ilike(users.email, pattern),
    ...(["fullName", "email", "subject", "message"] as const).map((name) => ilike(supportRequests[name], pattern)),
  );
}
