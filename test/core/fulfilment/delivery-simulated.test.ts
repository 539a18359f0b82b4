// The behaviours of vendors, S1 to S20 in the list of their troubles: for each, the order's final status, what it has
// cost its buyer, and its timeline.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { attention } from "../../../src/core/fulfilment/attention.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import { times } from "../../support/asking.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, simulator, bundle, world } = shop;
const PRICE = bundle.pricePesewas;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

const pausedFor = async (code: string) => (await vendors.states(db)).get(code)!.pausedFor;
const attemptOf = async (orderId: number) => {
  const [attempt] = await db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return attempt!;
};
const sent = (name: string) => expect.stringMatching(new RegExp(`^Sent to ${name}, their reference \\S+`));

describe("delivered", () => {
  test("S1: within a minute, and completed after its wait", async () => {
    const id = await shop.buy("0001");
    await shop.pass(MINUTE);
    const timeline = [sent("DataMart GH"), "DataMart GH delivered it"];
    expect(await shop.story(id)).toEqual({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      timeline,
      concerns: [],
    });
    await shop.pass(DAY - 2 * MINUTE);
    expect((await shop.story(id)).status).toBe("DELIVERED");
    await shop.pass(2 * MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "COMPLETED",
      paidPesewas: PRICE,
      timeline: [...timeline, "COMPLETED"],
    });
  });

  test("S1 at Hubnet: even the first orders of a shop have references that it accepts", async () => {
    await shop.routeBy("hubnet");
    const id = await shop.buy("0001");
    await shop.pass(MINUTE);
    const story = await shop.story(id);
    expect(story).toMatchObject({
      status: "DELIVERED",
      attempts: ["hubnet delivered"],
      paidPesewas: PRICE,
      concerns: [],
    });
    expect([story.timeline[0], story.timeline.at(-1)]).toEqual([sent("Hubnet"), "Hubnet delivered it"]);
  });

  test("S1 at Africa's Talking", async () => {
    await shop.routeBy("africastalking");
    const id = await shop.buy("0001");
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["africastalking delivered"],
      paidPesewas: PRICE,
      timeline: [sent("Africa's Talking"), "Africa's Talking delivered it"],
    });
  });

  test("S2: after hours, and in progress until then", async () => {
    const id = await shop.buy("0002");
    await shop.pass(15 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", attempts: ["datamart processing"] });
    await shop.pass(4 * HOUR);
    expect(await shop.story(id)).toEqual({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      timeline: [sent("DataMart GH"), "DataMart GH delivered it"],
      concerns: [],
    });
  });
});

describe("failed and reversed", () => {
  test("S3: a failure is refunded once, and the vendor's own refund later changes nothing", async () => {
    simulator.switch({ refundedEvents: true });
    const before = await world.balanceOf(shop.ama);
    const id = await shop.buy("0003");
    await shop.pass(20 * MINUTE);
    expect(await shop.story(id)).toEqual({
      status: "FAILED",
      attempts: ["datamart failed"],
      paidPesewas: 0,
      timeline: [sent("DataMart GH"), "DataMart GH could not deliver it", "Not delivered"],
      concerns: [],
    });
    expect(await world.balanceOf(shop.ama)).toBe(before);
    expect(simulator.webhooks().map(({ news }) => news)).toContain("refunded");
  });

  test("S4: a delivery that is reversed three hours later is refunded, even after completion", async () => {
    simulator.switch({ refundedEvents: true });
    const id = await shop.buy("0004");
    await shop.pass(MINUTE);
    await shop.move(id, "COMPLETED");
    await shop.pass(4 * HOUR);
    expect(await shop.story(id)).toEqual({
      status: "FAILED",
      attempts: ["datamart refunded"],
      paidPesewas: 0,
      timeline: [sent("DataMart GH"), "DataMart GH delivered it", "COMPLETED", "DataMart GH reversed the delivery"],
      concerns: [],
    });
  });
});

