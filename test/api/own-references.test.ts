// Own references: what a program writes on its orders comes back everywhere, within limits, and a reference that it
// wants once is there once, whoever asks at the same moment.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { webhookKeysOf } from "../../src/core/webhooks/endpoints.ts";
import { count, databaseRefusal, freshNumber, tally, times, withSecondServer } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openHook } from "../support/webhook.ts";
import { createTestHooks, openApp, openWorld, TEST_JWT_SECRET, testApp } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const call = checkedCalls(client);
const ama = await world.person("ama", "GH₵ 9000.00");
const kofi = await world.person("kofi", "GH₵ 900.00");
const bundle = await world.product("MTN", "1GB", "3.90");

const line = (more: object = {}) => ({ productId: bundle.id, msisdn: freshNumber(), ...more });
const order = (more: object = {}) => line({ pay: "wallet", ...more });
const post = (body: object, headers = {}, person = ama) => call(person, "POST", "/api/v1/orders", body, headers);
const bulk = (body: object, headers = {}) => call(ama, "POST", "/api/v1/orders/bulk", body, headers);
const withKey = (key: string) => ({ "idempotency-key": key });
const ordersOf = (person = ama) => count(db, sql`from orders where user_id = ${person.id}`);
const fresh = () => `INV-${freshNumber()}`;
const own = { reference: "INV/2026#0042~", metadata: { customer: "81", till: "Osu, 2nd floor" } };
const nothing = { reference: null, metadata: null };

