// Many new bundles by one list: checked, put on sale together with their costs, and nothing of it by half.
import { expect, test } from "bun:test";
import { buy } from "../../src/core/buying/buy.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as products from "../../src/core/catalog/products.ts";
import { NOT_YET } from "../../src/shared/pause.ts";
import { staff } from "../support/approvals.ts";
import { lineFor } from "../support/asking.ts";
import { guard, openApp, openWorld } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const owner = await visitorAs(openApp(world), world.yaw);
const PATH = "/admin/products/add";

const check = async (bundles: string, more: Record<string, string> = {}) =>
  owner.press(await owner.open(PATH), "Check list", { bundles, ...more });

test("the usual sizes are a draft: with prices behind them, three presses put them all on sale", async () => {
  const draft = await owner.open(`${PATH}?usual=all`);
  const sizes = draft.document.querySelector("textarea")!.textContent!.trim().split("\n");
  expect(sizes.length).toBe(48);
  const priced = sizes.map((line, at) => `${line.trim()} ${(at + 10).toFixed(2)} ${(at + 11).toFixed(2)}`);
  const checked = await owner.press(draft, "Check list", { bundles: priced.join("\n") });
  expect(checked.text).toContain("48 bundles");
  const added = await owner.press(checked, "Put these 48 on sale");
  expect([added.path, added.text]).toEqual(["/admin", expect.stringContaining("48 bundles are on sale")]);
  // What else the shop needs comes next.
  expect(added.text).toContain("What your shop needs");
  const all = await products.list(world.db);
  expect([all.length, (await costs.newest(world.db)).length]).toEqual([48, 48]);
  expect(all.find(({ size, family }) => size === "100GB" && family === "AT_BIGTIME")).toMatchObject({
    name: "AT BigTime",
    operator: "AIRTELTIGO",
  });
});

test("what cannot be read is named, and the others can be added", async () => {
  const checked = await check("MTN 1GB 3.90\nMTN 200GB 700 720\nGlo 2GB 8");
  expect(checked.text).toContain("1 bundle, 2 left out");
  expect(checked.text).toContain("Line 1: MTN 1GB 3.90 is on sale already");
  expect(checked.text).toContain("Line 3: Glo 2GB 8 names no network that you sell");
  // The list stays as it was typed, to be changed.
  expect(checked.document.querySelector("textarea")!.textContent).toContain("Glo 2GB 8");
  expect((await owner.press(checked, "Put it on sale")).text).toContain("1 bundle is on sale");
});

test("those without a cost are added, and on sale only where that is ticked", async () => {
  const pausesOf = async (sizes: string[]) => {
    const all = await products.list(world.db);
    return sizes.map((size) => all.find((one) => one.operator === "MTN" && one.size === size)!.paused);
  };
  const added = await owner.press(await check("MTN 61GB 270\nMTN 62GB 270 280"), "Add these 2");
  expect([added.path, added.text]).toEqual([
    "/admin/prices?show=not_yet",
    expect.stringContaining("2 bundles are added. Enter what 1 of them costs to sell it."),
  ]);
  expect(await pausesOf(["61GB", "62GB"])).toEqual([NOT_YET, null]);
  const checked = await check("MTN 63GB 280\nMTN 64GB 290");
  expect(checked.text).toContain("Sell the 2 without a cost, too");
  const both = await owner.press(checked, "Add these 2", { sellWithoutCost: "1" });
  expect(both.text).toContain("2 bundles are on sale");
  expect(await pausesOf(["63GB", "64GB"])).toEqual([null, null]);
});

test("once something was ordered, it leads to the prices", async () => {
  const ama = await world.person("ama", "GH₵ 900.00");
  const [bundle] = await products.list(world.db);
  await buy(world.db, { by: ama.by(), key: null, line: lineFor(bundle!) });
  const added = await owner.press(await check("MTN 250GB 800 820"), "Put it on sale");
  expect([added.path, added.text]).toEqual(["/admin/prices", expect.stringContaining("1 bundle is on sale")]);
});

test("a list whose bundle somebody has added meanwhile is shown again, and adds nothing", async () => {
  const checked = await check("MTN 300GB 890 900\nMTN 400GB 1090 1100");
  await products.add(world.db, {
    ...{ by: world.yaw.by("admin"), operator: "MTN", name: "MTN", size: "400GB", pricePesewas: 110_000 },
    confirmPrice: true,
  });
  const again = await owner.press(checked, "Put these 2 on sale");
  expect(again.text).toContain("Some of it was put on sale meanwhile.");
  expect((await products.list(world.db)).filter(({ size }) => size === "300GB")).toEqual([]);
});

test("prices that look like a slip are marked, and one below its cost is not one person's to set", async () => {
  const checked = await check(
    "Network Size Cost Price\nMTN 60GB 250 2.50\nMTN 70GB 30 300\nMTN 80GB 4 5\nTelecel 60GB 800 900",
  );
  for (const slip of ["Below its cost", "More than twice its cost", "Cheaper than a smaller one", "Far from others of"])
    expect(checked.text).toContain(slip);
  await guard(world.db);
  await staff(world, "MANAGER");
  const sent = await owner.press(checked, "Put these 4 on sale");
  expect(sent.text).toContain("Asked: somebody else must agree.");
  expect((await products.list(world.db)).filter(({ size }) => ["70GB", "80GB"].includes(size))).toEqual([]);
});

test("nothing typed and no file is refused beside the list", async () => {
  const refused = await check("  ");
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Type a bundle, or choose a file.")]);
});
