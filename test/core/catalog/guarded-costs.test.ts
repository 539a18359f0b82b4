// The ways to sell below cost alone: entering a lower cost first, putting the same bundle on sale again, and making a
// cheap bundle a large one. Each takes a second person, as the price itself would.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import { users } from "../../../db/schema/identity.ts";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import type { Values } from "../../../src/shared/fields.ts";
import { ask, codeOf, neededBy, staff } from "../../support/approvals.ts";
import { deskTakes } from "../../support/costs.ts";
import { guard, openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const [esi, efua] = [await staff(world, "MANAGER"), await staff(world, "MANAGER")];
await guard(db);

let size = 100;
async function costly(): Promise<products.Product> {
  size += 1;
  const product = await world.product("TELECEL", `${size}GB`, "5.00");
  await deskTakes(db, product.id, 400);
  return product;
}

const enter = (productId: number, costPesewas: number, by = esi) =>
  costs.set(db, {
    ...{ by: by.by(), vendors: [] },
    costs: [{ productId, vendor: "desk", costPesewas }],
  });
const edit = (productId: number, change: Partial<Values<typeof products.edit.declared.input>>, by = esi) =>
  codeOf(products.edit(db, { by: by.by(), productId, confirmPrice: true, ...change }));
const add = (name: string, ofSize: string, pricePesewas: number) =>
  products.add(db, {
    ...{ by: esi.by(), operator: "TELECEL", name, size: ofSize, pricePesewas, confirmPrice: true },
  });

describe("whoever has entered a lower cost", () => {
  test("does not price the bundle below the former one alone", async () => {
    const { id } = await costly();
    await enter(id, 100);
    await enter(id, 90);
    expect(await edit(id, { pricePesewas: 399 })).toBe("approval.needed");
    expect(await edit(id, { pricePesewas: 400 })).toBe("done");
    const prices = [{ productId: id, tierId: 1, pricePesewas: 150 }];
    const { ask } = await neededBy(
      priceChanges.set(db, { by: esi.by(), key: null, prices, since: null, note: "", isConfirmed: true }),
    );
    expect(ask.summary).toEndWith("at GH₵ 1.50, which costs GH₵ 4.00");
  });

  test("is held to it for seven days, and others are not", async () => {
    const { id } = await costly();
    await enter(id, 100);
    expect(await edit(id, { pricePesewas: 380 }, efua)).toBe("done");
    expect(await edit(id, { pricePesewas: 370 })).toBe("approval.needed");
    await db.execute(sql`update product_costs set seen_at = seen_at - interval '7 days' where product_id = ${id}`);
    expect(await edit(id, { pricePesewas: 370 })).toBe("done");
  });

  test("is held to it no more when the vendor has reported a charge since", async () => {
    const { id } = await costly();
    await enter(id, 300);
    await db.transaction((tx) =>
      costs.record(tx, [{ productId: id, vendor: "desk", costPesewas: 310, at: new Date(Date.now() + 1000) }]),
    );
    expect(await edit(id, { pricePesewas: 320 })).toBe("done");
    expect(await edit(id, { pricePesewas: 309 })).toBe("approval.needed");
  });
});

describe("a bundle costs at least what a smaller one of its network costs:", () => {
  test("another like one that was retired", async () => {
    const { id, size: same } = await costly();
    await products.retire(db, { by: esi.by(), productId: id });
    expect(await codeOf(add("Again", same, 399))).toBe("approval.needed");
    expect(await codeOf(add("Again", same, 400))).toBe("done");
  });

  test("a larger one under a new name", async () => {
    await costly();
    const { ask } = await neededBy(add("Large", `${size + 500}GB`, 10));
    expect(ask.summary).toEndWith("at GH₵ 0.10, which costs GH₵ 4.00");
  });

  test("a small one that becomes large at its price", async () => {
    await costly();
    const small = await world.product("TELECEL", "20MB", "0.20");
    expect(await edit(small.id, { size: `${size + 300}GB` })).toBe("approval.needed");
    expect(await edit(small.id, { size: "30MB" })).toBe("done");
  });
});

describe("a price below cost of somebody on the staff", () => {
  const requestFor = async (price: { tierId: number } | { userId: number }) => {
    const { id } = await costly();
    const prices = [{ productId: id, pricePesewas: 300, ...price }];
    const by = yaw.by("admin");
    const set = priceChanges.set(db, { by, key: null, prices, since: null, note: "", isConfirmed: true });
    return ask(world, yaw, set);
  };

  test("for the account is not decided by its owner", async () => {
    const approval = await requestFor({ userId: efua.id });
    expect(await codeOf(requests.agree(db, { by: efua.by(), approvalId: approval.id }))).toBe("approval.concerns_you");
    expect(await codeOf(requests.agree(db, { by: esi.by(), approvalId: approval.id }))).toBe("done");
  });

  test("for its tier is not decided by who is in it, also since it was asked for", async () => {
    const { answer: tier } = await tiers.add(db, { by: yaw.by("admin"), name: "Friends" });
    const approval = await requestFor({ tierId: tier.id });
    await db.update(users).set({ tierId: tier.id }).where(eq(users.id, efua.id));
    expect(await codeOf(requests.agree(db, { by: efua.by(), approvalId: approval.id }))).toBe("approval.concerns_you");
    await db.update(users).set({ tierId: STANDARD_TIER_ID }).where(eq(users.id, efua.id));
    expect(await codeOf(requests.agree(db, { by: efua.by(), approvalId: approval.id }))).toBe("done");
  });
});
