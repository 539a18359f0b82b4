// The rules of delivery, tested with vendors that break all of them: nothing is sent twice, nothing is refunded while
// it may still arrive, no order is lost, and what cannot be determined is shown to an admin.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { attention } from "../../../src/core/fulfilment/attention.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import type { BundleVendor } from "../../../src/core/fulfilment/vendor.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import { createHubnet } from "../../../src/gateways/vendors/hubnet.ts";
import { outcome, times, withSecondServer } from "../../support/asking.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, simulator, bundle, world } = shop;
const PRICE = bundle.pricePesewas;
const MINUTE = 60;
const HOUR = 3600;
const BULK = "POST /datamart/api/developer/bulk-purchase";
const by = world.yaw.by("admin");

const stateOf = async (code: string) => (await vendors.states(db)).get(code)!;
const attemptOf = async (orderId: number) => {
  const [attempt] = await db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return attempt!;
};
const pause = (code: string, note: string | null) => vendors.setPause(db, { by, code, note });
const withoutWebhook = () => null;

describe("the next vendor", () => {
  test("gets the order only when the one before has certainly failed, never while that is unknown", async () => {
    await shop.routeBy("datamart,hubnet");
    const lost = await shop.buy("0006");
    const failing = await shop.buy("0003");
    await shop.pass(100);
    expect((await shop.story(lost)).attempts).toEqual(["datamart unknown"]);
    await shop.pass(20 * MINUTE);
    expect((await shop.story(failing)).attempts).toEqual(["datamart failed", "hubnet failed"]);
    expect(await shop.story(failing)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
    // Hubnet has no status checks, so the state stays unknown.
    expect(await shop.story(lost)).toMatchObject({
      status: "PROCESSING",
      attempts: ["datamart failed", "hubnet unknown"],
      paidPesewas: PRICE,
    });
  });

  test("is not used when the one before delivered after all, as long as it was not sent again", async () => {
    await shop.routeBy("datamart,hubnet");
    await pause("hubnet", "Not today");
    const id = await shop.buy("0015");
    await shop.pass(5);
    const reference = await shop.referenceOf(id);
    await simulator.move(reference, "failed");
    await shop.work();
    expect((await shop.story(id)).attempts).toEqual(["datamart failed", "hubnet queued"]);
    await simulator.move(reference, "completed");
    await shop.work();
    await pause("hubnet", null);
    await shop.pass(2 * MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered", "hubnet withdrawn"],
      paidPesewas: PRICE,
      concerns: ["DataMart GH delivered it after it had failed"],
    });
    expect(shop.callsTo("hubnet")).toBe(0);
  });

  test("can be the desk as the last one: an order that all vendors have failed waits there", async () => {
    await shop.routeBy("datamart,desk");
    const id = await shop.buy("0010");
    await shop.work();
    expect(await shop.story(id)).toMatchObject({
      status: "PENDING",
      attempts: ["datamart failed", "desk queued"],
      paidPesewas: PRICE,
    });
    await desk.take(db, { by, key: null, operator: "MTN", countMax: 10 });
    await shop.move(id, "DELIVERED");
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });
});

