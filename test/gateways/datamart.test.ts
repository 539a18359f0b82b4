// Tests of the DataMart adapter over real HTTP: the result of each answer, and of each missing one.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { DeliveryState, NotTaken, Placed, StatusAnswer } from "../../src/core/fulfilment/vendor.ts";
import { createDataMart } from "../../src/gateways/vendors/datamart.ts";
import { answering, dispatchTo, eventsOf, IMPATIENT_MS, openVendors, ours, placeOne } from "./vendor-world.ts";

const { simulator, shop, stop } = await openVendors();
const settings = simulator.settings.datamart;
const datamart = createDataMart(settings);
const impatient = createDataMart({ ...settings, timeoutMs: IMPATIENT_MS });
afterAll(stop);
beforeEach(() => {
  simulator.reset();
  simulator.switch({ webhookUrls: { datamart: shop.url } });
  shop.heard.length = 0;
});

const taken = (): Placed => ({
  kind: "taken",
  state: "processing",
  vendorReference: expect.stringMatching(/^TRX-/),
  costPesewas: 1900,
  message: "queued",
});
const found = (state: DeliveryState, message: string): StatusAnswer => ({
  kind: "found",
  state,
  vendorReference: expect.stringMatching(/^TRX-/),
  costPesewas: 1900,
  message,
});

describe("an accepted dispatch", () => {
  test("is sent in DataMart's format, is found by our reference, and is delivered once", async () => {
    const dispatch = dispatchTo("4567");
    expect(await placeOne(datamart, dispatch)).toEqual(taken());
    expect(simulator.requests()).toMatchObject([
      {
        route: "POST /datamart/api/developer/bulk-purchase",
        authorization: "[hidden]",
        body: {
          orders: [{ phoneNumber: "0541234567", network: "YELLO", capacity: "5", ref: dispatch.reference }],
        },
      },
    ]);
    expect(await datamart.checkStatus(ours(dispatch))).toEqual(found("processing", "pending"));
    await simulator.advance(40);
    expect(await datamart.checkStatus(ours(dispatch))).toEqual(found("delivered", "completed"));
    expect(simulator.deliveries()).toEqual([
      { vendor: "datamart", number: "0541234567", reference: dispatch.reference, volumeMb: 5000, count: 1 },
    ]);
  });

  test("can take hours", async () => {
    const dispatch = dispatchTo("0002");
    await placeOne(datamart, dispatch);
    await simulator.advance(60);
    expect(await datamart.checkStatus(ours(dispatch))).toEqual(found("processing", "waiting"));
    await simulator.advance(4 * 3600);
    expect(await datamart.checkStatus(ours(dispatch))).toEqual(found("delivered", "completed"));
  });

  test.each([
    ["0003", 20, "failed", 600, "refunded"],
    ["0004", 10, "delivered", 3 * 3600, "refunded"],
    ["0011", 2, "held", 72 * 3600 + 30, "delivered"],
  ] as const)("to a number ending in %s: after %d s %s, %d s later %s", async (ending, first, state, second, later) => {
    const dispatch = dispatchTo(ending);
    await placeOne(datamart, dispatch);
    await simulator.advance(first);
    expect(await datamart.checkStatus(ours(dispatch))).toMatchObject({ kind: "found", state });
    await simulator.advance(second);
    expect(await datamart.checkStatus(ours(dispatch))).toMatchObject({ kind: "found", state: later });
  });

  test("costs DataMart's price of that day", async () => {
    simulator.switch({ priceDrift: 6 });
    expect(await placeOne(datamart, dispatchTo("4567"))).toMatchObject({ kind: "taken", costPesewas: 2014 });
  });
});