describe("an order's reference and metadata", () => {
  test("come back with its answer, its replay, the lists, its timeline, and to staff", async () => {
    const sent = order(own);
    const placed = await post(sent, withKey("own-1"));
    expect(placed.body).toMatchObject({ ...own, failure: null });
    const replayed = await post(sent, withKey("own-1"));
    expect([replayed.body, replayed.headers.get("idempotency-replayed")]).toEqual([placed.body, "true"]);
    const { id } = placed.body;
    expect((await call(ama, "GET", `/api/v1/orders/${id}`)).body).toMatchObject(own);
    expect((await call(ama, "GET", "/api/v1/orders?limit=1")).body).toMatchObject([{ id, ...own }]);
    expect((await call(yaw, "GET", "/api/v1/admin/orders?limit=1")).body).toMatchObject([{ id, ...own }]);
    expect((await post(order())).body).toMatchObject(nothing);
  });

  test("belong to unpaid orders, too, and stay when these are paid", async () => {
    const { body } = await post(line(own));
    expect(body).toMatchObject({ ...own, paid: false });
    const spent = await call(ama, "POST", "/api/v1/wallet/spend", { orderId: body.id });
    expect(spent.body.order ?? spent.body).toMatchObject({ ...own, paid: true });
  });

  test("are in the messages to the agent's server", async () => {
    const keys = webhookKeysOf(createTestHooks(), TEST_JWT_SECRET, null);
    await openHook(db, keys, { by: kofi.by(), url: "http://hook.example:8080/own" });
    const { id } = (await post(order(own), {}, kofi)).body;
    await call(kofi, "POST", `/api/v1/orders/${id}/cancel`);
    const [message] = await db.execute<{ body: string }>(sql`select body from hook_deliveries where order_id = ${id}`);
    expect(JSON.parse(message!.body).data).toMatchObject({ ...own, failure: { code: "cancelled" } });
  });

  test("are on its page and in the agent's file, where a formula stays text", async () => {
    const { id } = (await post(order({ reference: "=1+1", metadata: { till: "<b>Osu</b>" } }))).body;
    const page = await (await client.browse(ama, `/orders/${id}`)).text();
    expect(page).toContain("<bdi>=1+1</bdi>");
    expect(page).toContain("till: &lt;b&gt;Osu&lt;/b&gt;");
    const file = await (await client.browse(ama, "/orders/export?kind=all")).text();
    expect(file.split("\r\n")[0]).toEndWith(",Date,Reference,Own data");
    expect(file).toContain(`,'=1+1,till: <b>Osu</b>\r\n`);
  });

  test("find it on the agent's page, by exactly the reference; others' are not found", async () => {
    const reference = "2026-11-0042";
    const { id } = (await post(order({ reference }))).body;
    const find = async (person: typeof ama, text: string) =>
      (await call(person, "GET", `/api/v1/orders?search=${encodeURIComponent(text)}`)).body;
    expect(await find(ama, reference)).toMatchObject([{ id }]);
    expect(await find(kofi, reference)).toEqual([]);
    const page = await (await client.browse(ama, `/orders?search=${reference}`)).text();
    expect(page).toContain(`/orders/${id}`);
  });

  test("have limits, beyond which nothing is placed", async () => {
    const before = await ordersOf();
    const refusalOf = async (more: object) => (await post(order(more))).body.details?.fields;
    const rule = "must have 1 to 64 printable characters without spaces";
    for (const reference of ["", " ", "two words", "é", "x".repeat(65), "a\u0000b", 7, null])
      expect([reference, await refusalOf({ reference })]).toEqual([reference, { reference: rule }]);
    const many = Object.fromEntries(times(11, (n) => [`key${n}`, "x"]));
    expect(await refusalOf({ metadata: many })).toEqual({ metadata: "must have at most 10 keys" });
    for (const metadata of [{ k: "x".repeat(201) }, { k: 5 }, { k: null }, { k: { deep: "x" } }, { k: "a\u0000" }])
      expect(await refusalOf({ metadata })).toEqual({ "metadata.k": expect.any(String) });
    const lost = { metadata: JSON.parse('{"a": "1", "__proto__": "x"}') };
    const refused = { metadata: "must not have a key named __proto__" };
    expect(await refusalOf(lost)).toEqual(refused);
    expect((await bulk({ orders: [line()], ...lost })).body.details.fields).toEqual(refused);
    expect((await bulk({ orders: [line(lost)] })).body.details.fields).toEqual({
      "orders.0.metadata": refused.metadata,
    });
    for (const metadata of [{ ["k".repeat(41)]: "x" }, { "": "x" }, [], "text"])
      expect(await refusalOf({ metadata })).toBeDefined();
    expect(await ordersOf()).toBe(before);
    const largest = Object.fromEntries(times(10, (n) => ["\u0001".repeat(39) + n, "\u0001".repeat(200)]));
    const { status, body } = await post(order({ reference: "~".repeat(64), metadata: largest }));
    expect([status, body.metadata]).toEqual([201, largest]);
  });

  test("make another request under the same key; the same data in another sequence does not", async () => {
    for (const [n, body] of [order(), line()].entries()) {
      const send = (more: object) => post({ ...body, ...more }, withKey(`data-${n}`));
      expect((await send({ reference: "A", metadata: { a: "1", b: "2" } })).status).toBe(201);
      const again = await send({ metadata: { b: "2", a: "1" }, reference: "A" });
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
      for (const other of [{}, { reference: "A" }, { reference: "B", metadata: { a: "1", b: "2" } }])
        expect((await send(other)).body.code).toBe("request.key_reused");
      const stricter = { reference: "A", metadata: { a: "1", b: "2" }, uniqueReference: true };
      expect((await send(stricter)).body.code).toBe("request.key_reused");
    }
    const orders = [line({ reference: "L" })];
    const send = (more: object) => bulk({ orders, ...more }, withKey("data-bulk"));
    expect((await send({ metadata: { a: "1" } })).status).toBe(201);
    expect((await send({ metadata: { a: "1" } })).headers.get("idempotency-replayed")).toBe("true");
    for (const other of [{}, { metadata: { a: "2" } }, { metadata: { a: "1" }, reference: "R" }])
      expect((await send(other)).body.code).toBe("request.key_reused");
  });
});

