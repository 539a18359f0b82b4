// The ways to sell for next to nothing alone, where nobody knows what a bundle costs: a low price at once or in steps,
// now or later, for everybody, a tier or one account, by saying what it costs oneself, or as a bundle that is new. Each
// takes a second person, also in a shop that has entered no cost yet.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import type { WantedPrice } from "../../../src/core/catalog/price-quotes.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as loneActs from "../../../src/core/platform/colleagues/lone-acts.ts";
import type { Values } from "../../../src/shared/fields.ts";
import { agent, codeOf, neededBy, staff } from "../../support/approvals.ts";
import { deskTakes } from "../../support/costs.ts";
import { guard, openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const [esi, efua] = [await staff(world, "MANAGER"), await staff(world, "MANAGER")];
const mallory = await agent(world);
const { answer: gold } = await tiers.add(db, { by: yaw.by("admin"), name: "Gold" });
await guard(db);

let size = 100;
/** A bundle at GH₵ 5.00 for everybody, of which nobody knows what it costs. */
let bundle: products.Product;
beforeEach(async () => {
  size += 1;
  bundle = await unguarded(() => world.product("TELECEL", `${size}GB`, "5.00"));
});

/** Does something as if a second person had agreed. */
async function unguarded<T>(work: () => Promise<T>): Promise<T> {
  await db.execute(sql`insert into settings (key, value) values ('second_person', 'false')`);
  try {
    return await work();
  } finally {
    await guard(db);
  }
}

const ALONE = "done";
const TOGETHER = "approval.needed";
const change = (prices: WantedPrice[], { since = null, by = esi }: { since?: Date | null; by?: typeof esi } = {}) =>
  priceChanges.set(db, { by: by.by(), key: null, prices, since, note: "", isConfirmed: true });
const standard = (pricePesewas: number): WantedPrice => ({
  ...{ productId: bundle.id, tierId: STANDARD_TIER_ID, pricePesewas },
});
const forMallory = (pricePesewas: number | null): WantedPrice => ({
  ...{ productId: bundle.id, userId: mallory.id, pricePesewas },
});
const forGold = (pricePesewas: number): WantedPrice => ({
  ...{ productId: bundle.id, tierId: gold.id, pricePesewas },
});
const set = (...prices: WantedPrice[]) => codeOf(change(prices));
const edit = (fields: Partial<Values<typeof products.edit.declared.input>>, by = esi) =>
  codeOf(products.edit(db, { by: by.by(), productId: bundle.id, confirmPrice: true, ...fields }));
const enter = (costPesewas: number, by = esi, vendor = "desk") =>
  costs.set(db, {
    ...{ by: by.by(), vendors: [{ code: "datamart" }] },
    costs: [{ productId: bundle.id, vendor, costPesewas }],
  });
const add = (name: string, ofSize: string, pricePesewas: number, operator = "TELECEL") =>
  products.add(db, {
    ...{ by: esi.by(), operator, name, size: ofSize, pricePesewas, confirmPrice: true },
  });
const daysLater = async (days: number) => {
  const earlier = sql`make_interval(days => ${days})`;
  await db.execute(sql`update product_costs set seen_at = seen_at - ${earlier} where product_id = ${bundle.id}`);
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

describe("without a known cost, less than 80 % of the Standard price takes a second person", () => {
  test("for everybody", async () => {
    expect(await set(standard(399))).toBe(TOGETHER);
    expect(await edit({ pricePesewas: 399 })).toBe(TOGETHER);
    expect(await set(standard(400))).toBe(ALONE);
  });

  test("also in steps, on one day", async () => {
    expect(await set(standard(400))).toBe(ALONE);
    expect(await set(standard(399))).toBe(TOGETHER);
    expect(await edit({ pricePesewas: 399 })).toBe(TOGETHER);
    // A way up is free.
    expect(await edit({ pricePesewas: 450 })).toBe(ALONE);
  });

  test("also in steps that are planned one behind the other", async () => {
    expect(await codeOf(change([standard(400)], { since: inDays(1) }))).toBe(ALONE);
    expect(await codeOf(change([standard(320)], { since: inDays(2) }))).toBe(TOGETHER);
    expect(await codeOf(change([standard(1)], { since: inDays(300) }))).toBe(TOGETHER);
  });

  test("for a tier, also after the Standard price was lowered", async () => {
    expect(await set(forGold(399))).toBe(TOGETHER);
    expect(await set(standard(400), forGold(390))).toBe(TOGETHER);
    expect(await set(standard(400))).toBe(ALONE);
    expect(await set(forGold(399))).toBe(TOGETHER);
    expect(await set(forGold(400))).toBe(ALONE);
  });

  test("and says why", async () => {
    const { ask } = await neededBy(change([forGold(10)]));
    expect(ask.summary).toBe(
      `set a low price: Telecel ${size}GB at GH₵ 0.10, whose cost nobody else has entered, and whose Standard price ` +
        "was GH₵ 5.00",
    );
  });

  test("but not where others have said what it costs", async () => {
    await deskTakes(db, bundle.id, 300);
    expect(await set(standard(300))).toBe(ALONE);
    expect(await set(standard(299))).toBe(TOGETHER);
  });
});

describe("who says alone what a bundle costs", () => {
  test("is held to the Standard price for a week all the same", async () => {
    await enter(1);
    expect(await set(standard(399))).toBe(TOGETHER);
    expect(await edit({ pricePesewas: 399 })).toBe(TOGETHER);
    await daysLater(7);
    expect(await set(standard(399))).toBe(ALONE);
  });

  test("also by entering it again, or for another vendor beside one that is known", async () => {
    await enter(100);
    await enter(1);
    expect(await set(standard(399))).toBe(TOGETHER);
    await enter(350, efua, "datamart");
    await enter(1, esi, "desk");
    expect(await set(standard(399))).toBe(TOGETHER);
  });

  test("is not, once somebody else prices it", async () => {
    await enter(300);
    expect(await codeOf(change([standard(300)], { by: efua }))).toBe(ALONE);
  });
});

describe("an exception of one account", () => {
  test("below what the lowest tier pays takes a second person, whatever the bundle costs", async () => {
    expect(await set(forGold(450))).toBe(ALONE);
    for (const cost of [null, 100]) {
      if (cost !== null) await deskTakes(db, bundle.id, cost);
      expect(await set(forMallory(449))).toBe(TOGETHER);
      expect(await set(forMallory(1))).toBe(TOGETHER);
      expect(await codeOf(change([forMallory(449)], { since: inDays(20) }))).toBe(TOGETHER);
    }
    expect(await set(forMallory(450))).toBe(ALONE);
    const { ask } = await neededBy(change([forMallory(440)]));
    expect(ask.summary).toEndWith(`at GH₵ 4.40, for ${mallory.username}, while no group pays less than GH₵ 4.50`);
    expect(ask.concerns).toContain(mallory.id);
  });

  test("is taken away alone", async () => {
    expect(await set(forMallory(500))).toBe(ALONE);
    expect(await set(forMallory(null))).toBe(ALONE);
  });

  test("that was undone does not come back alone", async () => {
    const { answer } = await unguarded(() => change([forMallory(10)]));
    const undone = await priceChanges.undo(db, { by: esi.by(), key: null, changeId: answer.changeId! });
    const again = priceChanges.undo(db, { by: esi.by(), key: null, changeId: undone.answer.changeId! });
    expect(await codeOf(again)).toBe(TOGETHER);
  });
});

describe("a bundle that is new costs no less than others of its network let expect:", () => {
  test("not less than 80 % of what a smaller one, or one that was retired, costs", async () => {
    expect(await codeOf(add("Again", `${size}GB`, 399))).toBe(TOGETHER);
    await products.retire(db, { by: esi.by(), productId: bundle.id });
    expect(await codeOf(add("Again", `${size}GB`, 399))).toBe(TOGETHER);
    expect(await codeOf(add("Again", `${size}GB`, 400))).toBe(ALONE);
  });

  test("not a small one's price for fifty times as much, nor next to nothing for a little less", async () => {
    expect(await codeOf(add("Vast", `${size * 50}GB`, 600))).toBe(TOGETHER);
    expect(await codeOf(add("Less", "90GB", 1))).toBe(TOGETHER);
    expect(await codeOf(add("Half", "50GB", 240))).toBe(ALONE);
  });

  test("nor does one that becomes another, or becomes it again", async () => {
    expect(await edit({ size: `${size * 50}GB` })).toBe(TOGETHER);
    expect(await edit({ size: "1GB", pricePesewas: 1 })).toBe(TOGETHER);
  });
});

test("in a shop with one owner and nobody else, the owner decides alone, and it is noted", async () => {
  await db.execute(sql`update users set status = 'BANNED' where id in (${esi.id}, ${efua.id})`);
  expect(await codeOf(change([forMallory(1)], { by: yaw }))).toBe(ALONE);
  const [{ summary } = { summary: null }] = await db.execute<{ summary: string }>(
    sql`select summary from lone_acts where is_loud order by id desc limit 1`,
  );
  expect(summary).toContain(`at GH₵ 0.01, for ${mallory.username}`);
  await db.execute(sql`update users set status = 'ACTIVE' where id in (${esi.id}, ${efua.id})`);
});

describe("the other owners are notified of a lowered cost", () => {
  const reported = async () => (await loneActs.loudActs(db)).filter(loneActs.isReported).map(({ summary }) => summary);
  const mails = async () => {
    await requests.sweep(db);
    return db.execute<{ recipient: string; body: string }>(
      sql`select recipient, body from messages where kind = 'costs_lowered' order by id`,
    );
  };
  beforeEach(async () => {
    await db.execute(sql`delete from lone_acts`);
    await db.execute(sql`delete from messages`);
  });

  test("by e-mail, and on the first page", async () => {
    await enter(400);
    expect(await reported()).toEqual([]);
    await enter(390);
    const summary = `lower the cost of Telecel ${size}GB from GH₵ 4.00 to GH₵ 3.90 (desk)`;
    expect(await reported()).toEqual([summary]);
    const [mail, ...others] = await mails();
    expect([mail!.recipient, others.length]).toEqual([yaw.email, 0]);
    expect(mail!.body).toContain(summary);
    await enter(395);
    expect((await reported()).length).toBe(1);
  });

  test("also one that is the first, and below what the Standard price lets one person go", async () => {
    await enter(399);
    expect(await reported()).toEqual([`lower the cost of Telecel ${size}GB to GH₵ 3.99 (desk)`]);
  });

  test("and to nobody by the only owner", async () => {
    await enter(400, yaw);
    await enter(100, yaw);
    expect([await reported(), [...(await mails())]]).toEqual([[], []]);
  });
});
