// The search for orders: by everything that identifies one, only among visible ones, and within a time limit.
import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { phones } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as contacts from "../../../src/core/identity/contacts.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as settlement from "../../../src/core/payments/settlement.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama", "GH₵ 500.00");
const kofi = await world.person("kofi", "GH₵ 500.00");
const oneGb = await world.product("MTN", "1GB", "3.90");
const fiveGb = await world.product("MTN", "5GB", "20.00");
const half = await world.product("MTN", "1.5GB", "6.00");
const eleven = await world.product("TELECEL", "11GB", "44.00");
const { answer: bigTime } = await products.add(db, {
  by: world.yaw.by("admin"),
  operator: "AIRTELTIGO",
  family: "AT_BIGTIME",
  name: "AT Big Time",
  size: "15GB",
  pricePesewas: 5000,
});

async function bought(person: Person, product: products.Product, msisdn: string): Promise<number> {
  const line = { productId: product.id, msisdn, quantity: 1 };
  const ask = { by: person.by(), key: null, line, allowDuplicate: true };
  return (await orders.buy(db, ask)).answer.order.id;
}

let amas: Record<"one" | "five" | "half" | "eleven" | "big" | "unpaid", number>;
let kofis: number;
const paymentReference = "or-1a2b3c4d-0000-4000-8000-00000000beef";
const vendorReference = "TRX-7917396C";

beforeAll(async () => {
  amas = {
    one: await bought(ama, oneGb, "0241112223"),
    five: await bought(ama, fiveGb, "0549000386"),
    eleven: await bought(ama, eleven, "0207654321"),
    big: await bought(ama, bigTime, "0261234567"),
    unpaid: (
      await unpaidOrders.create(db, {
        by: ama.by(),
        key: null,
        line: { productId: oneGb.id, msisdn: "0553334445", quantity: 1 },
      })
    ).answer.id,
    half: await bought(ama, half, "0599999999"),
  };
  kofis = await bought(kofi, oneGb, "0241112299");
  await db.insert(payments).values({
    userId: ama.id,
    orderId: amas.unpaid,
    amountPesewas: 390,
    reference: paymentReference,
    domain: "test",
    providerId: "4099260516",
    payerMsisdn: "233559876543",
  });
  await db.insert(phones).values({ userId: ama.id, msisdn: "233541234567" });
  await db.execute(sql`insert into vendors (code) values ('elsewhere')`);
  await db.insert(attempts).values({
    orderId: amas.five,
    userId: ama.id,
    vendor: "elsewhere",
    reference: "our-reference-77",
    state: "accepted",
    sentAt: new Date(),
    vendorReference,
  });
});

const page = { limit: 50 };
const idsOf = async (filter: orderQueries.OrderFilter) =>
  (await orderQueries.search(db, filter, page)).rows.map(({ id }) => id);
const own = (search: string) => idsOf({ userId: ama.id, search });
const everybodys = (search: string) => idsOf({ search });
type Name = keyof typeof amas;
const of = (...names: Name[]) => names.map((name) => amas[name]).sort((a, b) => b - a);

