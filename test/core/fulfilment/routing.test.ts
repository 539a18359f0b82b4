// Routing: who sends an order when a vendor is paused or its route changes, and orders that cannot be processed.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import { moveWaiting } from "../../../src/core/fulfilment/routing.ts";
import { waitingByVendor } from "../../../src/core/fulfilment/vendor-waiting.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, simulator, world } = shop;
const admin = world.yaw.by("admin");
const PRICE = 2090;
const MINUTE = 60;
const pause = (code: string, note: string | null) => vendors.setPause(db, { by: admin, code, note });
const move = (code: string) => moveWaiting(db, shop.vendors, { by: admin, code });
// Orders that another test has left waiting must not be sent in this one.
beforeEach(async () => {
  const left = await db.execute<{ id: number }>(sql`select order_id as id from attempts where state = 'queued'`);
  const ids = left.map(({ id }) => id);
  await statusChanges.move(db, { by: admin, key: null, ids, to: "FAILED", reason: "Left by another test" });
});
const attemptsOf = async (id: number) => (await shop.story(id)).attempts;

describe("a vendor that is paused", () => {
  longTest("passes new orders to the next of their route, and gets new ones when it resumes", async () => {
    await shop.routeBy("datamart,hubnet");
    await pause("datamart", "Dead at noon");
    const id = await shop.buy();
    await shop.pass(2 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", attempts: ["hubnet delivered"] });
    await pause("datamart", null);
    const later = await shop.buy();
    await shop.pass(2 * MINUTE);
    expect(await attemptsOf(later)).toEqual(["datamart delivered"]);
  });

  test("keeps orders when it is the only one, or when the others are paused, too", async () => {
    await shop.routeBy("datamart,hubnet");
    await pause("datamart", "Dead");
    await pause("hubnet", "Dead, too");
    const id = await shop.buy();
    await shop.work();
    expect(await attemptsOf(id)).toEqual(["datamart queued"]);
  });

  test("keeps orders that it may have had before a restored backup, until their status was checked", async () => {
    await shop.routeBy("datamart,desk");
    await pause("datamart", "Restored from a backup");
    const id = await shop.buy();
    await db.execute(sql`insert into settings (key, value) values ('restored_through_order', ${id}::text::jsonb)`);
    await routing.routeDue(db, shop.vendors, 10);
    expect(await attemptsOf(id)).toEqual(["datamart unknown"]);
    await db.execute(sql`delete from settings where key = 'restored_through_order'`);
    await db.execute(sql`update attempts set state = 'withdrawn', ended_at = now() where order_id = ${id}`);
  });

  longTest("gives up its waiting orders to the current route, except those that it may have", async () => {
    const unclear = await shop.buy("0005");
    await shop.work();
    const checked = await shop.buy("0006");
    await shop.work();
    // It was sent, never received, and is to be sent again under the same reference, which only this vendor can do.
    await db.execute(
      sql`update attempts set state = 'queued', due_at = now() + interval '1 hour' where order_id = ${checked}`,
    );
    await pause("datamart", "Dead at noon");
    const waiting = await Promise.all(times(3, () => shop.buy()));
    await routing.routeDue(db, shop.vendors, 10);
    for (const id of waiting) expect(await attemptsOf(id)).toEqual(["datamart queued"]);
    expect((await waitingByVendor(db)).get("datamart")).toMatchObject({
      ...{ count: 3, pesewas: 3 * PRICE, deadline: expect.any(Date) },
      unclear: { count: 2, pesewas: 2 * PRICE },
    });
    expect(await move("datamart")).toEqual({ moved: 0, left: 3 });
    await shop.routeBy("hubnet");
    expect(await move("datamart")).toEqual({ moved: 3, left: 0 });
    expect(await move("datamart")).toEqual({ moved: 0, left: 0 });
    expect(await attemptsOf(unclear)).toEqual(["datamart unknown"]);
    expect(await attemptsOf(checked)).toEqual(["datamart queued"]);
    await shop.pass(5 * MINUTE);
    for (const id of waiting)
      expect(await shop.story(id)).toMatchObject({
        status: "DELIVERED",
        attempts: ["datamart withdrawn", "hubnet delivered"],
        paidPesewas: PRICE,
      });
    const rows = await db.execute<{ after: unknown }>(sql`
      select after from audit_log where action = 'vendor.move_waiting' order by id`);
    expect([...rows]).toEqual([{ after: { orders: [...waiting].sort((a, b) => a - b) } }]);
  });

  test("gives them up to the desk, too; two admins at once move each order once", async () => {
    await pause("datamart", "Dead at noon");
    const ids = await Promise.all(times(4, () => shop.buy()));
    await shop.work();
    await shop.routeBy("desk");
    const both = await Promise.all([move("datamart"), move("datamart")]);
    expect(both[0].moved + both[1].moved).toBe(4);
    for (const id of ids) expect(await attemptsOf(id)).toEqual(["datamart withdrawn", "desk queued"]);
  });

  test("gives them up only for admins, and must exist", async () => {
    const by = shop.ama.by();
    await expect(moveWaiting(db, shop.vendors, { by, code: "datamart" })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    await expect(move("nobody")).rejects.toMatchObject({ code: "vendor.not_found" });
  });
});

test("an order is sent in the family that it was sold in; one from before families in its product's", async () => {
  const big = await world.product("AIRTELTIGO", "15GB", "56.30");
  await db.execute(sql`update products set family = 'AT_BIGTIME' where id = ${big.id}`);
  await db.execute(sql`insert into settings (key, value) values ('route_at_bigtime', '"hubnet"')`);
  const sold = await shop.buy("0001", { product: big, msisdn: "0271230001" });
  const old = await shop.buy("0001", { product: big, msisdn: "0271240001" });
  await db.execute(sql`update orders set family = null where id = ${old}`);
  await db.execute(sql`update products set family = 'AT_ISHARE' where id = ${big.id}`);
  await shop.work();
  await db.execute(sql`update products set family = 'AT_BIGTIME' where id = ${big.id}`);
  expect(simulator.orders().map(({ line }) => line)).toEqual(["AT_BIGTIME"]);
  expect(await attemptsOf(old)).toEqual(["desk queued"]);
  const [row] = await db.execute(sql`select family from orders where id = ${old}`);
  expect(row).toEqual({ family: "AT_ISHARE" });
  expect(await attemptsOf(sold)).toEqual(["hubnet accepted"]);
});

describe("an order that cannot be processed", () => {
  /** Like a row that a bug has left behind: every operation on it fails. */
  const breakOrder = (id: number) =>
    db.execute(
      sql.raw(`create or replace function refuse() returns trigger language plpgsql as $$
      begin if new.order_id = ${id} then raise exception 'a broken row'; end if; return new; end $$;
      create or replace trigger refuse before insert on attempts for each row execute function refuse();
      create or replace trigger refuse before insert on order_events for each row execute function refuse();`),
    );
  const repair = () => db.execute(sql`drop function refuse cascade`);
  const jobOf = async (id: number) =>
    (
      await db.execute<{ attempts: number; last_error: string; is_dead: boolean }>(sql`
        select attempts, last_error, dead_at is not null as is_dead from jobs where subject_id = ${id}`)
    )[0];

  test("fails alone, visibly, and stops after its attempts, while the others of its round go on", async () => {
    const ids = await Promise.all(times(5, () => shop.buy()));
    const broken = ids[2]!;
    await breakOrder(broken);
    await expect(routing.routeDue(db, shop.vendors, 500)).rejects.toThrow();
    for (const id of ids.filter((one) => one !== broken)) expect(await attemptsOf(id)).toEqual(["datamart queued"]);
    expect(await jobOf(broken)).toMatchObject({ attempts: 1, is_dead: false });
    for (let n = 2; n <= 8; n++) {
      await db.execute(sql`update jobs set run_at = now()`);
      await expect(routing.routeDue(db, shop.vendors, 500)).rejects.toThrow();
    }
    expect(await jobOf(broken)).toMatchObject({ attempts: 8, is_dead: true });
    await repair();
    expect(await routing.routeDue(db, shop.vendors, 500)).toBe(0);
  });

  test("does not stop others from being completed, when it is delivered", async () => {
    const ids = [await shop.buy(), await shop.buy()];
    for (const id of ids) {
      await shop.move(id, "PROCESSING");
      await shop.move(id, "DELIVERED");
    }
    await breakOrder(ids[0]!);
    await db.execute(sql`update jobs set run_at = now() where kind = 'complete_order'`);
    await expect(deadlines.completeDue(db, 500)).rejects.toThrow();
    expect((await shop.story(ids[0]!)).status).toBe("DELIVERED");
    expect((await shop.story(ids[1]!)).status).toBe("COMPLETED");
    await repair();
  });

  test("can be checked for weeks without overflowing its counter", async () => {
    const id = await shop.buy("0015");
    await shop.work();
    await db.execute(sql`update attempts set status_checks = 32767, due_at = now() where order_id = ${id}`);
    await shop.work();
    expect(await attemptsOf(id)).toEqual(["datamart processing"]);
  });
});
