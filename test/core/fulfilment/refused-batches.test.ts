// Refused batches: a vendor refuses a whole call, because of one of its orders or of none; the others are sent all the
// same, and nothing is sent that may have arrived.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import type { BundleVendor, Placed } from "../../../src/core/fulfilment/vendor.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { createDataMart } from "../../../src/gateways/vendors/datamart.ts";
import { lineFor, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const bundle = await world.product("MTN", "5GB", "20.90");
const ama = await world.person("ama", "GH₵ 9000.00");

const BAD = "0541999999";
let refusal = { status: 400, message: "Invalid phone number" };
let balanceStatus = 200;
let sizes: number[] = [];
/** What the vendor can be asked about afterwards. */
const accepted = new Set<string>();
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    const reference = /order-status\/(.+)/.exec(new URL(request.url).pathname)?.[1];
    if (reference)
      return accepted.has(reference)
        ? Response.json({
            status: "success",
            data: { orderStatus: "processing", transactionReference: "T1" },
          })
        : Response.json({ status: "error", message: "Order not found" }, { status: 404 });
    if (request.method === "GET")
      return Response.json({ status: "success", data: { balance: 1000, currency: "GHS" } }, { status: balanceStatus });
    const body = (await request.json()) as { orders: { phoneNumber: string; ref: string }[] };
    sizes.push(body.orders.length);
    // The vendor checks the call as a whole: it accepts nothing of it while one order is wrong.
    if (body.orders.some(({ phoneNumber }) => phoneNumber === BAD))
      return Response.json({ status: "error", message: refusal.message }, { status: refusal.status });
    for (const { ref } of body.orders) accepted.add(ref);
    const results = body.orders.map((one) => ({ ...one, status: "queued" }));
    return Response.json({ status: "success", data: { results } });
  },
});
afterAll(() => server.stop(true));
const datamart = createDataMart({
  baseUrl: `http://127.0.0.1:${server.port}`,
  apiKey: "key",
  webhookSecret: null,
});
await vendors.enrol(db, [datamart]);

beforeEach(async () => {
  sizes = [];
  balanceStatus = 200;
  await settings.change(db, { by, values: { dispatch_hold_seconds: 0, route_mtn: "datamart" } });
  await db.execute(sql`update vendors set paused_for = null, paused_at = null, paused_message = null`);
});

const buy = async (msisdn?: string) => {
  const line = msisdn ? { productId: bundle.id, msisdn, quantity: 1 } : lineFor(bundle);
  return (await orders.buy(db, { by: ama.by(), key: null, line, allowDuplicate: true })).answer.order.id;
};
const statusOf = async (id: number) => (await orderQueries.get(db, by, id)).status;

/** Does everything that is due, without waiting for the vendor's rate. */
async function work(vendor: BundleVendor) {
  for (let n = 0; n < 20; n++) {
    await routing.routeDue(db, [vendor], 500);
    await dispatch.sendDue(db, vendor, () => null);
    await db.execute(sql`update vendors set next_call_at = now()`);
  }
}