describe("a lost answer proves nothing", () => {
  test("of an accepted call: the status check finds the order", async () => {
    const dispatch = dispatchTo("0005");
    expect(await placeOne(impatient, dispatch)).toEqual({
      kind: "unclear",
      message: "did not answer in time",
    });
    expect(await datamart.checkStatus(ours(dispatch))).toEqual(found("processing", "pending"));
  });

  test("of a call that was not accepted: the status check finds nothing", async () => {
    const dispatch = dispatchTo("0006");
    expect(await placeOne(impatient, dispatch)).toEqual({
      kind: "unclear",
      message: "did not answer in time",
    });
    expect(await datamart.checkStatus(ours(dispatch))).toEqual({ kind: "not_found" });
  });

  test("for an order that is missing in the answer", async () => {
    const dispatch = dispatchTo("0007");
    expect(await placeOne(datamart, dispatch)).toEqual({
      kind: "unclear",
      message: "the answer does not mention this number",
    });
    expect(await datamart.checkStatus(ours(dispatch))).toEqual({ kind: "not_found" });
  });

  test("replaced by a proxy's HTML, or by an empty body: one was not accepted, the other was", async () => {
    const [lost, empty] = [dispatchTo("0008"), dispatchTo("0008")];
    expect(await placeOne(datamart, lost)).toEqual({ kind: "unclear", message: "502 Bad Gateway" });
    expect(await placeOne(datamart, empty)).toEqual({
      kind: "unclear",
      message: "answered 200 without a message",
    });
    expect(await datamart.checkStatus(ours(lost))).toEqual({ kind: "not_found" });
    expect(await datamart.checkStatus(ours(empty))).toMatchObject({ kind: "found", state: "processing" });
  });

  test.each(["dropBefore", "dropAfter", "http500"] as const)("by the fault %s", async (fault) => {
    simulator.fault("POST /datamart/api/developer/bulk-purchase", fault);
    const dispatch = dispatchTo("4567");
    const message = fault === "http500" ? "Internal server error" : "the connection broke";
    expect(await placeOne(datamart, dispatch)).toEqual({ kind: "unclear", message });
    expect((await datamart.checkStatus(ours(dispatch))).kind).toBe(fault === "dropAfter" ? "found" : "not_found");
  });

  test("of a status check does not prove that there is no order", async () => {
    const dispatch = dispatchTo("4567");
    for (const fault of ["dropBefore", "http500", "html502", "429", "emptyBody"] as const) {
      simulator.fault("GET /datamart/api/developer/order-status/:ref", fault);
      expect([fault, (await datamart.checkStatus(ours(dispatch))).kind]).toEqual([fault, "unclear"]);
    }
    // A wrong URL gets a 404, too.
    const astray = createDataMart({ ...settings, baseUrl: `${simulator.url}/elsewhere` });
    expect(await astray.checkStatus(ours(dispatch))).toEqual({ kind: "unclear", message: "Route not found" });
    // An order with a vendor's id was accepted, whatever they find later.
    const theirs = { reference: dispatch.reference, vendorReference: "TRX-1" };
    expect(await datamart.checkStatus(theirs)).toEqual({ kind: "unclear", message: "Order not found" });
  });

  test("differs from a connection that was never made, which proves that nothing was sent", async () => {
    for (const baseUrl of ["http://127.0.0.1:1", "http://vendor.invalid"]) {
      const away = createDataMart({ ...settings, baseUrl });
      expect(await placeOne(away, dispatchTo("4567"))).toEqual({
        kind: "not_taken",
        reason: "network_down",
        retryAfterSeconds: null,
        message: expect.stringMatching(/^cannot be reached \(E[A-Z_]+\)$/),
      });
      expect(await away.checkStatus(ours(dispatchTo("4567")))).toMatchObject({ kind: "unclear" });
      expect(await away.balance()).toMatchObject({ kind: "unclear" });
    }
  });
});

