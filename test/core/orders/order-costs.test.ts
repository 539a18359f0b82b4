// Costs of orders: the estimate of the sale, the charge of whoever delivered it, however late that is known, and the
// lesson of a charge for the bundle.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import * as afaDesk from "../../../src/core/afa/desk.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as products from "../../../src/core/catalog/products.ts";
import type { DeliveryReport } from "../../../src/core/fulfilment/attempt-states.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import { applyReports } from "../../../src/core/fulfilment/outcomes.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as profitDays from "../../../src/core/reports/profit-days.ts";
import { addDays, today } from "../../../src/core/reports/sales-history.ts";
import * as shopProfit from "../../../src/core/reports/shop-profit.ts";
import { count, freshNumber, lineFor } from "../../support/asking.ts";
import { reportNow } from "../../support/desk.ts";
import { longTest } from "../../support/long.ts";
import { paidHoursAgo } from "../../support/past.ts";
import { TEST_CARDS } from "../../support/world.ts";
import { openDelivering } from "../fulfilment/delivering.ts";

const shop = await openDelivering();
const { db, world, ama } = shop;
const by = world.yaw.by("admin");
const MINUTE = 60;
/** What the simulated DataMart takes for 5 GB of MTN. */
const CHARGE = 1900;
let made = 0;
const newBundle = async (size = "5GB", pricePesewas = 2090) =>
  (await products.add(db, { by, operator: "MTN", name: `Bundle ${++made}`, size, pricePesewas })).answer;
const takes = ({ id: productId }: { id: number }, vendor: string, costPesewas: number) =>
  costs.set(db, {
    by,
    costs: [{ productId, vendor, costPesewas }],
    vendors: [{ code: "datamart" }, { code: "hubnet" }],
  });
/** What an order costs, and whether that is final. */
const costOf = async (id: number) => {
  const [order] = await db.select().from(orderTable).where(eq(orderTable.id, id));
  return [order!.costPesewas, order!.isCostFinal ? "final" : "expected"];
};
const knownOf = async ({ id }: { id: number }) =>
  (await costs.newest(db, [id])).map(({ vendor, costPesewas, source }) => `${vendor} ${costPesewas} ${source}`);
const lossOf = async (orderId: number) => {
  const [row] = await db.execute<{ cost: number | null }>(
    sql`select cost_pesewas::int as cost from losses where order_id = ${orderId}`,
  );
  return row?.cost;
};
/** A report about an order's attempt at a vendor, as of a status check or a webhook. */
const report = async (vendor: string, orderId: number, values: Partial<DeliveryReport> & object) => {
  const [row] = await db.execute<{ id: number }>(
    sql`select id::int as id from attempts where order_id = ${orderId} and vendor = ${vendor}`,
  );
  const about = { kind: "state", state: "delivered", vendorReference: null, message: null, ...values };
  await applyReports(db, shop.vendor(vendor), [{ attemptId: row!.id, report: about as DeliveryReport }]);
};
const deliver = async (id: number) => {
  await shop.pass(5 * MINUTE);
  expect((await shop.story(id)).status).toBe("DELIVERED");
};
const fail = (orderId: number) =>
  statusChanges.moveOne(db, { by, key: null, orderId, to: "FAILED", reason: "It never came" });
/** Takes all waiting orders from the desk and says that they came. */
const deskDelivers = async (msisdn: string, outcome: "delivered" | "failed" = "delivered", batchId?: number) => {
  const batch = batchId ?? (await takeBatch());
  const line = { line: 1, msisdn, volumeMb: null, outcome, message: null };
  return reportNow(db, { by, batchId: batch, lines: [line] });
};
const takeBatch = async () => (await desk.take(db, { by, key: null, operator: "MTN", countMax: 100 })).answer.batchId;
const numberOf = async (id: number) => {
  const [order] = await db.select().from(orderTable).where(eq(orderTable.id, id));
  return order!.msisdn;
};

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

// The first of all, because orders are numbered in the order of their days.
longTest("a charge that comes the day after is in the profit of the day of the sale", async () => {
  await shop.routeBy("hubnet");
  const id = await shop.buy("0001", { product: await newBundle() });
  await deliver(id);
  await paidHoursAgo(db, id, 24);
  await db.execute(sql`update orders set created_at = paid_at where id = ${id}`);
  const recount = async () => {
    await db.execute(sql`update profit_days_stale set counted_at = null`);
    await profitDays.countDue(db);
  };
  await recount();
  const yesterday = addDays(today(), -1);
  const ofYesterday = async () => (await shopProfit.ofSpan(db, { first: yesterday, last: yesterday })).total;
  expect(await ofYesterday()).toMatchObject({ orders: 1, uncostedOrders: 1 });
  await report("hubnet", id, { costPesewas: 1810 });
  expect(await count(db, sql`from profit_days_stale where day = ${yesterday} and not is_open`)).toBe(1);
  await recount();
  expect(await ofYesterday()).toMatchObject({ uncostedOrders: 0, costPesewas: 1810, profitPesewas: 280 });
});

