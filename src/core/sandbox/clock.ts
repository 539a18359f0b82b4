// The clock of a sandbox, which each account moves on for itself.
import type { Db } from "../../../db/connect.ts";
import * as orderTime from "../fulfilment/desk/passing-time.ts";
import { transact } from "../platform/transactions.ts";
import * as webhookTime from "../webhooks/passing-time.ts";

/** Lets time pass at the simulated vendors for the orders with these references of ours, and for no others. */
export type VendorClock = (references: string[], seconds: number) => Promise<void>;

/** How long to wait for the worker to send what has become due. */
const DISPATCH_WAIT_MS = 3_000;
const POLL_MS = 50;

/**
 * Lets these minutes pass for an account's open orders, its deliveries at the vendors, and its webhooks. What falls due
 * is then done by the worker, as in real time, within seconds.
 */
export async function letPass(
  db: Db,
  vendorClock: VendorClock | null,
  command: { userId: number; minutes: number },
): Promise<void> {
  const { userId } = command;
  const seconds = command.minutes * 60;
  await orderTime.hastenDispatch(db, userId, seconds);
  // An order is sent before its deadline passes, as it would be; the worker does that in another transaction.
  const until = performance.now() + DISPATCH_WAIT_MS;
  while ((await orderTime.isDispatching(db, userId)) && performance.now() < until) await Bun.sleep(POLL_MS);
  // The vendors first: what they have delivered by then must not be refunded.
  const references = await orderTime.referencesOf(db, userId);
  if (references.length > 0) await vendorClock?.(references, seconds);
  await transact(db, async (tx) => {
    await orderTime.pass(tx, userId, seconds);
    await webhookTime.pass(tx, userId, seconds);
  });
}
