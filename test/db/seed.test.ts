// The demonstration data, small and large: believable orders, and books that balance to the pesewa.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { phones } from "../../db/schema/identity.ts";
import { shopFacts } from "../../db/schema/platform.ts";
import { seedDemo } from "../../dev/seed/demo.ts";
import { DEMO_PEOPLE } from "../../dev/seed/demo-people.ts";
import { FIRST_MSISDN } from "../../dev/simulators/phone-page.ts";
import { Depot } from "../../dev/simulators/vendors/vendors-depot.ts";
import type { Line } from "../../dev/simulators/vendors/vendors-types.ts";
import * as customerDebts from "../../src/core/books/customer-debts.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as margins from "../../src/core/catalog/margins.ts";
import * as priceLists from "../../src/core/catalog/price-lists.ts";
import * as priceTable from "../../src/core/catalog/price-table.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import * as contacts from "../../src/core/identity/contacts.ts";
import * as sessions from "../../src/core/identity/logins/sessions.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { waiting } from "../../src/core/overview/waiting.ts";
import * as cashBooks from "../../src/core/payments/cash/cash-books.ts";
import * as chargebacks from "../../src/core/payments/chargebacks.ts";
import * as payouts from "../../src/core/payments/payouts.ts";
import * as privacyRequests from "../../src/core/privacy/requests.ts";
import * as profit from "../../src/core/reports/profit.ts";
import * as profitDays from "../../src/core/reports/profit-days.ts";
import { addDays, today } from "../../src/core/reports/sales-history.ts";
import * as shopProfit from "../../src/core/reports/shop-profit.ts";
import * as shopProfitBy from "../../src/core/reports/shop-profit-by.ts";
import { createVendors } from "../../src/gateways/vendors/index.ts";
import { STATUSES } from "../../src/shared/domain.ts";
import { familyOf, operatorCodes } from "../../src/shared/operators.ts";
import { freshDatabase } from "../support/database.ts";
import { TEST_CARDS, TEST_JWT_SECRET } from "../support/world.ts";

test("the demonstration shop has all products, every kind of user, and a month of orders", async () => {
  const database = await freshDatabase();
  const db = connect(database.url, { max: 4 });
  try {
    const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };
    await seedDemo(db, { cards: TEST_CARDS, pinKeys, log: () => {} });
    for (const operator of operatorCodes()) {
      const prices = (await products.list(db, operator)).map((product) => product.pricePesewas);
      expect([operator, Math.min(...prices), Math.max(...prices)]).toEqual([operator, 390, 21_000]);
    }

    const logIn = ({ email, password }: { email: string; password: string }) =>
      sessions.logIn(db, { email, password, address: "192.0.2.1", userAgent: "" });
    const balances = new Map<string, number>();
    for (const person of DEMO_PEOPLE) {
      if (person.username === "efua") {
        expect(logIn(person)).rejects.toMatchObject({ code: "auth.banned" });
        continue;
      }
      const { user } = await logIn(person);
      balances.set(person.username, await wallet.balance(db, user.id));
    }
    expect(balances.get("ama")).toBeGreaterThan(100_000);
    expect(balances.get("kofi")).toBeLessThan(390);

    const [facts] = await db.execute<{ orders: number; days: number; statuses: number }>(sql`
      select count(*)::int as orders, count(distinct created_at::date)::int as days,
             count(distinct status)::int as statuses from orders`);
    expect(facts!.orders).toBeGreaterThan(200);
    expect(facts!.days).toBeGreaterThan(20);
    expect(facts!.statuses).toBeGreaterThanOrEqual(STATUSES.length - 1);
    expect((await ledgerAudit.audit(db)).findings).toEqual([]);

    await expectMargins(db);
    await expectMoneyMatters(db);

    const ama = DEMO_PEOPLE.find(({ username }) => username === "ama")!;
    // The simulated phone starts with ama's number.
    expect(ama.phone!.msisdn).toBe(FIRST_MSISDN);
    const [owner] = await db.select().from(phones).where(eq(phones.msisdn, FIRST_MSISDN));
    expect(owner!.wantsDeliveries).toBe(true);
    const proof = { userId: owner!.userId, pin: ama.phone!.pin };
    expect(await pins.verify(db, pinKeys, proof)).toBe("right");
    await expectBooks(db, owner!.userId);
    // Nobody gets an SMS about events of weeks ago.
    const [texts] = await db.execute(sql`select count(*)::int as count from messages where channel = 'sms'`);
    expect(texts).toEqual({ count: 0 });

    // A second start adds nothing; one after an interruption begins again.
    for (const seeding of [false, true]) {
      await db.update(shopFacts).set({ seeding });
      await seedDemo(db, { log: () => {} });
      const [again] = await db.execute(sql`
        select (select count(*) from orders)::int as orders, (select count(*) from customer_debts)::int as debts`);
      // Only with the secrets that protect cards are there registrations for AFA.
      const registrations = seeding ? 8 : 0;
      expect(again).toEqual({ orders: facts!.orders - registrations, debts: 3 });
    }
  } finally {
    await disconnect(db);
    await database.drop();
  }
});

/** An agent whose customers have names, whose sales have a profit, and whose prices are published. */
async function expectBooks(db: Db, userId: number): Promise<void> {
  const customers = await contacts.list(db, userId, { limit: 100 });
  const names = new Set(customers.map(({ msisdn }) => msisdn));
  expect(names.size).toBeGreaterThan(5);
  const owed = await customerDebts.owed(db, userId);
  expect(owed.length).toBeGreaterThan(0);
  expect(owed.filter(({ msisdn }) => !names.has(msisdn))).toEqual([]);
  const month = { first: addDays(today(), -29), last: today() };
  const { pricedOrders, profitPesewas, days } = (await profit.ofSpan(db, userId, month)) as profit.SpanProfit;
  expect([pricedOrders > 100, profitPesewas > 0, days.length > 20]).toEqual([true, true, true]);
  expect(await priceLists.own(db, userId)).toMatchObject({ msisdn: FIRST_MSISDN });
}

