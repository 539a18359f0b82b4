// Changes of networks and families by admins: each change at once in this process, each rule refused, each in the log.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as changes from "../../../src/core/catalog/operators/operator-changes.ts";
import * as mergers from "../../../src/core/catalog/operators/operator-merger.ts";
import { overview } from "../../../src/core/catalog/operators/operator-overview.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { Values } from "../../../src/shared/fields.ts";
import { parseBulkLines } from "../../../src/shared/lists/bulk-lines.ts";
import {
  bundleName,
  currentOperator,
  familiesOf,
  guessNetwork,
  guessOperator,
  operatorCodes,
  operatorName,
  orderedBundle,
} from "../../../src/shared/operators.ts";
import { lineFor, outcome } from "../../support/asking.ts";
import { pauseNetwork } from "../../support/pausing.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");

const GLO = {
  ...{ code: "GLO", name: "Glo", shortName: "Glo", letters: "G", color: "#3fae2a", path: "/glo-data" },
  ...{ ussdLabel: "Glo", ussdPosition: 4, aliases: ["Globacom"], prefixes: ["22"], momo: null },
} satisfies Values<typeof changes.add.declared.input>;
await changes.add(db, { by, ...GLO });

const logged = async (action: string) => {
  const [entry] = await auditLog.list(db, { subjectType: "operator" }, { limit: 1 });
  expect(entry!.action).toBe(action);
  return entry!;
};

/** A network of its own for a test. */
async function another(code: string, ussdPosition: number, prefixes: string[] = []): Promise<void> {
  const name = `${code.slice(0, 1)}${code.slice(1).toLowerCase()}`;
  await changes.add(db, {
    by,
    ...GLO,
    ...{
      code,
      name,
      shortName: name,
      ussdLabel: name,
      path: `/${code.toLowerCase()}`,
      aliases: [],
      prefixes,
    },
    ussdPosition,
  });
}

test("a network is known at once, with its line, its prefix and its names", async () => {
  expect([operatorName("GLO"), familiesOf("GLO"), guessOperator("233221234567")]).toEqual(["Glo", ["GLO"], "GLO"]);
  expect(guessNetwork("233221234567")).toBeNull();
  expect(operatorCodes()).toEqual(["MTN", "AIRTELTIGO", "TELECEL", "GLO"]);
  expect(bundleName({ operator: "GLO", family: "GLO", size: "1GB" })).toBe("Glo 1GB");
  const lines = parseBulkLines("0221234567\n0241234567 2GB Globacom\n0241234567 glo 1GB");
  expect(lines.map(({ operatorGuess, network }) => [operatorGuess, network])).toEqual([
    ["GLO", null],
    ["MTN", "GLO"],
    ["MTN", "GLO"],
  ]);
});

test("a change is logged with the values before and after, and undone by the opposite", async () => {
  await changes.edit(db, { by, operator: "GLO", name: "Glo GH", position: 1 });
  expect([operatorName("GLO"), operatorCodes()[0]]).toEqual(["Glo GH", "GLO"]);
  const entry = await logged("operator.edit");
  expect([entry.before, entry.after]).toEqual([
    { name: "Glo", position: 4 },
    { name: "Glo GH", position: 1 },
  ]);
  await changes.edit(db, { by, operator: "GLO", name: "Glo", position: 4 });
  expect([operatorName("GLO"), operatorCodes().at(-1)]).toEqual(["Glo", "GLO"]);
});

test("what could be mixed up, or not be read, is refused, and nothing of it stays", async () => {
  const edit = (change: Partial<Values<typeof changes.edit.declared.input>>) =>
    outcome(changes.edit(db, { by, operator: "GLO", ...change }));
  expect(await edit({ name: "Telecel" })).toBe("operator.name_taken");
  expect(await edit({ aliases: ["Big-Time"] })).toBe("operator.name_taken");
  expect(await edit({ aliases: ["voda fone"] })).toBe("operator.name_taken");
  expect(await edit({ ussdPosition: 1 })).toBe("operator.ussd_number_taken");
  // Neither dark nor white letters have a contrast of 4.5 on it.
  expect(await edit({ color: "#808080" })).toBe("operator.color_unreadable");
  expect(await edit({ name: "Glo 2", prefixes: ["24"] })).toBe("operator.prefix_taken");
  expect(operatorName("GLO")).toBe("Glo");
  expect(await outcome(changes.add(db, { by, ...GLO }))).toBe("operator.exists");
  expect(await outcome(changes.add(db, { by, ...GLO, code: "AT_ISHARE" }))).toBe("operator.exists");
  expect(await outcome(changes.add(db, { by, ...GLO, code: "NEW" }))).toBe("operator.path_taken");
  expect(await outcome(changes.edit(db, { by, operator: "NONE", name: "X" }))).toBe("request.invalid");
  const stranger = { ...by, roles: ["USER" as const] };
  expect(await outcome(changes.edit(db, { by: stranger, operator: "GLO", name: "X" }))).toBe("auth.forbidden");
});

