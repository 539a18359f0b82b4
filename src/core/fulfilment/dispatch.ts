// Dispatch: sends queued attempts to vendors, and checks their status. Vendors are called between two transactions,
// never within one.
import { and, asc, eq, gt, inArray, not, or, type SQL, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { OPEN_STATUSES } from "../../shared/domain.ts";
import { familyOf } from "../../shared/operators.ts";
import * as costs from "../catalog/costs.ts";
import type * as attempts from "../orders/attempts.ts";
import * as holds from "../orders/holds.ts";
import type { Order } from "../orders/order.ts";
import * as jobs from "../platform/jobs.ts";
import { isAmong } from "../platform/sql.ts";
import type { DeliveryReport } from "./attempt-states.ts";
import { MAY_BE_SENT } from "./desk/desk.ts";
import { applyReports } from "./outcomes.ts";
import * as attemptQueue from "./queue.ts";
import { isWaiting, leaveTooDear } from "./routing.ts";
import type { BundleVendor, Dispatch, Placed, StatusAnswer } from "./vendor.ts";
import * as vendors from "./vendors.ts";

/** The lease of an attempt being sent, renewed during the call. */
const SENDING_SECONDS = jobs.LEASE_SECONDS;
/**
 * A call follows its mark within this time. A process that was suspended in between would call long after another one
 * has asked the vendor, who had not received it, and has sent the order elsewhere.
 */
const CALLED_WITHIN_MS = 1_000;
/** Concurrency of status checks. */
const CHECKS_AT_ONCE = 5;
const BATCHES_AHEAD = 10;

/**
 * Sends queued attempts to a vendor in one call, when its rate allows; returns how many. Each attempt is marked as
 * being sent before the call, so that after a crash none is sent again without a status check. `known`: all vendors,
 * for the orders that cost more there than was paid.
 */
export async function sendDue(
  db: Db,
  vendor: BundleVendor,
  webhookUrlOf: (code: string) => string | null,
  known: readonly BundleVendor[] = [vendor],
): Promise<number> {
  if (await hasQueued(db, vendor)) await leaveTooDear(db, known, vendor);
  const turn = (await hasQueued(db, vendor)) ? await vendors.takeCall(db, vendor) : null;
  if (!turn) return 0;
  const isTrial = turn === "trial";
  const sending = await claimSending(db, vendor, isTrial ? 1 : vendor.can.batchMax);
  if (sending.length === 0) return 0;
  const webhookUrl = webhookUrlOf(vendor.code);
  const dispatches = sending.map(({ attempt, order }) => dispatchOf(attempt, order, webhookUrl));
  const placed = await jobs.whileRenewing(
    () => renewSending(db, sending),
    () => vendor.place(dispatches),
  );
  await applyReports(
    db,
    vendor,
    sending.map(({ attempt }, i) => ({ attemptId: attempt.id, report: reportOf(placed[i]) })),
    { isTrial },
  );
  return sending.length;
}

/** Milliseconds until a vendor may be called for its queue; null when that is empty, or the vendor is paused. */
export async function turnInMs(db: Db, { code }: BundleVendor): Promise<number | null> {
  const [row] = await db.execute<{ ms: number }>(sql`
    select extract(epoch from next_call_at - now())::float8 * 1000 as ms from vendors
    where code = ${code} and ${vendors.MAY_BE_CALLED} and exists (${selectQueued(db, code).limit(1)})`);
  return row ? Math.max(0, row.ms) : null;
}

/** Checks the status of attempts that are due at a vendor; returns how many. */
export async function checkDue(db: Db, vendor: BundleVendor): Promise<number> {
  const lost = await attemptQueue.claimDue(db, vendor.code, ["sending"], {
    countMax: 500,
    leaseSeconds: jobs.LEASE_SECONDS,
  });
  await applyReports(
    db,
    vendor,
    lost.map(({ id }) => ({ attemptId: id, report: { kind: "unclear", message: null } })),
  );
  const due = vendor.can.canCheckStatus ? await claimChecks(db, vendor) : [];
  const reports = await Promise.all(
    due.map(async ({ id, reference, vendorReference }) => ({
      attemptId: id,
      report: reportOfStatus(await vendor.checkStatus({ reference, vendorReference })),
    })),
  );
  await applyReports(db, vendor, reports, { isStatusCheck: true });
  return due.length;
}

/** Claims attempts to check, within the vendor's rate: first those whose outcome is unknown. */
async function claimChecks(db: Db, vendor: BundleVendor): Promise<attempts.Attempt[]> {
  for (const states of [["unknown"], ["accepted", "processing", "held"]] as const) {
    if (!(await attemptQueue.hasDue(db, vendor.code, states))) continue;
    if (!(await vendors.takeStatusChecks(db, vendor, CHECKS_AT_ONCE))) return [];
    const due = await attemptQueue.claimDue(db, vendor.code, states, {
      countMax: CHECKS_AT_ONCE,
      leaseSeconds: jobs.LEASE_SECONDS,
    });
    if (due.length > 0) return due;
  }
  return [];
}

async function hasQueued(db: Db, { code }: BundleVendor): Promise<boolean> {
  const [row] = await selectQueued(db, code).limit(1);
  return row !== undefined;
}

/** A vendor's queue without what is held, in the order of an index: its cost does not grow with the shop's history. */
function selectQueued(tx: Reads, code: string) {
  const { id, orderId, userId, sends, alone, dueAt, vendor, state } = attemptTable;
  return tx
    .select({ id, orderId, sends, alone, dueAt })
    .from(attemptTable)
    .where(and(eq(vendor, code), sql`${state} = 'queued'`, sql`${dueAt} <= now()`, not(holds.isHeld(userId))))
    .orderBy(asc(dueAt), asc(id))
    .$dynamic();
}

/**
 * The attempts of the next call. An overdue order is left to `refundOverdue`: sent now, it would be both delivered and
 * refunded; and one that is held to the end of its hold. It reads a few batches ahead, so that orders which must not be
 * sent do not block the queue.
 */
async function selectBatch(tx: Reads, { code, can }: BundleVendor, countMax: number) {
  const ahead = selectQueued(tx, code)
    .limit(can.batchMax * BATCHES_AHEAD)
    .as("ahead");
  const queued = await tx
    .select({ id: ahead.id, orderId: ahead.orderId, sends: ahead.sends, alone: ahead.alone })
    .from(ahead)
    .innerJoin(orderTable, eq(orderTable.id, ahead.orderId))
    .where(
      and(
        inArray(orderTable.status, [...OPEN_STATUSES]),
        MAY_BE_SENT,
        // A resend stays: the vendor may have it.
        or(gt(ahead.sends, 0), not(costs.takesMoreThanPaid(code))),
      ),
    )
    .orderBy(asc(ahead.dueAt), asc(ahead.id))
    .limit(countMax);
  // A resend goes alone: with others, one number that the vendor cannot accept would lose them all for good.
  const goesAlone = ({ alone, sends }: (typeof queued)[number]) => alone || sends > 0;
  return queued[0] && goesAlone(queued[0]) ? queued.slice(0, 1) : queued.filter((one) => !goesAlone(one));
}

type Sending = { attempt: attempts.Attempt; order: Order };

/** Marks the attempts of the next call as being sent, and renews that until the last answer is fresh. */
async function claimSending(db: Db, vendor: BundleVendor, countMax: number): Promise<Sending[]> {
  let requestedAtMs = Date.now();
  let sending = await markSending(db, vendor, countMax);
  while (sending.length > 0 && Date.now() - requestedAtMs > CALLED_WITHIN_MS) {
    requestedAtMs = Date.now();
    sending = await renewSending(db, sending, { sentAt: sql`now()` });
  }
  return sending;
}

/** Claims queued attempts whose orders still wait, and marks them as being sent. */
async function markSending(db: Db, vendor: BundleVendor, countMax: number): Promise<Sending[]> {
  return db.transaction(async (tx) => {
    const candidates = await selectBatch(tx, vendor, countMax);
    const orderIds = candidates.map(({ orderId }) => orderId);
    // The order before the attempt, the lock order of the core; orders locked by another worker are skipped.
    const orders = await tx
      .select()
      .from(orderTable)
      .where(and(isAmong(orderTable.id, orderIds), MAY_BE_SENT))
      .orderBy(asc(orderTable.id))
      .for("update", { skipLocked: true });
    const waiting = new Map(orders.filter(isWaiting).map((order) => [order.id, order]));
    const wanted = candidates.filter(({ orderId }) => waiting.has(orderId)).map(({ id }) => id);
    const taken = await tx
      .update(attemptTable)
      .set({
        state: "sending",
        sends: sql`${attemptTable.sends} + 1`,
        sentTogether: wanted.length,
        sentAt: sql`now()`,
        dueAt: sql`now() + make_interval(secs => ${SENDING_SECONDS})`,
      })
      .where(
        and(isAmong(attemptTable.id, wanted), eq(attemptTable.state, "queued"), sql`${attemptTable.dueAt} <= now()`),
      )
      .returning();
    return taken.map((attempt) => ({ attempt, order: waiting.get(attempt.orderId)! }));
  });
}

/** Renews the leases of attempts without a report yet; returns those that nobody else has taken over. */
async function renewSending(db: Db, sending: Sending[], more: { sentAt?: SQL } = {}): Promise<Sending[]> {
  const isOurs = sending.map(({ attempt: { id, sends } }) =>
    and(eq(attemptTable.id, id), eq(attemptTable.sends, sends)),
  );
  const renewed = await db
    .update(attemptTable)
    .set({ ...more, dueAt: sql`now() + make_interval(secs => ${SENDING_SECONDS})` })
    .where(and(eq(attemptTable.state, "sending"), or(...isOurs)))
    .returning({ id: attemptTable.id });
  const ids = new Set(renewed.map(({ id }) => id));
  return sending.filter(({ attempt }) => ids.has(attempt.id));
}

function dispatchOf({ reference }: attempts.Attempt, order: Order, webhookUrl: string | null): Dispatch {
  return {
    reference,
    msisdn: order.msisdn,
    operator: order.operator,
    line: familyOf(order),
    volumeMb: order.volumeMb! * order.quantity,
    webhookUrl,
  };
}

function reportOf(placed: Placed | undefined): DeliveryReport {
  if (!placed) return { kind: "unclear", message: null };
  if (placed.kind === "taken") return { ...placed, kind: "state" };
  if (placed.kind === "known_reference") return { kind: "unclear", message: placed.message, isKnown: true };
  return placed;
}

function reportOfStatus(looked: StatusAnswer): DeliveryReport {
  return looked.kind === "found" ? { ...looked, kind: "state" } : looked;
}