describe("an agent finds an order", () => {
  const searches: [typed: string, names: Name[]][] = [
    ["024", ["one"]],
    ["0241", ["one"]],
    ["0549", ["five"]],
    ["23354", ["five"]],
    ["386", ["five"]],
    ["432", ["eleven"]],
    ["222 3", ["one"]],
    ["024-111", ["one"]],
    ["1GB", ["one", "unpaid"]],
    ["1 gb", ["one", "unpaid"]],
    ["1.5GB", ["half"]],
    ["1.5 gb", ["half"]],
    ["024 111 2223 1 gb", ["one"]],
    ["MTN 5GB", ["five"]],
    ["5gb mtn", ["five"]],
    ["telecel 11gb 0207", ["eleven"]],
    ["mtn 024", ["one"]],
    ["big time", ["big"]],
    ["AT BigTime 15GB", ["big"]],
    ["tigo", ["big"]],
    ["AT", ["big"]],
    ["unpaid", ["unpaid"]],
    ["pending 11gb", ["eleven"]],
    [paymentReference, ["unpaid"]],
    [paymentReference.toUpperCase(), ["unpaid"]],
    ["1a2b3c4d", ["unpaid"]],
  ];
  test.each(searches)("by %p", async (typed, names) => expect(await own(typed)).toEqual(of(...names)));

  test("by its id", async () => expect(await own(String(amas.big))).toContain(amas.big));

  test.each(["24", "", "11GBs", "kofi", "ama@example.com", vendorReference, "our-reference-77", "%", "_"])(
    "and nothing by %p, unless it is nothing that was typed",
    async (typed) => expect(await own(typed)).toEqual(typed === "" ? of(...(Object.keys(amas) as Name[])) : []),
  );

  test("by the name or the note of its customer, in the agent's own words", async () => {
    await contacts.save(db, { by: ama.by(), msisdn: "233549000386", name: "Efua Mensah", note: "the baker" });
    await contacts.save(db, { by: kofi.by(), msisdn: "233241112223", name: "Efua Owusu", note: "" });
    for (const typed of ["efua", "Mensah", "baker", "efua 5GB"])
      expect([typed, await own(typed)]).toEqual([typed, [amas.five]]);
    expect(await own("Owusu")).toEqual([]);
    await contacts.remove(db, { by: ama.by(), msisdn: "233549000386" });
    expect(await own("efua")).toEqual([]);
  });
  test("but never somebody else's", async () => {
    for (const typed of ["024111", "1GB", String(kofis), "0241112299"]) expect(await own(typed)).not.toContain(kofis);
  });
});

describe("an admin also finds an order", () => {
  test.each([
    ["kofi", () => [kofis]],
    ["kofi@example", () => [kofis]],
    ["kofi 1gb", () => [kofis]],
    [vendorReference, () => of("five")],
    [vendorReference.toLowerCase(), () => of("five")],
    ["our-reference-77", () => of("five")],
    ["beef", () => of("unpaid")],
    ["BEEF", () => of("unpaid")],
    ["0000beef", () => of("unpaid")],
    ["0001beef", () => []],
  ] as const)("by %p", async (typed, ids) => expect(await everybodys(typed)).toEqual([...ids()]));

  test("of one user, by a vendor's reference", async () => {
    expect(await idsOf({ userId: ama.id, isAdmins: true, search: vendorReference })).toEqual(of("five"));
    expect(await idsOf({ userId: kofi.id, isAdmins: true, search: vendorReference })).toEqual([]);
  });
});

describe("an admin finds a payment", () => {
  const found = async (search: string) =>
    (await settlement.list(db, { search }, page)).map(({ reference }) => reference);
  test.each([
    ...["beef", "0000BEEF", paymentReference, "ama", "ama@example", "#5"],
    ...["4099260516", "055 987 6543", "0541234567", "4567", "GH₵ 3.90", "3.9", "CREATED", "eate"],
  ])("by %p", async (typed) => expect(await found(typed)).toEqual([paymentReference]));
  test.each([...["0001beef", "kofi", "eef", "%", "409926051", "0559876544", "3.91", "paid", "cr", "0.00"]])(
    "and not by %p",
    async (typed) => expect(await found(typed)).toEqual([]),
  );
});

test("a search that takes too long is cut to the newest orders, and says so", async () => {
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    await tx.execute(sql`lock table orders in access exclusive mode`);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const found = orderQueries.search(db, { search: "kofi" }, page, 100);
  // The search was given up when a statement waits that is not within its transaction.
  let isCutOff = false;
  while (!isCutOff) {
    const [waiting] = await db.execute<{ isAlone: boolean }>(sql`
      select coalesce(bool_or(xact_start = query_start), false) as "isAlone" from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    isCutOff = waiting!.isAlone;
  }
  release.resolve();
  await holder;
  const { rows, isCut } = await found;
  expect([rows.map(({ id }) => id), isCut]).toEqual([[kofis], true]);
});
