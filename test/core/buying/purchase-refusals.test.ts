// Why a purchase is refused, and which reason comes first when there are several.
import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import type { LineRequest } from "../../../src/core/buying/purchase-groups.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import {
  count,
  freshNumber,
  holdWallet,
  lineFor,
  outcome,
  refusal,
  tally,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { pauseNetwork } from "../../support/pausing.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 500.00");

const buy = (line: LineRequest, person: Person = ama, allowDuplicate = false) =>
  orders.buy(db, { by: person.by(), key: null, line, allowDuplicate });
const create = (line: LineRequest, person: Person = ama) =>
  unpaidOrders.create(db, { by: person.by(), key: null, line });

test("a line with everything wrong is refused for one reason at a time, in the order of precedence", async () => {
  const poor = await world.person("poor", "GH₵ 1.00");
  const msisdn = freshNumber();
  await create({ productId: bundle.id, msisdn, quantity: 1 }, poor);
  const worst = {
    productId: 999_999,
    msisdn: "12",
    quantity: 0,
    operator: "TELECEL",
    expectedPesewas: 1,
  } as const;
  const pause = (message: string | null) =>
    db.execute(sql`update products set paused_message = ${message} where id = ${bundle.id}`);
  await pause("Being repaired");
  // Each step fixes the reason of the refusal before it.
  const steps: [string, LineRequest, (() => Promise<unknown>)?][] = [
    ["msisdn.invalid", worst],
    ["order.quantity_invalid", { ...worst, msisdn }],
    ["product.not_found", { ...worst, msisdn, quantity: 1 }],
    ["order.operator_mismatch", { ...worst, msisdn, quantity: 1, productId: bundle.id }],
    ["product.paused", { ...worst, msisdn, quantity: 1, productId: bundle.id, operator: "MTN" }],
    [
      "order.price_changed",
      { ...worst, msisdn, quantity: 1, productId: bundle.id, operator: "MTN" },
      () => pause(null),
    ],
    ["order.duplicate", { productId: bundle.id, operator: "MTN", msisdn, quantity: 1, expectedPesewas: 390 }],
  ];
  for (const [code, line, fix] of steps) {
    await fix?.();
    expect([code, await outcome(buy(line, poor))]).toEqual([code, code]);
    // An unpaid order follows the same rules in the same order.
    expect([code, await outcome(create(line, poor))]).toEqual([code, code]);
  }
  const fixed = steps.at(-1)![1];
  expect(await outcome(buy(fixed, poor, true))).toBe("wallet.insufficient_balance");
  expect(await count(db, sql`from orders where user_id = ${poor.id} and paid_at is not null`)).toBe(0);
});

describe("a product", () => {
  test("is taken off sale by admins only", async () => {
    const product = await world.product("MTN", "7GB", "1.00");
    const by = (await world.person("cheeky")).by("web");
    expect(await outcome(products.retire(db, { by, productId: product.id }))).toBe("auth.forbidden");
    expect((await products.list(db)).map(({ id }) => id)).toContain(product.id);
  });

  test("that does not exist, or was taken off sale, is not found", async () => {
    const gone = await world.product("MTN", "8GB", "1.00");
    await products.retire(db, { by: yaw.by(), productId: gone.id });
    for (const productId of [gone.id, 987_654, -1, 0]) {
      expect(await outcome(buy({ productId, msisdn: freshNumber(), quantity: 1 }))).toBe("product.not_found");
    }
  });

  test("of another network is refused when the buyer named one", async () => {
    expect(await outcome(buy(lineFor(bundle, { operator: "TELECEL" })))).toBe("order.operator_mismatch");
    expect(await outcome(buy(lineFor(bundle, { operator: "MTN" })))).toBe("done");
  });

  test("is paused alone or with its whole network, until sales resume", async () => {
    const telecel = await world.product("TELECEL", "1GB", "4.00");
    const pause = (message: string | null) => pauseNetwork(db, { by: yaw.by(), operator: "TELECEL", message });
    await pause("Telecel is down");
    expect(await outcome(buy(lineFor(telecel)))).toBe("product.paused");
    expect(await outcome(create(lineFor(telecel)))).toBe("product.paused");
    expect(await outcome(buy(lineFor(bundle)))).toBe("done");
    await pause(null);
    expect(await outcome(buy(lineFor(telecel)))).toBe("done");
  });

  test("whose price differs from what the buyer was shown is refused, whether higher or lower", async () => {
    expect(await outcome(buy(lineFor(bundle, { expectedPesewas: 389 })))).toBe("order.price_changed");
    expect(await outcome(buy(lineFor(bundle, { expectedPesewas: 391 })))).toBe("order.price_changed");
    expect(await outcome(buy(lineFor(bundle, { expectedPesewas: 390, quantity: 2 })))).toBe("order.price_changed");
    expect(await outcome(buy(lineFor(bundle, { expectedPesewas: 780, quantity: 2 })))).toBe("done");
  });
});