describe("a refusal gives the reason:", () => {
  const notTaken = (reason: NotTaken, message: string, retryAfterSeconds: number | null = null): Placed => ({
    kind: "not_taken",
    reason,
    retryAfterSeconds,
    message,
  });

  test("an empty float, before anything is placed", async () => {
    simulator.switch({ floats: { datamart: 1899 } });
    expect(await placeOne(datamart, dispatchTo("4567"))).toEqual(
      notTaken("float_empty", "Insufficient wallet balance for this bulk order"),
    );
    simulator.switch({ floats: { datamart: 1900 } });
    expect(await placeOne(datamart, dispatchTo("4567"))).toEqual(taken());
  });

  test("a number that was served a moment ago, with the time when it is free again", async () => {
    const message = "This number was sent an order a moment ago, wait 300 seconds";
    expect(await placeOne(datamart, dispatchTo("0009"))).toEqual(notTaken("number_cooling", message, 300));
    await simulator.advance(300);
    expect(await placeOne(datamart, dispatchTo("0009"))).toEqual(taken());
    expect(await placeOne(datamart, dispatchTo("0009"))).toMatchObject({
      reason: "number_cooling",
      retryAfterSeconds: 60,
    });
  });

  test("a size that is out of stock", async () => {
    expect(await placeOne(datamart, dispatchTo("0010"))).toEqual(notTaken("out_of_stock", "MTN 5GB is out of stock"));
  });

  test("a network that is out of service, while the others are served", async () => {
    simulator.switch({ down: ["MTN"] });
    const [mtn, telecel] = await datamart.place([
      dispatchTo("4567"),
      dispatchTo("4568", { line: "TELECEL", msisdn: "233201234568" }),
    ]);
    expect(mtn).toEqual(notTaken("network_down", "MTN is currently unavailable. We are working on it"));
    expect(telecel).toMatchObject({ kind: "taken" });
  });

  test("an invalid number", async () => {
    expect(await placeOne(datamart, dispatchTo("0012"))).toEqual(notTaken("not_servable", "Invalid phone number"));
  });

  test("an unknown size", async () => {
    expect(await placeOne(datamart, dispatchTo("4567", { volumeMb: 101_000 }))).toEqual(
      notTaken("not_servable", "Invalid capacity for this network"),
    );
  });

  test("too many calls, with and without a time to wait", async () => {
    simulator.switch({ rate: 1 });
    await placeOne(datamart, dispatchTo("4567"));
    await simulator.advance(20);
    expect(await placeOne(datamart, dispatchTo("4568"))).toEqual(notTaken("rate_limited", "Too many requests", 40));
    const silent = { status: 429, body: "<h1>Slow down</h1>" };
    expect(
      await answering(silent, (baseUrl) => placeOne(createDataMart({ ...settings, baseUrl }), dispatchTo("4567"))),
    ).toEqual(notTaken("rate_limited", "Slow down"));
  });

  test("an invalid key", async () => {
    const stranger = createDataMart({ ...settings, apiKey: "dm_test_wrong" });
    expect(await placeOne(stranger, dispatchTo("4567"))).toEqual(notTaken("key_refused", "Invalid API key"));
    expect(await stranger.balance()).toEqual({ kind: "refused", message: "Invalid API key" });
  });

  test("an unknown text, which stays unclear", async () => {
    const odd = { status: 400, body: { status: "error", message: "Something went sideways" } };
    expect(
      await answering(odd, (baseUrl) => placeOne(createDataMart({ ...settings, baseUrl }), dispatchTo("4567"))),
    ).toEqual({
      kind: "unclear",
      message: "Something went sideways",
    });
  });
});

describe("a repeated dispatch", () => {
  test("is known during the first call, gets the first answer later, and is charged and delivered once", async () => {
    const dispatch = dispatchTo("0005");
    await placeOne(impatient, dispatch);
    expect(await placeOne(datamart, dispatch)).toEqual({
      kind: "known_reference",
      message: "This request is being processed",
    });
    await simulator.advance(60);
    const again = await placeOne(datamart, dispatch);
    expect(again).toEqual(taken());
    expect(await placeOne(datamart, dispatch)).toEqual(again);
    expect(await datamart.balance()).toEqual({ kind: "found", balancePesewas: 2_500_000 - 1900 });
    expect(simulator.deliveries()).toMatchObject([{ count: 1 }]);
  });

  test("is known by its reference in another batch, or after the key has expired", async () => {
    const dispatch = dispatchTo("4567");
    await placeOne(datamart, dispatch);
    const [other, same] = await datamart.place([dispatchTo("4568"), dispatch]);
    expect(other).toEqual(taken());
    expect(same).toEqual({ kind: "known_reference", message: "Reference already exists" });
    await simulator.advance(25 * 3600);
    expect(await placeOne(datamart, dispatch)).toMatchObject({ kind: "known_reference" });
    expect(simulator.deliveries().map(({ count }) => count)).toEqual([1, 1]);
  });
});

test("fifty dispatches have a result each, in order, although three are not served and one is missing", async () => {
  const dispatches = Array.from({ length: 50 }, (_, n) =>
    dispatchTo(String(2000 + n), n % 20 === 5 ? { msisdn: `23359${String(n).padStart(3, "0")}0012` } : {}),
  );
  dispatches[33] = dispatchTo("0007");
  const placed = await datamart.place(dispatches);
  const kinds = placed.map((one) => (one.kind === "not_taken" ? one.reason : one.kind));
  const expected = dispatches.map((_, n) => (n === 33 ? "unclear" : n % 20 === 5 ? "not_servable" : "taken"));
  expect(kinds).toEqual(expected);
  await simulator.advance(60);
  const arrived = simulator.deliveries().map(({ reference }) => reference);
  expect(arrived).toEqual(dispatches.filter((_, n) => expected[n] === "taken").map(({ reference }) => reference));
});

