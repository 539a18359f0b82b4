// Tests of the adapter for Africa's Talking mobile data over real HTTP: 201 proves nothing, each number has its own
// result.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { NotTaken, Placed } from "../../src/core/fulfilment/vendor.ts";
import { createAfricasTalkingData } from "../../src/gateways/vendors/africastalking-data.ts";
import { answering, dispatchTo, eventsOf, IMPATIENT_MS, openVendors, placeOne } from "./vendor-world.ts";

const { simulator, shop, stop } = await openVendors();
const settings = simulator.settings.africastalking;
const vendor = createAfricasTalkingData(settings);
const impatient = createAfricasTalkingData({ ...settings, timeoutMs: IMPATIENT_MS });
afterAll(stop);
beforeEach(() => {
  simulator.reset();
  simulator.switch({ webhookUrls: { africastalking: shop.url } });
  shop.heard.length = 0;
});

const taken: Placed = {
  kind: "taken",
  state: "accepted",
  vendorReference: expect.stringMatching(/^ATPid_/),
  costPesewas: 1900,
  message: "Queued",
};
const notTaken = (reason: NotTaken, message: string, retryAfterSeconds: number | null = null): Placed => ({
  kind: "not_taken",
  reason,
  retryAfterSeconds,
  message,
});
const theirReference = (placed: Placed) => (placed.kind === "taken" ? placed.vendorReference : null);

describe("an accepted dispatch", () => {
  test("is sent in their format, is found by their id, and arrives once", async () => {
    const dispatch = dispatchTo("4567");
    const placed = await placeOne(vendor, dispatch);
    expect(placed).toEqual(taken);
    expect(simulator.requests()).toMatchObject([
      {
        route: "POST /africastalking/mobile/data/request",
        authorization: "[hidden]",
        body: {
          username: "sandbox",
          productName: "Mobile Data",
          recipients: [
            {
              phoneNumber: "+233541234567",
              quantity: 5,
              unit: "GB",
              validity: "Month",
              metadata: { reference: dispatch.reference },
            },
          ],
        },
      },
    ]);
    const ask = { reference: dispatch.reference, vendorReference: theirReference(placed) };
    const found = { kind: "found" as const, vendorReference: ask.vendorReference };
    expect(await vendor.checkStatus(ask)).toEqual({ ...found, state: "processing", message: "Queued" });
    await simulator.advance(40);
    expect(await vendor.checkStatus(ask)).toEqual({ ...found, state: "delivered", message: "Success" });
    expect(simulator.deliveries()).toEqual([
      {
        vendor: "africastalking",
        number: "0541234567",
        reference: dispatch.reference,
        volumeMb: 5000,
        count: 1,
      },
    ]);
  });

  test("of less than a whole GB is ordered in MB", async () => {
    expect(await placeOne(vendor, dispatchTo("4567", { volumeMb: 500 }))).toMatchObject({ kind: "taken" });
    expect(simulator.orders()).toMatchObject([{ volumeMb: 500 }]);
  });

  test("that is repeated with the same key is the same", async () => {
    const dispatch = dispatchTo("4567");
    expect(await placeOne(vendor, dispatch)).toEqual(await placeOne(vendor, dispatch));
    expect(simulator.orders()).toHaveLength(1);
  });
});

describe("an unclear result", () => {
  test.each([
    ["a call that is accepted and never answered", "0005", 1],
    ["a call that is not accepted and never answered", "0006", 0],
  ])("is %s: only their own id could find it", async (_, ending, orders) => {
    const dispatch = dispatchTo(ending);
    expect(await placeOne(impatient, dispatch)).toEqual({
      kind: "unclear",
      message: "did not answer in time",
    });
    expect(simulator.orders()).toHaveLength(orders);
    expect(await vendor.checkStatus({ reference: dispatch.reference, vendorReference: null })).toEqual({
      kind: "unclear",
      message: "Africa's Talking finds orders only by its own transaction id",
    });
  });

  test("is 201 without our number, HTML, an empty body, or an unknown status", async () => {
    const silent = { kind: "unclear" as const, message: "the answer does not mention this number" };
    expect(await placeOne(vendor, dispatchTo("0007"))).toEqual(silent);
    expect(await placeOne(vendor, dispatchTo("0008"))).toEqual({
      kind: "unclear",
      message: "502 Bad Gateway",
    });
    expect(await placeOne(vendor, dispatchTo("0008"))).toEqual({
      kind: "unclear",
      message: "answered 200 without a message",
    });
    const entry = { phoneNumber: "+233541234567", status: "Teleported" };
    for (const more of [{}, { transactionId: "ATPid_1" }]) {
      const body = { entries: [{ ...entry, ...more }] };
      const placed = await answering({ status: 201, body }, (baseUrl) =>
        placeOne(createAfricasTalkingData({ ...settings, baseUrl }), dispatchTo("4567")),
      );
      expect(placed).toEqual({ kind: "unclear", message: "Teleported" });
    }
  });

  test("is a status check that does not find an accepted order", async () => {
    const ask = { reference: "DF00000001", vendorReference: "ATPid_unknown" };
    expect(await vendor.checkStatus(ask)).toEqual({ kind: "unclear", message: "No transaction found" });
    simulator.fault("GET /africastalking/query/transaction/find", "html502");
    expect(await vendor.checkStatus(ask)).toEqual({ kind: "unclear", message: "502 Bad Gateway" });
  });
});