describe("a delivered order", () => {
  longTest("costs the estimate of its sale, then its vendor's charge, as the bundle does from then on", async () => {
    const product = await newBundle();
    await takes(product, "datamart", 1850);
    const id = await shop.buy("0001", { product });
    expect(await costOf(id)).toEqual([1850, "expected"]);
    // The vendor's answer has its charge; whether it delivers is not known yet.
    await shop.work();
    expect(await costOf(id)).toEqual([1850, "expected"]);
    await deliver(id);
    expect(await costOf(id)).toEqual([CHARGE, "final"]);
    expect(await knownOf(product)).toEqual([`datamart ${CHARGE} vendor`]);
    expect((await products.get(db, product.id)).costPesewas).toBe(CHARGE);
  });

  longTest("gets a charge that a webhook names later, and a corrected one", async () => {
    const id = await shop.buy("0001", { product: await newBundle() });
    await deliver(id);
    await db.execute(sql`update attempts set cost_pesewas = null where order_id = ${id}`);
    await db.execute(sql`update orders set cost_pesewas = 1, is_cost_final = false where id = ${id}`);
    await shop.simulator.notify(await shop.referenceOf(id), "completed");
    await shop.work();
    expect(await costOf(id)).toEqual([CHARGE, "final"]);
    await report("datamart", id, { costPesewas: 1870 });
    expect(await costOf(id)).toEqual([1870, "final"]);
  });

  longTest.each(["DELIVERED", "COMPLETED"] as const)(
    "gets a charge that a status check names when it is %s",
    async (status) => {
      await shop.routeBy("hubnet");
      const id = await shop.buy("0001", { product: await newBundle() });
      await deliver(id);
      expect(await costOf(id)).toEqual([null, "expected"]);
      if (status === "COMPLETED") await shop.move(id, "COMPLETED");
      await report("hubnet", id, { costPesewas: 1810 });
      expect(await costOf(id)).toEqual([1810, "final"]);
    },
  );

  longTest("by a vendor that names no charge costs what was known of it when it was sent", async () => {
    await shop.routeBy("hubnet");
    const product = await newBundle();
    await takes(product, "hubnet", 1800);
    await db.execute(sql`update product_costs set seen_at = seen_at - interval '1 hour'`);
    const id = await shop.buy("0001", { product, quantity: 2 });
    await shop.work();
    await takes(product, "hubnet", 1830);
    await deliver(id);
    expect(await costOf(id)).toEqual([3600, "expected"]);
    await shop.move(id, "COMPLETED");
    expect(await costOf(id)).toEqual([3600, "expected"]);
  });

  test("by a vendor without a known cost has none: the estimate was another's", async () => {
    const product = await newBundle();
    await takes(product, "datamart", 1850);
    const id = await shop.buy("0001", { product });
    await shop.routeBy("hubnet");
    await deliver(id);
    expect(await costOf(id)).toEqual([null, "expected"]);
    await takes(product, "hubnet", 1799);
    await shop.move(id, "COMPLETED");
    expect(await costOf(id)).toEqual([1799, "expected"]);
  });

  longTest("after several attempts costs what the one that delivered takes", async () => {
    await shop.routeBy("datamart,hubnet");
    const product = await newBundle();
    await takes(product, "datamart", 1850);
    await takes(product, "hubnet", 1805);
    // DataMart takes it and its money, and fails.
    const id = await shop.buy("0003", { product });
    await shop.pass(5 * MINUTE);
    expect((await shop.story(id)).attempts).toEqual(["datamart failed", "hubnet failed"]);
    expect(await costOf(id)).toEqual([1850, "expected"]);
    const second = await shop.buy("0015", { product });
    await shop.work();
    await report("datamart", second, { state: "failed", costPesewas: CHARGE });
    await shop.work();
    await report("hubnet", second, {});
    expect((await shop.story(second)).attempts).toEqual(["datamart failed", "hubnet delivered"]);
    expect(await costOf(second)).toEqual([1805, "expected"]);
  });

  test("that arrives after its vendor had failed it costs that vendor's charge", async () => {
    await shop.routeBy("datamart,desk");
    const product = await newBundle();
    const id = await shop.buy("0001", { product });
    await shop.work();
    await report("datamart", id, { state: "failed" });
    await shop.work();
    expect((await shop.story(id)).attempts).toEqual(["datamart failed", "desk queued"]);
    await db.execute(sql`update attempts set due_at = 'infinity' where order_id = ${id} and vendor = 'desk'`);
    await report("datamart", id, { costPesewas: 1888 });
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered", "desk withdrawn"],
    });
    expect(await costOf(id)).toEqual([1888, "final"]);
  });
});

