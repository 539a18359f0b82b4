// AFA registrations: all people or none, nobody twice, one refund each, and card numbers that are nowhere readable.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as rotation from "../../../src/core/afa/card-rotation.ts";
import { openSafe } from "../../../src/core/afa/card-safe.ts";
import * as desk from "../../../src/core/afa/desk.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { count, freshNumber, key, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { pauseProduct } from "../../support/pausing.ts";
import { openWorld, type Person, TEST_CARD_KEY, TEST_CARDS } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
await products.ensureAfa(db);
const product = await products.afa(db);
const admin = yaw.by("admin");

let cards = 100_000_000;
const freshCard = () => `GHA-${++cards}-1`;
const someone = (change: Partial<afa.PersonInput> = {}): afa.PersonInput => ({
  fullName: "Akosua Mensah",
  phone: freshNumber(),
  ghCardId: freshCard(),
  location: "Kumasi, Adum",
  ...change,
});
let agents = 0;
const agent = (balance = "GH₵ 100.00") => world.person(`agent${++agents}`, balance);
const register = (by: Person, people: afa.PersonInput[], more: { key?: string; expectedPesewas?: number } = {}) =>
  afa.register(db, TEST_CARDS, {
    by: by.by(),
    people,
    expectedPesewas: more.expectedPesewas,
    key: more.key ? key(more.key, "POST /api/v1/afa") : null,
  });
const registered = async (by: Person, change?: Partial<afa.PersonInput>) =>
  (await register(by, [someone(change)])).answer.registrations[0]!;
const refuse = (id: number, reason = "The card has expired") =>
  desk.moveOne(db, { by: admin, key: null, id, to: "FAILED", reason });
const traces = async (person: Person) => ({
  orders: await count(db, sql`from orders where user_id = ${person.id}`),
  registrations: await count(db, sql`from afa_registrations where user_id = ${person.id}`),
  charges: await count(db, sql`from transfers where user_id = ${person.id} and reason = 'charge'`),
  balance: await world.balanceOf(person),
});

describe("registering", () => {
  test("several people is an order and a charge for each, in one commit, with no bundle to send", async () => {
    const ama = await agent();
    const people = times(3, (i) => someone({ fullName: `Person ${i}` }));
    const { answer } = await register(ama, people);
    expect(answer).toMatchObject({ totalPesewas: 1500, balancePesewas: 8500 });
    expect(answer.registrations.map((one) => [one.fullName, one.status, one.amountPesewas])).toEqual(
      times(3, (i) => [`Person ${i}`, "PENDING", 500]),
    );
    expect(await traces(ama)).toEqual({ orders: 3, registrations: 3, charges: 3, balance: 8500 });
    const ids = answer.registrations.map((one) => one.id);
    expect(await count(db, sql`from jobs where subject_id = any(${sql.param(ids)}::bigint[])`)).toBe(0);
    expect(answer.registrations[0]!.card).toBe(`GHA-••••••${people[0]!.ghCardId.slice(-5)}`);
  });

  test("is refused for all when one is wrong, with each field that needs fixing", async () => {
    const ama = await agent();
    const twin = someone();
    const error = await refusal(
      register(ama, [
        someone(),
        someone({ phone: "12345" }),
        someone({ ghCardId: "GHA-1-2" }),
        twin,
        { ...someone(), phone: twin.phone, ghCardId: twin.ghCardId },
        someone({ phone: "0201234567" }),
      ]),
    );
    expect(error.code).toBe("afa.people_refused");
    expect(Object.keys(error.details!.fields!)).toEqual([
      "people.1.phone",
      "people.2.ghCardId",
      "people.4.phone",
      "people.4.ghCardId",
      "people.5.phone",
    ]);
    expect(error.details!.lines!.map(({ line, code }) => [line, code])).toEqual([
      [2, "msisdn.invalid"],
      [3, "afa.card_invalid"],
      [5, "afa.person_repeated"],
      [5, "afa.person_repeated"],
      [6, "afa.number_not_mtn"],
    ]);
    expect(await traces(ama)).toEqual({ orders: 0, registrations: 0, charges: 0, balance: 10_000 });
  });

  test("a number with another network's prefix needs a confirmation that it was ported to MTN", async () => {
    const ama = await agent();
    const person = someone({ phone: "0201112223" });
    expect(await outcome(register(ama, [person]))).toBe("afa.number_not_mtn");
    expect(await outcome(register(ama, [{ ...person, ported: true }]))).toBe("done");
  });

  test("charges for everybody or for nobody", async () => {
    const poor = await agent("GH₵ 9.99");
    const error = await refusal(register(poor, [someone(), someone()]));
    expect([error.code, error.details]).toEqual([
      "wallet.insufficient_balance",
      { required: 10, balance: 9.99, held: 0, available: 9.99, missing: 0.01 },
    ]);
    expect(await traces(poor)).toEqual({ orders: 0, registrations: 0, charges: 0, balance: 999 });
    expect(await outcome(register(poor, [someone()]))).toBe("done");
  });

  test("costs the price that the buyer has seen, or is refused; and follows the admins' price and pause", async () => {
    const ama = await agent();
    expect(await outcome(register(ama, [someone()], { expectedPesewas: 400 }))).toBe("order.price_changed");
    await products.edit(db, { by: admin, productId: product.id, pricePesewas: 600 });
    expect((await register(ama, [someone()], { expectedPesewas: 600 })).answer.totalPesewas).toBe(600);
    await products.edit(db, { by: admin, productId: product.id, pricePesewas: 500 });
    await pauseProduct(db, { by: admin, productId: product.id, message: "MTN is closed" });
    expect(await outcome(register(ama, [someone()]))).toBe("product.paused");
    await pauseProduct(db, { by: admin, productId: product.id, message: null });
    expect(await outcome(register(ama, [someone()]))).toBe("done");
  });

  test("is limited for somebody who tries out card numbers all day", async () => {
    const ama = await agent();
    await db.execute(sql`insert into rate_limits values (${`afa.account:${ama.id}`}, 120, now() + interval '1 hour')`);
    expect(await outcome(register(ama, [someone()]))).toBe("request.rate_limited");
  });

  test("leaves nothing behind when the last step fails", async () => {
    const ama = await agent();
    const broken = { ...TEST_CARDS, seal: () => "not sealed" };
    const ask = { by: ama.by(), key: key("broken"), people: [someone(), someone()] };
    await expect(afa.register(db, broken, ask)).rejects.toThrow();
    expect(await traces(ama)).toEqual({ orders: 0, registrations: 0, charges: 0, balance: 10_000 });
    expect(await count(db, sql`from idempotency where user_id = ${ama.id}`)).toBe(0);
    // The same request under the same key succeeds later.
    expect((await afa.register(db, TEST_CARDS, ask)).replayed).toBe(false);
  });
});

