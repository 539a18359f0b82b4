// Tests of products through the API: valid sizes, bundle families, and confirmed prices.
import { describe, expect, test } from "bun:test";
import * as priceHistory from "../../src/core/catalog/price-history.ts";
import * as products from "../../src/core/catalog/products.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const { call } = openApp(world);
const ama = await world.person("ama", "GH₵ 500.00");
const bundle = await world.product("MTN", "2GB", "8.40");
await products.ensureAfa(db);
const afa = await products.afa(db);

const add = (product: object) =>
  call(yaw, "POST", "/api/v1/products", {
    operator: "MTN",
    name: "Some",
    size: "7GB",
    price: 27,
    ...product,
  });
const edit = (change: object, id = bundle.id) => call(yaw, "PATCH", `/api/v1/products/${id}`, change);

describe("a size", () => {
  test.each([
    ["3gb", "3GB", 3000],
    [" 1.5 GB ", "1.5GB", 1500],
    ["500MB", "500MB", 500],
    ["12.0gb", "12GB", 12_000],
  ])("%p is kept as %s", async (size, kept, volumeMb) => {
    const { status, body } = await add({ size, name: `Size ${kept}` });
    expect([status, body.size]).toEqual([201, kept]);
    expect((await products.get(db, body.id)).volumeMb).toBe(volumeMb);
  });
  test("that is no amount of data is refused, with an example", async () => {
    for (const size of ["banana", "2 gig", "5", "GB", "0GB", "-1GB", "1e3GB"]) {
      const { status, body } = await add({ size });
      expect([size, status, body.code]).toEqual([size, 422, "product.size_invalid"]);
      expect(body.message).toBe("Write the size like 5GB or 500MB");
    }
    expect((await edit({ size: "a lot" })).body.code).toBe("product.size_invalid");
    expect((await edit({ size: "2000mb" })).body).toMatchObject({ size: "2000MB" });
    expect((await edit({ size: "2GB" })).body).toMatchObject({ size: "2GB" });
  });
});

describe("a bundle family", () => {
  test("is AirtelTigo's iShare by default, and never another network's", async () => {
    const at = { operator: "AIRTELTIGO", size: "15GB", price: 56.3 };
    expect((await add({ ...at, name: "AT Big Time" })).body.family).toBe("AT_ISHARE");
    const { body } = await add({ ...at, name: "BT", family: "AT_BIGTIME" });
    expect(body.family).toBe("AT_BIGTIME");
    expect((await edit({ family: "AT_ISHARE" }, body.id)).body.family).toBe("AT_ISHARE");
    for (const refused of [await add({ family: "AT_BIGTIME" }), await edit({ family: "TELECEL" })])
      expect([refused.status, refused.body.code]).toEqual([422, "product.family_wrong"]);
    expect((await edit({ family: "GLO" })).body.code).toBe("request.invalid");
  });
});