describe("a desk order", () => {
  test("costs what the desk takes, finally", async () => {
    await shop.routeBy("desk");
    const product = await newBundle();
    await takes(product, "desk", 1950);
    const id = await shop.buy("0001", { product, quantity: 2 });
    await shop.work();
    await deskDelivers(await numberOf(id));
    expect(await costOf(id)).toEqual([3900, "final"]);
    // A later cost is another order's.
    await takes(product, "desk", 1990);
    await shop.move(id, "COMPLETED");
    expect(await costOf(id)).toEqual([3900, "final"]);
  });

  test("without a cost has none, also when a vendor's was expected, until one is entered", async () => {
    const product = await newBundle();
    await takes(product, "datamart", 1850);
    const id = await shop.buy("0001", { product });
    await shop.routeBy("desk");
    await shop.work();
    await deskDelivers(await numberOf(id));
    expect(await costOf(id)).toEqual([null, "expected"]);
    await takes(product, "desk", 1960);
    await shop.move(id, "COMPLETED");
    expect(await costOf(id)).toEqual([1960, "final"]);
  });

  test("keeps its cost when the vendor that had failed it names a charge", async () => {
    await shop.routeBy("datamart,desk");
    const product = await newBundle();
    const id = await shop.buy("0010", { product });
    await shop.work();
    expect((await shop.story(id)).attempts).toEqual(["datamart failed", "desk queued"]);
    await deskDelivers(await numberOf(id));
    await takes(product, "desk", 1960);
    await shop.move(id, "COMPLETED");
    await takes(product, "desk", 1990);
    await report("datamart", id, { state: "processing", costPesewas: CHARGE });
    expect(await costOf(id)).toEqual([1960, "final"]);
  });

  test("that is delivered after its refund is a loss of what the desk takes", async () => {
    await shop.routeBy("desk");
    const product = await newBundle();
    await takes(product, "desk", 1950);
    const [id, unknown] = [
      await shop.buy("0001", { product, quantity: 2 }),
      await shop.buy("0001", { product: await newBundle() }),
    ];
    await shop.work();
    const batchId = await takeBatch();
    for (const one of [id, unknown]) {
      await fail(one);
      expect((await deskDelivers(await numberOf(one), "delivered", batchId)).lost).toEqual([one]);
    }
    expect([await lossOf(id), await lossOf(unknown)]).toEqual([3900, null]);
    expect(await costOf(id)).toEqual([3900, "expected"]);
  });

  test("for AFA costs what the desk takes for one", async () => {
    await products.ensureAfa(db);
    const registered = async () => {
      const person = { fullName: "Akosua Mensah", phone: freshNumber(), location: "Kumasi, Adum" };
      const ghCardId = `GHA-${100_000_000 + ++made}-1`;
      const people = [{ ...person, ghCardId }];
      const { answer } = await afa.register(db, TEST_CARDS, { by: ama.by(), key: null, people });
      return answer.registrations[0]!.id;
    };
    const done = (id: number) =>
      afaDesk
        .moveOne(db, { by, key: null, id, to: "PROCESSING" })
        .then(() => afaDesk.moveOne(db, { by, key: null, id, to: "COMPLETED" }));
    const unknown = await registered();
    await done(unknown);
    expect(await costOf(unknown)).toEqual([null, "expected"]);
    await takes(await products.afa(db), "desk", 120);
    const id = await registered();
    expect(await costOf(id)).toEqual([120, "expected"]);
    await done(id);
    expect(await costOf(id)).toEqual([120, "final"]);
  });
});

describe("an order that an admin completes", () => {
  test("without anybody having had it keeps the estimate", async () => {
    const product = await newBundle();
    await takes(product, "datamart", 1850);
    const id = await shop.buy("0001", { product });
    await shop.move(id, "COMPLETED");
    expect(await costOf(id)).toEqual([1850, "expected"]);
  });

  test("while a vendor has it costs that vendor's charge", async () => {
    const product = await newBundle();
    await takes(product, "datamart", 1850);
    const id = await shop.buy("0015", { product });
    await shop.work();
    await shop.move(id, "DELIVERED");
    expect(await costOf(id)).toEqual([CHARGE, "final"]);
  });

  test("after sending it at the desk costs what the desk takes", async () => {
    const product = await newBundle();
    await takes(product, "datamart", 1850);
    await takes(product, "desk", 1999);
    const id = await shop.buy("0001", { product });
    await shop.move(id, "PROCESSING");
    await shop.move(id, "COMPLETED");
    expect(await costOf(id)).toEqual([1999, "final"]);
  });
});

