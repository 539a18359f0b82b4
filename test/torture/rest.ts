// The way back to rest: time passes, Paystack's webhooks arrive, and an admin decides what no deadline decides, until
// nothing is open any more.
import { sql } from "drizzle-orm";
import type { PaystackSimulator } from "../../dev/simulators/paystack/paystack.ts";
import type { Rig } from "./rig.ts";

/**
 * Steps by the shop's clock: tiny ones while a call to a vendor is on its way, which takes real time on a busy machine;
 * small ones while vendors deliver, and long ones once none did for longer than a vendor can keep a call hanging. An
 * admin decides now and then.
 */
const REST = {
  ...{ callingSeconds: 2, movingSeconds: 20, movingMs: 100, patienceMs: 25_000 },
  ...{ idleSeconds: 3 * 3_600, idleMs: 300 },
  decidesEveryMs: 5_000,
};
/** The final steps, for late reports about abandoned orders. */
const LAST_STEPS = 10;

/** What Paystack returned of each payment, by refunds and disputes: never more than was paid. */
export function returnedAt(paystack: PaystackSimulator): Map<string, number> {
  const paid = paystack.successes();
  const back = new Map<string, number>();
  for (const { reference, status, amount } of paystack.refunds())
    if (status === "processed")
      back.set(reference, Math.min(paid.get(reference) ?? 0, (back.get(reference) ?? 0) + amount));
  return back;
}

/**
 * Lets time pass until every paid order has ended, and every payment and all its returns are booked; `decide` is what
 * an admin does about the rest. Returns what is still open after `restMs`, or null.
 */
export async function rest(
  rig: Rig,
  { decide, restMs, progress }: { decide: () => Promise<void>; restMs: number; progress: (line: string) => void },
): Promise<string | null> {
  const startedAt = performance.now();
  let [undelivered, movedAt, decidedAt] = [Number.POSITIVE_INFINITY, startedAt, startedAt];
  for (let isIdle = false, isCalling = true; ; ) {
    await rig.advance(isCalling ? REST.callingSeconds : isIdle ? REST.idleSeconds : REST.movingSeconds);
    await Bun.sleep(isIdle ? REST.idleMs : REST.movingMs);
    const open = await openPoints(rig);
    if (open.orders === 0 && open.payments.length === 0) break;
    isCalling = open.calling > 0;
    const now = performance.now();
    if (now - startedAt > restMs) return describe(open);
    if (open.undelivered < undelivered) movedAt = now;
    undelivered = open.undelivered;
    // Idle stays idle: what is left waits for hours or for an admin.
    isIdle ||= now - movedAt > REST.patienceMs;
    if (now - decidedAt < REST.decidesEveryMs) continue;
    progress(`  still open: ${describe(open)}`);
    await decide();
    decidedAt = performance.now();
  }
  for (let n = 0; n < LAST_STEPS; n++) {
    await rig.advance(REST.idleSeconds);
    await Bun.sleep(REST.idleMs);
  }
  return null;
}

/** `undelivered`: the orders that wait for more than their completion. `calling`: those being sent to a vendor. */
type Open = { orders: number; undelivered: number; calling: number; holders: string; payments: string[] };

/** Paid orders that have not ended, and payments whose net amount is not booked yet. */
async function openPoints({ db, paystack }: Rig): Promise<Open> {
  const orders = await db.execute<{ holder: string; count: number }>(sql`
    select concat_ws(' ', o.status, a.vendor, a.state) as holder, count(*)::int as count
    from orders o left join attempts a on a.order_id = o.id and a.state not in ('failed', 'refunded', 'withdrawn')
    where o.paid_at is not null and o.status not in ('COMPLETED', 'FAILED') group by 1 order by 2 desc`);
  const rows = await db.execute<{ reference: string; net: number; state: string }>(sql`
    select p.reference, concat_ws(' ', p.reference, p.state, p.reason) as state,
           case when p.paid_at is null then 0 else coalesce(p.credited_pesewas, p.amount_pesewas) end
             - coalesce((select sum(amount_pesewas) from payment_reversals r
                         where r.payment_id = p.id and r.state = 'booked'), 0)::bigint as net
    from payments p`);
  const known = new Map(rows.map((row) => [row.reference, row]));
  const back = returnedAt(paystack);
  const payments = [...paystack.successes()]
    .map(([reference, pesewas]) => ({ reference, expected: pesewas - (back.get(reference) ?? 0) }))
    .filter(({ reference, expected }) => known.get(reference)?.net !== expected)
    .map(({ reference, expected }) => `${known.get(reference)?.state}: ${known.get(reference)?.net}, not ${expected}`);
  return {
    orders: sumOf(orders),
    undelivered: sumOf(orders.filter(({ holder }) => !holder.startsWith("DELIVERED"))),
    calling: sumOf(orders.filter(({ holder }) => holder.endsWith(" sending"))),
    holders: orders.map(({ holder, count }) => `${count} ${holder}`).join(", "),
    payments,
  };
}

const sumOf = (rows: { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);

function describe({ orders, holders, payments }: Open): string {
  return `${orders} orders (${holders}), ${payments.length} payments (${payments.slice(0, 5)})`;
}
