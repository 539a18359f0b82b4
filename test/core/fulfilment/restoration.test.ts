// A database from a backup believes that orders wait which a vendor has long delivered. `bun run restore-trial` brings one
// back for real; here its rows are put back by hand.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as restoration from "../../../src/core/fulfilment/restore.ts";
import * as vendorStates from "../../../src/core/fulfilment/vendors.ts";
import "../../support/patience.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, world, simulator } = shop;
const resume = () => vendorStates.setPause(db, { by: world.yaw.by("admin"), code: "datamart", note: null });
/** As a backup from before the hand-over has it. */
const forgetSending = (orderId: number) =>
  db.execute(sql`update attempts set state = 'queued', sends = 0, sent_at = null, vendor_reference = null,
    ended_at = null, look_ups = 0, due_at = now() where order_id = ${orderId}`);
const forgetAttempt = async (orderId: number) => {
  await db.execute(sql`delete from attempts where order_id = ${orderId}`);
  await db.execute(
    sql`insert into jobs (kind, subject_id, run_at) values ('dispatch_order', ${orderId}, now())`,
  );
};
const backToPending = async (orderId: number) => {
  await db.execute(sql`update orders set status = 'PENDING' where id = ${orderId}`);
  await db.execute(
    sql`insert into order_count_deltas (status, delta) values ('PENDING', 1), ('PROCESSING', -1)`,
  );
};

test("nothing is sent before people have looked; then what the vendor had is not sent again, and what it never had is sent once", async () => {
  const [queued, unrouted, unsent] = [await shop.buy(), await shop.buy(), await shop.buy()];
  // Two reach the vendor, and the backup knows of neither; the third was not sent before the loss either.
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
  // A vendor that does not know its own references would have delivered twice what it is offered twice.
  const offered = JSON.stringify(simulator.requests().filter(({ method }) => method === "POST"));
  for (const id of [queued, unrouted, unsent])
    expect(offered.split(await shop.referenceOf(id)).length - 1).toBe(1);
  const sent = simulator.orders().map(({ phone }) => phone);
  expect(new Set(sent).size).toBe(sent.length);
  for (const id of [queued, unrouted, unsent]) expect((await shop.story(id)).status).toBe("DELIVERED");
});