describe("a refunded order", () => {
  test("has no final cost: a charge that comes later is its loss's, and teaches what the bundle costs", async () => {
    await shop.routeBy("hubnet");
    const product = await newBundle();
    await takes(product, "hubnet", 1800);
    const id = await shop.buy("0001", { product });
    await shop.work();
    await fail(id);
    await report("hubnet", id, { costPesewas: 1820 });
    expect([await costOf(id), await lossOf(id)]).toEqual([[1800, "expected"], 1820]);
    await report("hubnet", id, { costPesewas: 1825 });
    expect([await costOf(id), await lossOf(id)]).toEqual([[1800, "expected"], 1825]);
    expect(await knownOf(product)).toEqual(["hubnet 1820 vendor"]);
  });

  test("is a loss of what was known of its vendor, as long as that names no charge", async () => {
    await shop.routeBy("hubnet");
    const product = await newBundle();
    await takes(product, "hubnet", 1800);
    const id = await shop.buy("0001", { product, quantity: 3 });
    await shop.work();
    await fail(id);
    await report("hubnet", id, {});
    expect(await lossOf(id)).toBe(5400);
    await report("hubnet", id, { costPesewas: 5300 });
    expect(await lossOf(id)).toBe(5300);
  });

  test("whose delivery was reversed has a final cost no more", async () => {
    const id = await shop.buy("0004", { product: await newBundle() });
    await deliver(id);
    expect(await costOf(id)).toEqual([CHARGE, "final"]);
    await report("datamart", id, { state: "refunded" });
    expect((await shop.story(id)).status).toBe("FAILED");
    expect(await costOf(id)).toEqual([CHARGE, "expected"]);
  });
});

describe("what a charge teaches", () => {
  longTest.each([
    ["an order of three at the price of three", 5700, []],
    ["an order of three at a package price that divides", 5400, []],
    ["an order of three at one that does not", 5401, []],
  ])("nothing: %s; the order keeps it", async (_, costPesewas, known) => {
    await shop.routeBy("hubnet");
    const product = await newBundle();
    const id = await shop.buy("0001", { product, quantity: 3 });
    await deliver(id);
    await report("hubnet", id, { costPesewas });
    expect(await costOf(id)).toEqual([costPesewas, "final"]);
    expect(await knownOf(product)).toEqual(known);
  });

  test("nothing: a charge of nothing, or of a failure, or for what was never sent", async () => {
    await shop.routeBy("hubnet");
    const product = await newBundle();
    await takes(product, "hubnet", 1800);
    const [free, failed] = [await shop.buy("0001", { product }), await shop.buy("0001", { product })];
    await shop.work();
    const unsent = await shop.buy("0001", { product });
    await routing.routeDue(db, shop.vendors, 10);
    await shop.move(unsent, "PROCESSING");
    await report("hubnet", unsent, { costPesewas: 5 });
    await report("hubnet", free, { costPesewas: 0 });
    await report("hubnet", failed, { state: "failed", costPesewas: 1700 });
    expect(await costOf(free)).toEqual([0, "final"]);
    expect(await knownOf(product)).toEqual(["hubnet 1800 admin"]);
    expect(await count(db, sql`from attempts where order_id = ${unsent} and cost_pesewas is null`)).toBe(2);
    await fail(failed);
    await shop.move(unsent, "DELIVERED");
  });

  test("of two orders in one report: what the newer one was charged", async () => {
    await shop.routeBy("hubnet");
    const product = await newBundle();
    const ids = [await shop.buy("0001", { product }), await shop.buy("0001", { product })];
    await shop.pass(5 * MINUTE);
    await db.execute(sql`
      update attempts set sent_at = now() - make_interval(secs => case when order_id = ${ids[0]!} then 1 else 2 end)
      where order_id = any(${sql.param(ids)}::bigint[])`);
    const rows = await db.execute<{ id: number; order_id: number }>(
      sql`select id::int, order_id::int from attempts where order_id = any(${sql.param(ids)}::bigint[]) order by id`,
    );
    const about = { kind: "state", state: "delivered", vendorReference: null, message: null } as const;
    await applyReports(
      db,
      shop.vendor("hubnet"),
      rows.map(({ id, order_id }) => ({
        attemptId: id,
        report: { ...about, costPesewas: order_id === ids[0] ? 1822 : 1811 },
      })),
    );
    expect(await knownOf(product)).toEqual(["hubnet 1822 vendor"]);
  });
});

test("an order that is paid later costs what is expected when it is paid", async () => {
  const product = await newBundle();
  await takes(product, "datamart", 1850);
  const command = { by: ama.by(), key: null };
  const { answer } = await unpaidOrders.create(db, { ...command, line: lineFor(product, { quantity: 2 }) });
  expect(await costOf(answer.id)).toEqual([3700, "expected"]);
  await takes(product, "datamart", 1990);
  await unpaidOrders.spend(db, { ...command, orderId: answer.id });
  expect(await costOf(answer.id)).toEqual([3980, "expected"]);
});
