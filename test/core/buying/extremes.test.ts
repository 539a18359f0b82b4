// Extremes: the largest bundles that admins can put on sale can also be bought, and the books still balance.
import { expect, test } from "bun:test";
import * as orders from "../../../src/core/buying/buy.ts";
import * as products from "../../../src/core/catalog/products.ts";
import { MAX_AMOUNT_PESEWAS } from "../../../src/shared/money.ts";
import { lineFor } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;

test("a hundred of the most expensive product are paid exactly", async () => {
  const whale = await world.person("whale");
  const { adjust } = await import("../../../src/core/ledger/wallet.ts");
  for (const round of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const ask = { userId: whale.id, amountPesewas: MAX_AMOUNT_PESEWAS, reason: `round ${round}` };
    await adjust(db, { by: yaw.by(), key: null, ...ask });
  }
  const dearest = await world.product("MTN", "900GB", "10000000.00");
  const ask = { by: whale.by(), key: null, line: lineFor(dearest, { quantity: 10 }) };
  const { answer } = await orders.buy(db, ask);
  expect([answer.order.amountPesewas, answer.balancePesewas]).toEqual([10 * MAX_AMOUNT_PESEWAS, 0]);
});

test("a bundle of any volume that can be put on sale can be bought a hundred times over", async () => {
  const ama = await world.person("ama", "GH₵ 900.00");
  const fields = { operator: "MTN" as const, name: "Enormous", size: "1000000GB", pricePesewas: 100 };
  const { answer: enormous } = await products.add(db, { by: yaw.by(), ...fields });
  const ask = { by: ama.by(), key: null, line: lineFor(enormous, { quantity: 100 }) };
  expect((await orders.buy(db, ask)).answer.balancePesewas).toBe(80_000);
});