/** What whoever keeps the money meets: a dispute, a payout that differs, cash to count, requests about data. */
async function expectMoneyMatters(db: Db): Promise<void> {
  const [dispute, ...others] = await chargebacks.open(db);
  expect([dispute!.username, dispute!.heldPesewas, others]).toEqual(["esi", 9_000, []]);
  expect(dispute!.dueAt!.getTime()).toBeGreaterThan(Date.now());
  const [differing, agreeing] = await payouts.list(db, { limit: 5 });
  const keptBack = (payout: payouts.PayoutRow) => payout.listedPesewas - payout.amountPesewas;
  expect([agreeing!.payments, agreeing!.unknown, keptBack(agreeing!)]).toEqual([2, 0, 0]);
  expect([differing!.payments, differing!.unknown, keptBack(differing!)]).toEqual([3, 1, 4_000]);
  const check = await payouts.latestCheck(db, "test");
  // The payment by link, less its fee, which is in no book of the shop.
  expect(check!.providerPesewas - check!.booksPesewas).toBe(4_902);
  const [close] = await cashBooks.closes(db, { state: "waiting" }, 5);
  expect([close!.username, close!.to, close!.countedPesewas - close!.expectedPesewas]).toEqual(["kojo", "akua", -40]);
  const acts = (await privacyRequests.list(db, 5)).map(({ act }) => act);
  expect(acts).toEqual(["number erased", "number shown", "account copied"]);
  expect(await waiting(db)).toContainEqual(expect.objectContaining({ kind: "disputes", count: 1 }));
}

/** Every cost is known and below every price, one vendor has become dearer, and each sale has its profit. */
async function expectMargins(db: Db): Promise<void> {
  const account = { baseUrl: "http://127.0.0.1:1", apiKey: "a", webhookSecret: null };
  const keys = {
    datamart: account,
    hubnet: account,
    africastalking: { ...account, username: "a", product: "a" },
  };
  const depot = new Depot(
    { seed: "1", start: Date.now() },
    async () => {},
    async () => {},
  );
  const bundles = await products.list(db);
  const known = await costs.newest(db);
  for (const bundle of bundles) {
    const { size, name, volumeMb, pricePesewas, costPesewas } = bundle;
    const charged = depot.priceOf(familyOf(bundle) as Line, volumeMb!);
    expect([name, size, costPesewas]).toEqual([name, size, charged]);
    expect([name, size, pricePesewas > charged]).toEqual([name, size, true]);
    const own = known.filter(({ productId }) => productId === bundle.id);
    expect([...new Set(own.map((cost) => cost.costPesewas))]).toEqual([charged]);
    const senders = createVendors(keys).filter(({ can }) => can.lines.includes(familyOf(bundle)));
    expect(own.map(({ vendor }) => vendor).sort()).toEqual(["desk", ...senders.map(({ code }) => code)].sort());
  }
  expect(await margins.thinPrices(db)).toEqual([]);
  const [rise, ...others] = await margins.vendorRises(db);
  expect([rise!.vendor, rise!.rises.length, others]).toEqual(["datamart", 3, []]);
  const inUse = (await tiers.listInUse(db)).map(({ name, accounts }) => [name, accounts]);
  expect(inUse).toEqual([
    // Agents without a tier of their own, and the four roles of staff besides the owner.
    ["Standard", 6],
    ["Silver", 2],
    ["Gold", 1],
  ]);
  const table = await priceTable.read(db);
  for (const { id, own, costPesewas } of table.products)
    expect([id, Math.min(...own.values()) > costPesewas!]).toEqual([id, true]);

  await profitDays.countDue(db);
  const span = { first: addDays(today(), -31), last: today() };
  const { total } = await shopProfit.ofSpan(db, span);
  expect([total.uncostedOrders, total.costPesewas > 0, total.profitPesewas > 0]).toEqual([0, true, true]);
  const days = await shopProfitBy.by(db, "day", span);
  expect(days.filter(({ profitPesewas }) => profitPesewas > 0).length).toBeGreaterThan(20);
}

test("`seed --orders n` adds n orders, with balanced books, and the lists find them", async () => {
  const database = await freshDatabase();
  const db = connect(database.url, { max: 4 });
  const seed = async (orders: string) => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../dev/seed/index.ts"), "--orders", orders], {
      env: { ...process.env, NODE_ENV: "development", DATABASE_URL: database.url },
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
    return { code: await child.exited, output };
  };
  try {
    for (const wrong of ["-5", "many", "1.5"]) {
      const { code, output } = await seed(wrong);
      expect([wrong, code]).toEqual([wrong, 1]);
      expect(output).toContain("--orders");
    }
    expect((await seed("20000")).code).toBe(0);
    const [stored] = await db.execute<{ orders: number }>(sql`select count(*)::int as orders from orders`);
    expect(stored!.orders).toBeGreaterThanOrEqual(20_000);
    expect((await ledgerAudit.audit(db)).findings).toEqual([]);
    const failed = await orderQueries.list(db, { status: "FAILED" }, { limit: 5 });
    expect(failed.length).toBe(5);
  } finally {
    await disconnect(db);
    await database.drop();
  }
});
