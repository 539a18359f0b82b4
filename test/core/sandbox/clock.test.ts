// Tests of the clock and the magic numbers of a sandbox, with a worker and the simulated vendors: what the guide says
// about each number happens, on each network, for the account that moves its clock and nobody else.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { MAGIC } from "../../../dev/simulators/vendors/vendors-magic.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import type { Product } from "../../../src/core/catalog/products.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { letPass } from "../../../src/core/sandbox/clock.ts";
import { parseMsisdn } from "../../../src/shared/phones/msisdn.ts";
import { MAGIC_ENDING_MAX, MAGIC_OUTCOMES, magicNumbers } from "../../../src/shared/sandbox.ts";
import { openDelivering } from "../fulfilment/delivering.ts";

const shop = await openDelivering();
const { db, simulator, world, ama } = shop;
const HOUR = 60;
const bundles: Record<string, Product> = {
  MTN: shop.bundle,
  TELECEL: await world.product("TELECEL", "5GB", "19.90"),
  AIRTELTIGO: await world.product("AIRTELTIGO", "5GB", "19.40"),
};
const kofi = await world.person("kofi", "GH₵ 500.00");

beforeEach(async () => {
  const values = { dispatch_hold_seconds: 15, refund_promise_minutes: 60 };
  await settings.change(db, { by: world.yaw.by("admin"), values });
  for (const name of ["route_telecel", "route_at_ishare"] as const)
    await settings.change(db, { by: world.yaw.by("admin"), values: { [name]: "datamart" } });
  simulator.switch({ coolDownSeconds: 0 });
  startWorking();
});
afterEach(stopWorking);

let isOver = Promise.withResolvers<void>();
let working: Promise<void> = Promise.resolve();
function startWorking() {
  let hasEnded = false;
  isOver = Promise.withResolvers();
  void isOver.promise.then(() => (hasEnded = true));
  working = (async () => {
    while (!hasEnded) {
      await shop.work();
      await Bun.sleep(20);
    }
  })();
}
async function stopWorking() {
  isOver.resolve();
  await working;
}

/** Moves ama's clock, and lets the worker do what is due then. */
async function pass(minutes: number): Promise<void> {
  const vendorClock = async (references: string[], seconds: number) => {
    simulator.letPass(references, seconds);
    // The simulator's own clock stands still in tests.
    await simulator.advance(0);
  };
  await letPass(db, vendorClock, { userId: ama.id, minutes });
  await stopWorking();
  await shop.work();
  startWorking();
}
const statusOf = async (id: number) => (await shop.story(id)).status;

/** For each outcome: the minutes that pass, and the status then; null where it may be either. */
const COURSES: Record<string, [minutes: number, status: string | null][]> = {
  delivered: [[1, "DELIVERED"]],
  delayed: [
    [15, "PROCESSING"],
    [5 * HOUR, "DELIVERED"],
  ],
  failed: [[1, "FAILED"]],
  invalid: [[1, "FAILED"]],
  lost: [
    [30, "PROCESSING"],
    // Its vendor is asked once more, which may take two minutes.
    [31, null],
    [3, "FAILED"],
  ],
  silent: [
    [30, "PROCESSING"],
    [2 * 24 * HOUR, "PROCESSING"],
  ],
  not_arrived: [[1, "DELIVERED"]],
};

describe.each(Object.keys(bundles))("on %s", (network) => {
  test.each(MAGIC_OUTCOMES.map(({ outcome, ending }) => [outcome, ending] as const))(
    "%s: …%s",
    async (outcome, ending) => {
      const msisdn = parseMsisdn(magicNumbers(ending)[network as "MTN"])!;
      const id = await shop.buy(ending, { product: bundles[network]!, msisdn });
      for (const [minutes, status] of COURSES[outcome]!) {
        await pass(minutes);
        if (status !== null) expect(`${minutes}: ${await statusOf(id)}`).toBe(`${minutes}: ${status}`);
      }
      const { status, paidPesewas } = await shop.story(id);
      expect(paidPesewas === 0).toBe(status === "FAILED");
    },
  );
});

test("the guide's endings are the simulator's, and those that it calls ordinary are no others of it", () => {
  for (const { ending } of MAGIC_OUTCOMES) expect(Object.keys(MAGIC)).toContain(ending);
  for (const ending of Object.keys(MAGIC)) expect(ending <= MAGIC_ENDING_MAX).toBe(true);
});

test("an order is sent before its deadline passes, however far the clock moves", async () => {
  const id = await shop.buy("0001");
  await pass(7 * 24 * HOUR);
  expect(await statusOf(id)).not.toBe("FAILED");
  await pass(1);
  expect(await statusOf(id)).toBe("DELIVERED");
});

test("the clock of one account moves nobody else's orders", async () => {
  const line = { productId: shop.bundle.id, msisdn: "233240010002", quantity: 1 };
  const own = await shop.buy("0002");
  const { answer } = await orders.buy(db, { by: kofi.by(), key: null, line, allowDuplicate: true });
  await db.execute(sql`update jobs set run_at = now() where kind = 'dispatch_order'`);
  await pass(1);
  const deadlineOf = async (id: number) =>
    (await db.execute(sql`select deliver_by from orders where id = ${id}`))[0]!.deliver_by;
  const before = await deadlineOf(answer.order.id);
  await pass(5 * HOUR);
  expect([await statusOf(own), await statusOf(answer.order.id)]).toEqual(["DELIVERED", "PROCESSING"]);
  expect(await deadlineOf(answer.order.id)).toEqual(before);
});

test("an unpaid order expires after its day, and a paid one keeps the moments by which it is counted", async () => {
  const line = { productId: shop.bundle.id, msisdn: "233240010001", quantity: 1 };
  const { answer: unpaid } = await unpaidOrders.create(db, {
    ...{ by: ama.by(), key: null, line, allowDuplicate: true },
  });
  const paid = await shop.buy("0001");
  const momentsOf = async () => (await db.execute(sql`select created_at, paid_at from orders where id = ${paid}`))[0];
  const before = await momentsOf();
  await pass(25 * HOUR);
  expect(await unpaidOrders.expire(db)).toBe(1);
  expect(await statusOf(unpaid.id)).toBe("FAILED");
  expect(await momentsOf()).toEqual(before);
});
