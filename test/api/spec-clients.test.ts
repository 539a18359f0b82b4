// A client that was written from the shop's first description: it keeps ids as text, and reads `ok` and `message`.
import { afterAll, describe, expect, test } from "bun:test";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const call = checkedCalls(openApp(world, paystack));
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 20.00");

test("an id that was kept as text is the id", async () => {
  const { body: topUp } = await call(ama, "POST", "/api/v1/wallet/topup/init", { amount: 20 });
  const transactionId = String(topUp.transactionId);
  const started = await call(ama, "POST", "/api/v1/paystack/init", {
    email: ama.email,
    amount: 20,
    transactionId,
  });
  expect([started.status, started.body.transactionId]).toEqual([200, topUp.transactionId]);
  const { reference } = started.body;
  const verified = await call(ama, "POST", "/api/v1/paystack/verify", { reference, transactionId });
  expect(verified.status).toBe(200);
  const order = await call(ama, "POST", "/api/v1/orders", {
    productId: String(bundle.id),
    msisdn: "0541234567",
  });
  expect([order.status, order.body.productId]).toEqual([201, bundle.id]);
  const paid = await call(ama, "POST", "/api/v1/wallet/spend", {
    orderId: String(order.body.id),
    amount: 3.9,
  });
  expect(paid.status).toBe(200);
  for (const text of ["", " 2", "2 ", "+2", "02", "2.0", "2e0", "0x2", "-2", "1e400", "9".repeat(16), "２"]) {
    const refused = await call(ama, "POST", "/api/v1/paystack/init", {
      email: ama.email,
      transactionId: text,
    });
    expect([text, refused.status, refused.body.code]).toEqual([text, 422, "request.invalid"]);
  }
});

describe("an amount that none can be is refused before any rule of the shop applies", () => {
  test.each([-3.9, 0, "3.90", 3.901, null, true, "abc"])("%p", async (amount) => {
    const order = { productId: bundle.id, msisdn: "0541234567", amount };
    for (const [path, body] of [
      ["/api/v1/orders", order],
      ["/api/v1/orders/bulk", { orders: [order] }],
      ["/api/v1/wallet/spend", { orderId: 1, amount }],
    ] as const) {
      const { status, body: refused } = await call(ama, "POST", path, body);
      expect([path, status, refused.code]).toEqual([path, 422, "request.invalid"]);
    }
  });

  test("and another one is the price's own refusal, with the price", async () => {
    const order = { productId: bundle.id, msisdn: "0541234567", amount: 3.91 };
    const { status, body } = await call(ama, "POST", "/api/v1/orders", order);
    expect([status, body.code, body.details.currentPrice]).toEqual([409, "order.price_changed", 3.9]);
  });
});

test("a number with a mark behind it is answered as it was read", async () => {
  const order = { productId: bundle.id, msisdn: "0551234567;", quantity: 2 };
  const { status, body } = await call(ama, "POST", "/api/v1/orders", order);
  expect([status, body.msisdn]).toEqual([201, "0551234567"]);
});

test("an agent's timeline has no word of what only staff see", async () => {
  const { body: order } = await call(ama, "POST", "/api/v1/orders", {
    ...{ productId: bundle.id, msisdn: "0561234567", pay: "wallet" },
  });
  const note = { note: "The supplier was slow", forAgent: false };
  await call(world.yaw, "POST", `/api/v1/admin/orders/${order.id}/notes`, note);
  const ofAgent = await call(ama, "GET", `/api/v1/orders/${order.id}`);
  expect(JSON.stringify(ofAgent.body.timeline)).not.toMatch(/internal|slow/);
  const ofStaff = await call(world.yaw, "GET", `/api/v1/orders/${order.id}`);
  expect(ofStaff.body.timeline.at(-1)).toMatchObject({ note: note.note, internal: true });
});

test("to fail a paid order takes a confirmation, and the refusal says how to send it", async () => {
  const { body: order } = await call(ama, "POST", "/api/v1/orders", {
    ...{ productId: bundle.id, msisdn: "0571234567", pay: "wallet" },
  });
  const path = `/api/v1/admin/orders/${order.id}/status`;
  await world.db.execute(
    "update sessions set confirmed_at = now() - interval '1 day', created_at = now() - interval '1 day'",
  );
  const refused = await call(world.yaw, "PATCH", path, { status: "FAILED" });
  expect([refused.status, refused.body.code]).toEqual([403, "auth.confirm_needed"]);
  expect(refused.body.message).toMatch(/x-confirm/i);
  const done = await call(world.yaw, "PATCH", path, { status: "FAILED" }, { "x-confirm": world.yaw.password });
  expect(done.status).toBe(200);
});