test.each([
  [500, "Insufficient wallet balance", { kind: "unclear" }],
  [503, "VERIFY_UNAVAILABLE", { kind: "unclear" }],
  [402, "Pay first", { kind: "not_taken", reason: "float_empty" }],
  [403, "Forbidden", { kind: "not_taken", reason: "key_refused" }],
  [403, "Your IP is not allowed", { kind: "not_taken", reason: "key_refused" }],
  [409, "Conflict", { kind: "known_reference" }],
  [409, "MTN 5GB is sold out", { kind: "not_taken", reason: "out_of_stock" }],
  [200, "Hm", { kind: "unclear" }],
] as const)("an answer of %d with the JSON %p has its result", async (status, message, placed) => {
  const response = { status, body: { status: "error", message } };
  const ask = (baseUrl: string) => placeOne(createDataMart({ ...settings, baseUrl }), dispatchTo("4567"));
  expect(await answering(response, ask)).toMatchObject({ ...placed, message });
});

test("each call has its own connection: a kept one that breaks would leave a dispatch unclear", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write("HTTP/1.1 429 Too Many\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\n{}");
      socket.once("data", () => socket.destroy());
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kept = createDataMart({ ...settings, baseUrl });
  for (let n = 0; n < 2; n++)
    expect(await placeOne(kept, dispatchTo("4567"))).toMatchObject({ reason: "rate_limited" });
  server.close();
});

test("rows without a reference count only where the number is unique", async () => {
  const rows = [{ phoneNumber: "0541230001", status: "queued", transactionReference: "TRX-1" }];
  const body = { status: "success", data: { results: rows, validationErrors: [] } };
  const ask = (...endings: string[]) =>
    answering({ body }, (baseUrl) =>
      createDataMart({ ...settings, baseUrl }).place(endings.map((ending) => dispatchTo(ending))),
    );
  expect(await ask("0001")).toMatchObject([{ kind: "taken", vendorReference: "TRX-1" }]);
  expect(await ask("0001", "0001")).toMatchObject([{ kind: "unclear" }, { kind: "unclear" }]);
});

test("an unknown status is neither a delivery nor a failure", async () => {
  const order = { transactionReference: "TRX-1", orderStatus: "teleported", status: "teleported" };
  const placed = await answering(
    { body: { status: "success", data: { results: [{ ...order, phoneNumber: "0541230001" }] } } },
    (baseUrl) => placeOne(createDataMart({ ...settings, baseUrl }), dispatchTo("0001")),
  );
  expect(placed).toMatchObject({ kind: "taken", state: "processing", message: "teleported" });
  const looked = await answering({ body: { status: "success", data: order } }, (baseUrl) =>
    createDataMart({ ...settings, baseUrl }).checkStatus(ours(dispatchTo("0001"))),
  );
  expect(looked).toEqual({ kind: "unclear", message: "teleported" });
});

test("a vendor's texts are shown without markup and keys, and shortened", async () => {
  const rest = `for ${settings.apiKey} ${"x".repeat(400)}`;
  const message = `<script>alert(1)</script><b>Invalid</b> phone\u202e number&nbsp;${rest}`;
  const placed = await answering({ status: 400, body: { status: "error", message } }, (baseUrl) =>
    placeOne(createDataMart({ ...settings, baseUrl }), dispatchTo("0001")),
  );
  const shown = `Invalid phone number for [key] ${"x".repeat(400)}`.slice(0, 300);
  expect(placed).toEqual({
    kind: "not_taken",
    reason: "not_servable",
    retryAfterSeconds: null,
    message: shown,
  });
});

test("the adapter lists the products, and reads the balance", async () => {
  expect(datamart.can.batchMax).toBe(50);
  const sells = (["MTN", "TELECEL", "AT_ISHARE", "AT_BIGTIME"] as const).map((line) => datamart.serves(line, 1000));
  expect(sells).toEqual([true, true, true, false]);
  expect([0, 500, 1500, 100_000, 101_000].map((mb) => datamart.serves("MTN", mb))).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
  simulator.switch({ floats: { datamart: 120_746 } });
  expect(await datamart.balance()).toEqual({ kind: "found", balancePesewas: 120_746 });
  simulator.fault("GET /datamart/api/developer/balance", "html502");
  expect(await datamart.balance()).toMatchObject({ kind: "unclear" });
  expect(await datamart.place([])).toEqual([]);
});