describe("the same bundle for the same number within ten minutes", () => {
  test("is refused in whatever form the number is written, and accepted when it is confirmed", async () => {
    const local = freshNumber();
    await buy(lineFor(bundle, { msisdn: local }));
    for (const msisdn of [local, `+233${local.slice(1)}`, `${local.slice(0, 3)} ${local.slice(3)}`]) {
      expect(await outcome(buy(lineFor(bundle, { msisdn })))).toBe("order.duplicate");
      expect(await outcome(create(lineFor(bundle, { msisdn })))).toBe("order.duplicate");
    }
    expect(await outcome(buy(lineFor(bundle, { msisdn: local }), ama, true))).toBe("done");
  });

  let [other, tiny] = [bundle, bundle];
  let kofi = ama;

  beforeAll(async () => {
    other = await world.product("MTN", "2GB", "7.50");
    tiny = await world.product("MTN", "1MB", "0.01");
    kofi = await world.person("kofi", "GH₵ 50.00");
  });

  // A bulk order of more than 200 lines looks for duplicates in another way.
  test.each([1, 3, 250])("is recognised among %d lines, by buyer, bundle, age and outcome", async (lines) => {
    const msisdn = freshNumber();
    const fillers = () => times(lines - 1, () => lineFor(tiny));
    const buyAmong = (line: LineRequest, person = ama) =>
      lines === 1
        ? outcome(buy(line, person))
        : outcome(buyBulk(db, { by: person.by(), key: null, lines: [...fillers(), line] }));
    const duplicate = lines === 1 ? "order.duplicate" : "bulk.lines_refused";
    const { answer } = await buy(lineFor(bundle, { msisdn }), ama);
    expect(await buyAmong(lineFor(bundle, { msisdn }))).toBe(duplicate);
    expect(await buyAmong(lineFor(other, { msisdn }))).toBe("done");
    expect(await buyAmong(lineFor(bundle, { msisdn }), kofi)).toBe("done");
    await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: answer.order.id, to: "FAILED" });
    expect(await buyAmong(lineFor(bundle, { msisdn }))).toBe("done");
    expect(await buyAmong(lineFor(bundle, { msisdn }))).toBe(duplicate);
    await db.execute(
      sql`update orders set created_at = created_at - interval '601 seconds' where msisdn = ${`233${msisdn.slice(1)}`}`,
    );
    expect(await buyAmong(lineFor(bundle, { msisdn }))).toBe("done");
  });

  test("is one order when it is sent many times at once without a key, also at two servers", async () => {
    await withSecondServer(world, async (other) => {
      for (const round of times(6, (i) => i)) {
        const line = lineFor(bundle);
        const outcomes = await Promise.all(
          times(12, (i) => outcome(orders.buy(round % 2 && i % 2 ? other : db, { by: ama.by(), key: null, line }))),
        );
        expect(tally(outcomes)).toEqual({ done: 1, "order.duplicate": 11 });
      }
    });
  });
});

test("a purchase that had to wait for another server's sees the order of that one", async () => {
  await withSecondServer(world, async (other) => {
    const ask = { by: ama.by(), key: null, line: lineFor(bundle) };
    const bulk = { by: ama.by(), key: null, lines: [ask.line] };
    const held = await holdWallet(db, ama.id);
    const first = outcome(orders.buy(db, ask));
    await held.waiting(1);
    const second = outcome(orders.buy(other, ask));
    const third = outcome(buyBulk(other, bulk));
    await held.waiting(3);
    await held.release();
    expect(tally([await first, await second, await third])).toEqual({
      done: 1,
      "order.duplicate": 1,
      "bulk.lines_refused": 1,
    });
  });
});

test("money that is credited while a purchase waits for the wallet can pay for it", async () => {
  const esi = await world.person("esi", "GH₵ 1.00");
  const held = await holdWallet(db, esi.id);
  const ask = { by: yaw.by("admin"), key: null, userId: esi.id, amountPesewas: 2000, reason: "paid in" };
  const credit = outcome(wallet.adjust(db, ask));
  await held.waiting(1);
  const bought = outcome(buy(lineFor(bundle), esi));
  await held.waiting(2);
  await held.release();
  expect([await credit, await bought]).toEqual(["done", "done"]);
  expect(await world.balanceOf(esi)).toBe(2100 - 390);
});

test("neither a banned user nor a closed account can buy", async () => {
  const efua = await world.person("efua", "GH₵ 50.00");
  await users.ban(db, { by: yaw.by(), userId: efua.id });
  expect(await outcome(buy(lineFor(bundle), efua))).toBe("auth.banned");
  expect(await world.balanceOf(efua)).toBe(5000);
  const gone = await world.person("gone");
  await users.remove(db, { by: yaw.by(), userId: gone.id });
  expect(await outcome(buy(lineFor(bundle), gone))).toBe("auth.banned");
});

test("a quantity is a whole number from 1 to 100", async () => {
  for (const quantity of [0, 101, 1.5, Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 53]) {
    expect(await outcome(buy(lineFor(bundle, { quantity })))).toBe("order.quantity_invalid");
    expect(await outcome(create(lineFor(bundle, { quantity })))).toBe("order.quantity_invalid");
  }
  expect(await outcome(buy(lineFor(bundle, { quantity: 100 })))).toBe("done");
});

test("a number that is foreign, too short, too long or not a number is refused at its field", async () => {
  for (const msisdn of ["+2348012345678", "054123456", "05412345678", "0141234567", "", "number", "+44 7700 900123"]) {
    const refused = await refusal(buy(lineFor(bundle, { msisdn })));
    expect(refused.code).toBe("msisdn.invalid");
    expect(refused.details?.fields).toHaveProperty("msisdn");
  }
});