describe("a call that is refused as a whole", () => {
  longTest.each([
    ["a 400 about a number", { status: 400, message: "Invalid phone number" }],
    ["a 403 about a number", { status: 403, message: "Recipient is on our deny list" }],
    ["a size that is sold out", { status: 400, message: "This size is out of stock" }],
  ])("by %s fails that order alone: each is sent by itself", async (_, response) => {
    refusal = response;
    const bad = await buy(BAD);
    const others = await Promise.all(times(5, () => buy()));
    await work(datamart);
    expect(await statusOf(bad)).toBe("FAILED");
    for (const id of others) expect(await statusOf(id)).toBe("PROCESSING");
    expect(sizes).toEqual([6, 1, 1, 1, 1, 1, 1]);
    expect((await vendors.states(db)).get("datamart")!.pausedFor).toBeNull();
  });

  longTest.each([
    [400, "Bad request"],
    [422, "Unprocessable entity"],
    [500, "Internal error"],
  ])("by a %i without a reason is checked, and then fails that order alone", async (status, message) => {
    refusal = { status, message };
    const bad = await buy(BAD);
    const others = await Promise.all(times(5, () => buy()));
    for (let minutes = 0; minutes < 60; minutes += 5) {
      await work(datamart);
      await dispatch.checkDue(db, datamart);
      await db.execute(sql`
        update attempts set sent_at = sent_at - interval '5 minutes', due_at = due_at - interval '5 minutes'
        where ended_at is null`);
      await db.execute(sql`delete from rate_limits`);
    }
    expect(await statusOf(bad)).toBe("FAILED");
    for (const id of others) expect(await statusOf(id)).toBe("PROCESSING");
    expect(sizes).toEqual([6, 1, 1, 1, 1, 1, 1]);
  });

  test("because a number had an order a moment ago delays only that one", async () => {
    refusal = { status: 400, message: "This number was sent an order a moment ago" };
    const bad = await buy(BAD);
    const others = await Promise.all(times(3, () => buy()));
    await work(datamart);
    expect(await statusOf(bad)).toBe("PENDING");
    for (const id of others) expect(await statusOf(id)).toBe("PROCESSING");
    await db.execute(sql`update attempts set state = 'withdrawn', ended_at = now() where state = 'queued'`);
  });

  test("by a 403 that calls without an order get, too, is about the key: the vendor is paused", async () => {
    refusal = { status: 403, message: "Forbidden" };
    balanceStatus = 403;
    const ids = [await buy(BAD), await buy()];
    await work(datamart);
    expect((await vendors.states(db)).get("datamart")!.pausedFor).toBe("key_refused");
    for (const id of ids) expect(await statusOf(id)).toBe("PENDING");
    await db.execute(sql`update attempts set state = 'withdrawn', ended_at = now() where state = 'queued'`);
  });

  test("by a 403 whose reason is unclear waits, and is tried again", async () => {
    refusal = { status: 403, message: "Forbidden" };
    balanceStatus = 500;
    const id = await buy(BAD);
    await work(datamart);
    expect(await statusOf(id)).toBe("PENDING");
    expect((await vendors.states(db)).get("datamart")!.pausedFor).toBeNull();
    await db.execute(sql`update attempts set state = 'withdrawn', ended_at = now() where state = 'queued'`);
  });
});

describe("orders that may have arrived are not sent again", () => {
  const vendorThat = (answers: Placed[]): BundleVendor & { calls: () => number } => {
    let calls = 0;
    return {
      ...datamart,
      code: "slow",
      name: "Slow",
      can: { ...datamart.can, batchMax: 1, callsPerMinute: 6000, statusChecksPerMinute: 6000 },
      place: async () => [answers[calls++] ?? taken],
      checkStatus: async () => ({ kind: "not_found" }),
      balance: async () => ({ kind: "unclear", message: null }),
      calls: () => calls,
    };
  };
  const taken: Placed = {
    kind: "taken",
    state: "accepted",
    vendorReference: "V3",
    costPesewas: null,
    message: null,
  };
  const lost: Placed = { kind: "unclear", message: null };
  const cooling: Placed = {
    kind: "not_taken",
    reason: "number_cooling",
    retryAfterSeconds: null,
    message: "This number was sent a bundle a moment ago",
  };

  longTest.each([
    ["sent before, not found, and then barred for a bundle of a moment ago", [lost, cooling]],
    ["sent before, not found, and then known by its reference", [lost, { kind: "known_reference", message: null }]],
  ] as const)("when it was %s", async (_, answers) => {
    const vendor = vendorThat([...answers]);
    await vendors.enrol(db, [vendor]);
    await settings.change(db, { by, values: { route_mtn: "slow" } });
    const id = await buy();
    for (let n = 0; n < 12; n++) {
      await work(vendor);
      await dispatch.checkDue(db, vendor);
      await db.execute(
        sql`update attempts set due_at = now(), sent_at = sent_at - interval '310 seconds' where order_id = ${id}`,
      );
      await db.execute(sql`delete from rate_limits`);
    }
    expect(vendor.calls()).toBe(2);
    const [attempt] = await db.execute(sql`select state, seen_by_vendor from attempts where order_id = ${id}`);
    expect(attempt).toEqual({ state: "unknown", seen_by_vendor: true });
    await db.execute(sql`update attempts set due_at = 'infinity' where order_id = ${id}`);
  });
});
