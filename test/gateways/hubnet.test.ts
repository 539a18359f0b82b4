// Tests of the Hubnet adapter over real HTTP. Hubnet has no status check, so everything but a clear yes or no stays
// unclear.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { NotTaken, Placed } from "../../src/core/fulfilment/vendor.ts";
import { createHubnet } from "../../src/gateways/vendors/hubnet.ts";
import { longTest } from "../support/long.ts";
import { answering, dispatchTo, eventsOf, IMPATIENT_MS, openVendors, placeOne } from "./vendor-world.ts";

const { simulator, shop, stop } = await openVendors();
const settings = simulator.settings.hubnet;
const hubnet = createHubnet(settings);
const impatient = createHubnet({ ...settings, timeoutMs: IMPATIENT_MS });
afterAll(stop);
beforeEach(() => {
  simulator.reset();
  shop.heard.length = 0;
});

const taken: Placed = {
  kind: "taken",
  state: "accepted",
  vendorReference: expect.stringMatching(/^TXN-/),
  costPesewas: null,
  message: "Order successfully placed.",
};
const notTaken = (reason: NotTaken, message: string, retryAfterSeconds: number | null = null): Placed => ({
  kind: "not_taken",
  reason,
  retryAfterSeconds,
  message,
});

describe("an accepted dispatch", () => {
  test.each([
    ["MTN", "mtn"],
    ["AT_ISHARE", "at"],
    ["AT_BIGTIME", "big-time"],
  ] as const)("of %s is sent in Hubnet's format, and arrives once", async (line, network) => {
    const dispatch = dispatchTo("4567", { line, webhookUrl: shop.url });
    expect(await placeOne(hubnet, dispatch)).toEqual(taken);
    expect(simulator.requests()).toMatchObject([
      {
        path: `/hubnet/live/api/context/business/transaction/${network}-new-transaction`,
        authorization: "Bearer [hidden]",
        body: { phone: "0541234567", volume: "5000", reference: dispatch.reference, webhook: shop.url },
      },
    ]);
    await simulator.advance(40);
    expect(simulator.deliveries()).toEqual([
      { vendor: "hubnet", number: "0541234567", reference: dispatch.reference, volumeMb: 5000, count: 1 },
    ]);
  });

  test("needs no webhook", async () => {
    expect(await placeOne(hubnet, dispatchTo("4567"))).toEqual(taken);
    expect(simulator.requests()[0]!.body).not.toHaveProperty("webhook");
  });
});

describe("an unclear result", () => {
  longTest.each([
    ["a call that is accepted and never answered", "0005", 1],
    ["a call that is not accepted and never answered", "0006", 0],
  ])("is %s", async (_, ending, orders) => {
    const dispatch = dispatchTo(ending);
    expect(await placeOne(impatient, dispatch)).toEqual({
      kind: "unclear",
      message: "did not answer in time",
    });
    expect(simulator.orders()).toHaveLength(orders);
    expect(await hubnet.checkStatus({ reference: dispatch.reference, vendorReference: null })).toEqual({
      kind: "unclear",
      message: "Hubnet has no status check",
    });
  });

  test("is HTML or an empty body", async () => {
    expect(await placeOne(hubnet, dispatchTo("0008"))).toEqual({
      kind: "unclear",
      message: "502 Bad Gateway",
    });
    expect(await placeOne(hubnet, dispatchTo("0008"))).toEqual({
      kind: "unclear",
      message: "answered 200 without a message",
    });
  });

  test.each([
    [
      "true outside, an unknown code inside",
      { status: true, code: "ok", message: "0000", data: { status: true, code: "0042", message: "Hm" } },
    ],
    [
      "0000 inside, but not true",
      { status: true, message: "0000", data: { status: false, code: "0000", message: "Hm" } },
    ],
    [
      "0000 of somebody else's order",
      { status: true, reference: "OTHER-1", data: { status: true, code: "0000", message: "Hm" } },
    ],
    ["true and nothing else", { status: true, reason: "Hm" }],
    ["a refusal's text beside a yes", { status: true, reason: "Hm", data: { code: "2000" }, code: "out of stock" }],
  ])("%s", async (_, body) => {
    const placed = await answering({ body }, (baseUrl) =>
      placeOne(createHubnet({ ...settings, baseUrl }), dispatchTo("4567")),
    );
    expect(placed).toEqual({ kind: "unclear", message: "Hm" });
  });
});