describe("a reference that is wanted once", () => {
  const once = { uniqueReference: true };

  test("is refused with the order that has it, paid or not; nothing is charged", async () => {
    for (const first of [order(), line()])
      for (const second of [order(once), line(once)]) {
        const reference = fresh();
        const { body: placed } = await post({ ...first, msisdn: freshNumber(), reference });
        const before = await world.balanceOf(ama);
        const { status, body } = await post({ ...second, msisdn: freshNumber(), reference });
        expect([status, body.code, body.details]).toEqual([
          409,
          "order.reference_used",
          { reference, orderId: placed.id, orderedAt: placed.createdAt },
        ]);
        expect(await world.balanceOf(ama)).toBe(before);
      }
  });

  test("stays used after the order failed, because a refund can be taken back", async () => {
    const reference = fresh();
    const { body } = await post(order({ reference, ...once }));
    await call(ama, "POST", `/api/v1/orders/${body.id}/cancel`);
    expect((await post(order({ reference, ...once }))).body.code).toBe("order.reference_used");
  });

  test("may be the same where it is not wanted once, in another account, and in another case", async () => {
    const reference = fresh();
    await post(order({ reference, ...once }));
    expect((await post(order({ reference }))).status).toBe(201);
    expect((await post(order({ reference, ...once }), {}, kofi)).status).toBe(201);
    expect((await post(order({ reference: reference.toLowerCase(), ...once }))).status).toBe(201);
  });

  test("has to be given: wanted once without one, nothing is placed", async () => {
    const before = await ordersOf();
    for (const sent of [post(order(once)), post(line(once)), bulk({ orders: [line(), line()], ...once })]) {
      const { status, body } = await sent;
      expect([status, body.code, body.details.fields]).toEqual([
        ...[422, "request.invalid"],
        { reference: "uniqueReference needs a reference" },
      ]);
      expect(body.message).toBe("Give a reference with uniqueReference. Without one it would have no effect.");
    }
    expect(await ordersOf()).toBe(before);
    expect((await post(order({ uniqueReference: false }))).status).toBe(201);
    // One line with a reference is enough, however far behind the others.
    const orders = [...times(300, () => line()), line({ reference: fresh() })];
    expect((await bulk({ orders, ...once })).status).toBe(201);
    expect((await bulk({ orders: [line()], reference: fresh(), ...once })).status).toBe(201);
  });

  test("gets its answer again under the same key, and is refused under another", async () => {
    const sent = order({ reference: fresh(), ...once });
    const { body } = await post(sent, withKey("once"));
    const again = await post(sent, withKey("once"));
    expect([again.body, again.headers.get("idempotency-replayed")]).toEqual([body, "true"]);
    expect((await post(sent, withKey("twice"))).body).toMatchObject({
      code: "order.reference_used",
      details: { orderId: body.id },
    });
  });

  longTest("is placed once when forty ask at once, by two servers, paid and unpaid, alone and in lists", async () => {
    await withSecondServer(world, async (second) => {
      const servers = [client.app, testApp(second)];
      const token = `Bearer ${await client.tokenOf(ama)}`;
      for (let round = 0; round < 3; round++) {
        const reference = fresh();
        const bodies = times(40, (n): [string, object] =>
          n % 4 === 3
            ? ["/orders/bulk", { orders: [line({ reference }), line()], ...once }]
            : ["/orders", { ...(n % 4 === 2 ? line() : order()), reference, ...once }],
        );
        const codes = await Promise.all(
          bodies.map(async ([path, body], n) => {
            const response = await servers[n % 2]!.fetch(
              new Request(`http://localhost/api/v1${path}`, {
                method: "POST",
                headers: { authorization: token, "content-type": "application/json" },
                body: JSON.stringify(body),
              }),
            );
            const answer = await response.json();
            return response.status === 201 ? "placed" : (answer.details?.lines?.[0].code ?? answer.code);
          }),
        );
        expect(tally(codes)).toEqual({ placed: 1, "order.reference_used": 39 });
        expect(await count(db, sql`from orders where user_id = ${ama.id} and reference = ${reference}`)).toBe(1);
      }
    });
  });

  test("is refused by the database itself, which every writer meets", async () => {
    const reference = fresh();
    const { body } = await post(order({ reference, ...once }));
    const copy = (more: string) =>
      db.execute(sql`
        insert into orders (user_id, product_id, operator, product_name, product_size, unit_price_pesewas, quantity,
                            amount_pesewas, msisdn, channel, reference, is_reference_unique)
        select user_id, product_id, operator, product_name, product_size, unit_price_pesewas, quantity,
               amount_pesewas, msisdn, channel, ${sql.raw(more)} from orders where id = ${body.id}`);
    expect(await databaseRefusal(copy("reference, true"))).toBe("orders_reference_once");
    expect(await databaseRefusal(copy("null, true"))).toBe("orders_reference_fits");
    expect(await databaseRefusal(copy("repeat('x', 65), null"))).toBe("orders_reference_fits");
  });
});