describe("unknown", () => {
  test("S5: accepted, but the answer is lost: found by our reference, sent once", async () => {
    const id = await shop.buy("0005");
    await shop.work();
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", attempts: ["datamart unknown"] });
    simulator.switch({ webhooks: false });
    await shop.pass(2 * MINUTE);
    expect(await shop.story(id)).toEqual({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      timeline: expect.arrayContaining([
        "No clear answer from DataMart GH (“did not answer in time”): checking",
        "DataMart GH delivered it",
      ]),
      concerns: [],
    });
    expect(shop.callsTo("datamart")).toBe(1);
  });

  test("S6: never accepted: sent once more when the vendor is certain, and then failed", async () => {
    const id = await shop.buy("0006");
    await shop.pass(100);
    expect(await shop.story(id)).toMatchObject({ attempts: ["datamart unknown"] });
    // The vendor may still be working through a batch: “not found” does not count before that is over.
    expect(shop.callsTo("datamart")).toBe(1);
    await shop.pass(10 * MINUTE);
    expect(await shop.story(id)).toEqual({
      status: "FAILED",
      attempts: ["datamart failed"],
      paidPesewas: 0,
      timeline: [
        "No clear answer from DataMart GH (“did not answer in time”): checking",
        "DataMart GH never received it: sending it again",
        "No clear answer from DataMart GH (“did not answer in time”): checking",
        "DataMart GH never received it",
        "Not delivered: did not answer in time",
      ],
      concerns: [],
    });
    expect(shop.callsTo("datamart")).toBe(2);
    expect(simulator.orders()).toEqual([]);
  });

  test("S7: Hubnet's status is success but its body an error: it was not accepted", async () => {
    await shop.routeBy("hubnet");
    const id = await shop.buy("0007");
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toEqual({
      status: "FAILED",
      attempts: ["hubnet failed"],
      paidPesewas: 0,
      timeline: ["Hubnet cannot deliver it (“Invalid volume”)", "Not delivered: Invalid volume"],
      concerns: [],
    });
  });

  test("S8: an HTML page and then an empty answer are both unclear: checked, and delivered once", async () => {
    const id = await shop.buy("0008");
    await shop.pass(10 * MINUTE);
    const story = await shop.story(id);
    expect(story).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      concerns: [],
    });
    // Whether a status check or a webhook first reports it as in progress is random.
    expect(story.timeline.slice(0, 3)).toEqual([
      "No clear answer from DataMart GH (“502 Bad Gateway”): checking",
      "DataMart GH never received it: sending it again",
      "No clear answer from DataMart GH (“answered 200 without a message”): checking",
    ]);
    expect(story.timeline.at(-1)).toBe("DataMart GH delivered it");
    expect(simulator.deliveries()).toMatchObject([{ count: 1 }]);
  });
});