describe("its webhooks", () => {
  test("report each step of an order by our reference and theirs, and requested refunds only", async () => {
    const dispatch = dispatchTo("0004");
    const placed = await placeOne(datamart, dispatch);
    await simulator.advance(3600);
    simulator.switch({ refundedEvents: true });
    await simulator.advance(4 * 3600);
    const events = eventsOf(shop.read(datamart, false));
    expect(events.map(({ state }) => state)).toEqual(["accepted", "processing", "delivered", "refunded"]);
    for (const { reference, vendorReference } of events)
      expect([reference, vendorReference]).toEqual([
        dispatch.reference,
        (placed as { vendorReference: string }).vendorReference,
      ]);
    expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(4);
    expect(events[2]).toEqual({
      dedupeKey: expect.stringContaining(`order.completed ${dispatch.reference}`),
      reference: dispatch.reference,
      vendorReference: expect.stringMatching(/^TRX-/),
      state: "delivered",
      costPesewas: 1900,
      message: "completed",
    });
  });

  test("report a held number", async () => {
    await placeOne(datamart, dispatchTo("0011"));
    await simulator.advance(2);
    expect(eventsOf(shop.read(datamart, false)).map(({ state }) => state)).toEqual(["accepted", "held"]);
  });

  test("that are repeated are the same event; in the wrong order they keep their meaning", async () => {
    await placeOne(datamart, dispatchTo("0013"));
    await simulator.advance(60);
    expect(new Set(eventsOf(shop.read(datamart, false)).map(({ dedupeKey }) => dedupeKey)).size).toBe(3);
    expect(shop.heard.length).toBe(7);
    shop.heard.length = 0;
    await placeOne(datamart, dispatchTo("0014"));
    await simulator.advance(60);
    const states = eventsOf(shop.read(datamart, false)).map(({ state }) => state);
    expect(states).toEqual(["accepted", "delivered", "processing"]);
  });

  test.each(["wrong", "missing", "tampered"] as const)("whose signature is %s are refused", async (signature) => {
    const dispatch = dispatchTo("4567");
    await placeOne(datamart, dispatch);
    await simulator.notify(dispatch.reference, "completed", { signature });
    expect(shop.read(datamart, true)).toEqual(["unsigned"]);
  });

  test("about an unknown order are read all the same: the core finds out whose it is", async () => {
    await simulator.notify("NOBODY01", "failed", { vendor: "datamart" });
    expect(eventsOf(shop.read(datamart, false))).toMatchObject([{ reference: "NOBODY01", state: "failed" }]);
  });

  test("with a valid signature and no meaning are unreadable", () => {
    const read = (body: string, secret = settings.webhookSecret!) => {
      const raw = new TextEncoder().encode(body);
      const signature = createHmac("sha256", secret).update(raw).digest("hex");
      return datamart.readWebhook({
        raw,
        headers: new Headers({ "x-datamart-signature": signature }),
        hasToken: false,
      });
    };
    for (const body of [
      "",
      "{",
      "[]",
      '{"event":"order.completed"}',
      '{"event":"wallet.low","data":{"orderReference":"A"}}',
      '{"event":"order.teleported","data":{"orderReference":"A"}}',
    ])
      expect([body, read(body)]).toEqual([body, "unreadable"]);
    const theirs = '{"event":"order.completed","data":{"orderReference":"GN-AB12CD34"}}';
    expect(read(theirs)).toEqual([
      {
        dedupeKey: "order.completed GN-AB12CD34 ",
        reference: null,
        vendorReference: "GN-AB12CD34",
        state: "delivered",
        message: "completed",
      },
    ]);
    expect(read(theirs, "another secret")).toBe("unsigned");
  });

  test("without a secret are accepted only at the address with the token", async () => {
    const trusting = createDataMart({ ...settings, webhookSecret: null });
    await simulator.notify("NOBODY01", "failed", { vendor: "datamart" });
    expect(shop.read(trusting, false)).toEqual(["unsigned"]);
    expect(eventsOf(shop.read(trusting, true))).toMatchObject([{ state: "failed" }]);
  });
});
