// Tests of mobile money: one prompt on one phone, one-time codes where the network requires them, and paying an
// order.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { RIGHT_OTP } from "../../dev/simulators/paystack/paystack.ts";
import type { Person } from "../support/world.ts";
import { openTill } from "./paying.ts";

// An hour, longer than these tests, so that nobody approves on their own.
const till = await openTill({ otpForTelecel: true, approveSeconds: 3600 });
const { world, paystack, post, get, record, paidTopUp, topUp, verify, known } = till;
const { db } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const bundle = await world.product("MTN", "1GB", "3.90");
let numbers = 0;
const order = async (person: Person) => {
  const body = { productId: bundle.id, msisdn: `055${String(4_000_000 + ++numbers)}` };
  return (await post(person, "/orders", body)).body.id as number;
};
const charge = async (phone = "0551234567", network = "mtn", person = ama) =>
  post(person, "/paystack/charge", { transactionId: await record(person, 20), network, phone });
const chargesOf = (reference: string) =>
  paystack.requests().filter(({ route, body }) => {
    return route === "POST /charge" && (body as { reference?: string }).reference === reference;
  });

/** How many of the database's sessions are waiting for a lock. */
const waiting = async () => {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return row!.count;
};

beforeEach(async () => {
  // Limits on prompts have their own tests.
  await world.db.execute(sql`delete from rate_limits`);
});