describe("an order with an unknown result", () => {
  test("is never sent again without status checks; it is listed under Attention until it is decided", async () => {
    await shop.routeBy("hubnet");
    const id = await shop.buy("0006");
    await shop.pass(11 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", attempts: ["hubnet unknown"] });
    expect((await attention(db)).unknown.map(({ order }) => order.id)).toContain(id);
    await shop.pass(5 * HOUR);
    expect(shop.callsTo("hubnet")).toBe(1);
    await shop.move(id, "FAILED");
    expect((await attention(db)).unknown.map(({ order }) => order.id)).not.toContain(id);
    expect(await shop.story(id)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
  });

  test("can be left by a worker that was killed before its call, and is checked", async () => {
    const id = await shop.buy();
    const vendor = shop.vendor("datamart");
    const killed: BundleVendor = { ...vendor, place: () => Promise.reject(new Error("killed")) };
    await routing.routeDue(db, shop.vendors, 10);
    expect(dispatch.sendDue(db, killed, withoutWebhook)).rejects.toThrow("killed");
    await shop.pass(20);
    expect((await shop.story(id)).attempts).toEqual(["datamart sending"]);
    await shop.pass(10 * MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      paidPesewas: PRICE,
      timeline: [
        "No clear answer from DataMart GH: checking",
        "DataMart GH never received it: sending it again",
        expect.stringContaining("Sent to DataMart GH"),
        "DataMart GH delivered it",
      ],
    });
  });

  test("can be left by a worker that was killed before it stored the answer", async () => {
    const id = await shop.buy();
    const vendor = shop.vendor("datamart");
    const killed: BundleVendor = {
      ...vendor,
      place: async (batch) => {
        await vendor.place(batch);
        throw new Error("killed");
      },
    };
    simulator.switch({ webhooks: false });
    await routing.routeDue(db, shop.vendors, 10);
    expect(dispatch.sendDue(db, killed, withoutWebhook)).rejects.toThrow("killed");
    await shop.pass(5 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
    expect(simulator.deliveries()).toMatchObject([{ count: 1 }]);
    expect(shop.callsTo("datamart")).toBe(1);
  });

  test("is sent once more, whatever was refused before: a refusal does not count as a sending", async () => {
    simulator.switch({ down: ["MTN"] });
    const id = await shop.buy();
    await shop.pass(5 * MINUTE);
    simulator.switch({ down: [] });
    simulator.fault(BULK, "dropBefore");
    await shop.pass(10 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
    expect((await attemptOf(id)).sends).toBe(2);
  });
});

describe("a vendor that accepts nothing", () => {
  test("because of our key is paused until an admin resumes it", async () => {
    await shop.routeBy("hubnet");
    const id = await shop.buy();
    await routing.routeDue(db, shop.vendors, 10);
    const wrong = createHubnet({ ...simulator.settings.hubnet, apiKey: "of somebody else" });
    await dispatch.sendDue(db, wrong, withoutWebhook);
    expect(await stateOf("hubnet")).toMatchObject({ pausedFor: "key_refused" });
    await shop.pass(HOUR);
    expect(shop.callsTo("hubnet")).toBe(1);
    await vendors.checkFloat(db, shop.vendor("hubnet"));
    expect(await stateOf("hubnet")).toMatchObject({ pausedFor: "key_refused" });
    expect(await shop.story(id)).toMatchObject({ status: "PENDING", paidPesewas: PRICE });
    await pause("hubnet", null);
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", attempts: ["hubnet delivered"] });
  });

  test("because an admin paused it keeps its orders waiting, while other vendors go on", async () => {
    await pause("datamart", "Too many complaints");
    const waiting = await shop.buy();
    await routing.routeDue(db, shop.vendors, 10);
    await shop.routeBy("hubnet");
    const going = await shop.buy();
    await shop.pass(HOUR);
    expect(await shop.story(waiting)).toMatchObject({ status: "PENDING", attempts: ["datamart queued"] });
    expect(await shop.story(going)).toMatchObject({ status: "DELIVERED" });
    expect(shop.callsTo("datamart")).toBe(0);
    await pause("datamart", null);
    await shop.pass(MINUTE);
    expect(await shop.story(waiting)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("because its float is empty resumes once its balance covers the next order, even without a refill", async () => {
    simulator.switch({ floats: { datamart: 300_000 } });
    await vendors.checkFloat(db, shop.vendor("datamart"));
    simulator.switch({ floatEmpty: true });
    const id = await shop.buy();
    await shop.work();
    expect((await stateOf("datamart")).pausedFor).toBe("float_empty");
    await vendors.checkFloat(db, shop.vendor("datamart"));
    expect((await stateOf("datamart")).pausedFor).toBe("float_empty");
    simulator.switch({ floatEmpty: false });
    await vendors.checkFloat(db, shop.vendor("datamart"));
    expect(await stateOf("datamart")).toMatchObject({ pausedFor: null, balancePesewas: 300_000 });
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("because its float is empty is tried with one order a minute, and resumes when that is accepted", async () => {
    simulator.switch({ floatEmpty: true });
    const ids: number[] = [];
    for (const _ of times(30, String)) ids.push(await shop.buy());
    await shop.work();
    expect(shop.callsTo("datamart")).toBe(1);
    await shop.pass(5 * MINUTE);
    expect(shop.callsTo("datamart")).toBeWithin(5, 7);
    const calls = simulator.requests().filter(({ path }) => path.endsWith("/bulk-purchase"));
    expect(calls.slice(1).map(({ body }) => (body as { orders: unknown[] }).orders.length)).toEqual(
      calls.slice(1).map(() => 1),
    );
    // The balance is not read: an accepted order is enough.
    simulator.switch({ floatEmpty: false });
    await shop.pass(3 * MINUTE);
    expect((await stateOf("datamart")).pausedFor).toBeNull();
    for (const id of ids) expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("because its float is too low for a large first order still gets a small one", async () => {
    const small = await world.product("MTN", "1GB", "3.90");
    simulator.switch({ floats: { datamart: 1000 } });
    const large = await shop.buy();
    const fitting = await shop.buy("0001", { product: small });
    await shop.pass(5 * MINUTE);
    expect(await shop.story(fitting)).toMatchObject({ status: "DELIVERED" });
    expect(await shop.story(large)).toMatchObject({ status: "PENDING", attempts: ["datamart queued"] });
  });
});

describe("a vendor's rate", () => {
  test("is shared by two processes: five calls in any minute at Hubnet, and none is refused", async () => {
    await shop.routeBy("hubnet");
    const ids: number[] = [];
    for (const _ of times(13, String)) ids.push(await shop.buy());
    await withSecondServer(world, async (other) => {
      for (const _ of times(20, String)) {
        await Promise.all([shop.work(), shop.work(other)]);
        await shop.pass(10);
      }
    });
    const calls = simulator.requests().filter(({ method, path }) => method === "POST" && path.includes("hubnet"));
    expect(calls.map(({ status }) => status)).toEqual(times(13, () => 200));
    const at = calls.map((call) => call.at.getTime()).sort((a, b) => a - b);
    const inMinuteFrom = (start: number) => at.filter((one) => one >= start && one <= start + 60_000).length;
    expect(Math.max(...at.map(inMinuteFrom))).toBeLessThanOrEqual(5);
    for (const id of ids) expect(await shop.story(id)).toMatchObject({ status: "DELIVERED" });
  });

  test("gives the time of its next call, while an order waits for it and it is not paused", async () => {
    const hubnet = shop.vendor("hubnet");
    await shop.routeBy("hubnet");
    expect(await dispatch.turnInMs(db, hubnet)).toBeNull();
    await shop.buy();
    await routing.routeDue(db, shop.vendors, 10);
    expect(await dispatch.turnInMs(db, hubnet)).toBe(0);
    await db.transaction((tx) => vendors.holdCalls(tx, "hubnet", 600));
    const waitMs = (await dispatch.turnInMs(db, hubnet))!;
    expect(waitMs).toBeWithin(500_000, 600_001);
    await pause("hubnet", "Too many complaints");
    expect(await dispatch.turnInMs(db, hubnet)).toBeNull();
    await pause("hubnet", null);
    await shop.pass(600);
    expect(await dispatch.turnInMs(db, hubnet)).toBeNull();
  });

  test("applies to status checks, too, with unknown results first", async () => {
    simulator.switch({ webhooks: false, holdDelivery: true });
    for (const _ of times(150, String)) await shop.buy();
    await shop.pass(25);
    const lost = await shop.buy("0005");
    await shop.pass(70);
    const questions = () =>
      simulator.requests().filter(({ method, path }) => method === "GET" && path.includes("/order-status/"));
    expect(questions().length).toBeLessThanOrEqual(240);
    expect((await shop.story(lost)).attempts).toEqual(["datamart processing"]);
    simulator.switch({ holdDelivery: false });
    await shop.pass(5 * MINUTE);
    expect(simulator.deliveries()).toHaveLength(151);
  });
});

describe("the delivery deadline", () => {
  test("is met by the answer to the last status check, where no webhook came", async () => {
    await shop.promise(60);
    simulator.switch({ webhooks: false });
    const id = await shop.buy("0015");
    await shop.pass(59 * MINUTE);
    await simulator.move(await shop.referenceOf(id), "completed");
    await db.execute(sql`update attempts set due_at = now() + interval '9 minutes' where order_id = ${id}`);
    await shop.pass(2 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE, concerns: [] });
  });

  test("once passed, stops sending, although the vendor recovers before the refund", async () => {
    await shop.promise(60);
    await pause("datamart", "Not today");
    const id = await shop.buy();
    await shop.pass(59 * MINUTE);
    await db.execute(sql`update orders set deliver_by = now() where id = ${id}`);
    await pause("datamart", null);
    expect(await dispatch.sendDue(db, shop.vendor("datamart"), withoutWebhook)).toBe(0);
    expect(await deadlines.refundOverdue(db)).toBe(1);
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "FAILED",
      attempts: ["datamart withdrawn"],
      paidPesewas: 0,
    });
    expect(shop.callsTo("datamart")).toBe(0);
  });
});

describe("an agent who cancels", () => {
  const cancel = (orderId: number) => cancelling.cancel(db, { by: shop.ama.by(), key: null, orderId });
  test("is refunded before the order is dispatched, also while it waits for its vendor", async () => {
    await pause("datamart", "Not today");
    const [waiting, routed] = [await shop.buy(), await shop.buy()];
    await cancel(waiting);
    await shop.work();
    await cancel(routed);
    await pause("datamart", null);
    await shop.pass(MINUTE);
    expect(await shop.story(waiting)).toMatchObject({ status: "FAILED", attempts: [], paidPesewas: 0 });
    expect(await shop.story(routed)).toMatchObject({
      status: "FAILED",
      attempts: ["datamart withdrawn"],
      paidPesewas: 0,
    });
    expect(shop.callsTo("datamart")).toBe(0);
  });

  test("is refused from the start of the first call to a vendor", async () => {
    const id = await shop.buy();
    const vendor = shop.vendor("datamart");
    let answer = "";
    const slow: BundleVendor = {
      ...vendor,
      place: async (batch) => {
        answer = await outcome(cancel(id));
        return vendor.place(batch);
      },
    };
    await routing.routeDue(db, shop.vendors, 10);
    await dispatch.sendDue(db, slow, withoutWebhook);
    expect(answer).toBe("order.not_cancellable");
    expect(await outcome(cancel(id))).toBe("order.not_cancellable");
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });
});

describe("an admin's decision while a vendor has the order", () => {
  test("FAILED, but it is delivered: a concern, and one refund", async () => {
    const id = await shop.buy();
    await shop.pass(1);
    await shop.move(id, "FAILED");
    await shop.pass(MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "FAILED",
      attempts: ["datamart delivered"],
      paidPesewas: 0,
      concerns: ["Delivered after the refund"],
    });
  });

  test("DELIVERED, but the vendor never received it: a concern, and it is not sent again", async () => {
    const id = await shop.buy("0006");
    await shop.work();
    await shop.move(id, "DELIVERED");
    await shop.pass(7 * HOUR);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart failed"],
      paidPesewas: PRICE,
      concerns: ["Marked as DELIVERED, but DataMart GH never received it"],
    });
    expect(shop.callsTo("datamart")).toBe(1);
  });

  test("FAILED while it is refused or lost: it is not sent again, and blocks no other order", async () => {
    const lost = await shop.buy("0006");
    await shop.work();
    await shop.move(lost, "FAILED");
    const vendor = shop.vendor("datamart");
    const refused = await shop.buy("0009");
    const slow: BundleVendor = {
      ...vendor,
      place: async (batch) => {
        const placed = await vendor.place(batch);
        await shop.move(refused, "FAILED");
        return placed;
      },
    };
    await routing.routeDue(db, shop.vendors, 10);
    await db.execute(sql`update vendors set next_call_at = now()`);
    await dispatch.sendDue(db, slow, withoutWebhook);
    expect(await shop.story(refused)).toMatchObject({ attempts: ["datamart withdrawn"], paidPesewas: 0 });
    await shop.pass(7 * HOUR);
    expect(await shop.story(lost)).toMatchObject({ attempts: ["datamart failed"], paidPesewas: 0 });
    const next = await shop.buy();
    await shop.pass(MINUTE);
    expect(await shop.story(next)).toMatchObject({ status: "DELIVERED" });
    expect(shop.callsTo("datamart")).toBe(3);
  });

  test("PROCESSING before it was sent: it belongs to the admin, and no vendor gets it", async () => {
    await pause("datamart", "Not today");
    const id = await shop.buy();
    await shop.work();
    await shop.move(id, "PROCESSING");
    await pause("datamart", null);
    await shop.pass(HOUR);
    expect(await shop.story(id)).toMatchObject({
      status: "PROCESSING",
      attempts: ["datamart withdrawn", "desk processing"],
    });
    expect(shop.callsTo("datamart")).toBe(0);
  });
});

describe("webhooks", () => {
  const deliver = async (ending = "0015") => {
    const id = await shop.buy(ending);
    await shop.pass(5);
    return { id, reference: await shop.referenceOf(id) };
  };
  test("that were not accepted are repeated, and count even when late", async () => {
    const { id, reference } = await deliver();
    shop.listen(false);
    await simulator.move(reference, "completed");
    await shop.work();
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING" });
    shop.listen(true);
    await db.execute(sql`update attempts set due_at = now() + interval '1 day' where order_id = ${id}`);
    await shop.pass(61);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("that are repeated, or older than one before, change nothing", async () => {
    const { id, reference } = await deliver();
    for (const news of ["completed", "completed", "processing", "created", "waiting"] as const)
      await simulator.notify(reference, news, { copies: 2 });
    await shop.work();
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
      timeline: [expect.stringContaining("Sent to"), "DataMart GH delivered it"],
      concerns: [],
    });
  });

  test("with “failed” after “completed” cause no refund but a concern for an admin", async () => {
    const { id, reference } = await deliver();
    await simulator.notify(reference, "completed");
    await shop.work();
    await simulator.notify(reference, "failed");
    await shop.work();
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      paidPesewas: PRICE,
      concerns: ["DataMart GH reported it as delivered, then as failed"],
    });
  });

  test("with a wrong signature, or to a wrong address, are refused", async () => {
    const { id, reference } = await deliver();
    for (const signature of ["wrong", "missing", "tampered"] as const) {
      await simulator.notify(reference, "completed", { signature });
      expect(simulator.webhooks().at(-1)!.answers).toEqual([401]);
    }
    await shop.routeBy("hubnet");
    const { id: other, reference: theirs } = await deliver();
    const address = simulator.orders().find((order) => order.ref === theirs)!.webhookUrl!;
    const url = address.replace(/.{5}$/, "xxxxx");
    await simulator.notify("DF0009999T1", "completed", { vendor: "hubnet", url });
    expect(simulator.webhooks().at(-1)!.answers).toEqual([401]);
    await shop.work();
    for (const one of [id, other]) expect(await shop.story(one)).toMatchObject({ status: "PROCESSING" });
  });

  test("about an unknown order are acknowledged, and change nothing", async () => {
    await shop.routeBy("hubnet");
    const { id, reference } = await deliver();
    const url = simulator.orders().find((order) => order.ref === reference)!.webhookUrl!;
    await simulator.notify("DF0009999T1", "completed", { vendor: "hubnet", url });
    expect(simulator.webhooks().at(-1)!.answers).toEqual([200]);
    await simulator.notify("DF0009999T2", "completed", { vendor: "datamart" });
    await shop.work();
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", paidPesewas: PRICE });
  });

  test("that never come are not needed where there are status checks", async () => {
    simulator.switch({ webhooks: false });
    const { id } = await deliver("0001");
    await shop.pass(2 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("with “failed” that overtake the answer to the call pass the order on, and the answer is ignored", async () => {
    await shop.routeBy("datamart,hubnet");
    const id = await shop.buy("0015");
    const vendor = shop.vendor("datamart");
    const slow: BundleVendor = {
      ...vendor,
      place: async (batch) => {
        const placed = await vendor.place(batch);
        await simulator.move(batch[0]!.reference, "failed");
        await shop.work();
        return placed;
      },
    };
    await routing.routeDue(db, shop.vendors, 10);
    await dispatch.sendDue(db, slow, withoutWebhook);
    expect((await shop.story(id)).attempts).toEqual(["datamart failed", "hubnet accepted"]);
  });
});

test("a call with many orders changes them in one commit, each with its own reference in its timeline", async () => {
  const ids = [await shop.buy(), await shop.buy(), await shop.buy(), await shop.buy()];
  await shop.work();
  const rows = await db.execute<{ order_id: number; detail: string; statement: string }>(sql`
    select order_id, detail, xmin || ' ' || cmin as statement from order_events
    where to_status = 'PROCESSING' and order_id in ${ids}`);
  expect(rows.length).toBe(ids.length);
  expect(new Set(rows.map(({ detail }) => detail)).size).toBe(ids.length);
  expect(new Set(rows.map(({ statement }) => statement)).size).toBe(1);
});