describe("a database that fails in the middle of registering", () => {
  for (const table of [
    "wallets",
    "orders",
    "order_count_deltas",
    "transfers",
    "user_days",
    "shop_day_deltas",
    "afa_registrations",
    "idempotency",
  ]) {
    longTest(`at ${table} leaves nothing behind, and the same request succeeds afterwards`, async () => {
      const ama = await agent();
      const people = [someone(), someone()];
      await db.execute(sql`
        create or replace function break_down() returns trigger language plpgsql as
        $$ begin raise exception 'broken down'; end $$`);
      const trigger = sql`break_down before insert or update on ${sql.identifier(table)}`;
      await db.execute(sql`create trigger ${trigger} for each row execute function break_down()`);
      await expect(register(ama, people, { key: "again" })).rejects.toThrow();
      await db.execute(sql`drop trigger break_down on ${sql.identifier(table)}`);
      expect(await traces(ama)).toEqual({ orders: 0, registrations: 0, charges: 0, balance: 10_000 });
      expect((await register(ama, people, { key: "again" })).replayed).toBe(false);
      expect(await traces(ama)).toEqual({ orders: 2, registrations: 2, charges: 2, balance: 9000 });
    });
  }
});

describe("the same request again", () => {
  test("under its key gets the first answer, whatever has happened to the people since", async () => {
    const ama = await agent();
    const people = [someone(), someone()];
    const first = await register(ama, people, { key: "k" });
    await refuse(first.answer.registrations[0]!.id);
    const again = await register(ama, people, { key: "k" });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await world.balanceOf(ama)).toBe(9500);
    const typed = people.map((one) => ({ ...one, ghCardId: one.ghCardId.toLowerCase().replace(/-/g, " ") }));
    expect((await register(ama, typed, { key: "k" })).replayed).toBe(true);
    const others = [[someone()], people.map((one, i) => (i === 1 ? { ...one, ghCardId: freshCard() } : one))];
    for (const other of others) expect(await outcome(register(ama, other, { key: "k" }))).toBe("request.key_reused");
  });

  test("ten times at once under one key, on two servers, is one registration", async () => {
    const ama = await agent();
    const people = [someone()];
    const ask = { by: ama.by(), key: key("ten"), people };
    const answers = await withSecondServer(world, (second) =>
      Promise.all(times(10, (i) => afa.register(i % 2 ? db : second, TEST_CARDS, ask))),
    );
    expect(answers.filter((one) => !one.replayed)).toHaveLength(1);
    expect(new Set(answers.map((one) => one.answer.registrations[0]!.id)).size).toBe(1);
    expect(await traces(ama)).toEqual({ orders: 1, registrations: 1, charges: 1, balance: 9500 });
  });
});

