// Tests of the simulated vendors against their documentation, each as strict as the original.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { startVendors } from "../../dev/simulators/vendors/vendors.ts";
import { ACCOUNT, AFRICASTALKING_KEY } from "../../dev/simulators/vendors/vendors-africastalking.ts";
import { DATAMART_KEY } from "../../dev/simulators/vendors/vendors-datamart.ts";
import { HUBNET_KEY } from "../../dev/simulators/vendors/vendors-hubnet.ts";

const vendors = await startVendors();
afterAll(() => vendors.stop());
beforeEach(() => vendors.reset());

type Answer = { status: number; body: Record<string, unknown> };
type Asking = { body?: object; headers?: Record<string, string> };

async function ask(path: string, { body, headers }: Asking = {}): Promise<Answer> {
  const response = await fetch(vendors.url + path, {
    method: body ? "POST" : "GET",
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, body: isJson ? JSON.parse(text) : { text } };
}

describe("DataMart", () => {
  const datamart = (path: string, body?: object, headers: Record<string, string> = {}) =>
    ask(`/datamart/api/developer${path}`, {
      headers: { "x-api-key": DATAMART_KEY, ...headers },
      ...(body && { body }),
    });
  const order = (more: object = {}) => ({
    phoneNumber: "0541234567",
    network: "YELLO",
    capacity: "5",
    gateway: "wallet",
    ...more,
  });
  const batch = (orders: object[], key = "batch-1") =>
    datamart("/bulk-purchase", { orders }, { "x-idempotency-key": key });

  test("needs its key", async () => {
    expect(await ask("/datamart/api/developer/balance")).toEqual({
      status: 401,
      body: { status: "error", message: "Invalid API key" },
    });
  });

  test("answers a purchase with 201 and its own ids, and finds it by each", async () => {
    const { status, body } = await datamart("/purchase", order({ ref: "MY-001" }));
    const { orderReference } = body.data as { orderReference: string };
    expect([status, body]).toMatchObject([
      201,
      {
        status: "success",
        data: {
          orderReference: expect.stringMatching(/^MN-[0-9A-F]{8}$/),
          transactionReference: expect.stringMatching(/^TRX-/),
          price: 19,
          balanceBefore: 25_000,
          balanceAfter: 24_981,
          orderStatus: "pending",
        },
      },
    ]);
    for (const reference of [orderReference, "MY-001"])
      expect((await datamart(`/order-status/${reference}`)).body.data).toMatchObject({
        orderStatus: "pending",
      });
    expect((await datamart("/order-status/NOBODY")).status).toBe(404);
  });

  test.each([
    ["a number with its country", { phoneNumber: "233541234567" }, "Invalid phone number"],
    ["a number with spaces", { phoneNumber: "054 123 4567" }, "Invalid phone number"],
    ["a network by its name", { network: "MTN" }, "Invalid network"],
    ["a size as a number", { capacity: 5 }, "Invalid capacity for this network"],
    ["a size in MB", { capacity: "5000" }, "Invalid capacity for this network"],
    ["half a GB", { capacity: "0.5" }, "Invalid capacity for this network"],
    ["no gateway", { gateway: undefined }, "Invalid gateway"],
  ])("refuses %s", async (_, more, message) => {
    expect(await datamart("/purchase", order(more))).toEqual({
      status: 400,
      body: { status: "error", message },
    });
  });

  test("repeats the first answer for the same key for a day, and knows a reference for ever", async () => {
    const key = { "x-idempotency-key": "key-1" };
    const first = await datamart("/purchase", order({ ref: "MY-001" }), key);
    expect(await datamart("/purchase", order({ ref: "MY-001" }), key)).toEqual(first);
    await vendors.advance(24 * 3600);
    expect((await datamart("/purchase", order({ ref: "MY-001" }), key)).body).toMatchObject({
      status: "error",
      code: "DUPLICATE_REFERENCE",
    });
    expect(vendors.orders()).toHaveLength(1);
  });

  test("reports how much is missing in the wallet", async () => {
    vendors.switch({ floats: { datamart: 1000 } });
    expect((await datamart("/purchase", order())).body).toEqual({
      status: "error",
      message: "Insufficient wallet balance",
      details: { currentBalance: 10, requiredAmount: 19 },
    });
    expect((await batch([order(), order({ phoneNumber: "0541234568" })])).body).toMatchObject({
      data: { totalCost: 38, walletBalance: 10, validOrders: 2, shortfall: 28 },
    });
    expect(vendors.orders()).toEqual([]);
  });

  test("accepts up to fifty in a batch, whose references become the orders' own", async () => {
    const orders = Array.from({ length: 51 }, (_, n) => order({ phoneNumber: `05412340${10 + n}`, ref: `MY-${n}` }));
    expect((await batch(orders)).body).toMatchObject({ message: "Maximum 50 orders per request" });
    const { body } = await batch([...orders.slice(20, 22), order({ network: "GLO", ref: "MY-X" })]);
    expect(body.data).toMatchObject({
      summary: { total: 3, successful: 2, failed: 0, invalid: 1 },
      results: [
        { index: 1, ref: "MY-20", orderReference: "MY-20", status: "queued", price: 19 },
        { index: 2, ref: "MY-21", orderReference: "MY-21" },
      ],
      validationErrors: [{ index: 3, ref: "MY-X", error: "Invalid network" }],
    });
  });

  test("counts calls: 150 purchases, 120 balances and 10 checks a minute", async () => {
    for (const [allowed, call] of [
      [150, () => datamart("/purchase", {})],
      [120, () => datamart("/balance")],
      [10, () => datamart("/verify-number", { phoneNumber: "0541234567" })],
    ] as const) {
      for (let n = 0; n < allowed; n++) expect((await call()).status).not.toBe(429);
      expect(await call()).toEqual({
        status: 429,
        body: { status: "error", code: "RATE_LIMIT_EXCEEDED", message: "Too many requests", retryAfter: 60 },
      });
    }
    await vendors.advance(60);
    expect((await datamart("/balance")).status).toBe(200);
  });

  test("checks which numbers can be served, and lists changing prices", async () => {
    const check = async (phoneNumber: string) => (await datamart("/verify-number", { phoneNumber })).body.data;
    expect(await check("0541234567")).toEqual({ servable: true, recommendation: "sell_any" });
    expect(await check("0541230011")).toEqual({ servable: true, recommendation: "activate_first" });
    expect(await check("0541230012")).toEqual({ servable: false });
    const price = async () => {
      const { body } = await datamart("/data-packages?network=YELLO");
      return (body.data as { YELLO: { price: number }[] }).YELLO[3]!.price;
    };
    expect(await price()).toBe(19);
    vendors.switch({ priceDrift: 6, down: ["MTN"] });
    expect(await price()).toBe(20.14);
    expect(await datamart("/verify-number", { phoneNumber: "0541234567" })).toMatchObject({
      status: 503,
      body: { code: "VERIFY_UNAVAILABLE" },
    });
  });
});

describe("Hubnet", () => {
  const path = (network: string) => `/hubnet/live/api/context/business/transaction/${network}-new-transaction`;
  const buy = (more: object = {}, network = "mtn") =>
    ask(path(network), {
      headers: { token: `Bearer ${HUBNET_KEY}` },
      body: { phone: "0541234567", volume: "1000", reference: "REF-0001", ...more },
    });

  test("needs its token, in a header of that name", async () => {
    const headers = { authorization: `Bearer ${HUBNET_KEY}` };
    expect((await ask(path("mtn"), { headers, body: {} })).status).toBe(401);
  });

  test("answers with swapped top-level fields", async () => {
    expect(await buy()).toMatchObject({
      status: 200,
      body: {
        status: true,
        code: "transaction initiated successfully.",
        message: "0000",
        reference: "REF-0001",
        data: { status: true, code: "0000", message: "Order successfully placed." },
      },
    });
    expect(await buy({ reference: "REF-0002" }, "telecel")).toMatchObject({
      status: 200,
      body: { message: "1001" },
    });
    expect(await buy({ reference: "REF-0003", volume: "1024" })).toMatchObject({
      body: { data: { code: "1002" } },
    });
    expect(await buy({ reference: "REF-0004", volume: 1000 })).toMatchObject({
      body: { data: { code: "1002" } },
    });
  });

  test.each([
    ["a short reference", { reference: "REF-1" }],
    ["a long reference", { reference: "R".repeat(26) }],
    ["no reference", { reference: undefined }],
    ["a number with its country", { phone: "233541234567" }],
    ["a webhook that is no address", { webhook: "shop" }],
  ])("refuses %s", async (_, more) => {
    expect((await buy(more)).status).toBe(400);
    expect(vendors.orders()).toEqual([]);
  });

  test("accepts a reference once, and five calls a minute", async () => {
    await buy();
    expect(await buy()).toMatchObject({ status: 400, body: { message: "Reference already exists" } });
    for (let n = 0; n < 3; n++) await buy({ reference: `REF-100${n}` });
    expect((await buy({ reference: "REF-2000" })).status).toBe(429);
  });

  test("writes the balance as text, with commas", async () => {
    vendors.switch({ floats: { hubnet: 120_746 } });
    const headers = { token: `Bearer ${HUBNET_KEY}` };
    const { body } = await ask("/hubnet/live/api/context/business/transaction/check_balance", { headers });
    expect(body).toEqual({ status: true, balance: "1,207.46", currency: "GHS" });
  });
});

describe("Africa's Talking", () => {
  const request = (recipients: object[], more: object = {}, key?: string) =>
    ask("/africastalking/mobile/data/request", {
      headers: { apikey: AFRICASTALKING_KEY, ...(key && { "idempotency-key": key }) },
      body: { username: ACCOUNT.username, productName: ACCOUNT.product, recipients, ...more },
    });
  const recipient = (more: object = {}) => ({
    phoneNumber: "+233541234567",
    quantity: 1,
    unit: "GB",
    validity: "Month",
    metadata: { orderId: "7K2P" },
    ...more,
  });

  test("needs its key and its user, with a refusal in plain text", async () => {
    const refusal = { status: 401, body: { text: "The supplied authentication is invalid" } };
    expect(await ask("/africastalking/query/wallet/balance?username=sandbox")).toEqual(refusal);
    expect(await request([recipient()], { username: "somebody" })).toEqual(refusal);
  });

  test("answers 201 with a result for each number", async () => {
    const { status, body } = await request([
      recipient(),
      recipient({ phoneNumber: "0541234567" }),
      recipient({ phoneNumber: "+15202341234" }),
      recipient({ phoneNumber: "+233541234568", validity: "BiWeekly" }),
      recipient({ phoneNumber: "+233541234569", quantity: "1" }),
    ]);
    expect(status).toBe(201);
    expect((body.entries as { status: string }[]).map((entry) => entry.status)).toEqual([
      "Queued",
      "InvalidPhoneNumber",
      "NotSupported",
      "Failed",
      "Failed",
    ]);
    expect(body.entries).toMatchObject([
      { phoneNumber: "+233541234567", transactionId: expect.stringMatching(/^ATPid_/), value: "GHS 3.8000" },
      {},
      { errorMessage: "Destination not supported" },
      {},
      {},
    ]);
  });

  test("processes the same key once, and returns metadata", async () => {
    const first = await request([recipient()], {}, "key-1");
    expect(await request([recipient()], {}, "key-1")).toEqual(first);
    expect(vendors.orders()).toHaveLength(1);
    const [{ transactionId }] = first.body.entries as [{ transactionId: string }];
    const { body } = await ask(
      `/africastalking/query/transaction/find?username=sandbox&transactionId=${transactionId}`,
      { headers: { apikey: AFRICASTALKING_KEY } },
    );
    expect(body).toMatchObject({
      status: "Success",
      data: { transactionId, status: "Queued", metadata: { orderId: "7K2P" } },
    });
  });

  test("knows its products only", async () => {
    expect((await request([recipient()], { productName: "Airtime" })).status).toBe(400);
  });
});