describe("certainly not accepted", () => {
  test.each([
    ["datamart", "DataMart GH", "Insufficient wallet balance for this bulk order"],
    ["hubnet", "Hubnet", "Insufficient balance"],
  ])(
    "S9: an empty float at %s pauses it; orders wait, one is tried each minute, and all go on when it has grown",
    async (code, name, message) => {
      await shop.routeBy(code);
      simulator.switch({ floats: { [code]: 100 } });
      await vendors.checkFloat(db, shop.vendor(code));
      const ids = [await shop.buy(), await shop.buy()];
      await shop.pass(10 * MINUTE);
      expect(await pausedFor(code)).toBe("float_empty");
      expect(await shop.story(ids[0]!)).toEqual({
        status: "PENDING",
        attempts: [`${code} queued`],
        paidPesewas: PRICE,
        timeline: [`Waiting for ${name} (“${message}”)`],
        concerns: [],
      });
      expect(shop.callsTo(code as "datamart")).toBeWithin(10, 13);
      simulator.switch({ floats: { [code]: 500_000 } });
      await vendors.checkFloat(db, shop.vendor(code));
      expect(await pausedFor(code)).toBeNull();
      await shop.pass(2 * MINUTE);
      for (const id of ids)
        expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE, concerns: [] });
    },
  );

  test("S10 and S11: a call in progress, or a known reference, is not a refusal: it is checked", async () => {
    simulator.switch({ holdDelivery: true });
    // As if the sending had not been recorded: an order that is knowingly sent again goes in a call of its own.
    const forget = (orderId: number) =>
      db.execute(sql`update attempts set state = 'queued', sends = 0, due_at = now() where order_id = ${orderId}`);
    const id = await shop.buy("0005");
    await shop.pass(1);
    await forget(id);
    await shop.pass(1);
    expect(await attemptOf(id)).toMatchObject({
      state: "unknown",
      vendorMessage: "This request is being processed",
    });
    const other = await shop.buy();
    await shop.pass(1);
    await forget(other);
    // A third order makes it a different call, with a different key.
    await shop.buy();
    await shop.pass(1);
    expect(await attemptOf(other)).toMatchObject({
      state: "unknown",
      vendorMessage: "Reference already exists",
    });
    simulator.switch({ holdDelivery: false });
    await shop.pass(2 * MINUTE);
    for (const one of [id, other])
      expect(await shop.story(one)).toMatchObject({
        status: "DELIVERED",
        attempts: ["datamart delivered"],
        paidPesewas: PRICE,
      });
    expect(simulator.deliveries().map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  test("S12: a barred number waits for as long as the vendor demands", async () => {
    const id = await shop.buy("0009");
    await shop.pass(4 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "PENDING", attempts: ["datamart queued"] });
    expect(shop.callsTo("datamart")).toBe(1);
    await shop.pass(3 * MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      paidPesewas: PRICE,
      timeline: [
        "Waiting for DataMart GH (“This number was sent an order a moment ago, wait 300 seconds”)",
        sent("DataMart GH"),
        "DataMart GH delivered it",
      ],
    });
  });

  test("S13: a size that is out of stock goes to the next vendor, and is refunded when there is none", async () => {
    await shop.routeBy("datamart,hubnet");
    const id = await shop.buy("0010");
    await shop.pass(2 * MINUTE);
    expect(await shop.story(id)).toEqual({
      status: "FAILED",
      attempts: ["datamart failed", "hubnet failed"],
      paidPesewas: 0,
      timeline: [
        "DataMart GH cannot deliver it (“MTN 5GB is out of stock”)",
        "Hubnet cannot deliver it (“MTN 5GB is out of stock”)",
        "Not delivered: MTN 5GB is out of stock",
      ],
      concerns: [],
    });
  });

  test("S13: an order waits for a network that is down, with one note", async () => {
    simulator.switch({ down: ["MTN"] });
    const id = await shop.buy();
    await shop.pass(10 * MINUTE);
    expect(shop.callsTo("datamart")).toBeGreaterThan(5);
    simulator.switch({ down: [] });
    await shop.pass(3 * MINUTE);
    expect(await shop.story(id)).toEqual({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      timeline: [
        "Waiting for DataMart GH (“MTN is currently unavailable. We are working on it”)",
        sent("DataMart GH"),
        "DataMart GH delivered it",
      ],
      concerns: [],
    });
  });

  test("S14: a number to be activated is held, past the deadline and with a note, and then delivered", async () => {
    await shop.promise(120);
    const id = await shop.buy("0011");
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", attempts: ["datamart held"] });
    await shop.pass(2 * HOUR + 5 * MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "PROCESSING",
      attempts: ["datamart held"],
      paidPesewas: PRICE,
      timeline: [
        sent("DataMart GH"),
        "DataMart GH is holding it",
        expect.stringMatching(/^Not delivered by the promised time \(\d\d:\d\d\)\. The network is holding this order/),
      ],
    });
    await shop.pass(3 * DAY);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      concerns: [],
    });
  });

  test("S14: an invalid number is refunded at once", async () => {
    const id = await shop.buy("0012");
    await shop.work();
    expect(await shop.story(id)).toEqual({
      status: "FAILED",
      attempts: ["datamart failed"],
      paidPesewas: 0,
      timeline: ["DataMart GH cannot deliver it (“Invalid phone number”)", "Not delivered: Invalid phone number"],
      concerns: [],
    });
  });

  test.each([["datamart"], ["hubnet"]] as const)(
    "S15: %s wants fewer calls, with or without a word of when: it is left alone for so long",
    async (code) => {
      await shop.routeBy(code);
      simulator.switch({ rate: 0 });
      const id = await shop.buy();
      await shop.pass(55);
      expect(await shop.story(id)).toMatchObject({ status: "PENDING", attempts: [`${code} queued`] });
      expect(shop.callsTo(code)).toBe(1);
      simulator.switch({ rate: null });
      await shop.pass(2 * MINUTE);
      expect(await shop.story(id)).toMatchObject({
        status: "DELIVERED",
        paidPesewas: PRICE,
        timeline: expect.arrayContaining([expect.stringContaining("oo many requests")]),
      });
    },
  );
});

