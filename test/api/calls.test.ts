// Tests of the product's own API calls, one by one: requests, answers and messages.
import { describe, expect, test } from "bun:test";
import * as auditRuns from "../../src/core/ledger/audit-runs.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const { yaw } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const kofi = await world.person("kofi", "GH₵ 2.10");
const bundle = await world.product("MTN", "1GB", "3.90");
const telecel = await world.product("TELECEL", "2GB", "8.50");

let numbers = 0;
const number = () => `055${String(1_000_000 + ++numbers)}`;
const summary = (reply: { status: number; body: { code?: string; message?: string } }) => [
  reply.status,
  reply.body.code,
  reply.body.message,
];

describe("the shop", () => {
  test("lists the products on sale, by operator and price", async () => {
    const { body } = await call(ama, "GET", "/api/v1/products");
    expect(body.map((p: { id: number }) => p.id)).toEqual([bundle.id, telecel.id]);
    const mtn = await call(ama, "GET", "/api/v1/products?operator=MTN");
    expect(mtn.body).toEqual([
      {
        id: bundle.id,
        operator: "MTN",
        family: "MTN",
        name: "MTN 1GB",
        size: "1GB",
        price: 3.9,
        paused: null,
        pausedUntil: null,
      },
    ]);
    expect((await call(ama, "GET", "/api/v1/products?operator=VODAFONE")).body.code).toBe("request.invalid");
    expect((await call(ama, "GET", "/api/v1/operators")).body).toHaveLength(3);
  });

  test("gives an agent's totals, usage, last orders and last seven days", async () => {
    const person = await world.person("overviewer", "GH₵ 50.00");
    for (const _ of [1, 2, 3, 4, 5]) {
      await call(person, "POST", "/api/v1/orders", { productId: bundle.id, msisdn: number(), pay: "wallet" });
    }
    const { body } = await call(person, "GET", "/api/v1/dashboard/overview");
    expect(body.totals).toEqual({ totalSales: 19.5, ordersCount: 5 });
    expect(body.usageByOperator).toEqual({ MTN: 5, AIRTELTIGO: 0, TELECEL: 0 });
    expect(body.recentOrders).toHaveLength(4);
    expect(body.lastSevenDays.at(-1)).toMatchObject({ sales: 19.5, orders: 5 });
  });
});

