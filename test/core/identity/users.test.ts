// Accounts: signing up, what admins can change, and the rules that hold when two admins act at once.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../../db/connect.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as userLists from "../../../src/core/identity/user-search.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import * as support from "../../../src/core/support/requests.ts";
import type { Role } from "../../../src/shared/domain.ts";
import { count, freshNumber, lineFor, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { freshDatabase } from "../../support/database.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person, TEST_CARDS } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const password = "mango tree in Accra";
const signUp = (username: string, email = `${username}@example.com`, word = password) =>
  users.signUp(db, { username, email, password: word, address: "192.0.2.1", channel: "web" });
const sessionOf = (person: Person) =>
  sessions.logIn(db, {
    email: person.email,
    password: person.password,
    address: "192.0.2.1",
    userAgent: "",
  });

describe("signing up", () => {
  test("opens an agent's account with an empty wallet, and keeps no password", async () => {
    const ama = await users.signUp(db, {
      username: "Ama",
      email: "Ama@Example.COM",
      password,
      address: "192.0.2.1",
      channel: "web",
    });
    expect(ama).toMatchObject({
      username: "Ama",
      email: "ama@example.com",
      roles: ["USER"],
      status: "ACTIVE",
    });
    expect(ama).not.toHaveProperty("passwordHash");
    const [row] = await db.execute(sql`
      select u.password_hash as hash, w.balance_pesewas as balance from users u join wallets w on w.user_id = u.id
      where u.id = ${ama.id}`);
    expect(row).toMatchObject({ balance: 0 });
    expect(String(row!.hash)).toStartWith("$argon2id$");
  });

  test("takes a name and an e-mail once, in any case of letters, and says which", async () => {
    await signUp("kofi");
    const byName = await refusal(signUp("KOFI", "another@example.com"));
    expect([byName.code, Object.keys(byName.details!.fields!)]).toEqual(["user.username_taken", ["username"]]);
    const byMail = await refusal(signUp("another", "KOFI@example.com"));
    expect([byMail.code, Object.keys(byMail.details!.fields!)]).toEqual(["user.email_taken", ["email"]]);
  });

  test("with one e-mail ten times at once opens one account with one wallet", async () => {
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all(
        times(10, (i) =>
          outcome(
            users.signUp(i % 2 ? db : other, {
              username: `same${i}`,
              email: "same@example.com",
              password,
              address: "192.0.2.1",
              channel: "web",
            }),
          ),
        ),
      ),
    );
    expect(tally(outcomes)).toEqual({ done: 1, "user.email_taken": 9 });
    expect(
      await count(db, sql`from wallets w join users u on u.id = w.user_id where u.email = 'same@example.com'`),
    ).toBe(1);
  });

  test("needs a password of six characters that is not a common one", async () => {
    for (const short of ["", "12345", "🔒🔒🔒"]) {
      expect(await outcome(signUp("shorty", undefined, short))).toBe("user.password_short");
    }
    for (const common of [
      "123456",
      "Password1",
      "aaaaaaaa",
      "ghana2026",
      // Neither among the hundred nor the ten thousand most common ones.
      "4runner",
      "Grumpy",
      // Patterns that are common without being on a list.
      "654321",
      "abcdefgh",
      "12341234",
      "hahaha",
      "guessed",
      "Guessed",
      "guessed@example.com",
    ]) {
      expect(await outcome(signUp("guessed", undefined, common))).toBe("user.password_common");
    }
    for (const [n, own] of ["k9!xQ2", "abcdeg", "ab9ab9x", "xab9ab9"].entries())
      expect([own, await outcome(signUp(`own${n}`, undefined, own))]).toEqual([own, "done"]);
  });

  test("cannot create an admin: only admins assign roles", async () => {
    const request = {
      username: "sneaky",
      email: "sneaky@example.com",
      password,
      address: "192.0.2.1",
      channel: "web" as const,
      roles: ["ADMIN"],
    };
    expect((await users.signUp(db, request)).roles).toEqual(["USER"]);
  });
});

