// Dispatch: sending what is queued for a vendor, and asking what became of it. A vendor is called between two transactions,
// never within one.
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { familyOf, OPEN_STATUSES } from "../../shared/domain.ts";
import type * as attempts from "../orders/attempts.ts";
import type { Order } from "../orders/buy.ts";
import * as jobs from "../platform/jobs.ts";
import { isAmong } from "../platform/sql.ts";
import type { DeliveryReport } from "./attempt-states.ts";
import { applyReports } from "./outcomes.ts";
import * as attemptQueue from "./queue.ts";
import { isWaiting } from "./routing.ts";
import type { BundleVendor, Dispatch, Placed, StatusAnswer } from "./vendor.ts";
import * as vendors from "./vendors.ts";

export { routeDue } from "./routing.ts";

/** Renewed while the call lasts: who has not renewed it by then never will. */
const SENDING_SECONDS = jobs.LEASE_SECONDS;
const LOOK_UPS_AT_ONCE = 5;
const BATCHES_AHEAD = 10;
const IS_IN_TIME = sql`(${orderTable.deliverBy} is null or ${orderTable.deliverBy} > now())`;

/**
 * Sends what is queued for a vendor, in one call of it, when its rate allows one; returns how many parcels went. Each
 * attempt says that it is being sent before the call, so that whatever happens to us, nobody sends it again unasked.
 */
export async function sendDue(
  db: Db,
  vendor: BundleVendor,
  webhookUrlOf: (code: string) => string | null,
): Promise<number> {
  const turn = (await hasQueued(db, vendor)) ? await vendors.takeCall(db, vendor) : null;
  if (!turn) return 0;
  const isTrial = turn === "trial";
  const sending = await handOver(db, vendor, isTrial ? 1 : vendor.can.batchMax);
  if (sending.length === 0) return 0;
  const webhookUrl = webhookUrlOf(vendor.code);
  const parcels = sending.map(({ attempt, order }) => parcelOf(attempt, order, webhookUrl));
  const placed = await jobs.whileRenewing(
    () => renewSending(db, sending),
    () => vendor.place(parcels),
  );
  await applyReports(
    db,
    vendor,
    sending.map(({ attempt }, i) => ({ attemptId: attempt.id, news: newsOf(placed[i]) })),
    { isTrial },
  );
  return sending.length;
}

/** How long it is until a vendor may be called for what waits for it; null when nothing does, or the vendor is paused. */
export async function turnInMs(db: Db, { code }: BundleVendor): Promise<number | null> {
  const [row] = await db.execute<{ ms: number }>(sql`
    select extract(epoch from next_call_at - now())::float8 * 1000 as ms from vendors
    where code = ${code} and ${vendors.MAY_BE_CALLED} and exists (
      select from attempts where vendor = ${code} and state = 'queued' and due_at <= now())`);
  return row ? Math.max(0, row.ms) : null;
}

/** Asks a vendor about parcels whose outcome is due to be known; returns how many were asked about. */
export async function checkDue(db: Db, vendor: BundleVendor): Promise<number> {
  const lost = await attemptQueue.claimDue(db, vendor.code, ["sending"], {
    countMax: 500,
    leaseSeconds: jobs.LEASE_SECONDS,
  });
  await applyReports(
    db,
    vendor,
    lost.map(({ id }) => ({ attemptId: id, news: { kind: "unclear", words: null } })),
  );
  const due = vendor.can.canCheckStatus ? await claimQuestions(db, vendor) : [];
  const told = await Promise.all(
    due.map(async ({ id, reference, vendorReference }) => ({
      attemptId: id,
      news: newsOfLooked(await vendor.checkStatus({ reference, vendorReference })),
    })),
  );
  await applyReports(db, vendor, told, { wasAsked: true });
  return due.length;
}

