// An agent's customers: one name for each number, found by either, seen by nobody else, and limited in number.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as contacts from "../../../src/core/identity/contacts.ts";
import * as users from "../../../src/core/identity/users.ts";
import { count, databaseRefusal, holdWallet, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const KWAME = "233241000001";

let people = 0;
const agent = () => world.person(`keeper${++people}`);
const save = (person: Person, msisdn: string, name: string, note = "") =>
  contacts.save(db, { by: person.by(), msisdn, name, note });
const listed = async (person: Person, search?: string) =>
  (await contacts.list(db, person.id, { search, limit: 100 })).map(({ name }) => name);
const numbered = (length: number, from = 0) =>
  times(length, (i) => ({ msisdn: `23355${String(from + i).padStart(7, "0")}`, name: `Number ${from + i}` }));

describe("a customer", () => {
  test("is saved under a number in any notation, and saved again under the same one", async () => {
    const ama = await agent();
    await save(ama, "+233 24 100 0001", "Kwame", "pays on Fridays");
    await save(ama, "0241000001", "Kwame Mensah");
    expect(await contacts.find(db, ama.id, KWAME)).toEqual({ msisdn: KWAME, name: "Kwame Mensah", note: "" });
    expect(await outcome(save(ama, "12345", "Nobody"))).toBe("msisdn.invalid");
  });

  test("is seen, renamed and removed by nobody but their agent", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    await save(ama, KWAME, "Kwame");
    expect(await contacts.find(db, kofi.id, KWAME)).toBeNull();
    expect(await contacts.namesOf(db, kofi.id, [KWAME])).toEqual(new Map());
    expect(await contacts.remove(db, { by: kofi.by(), msisdn: KWAME })).toBe(false);
    await contacts.remove(db, { by: ama.by(), msisdn: KWAME });
    expect(await contacts.isRemoved(db, kofi.id, KWAME)).toBe(false);
    expect(await contacts.restore(db, { by: kofi.by(), msisdn: KWAME })).toBe(false);
    expect(await contacts.find(db, ama.id, KWAME)).toBeNull();
    await contacts.restore(db, { by: ama.by(), msisdn: KWAME });
    await save(kofi, KWAME, "Somebody");
    expect(await contacts.namesOf(db, ama.id, [KWAME])).toEqual(new Map([[KWAME, "Kwame"]]));
  });

  test("who was removed is gone from every list, and comes back unchanged within a day", async () => {
    const ama = await agent();
    const by = ama.by();
    await save(ama, KWAME, "Kwame", "a note");
    expect(await contacts.remove(db, { by, msisdn: KWAME })).toBe(true);
    expect([await listed(ama), await contacts.search(db, ama.id, "kwa", 5)]).toEqual([[], []]);
    expect(await contacts.namesOf(db, ama.id, [KWAME])).toEqual(new Map());
    await contacts.forgetRemoved(db);
    expect(await contacts.restore(db, { by, msisdn: KWAME })).toBe(true);
    expect(await contacts.find(db, ama.id, KWAME)).toMatchObject({ name: "Kwame", note: "a note" });

    await contacts.remove(db, { by, msisdn: KWAME });
    await db.execute(sql`update contacts set removed_at = now() - interval '25 hours' where user_id = ${ama.id}`);
    await contacts.forgetRemoved(db);
    expect(await contacts.restore(db, { by, msisdn: KWAME })).toBe(false);
  });

  test("who was removed and is saved anew keeps nothing of before", async () => {
    const ama = await agent();
    await save(ama, KWAME, "Kwame", "an old note");
    await contacts.remove(db, { by: ama.by(), msisdn: KWAME });
    await contacts.saveAll(db, { by: ama.by(), people: [{ msisdn: KWAME, name: "Esi" }] });
    expect(await contacts.find(db, ama.id, KWAME)).toEqual({ msisdn: KWAME, name: "Esi", note: "" });
  });

  test("is deleted with the account", async () => {
    const ama = await agent();
    await save(ama, KWAME, "Kwame");
    await users.remove(db, { by: yaw.by(), userId: ama.id });
    expect(await count(db, sql`from contacts where user_id = ${ama.id}`)).toBe(0);
  });
});

