// Pauses of sale: which pause applies at which moment, the same in every query, and how it is described.
import { afterEach, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { type Db, handleOf, type Tx } from "../../../db/connect.ts";
import { unfinishedPurchases } from "../../../db/schema/orders.ts";
import * as bulk from "../../../src/core/buying/bulk-orders.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as lines from "../../../src/core/buying/order-lines.ts";
import { place } from "../../../src/core/buying/purchase-statement.ts";
import * as unfinished from "../../../src/core/buying/unfinished-purchases.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as operators from "../../../src/core/catalog/operators/operators.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as switches from "../../../src/core/overview/switches.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import type { Values } from "../../../src/shared/fields.ts";
import { pausedText, pausedTitle } from "../../../src/shared/pause.ts";
import { lineFor, outcome, refusal } from "../../support/asking.ts";
import { pauseNetwork, pauseProduct } from "../../support/pausing.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
await db.insert(unfinishedPurchases).values({
  userId: ama.id,
  ...{
    productId: bundle.id,
    msisdn: "233541234567",
    quantity: 1,
    pricePesewas: 390,
    serviceCode: "*920*55#",
  },
});
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

type End = { until: SQL | null; holds: boolean; rank: number } | null;
/** A pause as the tables may hold it; null is none. Of two that apply, the one of the higher rank ends later. */
const PAUSES: Record<string, End> = {
  none: null,
  "that ended a second ago": { until: sql`now() - interval '1 second'`, holds: false, rank: 0 },
  "that ends at this instant": { until: sql`now()`, holds: false, rank: 0 },
  "that ends in the next instant": { until: sql`now() + interval '1 millisecond'`, holds: true, rank: 1 },
  "that ends in an hour": { until: sql`now() + interval '1 hour'`, holds: true, rank: 2 },
  "that ends tomorrow": { until: sql`now() + interval '1 day'`, holds: true, rank: 3 },
  "without an end": { until: null, holds: true, rank: 4 },
};

/** Writes pauses past the code, as they would be after some time. */
async function write(tx: Tx, own: End, ofOperator: End): Promise<void> {
  const columns = (message: string, pause: End) =>
    sql`paused_message = ${pause && message}::text, paused_until = ${pause?.until ?? sql`null`}`;
  await tx.execute(sql`update products set ${columns("its own", own)} where id = ${bundle.id}`);
  const at = ofOperator ? sql`now()` : sql`null`;
  await tx.execute(
    sql`update operators set ${columns("the network's", ofOperator)}, paused_at = ${at} where code = 'MTN'`,
  );
}
afterEach(() => db.transaction((tx) => write(tx, null, null)));

const later = (own: End, other: End) => {
  const [one, two] = [own?.holds ? own.rank : 0, other?.holds ? other.rank : 0];
  if (one === 0 && two === 0) return null;
  return two > one ? "the network's" : "its own";
};

describe.each(Object.keys(PAUSES))("a product's own pause %s", (name) => {
  const own = PAUSES[name]!;

  test.each(Object.keys(PAUSES))("and one of its network %s: what is sold and pause, at one instant", async (its) => {
    const ofOperator = PAUSES[its]!;
    const message = later(own, ofOperator);
    const code = message && "product.paused";
    // Within a transaction, now() stays the same.
    await undone(async (tx, client) => {
      await write(tx, own, ofOperator);
      const onSale = (await products.list(tx, "MTN"))[0]!;
      expect(onSale.paused?.message ?? null).toBe(message);
      expect(onSale.ownPause?.message ?? null).toBe(own?.holds ? "its own" : null);
      expect((await products.get(tx, bundle.id)).paused).toEqual(onSale.paused);
      expect((await products.bundlesOf(client, "MTN", ama.id))[0]!.paused).toEqual(onSale.paused);
      const live = (await lines.productsForLines(tx, ama.id, [{ productId: bundle.id }])).get(bundle.id)!;
      expect(live.paused).toEqual(onSale.paused);
      const mtn = (await operators.list(tx)).find(({ operator }) => operator === "MTN")!;
      expect(mtn.paused?.message ?? null).toBe(ofOperator?.holds ? "the network's" : null);
      const order = { userId: ama.id, productId: bundle.id, unitPricePesewas: 390 };
      expect(await lines.orderProblem(tx, order)).toBe(code);
      const line = { productId: bundle.id, msisdn: "233541234599", quantity: 1 };
      expect((await lines.quote(client, ama.id, line)).pricePesewas).toBe(code ? null : 390);
      expect((await unfinished.find(client, ama.id))!.isPaused).toBe(code !== null);
      const group = {
        userId: ama.id,
        channel: "api",
        bulk: false,
        allowDuplicate: false,
        key: null,
      } as const;
      const [verdict] = await place(client, [{ ...group, lines: [line] }]);
      expect(verdict!.kind === "refused" ? verdict!.code : null).toBe(code);
    });
  });
});

/** Runs work in a transaction that is rolled back; `client` is the connection for prepared statements. */
async function undone(work: (tx: Tx, client: Db) => Promise<void>): Promise<void> {
  const UNDO = new Error("undone");
  try {
    await db.transaction(async (tx) => {
      await work(tx, { $client: handleOf(tx) } as Db);
      throw UNDO;
    });
  } catch (error) {
    if (error !== UNDO) throw error;
  }
}

test("everything that checks for a pause uses the same SQL function", async () => {
  const asking: string[] = [];
  for await (const path of new Bun.Glob("src/**/*.{ts,tsx}").scan()) {
    const source = await Bun.file(path).text();
    if (/paused_message\s+is\s+(not\s+)?null|isNull\([\w.]*pausedMessage/i.test(source)) asking.push(path);
  }
  expect(asking).toEqual([]);
});

test("Postgres inlines the function, so that a purchase does not pay for a call", async () => {
  const plan = await db.execute(
    sql`explain verbose select is_paused(paused_message, paused_until), pause_of(paused_message, paused_until)
        from products where not is_paused(paused_message, paused_until)`,
  );
  expect(JSON.stringify(plan)).toContain("now()");
  expect(JSON.stringify(plan)).not.toMatch(/is_paused|pause_of/);
});

test("a product whose pause has an end is sold again from then on, without anybody's help", async () => {
  await pauseProduct(db, { by, productId: bundle.id, message: "Back soon", until: inHours(1) });
  expect(await outcome(orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) }))).toBe("product.paused");
  await db.execute(sql`update products set paused_until = now() + interval '200 milliseconds'`);
  for (;;) {
    const [row] = await db.execute<{ isOver: boolean }>(
      sql`select paused_until <= now() as "isOver" from products where id = ${bundle.id}`,
    );
    if (row!.isOver) break;
  }
  expect(await outcome(orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) }))).toBe("done");
});