describe("a price", () => {
  longTest("that changes by more than half, up or down, needs confirmation; the refusal has both prices", async () => {
    for (const price of [84_000, 12.61, 4.19, 0.01]) {
      const { status, body } = await edit({ price });
      expect([price, status, body.code]).toEqual([price, 409, "product.price_needs_confirmation"]);
      expect(body.details).toMatchObject({ oldPrice: 8.4, newPrice: price });
    }
    for (const price of [12.6, 8.4, 4.2, 8.4]) {
      const { status, body } = await edit({ price, confirmPrice: price === 8.4 });
      expect([status, body.price]).toEqual([200, price]);
    }
    expect((await edit({ price: 84, confirmPrice: true })).body.price).toBe(84);
    await edit({ price: 8.4, confirmPrice: true });
  });
  test("of a new product is compared with others of its size", async () => {
    const two = { size: "2GB", operator: "TELECEL" };
    expect((await add({ ...two, price: 84 })).body.code).toBe("product.price_needs_confirmation");
    expect((await add({ ...two, price: 0.84 })).body.code).toBe("product.price_needs_confirmation");
    expect((await add({ ...two, price: 9.5 })).status).toBe(201);
    expect((await add({ ...two, name: "Dear", price: 84, confirmPrice: true })).status).toBe(201);
    expect((await add({ size: "99GB", price: 1 })).status).toBe(201);
  });
  test("needs only one confirmation when two requests change it at once", async () => {
    const both = await Promise.all([edit({ price: 10 }), edit({ price: 11 })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await edit({ price: 8.4 });
  });
});

describe("a product", () => {
  test("is renamed, paused and resumed; fields not sent stay, and all is in the audit log", async () => {
    expect((await edit({ name: "MTN two" })).body).toMatchObject({
      name: "MTN two",
      price: 8.4,
      paused: null,
    });
    expect((await edit({ pausedMessage: "Back at noon" })).body.paused).toBe("Back at noon");
    const line = { productId: bundle.id, msisdn: "0541234567", quantity: 1 };
    expect((await call(ama, "POST", "/api/v1/orders", { ...line, pay: "wallet" })).body.code).toBe("product.paused");
    expect((await edit({ pausedMessage: null })).body.paused).toBeNull();
    expect((await edit({ pausedMessage: " " })).body.code).toBe("request.invalid");
    expect((await priceHistory.ofProduct(db, bundle.id)).length).toBeGreaterThan(0);
  });
  test("and an operator can have a pause with an end, which is public; an invalid end is refused", async () => {
    const until = new Date(Date.now() + 7_200_000).toISOString();
    const onSale = async () => {
      const { body } = await call(ama, "GET", "/api/v1/products?operator=MTN");
      return body.find(({ id }: { id: number }) => id === bundle.id);
    };
    const typed = until.replace("Z", "+00:00");
    const paused = (await edit({ pausedMessage: "Back soon", pausedUntil: typed })).body;
    expect([paused.paused, paused.pausedUntil]).toEqual(["Back soon", until]);
    const listed = await onSale();
    expect([listed.paused, listed.pausedUntil]).toEqual(["Back soon", until]);
    for (const pausedUntil of ["2001-02-03T04:05:06Z", "2999-01-01T00:00:00Z"])
      expect((await edit({ pausedUntil })).body.code).toBe("pause.end_invalid");
    for (const pausedUntil of ["tomorrow", "2026-11-24", 7, "", "2026-13-01T00:00:00Z"])
      expect((await edit({ pausedUntil })).body.details.fields.pausedUntil).toBeString();
    expect((await edit({ pausedUntil: null })).body).toMatchObject({
      paused: "Back soon",
      pausedUntil: null,
    });
    expect((await edit({ pausedMessage: null })).body).toMatchObject({ paused: null, pausedUntil: null });
    expect((await edit({ pausedUntil: until })).body.code).toBe("pause.message_missing");

    const mtn = (change: object, person = yaw, operator = "MTN") =>
      call(person, "PATCH", `/api/v1/admin/operators/${operator}`, change);
    const state = (await mtn({ pausedMessage: "MTN is slow", pausedUntil: until })).body;
    expect(state).toMatchObject({ operator: "MTN", paused: true, message: "MTN is slow", until });
    expect((await call(ama, "GET", "/api/v1/operators")).body[0]).toEqual(state);
    // Its own pause ends first, so the network's is shown.
    await edit({ pausedMessage: "Back soon", pausedUntil: new Date(Date.now() + 60_000).toISOString() });
    const both = await onSale();
    expect([both.paused, both.pausedUntil]).toEqual(["MTN is slow", until]);
    await edit({ pausedMessage: null });
    expect((await mtn({ pausedUntil: "2001-02-03T04:05:06Z" })).body.code).toBe("pause.end_invalid");
    expect((await mtn({ pausedMessage: "x" }, ama)).status).toBe(403);
    expect((await mtn({ pausedMessage: "x" }, yaw, "GLO")).body.code).toBe("request.invalid");
    const on = (await mtn({ pausedMessage: null })).body;
    expect(on).toEqual({
      operator: "MTN",
      name: "MTN",
      paused: false,
      message: null,
      since: null,
      until: null,
    });
  });
  test("is changed by admins only, if it exists; the AFA registration keeps its size", async () => {
    expect((await call(ama, "PATCH", `/api/v1/products/${bundle.id}`, { price: 9 })).status).toBe(403);
    expect((await edit({ price: 9 }, 999_999)).body.code).toBe("product.not_found");
    expect((await edit({ size: "1GB" }, afa.id)).body.code).toBe("product.fixed");
    expect((await edit({ family: "MTN" }, afa.id)).body.code).toBe("product.fixed");
    expect((await edit({ price: 6 }, afa.id)).body).toMatchObject({ price: 6, family: null, size: "AFA" });
  });
});