describe("the same person", () => {
  test("is not registered twice, by card or by number, and the refusal names which", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const person = someone();
    await register(ama, [person]);
    expect(await outcome(register(kofi, [someone({ ghCardId: person.ghCardId })]))).toBe("afa.card_registered");
    const error = await refusal(register(kofi, [someone(), someone({ phone: person.phone })]));
    expect([error.code, error.details!.fields]).toEqual([
      "afa.number_registered",
      { "people.1.phone": "This number is already registered or waiting" },
    ]);
    expect(await outcome(register(kofi, [person]))).toBe("afa.people_refused");
    expect((await traces(kofi)).orders).toBe(0);
  });

  longTest("submitted by eight agents at once on two servers is registered by one of them", async () => {
    const people = await Promise.all(times(8, () => agent()));
    const shared = [someone(), someone()];
    const outcomes = await withSecondServer(world, (second) =>
      Promise.all(
        people.map((one, i) =>
          outcome(
            afa.register(i % 2 ? db : second, TEST_CARDS, {
              by: one.by(),
              key: null,
              // In opposite orders, so that they could deadlock.
              people: i % 2 ? shared : shared.toReversed(),
            }),
          ),
        ),
      ),
    );
    expect(tally(outcomes)).toEqual({ done: 1, "afa.people_refused": 7 });
    const balances = await Promise.all(people.map((one) => world.balanceOf(one)));
    expect(tally(balances.map(String))).toEqual({ "10000": 7, "9000": 1 });
  });

  test("can be registered again once refused, in whatever way the order was failed", async () => {
    const ama = await agent();
    const person = someone();
    const ways: ((id: number) => Promise<unknown>)[] = [
      (id) => refuse(id),
      (id) => statusChanges.moveOne(db, { by: admin, key: null, orderId: id, to: "FAILED", reason: "Not at MTN" }),
      (id) => statusChanges.move(db, { by: admin, key: null, ids: [id], to: "FAILED", reason: "Not at MTN" }),
      (id) => cancelling.cancel(db, { by: ama.by(), key: null, orderId: id }),
    ];
    for (const fail of ways) {
      const { answer } = await register(ama, [person]);
      await fail(answer.registrations[0]!.id);
      expect(await world.balanceOf(ama)).toBe(10_000);
    }
    expect(await outcome(register(ama, [person]))).toBe("done");
  });
});