/** What to ask about now, within the vendor's rate: first what nobody knows anything of. */
async function claimQuestions(db: Db, vendor: BundleVendor): Promise<attempts.Attempt[]> {
  for (const states of [["unknown"], ["accepted", "processing", "held"]] as const) {
    if (!(await attemptQueue.hasDue(db, vendor.code, states))) continue;
    if (!(await vendors.takeQuestions(db, vendor, LOOK_UPS_AT_ONCE))) return [];
    const due = await attemptQueue.claimDue(db, vendor.code, states, {
      countMax: LOOK_UPS_AT_ONCE,
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

/** What waits to be sent to a vendor, in the order of an index, whatever the shop has sent before. */
function selectQueued(tx: Tx, code: string) {
  const { id, orderId, sends, alone, dueAt, vendor, state } = attemptTable;
  return tx
    .select({ id, orderId, sends, alone, dueAt })
    .from(attemptTable)
    .where(and(eq(vendor, code), sql`${state} = 'queued'`, sql`${dueAt} <= now()`))
    .orderBy(asc(dueAt), asc(id))
    .$dynamic();
}

/**
 * What goes with the next call. An order whose promise is broken already is left to `refundOverdue`: sent now, it would be
 * delivered and paid back. Looking a few batches ahead, what must not be sent stands in nobody's way.
 */
async function selectBatch(tx: Tx, { code, can }: BundleVendor, countMax: number) {
  const ahead = selectQueued(tx, code)
    .limit(can.batchMax * BATCHES_AHEAD)
    .as("ahead");
  const queued = await tx
    .select({ id: ahead.id, orderId: ahead.orderId, sends: ahead.sends, alone: ahead.alone })
    .from(ahead)
    .innerJoin(orderTable, eq(orderTable.id, ahead.orderId))
    .where(and(inArray(orderTable.status, [...OPEN_STATUSES]), IS_IN_TIME))
    .orderBy(asc(ahead.dueAt), asc(ahead.id))
    .limit(countMax);
  // What was lost once goes alone: with others, one number that the vendor cannot take would lose them for good.
  const goesAlone = ({ alone, sends }: (typeof queued)[number]) => alone || sends > 0;
  return queued[0] && goesAlone(queued[0]) ? queued.slice(0, 1) : queued.filter((one) => !goesAlone(one));
}

type Sending = { attempt: attempts.Attempt; order: Order };

/** Takes queued attempts whose orders still want to be sent, and marks them as being sent. */
async function handOver(db: Db, vendor: BundleVendor, countMax: number): Promise<Sending[]> {
  return db.transaction(async (tx) => {
    const candidates = await selectBatch(tx, vendor, countMax);
    const orderIds = candidates.map(({ orderId }) => orderId);
    // The order first, as everybody who changes an attempt does; what another worker holds is left to it.
    const orders = await tx
      .select()
      .from(orderTable)
      .where(and(isAmong(orderTable.id, orderIds), IS_IN_TIME))
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
        and(
          isAmong(attemptTable.id, wanted),
          eq(attemptTable.state, "queued"),
          sql`${attemptTable.dueAt} <= now()`,
        ),
      )
      .returning();
    return taken.map((attempt) => ({ attempt, order: waiting.get(attempt.orderId)! }));
  });
}

/** What somebody has told about meanwhile is left as it is. */
async function renewSending(db: Db, sending: Sending[]): Promise<void> {
  const ids = sending.map(({ attempt }) => attempt.id);
  await db
    .update(attemptTable)
    .set({ dueAt: sql`now() + make_interval(secs => ${SENDING_SECONDS})` })
    .where(and(isAmong(attemptTable.id, ids), eq(attemptTable.state, "sending")));
}

function parcelOf({ reference }: attempts.Attempt, order: Order, webhookUrl: string | null): Dispatch {
  return {
    reference,
    msisdn: order.msisdn,
    operator: order.operator,
    line: familyOf(order),
    volumeMb: order.volumeMb! * order.quantity,
    webhookUrl,
  };
}

function newsOf(placed: Placed | undefined): DeliveryReport {
  if (!placed) return { kind: "unclear", words: null };
  if (placed.kind === "taken") return { ...placed, kind: "state" };
  if (placed.kind === "known_reference") return { kind: "unclear", words: placed.words, isKnown: true };
  return placed;
}

function newsOfLooked(looked: StatusAnswer): DeliveryReport {
  return looked.kind === "found" ? { ...looked, kind: "state" } : looked;
}