describe("an admin", () => {
  test("opens accounts, each with one role; the password of staff has at least twelve characters", async () => {
    const ask = {
      by,
      username: "abena",
      email: "abena@example.com",
      roles: ["MANAGER" as const],
    };
    expect(await outcome(users.create(db, { ...ask, password: "elevenchars" }))).toBe("user.admin_password_short");
    expect(await outcome(users.create(db, { ...ask, password, roles: ["DESK", "ADMIN"] }))).toBe("user.one_role");
    // An agent's role beside one of staff adds nothing.
    expect((await users.create(db, { ...ask, password, roles: ["USER", "MANAGER"] })).roles).toEqual(["MANAGER"]);
  });

  test("changes a name or an e-mail; an empty or missing field stays as it is", async () => {
    const person = await world.person("editme");
    const edit = async (change: { username?: string; email?: string }) =>
      (await users.edit(db, { by, userId: person.id, ...change })).answer;
    expect(await edit({ username: "edited" })).toMatchObject({
      username: "edited",
      email: "editme@example.com",
    });
    expect(await edit({ username: "", email: "NEW@example.com" })).toMatchObject({
      username: "edited",
      email: "new@example.com",
    });
    expect(await edit({})).toMatchObject({ username: "edited", email: "new@example.com" });
    expect(await outcome(edit({ username: "YAW" }))).toBe("done");
    expect(await outcome(edit({ username: "Admin" }))).toBe("user.username_taken");
    expect(await outcome(edit({ email: "YAW@example.com" }))).toBe("user.email_taken");
    expect(await outcome(users.edit(db, { by, userId: 987_654, username: "x" }))).toBe("user.not_found");
  });

  test("changes the role, which ends the sessions with the old one", async () => {
    const person = await world.person("promoted");
    const session = await sessionOf(person);
    const edit = async (roles: Role[]) => (await users.edit(db, { by, userId: person.id, roles })).answer;
    // The same role is not a change.
    expect((await edit(["USER", "USER"])).roles).toEqual(["USER"]);
    expect(await sessions.find(db, session.id)).not.toBeNull();
    expect(await outcome(edit(["ADMIN", "SUPPORT"]))).toBe("user.one_role");
    expect((await edit(["SUPPORT"])).roles).toEqual(["SUPPORT"]);
    expect(await sessions.find(db, session.id)).toBeNull();
    expect((await edit(["USER"])).roles).toEqual(["USER"]);
  });

  test("bans a user, whose sessions end at once, and lifts the ban", async () => {
    const efua = await world.person("efua");
    const session = await sessionOf(efua);
    expect(await sessions.find(db, session.id)).toMatchObject({ user: { username: "efua" } });
    expect((await users.ban(db, { by, userId: efua.id })).answer.status).toBe("BANNED");
    expect(await sessions.find(db, session.id)).toBeNull();
    expect(await outcome(sessionOf(efua))).toBe("auth.banned");
    expect((await users.unban(db, { by, userId: efua.id })).answer.status).toBe("ACTIVE");
    // The old session does not come back.
    expect(await sessions.find(db, session.id)).toBeNull();
    expect(await outcome(sessionOf(efua))).toBe("done");
  });

  test("deletes an account: it is closed and anonymous, its orders stay, name and e-mail are free again", async () => {
    const bundle = await world.product("MTN", "1GB", "3.90");
    const gone = await world.person("gone", "GH₵ 3.90");
    const session = await sessionOf(gone);
    const { order } = (await orders.buy(db, { by: gone.by(), key: null, line: lineFor(bundle) })).answer;
    const remove = () => users.remove(db, { by, userId: gone.id });
    expect(await outcome(remove())).toBe("user.has_open_orders");
    await statusChanges.moveOne(db, { by, key: null, orderId: order.id, to: "FAILED" });
    expect(await outcome(remove())).toBe("user.has_balance");
    await wallet.adjust(db, {
      by,
      key: null,
      userId: gone.id,
      amountPesewas: -390,
      reason: "Paid out in cash",
    });
    await remove();

    const [row] = await db.execute(sql`select username, email, password_hash, status from users where id = ${gone.id}`);
    expect(row).toEqual({
      username: `deleted-${gone.id}`,
      email: `deleted-${gone.id}@invalid`,
      password_hash: "",
      status: "CLOSED",
    });
    expect(await sessions.find(db, session.id)).toBeNull();
    expect(await outcome(sessionOf(gone))).toBe("auth.bad_credentials");
    expect(await count(db, sql`from orders where user_id = ${gone.id}`)).toBe(1);
    expect(await outcome(signUp("gone"))).toBe("done");
    const ask = { by, userId: gone.id };
    for (const late of [users.remove, users.ban, users.unban]) {
      expect(await outcome(late(db, ask))).toBe("user.closed");
    }
  });

  test("has an audit entry for every change: who, what, before and after, and never a password", async () => {
    const person = await world.person("traced");
    await users.edit(db, { by: { ...by, requestId: "request-7" }, userId: person.id, username: "retraced" });
    await users.ban(db, { by, userId: person.id });
    const entries = await db.query.auditLog.findMany({
      where: (a, { and, eq }) => and(eq(a.subjectType, "user"), eq(a.subjectId, String(person.id))),
      orderBy: (a, { asc }) => asc(a.id),
    });
    expect(entries.map((entry) => [entry.action, entry.byUserId, entry.requestId])).toEqual([
      ["user.create", yaw.id, null],
      ["user.edit", yaw.id, "request-7"],
      ["user.ban", yaw.id, null],
    ]);
    expect(entries[1]).toMatchObject({ before: { username: "traced" }, after: { username: "retraced" } });
    expect(entries[2]).toMatchObject({ before: { status: "ACTIVE" }, after: { status: "BANNED" } });
    expect(JSON.stringify(entries)).not.toMatch(/argon|password/i);
  });
});