describe("the list", () => {
  test("is in the order of names, page by page, and nobody is in it twice", async () => {
    const ama = await agent();
    for (const [i, name] of ["esi", "Kofi", "Ama", "Kofi"].entries()) await save(ama, `024100010${i}`, name);
    const paged: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await contacts.list(db, ama.id, { limit: 1, after });
      if (page.length === 0) break;
      paged.push(page[0]!.name);
      after = page[0]!.msisdn;
    }
    expect(paged).toEqual(["Ama", "esi", "Kofi", "Kofi"]);
  });

  test("is searched by any part of a name or of a number, and by nothing else", async () => {
    const ama = await agent();
    await save(ama, "0241000001", "Kwame 100%");
    await save(ama, "0207654321", "Esi_Boat");
    expect(await listed(ama, "wam")).toEqual(["Kwame 100%"]);
    expect(await listed(ama, "ESI")).toEqual(["Esi_Boat"]);
    expect(await listed(ama, "020 765")).toEqual(["Esi_Boat"]);
    expect(await listed(ama, "+233 24 100 0001")).toEqual(["Kwame 100%"]);
    expect(await listed(ama, "654")).toEqual(["Esi_Boat"]);
    // These are letters here, not patterns.
    expect([await listed(ama, "%"), await listed(ama, "_")]).toEqual([["Kwame 100%"], ["Esi_Boat"]]);
    expect(await contacts.search(db, ama.id, " ", 5)).toEqual([]);
  });
});

describe("an import", () => {
  test("adds and renames, keeps notes, and takes the last of several lines for a number", async () => {
    const ama = await agent();
    await save(ama, KWAME, "Kwame", "pays on Fridays");
    const lines = [
      { msisdn: KWAME, name: "Kwame Mensah" },
      { msisdn: "233241000002", name: "Yaa" },
      { msisdn: "233241000002", name: "Yaa Asantewaa" },
    ];
    const all = () => contacts.saveAll(db, { by: ama.by(), people: lines });
    expect(await all()).toEqual({ added: 1, changed: 1 });
    expect(await all()).toEqual({ added: 0, changed: 0 });
    expect(await contacts.find(db, ama.id, KWAME)).toMatchObject({
      name: "Kwame Mensah",
      note: "pays on Fridays",
    });
    expect(await listed(ama)).toEqual(["Kwame Mensah", "Yaa Asantewaa"]);
  });

  test("beyond the limit of an account saves nobody, also when several arrive at once", async () => {
    const ama = await agent();
    const add = (list: { msisdn: string; name: string }[], on = db) =>
      outcome(contacts.saveAll(on, { by: ama.by(), people: list }));
    expect(await add(numbered(contacts.CONTACTS_MAX - 2))).toBe("done");
    expect(await add(numbered(3, 5_000))).toBe("request.invalid");
    await withSecondServer(world, async (other) => {
      const outcomes = times(6, (i) => add(numbered(1, 6_000 + i), i % 2 ? db : other));
      expect(tally(await Promise.all(outcomes))).toEqual({ done: 2, "request.invalid": 4 });
    });
    expect(await count(db, sql`from contacts where user_id = ${ama.id}`)).toBe(contacts.CONTACTS_MAX);
    expect(await outcome(save(ama, "0550000001", "renaming needs no room"))).toBe("done");
    // Somebody removed makes room, and finds it taken when they are to come back.
    await contacts.remove(db, { by: ama.by(), msisdn: "233550000001" });
    expect(await add(numbered(1, 7_000))).toBe("done");
    expect(await outcome(contacts.restore(db, { by: ama.by(), msisdn: "233550000001" }))).toBe("request.invalid");
  });
});

test("changes of an account's customers are counted one after the other", async () => {
  const ama = await agent();
  await save(ama, KWAME, "Kwame");
  await contacts.remove(db, { by: ama.by(), msisdn: KWAME });
  const acts = [
    () => save(ama, "0241000002", "Esi"),
    () => contacts.saveAll(db, { by: ama.by(), people: numbered(3) }),
    () => contacts.restore(db, { by: ama.by(), msisdn: KWAME }),
  ];
  for (const act of acts) {
    const wallet = await holdWallet(db, ama.id);
    const done = act().then(() => "did not wait");
    expect(await Promise.race([done, wallet.waiting(1).then(() => "waits")])).toBe("waits");
    await wallet.release();
    await done;
  }
});

test("the database itself refuses a customer without a name, with a long one, or with a wrong number", async () => {
  const ama = await agent();
  const insert = (msisdn: string, name: string, note = "") =>
    databaseRefusal(
      db.execute(
        sql`insert into contacts (user_id, msisdn, name, note) values (${ama.id}, ${msisdn}, ${name}, ${note})`,
      ),
    );
  expect(await insert(KWAME, " ")).toBe("contacts_name_given");
  expect(await insert(KWAME, "x".repeat(61))).toBe("contacts_name_given");
  expect(await insert(KWAME, "Kwame", "x".repeat(201))).toBe("contacts_note_is_short");
  expect(await insert("0241000001", "Kwame")).toBe("contacts_msisdn_is_ghanaian");
});
