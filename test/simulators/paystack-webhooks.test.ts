// Tests of the Paystack simulator's webhooks: true, repeated, forged, lost and out of order.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { type Delivery, startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { createClient, isSignedWith, startShop, until } from "../../dev/simulators/paystack/paystack-asking.ts";

// An hour between webhooks takes 20 ms, and the networks' 180 s take 1 ms.
const paystack = await startPaystack({ speed: 180_000 });
const { post, initialize, verify, paid } = createClient(paystack);
const shop = startShop();
const isSigned = isSignedWith(paystack.secretKey);
afterAll(async () => {
  await Promise.all([paystack.stop(), shop.stop()]);
});
beforeEach(() => {
  paystack.reset();
  paystack.sendWebhooksTo(shop.url);
  shop.received.length = 0;
  shop.answers.length = 0;
});

describe("a webhook", () => {
  test("is signed over its raw bytes, in any notation", async () => {
    await initialize({ reference: "tp-1", metadata: { back: "https://shop.example.gh/é" } });
    await paystack.pay("tp-1");
    await paystack.deliver("tp-1");
    await paystack.deliver("tp-1", { json: "hostile", data: { id: 9_007_199_254_740_993n, metadata: 0 } });
    expect(shop.received.map(isSigned)).toEqual([true, true]);
    const [plain, hostile] = shop.received.map(({ body }) => body) as [string, string];
    expect(JSON.parse(plain)).toMatchObject({
      event: "charge.success",
      data: { reference: "tp-1", status: "success", amount: 2000, domain: "test" },
    });
    expect(JSON.parse(hostile).data).toMatchObject({ reference: "tp-1", metadata: 0, amount: 2000 });
    expect(hostile).toContain("9007199254740993");
    expect(hostile).toContain("\\u0040pay.example.gh");
    expect(JSON.stringify(JSON.parse(hostile))).not.toBe(hostile);
  });

  test("exists only for a paid transaction", async () => {
    await initialize({ reference: "tp-1" });
    paystack.fail("tp-1");
    await expect(paystack.deliver("tp-1")).rejects.toThrow("no charge.success");
  });

  test("is repeated with the same bytes until the answer is exactly 200", async () => {
    await paid("tp-1");
    shop.answers.push(500, 204, 302);
    const [delivery] = (await paystack.deliver("tp-1")) as [Delivery];
    expect(delivery.state).toBe("retrying");
    await paystack.quiet();
    expect(shop.received.map((r) => r.body)).toEqual(Array(4).fill(delivery.body));
    expect(shop.received.every(isSigned)).toBe(true);
    expect(paystack.deliveries()).toMatchObject([
      { state: "delivered", attempts: [500, 204, 302, 200].map((status) => ({ status })) },
    ]);
  });

  test("is abandoned after the provider's last attempt", async () => {
    await paid("tp-1");
    shop.answers.push(...Array(20).fill(503));
    await paystack.deliver("tp-1");
    await paystack.quiet();
    // Hourly for ten hours in test mode (docs, Webhooks).
    expect(paystack.deliveries()).toMatchObject([{ state: "given up", attempts: { length: 11 } }]);
  });

  test("can be sent several times, in sequence or all at once", async () => {
    await paid("tp-1");
    await paystack.deliver("tp-1", { copies: 2 });
    await paystack.deliver("tp-1", { copies: 4, parallel: true, delayMs: 5 });
    expect(new Set(shop.received.map((r) => r.body)).size).toBe(1);
    expect(shop.received.length).toBe(6);
  });

  test.each([
    ["wrong", false],
    ["missing", false],
    ["tampered", false],
    ["upperCase", true],
  ] as const)("with a signature that is %s is sent once", async (signature, good) => {
    await paid("tp-1");
    shop.answers.push(401);
    await paystack.deliver("tp-1", { signature, retry: false });
    expect(shop.received.length).toBe(1);
    expect(isSigned(shop.received[0]!)).toBe(good);
    if (signature === "tampered") expect(JSON.parse(shop.received[0]!.body).data.amount).toBe(92_000);
  });

  test("can be signed with an earlier key", async () => {
    await paid("tp-1");
    await paystack.deliver("tp-1", { key: "sk_test_before" });
    expect(isSigned(shop.received[0]!)).toBe(false);
    expect(isSignedWith("sk_test_before")(shop.received[0]!)).toBe(true);
  });

  test("can arrive before the payer's redirect, or before initialize has answered", async () => {
    paystack.steer("tp-1", {
      webhook: "beforeReply",
      payAtOnce: true,
      delivery: { copies: 2, parallel: true },
    });
    await initialize({ reference: "tp-1" });
    expect(shop.received.map(({ body }) => JSON.parse(body).data.reference)).toEqual(["tp-1", "tp-1"]);
  });

  test("is sent by itself, unless it is set to be lost", async () => {
    const other = await startPaystack({ webhookUrl: shop.url, autoDeliverMs: 1 });
    try {
      other.steer("mm-lost", { webhook: "lost" });
      for (const reference of ["mm-lost", "mm-found"])
        await createClient(other).charge({ reference, phone: "0551234903" });
      await until(async () => shop.received.length > 0);
      await other.quiet();
      expect(other.deliveries().map((d) => [d.reference, d.state])).toEqual([["mm-found", "delivered"]]);
      expect([...other.successes().keys()]).toEqual(["mm-lost", "mm-found"]);
    } finally {
      await other.stop();
    }
  });

  test("is also repeated when the shop does not answer in time", async () => {
    const slow = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
    const other = await startPaystack({ webhookUrl: slow.url.href, webhookTimeoutMs: 10 });
    try {
      const [first] = (await other.deliverEvent("charge.success", { reference: "tp-1" })) as [Delivery];
      expect(first).toMatchObject({ state: "retrying", attempts: [{ status: null, error: "TimeoutError" }] });
      other.sendWebhooksTo(shop.url);
      await other.retryWebhooksNow();
      // It goes to its intended address.
      expect(other.deliveries()[0]).toMatchObject({ url: slow.url.href, attempts: { length: 2 } });
    } finally {
      await Promise.all([other.stop(), slow.stop(true)]);
    }
  });

  test("of a refund is also sent by itself, step by step", async () => {
    const other = await startPaystack({ webhookUrl: shop.url, autoDeliverMs: 1 });
    try {
      const { charge, post: send } = createClient(other);
      await charge({ reference: "mm-1", phone: "0551234903" });
      await send("/refund", { transaction: "mm-1", amount: 2000 });
      await until(() => shop.received.length === 4);
      const events = shop.received.map(({ body }) => JSON.parse(body).event);
      expect(events.filter((event) => event !== "charge.success")).toEqual([
        "refund.pending",
        "refund.processing",
        "refund.processed",
      ]);
    } finally {
      await other.stop();
    }
  });

  test("can be about a reference that the shop does not know", async () => {
    await paystack.deliverEvent("charge.success", { reference: "page-1", amount: 500 });
    await paystack.deliverEvent("customeridentification.failed", {});
    expect(shop.received.map(({ body }) => JSON.parse(body).event)).toEqual([
      "charge.success",
      "customeridentification.failed",
    ]);
  });
});

