// Budgets: how often an action is allowed stands in one table, which docs/operations.md repeats.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { BUDGETS } from "../../../src/core/platform/budgets/budget-table.ts";
import * as budgets from "../../../src/core/platform/budgets/budgets.ts";
import { registry } from "../../../src/core/platform/metrics.ts";
import { networkOf } from "../../../src/core/platform/networks.ts";
import { count, outcome, refusal, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;

const limitedSoFar = async (limit: string) => {
  const [metric] = (await registry.getMetricsAsJSON()).filter(({ name }) => name === "datafie_limited_total");
  return metric!.values.find(({ labels }) => labels.limit === limit)?.value ?? 0;
};

test("a refusal names its budget, the reason and when to try again, and is counted in the metrics", async () => {
  for (const _ of times(3, (i) => i)) await budgets.spend(db, "prompt.phone", "233541234567");
  const before = await limitedSoFar("prompt.phone");
  const refused = await refusal(budgets.spend(db, "prompt.phone", "233541234567"));
  expect(refused.message).toBe("This phone has not approved several mobile money prompts. Try again in 10 minutes.");
  expect([refused.status, refused.details]).toEqual([
    429,
    { limit: "prompt.phone", retryAfterSeconds: expect.any(Number) },
  ]);
  expect(await limitedSoFar("prompt.phone")).toBe(before + 1);
  expect(await outcome(budgets.spend(db, "prompt.phone", "233541234568"))).toBe("done");
  await budgets.giveBack(db, "prompt.phone", "233541234567");
  await budgets.giveBack(db, "prompt.phone", "233541234567");
  expect(await outcome(budgets.spend(db, "prompt.phone", "233541234567"))).toBe("done");
});

test("one statement counts for many accounts, and returns which of them have budget left", async () => {
  for (const _ of times(29, (i) => i)) await budgets.trySpend(db, "sms.money", 7);
  expect(await budgets.trySpendAll(db, "sms.money", [9, 7, 8])).toEqual(new Set([9, 7, 8]));
  expect(await budgets.trySpendAll(db, "sms.money", [7, 8])).toEqual(new Set([8]));
  expect(await budgets.trySpendAll(db, "sms.money", [])).toEqual(new Set());
  expect(await count(db, sql`from rate_limits where bucket like 'sms.money:%'`)).toBe(3);
});

test("waits are written in units that a person can follow, and never rounded down", () => {
  const texts = [1, 40, 90, 91, 600, 601, 5400, 5401, 86_400].map(budgets.waitText);
  expect(texts).toEqual([
    "in a second",
    "in 40 seconds",
    "in 90 seconds",
    "in 2 minutes",
    "in 10 minutes",
    "in 11 minutes",
    "in 90 minutes",
    "in 2 hours",
    "in 24 hours",
  ]);
});

for (const [address, network] of [
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:1::1", "2001:db8:1:1::/64"],
  ["2001:0DB8:0001:0001:ffff:ffff:ffff:ffff", "2001:db8:1:1::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["[2001:db8::1]", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["", ""],
  ["no address", "no address"],
] as const)
  test(`${address || "nothing"} is counted as ${network || "nothing"}`, () => {
    expect(networkOf(address)).toBe(network);
  });

test("docs/operations.md shows exactly the budgets of the table", async () => {
  const page = await Bun.file("docs/operations.md").text();
  const section = page.split(/^## Limits$/m)[1]!.split(/^## /m)[0]!;
  const rows = [...section.matchAll(/^\| `([\w.]+)` +\| (.*?) +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)];
  const shown = rows.map(([, name, max, per, by, about]) => [name, max, per, by, about]);
  const table = Object.entries(BUDGETS).map(([name, { countMax, seconds, by, about }]) => [
    name,
    String(countMax),
    spanOf(seconds),
    by,
    about,
  ]);
  expect(shown).toEqual(table);
  for (const name of ["REQUESTS_PER_SECOND", "REQUESTS_AT_ONCE"]) expect(section).toContain(`\`${name}\``);
});

/** 600: 10 minutes. */
function spanOf(seconds: number): string {
  if (seconds === 86_400) return "day";
  if (seconds === 3600) return "hour";
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}