describe("the transition of a registration", () => {
  test("to refused gives the agent the reason and one refund, however many admins press", async () => {
    const ama = await agent();
    const { id } = await registered(ama);
    const outcomes = await Promise.all(times(6, () => outcome(refuse(id, "Name differs from the card"))));
    expect(tally(outcomes)).toEqual({ done: 1, "order.move_not_allowed": 5 });
    expect(await world.balanceOf(ama)).toBe(10_000);
    expect(await count(db, sql`from transfers where reason = 'refund' and subject_id = ${id}`)).toBe(1);
    const seen = await afa.get(db, ama.by(), id);
    expect(seen).toMatchObject({ status: "FAILED", note: "Name differs from the card" });
    expect(seen.refundedAt).toBeInstanceOf(Date);
  });

  test("to refused needs a reason, in every channel", async () => {
    const ama = await agent();
    const { id } = await registered(ama);
    expect(await outcome(refuse(id, "  "))).toBe("afa.reason_missing");
    const bare = { by: admin, key: null, to: "FAILED" as const };
    expect(await outcome(statusChanges.moveOne(db, { ...bare, orderId: id }))).toBe("afa.reason_missing");
    const { answer } = await statusChanges.move(db, { ...bare, ids: [id] });
    expect(answer[0]!.refusal).toBe("afa.reason_missing");
    expect(await statusChanges.preview(db, { by: admin, ids: [id], to: "FAILED" })).toMatchObject({
      movingCount: 0,
    });
    expect((await afa.get(db, ama.by(), id)).status).toBe("PENDING");
  });

  test("leads from submitted to MTN to registered; several get an answer each, and bundles are refused", async () => {
    const ama = await agent();
    const bundle = await world.product("MTN", "7GB", "3.90");
    const line = { productId: bundle.id, msisdn: freshNumber(), quantity: 1 };
    const order = (await orders.buy(db, { by: ama.by(), key: null, line })).answer.order;
    const ids = (await register(ama, [someone(), someone()])).answer.registrations.map((one) => one.id);
    const move = (to: "PROCESSING" | "COMPLETED") =>
      desk.move(db, { by: admin, key: null, ids: [...ids, order.id], to });
    expect((await move("PROCESSING")).answer).toEqual([
      ...ids.map((id) => ({ id, status: "PROCESSING" as const, refusal: null })),
      { id: order.id, status: null, refusal: "afa.not_found" as const },
    ]);
    await move("COMPLETED");
    expect((await afa.list(db, { userId: ama.id, state: "registered" }, { limit: 9 })).map((one) => one.id)).toEqual(
      ids.toReversed(),
    );
    expect((await orderQueries.get(db, ama.by(), order.id)).status).toBe("PENDING");
    expect(await outcome(desk.moveOne(db, { by: admin, key: null, id: order.id, to: "PROCESSING" }))).toBe(
      "afa.not_found",
    );
  });

  test("is only for admins", async () => {
    const ama = await agent();
    const { id } = await registered(ama);
    expect(await outcome(desk.moveOne(db, { by: ama.by(), key: null, id, to: "COMPLETED" }))).toBe("auth.forbidden");
    expect(await outcome(desk.reveal(db, TEST_CARDS, { by: ama.by(), id }))).toBe("auth.forbidden");
    expect(await outcome(desk.revealAll(db, TEST_CARDS, { by: ama.by(), filter: {} }))).toBe("auth.forbidden");
    expect(await outcome(afa.get(db, (await agent()).by(), id))).toBe("afa.not_found");
  });
});

describe("among bundles", () => {
  test("the AFA product can be bought in no channel for bundles, and is in no list of them", async () => {
    const ama = await agent();
    const line = { productId: product.id, msisdn: freshNumber(), quantity: 1 };
    expect(await outcome(orders.buy(db, { by: ama.by(), key: null, line }))).toBe("product.not_found");
    expect(await outcome(unpaidOrders.create(db, { by: ama.by(), key: null, line }))).toBe("product.not_found");
    const bulk = await refusal(buyBulk(db, { by: ama.by(), key: null, lines: [line] }));
    expect(bulk.details!.lines![0]!.code).toBe("product.not_found");
    expect((await products.list(db)).map((one) => one.id)).not.toContain(product.id);
  });

  test("there is one AFA product, which cannot be removed or resized; what admins have changed stays", async () => {
    await products.edit(db, { by: admin, productId: product.id, name: "AFA", pricePesewas: 500 });
    await Promise.all(times(5, () => products.ensureAfa(db)));
    expect(await count(db, sql`from products where line = 'afa'`)).toBe(1);
    expect((await products.afa(db)).name).toBe("AFA");
    expect(await outcome(products.retire(db, { by: admin, productId: product.id }))).toBe("product.fixed");
    expect(await outcome(products.edit(db, { by: admin, productId: product.id, size: "1GB" }))).toBe("product.fixed");
  });

  test("a registration is never sent as data: not dispatched, not exported, not changed with bundles", async () => {
    const ama = await agent();
    const { id } = await registered(ama);
    await db.execute(sql`insert into jobs (kind, subject_id) values ('dispatch_order', ${id})`);
    await routing.routeDue(db, [], 1000);
    expect(await count(db, sql`from order_events where order_id = ${id}`)).toBe(0);
    const sent: number[] = [];
    for await (const batch of orderQueries.inBatches(db, { toSend: true })) sent.push(...batch.map((one) => one.id));
    expect(sent).not.toContain(id);
    expect((await orderQueries.idsMatching(db, { userId: ama.id })).ids).toEqual([]);
    expect((await orderQueries.list(db, { userId: ama.id }, { limit: 9 })).map((one) => one.id)).toEqual([id]);
  });
});

