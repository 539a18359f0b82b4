// Tests of the controls of the vendors' simulator: clock, switches, webhooks, faults, persistence and page.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startVendors, type VendorSimulator } from "../../dev/simulators/vendors/vendors.ts";
import { startVendorSimulator } from "../../src/app/simulators.ts";
import { createVendors } from "../../src/gateways/vendors/index.ts";
import { dispatchTo, placeOne, startShop } from "../gateways/vendor-world.ts";

const vendors = await startVendors();
const shop = startShop();
const [datamart, hubnet] = createVendors(vendors.settings);
afterAll(async () => void (await Promise.all([vendors.stop(), shop.stop()])));
beforeEach(() => {
  vendors.reset();
  shop.heard.length = 0;
});

const control = async (path: string, body?: object, url = vendors.url) => {
  const response = await fetch(`${url}/_control${path}`, {
    method: body ? "POST" : "GET",
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};
const reported = () => vendors.webhooks().map(({ news }) => news);

describe("the clock", () => {
  test("stands still until it is advanced, and then runs what is due in order, at its time", async () => {
    vendors.switch({ webhookUrls: { datamart: shop.url } });
    await placeOne(datamart!, dispatchTo("0003"));
    expect(reported()).toEqual([]);
    await vendors.advance(1);
    expect(reported()).toEqual(["created"]);
    await control("/advance", { seconds: 19 });
    expect(reported()).toEqual(["created", "processing", "failed"]);
    expect(shop.heard).toHaveLength(3);
    const at = shop.heard.map(({ raw }) => JSON.parse(new TextDecoder().decode(raw)).timestamp.slice(11, 19));
    expect(at).toEqual(["08:00:01", "08:00:02", "08:00:20"]);
  });

  test("runs by itself, up to six hundred times as fast", async () => {
    vendors.switch({ speed: 600 });
    await placeOne(datamart!, dispatchTo("4567"));
    while (vendors.deliveries().length === 0) await Bun.sleep(10);
    expect(vendors.deliveries()).toMatchObject([{ count: 1 }]);
  });

  test("and a seed give the same numbers and times in every run", async () => {
    const run = async (seed: string) => {
      const other = await startVendors({ seed });
      try {
        await placeOne(createVendors(other.settings)[0]!, dispatchTo("0002", { reference: "SAMEREF1" }));
        const [order] = other.orders();
        while (other.deliveries().length === 0) await other.advance(60);
        return [order!.transactionCode, other.switches().now];
      } finally {
        await other.stop();
      }
    };
    expect(await run("one")).toEqual(await run("one"));
    expect(await run("one")).not.toEqual(await run("two"));
  });
});

test("deliveries can be held back, and continue when released", async () => {
  vendors.switch({ holdDelivery: true });
  await placeOne(datamart!, dispatchTo("4567"));
  await vendors.advance(3600);
  expect(vendors.deliveries()).toEqual([]);
  vendors.switch({ holdDelivery: false });
  await vendors.advance(0);
  expect(vendors.deliveries()).toMatchObject([{ number: "0541234567", count: 1 }]);
});

test("an order can be moved by hand: reported as delivered without arriving, then sent after all", async () => {
  const dispatch = dispatchTo("0016");
  await placeOne(datamart!, dispatch);
  await vendors.advance(60);
  expect(vendors.orders()).toMatchObject([{ status: "completed" }]);
  expect(vendors.deliveries()).toEqual([]);
  await control(`/orders/${dispatch.reference}`, { status: "completed" });
  await control(`/orders/${dispatch.reference}`, { status: "completed" });
  expect(vendors.deliveries()).toMatchObject([{ reference: dispatch.reference, count: 2 }]);
  expect((await control("/orders/NOBODY", { status: "failed" })).body).toEqual({
    ok: false,
    message: "No vendor knows NOBODY",
  });
});

describe("a webhook", () => {
  test("without an answer is sent again with the same bytes, twice", async () => {
    vendors.switch({ webhookUrls: { datamart: "http://127.0.0.1:1/hook" } });
    const dispatch = dispatchTo("0015");
    await placeOne(datamart!, dispatch);
    await vendors.notify(dispatch.reference, "completed");
    await vendors.advance(3600);
    expect(vendors.webhooks()).toMatchObject([{ news: "completed", answers: [null, null, null] }]);
  });

  test("is not sent when webhooks are off, or without an address", async () => {
    await placeOne(datamart!, dispatchTo("4567"));
    await placeOne(hubnet!, dispatchTo("4567", { webhookUrl: shop.url }));
    vendors.switch({ webhooks: false, webhookUrls: { datamart: shop.url } });
    await vendors.advance(3600);
    expect(shop.heard).toEqual([]);
    expect(vendors.deliveries()).toHaveLength(2);
  });

  test("can be forged, repeated, or about no order", async () => {
    vendors.switch({ webhookUrls: { datamart: shop.url } });
    await control("/tell", {
      reference: "NOBODY01",
      news: "completed",
      vendor: "datamart",
      signature: "wrong",
      copies: 2,
    });
    await control("/tell", { reference: "NOBODY01", news: "completed", vendor: "hubnet", url: shop.url });
    expect(shop.heard).toHaveLength(3);
    expect((await control("/tell", { reference: "NOBODY01", news: "completed" })).status).toBe(400);
  });
});

test("everything can be switched over HTTP, and unknown switches are refused", async () => {
  const change = { floatEmpty: true, rate: 3, down: ["TELECEL"], floats: { hubnet: 5 }, priceDrift: 6 };
  expect((await control("", change)).body).toMatchObject({
    ...change,
    floats: { hubnet: 5, datamart: 2_500_000 },
    speed: 0,
  });
  expect((await control("", { floatEmpti: true })).status).toBe(400);
  expect((await control("", { speed: 2 })).status).toBe(400);
  await control("/faults", { route: "GET /datamart/api/developer/balance", kind: "html502" });
  expect(await datamart!.balance()).toMatchObject({ kind: "unclear" });
  await control("/reset", {});
  expect((await control("")).body).toMatchObject({ floatEmpty: false, rate: null, down: [] });
  expect((await control("/deliveries")).body).toEqual([]);
  expect((await control("/state")).body).toMatchObject({ orders: [], webhooks: [], requests: [] });
});

test("calls are kept for inspection without their keys", async () => {
  await Promise.all(createVendors(vendors.settings).map((vendor) => vendor.balance()));
  const log = JSON.stringify(vendors.requests());
  for (const { apiKey } of Object.values(vendors.settings)) expect(log).not.toContain(apiKey);
  expect(vendors.requests()).toHaveLength(3);
});

describe("the page", () => {
  const press = (fields: Record<string, string>) =>
    fetch(vendors.url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

  test("shows orders and arrivals, and causes faults at the press of a button", async () => {
    const dispatch = dispatchTo("4567");
    await placeOne(datamart!, dispatch);
    await press({ seconds: "60" });
    const html = await (await fetch(vendors.url)).text();
    for (const text of ["DataMart GH", "054 123 4567", dispatch.reference, "GH₵ 19.00", "completed", "once"])
      expect(html).toContain(text);
    expect(html).not.toContain("<script");
    const button = /name="change" value="([^"]*floatEmpty[^"]*)"/.exec(html)![1]!.replaceAll("&quot;", '"');
    expect((await press({ change: button })).status).toBe(303);
    expect(vendors.switches().floatEmpty).toBe(true);
  });

  test("shows what a shop sends as plain text", async () => {
    await fetch(`${vendors.url}/datamart/api/developer/purchase`, {
      method: "POST",
      headers: { "x-api-key": vendors.settings.datamart.apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        phoneNumber: "0541234567",
        network: "YELLO",
        capacity: "1",
        gateway: "wallet",
        ref: "<b>",
      }),
    });
    expect(await (await fetch(vendors.url)).text()).toContain("&lt;b&gt;");
  });
});

describe("a restart", () => {
  const folder = mkdtempSync(join(tmpdir(), "vendors-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("keeps every order, key, switch and pending event", async () => {
    const keepIn = join(folder, "in-process");
    const dispatch = dispatchTo("4567");
    const first = await startVendors({ keepIn });
    const placed = await placeOne(createVendors(first.settings)[0]!, dispatch);
    first.switch({ down: ["TELECEL"], webhookUrls: { datamart: shop.url } });
    await first.stop();
    const second: VendorSimulator = await startVendors({ keepIn });
    try {
      expect(second.switches()).toMatchObject({ down: ["TELECEL"] });
      expect(await placeOne(createVendors(second.settings)[0]!, dispatch)).toEqual(placed);
      await second.advance(60);
      expect(second.deliveries()).toMatchObject([{ reference: dispatch.reference, count: 1 }]);
      expect(shop.heard).toHaveLength(3);
    } finally {
      await second.stop();
    }
  });

  test("that many share answers every call, whatever numbers are in it", async () => {
    const shared = await startVendorSimulator(folder, { isShared: true });
    try {
      const [datamart] = createVendors(shared.settings);
      const endings = ["0005", "0006", "0001", "0007", "0008"];
      const placed = await datamart!.place(endings.map((ending) => dispatchTo(ending)));
      expect(placed.map(({ kind }) => kind)).toEqual(["taken", "taken", "taken", "unclear", "taken"]);
    } finally {
      await shared.stop();
    }
  });

  test("of the process keeps its state, too", async () => {
    const dispatch = dispatchTo("0015");
    const first = await startVendorSimulator(folder);
    await first.sendWebhooksTo({ datamart: shop.url, africastalking: shop.url });
    await placeOne(createVendors(first.settings)[0]!, dispatch);
    await first.stop();
    const second = await startVendorSimulator(folder);
    try {
      const found = await createVendors(second.settings)[0]!.checkStatus({
        ...dispatch,
        vendorReference: null,
      });
      expect(found).toMatchObject({ kind: "found", state: "processing" });
      expect((await control("", undefined, second.pageUrl.slice(0, -1))).body).toMatchObject({
        speed: 1,
        webhookUrls: { datamart: shop.url, hubnet: null, africastalking: shop.url },
      });
    } finally {
      await second.stop();
    }
  });
});