test("a prefix moves once that is confirmed, and is nobody else's then", async () => {
  await changes.edit(db, { by, operator: "GLO", prefixes: ["22", "57"], takesPrefixes: true });
  expect(guessOperator("233571234567")).toBe("GLO");
  expect((await overview(db, "AIRTELTIGO")).prefixes).toEqual(["23", "26", "27", "56"]);
  // Three digits say more than two.
  await changes.edit(db, { by, operator: "AIRTELTIGO", prefixes: ["23", "26", "27", "56", "571"] });
  expect(["233571234567", "233572234567"].map(guessOperator)).toEqual(["AIRTELTIGO", "GLO"]);
  await changes.edit(db, { by, operator: "GLO", prefixes: ["22"] });
  await changes.edit(db, { by, operator: "AIRTELTIGO", prefixes: ["23", "26", "27", "56", "57"] });
});

test("a second line has its own name, and the last one on sale cannot go", async () => {
  await changes.addFamily(db, {
    ...{ by, operator: "GLO", code: "GLO_NIGHT", name: "Glo Night", ussdLabel: "Night", aliases: ["Night"] },
  });
  expect(familiesOf("GLO")).toEqual(["GLO", "GLO_NIGHT"]);
  const [named] = parseBulkLines("0241234567 2GB glo night");
  expect([named!.network, named!.family]).toEqual(["GLO", "GLO_NIGHT"]);
  await changes.editFamily(db, {
    by,
    operator: "GLO",
    family: "GLO_NIGHT",
    name: "Glo Late",
    aliases: ["Late"],
  });
  expect(bundleName({ operator: "GLO", family: "GLO_NIGHT", size: "1GB" })).toBe("Glo Late 1GB");
  expect(await outcome(changes.editFamily(db, { by, operator: "MTN", family: "GLO_NIGHT", name: "X" }))).toBe(
    "operator.not_found",
  );
  expect((await changes.retire(db, { by, operator: "GLO", family: "GLO_NIGHT" })).answer.bundles).toBe(0);
  expect(await outcome(changes.retire(db, { by, operator: "GLO", family: "GLO" }))).toBe("operator.last");
  await changes.restore(db, { by, operator: "GLO", family: "GLO_NIGHT" });
  expect(familiesOf("GLO")).toEqual(["GLO", "GLO_NIGHT"]);
});

test("a retired network sells nothing and frees its prefixes, and comes back with the same bundles", async () => {
  await another("SURF", 5, ["28"]);
  const add = async (size: string) => {
    const bundle = { operator: "SURF", name: "Surf", size, pricePesewas: 500, confirmPrice: true };
    return (await products.add(db, { by, ...bundle })).answer;
  };
  const [gone, kept] = [await add("1GB"), await add("2GB")];
  await products.retire(db, { by, productId: gone.id });
  expect((await changes.retire(db, { by, operator: "SURF" })).answer.bundles).toBe(1);
  expect([guessOperator("233281234567"), operatorCodes().includes("SURF")]).toEqual([null, false]);
  expect(operatorName("SURF")).toBe("Surf");
  expect(await products.list(db, "SURF")).toEqual([]);
  expect(await outcome(add("3GB"))).toBe("operator.retired");
  expect(await outcome(pauseNetwork(db, { by, operator: "SURF", message: "x" }))).toBe("operator.retired");
  expect(await outcome(changes.retire(db, { by, operator: "SURF" }))).toBe("operator.retired");
  await logged("operator.retire");
  // A bundle that took the number meanwhile cannot be there; one that rested long enough could.
  await db.execute(sql`insert into ussd_numbers (operator, number, product_id) values ('SURF', 7, 999)`);
  expect((await changes.restore(db, { by, operator: "SURF" })).answer.bundles).toBe(1);
  const back = await products.bundlesOf(db, "SURF", by.userId);
  expect(back.map(({ id, number }) => [id, number])).toEqual([[kept.id, kept.ussdNumber!]]);
  expect(guessOperator("233281234567")).toBe("SURF");
});

