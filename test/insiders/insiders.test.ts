// Some hundred random acts of a whole staff over every route and form of the desk, by a fixed seed and a random one;
// and proof that the judgement works: it is given changes that nobody may make.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { seed, sized } from "../support/asking.ts";
import { openWorld } from "../support/world.ts";
import { read } from "../unit/source.ts";
import type { Act } from "./acts.ts";
import { ENTRIES, STAFF_ENTRIES } from "./entries.ts";
import { FAMILIES, UNWATCHED } from "./families.ts";
import { openJudge } from "./judge.ts";
import { BUGS } from "./planted.ts";
import { runInsiders } from "./run.ts";
import type { Change, Row } from "./witness.ts";

const ACTS = sized(400);
const world = await openWorld({ isGuarded: true });
const { db } = world;

test.each([7, seed])("nobody robs the shop alone (seed %d)", async (one) => {
  const { violations, faults, entries, figures } = await runInsiders({ seed: one, acts: ACTS });
  expect(violations).toEqual([]);
  expect(faults).toEqual([]);
  expect(entries.size).toBeGreaterThan(60);
  expect([figures.moved > 0, figures.rows > 50]).toEqual([true, true]);
});

test("every table has its place among the families, or follows from others", async () => {
  const rows = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  expect([...Object.keys(FAMILIES), ...UNWATCHED].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test("each planted bug still fits the source", async () => {
  for (const { name, file, right } of BUGS) expect([name, (await read(file)).split(right).length]).toEqual([name, 2]);
});

test("the entries are those of the program", () => {
  const names = new Set(ENTRIES.map(({ name }) => name));
  for (const known of [
    "POST /api/v1/admin/users/:id/wallet",
    "form /admin/users/:id adjust",
    "form /admin/approvals agree",
  ])
    expect([known, names.has(known)]).toEqual([known, true]);
  expect(STAFF_ENTRIES.every(({ rights }) => rights.length > 0)).toBe(true);
});

describe("the judgement finds", () => {
  let transactions = 0;
  /** What one commit on somebody's connection changes: "table", before, after. */
  const commit = (actorId: number, ...rows: [table: string, before: Row | null, after: Row | null][]): Change[] => {
    transactions += 1;
    const common = { txid: String(transactions), actorId, at: new Date() };
    return rows.map(([table, before, after], id) => ({ id, table, before, after, ...common }));
  };
  const proven = (...ids: number[]) =>
    ids.map((id) => ({ person: { id }, isProven: true, entry: {} }) as unknown as Act);
  /** The rules that this violates. */
  async function rulesOf(acts: Act[], ...commits: Change[][]): Promise<string[]> {
    const { judge, violations } = await openJudge(db);
    judge(acts, commits.flat());
    return [...new Set(violations.map(({ rule }) => rule))];
  }
  let people = 0;
  async function account(...roles: ("ADMIN" | "MANAGER" | "SUPPORT" | "USER")[]): Promise<number> {
    people += 1;
    const { id } = await world.person(`account${people}`);
    await db.execute(sql`update users set roles = ${sql.param(roles)}::text[] where id = ${id}`);
    return id;
  }
  const correction = (userId: number, pesewas: number): ["transfers", null, Row] => [
    "transfers",
    null,
    { id: 900 + pesewas, user_id: userId, amount_pesewas: pesewas, reason: "adjustment", subject_id: 1 },
  ];

  test("money above a limit, at once or in parts", async () => {
    const [boss, ama] = [await account("MANAGER"), await account("USER")];
    const rule = "nobody moves more than the limit alone";
    expect(await rulesOf(proven(boss), commit(boss, correction(ama, 20_000)))).toEqual([]);
    expect(await rulesOf(proven(boss), commit(boss, correction(ama, 20_001)))).toContain(rule);
    const parts = [15_000, 5_001].map((pesewas) => commit(boss, correction(ama, pesewas)));
    expect(await rulesOf(proven(boss), ...parts)).toContain(rule);
  });

  test("money of one account above a limit, by two people who each stay within it", async () => {
    const [one, two, ama] = [await account("MANAGER"), await account("MANAGER"), await account("USER")];
    const acts = [commit(one, correction(ama, 15_000)), commit(two, correction(ama, 15_000))];
    expect(await rulesOf(proven(one, two), ...acts)).toEqual(["no account gets more than the limit"]);
  });

  test("money without a proof of who it is, without the right, and for oneself", async () => {
    const [boss, helper, ama] = [await account("MANAGER"), await account("SUPPORT"), await account("USER")];
    expect(await rulesOf([], commit(boss, correction(ama, 1)))).toEqual([
      "money moves only after a proof of who it is",
    ]);
    const made: [string, null, Row] = ["adjustments", null, { id: 1, user_id: ama, amount_pesewas: 1 }];
    expect(await rulesOf(proven(helper), commit(helper, made))).toEqual(["rows change by those with the right"]);
    expect(await rulesOf(proven(boss), commit(boss, correction(boss, 1)))).toEqual(["nobody acts on themselves"]);
  });

  test("a request that its asker, somebody concerned or somebody without the right agrees to", async () => {
    const [boss, helper, ama] = [await account("MANAGER"), await account("SUPPORT"), await account("USER")];
    const request = (state: string, decidedBy: number | null): Row => ({
      ...{ id: 77, kind: "wallet.adjust", right: "wallet.correct", summary: "", state, concerns: [ama] },
      ...{ amount_pesewas: 50_000, requested_by_user_id: boss, decided_by_user_id: decidedBy },
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    });
    const opened = commit(boss, ["approvals", null, request("open", null)]);
    const agreedBy = (id: number) => commit(id, ["approvals", request("open", null), request("agreed", id)]);
    expect(await rulesOf(proven(boss), opened, agreedBy(boss))).toContain("nobody agrees to their own request");
    expect(await rulesOf(proven(helper), opened, agreedBy(helper))).toContain("both have the right");
    expect(await rulesOf(proven(boss, world.yaw.id), opened, agreedBy(world.yaw.id))).toEqual([]);
  });

  test("somebody who is banned, and a member of the staff whom one person appoints", async () => {
    const [gone, second, owner] = [await account("MANAGER"), await account("ADMIN"), await account("ADMIN")];
    await db.execute(sql`update users set status = 'BANNED' where id = ${gone}`);
    const moved: [string, Row, Row] = ["orders", { id: 1, status: "PENDING" }, { id: 1, status: "FAILED" }];
    expect(await rulesOf(proven(gone), commit(gone, moved))).toContain("nobody acts who is banned or gone");
    const made: Row = { id: 9_999, roles: ["MANAGER"], status: "ACTIVE", email: "x@example.com" };
    expect(await rulesOf(proven(owner), commit(owner, ["users", null, made]))).toEqual([
      "what takes two is not done by one",
    ]);
    await db.execute(sql`update users set roles = '{USER}' where id in (${second}, ${owner})`);
  });

  test("a price far below Standard where nobody knows the cost, and an exception below every tier", async () => {
    const [boss, second, ama] = [await account("MANAGER"), await account("MANAGER"), await account("USER")];
    const { id } = await world.product("MTN", "50GB", "100.00");
    const price = (pesewas: number): Row => ({ product_id: id, tier_id: 1, price_pesewas: pesewas });
    const special = (pesewas: number): Row => ({ product_id: id, user_id: ama, price_pesewas: pesewas });
    const rulesFor = (table: string, row: Row) => rulesOf(proven(boss, second), commit(boss, [table, null, row]));
    const rule = "what takes two is not done by one";
    expect(await rulesFor("prices", price(8_000))).toEqual([]);
    expect(await rulesFor("prices", price(7_999))).toEqual([rule]);
    expect(await rulesFor("account_prices", special(10_000))).toEqual([]);
    expect(await rulesFor("account_prices", special(9_999))).toEqual([rule]);
  });
});
