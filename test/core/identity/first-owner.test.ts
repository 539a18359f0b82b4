// Tests of the first owner's account: only the code from the start's output makes it, once, and nobody guesses it.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../../db/connect.ts";
import * as firstOwner from "../../../src/core/identity/first-owner.ts";
import { codeKey } from "../../../src/core/identity/logins/codes.ts";
import { BUDGETS } from "../../../src/core/platform/budgets/budget-table.ts";
import { times } from "../../support/asking.ts";
import { freshDatabase } from "../../support/database.ts";

const keys = { key: codeKey("gT7-wq0P3kz9fVbL1mXc5RyN8uAe2HsD") };
const code = firstOwner.codeOf(keys);
const password = "correct horse battery";
const person = { code, username: "yaw", email: "yaw@example.com", password, address: "203.0.113.7" };

async function emptyShop() {
  const database = await freshDatabase();
  const db = connect(database.url, { max: 8 });
  afterAll(async () => {
    await disconnect(db);
    await database.drop();
  });
  return db;
}
const owners = (db: Awaited<ReturnType<typeof emptyShop>>) =>
  db.execute<{ username: string; roles: string[] }>(sql`select username, roles from users order by id`);
const codeOf = (attempt: Promise<unknown>) => attempt.then(() => "made").catch(({ code }) => code);

test("the code is the same at every start, another for another secret, and is written as people copy it", () => {
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  expect(firstOwner.codeOf({ ...keys })).toBe(code);
  expect(firstOwner.codeOf({ key: codeKey("another secret of the same length") })).not.toBe(code);
});

test("whoever has the code becomes the owner, however it is typed, and nobody after them", async () => {
  const db = await emptyShop();
  expect(await firstOwner.isOwnerless(db)).toBe(true);
  const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`;
  const owner = await firstOwner.create(db, keys, { ...person, code: typed });
  expect(owner).toMatchObject({ username: "yaw", email: "yaw@example.com", roles: ["ADMIN"] });
  expect(await firstOwner.isOwnerless(db)).toBe(false);
  const second = { ...person, username: "kofi", email: "kofi@example.com" };
  expect(await codeOf(firstOwner.create(db, keys, second))).toBe("owner.exists");
  expect(await owners(db)).toHaveLength(1);
});

test("without the code, with a weak password or a bad name nobody does, and a network has few tries", async () => {
  const db = await emptyShop();
  const attempt = (own: object) => codeOf(firstOwner.create(db, keys, { ...person, ...own }));
  expect(await attempt({ code: "AAAA-AAAA-AAAA" })).toBe("owner.code_wrong");
  expect(await attempt({ code: code.slice(0, -1) })).toBe("owner.code_wrong");
  expect(await attempt({ password: "short" })).toBe("user.password_short");
  expect(await attempt({ username: "a b" })).toBe("user.username_refused");
  for (let left = BUDGETS["owner.address"].countMax - 4; left > 0; left--) await attempt({ code: "AAAA-AAAA-AAAA" });
  expect(await attempt({})).toBe("request.rate_limited");
  expect(await owners(db)).toHaveLength(0);
  expect(await attempt({ address: "198.51.100.1" })).toBe("made");
});

test("of eight who have it at once, one becomes the owner", async () => {
  const db = await emptyShop();
  const all = times(8, (n) => ({ ...person, username: `owner${n}`, email: `owner${n}@example.com` }));
  const codes = await Promise.all(all.map((one) => codeOf(firstOwner.create(db, keys, one))));
  expect(codes.sort()).toEqual(["made", ...times(7, () => "owner.exists")]);
  expect(await owners(db)).toMatchObject([{ roles: ["ADMIN"] }]);
});