describe("a dispatch that was not accepted", () => {
  test("can have true outside and a bad code inside: the code inside counts", async () => {
    expect(await placeOne(hubnet, dispatchTo("0007"))).toEqual(notTaken("not_servable", "Invalid volume"));
    expect(simulator.orders()).toEqual([]);
  });

  test("can have an unknown size or network", async () => {
    expect(await placeOne(hubnet, dispatchTo("4567", { volumeMb: 1500 }))).toEqual(
      notTaken("not_servable", "Invalid volume"),
    );
    expect(await placeOne(hubnet, dispatchTo("4567", { line: "TELECEL" }))).toEqual(
      notTaken("not_servable", "Invalid network"),
    );
  });

  test.each([
    ["0009", notTaken("number_cooling", "This number was sent an order a moment ago, wait 300 seconds", 300)],
    ["0010", notTaken("out_of_stock", "MTN 5GB is out of stock")],
    ["0012", notTaken("not_servable", "Invalid Number")],
  ])("can be for a number ending in %s", async (ending, placed) => {
    expect(await placeOne(hubnet, dispatchTo(ending))).toEqual(placed);
  });

  test("can have an empty float, with 402", async () => {
    simulator.switch({ floatEmpty: true });
    expect(await placeOne(hubnet, dispatchTo("4567"))).toEqual(notTaken("float_empty", "Insufficient balance"));
  });

  test("can be of a family out of service, while the operator's other one is served", async () => {
    simulator.switch({ down: ["AT_ISHARE"] });
    expect(await placeOne(hubnet, dispatchTo("4567", { line: "AT_ISHARE" }))).toEqual(
      notTaken("network_down", "AT iShare is currently unavailable. We are working on it"),
    );
    expect(await placeOne(hubnet, dispatchTo("4567", { line: "AT_BIGTIME" }))).toEqual(taken);
  });

  test("can be the sixth call in a minute, without a time to wait", async () => {
    for (const ending of ["4561", "4562", "4563", "4564", "4565"])
      expect(await placeOne(hubnet, dispatchTo(ending))).toEqual(taken);
    expect(await placeOne(hubnet, dispatchTo("4566"))).toEqual(notTaken("rate_limited", "Too many requests"));
    await simulator.advance(60);
    expect(await placeOne(hubnet, dispatchTo("4566"))).toEqual(taken);
  });

  test("can have an invalid key, or an unreachable server", async () => {
    const stranger = createHubnet({ ...settings, apiKey: "hn_test_wrong" });
    expect(await placeOne(stranger, dispatchTo("4567"))).toEqual(notTaken("key_refused", "Invalid token"));
    const away = createHubnet({ ...settings, baseUrl: "http://127.0.0.1:1" });
    expect(await placeOne(away, dispatchTo("4567"))).toEqual(
      notTaken("network_down", "cannot be reached (ECONNREFUSED)"),
    );
  });
});

test("a used reference is known, and delivers nothing again", async () => {
  const dispatch = dispatchTo("0005");
  await placeOne(impatient, dispatch);
  expect(await placeOne(hubnet, dispatch)).toEqual({
    kind: "known_reference",
    message: "Reference already exists",
  });
  await simulator.advance(60);
  expect(simulator.deliveries()).toMatchObject([{ reference: dispatch.reference, count: 1 }]);
});

test("the adapter lists the products, and reads the balance from text", async () => {
  expect([hubnet.can.batchMax, hubnet.can.callsPerMinute, hubnet.can.canCheckStatus]).toEqual([1, 5, false]);
  const sells = (["MTN", "AT_ISHARE", "AT_BIGTIME", "TELECEL"] as const).map((line) => hubnet.serves(line, 1000));
  expect(sells).toEqual([true, true, true, false]);
  simulator.switch({ floats: { hubnet: 120_746 } });
  expect(await hubnet.balance()).toEqual({ kind: "found", balancePesewas: 120_746 });
  const wrong = { body: { status: true, balance: "1.207,46" } };
  const balance = await answering(wrong, (baseUrl) => createHubnet({ ...settings, baseUrl }).balance());
  expect(balance).toMatchObject({ kind: "unclear" });
});

describe("its webhooks", () => {
  test("go to the order's address, and count only if it has the token", async () => {
    const dispatch = dispatchTo("0004", { webhookUrl: shop.url });
    await placeOne(hubnet, dispatch);
    await simulator.advance(4 * 3600);
    expect(shop.read(hubnet, false)).toEqual(["unsigned", "unsigned", "unsigned"]);
    const events = eventsOf(shop.read(hubnet, true));
    expect(events.map(({ state }) => state)).toEqual(["processing", "delivered", "refunded"]);
    expect(events[1]).toEqual({
      dedupeKey: `delivered ${dispatch.reference}`,
      reference: dispatch.reference,
      vendorReference: expect.stringMatching(/^TXN-/),
      state: "delivered",
      message: "Delivered",
    });
  });

  test.each([
    ["0003", ["processing", "failed", "refunded"]],
    ["0011", ["held", "processing", "delivered"]],
    ["0014", ["delivered", "processing"]],
    ["0015", []],
  ])("report each step for a number ending in %s", async (ending, states) => {
    await placeOne(hubnet, dispatchTo(ending, { webhookUrl: shop.url }));
    await simulator.advance(80 * 3600);
    expect(eventsOf(shop.read(hubnet, true)).map(({ state }) => state as string)).toEqual(states);
  });

  test("without a valid meaning are unreadable, and a payment is no delivery", () => {
    const read = (body: unknown) =>
      hubnet.readWebhook({ raw: Buffer.from(JSON.stringify(body)), headers: new Headers(), hasToken: true });
    for (const body of [
      null,
      {},
      { reference: "A" },
      { reference: "A", status: true },
      { event: "transfer.delivered" },
    ])
      expect(read(body)).toBe("unreadable");
    expect(read({ reference: "A", event: "transfer.success" })).toMatchObject([{ state: "accepted" }]);
    expect(read({ reference: "A", event: "transfer.delivered" })).toMatchObject([{ state: "delivered" }]);
  });
});