describe("reports", () => {
  test("S16: three times each, in the wrong order, have one note", async () => {
    const ids = [await shop.buy("0013"), await shop.buy("0014")];
    await shop.pass(2 * MINUTE);
    for (const id of ids)
      expect(await shop.story(id)).toEqual({
        status: "DELIVERED",
        attempts: ["datamart delivered"],
        paidPesewas: PRICE,
        timeline: [sent("DataMart GH"), "DataMart GH delivered it"],
        concerns: [],
      });
  });

  test("S16: missing after acceptance: shown as late, then refunded at the deadline", async () => {
    await shop.promise(240);
    const id = await shop.buy("0015");
    await shop.pass(3 * HOUR);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", paidPesewas: PRICE });
    await db.execute(sql`update orders set paid_at = paid_at - interval '3 hours' where id = ${id}`);
    expect((await attention(db)).late.map(({ order }) => order.id)).toContain(id);
    await db.execute(sql`update orders set paid_at = paid_at + interval '3 hours' where id = ${id}`);
    simulator.fault("*", "http500", 1_000);
    await shop.pass(HOUR + 5 * MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "FAILED",
      paidPesewas: 0,
      timeline: [sent("DataMart GH"), expect.stringContaining("by the promised time")],
    });
  });

  test("S17: “completed” but nothing arrived: an admin refunds the buyer's dispute", async () => {
    const id = await shop.buy("0016");
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
    expect(simulator.deliveries()).toEqual([]);
    await shop.move(id, "FAILED");
    await shop.pass(2 * DAY);
    expect(await shop.story(id)).toEqual({
      status: "FAILED",
      attempts: ["datamart delivered"],
      paidPesewas: 0,
      timeline: [sent("DataMart GH"), "DataMart GH delivered it", "FAILED"],
      concerns: [],
    });
  });
});

describe("costs", () => {
  test("S18: a vendor's new price is stored with the attempt; the buyer pays the agreed one", async () => {
    const yesterday = await shop.buy();
    await shop.work();
    simulator.switch({ priceDrift: 6 });
    const today = await shop.buy();
    await shop.pass(MINUTE);
    const [before, after] = [await attemptOf(yesterday), await attemptOf(today)];
    expect(after.costPesewas).toBe(Math.round(before.costPesewas! * 1.06));
    expect(await shop.story(today)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
    expect(await shop.story(yesterday)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("S19: a balance written with commas is read to the pesewa", async () => {
    simulator.switch({ floats: { hubnet: 120_746 } });
    await vendors.checkFloat(db, shop.vendor("hubnet"));
    expect((await vendors.states(db)).get("hubnet")).toMatchObject({ balancePesewas: 120_746 });
    await shop.routeBy("hubnet");
    const id = await shop.buy();
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });
});

test("S20: a batch of 50 with three invalid numbers and one missing in the answer", async () => {
  const ids: number[] = [];
  for (const n of times(50, (i) => i)) ids.push(await shop.buy(n < 3 ? "0012" : n === 3 ? "0007" : "0001"));
  // One after the other, fifty may take this long.
  await shop.pass(9 * MINUTE);
  expect(shop.callsTo("datamart")).toBe(1);
  await shop.pass(15 * MINUTE);
  const stories = await Promise.all(ids.map(shop.story));
  expect(shop.callsTo("datamart")).toBe(2);
  for (const story of stories.slice(0, 3))
    expect(story).toMatchObject({ status: "FAILED", paidPesewas: 0, attempts: ["datamart failed"] });
  expect(stories[3]).toMatchObject({
    status: "FAILED",
    paidPesewas: 0,
    timeline: [
      "No clear answer from DataMart GH (“the answer does not mention this number”): checking",
      "DataMart GH never received it: sending it again",
      "No clear answer from DataMart GH (“the answer does not mention this number”): checking",
      "DataMart GH never received it",
      "Not delivered: the answer does not mention this number",
    ],
  });
  for (const story of stories.slice(4))
    expect(story).toEqual({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      timeline: [sent("DataMart GH"), "DataMart GH delivered it"],
      concerns: [],
    });
  expect(simulator.deliveries()).toHaveLength(46);
});
