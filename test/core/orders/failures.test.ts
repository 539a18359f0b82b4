// The code of an order's failure, in each way that an order can fail, as its agent's program reads it.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import { applyReports } from "../../../src/core/fulfilment/outcomes.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { FAILURES, type FailureCode } from "../../../src/shared/orders/order-failures.ts";
import { CANCELLED } from "../../../src/shared/orders/order-states.ts";
import { lineFor } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openApp } from "../../support/world.ts";
import { openDelivering } from "../fulfilment/delivering.ts";

const shop = await openDelivering();
const { db, ama, bundle, world } = shop;
const client = openApp(world, undefined, shop.vendors);
const admin = { by: world.yaw.by("admin"), key: null };
const MINUTE = 60;

const read = async (id: number) => (await client.call(ama, "GET", `/api/v1/orders/${id}`)).body;
/** Reads it by its id and in the list, which agree, and checks that the code's text and advice come with it. */
async function failureOf(id: number): Promise<FailureCode | null> {
  const { failure, refundedAt, note } = await read(id);
  const { body } = await client.call(ama, "GET", "/api/v1/orders?limit=200");
  expect(body.find((order: { id: number }) => order.id === id).failure).toEqual(failure);
  if (failure === null) return null;
  const { message, isRetryable } = FAILURES[failure.code as FailureCode];
  expect(failure).toEqual({
    code: failure.code,
    message: expect.stringContaining(message),
    retryable: isRetryable,
  });
  if (/refunded it/.test(failure.message)) expect(refundedAt).not.toBeNull();
  expect([failure.message, /note says why/.test(failure.message) && note === null]).toEqual([failure.message, false]);
  return failure.code;
}
const delivered = async () => {
  const id = await shop.buy();
  await statusChanges.move(db, { ...admin, ids: [id], to: "PROCESSING" });
  await statusChanges.move(db, { ...admin, ids: [id], to: "DELIVERED" });
  return id;
};

describe("an order fails as", () => {
  test("nothing, while it has not", async () => {
    expect(await failureOf(await shop.buy())).toBeNull();
  });

  test("cancelled by its buyer", async () => {
    const id = await shop.buy();
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: id });
    expect(await failureOf(id)).toBe("cancelled");
  });

  test("not paid within a day", async () => {
    const ask = { by: ama.by(), key: null, line: lineFor(bundle) };
    const { id } = (await unpaidOrders.create(db, ask)).answer;
    await db.execute(sql`update orders set created_at = now() - interval '25 hours' where id = ${id}`);
    await unpaidOrders.expire(db);
    expect(await failureOf(id)).toBe("not_paid");
  });

  test("not delivered in time", async () => {
    await shop.routeBy("desk");
    await shop.promise(30);
    const id = await shop.buy();
    await shop.pass(31 * MINUTE);
    expect(await failureOf(id)).toBe("not_delivered_in_time");
  });

  longTest("refused by the network, out of stock, or not deliverable, as all that were tried say", async () => {
    for (const [route, ending, code] of [
      ["datamart", "0003", "network_refused"],
      ["hubnet", "0010", "out_of_stock"],
      ["hubnet", "0012", "not_deliverable"],
      ["datamart,hubnet", "0012", "not_deliverable"],
    ] as const) {
      await shop.routeBy(route);
      const id = await shop.buy(ending);
      await shop.pass(10 * MINUTE);
      expect([route, ending, await failureOf(id)]).toEqual([route, ending, code]);
    }
  });

  test("refunded by the shop, whatever reason a person gives", async () => {
    const id = await shop.buy();
    await statusChanges.move(db, { ...admin, ids: [id], to: "FAILED", reason: CANCELLED });
    expect(await failureOf(id)).toBe("refunded_by_shop");
  });

  test("not received, by a dispute", async () => {
    const id = await delivered();
    const { id: requestId } = (await disputes.open(db, { by: ama.by(), key: null, orderId: id, message: "" })).answer;
    await disputes.decide(db, { ...admin, requestId, outcome: "refunded" });
    expect(await failureOf(id)).toBe("not_received");
  });

  test("reversed, when the network takes a delivery back", async () => {
    const id = await shop.buy();
    await shop.pass(2 * MINUTE);
    expect((await read(id)).status).toBe("DELIVERED");
    const [row] = await db.execute<{ id: number }>(sql`select id from attempts where order_id = ${id}`);
    const report = { kind: "state", state: "refunded", vendorReference: null, message: null } as const;
    await applyReports(db, shop.vendor("datamart"), [{ attemptId: row!.id, report }]);
    expect(await failureOf(id)).toBe("delivery_reversed");
  });

  test("each of many at once as its own", async () => {
    const ids = [await shop.buy(), await shop.buy()];
    const ask = { by: ama.by(), key: null, line: lineFor(bundle) };
    ids.push((await unpaidOrders.create(db, ask)).answer.id);
    await statusChanges.move(db, { ...admin, ids, to: "FAILED", reason: "The shop closes" });
    const codes = ["refunded_by_shop", "refunded_by_shop", "ended_by_shop"] as const;
    for (const [n, id] of ids.entries()) expect(await failureOf(id)).toBe(codes[n]!);
  });

  test("ended by the shop before it was paid, with a note or without one", async () => {
    for (const [reason, ending] of [
      [undefined, "Ask support why."],
      ["Wrong bundle", "Its note says why."],
    ] as const) {
      const ask = { by: ama.by(), key: null, line: lineFor(bundle) };
      const { id } = (await unpaidOrders.create(db, ask)).answer;
      await statusChanges.move(db, { ...admin, ids: [id], to: "FAILED", ...(reason && { reason }) });
      expect(await failureOf(id)).toBe("ended_by_shop");
      expect(await read(id)).toMatchObject({
        ...{ paid: false, refundedAt: null, note: reason ?? null },
        failure: {
          message: `Our team ended this order before it was paid, so nothing was refunded. ${ending}`,
        },
      });
    }
  });

  test("other, if it failed before codes were kept", async () => {
    const id = await shop.buy();
    await statusChanges.move(db, { ...admin, ids: [id], to: "FAILED", reason: "Long ago" });
    await db.execute(sql`update orders set failure = null where id = ${id}`);
    expect(await failureOf(id)).toBe("other");
  });
});
