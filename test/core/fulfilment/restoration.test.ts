// Restoring a backup: orders are waiting in it that a vendor has long delivered. `bun run restore-trial` restores a
// real one; here its rows are reset by hand.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as restoration from "../../../src/core/fulfilment/restore.ts";
import * as vendorStates from "../../../src/core/fulfilment/vendors.ts";
import * as apiKeyCallers from "../../../src/core/identity/api-key-callers.ts";
import { count, outcome } from "../../support/asking.ts";
import { makeKey } from "../../support/keys.ts";
import "../../support/patience.ts";
import { longTest } from "../../support/long.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, world, simulator } = shop;
const resume = () => vendorStates.setPause(db, { by: world.yaw.by("admin"), code: "datamart", note: null });
/** Resets the order to how a backup from before its dispatch has it. */
const forgetSending = (orderId: number) =>
  db.execute(sql`update attempts set state = 'queued', sends = 0, sent_at = null, vendor_reference = null,
    ended_at = null, status_checks = 0, due_at = now() where order_id = ${orderId}`);
const forgetAttempt = async (orderId: number) => {
  await db.execute(sql`delete from attempts where order_id = ${orderId}`);
  await db.execute(sql`insert into jobs (kind, subject_id, run_at) values ('dispatch_order', ${orderId}, now())`);
};
const backToPending = async (orderId: number) => {
  await db.execute(sql`update orders set status = 'PENDING' where id = ${orderId}`);
  await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', 1), ('PROCESSING', -1)`);
};

longTest("nothing is sent before an admin has checked; then only what the vendor never had is sent, once", async () => {
  const [queued, unrouted, unsent] = [await shop.buy(), await shop.buy(), await shop.buy()];
  // Two reached the vendor, which the backup does not contain; the third was not sent before the loss.
  await db.execute(sql`update jobs set run_at = 'infinity' where subject_id = ${unsent}`);
  await shop.work();
  await forgetSending(queued);
  await backToPending(queued);
  await forgetAttempt(unrouted);
  await backToPending(unrouted);
  await db.execute(sql`update jobs set run_at = now() where subject_id = ${unsent}`);
  const calls = shop.callsTo("datamart");

  const secured = await restoration.secure(db);
  expect(secured).toMatchObject({ vendors: 3, attempts: 1 });
  await shop.pass(300);
  expect(shop.callsTo("datamart")).toBe(calls);

  await resume();
  await shop.pass(900);
  // A vendor that does not recognize its references would have delivered twice.
  const offered = JSON.stringify(simulator.requests().filter(({ method }) => method === "POST"));
  for (const id of [queued, unrouted, unsent]) expect(offered.split(await shop.referenceOf(id)).length - 1).toBe(1);
  const sent = simulator.orders().map(({ phone }) => phone);
  expect(new Set(sent).size).toBe(sent.length);
  for (const id of [queued, unrouted, unsent]) expect((await shop.story(id)).status).toBe("DELIVERED");
});

test("an API key that was revoked since does not work again, and its owner makes another", async () => {
  const ama = await world.person("restored");
  const by = ama.by("web");
  const [leaked, other] = [await makeKey(db, by), await makeKey(db, by, { scopes: ["read"] })];
  const use = ({ secret: text }: { secret: string }) =>
    outcome(apiKeyCallers.identify(db, { text, address: "192.0.2.1", mode: "live" }, () => {}));
  // As the backup has it, from before the one that leaked was revoked.
  expect([await use(leaked), await use(other)]).toEqual(["done", "done"]);
  const { keys } = await restoration.secure(db);
  expect(keys).toBe(2);
  expect([await use(leaked), await use(other)]).toEqual(["key.revoked", "key.revoked"]);
  const mails = sql`from messages where recipient = ${ama.email} and subject = 'Your DataFie API keys have ended'`;
  expect(await count(db, mails)).toBe(1);
  // Once more, for whoever is not sure that it was done: nothing is left to end.
  expect(await restoration.secure(db)).toMatchObject({ keys: 0 });
  expect(await count(db, mails)).toBe(1);
  expect(await use(await makeKey(db, by))).toBe("done");
});