describe("the last active admin", () => {
  const others = () =>
    db.execute<{ id: number }>(
      sql`select id from users where 'ADMIN' = any(roles) and status = 'ACTIVE' and id <> ${yaw.id}`,
    );

  test("can be neither banned nor deleted", async () => {
    const barred = await world.person("barred-admin", undefined, ["ADMIN"]);
    for (const { id } of await others()) await users.ban(db, { by, userId: id });
    // Their session has ended, but a request of theirs may still be in progress.
    const late = barred.by("admin");
    expect(await outcome(users.ban(db, { by: late, userId: yaw.id }))).toBe("user.last_admin");
    expect(await outcome(users.remove(db, { by: late, userId: yaw.id }))).toBe("user.last_admin");
  });

  test("remains when two admins ban or delete each other at the same moment, at two servers", async () => {
    await withSecondServer(world, async (other) => {
      for (const round of times(4, (i) => i)) {
        const rival = await world.person(`rival${round}`, undefined, ["ADMIN"]);
        const end = round % 2 ? users.remove : users.ban;
        const outcomes = await Promise.all([
          outcome(users.ban(db, { by: rival.by(), userId: yaw.id })),
          outcome(end(other, { by, userId: rival.id })),
        ]);
        expect(outcomes.sort()).toEqual(["done", "user.last_admin"]);
        expect(await count(db, sql`from users where 'ADMIN' = any(roles) and status = 'ACTIVE'`)).toBe(1);
        await users.unban(db, { by, userId: yaw.id });
        for (const { id } of await others()) await users.ban(db, { by, userId: id });
      }
    });
  });
});

test("nobody bans or deletes themselves, however many admins there are", async () => {
  const admin = await world.person("own-end", undefined, ["ADMIN"]);
  const own = { by: admin.by("admin"), userId: admin.id };
  expect(await outcome(users.ban(db, own))).toBe("user.own_account");
  expect(await outcome(users.remove(db, own))).toBe("user.own_account");
  expect((await users.get(db, admin.id)).status).toBe("ACTIVE");
  await users.ban(db, { by, userId: admin.id });
});

