// Bulk lists that are checked, saved and placed: each is placed once, in the commit that saves its remaining lines.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as drafts from "../../../src/core/buying/bulk-drafts.ts";
import * as bulkResults from "../../../src/core/buying/bulk-results.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as users from "../../../src/core/identity/users.ts";
import { count, key, lineFor, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const small = await world.product("MTN", "1GB", "3.90");

const draftOf = (changes: Partial<drafts.DraftInput> = {}): drafts.DraftInput => ({
  draftId: null,
  key: crypto.randomUUID(),
  operator: "MTN",
  productId: small.id,
  lines: "12345\n678",
  lineCount: 2,
  isKept: true,
  ...changes,
});
const save = (person: Person, changes?: Partial<drafts.DraftInput>, on = db) =>
  drafts.save(on, { by: person.by(), draft: draftOf(changes) });
const draftsOf = (person: Person) => drafts.list(db, person.by());
const ordersOf = (person: Person) => count(db, sql`from orders where user_id = ${person.id}`);
/** Places `n` orders of this draft, with `rest` as its remaining lines. */
const place = (
  person: Person,
  draft: { id: number; version?: number },
  { rest = 0, n = 3, on = db }: { rest?: number; n?: number; on?: typeof db } = {},
) => {
  const lines = times(n, () => lineFor(small));
  const text = times(rest, (i) => `${i + 1}`).join("\n");
  const left = { draftId: draft.id, version: draft.version ?? 1, lines: text, lineCount: rest };
  return () =>
    buyBulk(on, {
      by: person.by(),
      key: key(`list ${draft.id}`),
      lines,
      alongside: (tx, placed) => drafts.markPlaced(tx, person.id, placed.bulkOrderId!, left),
    });
};

describe("a draft", () => {
  test("belongs to whoever saved it", async () => {
    const [ama, kofi] = [await world.person("ama"), await world.person("kofi")];
    const id = await save(ama);
    expect((await drafts.get(db, ama.by(), id)).lines).toBe("12345\n678");
    expect(await outcome(drafts.get(db, kofi.by(), id))).toBe("draft.not_found");
    expect(await outcome(drafts.get(db, yaw.by(), id))).toBe("draft.not_found");
    await drafts.remove(db, { by: kofi.by(), draftId: id });
    // Somebody else's draft cannot be changed by its id either.
    await save(kofi, { draftId: id, lines: "mine 1" });
    expect((await drafts.get(db, ama.by(), id)).lines).toBe("12345\n678");
    await drafts.remove(db, { by: ama.by(), draftId: id });
    await drafts.remove(db, { by: ama.by(), draftId: id });
    expect(await draftsOf(ama)).toEqual([]);
  });

  test("saved twenty times at once from one form is one draft; from separate forms, at most twenty", async () => {
    const person = await world.person("saver");
    await withSecondServer(world, async (other) => {
      await Promise.all(times(20, (i) => save(person, { key: "one form" }, i % 2 ? db : other)));
      expect((await draftsOf(person)).length).toBe(1);
      const outcomes = await Promise.all(times(25, (i) => outcome(save(person, {}, i % 2 ? db : other))));
      expect(tally(outcomes)).toEqual({ done: 19, "draft.too_many": 6 });
    });
    expect(await count(db, sql`from bulk_drafts where user_id = ${person.id}`)).toBe(20);
  });

  test("is deleted with the account", async () => {
    const person = await world.person("leaver");
    await save(person);
    await users.remove(db, { by: yaw.by(), userId: person.id });
    expect(await count(db, sql`from bulk_drafts where user_id = ${person.id}`)).toBe(0);
  });
});

describe("a list that is only checked", () => {
  const check = (person: Person, changes: Partial<drafts.DraftInput> = {}) =>
    save(person, { isKept: false, ...changes });

  test("is not shown among the drafts, and of eleven the oldest is deleted", async () => {
    const person = await world.person("checker");
    const ids: number[] = [];
    for (const _ of times(11, () => 0)) ids.push(await check(person));
    expect(await draftsOf(person)).toEqual([]);
    expect(await outcome(drafts.get(db, person.by(), ids[0]!))).toBe("draft.not_found");
    expect((await drafts.get(db, person.by(), ids[1]!)).isKept).toBe(false);
  });

  test("stays saved when it was saved before, and is saved on request", async () => {
    const person = await world.person("keeper2");
    const id = await save(person);
    expect(await check(person, { draftId: id, lines: "1\n2" })).toBe(id);
    const other = await check(person);
    await save(person, { draftId: other });
    expect((await draftsOf(person)).map((draft) => draft.id).sort()).toEqual([id, other].sort());
  });

  test("is deleted after three days, a saved one after ninety", async () => {
    const person = await world.person("forgetful");
    const [checked, saved, old] = [await check(person), await save(person), await save(person)];
    await db.execute(
      sql`update bulk_drafts set updated_at = now() - interval '4 days' where id in (${checked}, ${saved})`,
    );
    await db.execute(sql`update bulk_drafts set updated_at = now() - interval '91 days' where id = ${old}`);
    await drafts.forgetOld(db);
    expect((await draftsOf(person)).map(({ id }) => id)).toEqual([saved]);
    expect(await outcome(drafts.get(db, person.by(), checked))).toBe("draft.not_found");
  });

  test("accepts answers for the version that was shown, and asks again when its lines change", async () => {
    const person = await world.person("answerer");
    const id = await check(person);
    const ask = { by: person.by(), draftId: id, lines: "12345\n678", lineCount: 2 };
    const answers = { figures: "size", allowsRepeats: false } as const;
    await drafts.answer(db, { ...ask, version: 1, answers });
    expect(await outcome(drafts.answer(db, { ...ask, version: 1, answers }))).toBe("bulk.list_changed");
    const stranger = await world.person("stranger");
    const theirs = { ...ask, by: stranger.by(), version: 2, answers };
    expect(await outcome(drafts.answer(db, theirs))).toBe("bulk.list_changed");
    await check(person, { draftId: id });
    expect((await drafts.get(db, person.by(), id)).figures).toBe("size");
    await check(person, { draftId: id, lines: "9" });
    expect((await drafts.get(db, person.by(), id)).figures).toBeNull();
  });

  test("is found by the key of each form that it was sent from", async () => {
    const person = await world.person("sender");
    const id = await check(person, { key: "first form" });
    await check(person, { draftId: id, key: "second form" });
    for (const form of ["first form", "second form"]) expect(await drafts.isKnown(db, person.by(), form)).toBe(true);
    expect(await drafts.isKnown(db, yaw.by(), "first form")).toBe(false);
  });
});

describe("a list that is placed", () => {
  test("is removed, and its remaining lines are a new draft", async () => {
    const person = await world.person("keeper", "GH₵ 20.00");
    const id = await save(person, { lines: "everything 1", lineCount: 5 });
    expect(await outcome(place(person, { id }, { rest: 2, n: 6 })())).toBe("wallet.insufficient_balance");
    expect((await drafts.get(db, person.by(), id)).lines).toBe("everything 1");
    const { answer } = await place(person, { id }, { rest: 2 })();
    const placed = await drafts.get(db, person.by(), id);
    expect([placed.lines, placed.isKept, placed.bulkOrderId]).toEqual(["", false, answer.bulkOrderId]);
    const [left] = await draftsOf(person);
    expect([left!.id === id, left!.lineCount]).toEqual([false, 2]);
    await place(person, { id: left!.id }, { n: 2 })();
    expect([await draftsOf(person), await ordersOf(person)]).toEqual([[], 5]);
  });

  test("stays placed, whatever its form sends again", async () => {
    const person = await world.person("resender", "GH₵ 20.00");
    const id = await save(person, { key: "the form", isKept: false });
    await place(person, { id })();
    expect(await save(person, { key: "the form", isKept: false })).toBe(id);
    expect(await save(person, { key: "the form" })).toBe(id);
    expect((await drafts.get(db, person.by(), id)).lines).toBe("");
    const ask = { by: person.by(), draftId: id, version: 2, lines: "1", lineCount: 1 };
    expect(await outcome(drafts.answer(db, { ...ask, answers: { allowsRepeats: true } }))).toBe("bulk.list_changed");
  });

  test("is not saved for later any more, and nobody saves another's", async () => {
    const [person, stranger] = [await world.person("later", "GH₵ 20.00"), await world.person("elsewhere")];
    const [id, other] = [await save(person, { isKept: false }), await save(person, { isKept: false })];
    await place(person, { id })();
    await drafts.keep(db, { by: person.by(), draftId: id });
    await drafts.keep(db, { by: stranger.by(), draftId: other });
    expect([await draftsOf(person), await draftsOf(stranger)]).toEqual([[], []]);
    await drafts.keep(db, { by: person.by(), draftId: other });
    expect((await draftsOf(person)).map((draft) => draft.id)).toEqual([other]);
  });

  test("is nobody else's to place", async () => {
    const [person, thief] = [await world.person("placer", "GH₵ 20.00"), await world.person("thief", "GH₵ 20.00")];
    const id = await save(person);
    expect(await outcome(place(thief, { id })())).toBe("bulk.list_changed");
    expect([await ordersOf(thief), await world.balanceOf(thief)]).toEqual([0, 2000]);
    expect((await draftsOf(person)).map((draft) => draft.id)).toEqual([id]);
  });

  test("is not saved for later where there is no room", async () => {
    const person = await world.person("crowded", "GH₵ 20.00");
    for (const _ of times(20, () => 0)) await save(person);
    const checked = await save(person, { isKept: false });
    expect(await outcome(drafts.keep(db, { by: person.by(), draftId: checked }))).toBe("draft.too_many");
    expect((await draftsOf(person)).length).toBe(20);
  });

  test("is the version that was shown, or nothing is placed", async () => {
    const person = await world.person("changer", "GH₵ 20.00");
    const id = await save(person);
    await save(person, { draftId: id, lines: "other 1" });
    expect(await outcome(place(person, { id, version: 1 })())).toBe("bulk.list_changed");
    expect([await ordersOf(person), await world.balanceOf(person)]).toEqual([0, 2000]);
  });

  test("is refused when there is no room for the remaining lines as a draft; its own place is enough", async () => {
    const person = await world.person("full", "GH₵ 20.00");
    for (const _ of times(20, () => 0)) await save(person);
    const checked = await save(person, { isKept: false });
    expect(await outcome(place(person, { id: checked }, { rest: 1 })())).toBe("draft.too_many");
    expect([await ordersOf(person), await world.balanceOf(person)]).toEqual([0, 2000]);
    const [draft] = await draftsOf(person);
    await place(person, { id: draft!.id }, { rest: 1 })();
    expect([await ordersOf(person), (await draftsOf(person)).length]).toEqual([3, 20]);
  });

  test("sent many times at once, at two servers, is one bulk order and one draft", async () => {
    const person = await world.person("manytimes", "GH₵ 100.00");
    const id = await save(person);
    const lines = times(3, () => lineFor(small));
    const left = { draftId: id, version: 1, lines: "1", lineCount: 1 };
    await withSecondServer(world, async (other) => {
      const ask = (on: typeof db) =>
        buyBulk(on, {
          by: person.by(),
          key: key(`list ${id}`),
          lines,
          alongside: (tx, placed) => drafts.markPlaced(tx, person.id, placed.bulkOrderId!, left),
        });
      const answers = await Promise.all(times(12, (i) => ask(i % 2 ? db : other)));
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    });
    expect([await ordersOf(person), (await draftsOf(person)).length]).toEqual([3, 1]);
  });

  test("is neither lost nor placed when the connection breaks in between", async () => {
    const person = await world.person("dark", "GH₵ 20.00");
    const id = await save(person, { lines: "everything 1" });
    const cut = buyBulk(db, {
      by: person.by(),
      key: key("cut"),
      lines: times(3, () => lineFor(small)),
      alongside: async (tx, placed) => {
        const left = { draftId: id, version: 1, lines: "1", lineCount: 1 };
        await drafts.markPlaced(tx, person.id, placed.bulkOrderId!, left);
        // Postgres ends this connection before the commit.
        await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
      },
    });
    expect(
      await cut.then(
        () => "placed",
        () => "broken",
      ),
    ).toBe("broken");
    expect((await drafts.get(db, person.by(), id)).lines).toBe("everything 1");
    expect([await ordersOf(person), await world.balanceOf(person)]).toEqual([0, 2000]);
  });

  test("during other purchases from the same wallet is placed once", async () => {
    const person = await world.person("busy", "GH₵ 100.00");
    const id = await save(person);
    await Promise.all([
      place(person, { id }, { rest: 1 })(),
      ...times(10, () => orders.buy(db, { by: person.by(), key: null, line: lineFor(small) })),
      ...times(3, () => save(person)),
    ]);
    expect([await ordersOf(person), (await draftsOf(person)).length]).toEqual([13, 4]);
  });
});

test("a result is visible to its owner and admins, and counts its orders by status", async () => {
  const [person, other] = [await world.person("owner", "GH₵ 20.00"), await world.person("other")];
  const { answer } = await place(person, { id: await save(person) })();
  const seen = await bulkResults.get(db, person.by(), answer.bulkOrderId);
  expect([seen.lines, seen.amountPesewas, seen.counts]).toEqual([3, 1170, { PENDING: 3 }]);
  expect((await bulkResults.get(db, yaw.by(), answer.bulkOrderId)).username).toBe("owner");
  expect(await outcome(bulkResults.get(db, other.by(), answer.bulkOrderId))).toBe("bulk.not_found");
  const batches: number[] = [];
  for await (const batch of bulkResults.lines(db, answer.bulkOrderId, 2)) batches.push(batch.length);
  expect(batches).toEqual([2, 1]);
});