describe("an order", () => {
  test("can be created and then paid from the wallet in two calls", async () => {
    const line = { productId: bundle.id, operator: "MTN", msisdn: "0541234567", quantity: 2, amount: 7.8 };
    const created = await call(ama, "POST", "/api/v1/orders", line);
    expect(created.body).toMatchObject({
      productId: bundle.id,
      amount: 7.8,
      status: "PENDING",
      paid: false,
      msisdn: "0541234567",
    });
    const seen = await call(ama, "GET", `/api/v1/orders/${created.body.id}`);
    expect(seen.body).toMatchObject({ id: created.body.id, amount: 7.8 });
    const { body } = await call(ama, "POST", "/api/v1/wallet/spend", {
      orderId: created.body.id,
      amount: 7.8,
      note: "MTN 1",
    });
    expect(body).toMatchObject({ orderId: created.body.id, amount: 7.8, balance: 92.2, status: "PENDING" });
    expect((await call(ama, "GET", "/api/v1/wallet/balance")).body).toEqual({
      balance: 92.2,
      held: 0,
      owed: 0,
      available: 92.2,
    });
    const again = await call(ama, "POST", "/api/v1/wallet/spend", { orderId: created.body.id, amount: 7.8 });
    expect(summary(again)).toEqual([409, "order.already_paid", "This order is already paid"]);
    const { timeline } = (await call(ama, "GET", `/api/v1/orders/${created.body.id}`)).body;
    expect(timeline.map((step: { event: string }) => step.event)).toEqual(["placed", "paid_wallet"]);
  });

  test("can be created and paid in one call, and is refused with a readable message", async () => {
    const line = { productId: bundle.id, msisdn: number(), pay: "wallet" };
    const { body } = await call(ama, "POST", "/api/v1/orders", line);
    expect(body).toMatchObject({
      quantity: 1,
      amount: 3.9,
      paid: true,
      paymentMethod: "wallet",
      balance: 88.3,
    });
    expect(summary(await call(ama, "POST", "/api/v1/orders", line))[1]).toBe("order.duplicate");
    expect((await call(ama, "POST", "/api/v1/orders", { ...line, allowDuplicate: true })).status).toBe(201);
    expect(summary(await call(kofi, "POST", "/api/v1/orders", line))).toEqual([
      422,
      "wallet.insufficient_balance",
      "Insufficient wallet balance",
    ]);
    for (const [change, status, code, message] of [
      [{ productId: 999_999 }, 404, "product.not_found", "Invalid package selected"],
      [{ productId: undefined }, 422, "request.invalid", "Select package and enter number"],
      [{ msisdn: undefined }, 422, "request.invalid", "Select package and enter number"],
      [{ msisdn: "12345" }, 422, "msisdn.invalid", "Enter a valid Ghana number, such as 0541234567"],
      [{ quantity: 0 }, 422, "order.quantity_invalid", "Quantity must be a whole number from 1 to 100"],
      [{ amount: 3.8 }, 409, "order.price_changed", "The price has changed. Check it and try again."],
      [
        { operator: "TELECEL" },
        422,
        "order.operator_mismatch",
        "This bundle is for another network. Choose the right network.",
      ],
    ] as const) {
      const reply = await call(ama, "POST", "/api/v1/orders", { ...line, msisdn: number(), ...change });
      expect(summary(reply)).toEqual([status, code, message]);
    }
  });

  test("can be one of many in a bulk order, which states their number", async () => {
    const orders = [
      { productId: bundle.id, operator: "MTN", msisdn: number(), quantity: 1, amount: 3.9 },
      { productId: telecel.id, msisdn: number(), quantity: 2 },
    ];
    const seen = await call(ama, "POST", "/api/v1/orders/bulk/preview", {
      orders: [...orders, { productId: 7, msisdn: "x" }],
    });
    expect(seen.body).toMatchObject({ goodCount: 2, total: 20.9, affordableCount: 2 });
    expect(seen.body.lines[2]).toMatchObject({ line: 3, code: "msisdn.invalid", amount: null });
    const before = (await call(ama, "GET", "/api/v1/wallet/balance")).body.balance;
    const { body } = await call(ama, "POST", "/api/v1/orders/bulk", { orders });
    expect(body).toMatchObject({ count: 2, amount: 20.9, balance: Math.round((before - 20.9) * 100) / 100 });
    const bad = await call(ama, "POST", "/api/v1/orders/bulk", {
      orders: [...orders, { productId: bundle.id, msisdn: "1" }],
    });
    expect([bad.status, bad.body.code]).toEqual([422, "bulk.lines_refused"]);
    expect(bad.body.details.lines.map((l: { line: number }) => l.line)).toEqual([1, 2, 3]);
    expect(summary(await call(ama, "POST", "/api/v1/orders/bulk", { orders: [] }))[2]).toBe("Add at least one number");
    const poor = await call(kofi, "POST", "/api/v1/orders/bulk", { orders });
    expect([poor.body.code, poor.body.details]).toMatchObject([
      "wallet.insufficient_balance",
      { required: 20.9, available: 2.1, missing: 18.8, affordableCount: 0 },
    ]);
  });

  test("can be cancelled by its owner until it is dispatched", async () => {
    const line = () => ({ productId: bundle.id, msisdn: number(), pay: "wallet" });
    const { body: order } = await call(ama, "POST", "/api/v1/orders", line());
    const { body } = await call(ama, "POST", `/api/v1/orders/${order.id}/cancel`);
    expect(body).toMatchObject({ status: "FAILED", balance: Math.round((order.balance + 3.9) * 100) / 100 });
    const { body: taken } = await call(ama, "POST", "/api/v1/orders", line());
    await call(yaw, "PATCH", `/api/v1/admin/orders/${taken.id}/status`, { status: "PROCESSING" });
    expect(summary(await call(ama, "POST", `/api/v1/orders/${taken.id}/cancel`))[1]).toBe("order.not_cancellable");
  });

  test("cannot be seen, paid or cancelled by anybody else", async () => {
    const { body: order } = await call(ama, "POST", "/api/v1/orders", {
      productId: bundle.id,
      msisdn: number(),
    });
    for (const reply of [
      await call(kofi, "GET", `/api/v1/orders/${order.id}`),
      await call(kofi, "POST", "/api/v1/wallet/spend", { orderId: order.id, amount: 3.9 }),
      await call(kofi, "POST", `/api/v1/orders/${order.id}/cancel`),
      await call(kofi, "GET", "/api/v1/orders/987654321"),
    ]) {
      expect(summary(reply)).toEqual([404, "order.not_found", "Order not found"]);
    }
    expect((await call(yaw, "GET", `/api/v1/orders/${order.id}`)).body.userId).toBe(ama.id);
    const own = await call(kofi, "GET", "/api/v1/orders");
    expect(own.body.filter((o: { userId: number }) => o.userId !== kofi.id)).toEqual([]);
  });
});

