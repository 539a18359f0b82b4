// Delivery checks: deliveries are compared with their vendor's records on the days after, so that a reversal without a
// webhook is found.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { attention } from "../../../src/core/fulfilment/attention.ts";
import { compareDue } from "../../../src/core/fulfilment/delivery-checks.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import { times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, simulator, world } = shop;
const PRICE = 2090;
const HOUR = 3600;
const datamart = shop.vendor("datamart");

/** Lets this many days pass for delivered orders only. */
async function daysPass(days: number) {
  await db.execute(sql`update attempts set due_at = due_at - make_interval(days => ${days}) where checks_left > 0`);
  await db.execute(sql`delete from rate_limits`);
}
/** Runs all checks that are due. */
async function compareAll(): Promise<number> {
  let compared = 0;
  for (let done = -1; done !== 0; compared += done) {
    await db.execute(sql`delete from rate_limits`);
    done = await compareDue(db, datamart);
  }
  return compared;
}
const concernsNow = async () => (await attention(db)).concerns.map(({ attempt }) => attempt.concern);
const statusChecks = () => simulator.requests().filter(({ path }) => path.includes("/order-status/")).length;

describe("a delivery", () => {
  longTest("that was reversed without a webhook fails its order, and Attention lists it with its amount", async () => {
    simulator.switch({ webhooks: false });
    const kept = await shop.buy("0001");
    const taken = await shop.buy("0004");
    await shop.pass(4 * HOUR);
    expect(await shop.story(taken)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
    await daysPass(1);
    await compareAll();
    expect(await shop.story(taken)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
    expect(await shop.story(kept)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE, concerns: [] });
    expect(await concernsNow()).toEqual([
      "DataMart GH reversed the delivery without telling us: GH₵ 20.90 went back to the agent. " +
        "Check that our balance there was refunded",
    ]);
    await db.execute(sql`update attempts set concern = null`);
  });

  longTest("whose vendor now reports another status is left to an admin, and not checked again", async () => {
    const id = await shop.buy("0001");
    await shop.pass(HOUR);
    simulator.switch({ webhooks: false });
    await simulator.move(await shop.referenceOf(id), "failed");
    await daysPass(1);
    await compareAll();
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      paidPesewas: PRICE,
      concerns: ["DataMart GH reported it as delivered, and now as “failed”: GH₵ 20.90 at stake"],
    });
    await db.execute(sql`update attempts set concern = null`);
    await daysPass(1);
    await compareAll();
    expect((await shop.story(id)).concerns).toEqual([]);
  });

  longTest("is checked once a day, on three days, and not when its order has failed meanwhile", async () => {
    const id = await shop.buy("0001");
    await shop.pass(HOUR);
    const before = statusChecks();
    await compareAll();
    expect(statusChecks()).toBe(before);
    for (const day of [1, 2, 3]) {
      await daysPass(1);
      await compareAll();
      await compareAll();
      expect(statusChecks()).toBeGreaterThanOrEqual(before + day);
    }
    const threeDays = statusChecks();
    await daysPass(1);
    await compareAll();
    expect(statusChecks()).toBe(threeDays);
    const other = await shop.buy("0001");
    await shop.pass(HOUR);
    await shop.move(other, "FAILED");
    const beforeFailed = statusChecks();
    await daysPass(1);
    await compareAll();
    expect(statusChecks()).toBe(beforeFailed);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", concerns: [] });
  });
});

describe("checking deliveries", () => {
  longTest("uses a quarter of the vendor's rate, and none while an order needs a status check", async () => {
    for (const _ of times(60, String)) await shop.buy("0001");
    await shop.pass(HOUR);
    await daysPass(1);
    const before = statusChecks();
    while ((await compareDue(db, datamart)) > 0);
    expect(statusChecks() - before).toBe(30);
    await db.execute(sql`delete from rate_limits`);
    const open = await shop.buy("0015");
    await shop.work();
    await db.execute(sql`update attempts set due_at = now() where order_id = ${open}`);
    expect(await compareDue(db, datamart)).toBe(0);
    await db.execute(sql`update attempts set due_at = 'infinity' where order_id = ${open}`);
    expect(await compareAll()).toBe(30);
  });

  test("stops while an admin has paused the vendor, and resumes after a worker that died in it", async () => {
    await db.execute(sql`update attempts set checks_left = 0`);
    await shop.buy("0001");
    await shop.pass(HOUR);
    await daysPass(1);
    const pause = (note: string | null) => vendors.setPause(db, { by: world.yaw.by("admin"), code: "datamart", note });
    await pause("Not today");
    expect(await compareAll()).toBe(0);
    await pause(null);
    const dying = { ...datamart, checkStatus: () => Promise.reject(new Error("power cut")) };
    await db.execute(sql`delete from rate_limits`);
    await expect(compareDue(db, dying)).rejects.toThrow("power cut");
    await db.execute(sql`update attempts set due_at = due_at - interval '1 hour' where checks_left > 0`);
    expect(await compareAll()).toBe(1);
  });
});