describe("a username", () => {
  test("has only letters, digits, dots, hyphens and underscores, so that none looks like another", async () => {
    await signUp("Kwa-me_2.0");
    for (const lookalike of ["kwame\u200b", "kw\u0430me", "kwａme", "k\u0301wame", "kwa me", "kwame\u202e", "👑kwame"])
      expect([lookalike, await outcome(signUp(lookalike, "look@example.com"))]).toEqual([
        lookalike,
        "user.username_refused",
      ]);
  });

  test("that seems to speak for the shop can be given by an admin, but not chosen", async () => {
    for (const reserved of ["admin", "Ad.min", "SUPPORT", "data-fie", "mtn", "deleted-57", "Deleted-57-x"])
      expect([reserved, await outcome(signUp(reserved, "r@example.com"))]).toEqual([reserved, "user.username_refused"]);
    const own = await world.person("renamer");
    const session = await sessionOf(own);
    const rename = { by: own.by(), sessionId: session.id, currentPassword: own.password };
    expect(await outcome(profile.rename(db, { ...rename, username: "support", email: own.email }))).toBe(
      "user.username_refused",
    );
    const ask = { by, password, roles: ["USER" as const] };
    expect((await users.create(db, { ...ask, username: "support", email: "s@example.com" })).username).toBe("support");
    expect(await outcome(users.create(db, { ...ask, username: "deleted-1", email: "d@example.com" }))).toBe(
      "user.username_refused",
    );
  });

  test("from before there was a rule stays valid", async () => {
    const old = await world.person("old-name");
    await db.execute(sql`update users set username = 'Ɔdɔ' where id = ${old.id}`);
    expect((await users.edit(db, { by, userId: old.id, username: "Ɔdɔ", email: "odo@example.com" })).answer.email).toBe(
      "odo@example.com",
    );
    const leaver = await world.person("leaver");
    await db.execute(sql`update users set username = ${`deleted-${leaver.id}`} where id = ${old.id}`);
    await users.remove(db, { by, userId: leaver.id });
    expect((await users.get(db, leaver.id)).username).toBe(`deleted-${leaver.id}x`);
  });

  test("`admin` that somebody has already does not prevent the shop's first admin", async () => {
    const fresh = await freshDatabase();
    const own = connect(fresh.url);
    await own.execute(sql`
      insert into users (username, email, password_hash) values ('Admin', 'squatter@example.com', '-')`);
    const first = await users.ensureAdmin(own, {
      email: "boss@example.com",
      password: "correct horse battery",
    });
    expect(first).toMatchObject({ username: "admin-2", roles: ["ADMIN"] });
    expect(await users.ensureAdmin(own, { email: "x@example.com", password: "correct horse battery" })).toBeNull();
    await disconnect(own);
    await fresh.drop();
  });
});

longTest("a deleted account's name and e-mail remain only in the audit entries of its owner", async () => {
  const leaving = await world.person("yaa-leaving", undefined, ["ADMIN"]);
  const other = await world.person("banned-by-yaa");
  await users.ban(db, { by: leaving.by("admin"), userId: other.id });
  await users.edit(db, { by, userId: leaving.id, email: "yaa.second@example.com", roles: ["USER"] });
  const request = { by: leaving.by(), key: { scope: "support", key: "1" }, subject: "Late", message: "Late" };
  await support.file(db, { ...request, fullName: "Yaa Leaving", email: "yaa.second@example.com" });
  await products.ensureAfa(db);
  await afa.register(db, TEST_CARDS, {
    by: (await funded(leaving)).by(),
    key: null,
    people: [{ fullName: "Yaa Leaving", phone: freshNumber(), ghCardId: "GHA-123456789-0", location: "Kumasi" }],
  });
  await finishOrders(leaving.id);

  await users.remove(db, { by, userId: leaving.id });

  const [acts] = await auditLog.list(db, { subjectType: "user", subjectId: other.id }, { limit: 1 });
  expect(acts).toMatchObject({ action: "user.ban", byUsername: "yaa-leaving" });
  expect(await tablesNaming(["yaa-leaving", "yaa leaving", "yaa.second@example.com"])).toEqual([
    "audit_log.by_username",
  ]);
});

