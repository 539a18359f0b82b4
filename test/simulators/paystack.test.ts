// Tests of the Paystack simulator against Paystack's documentation and recordings of its test API.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { createClient, until } from "../../dev/simulators/paystack/paystack-asking.ts";

// An hour between webhooks takes 20 ms, and the networks' 180 s take 1 ms.
const paystack = await startPaystack({ speed: 180_000 });
const { get, post, initialize, charge, verify, paid } = createClient(paystack);
afterAll(() => paystack.stop());
beforeEach(() => {
  paystack.reset();
});

describe("every call", () => {
  test("needs the secret key", async () => {
    const wrong = await fetch(`${paystack.url}/transaction`, {
      headers: { authorization: "Bearer sk_test_x" },
    });
    expect(wrong.status).toBe(401);
    expect(await wrong.json()).toMatchObject({
      status: false,
      message: "Invalid key",
      type: "validation_error",
      code: "invalid_Key",
    });
    const none = await fetch(`${paystack.url}/transaction/verify/tp-1`);
    expect([none.status, (await none.json()) as unknown]).toEqual([
      401,
      { status: false, message: "No Authorization Header was found" },
    ]);
  });

  test("is kept for inspection without its secrets", async () => {
    await charge({ reference: "mm-1", phone: "0551234905" });
    await post("/charge/submit_otp", { reference: "mm-1", otp: "123456" });
    const log = paystack.requests();
    expect(log.map((line) => [line.route, line.status])).toEqual([
      ["POST /charge", 200],
      ["POST /charge/submit_otp", 200],
    ]);
    expect(log[1]).toMatchObject({ authorization: "Bearer [hidden]", body: { otp: "[hidden]" } });
    expect(JSON.stringify(log)).not.toContain(paystack.secretKey);
  });
});