test("a refund reports its steps in any order, with the amount as text", async () => {
  await paid("tp-1");
  const { body } = await post("/refund", { transaction: "tp-1", amount: 2000 });
  await paystack.moveRefund(BigInt(body.data.id), "processed");
  expect((await verify("tp-1")).body.data.status).toBe("reversed");
  await paystack.deliver("tp-1", { event: "refund.processed" });
  await paystack.deliver("tp-1", { event: "refund.pending" });
  expect(shop.received.map(({ body: sent }) => JSON.parse(sent))).toMatchObject([
    {
      event: "refund.processed",
      data: { transaction_reference: "tp-1", amount: "2000", status: "processed" },
    },
    { event: "refund.pending", data: { amount: "2000", refund_reference: null } },
  ]);
  // The payment succeeded all the same.
  expect(paystack.successes().get("tp-1")).toBe(2000);
});

test("a lost chargeback reverses the payment", async () => {
  await paid("tp-1");
  await paystack.dispute("tp-1", "create");
  await paystack.deliver("tp-1", { event: "charge.dispute.create" });
  await paystack.dispute("tp-1", "resolve");
  await paystack.deliver("tp-1", { event: "charge.dispute.resolve" });
  expect(shop.received.map(({ body }) => JSON.parse(body).data)).toMatchObject([
    { status: "awaiting-merchant-feedback", transaction: { reference: "tp-1" } },
    { status: "resolved", resolution: "merchant-accepted" },
  ]);
  expect((await verify("tp-1")).body.data.status).toBe("reversed");
});