describe("a top-up", () => {
  test("is recorded before it is paid, and has a minimum", async () => {
    const { body } = await call(ama, "POST", "/api/v1/wallet/topup/init", { amount: 20 });
    expect(body).toMatchObject({ transactionId: expect.any(Number), amount: 20 });
    expect((await call(ama, "GET", "/api/v1/wallet/transactions")).body[0].type).not.toBe("TOPUP");
    const low = await call(ama, "POST", "/api/v1/wallet/topup/init", { amount: 4.99 });
    expect(summary(low)).toEqual([422, "payment.below_minimum", "The minimum top-up is GH₵ 5.00"]);
    expect(summary(await call(ama, "POST", "/api/v1/wallet/topup/init", { amount: 0 }))[2]).toBe(
      "Please enter a valid amount",
    );
  });
});

describe("an admin", () => {
  test("sees everybody's orders, all products and users, and the figures", async () => {
    const orders = await call(yaw, "GET", "/api/v1/admin/orders?limit=200");
    expect(new Set(orders.body.map((o: { userId: number }) => o.userId)).size).toBeGreaterThan(1);
    expect((await call(yaw, "GET", "/api/v1/admin/products")).body).toHaveLength(2);
    const users = await call(yaw, "GET", "/api/v1/admin/users?search=kofi");
    expect(users.body).toMatchObject([{ username: "kofi", balance: 2.1, roles: ["USER"] }]);
    const stats = (await call(yaw, "GET", "/api/v1/admin/stats")).body;
    expect(stats.totalOrders).toBe(orders.body.length);
    expect((await call(yaw, "GET", "/api/v1/admin/audit")).body).toEqual({
      last: null,
      open: null,
      error: null,
    });
    const audit = await call(yaw, "POST", "/api/v1/admin/audit", { kind: "full" });
    expect([audit.status, audit.body.open.kind]).toEqual([202, "full"]);
    await auditRuns.runOpen(world.db);
    expect((await call(yaw, "GET", "/api/v1/admin/audit")).body).toMatchObject({
      last: { ok: true, findings: [] },
      open: null,
    });
  });

  test("moves an order, or several with an answer for each", async () => {
    const line = () => ({ productId: bundle.id, msisdn: number(), pay: "wallet" });
    const { body: one } = await call(ama, "POST", "/api/v1/orders", line());
    const { body: two } = await call(ama, "POST", "/api/v1/orders", line());
    const path = `/api/v1/admin/orders/${one.id}/status`;
    expect((await call(yaw, "PATCH", path, { status: "PROCESSING" })).body).toMatchObject({
      id: one.id,
      status: "PROCESSING",
    });
    expect(summary(await call(yaw, "PATCH", path, { status: "PROCESSING" }))).toEqual([
      409,
      "order.move_not_allowed",
      "That status change is not allowed",
    ]);
    const { body } = await call(yaw, "POST", "/api/v1/admin/orders/status/bulk", {
      ids: [one.id, two.id, 987654321],
      status: "FAILED",
    });
    expect(body).toMatchObject({ moved: 2, refused: 1 });
    expect(body.results[2]).toMatchObject({
      moved: false,
      code: "order.not_found",
      message: "Order not found",
    });
    const none = await call(yaw, "POST", "/api/v1/admin/orders/status/bulk", { ids: [], status: "FAILED" });
    expect(summary(none)[2]).toBe("Select at least one order");
    const unpaid = await call(ama, "POST", "/api/v1/orders", { productId: bundle.id, msisdn: number() });
    const cash = `/api/v1/admin/orders/${unpaid.body.id}/status`;
    expect((await call(yaw, "PATCH", cash, { status: "COMPLETED" })).body.code).toBe("order.unpaid");
    expect((await call(yaw, "PATCH", cash, { status: "COMPLETED", paidInCash: true })).body.paymentMethod).toBe("cash");
  });

  test("puts a product on sale and takes it off again", async () => {
    const product = { operator: "AIRTELTIGO", name: "Big one", size: "10GB", price: 40 };
    const { body } = await call(yaw, "POST", "/api/v1/products", product);
    expect(body).toMatchObject({ ...product, paused: null });
    expect(summary(await call(yaw, "POST", "/api/v1/products", product))[1]).toBe("product.exists");
    expect(summary(await call(yaw, "POST", "/api/v1/products", { ...product, name: "" }))[2]).toBe(
      "Please fill all product fields",
    );
    expect((await call(yaw, "DELETE", `/api/v1/products/${body.id}`)).body).toEqual({
      id: body.id,
      removed: true,
    });
    expect((await call(yaw, "DELETE", `/api/v1/products/${body.id}`)).body.code).toBe("product.not_found");
  });

  test("opens, changes, bans and deletes accounts, and corrects wallets", async () => {
    const fields = {
      username: "abena",
      email: "abena@example.com",
      password: "six or more",
      roles: ["USER"],
    };
    const { body: user } = await call(yaw, "POST", "/api/v1/admin/users", fields);
    const path = `/api/v1/admin/users/${user.id}`;
    expect((await call(yaw, "PATCH", path, { username: "abena2", email: "" })).body).toMatchObject({
      username: "abena2",
      email: "abena@example.com",
    });
    expect(summary(await call(yaw, "PATCH", path, { username: "kofi" }))[1]).toBe("user.username_taken");
    expect((await call(yaw, "POST", `${path}/ban`)).body.status).toBe("BANNED");
    expect((await call(yaw, "POST", `${path}/unban`)).body.status).toBe("ACTIVE");
    expect((await call(yaw, "POST", `${path}/wallet`, { amount: 50, reason: "receipt 118" })).body.balance).toBe(50);
    expect((await call(yaw, "DELETE", path)).body.code).toBe("user.has_balance");
    expect((await call(yaw, "POST", `${path}/wallet`, { amount: -50, reason: "paid out" })).body.balance).toBe(0);
    expect((await call(yaw, "DELETE", path)).body).toEqual({ id: user.id, removed: true });
    expect((await call(yaw, "DELETE", path)).body.code).toBe("user.closed");
    expect((await call(yaw, "DELETE", `/api/v1/admin/users/${yaw.id}`)).body.code).toBe("user.own_account");
    expect((await call(yaw, "POST", "/api/v1/admin/users/987654/ban")).body.code).toBe("user.not_found");
  });
});

test("an address under /api without a route is not found, in the format of every error", async () => {
  for (const [method, path] of [
    ["GET", "/api/v1/nothing"],
    ["POST", "/api/"],
    ["PUT", "/api/v1/nothing/at/all"],
  ] as const) {
    const reply = await call(ama, method, path);
    expect(summary(reply)).toEqual([404, "request.not_found", "There is nothing at this address"]);
  }
});
