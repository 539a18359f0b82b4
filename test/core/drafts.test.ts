// Drafts of bulk orders, and what is left of one: kept in the very commit that places the rest.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as bulkResults from "../../src/core/bulk-results.ts";
import * as drafts from "../../src/core/drafts.ts";
import * as orders from "../../src/core/orders.ts";
import * as users from "../../src/core/users.ts";
import { openWorld, type Person } from "../support/world.ts";
import { count, key, lineFor, outcome, tally, times, withSecondServer } from "./asking.ts";

const world = await openWorld();
const { db, yaw } = world;
const small = await world.product("MTN", "1GB", "3.90");

const draftOf = (changes: Partial<drafts.DraftAsked> = {}): drafts.DraftAsked => ({
  draftId: null,
  key: crypto.randomUUID(),
  operator: "MTN",
  productId: small.id,
  lines: "12345\n678",
  lineCount: 2,
  ...changes,
});
const save = (person: Person, changes?: Partial<drafts.DraftAsked>, on = db) =>
  drafts.save(on, { by: person.by(), draft: draftOf(changes) });
const draftsOf = (person: Person) => drafts.list(db, person.by());
const ordersOf = (person: Person) => count(db, sql`from orders where user_id = ${person.id}`);
const place = (person: Person, keyText: string, rest: drafts.DraftAsked, n = 3, on = db) => {
  const lines = times(n, () => lineFor(small));
  return () =>
    orders.buyBulk(on, {
      by: person.by(),
      key: key(keyText),
      lines,
      alongside: (tx) => drafts.keepRest(tx, person.id, rest),
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
    // Somebody else's draft is not changed by its id either.
    await save(kofi, { draftId: id, lines: "mine 1" });
    expect((await drafts.get(db, ama.by(), id)).lines).toBe("12345\n678");
    await drafts.remove(db, { by: ama.by(), draftId: id });
    await drafts.remove(db, { by: ama.by(), draftId: id });
    expect(await draftsOf(ama)).toEqual([]);
  });

  test("saved twenty times at once from one form is one draft; from forms of their own, at most twenty", async () => {
    const person = await world.person("saver");
    await withSecondServer(world, async (other) => {
      await Promise.all(times(20, (i) => save(person, { key: "one form" }, i % 2 ? db : other)));
      expect((await draftsOf(person)).length).toBe(1);
      const outcomes = await Promise.all(times(25, (i) => outcome(save(person, {}, i % 2 ? db : other))));
      expect(tally(outcomes)).toEqual({ done: 19, "draft.too_many": 6 });
    });
    expect(await count(db, sql`from bulk_drafts where user_id = ${person.id}`)).toBe(20);
  });

  test("goes with the account", async () => {
    const person = await world.person("leaver");
    await save(person);
    await users.remove(db, { by: yaw.by(), userId: person.id });
    expect(await count(db, sql`from bulk_drafts where user_id = ${person.id}`)).toBe(0);
  });
});

describe("what is left of a bulk order", () => {
  test("is a draft exactly when the rest is placed", async () => {
    const person = await world.person("keeper", "GH₵ 20.00");
    const fromDraft = await save(person, { lines: "everything 1", lineCount: 5 });
    const rest = draftOf({ draftId: fromDraft });
    expect(await outcome(place(person, "too dear", rest, 6)())).toBe("wallet.insufficient_balance");
    expect((await drafts.get(db, person.by(), fromDraft)).lines).toBe("everything 1");
    await place(person, "fits", rest)();
    expect((await draftsOf(person)).map(({ id, lineCount }) => [id, lineCount])).toEqual([[fromDraft, 2]]);
    await place(person, "the rest", draftOf({ draftId: fromDraft, lines: "", lineCount: 0 }), 2)();
    expect([await draftsOf(person), await ordersOf(person)]).toEqual([[], 5]);
  });

  test("and cannot be kept, is a reason to place nothing", async () => {
    const person = await world.person("full", "GH₵ 20.00");
    for (const _ of times(20, () => 0)) await save(person);
    expect(await outcome(place(person, "no room", draftOf())())).toBe("draft.too_many");
    expect([await ordersOf(person), await world.balanceOf(person)]).toEqual([0, 2000]);
    // Gone on with a draft, its own place is room enough.
    const [draft] = await draftsOf(person);
    await place(person, "no room", draftOf({ draftId: draft!.id }))();
    expect([await ordersOf(person), (await draftsOf(person)).length]).toEqual([3, 20]);
  });

  test("sent many times at once, at two servers, is one bulk order and one draft", async () => {
    const person = await world.person("manytimes", "GH₵ 100.00");
    const rest = draftOf({ key: "the form's" });
    await withSecondServer(world, async (other) => {
      const lines = times(3, () => lineFor(small));
      const ask = (on: typeof db) =>
        orders.buyBulk(on, {
          by: person.by(),
          key: key("both"),
          lines,
          alongside: (tx) => drafts.keepRest(tx, person.id, rest),
        });
      const answers = await Promise.all(times(12, (i) => ask(i % 2 ? db : other)));
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    });
    expect([await ordersOf(person), (await draftsOf(person)).length]).toEqual([3, 1]);
  });

  test("is neither lost nor placed when the power goes out in between", async () => {
    const person = await world.person("dark", "GH₵ 20.00");
    const id = await save(person, { lines: "everything 1" });
    const lines = times(3, () => lineFor(small));
    const cut = orders.buyBulk(db, {
      by: person.by(),
      key: key("cut"),
      lines,
      alongside: async (tx) => {
        await drafts.keepRest(tx, person.id, draftOf({ draftId: id }));
        // Postgres ends this very connection: the commit never comes.
        await tx`select pg_terminate_backend(pg_backend_pid())`;
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

  test("while other purchases of the same wallet go on, is kept once", async () => {
    const person = await world.person("busy", "GH₵ 100.00");
    await Promise.all([
      place(person, "busy", draftOf())(),
      ...times(10, () => orders.buy(db, { by: person.by(), key: null, line: lineFor(small) })),
      ...times(3, () => save(person)),
    ]);
    expect([await ordersOf(person), (await draftsOf(person)).length]).toEqual([13, 4]);
  });
});

test("a result is its owner's and the admins', and counts its orders by status", async () => {
  const [person, other] = [await world.person("owner", "GH₵ 20.00"), await world.person("other")];
  const { answer } = await place(person, "counted", draftOf({ lineCount: 0 }))();
  const seen = await bulkResults.get(db, person.by(), answer.bulkOrderId);
  expect([seen.lines, seen.amountPesewas, seen.counts]).toEqual([3, 1170, { PENDING: 3 }]);
  expect((await bulkResults.get(db, yaw.by(), answer.bulkOrderId)).username).toBe("owner");
  expect(await outcome(bulkResults.get(db, other.by(), answer.bulkOrderId))).toBe("bulk.not_found");
  const batches: number[] = [];
  for await (const batch of bulkResults.lines(db, answer.bulkOrderId, 2)) batches.push(batch.length);
  expect(batches).toEqual([2, 1]);
});
