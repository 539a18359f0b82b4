// Delivery checks: compares deliveries with the vendors' records on the following days, so that a reversed delivery is
// noticed even when the vendor's message never came.
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts as table } from "../../../db/schema/fulfilment.ts";
import { orders } from "../../../db/schema/orders.ts";
import { show } from "../../shared/money.ts";
import type { Attempt } from "../orders/attempts.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import { isAmong, isAmongFound } from "../platform/sql.ts";
import { applyReports } from "./outcomes.ts";
import { hasDue } from "./queue.ts";
import type { BundleVendor, StatusAnswer } from "./vendor.ts";
import * as vendors from "./vendors.ts";

const AT_ONCE = 5;
/** The share of a vendor's status check rate for this; the rest is for orders in progress. */
const SHARE = 0.25;
/** Longer than a check can take; the claims of a killed worker are free again after it. */
const LEASE_SECONDS = 3600;

/**
 * Compares due deliveries with their vendor's current status, within its rate and only while no other status checks are
 * due there; returns how many. A reversed delivery fails and refunds its order, as if the vendor had reported it. Every
 * difference is listed under Attention.
 */
export async function compareDue(db: Db, vendor: BundleVendor): Promise<number> {
  if (!vendor.can.canCheckStatus || !(await mayCompare(db, vendor))) return 0;
  const due = await claim(db, vendor.code);
  const found = await Promise.all(
    due.map(async ({ attempt, amountPesewas }) => ({
      attempt,
      amountPesewas,
      answer: await vendor.checkStatus(attempt),
    })),
  );
  for (const { attempt, amountPesewas, answer } of found) {
    const concern = differenceIn(vendor.name, answer, amountPesewas);
    if (concern) await raise(db, attempt, concern);
    if (answer.kind === "found" && answer.state === "refunded")
      await applyReports(db, vendor, [{ attemptId: attempt.id, report: { ...answer, kind: "state" } }]);
  }
  // Last, because the steps before may be repeated but must not be lost.
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
  return (await rateLimits.isWithin(db, share)) && (await vendors.takeStatusChecks(db, vendor, AT_ONCE));
}

type Due = { attempt: Attempt; amountPesewas: number };

/** Claims due deliveries; those of orders that have failed since need no more checks. */
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

/** The concern about a vendor's changed answer; null when it is unchanged or unclear. */
function differenceIn(name: string, answer: StatusAnswer, amountPesewas: number): string | null {
  const money = show(amountPesewas);
  if (answer.kind === "not_found")
    return `${name} no longer finds this order, which it reported as delivered: ${money} at stake`;
  if (answer.kind === "unclear" || answer.state === "delivered") return null;
  if (answer.state === "refunded")
    return (
      `${name} reversed the delivery without telling us: ${money} went back to the agent. ` +
      "Check that our balance there was refunded"
    );
  return `${name} reported it as delivered, and now as “${answer.state}”: ${money} at stake`;
}

/** Raises a concern; an admin has it from now on, so it is not checked again. */
async function raise(db: Db, { id }: Attempt, concern: string): Promise<void> {
  await db
    .update(table)
    .set({ concern: sql`coalesce(${table.concern}, ${concern})`, checksLeft: 0 })
    .where(eq(table.id, id));
}