test("a refusal carries the message, the end and the seconds until then, for an unpaid order, too", async () => {
  const line = lineFor(bundle);
  const { answer: unpaid } = await unpaidOrders.create(db, { by: ama.by(), key: null, line });
  const until = inHours(2);
  await pauseNetwork(db, { by, operator: "MTN", message: "MTN is down", until });
  for (const refused of [
    await refusal(orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) })),
    await refusal(unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) })),
    await refusal(unpaidOrders.spend(db, { by: ama.by(), key: null, orderId: unpaid.id })),
  ]) {
    expect([refused.code, refused.details?.message]).toEqual(["product.paused", "MTN is down"]);
    expect(refused.details?.until).toBe(until.toISOString());
    expect(refused.details?.retryAfterSeconds).toBeWithin(7100, 7201);
    expect(refused.message).toContain(pausedText({ until }));
  }
  await pauseNetwork(db, { by, operator: "MTN", message: "MTN is down" });
  const refused = await refusal(orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) }));
  expect(refused.message).toBe("This bundle is paused at the moment");
  expect(refused.details).toEqual({ message: "MTN is down", until: null });
});

test("a bulk order shows the pause's message and end on each line, in the preview and when placed", async () => {
  const free = await world.product("TELECEL", "1GB", "4.00");
  const until = inHours(1);
  await pauseProduct(db, { by, productId: bundle.id, message: "Its own", until });
  await pauseNetwork(db, { by, operator: "MTN", message: "All of MTN", until: inHours(30) });
  const requested = [lineFor(free, { msisdn: "0201234567" }), lineFor(bundle), lineFor(bundle)];
  const seen = await bulk.preview(db, { by: ama.by(), lines: requested });
  expect(seen.lines.map(({ problem, paused }) => [problem, paused?.message])).toEqual([
    [null, undefined],
    ["product.paused", "All of MTN"],
    ["product.paused", "All of MTN"],
  ]);
  const { code, details } = await refusal(buyBulk(db, { by: ama.by(), key: null, lines: requested }));
  expect([code, details!.lines!.map(({ line }) => line)]).toEqual(["bulk.lines_refused", [2, 3]]);
  const [first] = details!.lines!;
  expect(first!.paused).toMatchObject({ message: "All of MTN", until: expect.stringMatching(/Z$/) });
  expect(first!.message).toMatch(/^This bundle is paused until \d+ [A-Z][a-z]+, \d\d:\d\d$/);
});

