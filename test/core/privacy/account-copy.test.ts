// The copy of an account's data: everything of its owner, nothing of others, and no key to anything.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as buy from "../../../src/core/buying/buy.ts";
import * as contacts from "../../../src/core/identity/contacts.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import { COPIED, filesOf } from "../../../src/core/privacy/account-copy.ts";
import { refusal } from "../../support/asking.ts";
import { addLogged } from "../../support/logged-requests.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama", "GH₵ 50.00");
const esi = await world.person("esi", "GH₵ 50.00");
const bundle = await world.product("MTN", "1GB", "3.90");

async function copyOf({ id }: Person): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { name, pieces } of await filesOf(db, id)) {
    files[name] = "";
    for await (const piece of pieces) files[name] += piece;
  }
  return files;
}
const purchase = (person: Person, msisdn: string) =>
  buy.buy(db, { by: person.by(), key: null, line: { productId: bundle.id, msisdn, quantity: 1 } });

test("has what is the owner's, and nothing of others", async () => {
  await purchase(ama, "233541234567");
  await purchase(esi, "233541234999");
  await contacts.save(db, { by: ama.by(), msisdn: "233541234567", name: "Auntie Akos", note: "pays late" });
  const files = await copyOf(ama);
  expect(Object.keys(files).length).toBe(COPIED().length);
  expect(files["orders.csv"]).toContain("0541234567");
  expect(files["wallet.csv"]).toMatch(/charge.*-3\.90/);
  expect(files["customers.csv"]).toContain("Auntie Akos");
  expect(files["account.csv"]).toContain("ama@example.com");
  expect(files["debts.csv"]).toBe("Order,Number,GHS,Since,Paid\r\n");
  const all = Object.values(files).join("\n");
  for (const foreign of ["0541234999", "esi@example.com", "argon2"]) expect(all).not.toContain(foreign);
});

test("of more rows than are read at once, has each once", async () => {
  await db.execute(sql`
    insert into contacts (user_id, msisdn, name) select ${ama.id}, '23354' || (1000000 + n), 'Person ' || n
    from generate_series(1, 1999) n`);
  const { "customers.csv": customers } = await copyOf(ama);
  const lines = customers!.trim().split("\r\n");
  expect([lines.length, new Set(lines).size]).toEqual([2001, 2001]);
});

test("has every request of a program once, with what was sent and answered", async () => {
  const kofi = await world.person("kofi");
  const key = { userId: kofi.id, keyId: 1 };
  for (const count of [1, 999, 1, 700, 1])
    await addLogged(
      db,
      Array.from({ length: count }, () => ({ key, requestId: "-", request: { value: { n: count } } })),
    );
  const { "requests.csv": requests } = await copyOf(kofi);
  const lines = requests!.trim().split("\r\n").slice(1);
  expect([lines.length, new Set(lines).size]).toEqual([1_702, 1_702]);
  expect(lines.filter((line) => line.includes('{""n"":700}')).length).toBe(700);
});

test("can be taken five times a day", async () => {
  for (let i = 0; i < 3; i++) await filesOf(db, ama.id);
  expect((await refusal(filesOf(db, ama.id))).code).toBe("request.rate_limited");
  await filesOf(db, esi.id);
});

test("a deleted account leaves no name, number or email in what would be copied", async () => {
  const kwame = await world.person("kwame");
  await contacts.save(db, { by: kwame.by(), msisdn: "233541111111", name: "Maame", note: "" });
  await profile.close(db, { by: kwame.by(), currentPassword: kwame.password });
  const all = Object.values(await copyOf(kwame)).join("\n");
  for (const gone of ["kwame", "Maame", "0541111111"]) expect(all).not.toContain(gone);
});