describe("initialize", () => {
  test("answers with the payment page, and verify says abandoned until the payment", async () => {
    const { status, body } = await initialize({ reference: "tp-1" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: true,
      message: "Authorization URL created",
      data: { authorization_url: expect.stringContaining(`${paystack.url}/checkout/`), reference: "tp-1" },
    });
    expect((await verify("tp-1")).body.data).toMatchObject({
      status: "abandoned",
      domain: "test",
      amount: 2000,
      requested_amount: 2000,
      currency: "GHS",
      paid_at: null,
      paidAt: null,
      authorization: {},
      fees: null,
    });
  });

  test.each([
    ["an invalid e-mail address", { email: "ama" }, "invalid_email_address"],
    ["no e-mail address", { email: undefined }, "invalid_email_address"],
    ["half a pesewa", { amount: 20.5 }, "invalid_amount"],
    ["cedis as text", { amount: "20.00" }, "invalid_amount"],
    ["nothing", { amount: 0 }, "invalid_amount"],
    ["another currency", { currency: "USD" }, "unsupported_currency"],
    ["an underscore in the reference", { reference: "tp_1" }, "invalid_reference"],
    ["a relative callback", { callback_url: "/pay/return" }, "invalid_callback_url"],
    ["an unknown channel", { channels: ["cash"] }, "invalid_channels"],
  ])("refuses %s", async (_, fields, code) => {
    const { status, body } = await initialize(fields);
    expect([status, body.status, body.code]).toEqual([400, false, code]);
    expect(paystack.transactions()).toEqual([]);
  });

  test("refuses every reuse of a reference, paid or not, and by either call", async () => {
    await initialize({ reference: "tp-1" });
    await paystack.pay("tp-1");
    const again = await initialize({ reference: "tp-1", amount: 300 });
    expect([again.status, again.body]).toMatchObject([
      400,
      {
        status: false,
        message: "Duplicate Transaction Reference",
        type: "validation_error",
        code: "duplicate_reference",
      },
    ]);
    expect((await charge({ reference: "tp-1" })).body.code).toBe("duplicate_reference");
  });

  test("opens one transaction for many calls at once with one reference", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => initialize({ reference: "tp-1" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
  });

  test("returns numbers in metadata as text, unless they were sent as a JSON text", async () => {
    await initialize({ reference: "tp-1", metadata: { order: 42, deep: { n: [1] } } });
    await initialize({ reference: "tp-2", metadata: JSON.stringify({ order: 42 }) });
    await initialize({ reference: "tp-3" });
    const metadata = async (reference: string) => (await verify(reference)).body.data.metadata;
    expect(await metadata("tp-1")).toEqual({ order: "42", deep: { n: ["1"] } });
    expect(await metadata("tp-2")).toEqual({ order: 42 });
    expect(await metadata("tp-3")).toBe("");
  });
});

describe("verify", () => {
  test("shows a payment as the documented sample does", async () => {
    await initialize({ reference: "tp-1" });
    await paystack.pay("tp-1", "card");
    const { body } = await verify("tp-1");
    expect(body).toMatchObject({ status: true, message: "Verification successful" });
    expect(body.data).toMatchObject({
      status: "success",
      channel: "card",
      gateway_response: "Successful",
      fees: 39,
      customer: { email: "u1@pay.example.gh", customer_code: expect.stringMatching(/^CUS_/) },
      authorization: { channel: "card", reusable: true },
    });
    expect(body.data.paid_at).toBe(body.data.paidAt);
  });

  test("reports an unknown reference", async () => {
    const { status, body } = await verify("tp-none");
    expect([status, body.status, body.code]).toEqual([400, false, "transaction_not_found"]);
    expect(body.message).toBe("Transaction reference not found.");
  });

  test("answers as it is steered, also for a reference that is created later", async () => {
    paystack.steer("tp-1", { amount: 1, requestedAmount: 2000, currency: "NGN", domain: "live" });
    paystack.steer("tp-1", { status: "sleeping", id: 9_007_199_254_740_993n });
    await initialize({ reference: "tp-1" });
    const { body, text } = await verify("tp-1");
    expect(body.data).toMatchObject({
      amount: 1,
      requested_amount: 2000,
      currency: "NGN",
      domain: "live",
      status: "sleeping",
    });
    // As a JavaScript number the id would become 9007199254740992.
    expect(text).toContain('"id":9007199254740993,');
  });

  test("still accepts the money of a payment that failed", async () => {
    await initialize({ reference: "tp-1" });
    paystack.fail("tp-1");
    expect((await verify("tp-1")).body.data.status).toBe("failed");
    await paystack.pay("tp-1");
    expect((await verify("tp-1")).body.data.status).toBe("success");
    expect(paystack.successes()).toEqual(new Map([["tp-1", 2000]]));
  });
});

describe("mobile money", () => {
  test("asks for approval on the phone, and is paid when the payer has approved", async () => {
    const { status, body } = await charge({ reference: "mm-1", phone: "+233 55 123 4900", provider: "MTN" });
    expect<unknown>([status, body.message, body.data]).toEqual([
      200,
      "Charge attempted",
      {
        reference: "mm-1",
        status: "pay_offline",
        display_text: "Please complete authorization process on your mobile phone",
      },
    ]);
    await until(async () => (await verify("mm-1")).body.data.status === "success");
    expect((await verify("mm-1")).body.data).toMatchObject({
      channel: "mobile_money",
      gateway_response: "Approved",
      message: "madePayment",
      authorization: { bank: "MTN Mobile Money", reusable: false },
    });
    const pending = (await get("/charge/mm-1")).body;
    expect([pending.message, pending.data.status]).toEqual(["Reference check successful", "success"]);
  });

  test.each([
    ["01", "pay_offline", "failed"],
    ["02", "pay_offline", "failed"],
    ["03", "success", "success"],
    ["87", "pay_offline", "success"],
  ])("of a number ending in %s answers %s and ends %s", async (ending, first, last) => {
    const { body } = await charge({ reference: "mm-1", phone: `05512349${ending}`, provider: "atl" });
    expect(body.data.status).toBe(first);
    await until(async () => (await verify("mm-1")).body.data.status === last);
    expect((await verify("mm-1")).body.data.message).not.toBeNull();
  });

  test("for a number ending in 04 stays pending until it is decided", async () => {
    const { body } = await charge({ reference: "mm-1", phone: "0551234904" });
    expect<unknown>(body.data).toEqual({ reference: "mm-1", status: "pending" });
    expect((await verify("mm-1")).body.data.status).toBe("pending");
    await paystack.approve("mm-1");
    expect((await verify("mm-1")).body.data.status).toBe("success");
  });

  test("for a number that is too short is a call that succeeds and a payment that fails", async () => {
    const { status, body } = await charge({ phone: "0551234" });
    expect([status, body.status, body.data.status]).toEqual([200, true, "failed"]);
    expect(paystack.successes().size).toBe(0);
  });

  test("with a one-time code is paid by the right one, and ended by a wrong one", async () => {
    const { body } = await charge({ reference: "mm-1", phone: "0551234905" });
    expect(body.data).toMatchObject({ status: "send_otp", display_text: expect.stringContaining("*110#") });
    const right = await post("/charge/submit_otp", { reference: "mm-1", otp: "123456" });
    expect([right.status, right.body.data.status]).toEqual([200, "success"]);

    await charge({ reference: "mm-2", phone: "0551234905" });
    for (const otp of ["000000", "123456"]) {
      const dead = await post("/charge/submit_otp", { reference: "mm-2", otp });
      expect([dead.status, dead.body.status, dead.body.data.status]).toEqual([400, false, "failed"]);
    }
    const unknown = await post("/charge/submit_otp", { reference: "mm-3", otp: "123456" });
    expect([unknown.status, unknown.body.message]).toEqual([400, "Transaction reference is invalid"]);
  });

  test("requires a voucher of Telecel's payers when switched on, and uses the given clock", async () => {
    let now = new Date("2026-11-20T10:00:00Z");
    const other = await startPaystack({ otpForTelecel: true, clock: () => now });
    try {
      const asking = createClient(other);
      const phone = "0201234902";
      const voucher = await asking.charge({ provider: "vod", reference: "mm-1", phone });
      expect(voucher.body.data.status).toBe("send_otp");
      const prompt = await asking.charge({ provider: "mtn", reference: "mm-2", phone });
      expect(prompt.body.data.status).toBe("pay_offline");
      now = new Date("2026-11-20T10:02:59Z");
      expect((await asking.verify("mm-2")).body.data.status).toBe("ongoing");
      now = new Date("2026-11-20T10:03:00Z");
      expect((await asking.verify("mm-2")).body.data.status).toBe("failed");
    } finally {
      await other.stop();
    }
  });

  test("refuses an unknown network, and lists the known ones", async () => {
    expect((await charge({ provider: "tgo" })).status).toBe(400);
    const { rows } = await get("/bank?currency=GHS&type=mobile_money");
    expect(rows.map((bank) => bank.code)).toEqual(["ATL", "MTN", "VOD"]);
  });
});

describe("the list", () => {
  test("comes in pages, newest first, with the documented meta", async () => {
    for (let n = 1; n <= 5; n++) await initialize({ reference: `tp-${n}`, amount: n * 100 });
    const { body, rows } = await get("/transaction?perPage=2&page=2");
    expect(rows.map((row) => row.reference)).toEqual(["tp-3", "tp-2"]);
    expect(body.meta).toEqual({
      total: 5,
      total_volume: 1500,
      skipped: 2,
      perPage: 2,
      page: 2,
      pageCount: 3,
    });
  });

  test("filters by status and time", async () => {
    await paid("tp-1");
    await initialize({ reference: "tp-2" });
    const references = async (query: string) => (await get(`/transaction?${query}`)).rows.map((row) => row.reference);
    const hour = 60 * 60 * 1000;
    const at = (ms: number) => encodeURIComponent(new Date(Date.now() + ms).toISOString());
    expect(await references("status=success")).toEqual(["tp-1"]);
    expect(await references(`from=${at(-hour)}&to=${at(hour)}`)).toEqual(["tp-2", "tp-1"]);
    expect(await references(`from=${at(hour)}`)).toEqual([]);
    expect(await references("customer=CUS_whoever")).toEqual([]);
  });
});

describe("a refund", () => {
  test("is refused below one cedi, above the paid amount, in another currency and without a payment", async () => {
    await initialize({ reference: "tp-2" });
    await paid("tp-1");
    const message = async (fields: object) => (await post("/refund", { transaction: "tp-1", ...fields })).body.message;
    expect(await message({ amount: 99 })).toContain("minimum amount");
    expect(await message({ amount: 2001 })).toBe("Total refund amount cannot exceed original transaction amount");
    expect(await message({ currency: "USD" })).toBe("Transaction currency must match refund currency");
    expect(await message({ transaction: "tp-2" })).toBe("Transaction has not been paid");
    expect(paystack.refunds()).toEqual([]);
  });

  test("of a part makes a later refund without an amount exceed the payment", async () => {
    await paid("tp-1");
    const part = await post("/refund", { transaction: "tp-1", amount: 500, currency: "GHS" });
    expect(part.body).toMatchObject({
      status: true,
      message: "Refund has been queued for processing",
      data: { status: "pending", amount: 500, currency: "GHS", transaction: { reference: "tp-1" } },
    });
    expect((await verify("tp-1")).body.data.status).toBe("reversal-pending");
    expect((await post("/refund", { transaction: "tp-1" })).status).toBe(400);
    const { id } = (await verify("tp-1")).body.data;
    expect((await get(`/refund?transaction=${id}`)).rows).toMatchObject([{ amount: 500, transaction: id }]);
    expect((await get("/refund?transaction=tp-1")).rows).toEqual([]);
    expect((await get(`/refund/${part.body.data.id}`)).body.data.status).toBe("pending");
    expect((await get("/refund/1")).status).toBe(404);
  });
});