describe("a dispatch that was not accepted", () => {
  test.each([
    ["0009", notTaken("number_cooling", "This number was sent an order a moment ago, wait 300 seconds", 300)],
    ["0010", notTaken("out_of_stock", "MTN 5GB is out of stock")],
    ["0012", notTaken("not_servable", "Invalid phone number")],
  ])("can be for a number ending in %s", async (ending, placed) => {
    expect(await placeOne(vendor, dispatchTo(ending))).toEqual(placed);
  });

  test("has a foreign number, an empty float, or a network out of service, with 201 each time", async () => {
    expect(await placeOne(vendor, dispatchTo("4567", { msisdn: "15202341234" }))).toEqual(
      notTaken("not_servable", "Destination not supported"),
    );
    simulator.switch({ floatEmpty: true });
    expect(await placeOne(vendor, dispatchTo("4567"))).toEqual(notTaken("float_empty", "Insufficient balance"));
    simulator.switch({ floatEmpty: false, down: ["MTN"] });
    expect(await placeOne(vendor, dispatchTo("4567"))).toEqual(
      notTaken("network_down", "MTN is currently unavailable. We are working on it"),
    );
    expect(simulator.requests().map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test("has too many calls, or an invalid key, with an answer in plain text", async () => {
    simulator.switch({ rate: 0 });
    expect(await placeOne(vendor, dispatchTo("4567"))).toEqual(notTaken("rate_limited", "Too many requests"));
    const stranger = createAfricasTalkingData({ ...settings, apiKey: "atsk_wrong" });
    expect(await placeOne(stranger, dispatchTo("4567"))).toEqual(
      notTaken("key_refused", "The supplied authentication is invalid"),
    );
    expect(await stranger.balance()).toEqual({ kind: "refused", message: "The supplied authentication is invalid" });
  });
});

test("the adapter lists the products, and reads the balance in cedis only", async () => {
  expect(vendor.can.batchMax).toBe(1);
  const sells = (["MTN", "TELECEL", "AT_ISHARE", "AT_BIGTIME"] as const).map((line) => vendor.serves(line, 500));
  expect(sells).toEqual([true, true, true, false]);
  simulator.switch({ floats: { africastalking: 120_746 } });
  expect(await vendor.balance()).toEqual({ kind: "found", balancePesewas: 120_746 });
  const kenyan = { body: { status: "Success", balance: "KES 1207.4600" } };
  const balance = await answering(kenyan, (baseUrl) => createAfricasTalkingData({ ...settings, baseUrl }).balance());
  expect(balance).toEqual({ kind: "unclear", message: "it names no balance in GH₵" });
});

describe("its callbacks", () => {
  test("report the result by our reference, at the address with the token", async () => {
    const dispatch = dispatchTo("0004");
    const placed = await placeOne(vendor, dispatch);
    await simulator.advance(4 * 3600);
    expect(shop.read(vendor, false)).toEqual(["unsigned", "unsigned"]);
    const events = eventsOf(shop.read(vendor, true));
    expect(events.map(({ state }) => state)).toEqual(["delivered", "refunded"]);
    expect(events[0]).toEqual({
      dedupeKey: `success ${theirReference(placed)}`,
      reference: dispatch.reference,
      vendorReference: theirReference(placed),
      state: "delivered",
      message: "Success",
    });
  });

  test.each([
    ["0003", ["failed", "refunded"]],
    ["0011", ["held", "delivered"]],
    ["0013", ["delivered", "delivered", "delivered"]],
  ])("report each step for a number ending in %s", async (ending, states) => {
    await placeOne(vendor, dispatchTo(ending));
    await simulator.advance(80 * 3600);
    const events = eventsOf(shop.read(vendor, true));
    expect(events.map(({ state }) => state as string)).toEqual(states);
    expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(new Set(states).size);
  });

  test("without a valid meaning are unreadable", () => {
    const read = (body: string) =>
      vendor.readWebhook({ raw: Buffer.from(body), headers: new Headers(), hasToken: true });
    for (const body of [
      "",
      "[]",
      "{}",
      '{"transactionId":"ATPid_1"}',
      '{"transactionId":"ATPid_1","status":"Teleported"}',
    ])
      expect([body, read(body)]).toEqual([body, "unreadable"]);
  });
});