test("a network that registers people for AFA stays", async () => {
  expect(await outcome(changes.retire(db, { by, operator: "MTN" }))).toBe("operator.has_afa");
  expect(await outcome(mergers.merge(db, { by, from: "MTN", into: "GLO" }))).toBe("operator.has_afa");
});

test("a merged network's bundles are the other's, with its lines, routes, prefixes and names", async () => {
  const ama = await world.person("ama", "GH₵ 100.00");
  const own = await world.product("TELECEL", "1GB", "4.00");
  const [first, second] = [
    await world.product("AIRTELTIGO", "1GB", "3.50"),
    await world.product("AIRTELTIGO", "2GB", "7.00"),
  ];
  expect([own.ussdNumber, first.ussdNumber, second.ussdNumber]).toEqual([1, 1, 2]);
  const ask = { by: ama.by(), key: null, line: lineFor(first) };
  const before = (await orders.buy(db, ask)).answer.order;
  await settings.change(db, { by, values: { route_at_ishare: "hubnet" } });

  const planned = await mergers.preview(db, "AIRTELTIGO", "TELECEL");
  const { answer: merged } = await mergers.merge(db, { by, from: "AIRTELTIGO", into: "TELECEL" });
  expect(merged).toEqual(planned);
  expect(merged).toMatchObject({ bundles: 2, families: ["AT iShare", "AT BigTime"] });
  expect(merged.renumbered.map(({ id, from, to }) => [id, from, to])).toEqual([[first.id, 1, 51]]);
  expect(await logged("operator.merge")).toMatchObject({ subjectId: "AIRTELTIGO", after: merged });

  const bundles = await products.bundlesOf(db, "TELECEL", by.userId);
  expect(bundles.map(({ id, number, family }) => [id, number, family])).toEqual([
    [own.id, 1, "TELECEL"],
    [second.id, 2, "AT_ISHARE"],
    [first.id, 51, "AT_ISHARE"],
  ]);
  expect(familiesOf("TELECEL")).toEqual(["TELECEL", "AT_ISHARE", "AT_BIGTIME"]);
  expect([guessOperator("233261234567"), currentOperator("AIRTELTIGO")]).toEqual(["TELECEL", "TELECEL"]);
  expect(orderedBundle(before)).toBe("AT iShare 1GB");
  expect(operatorName(before.operator)).toBe("AirtelTigo");
  expect(await settings.get(db, "route_at_ishare")).toBe("hubnet");

  const lines = parseBulkLines("0261234567 1GB AT\n0241234567 1GB at ishare\n0241234567 1GB telecel");
  expect(lines.map(({ network, family }) => [network, family])).toEqual([
    ["TELECEL", null],
    ["TELECEL", "AT_ISHARE"],
    ["TELECEL", "TELECEL"],
  ]);
  // Whoever still sends the old code buys the same bundle.
  const later = { ...lineFor(first), operator: "AIRTELTIGO", msisdn: "0271234568" };
  const bought = (await orders.buy(db, { by: ama.by(), key: null, line: later })).answer.order;
  expect([bought.operator, bought.family]).toEqual(["TELECEL", "AT_ISHARE"]);
  expect(await outcome(changes.restore(db, { by, operator: "AIRTELTIGO" }))).toBe("operator.retired");
});

test("two networks with the same bundle, a network and itself, or one that sells no more are not merged", async () => {
  await another("WAVE", 6);
  await another("TIDE", 7);
  const bundle = { by, name: "Same", size: "1GB", pricePesewas: 500, confirmPrice: true };
  const { answer: one } = await products.add(db, { ...bundle, operator: "WAVE" });
  await products.add(db, { ...bundle, operator: "TIDE", name: "same" });
  const merge = (from: string, into: string) => outcome(mergers.merge(db, { by, from, into }));
  expect(await merge("WAVE", "TIDE")).toBe("operator.merge_same_bundle");
  expect(await merge("WAVE", "WAVE")).toBe("operator.merge_into_itself");
  await products.retire(db, { by, productId: one.id });
  await changes.retire(db, { by, operator: "TIDE" });
  expect(await merge("WAVE", "TIDE")).toBe("operator.retired");
});