describe("an end", () => {
  const pause = (until: Date | null) => pauseProduct(db, { by, productId: bundle.id, message: "Later", until });
  const pauseMtn = (until: Date | null) => pauseNetwork(db, { by, operator: "MTN", message: "Later", until });

  test("is in the future, by at most 90 days", async () => {
    for (const hours of [-1, -24 * 365, 24 * 90 + 1, 24 * 40_000])
      for (const work of [pause, pauseMtn]) expect(await outcome(work(inHours(hours)))).toBe("pause.end_invalid");
    for (const hours of [0.1, 24 * 90 - 1])
      for (const work of [pause, pauseMtn]) expect(await outcome(work(inHours(hours)))).toBe("done");
  });

  test("needs a pause; fields that are not given stay as they are", async () => {
    const edit = async (change: Partial<Values<typeof products.edit.declared.input>>) => {
      await products.edit(db, { by, productId: bundle.id, ...change });
      return products.get(db, bundle.id);
    };
    const until = inHours(3);
    expect(await outcome(edit({ pausedUntil: until }))).toBe("pause.message_missing");
    expect(await outcome(edit({ pausedMessage: null, pausedUntil: until }))).toBe("pause.message_missing");
    expect((await edit({ pausedMessage: "First", pausedUntil: until })).paused).toEqual({
      message: "First",
      until,
    });
    expect((await edit({ pausedMessage: "Second" })).paused).toEqual({ message: "Second", until });
    expect((await edit({ pausedUntil: inHours(4) })).paused!.message).toBe("Second");
    expect((await edit({ name: "Renamed" })).paused!.message).toBe("Second");
    expect((await edit({ pausedUntil: null })).paused).toEqual({ message: "Second", until: null });
    expect((await edit({ pausedMessage: null })).paused).toBeNull();
    const mtn = async (change: object) => (await switches.pauseNetwork(db, { by, operator: "MTN", ...change })).answer;
    expect(await outcome(mtn({ pausedUntil: until }))).toBe("pause.message_missing");
    const { since } = (await mtn({ pausedMessage: "First", pausedUntil: until })).paused!;
    expect((await mtn({ pausedMessage: "Second" })).paused).toEqual({ message: "Second", until, since });
    expect((await mtn({ pausedMessage: null })).paused).toBeNull();
  });

  test("that has passed does not affect the next pause, however that is set", async () => {
    await pause(inHours(1));
    await pauseMtn(inHours(1));
    await db.execute(sql`update products set paused_until = now() - interval '1 day' where id = ${bundle.id}`);
    await db.execute(sql`update operators set paused_until = now(), paused_at = now() - interval '2 days'
                         where code = 'MTN'`);
    await products.edit(db, { by, productId: bundle.id, pausedMessage: "Again" });
    expect((await products.get(db, bundle.id)).paused).toEqual({ message: "Again", until: null });
    const { answer: mtn } = await switches.pauseNetwork(db, { by, operator: "MTN", pausedMessage: "Later" });
    expect(mtn.paused).toMatchObject({ message: "Later", until: null });
    expect(Date.now() - mtn.paused!.since.getTime()).toBeLessThan(3_600_000);
  });

  test("is cleared when the pause is lifted early, which stands in the audit log", async () => {
    const until = inHours(5);
    await pause(until);
    await pauseMtn(until);
    await pauseMtn(until);
    await pauseProduct(db, { by, productId: bundle.id, message: null });
    await pauseNetwork(db, { by, operator: "MTN", message: null });
    expect(await outcome(orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) }))).toBe("done");
    for (const [subjectType, subjectId] of [
      ["product", bundle.id],
      ["operator", "MTN"],
    ] as const) {
      const [resumed, paused] = await auditLog.list(db, { subjectType, subjectId }, { limit: 2 });
      expect([paused!.action, resumed!.action]).toEqual([`${subjectType}.pause`, `${subjectType}.resume`]);
      const pause = { pausedMessage: "Later", pausedUntil: until.toISOString() };
      expect(paused!.after).toMatchObject(pause);
      expect(resumed!.before).toMatchObject(pause);
      expect(resumed!.after).toMatchObject({ pausedMessage: null, pausedUntil: null });
    }
  });
});

test("the text names the time for today, the day as well for another, and is never a minute too early", () => {
  const now = new Date("2026-11-22T09:00:00Z");
  const text = (until: string | null) => pausedText({ until: until ? new Date(until) : null }, now);
  expect(text(null)).toBe("paused");
  expect(text("2026-11-22T14:30:00Z")).toBe("paused until 14:30");
  expect(text("2026-11-22T14:29:00.001Z")).toBe("paused until 14:30");
  expect(text("2026-11-22T23:59:30Z")).toBe("paused until 23 Nov, 00:00");
  expect(text("2026-11-24T14:30:00Z")).toBe("paused until 24 Nov, 14:30");
  expect(text("2027-11-22T14:30:00Z")).toBe("paused until 22 Nov, 14:30");
  expect(pausedTitle({ until: null })).toBe("Paused");
});