describe("an admin's role", () => {
  test("is never removed by its owner, nor by two of them from each other at once", async () => {
    const take = (userId: number, taker = by) => outcome(users.edit(db, { by: taker, userId, roles: ["USER"] }));
    expect(await take(yaw.id)).toBe("user.own_admin");
    const rival = await world.person("role-rival", undefined, ["ADMIN"]);
    const outcomes = await Promise.all([take(yaw.id, rival.by()), take(rival.id)]);
    expect(outcomes.sort()).toEqual(["done", "user.last_admin"]);
    await db.execute(sql`update users set roles = '{ADMIN}' where id = ${yaw.id}`);
    await db.execute(sql`update users set roles = '{USER}' where id = ${rival.id}`);
  });
});

describe("the list of users", () => {
  test("is searched by name, e-mail, role, status and number, and leaves out closed accounts", async () => {
    const found = async (search: string) =>
      (await userLists.list(db, { search }, { limit: 200 })).map((u) => u.username);
    await world.person("needle_1", "GH₵ 7.00");
    await world.person("needlex1");
    expect(await found("NEEDLE")).toEqual(["needlex1", "needle_1"]);
    expect(await found("needle_1")).toEqual(["needle_1"]);
    expect(await found("needle_1@example")).toEqual(["needle_1"]);
    expect(await found("admin")).toContain("admin");
    // By role only.
    await users.create(db, {
      by: yaw.by("admin"),
      username: "deputy",
      email: "deputy@example.com",
      password: "correct horse battery",
      roles: ["ADMIN"],
    });
    expect(await found("Admin")).toContain("deputy");
    expect(await found("banned")).toContain("retraced");
    expect(await found(String(yaw.id))).toContain("admin");
    for (const nobody of ["%", "_", "\\", "'; drop table users; --", "deleted-"]) {
      const names = await found(nobody);
      expect(names.every((name) => name.includes(nobody))).toBe(true);
    }
    const [rich] = await userLists.list(db, { search: "needle_1" }, { limit: 1 });
    expect(rich!.balancePesewas).toBe(700);
  });

  test("is read page by page, each user once", async () => {
    const whole = (await userLists.list(db, {}, { limit: 200 })).map((u) => u.id);
    const paged: number[] = [];
    for (let cursor: number | undefined; ; cursor = paged.at(-1)) {
      const page = await userLists.list(db, {}, { limit: 3, cursor });
      paged.push(...page.map((u) => u.id));
      if (page.length < 3) break;
    }
    expect(paged).toEqual(whole);
  });
});

test("many processes that start at once on an empty shop create one first admin, and none fails", async () => {
  const empty = await freshDatabase();
  const fresh = connect(empty.url, { max: 8 });
  try {
    const ask = { email: "yaw@example.com", password: "correct horse battery" };
    const made = await Promise.all(times(8, () => users.ensureAdmin(fresh, ask)));
    expect(made.filter((one) => one !== null).length).toBe(1);
  } finally {
    await disconnect(fresh);
    await empty.drop();
  }
});

async function funded(person: Person): Promise<Person> {
  await wallet.adjust(db, { by, key: null, userId: person.id, amountPesewas: 500, reason: "premise" });
  return person;
}

/** Brings every order of an account to its final status, delivered. */
async function finishOrders(userId: number): Promise<void> {
  const open = await db.execute<{ id: number }>(sql`select id from orders where user_id = ${userId}`);
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(db, { by, key: null, ids: open.map(({ id }) => id), to });
}

/** The text columns that contain one of these terms anywhere. */
async function tablesNaming(terms: string[]): Promise<string[]> {
  const columns = await db.execute<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')
      and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const holds = sql.raw(
      `"${table}" where lower("${column}"::text) like any(array[${terms.map((word) => `'%${word}%'`)}])`,
    );
    if ((await count(db, sql`from ${holds}`)) > 0) found.push(`${table}.${column}`);
  }
  return found;
}