describe("a bulk order", () => {
  const once = { uniqueReference: true };

  test("has a reference of its own, and each line has one", async () => {
    const orders = [line({ reference: "L-1", metadata: { row: "1" } }), line()];
    const { body } = await bulk({ orders, ...own }, withKey("bulk-own"));
    expect(body).toMatchObject(own);
    expect(body.orders).toMatchObject([{ reference: "L-1", metadata: { row: "1" } }, nothing]);
    expect((await bulk({ orders, ...own }, withKey("bulk-own"))).body).toEqual(body);
    const file = await (await client.browse(ama, `/bulk/${body.bulkOrderId}/export`)).text();
    expect(file).toMatch(/,Reference\r\n.*,L-1\r\n/);
    expect(await (await client.browse(ama, `/bulk/${body.bulkOrderId}`)).text()).toContain(own.reference);
  });

  test("whose reference was used for one before is refused with that one", async () => {
    const reference = fresh();
    const first = (await bulk({ orders: [line()], reference })).body;
    const { status, body } = await bulk({ orders: [line()], reference, ...once });
    expect([status, body.code]).toEqual([409, "order.reference_used"]);
    expect(body.details).toEqual({
      reference,
      bulkOrderId: first.bulkOrderId,
      orderedAt: first.orders[0].createdAt,
    });
    const other = fresh();
    expect((await bulk({ orders: [line()], reference: other, ...once })).status).toBe(201);
    expect((await bulk({ orders: [line()], reference: other, ...once })).body.code).toBe("order.reference_used");
  });

  longTest("names each line whose reference was used before or twice; its preview, too, and large ones", async () => {
    const used = fresh();
    const placed = (await post(order({ reference: used }))).body;
    for (const more of [[], times(300, () => line({ reference: fresh() }))]) {
      const twice = fresh();
      const orders = [
        line({ reference: twice }),
        line({ reference: used }),
        line({ reference: twice }),
        line({ reference: fresh(), amount: 1 }),
        line(),
        ...more,
      ];
      const { body } = await bulk({ orders, ...once });
      expect(body.code).toBe("bulk.lines_refused");
      expect(body.details.lines).toMatchObject([
        { line: 2, code: "order.reference_used", orderId: placed.id, orderedAt: placed.createdAt },
        { line: 3, code: "order.reference_used" },
        { line: 4, code: "order.price_changed", currentPrice: 3.9, currentAmount: 3.9 },
      ]);
      const preview = await call(ama, "POST", "/api/v1/orders/bulk/preview", { orders, ...once });
      expect(
        preview.body.lines.slice(0, 4).map((it: { code: string; orderId: number }) => [it.code, it.orderId]),
      ).toEqual([
        [null, null],
        ["order.reference_used", placed.id],
        ["order.reference_used", null],
        ["order.price_changed", null],
      ]);
      const good = orders.filter((_, n) => ![1, 2, 3].includes(n));
      expect((await bulk({ orders: good, ...once })).status).toBe(201);
      expect((await bulk({ orders: good.map((it) => ({ ...it, msisdn: freshNumber() })) })).status).toBe(201);
    }
  });

  test("names the earlier order of a repeated line", async () => {
    const sent = order();
    const placed = (await post(sent)).body;
    const { body } = await bulk({ orders: [{ productId: bundle.id, msisdn: sent.msisdn }] });
    expect(body.details.lines).toMatchObject([
      { line: 1, code: "order.duplicate", orderId: placed.id, orderedAt: placed.createdAt },
    ]);
  });
});