describe("mobile money", () => {
  test("prompts the phone for our own amount, and is credited when it is approved", async () => {
    const before = await world.balanceOf(ama);
    for (const [network, phone] of [
      ["mtn", "+233 55 123 4567"],
      ["atl", "0271234567"],
    ] as const) {
      const transactionId = await record(ama, 20);
      const { status, body } = await post(ama, "/paystack/charge", {
        transactionId,
        network,
        phone,
        amount: 0.01,
      });
      expect([status, body]).toMatchObject([
        202,
        { id: transactionId, status: "pending", needsCode: false, network, amount: 20 },
      ]);
      expect(body.message).toBe("Please complete authorization process on your mobile phone");
      expect(known(body.reference)).toMatchObject({ amount: 2000, provider: network, currency: "GHS" });
      expect(known(body.reference)!.phone).toBe(body.phone);
      expect((await verify(ama, body.reference)).body.status).toBe("pending");
      await paystack.approve(body.reference);
      expect((await verify(ama, body.reference)).body.status).toBe("paid");
    }
    expect(await world.balanceOf(ama)).toBe(before + 4000);
  });

  test("that is approved before Paystack has answered is paid at once", async () => {
    const { status, body } = await charge("0551234503");
    expect([status, body.status]).toEqual([202, "paid"]);
  });

  test("sends a phone one prompt, however often it is requested", async () => {
    const transactionId = await record(ama, 20);
    const ask = () => post(ama, "/paystack/charge", { transactionId, network: "mtn", phone: "0551234567" });
    // All requests have read a payment without a prompt before the first can change that.
    const sent = await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from payments where id = ${transactionId} for update`);
      const asks = Array.from({ length: 6 }, ask);
      while ((await waiting()) < asks.length);
      return { asks };
    });
    const replies = await Promise.all(sent.asks);
    const { reference } = replies[0]!.body;
    for (const reply of [...replies, await ask()])
      expect([reply.status, reply.body.reference]).toEqual([202, reference]);
    expect(chargesOf(reference)).toHaveLength(1);
    const elsewhere = { transactionId, network: "mtn", phone: "0551234568" };
    const refused = await post(ama, "/paystack/charge", elsewhere);
    expect([refused.status, refused.body.code]).toEqual([409, "payment.in_progress"]);
  });

  test("needs a Ghanaian number and an existing network", async () => {
    const transactionId = await record(ama, 20);
    const requests = paystack.requests().length;
    for (const phone of ["", "0302123456", "+447700900123", "05512345"]) {
      const reply = await post(ama, "/paystack/charge", { transactionId, network: "mtn", phone });
      expect([phone, reply.body.code]).toEqual([phone, "msisdn.invalid"]);
    }
    const reply = await post(ama, "/paystack/charge", {
      transactionId,
      network: "glo",
      phone: "0551234567",
    });
    expect([reply.status, reply.body.code]).toEqual([422, "request.invalid"]);
    expect(paystack.requests()).toHaveLength(requests);
  });

  test("that is declined or timed out on the phone shows the reason, and a new one can be started", async () => {
    const before = await world.balanceOf(ama);
    for (const [end, message] of [
      [paystack.refuse, "The payer refused the payment on the phone"],
      [paystack.timeOut, "The payer did not approve the payment in time"],
    ] as const) {
      const { body } = await charge();
      end(body.reference);
      expect((await verify(ama, body.reference)).body).toMatchObject({ status: "failed", message });
      const again = await post(ama, "/paystack/charge", {
        transactionId: body.id,
        network: "atl",
        phone: "0271234567",
      });
      expect([again.status, again.body.code]).toEqual([409, "payment.not_payable"]);
      expect((await charge("0271234567", "atl")).status).toBe(202);
    }
    expect(await world.balanceOf(ama)).toBe(before);
  });

  test("whose start was never answered is not started again, and is credited when it was paid", async () => {
    const before = await world.balanceOf(ama);
    paystack.fault("POST /charge", "dropAfter");
    const { status, body } = await charge();
    expect([status, body.status]).toEqual([202, "pending"]);
    await paystack.approve(body.reference);
    expect((await verify(ama, body.reference)).body.status).toBe("paid");
    expect(chargesOf(body.reference)).toHaveLength(1);
    expect(await world.balanceOf(ama)).toBe(before + 2000);

    paystack.fault("POST /charge", "html502");
    const unheard = await charge();
    expect(unheard.body.status).toBe("pending");
    expect((await verify(ama, unheard.body.reference)).body.status).toBe("pending");
    expect(chargesOf(unheard.body.reference)).toHaveLength(1);
  });
});

describe("a one-time code", () => {
  const code = (person: Person, reference: string, text: string) =>
    post(person, "/paystack/otp", { reference, code: text });

  test("is required by Telecel, and the right one pays", async () => {
    const before = await world.balanceOf(ama);
    const { status, body } = await charge("0201234567", "vod");
    expect([status, body]).toMatchObject([202, { status: "pending", needsCode: true, network: "vod" }]);
    expect(body.message).toContain("dial *110# to generate a voucher");
    expect((await get(ama, `/payments/${body.reference}`)).body.needsCode).toBe(true);

    const foreign = await code(kofi, body.reference, RIGHT_OTP);
    expect([foreign.status, foreign.body.code]).toEqual([404, "payment.not_found"]);
    const given = await code(ama, body.reference, RIGHT_OTP);
    expect([given.status, given.body]).toMatchObject([200, { status: "pending", needsCode: false }]);
    const twice = await code(ama, body.reference, RIGHT_OTP);
    expect([twice.status, twice.body.code]).toEqual([409, "payment.not_payable"]);
    await paystack.approve(body.reference);
    expect((await verify(ama, body.reference)).body.status).toBe("paid");
    expect(await world.balanceOf(ama)).toBe(before + 2000);
  });

  test("that is wrong ends the payment, which the right one does not revive", async () => {
    const before = await world.balanceOf(ama);
    const { body } = await charge("0201234567", "vod");
    const wrong = await code(ama, body.reference, "000000");
    expect([wrong.status, wrong.body]).toMatchObject([200, { status: "failed", needsCode: false }]);
    expect(wrong.body.message).toContain("Token Authorization Not Successful");
    const late = await code(ama, body.reference, RIGHT_OTP);
    expect([late.status, late.body.code]).toEqual([409, "payment.not_payable"]);
    expect(await world.balanceOf(ama)).toBe(before);
  });

  test("whose result is unknown can be submitted again", async () => {
    const { body } = await charge("0201234567", "vod");
    paystack.fault("POST /charge/submit_otp", "dropBefore");
    const unheard = await code(ama, body.reference, RIGHT_OTP);
    expect(unheard.body).toMatchObject({ status: "pending", needsCode: true });
    expect((await code(ama, body.reference, RIGHT_OTP)).body.needsCode).toBe(false);
    await paystack.approve(body.reference);
    expect((await verify(ama, body.reference)).body.status).toBe("paid");
  });

  test("consists of digits, and needs a payment that requires one", async () => {
    const { body } = await charge();
    for (const text of ["", "12", "abcdef", "123456789"])
      expect((await code(ama, body.reference, text)).status).toBe(422);
    expect((await code(ama, body.reference, RIGHT_OTP)).body.code).toBe("payment.not_payable");
    const { reference } = await topUp(ama, 20);
    expect((await code(ama, reference, RIGHT_OTP)).body.code).toBe("payment.not_payable");
  });
});

describe("an order", () => {
  const lead = (person: Person, orderId: number, more: object = {}) =>
    post(person, "/paystack/init", { orderId, amount: 0.01, ...more });

  test("is paid on Paystack's page with its own amount, and the wallet stays unchanged", async () => {
    const before = await world.balanceOf(ama);
    const orderId = await order(ama);
    const { status, body } = await lead(ama, orderId);
    expect([status, body.amount]).toEqual([200, 3.9]);
    expect(known(body.reference)).toMatchObject({ amount: 390, callbackUrl: "http://localhost/checkout" });
    expect((await lead(ama, orderId)).body).toEqual(body);
    const mismatched = await verify(ama, body.reference, { orderId: orderId + 1 });
    expect([mismatched.status, mismatched.body.code]).toEqual([404, "payment.not_found"]);
    await paystack.pay(body.reference);
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(ama, body.reference, { orderId })));
    for (const reply of replies) expect(reply.body).toMatchObject({ status: "paid", orderId });
    expect((await get(ama, `/orders/${orderId}`)).body).toMatchObject({
      status: "PAID",
      paid: true,
      paymentMethod: "paystack",
    });
    expect(await world.balanceOf(ama)).toBe(before);
    expect((await lead(ama, orderId)).body.code).toBe("order.already_paid");
    expect((await post(ama, "/paystack/charge", { orderId, network: "mtn", phone: "0551234567" })).body.code).toBe(
      "order.already_paid",
    );
  });

  test("is paid by mobile money in the same way", async () => {
    const orderId = await order(ama);
    const { body } = await post(ama, "/paystack/charge", { orderId, network: "mtn", phone: "0551234503" });
    expect(body).toMatchObject({ status: "paid", orderId, amount: 3.9 });
    expect((await get(ama, `/orders/${orderId}`)).body.paymentMethod).toBe("paystack");
  });

  test("of somebody else cannot be paid, nor one that has ended", async () => {
    const orderId = await order(kofi);
    expect((await lead(ama, orderId)).body.code).toBe("order.not_found");
    await post(kofi, `/orders/${orderId}/cancel`);
    expect((await lead(kofi, orderId)).body.code).toBe("order.not_payable");
    for (const body of [{}, { orderId, transactionId: 1 }])
      expect((await post(kofi, "/paystack/init", body)).status).toBe(422);
  });

  test("that was cancelled during its payment leaves the money in the wallet", async () => {
    const before = await world.balanceOf(kofi);
    const orderId = await order(kofi);
    const { body } = await lead(kofi, orderId);
    await post(kofi, `/orders/${orderId}/cancel`);
    await paystack.pay(body.reference);
    expect((await verify(kofi, body.reference)).body).toMatchObject({ status: "paid", orderId });
    expect(await world.balanceOf(kofi)).toBe(before + 390);
    const { timeline, status } = (await get(kofi, `/orders/${orderId}`)).body;
    expect(status).toBe("FAILED");
    expect(timeline.at(-1).note).toContain("The money is in the wallet");
  });

  test("that was paid from the wallet in the meantime is not paid twice", async () => {
    const before = await world.balanceOf(kofi);
    const orderId = await order(kofi);
    const { body } = await lead(kofi, orderId);
    const { reference } = await paidTopUp(kofi, 5);
    await verify(kofi, reference);
    expect((await post(kofi, "/wallet/spend", { orderId })).status).toBe(200);
    await paystack.pay(body.reference);
    expect((await verify(kofi, body.reference)).body.status).toBe("paid");
    expect(await world.balanceOf(kofi)).toBe(before + 500);
  });
});