test("registrations are found by part of a name, by number, by id and by state", async () => {
  const ama = await agent();
  const people = [someone({ fullName: "Yaa Asantewaa 100%_" }), someone({ fullName: "Kwame <b>Nkrumah" })];
  const [yaa, kwame] = (await register(ama, people)).answer.registrations;
  const find = async (search: string) =>
    (await afa.list(db, { userId: ama.id, search }, { limit: 9 })).map((one) => one.id);
  expect(await find("asantewaa")).toEqual([yaa!.id]);
  expect(await find("%_")).toEqual([yaa!.id]);
  expect(await find("<b>")).toEqual([kwame!.id]);
  expect(await find(people[1]!.phone)).toEqual([kwame!.id]);
  expect(await find(people[1]!.phone.slice(2))).toEqual([kwame!.id]);
  // Three digits are enough, and fewer find no number.
  expect(await find(people[1]!.phone.slice(-3))).toContain(kwame!.id);
  // But for those of the id itself.
  const pairs = [-2, -3].map((from) => people[1]!.phone.slice(from, from + 2 || undefined));
  for (const pair of pairs.filter((digits) => Number(digits) !== kwame!.id))
    expect(await find(pair)).not.toContain(kwame!.id);
  expect(await find(String(yaa!.id))).toContain(yaa!.id);
  expect(await find("nobody")).toEqual([]);
  const page = await afa.list(db, { userId: ama.id }, { limit: 1 });
  expect((await afa.list(db, { userId: ama.id }, { limit: 9, cursor: page[0]!.id })).map((one) => one.id)).toEqual([
    yaa!.id,
  ]);
});

describe("a card number", () => {
  test("is shown in full to admins only, and each view of it is in the audit log, masked", async () => {
    const ama = await agent();
    const person = someone();
    const { id } = await registered(ama, person);
    const looks = () => count(db, sql`from audit_log where subject_type = 'order' and subject_id = ${String(id)}`);
    expect((await desk.reveal(db, TEST_CARDS, { by: admin, id })).cardNumber).toBe(person.ghCardId);
    expect(await looks()).toBe(1);
    const { rows } = await desk.revealAll(db, TEST_CARDS, { by: admin, filter: { userId: ama.id } });
    expect(rows.map((one) => one.cardNumber)).toEqual([person.ghCardId]);
    expect(await looks()).toBe(2);
    expect(await outcome(desk.reveal(db, TEST_CARDS, { by: admin, id: 999_999 }))).toBe("afa.not_found");
  });

  test("that cannot be decrypted leaves no audit entry of a view", async () => {
    const { id } = await registered(await agent());
    await desk.reveal(db, openSafe(new Uint8Array(32)), { by: admin, id }).catch(() => null);
    expect(await count(db, sql`from audit_log where subject_id = ${String(id)}`)).toBe(0);
  });

  test("is nowhere readable in the database, even when an admin types it into a reason", async () => {
    const ama = await agent();
    const person = someone();
    const { answer } = await register(ama, [person], { key: "whole" });
    const { id } = answer.registrations[0]!;
    await desk.reveal(db, TEST_CARDS, { by: admin, id });
    await refuse(id, `Card ${person.ghCardId} has expired`);
    const again = (await register(ama, [person])).answer.registrations[0]!;
    const reason = `Not ${person.ghCardId.toLowerCase()}`;
    await statusChanges.moveOne(db, { by: admin, key: key("move"), orderId: again.id, to: "FAILED", reason });
    const text = await wholeDatabase();
    expect(text).toContain(person.phone.slice(1));
    expect(text).toContain("has expired");
    const digits = person.ghCardId.replace(/\D/g, "");
    for (const secret of [person.ghCardId, digits, digits.slice(0, 9)]) expect(text).not.toContain(secret);
  });

  test("is encrypted again when its key is replaced, and still known as registered before and after", async () => {
    const ama = await agent();
    const person = someone();
    const { id } = await registered(ama, person);
    const next = new Uint8Array(32).fill(9);
    const both = openSafe(next, Uint8Array.fromBase64(TEST_CARD_KEY));
    expect(await rotation.unreadable(db, openSafe(next))).toBeGreaterThan(0);
    expect(await rotation.unreadable(db, both)).toBe(0);
    const again = () =>
      outcome(afa.register(db, both, { by: ama.by(), key: null, people: [someone({ ghCardId: person.ghCardId })] }));
    expect(await again()).toBe("afa.card_registered");
    expect(await rotation.reseal(db, both)).toBeGreaterThan(0);
    expect(await rotation.reseal(db, both)).toBe(0);
    expect(await again()).toBe("afa.card_registered");
    expect((await desk.reveal(db, openSafe(next), { by: admin, id })).cardNumber).toBe(person.ghCardId);
    expect(await rotation.unreadable(db, openSafe(next))).toBe(0);
  });
});

/** Every row of every table as text. */
async function wholeDatabase(): Promise<string> {
  const tables = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) => db.execute(sql`select t::text as row from ${sql.identifier(name)} t`)),
  );
  return texts
    .flat()
    .map((one) => one.row)
    .join("\n");
}
