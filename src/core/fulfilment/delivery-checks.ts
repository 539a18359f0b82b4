// Deliveries compared with their vendors' own records on the days after: a delivery that was taken back, by a message that
// never came, is heard of all the same.
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts as table } from "../../../db/schema/fulfilment.ts";
import { orders } from "../../../db/schema/orders.ts";
import { show } from "../../shared/money.ts";
import type { Attempt } from "../orders/attempts.ts";
import * as rateLimits from "../platform/rate-limits.ts";
import { isAmong, isAmongFound } from "../platform/sql.ts";
import { applyReports } from "./outcomes.ts";
import { hasDue } from "./queue.ts";
import type { BundleVendor, StatusAnswer } from "./vendor.ts";
import * as vendors from "./vendors.ts";

const AT_ONCE = 5;
/** The part of a vendor's rate for status checks that comparing may use: the rest is for orders that are on their way. */
const SHARE = 0.25;
/** Longer than a check can take: what a worker that died had claimed is compared by another. */
const LEASE_SECONDS = 3600;

/**
 * Compares deliveries that are due for it with what their vendor says now, within its rate and only while nothing else is
 * to be asked there; returns how many. One that was taken back fails its order, whose money goes back, as if the vendor
 * had said so by itself. This and every other difference stands under Attention.
 */
export async function compareDue(db: Db, vendor: BundleVendor): Promise<number> {
  if (!vendor.can.canCheckStatus || !(await mayCompare(db, vendor))) return 0;
  const due = await claim(db, vendor.code);
  const found = await Promise.all(
    due.map(async ({ attempt, amountPesewas }) => ({
      attempt,
      amountPesewas,
      looked: await vendor.checkStatus(attempt),
    })),
  );
  for (const { attempt, amountPesewas, looked } of found) {
    const concern = differenceIn(vendor.name, looked, amountPesewas);
    if (concern) await raise(db, attempt, concern);
    if (looked.kind === "found" && looked.state === "refunded")
      await applyReports(db, vendor, [{ attemptId: attempt.id, news: { ...looked, kind: "state" } }]);
  }
  // Only now: what comes before may be done twice, and must not be forgotten.
  await db
    .update(table)
    .set({ checksLeft: sql`greatest(${table.checksLeft} - 1, 0)`, dueAt: sql`now() + interval '1 day'` })
    .where(
      and(
        isAmong(
          table.id,
          due.map(({ attempt }) => attempt.id),
        ),
        eq(table.state, "delivered"),
      ),
    );
  return due.length;
}

async function mayCompare(db: Db, vendor: BundleVendor): Promise<boolean> {
  const { code, can } = vendor;
  if (!(await hasDue(db, code, ["delivered"]))) return false;
  const pausedFor = (await vendors.states(db)).get(code)?.pausedFor;
  if (pausedFor === "key_refused" || pausedFor === "admin") return false;
  if (await hasDue(db, code, ["unknown"])) return false;
  if (await hasDue(db, code, ["accepted", "processing", "held"])) return false;
  const countMax = Math.max(1, Math.floor((can.statusChecksPerMinute * SHARE) / AT_ONCE));
  const share = { bucket: `comparisons with ${code}`, countMax, windowSeconds: 60 };
  return (await rateLimits.isWithin(db, share)) && (await vendors.takeQuestions(db, vendor, AT_ONCE));
}

type Due = { attempt: Attempt; amountPesewas: number };

/** Deliveries of orders that still count as delivered; those of others need no comparing any more. */
async function claim(db: Db, code: string): Promise<Due[]> {
  const due = db
    .select({ id: table.id })
    .from(table)
    .where(
      and(
        eq(table.vendor, code),
        sql`${table.state} = 'delivered' and ${table.checksLeft} > 0 and ${table.dueAt} <= now()`,
      ),
    )
    .orderBy(table.dueAt, table.id)
    .limit(AT_ONCE)
    .for("update", { skipLocked: true });
  const claimed = await db
    .update(table)
    .set({ dueAt: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where(isAmongFound(table.id, due))
    .returning();
  const sold = await db
    .select({ id: orders.id, status: orders.status, amountPesewas: orders.amountPesewas })
    .from(orders)
    .where(
      isAmong(
        orders.id,
        claimed.map(({ orderId }) => orderId),
      ),
    );
  const orderOf = new Map(sold.map((order) => [order.id, order]));
  const isOver = ({ orderId }: Attempt) => orderOf.get(orderId)?.status === "FAILED";
  const over = claimed.filter(isOver).map(({ id }) => id);
  if (over.length > 0) await db.update(table).set({ checksLeft: 0 }).where(isAmong(table.id, over));
  return claimed
    .filter((attempt) => !isOver(attempt))
    .map((attempt) => ({ attempt, amountPesewas: orderOf.get(attempt.orderId)!.amountPesewas }));
}

/** What a person should know of a vendor that says something else now; null when it says the same, or nothing clear. */
function differenceIn(name: string, looked: StatusAnswer, amountPesewas: number): string | null {
  const money = show(amountPesewas);
  if (looked.kind === "not_found")
    return `${name} no longer knows this order, which it said it delivered: ${money} at stake`;
  if (looked.kind === "unclear" || looked.state === "delivered") return null;
  if (looked.state === "refunded")
    return `${name} took the delivery back without a message: ${money} went back to the agent. Check that it came back to our balance there`;
  return `${name} said it was delivered, and now says “${looked.state}”: ${money} at stake`;
}

/** A person has it from now on, so that it is not compared again. */
async function raise(db: Db, { id }: Attempt, concern: string): Promise<void> {
  await db
    .update(table)
    .set({ concern: sql`coalesce(${table.concern}, ${concern})`, checksLeft: 0 })
    .where(eq(table.id, id));
}
