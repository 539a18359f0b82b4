// Users, by forms alone: finding, creating, editing, banning and deleting them, and correcting their wallets.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../db/schema/identity.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as spendingLimits from "../../src/core/identity/spending-limits.ts";
import * as userLists from "../../src/core/identity/user-search.ts";
import * as users from "../../src/core/identity/users.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");
const list = "/admin/users";
const pageOf = (id: number) => `${list}/${id}`;
const errorOf = (seen: Seen, id: string) => seen.document.getElementById(`${id}-error`)?.textContent;
const asAdmin = () => visitorAs(client, world.yaw);
let people = 0;
const somebody = (balance?: string) => world.person(`person${++people}`, balance);

describe("an account that an admin creates", () => {
  const fields = { username: "efua", email: "Efua@Example.com", password: "long enough words" };

  longTest("is an agent's unless a role is ticked, and opens on its page", async () => {
    const visit = await asAdmin();
    const seen = await visit.press(await visit.open(list), "Create agent", fields);
    expect(seen.text).toContain("Created: efua can log in now.");
    const [user] = await userLists.list(world.db, { search: "efua" }, { limit: 1 });
    expect(seen.path).toBe(pageOf(user!.id));
    expect(user).toMatchObject({ email: "efua@example.com", roles: ["USER"], status: "ACTIVE" });
  });

  test("keeps what was typed when it is refused, except the password", async () => {
    const visit = await asAdmin();
    const ask = { ...fields, username: "adwoa", email: "adwoa@example.com", password: "abcde" };
    const seen = await visit.press(await visit.open(list), "Create agent", ask);
    expect(errorOf(seen, "create-password")).toContain("at least 6");
    expect(seen.document.getElementById("create-username")!.getAttribute("value")).toBe("adwoa");
    expect(seen.html).not.toContain("abcde");
    expect(seen.document.querySelector("main details")!.hasAttribute("open")).toBe(true);
  });

  test("is refused beside its field", async () => {
    const visit = await asAdmin();
    const page = await visit.open(list);
    const create = (changes: Record<string, string>) => visit.press(page, "Create agent", { ...fields, ...changes });
    expect(errorOf(await create({ username: "admin" }), "create-username")).toContain("already taken");
    expect(errorOf(await create({ username: "free", email: "yaw@example.com" }), "create-email")).toContain(
      "already exists",
    );
    expect(errorOf(await create({ username: "<b>" }), "create-username")).toContain("no spaces");
    expect(errorOf(await create({ email: "nobody" }), "create-email")).toContain("valid email");
    expect(errorOf(await create({ password: "abc" }), "create-password")).toContain("6 characters");
  });
});

longTest("limits of an account and of a tier are set by their forms, where an empty field is no limit", async () => {
  const { id } = await somebody();
  const visit = await asAdmin();
  const page = await visit.open(`${pageOf(id)}/limits`);
  const typed = { perDay: "1,500.50", ordersPerHour: " 60 ", end: "60", reason: "Sells to a school" };
  const half = await visit.press(page, "Save its own limits", { ...typed, youngDays: "14" });
  expect(errorOf(half, "own-youngTopUpsPerDay")).toContain("both of these fields, or none");
  expect(errorOf(await visit.press(page, "Save its own limits", { ...typed, perDay: "x" }), "own-perDay")).toContain(
    "amount in GH₵",
  );
  expect(errorOf(await visit.press(page, "Save its own limits", { ...typed, reason: "" }), "own-reason")).toBe(
    "Say why",
  );
  const saved = await visit.press(page, "Save its own limits", typed);
  expect(saved.text).toContain("limits of its own now");
  const own = await spendingLimits.ownOf(world.db, id);
  expect(own).toMatchObject({ bounds: { ...spendingLimits.NO_BOUNDS, dayMaxPesewas: 150_050, hourOrdersMax: 60 } });
  expect(own!.until!.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
  await visit.press(saved, "Back to the limits of the group");
  expect(await spendingLimits.ownOf(world.db, id)).toBeNull();
  const frozen = await visit.press(page, "Freeze", { reason: "Cards", message: "We are checking", end: "" });
  expect(frozen.text).toContain("Frozen: the account can look");
  expect((await visit.press(frozen, "End the freeze", { reason: "Theirs" })).text).toContain("open again");
  const tiers = await visit.press(await visit.open("/admin/limits"), "Save limits of Standard", { balanceMax: "2000" });
  expect(tiers.text).toContain("Limits of Standard saved");
  const [{ bounds }] = (await spendingLimits.listTiers(world.db)) as [spendingLimits.LimitedTier];
  expect(bounds).toEqual({ ...spendingLimits.NO_BOUNDS, balanceMaxPesewas: 200_000 });
  await visit.press(tiers, "Save limits of Standard", { balanceMax: "" });
});

longTest("users can be searched by name, email, role and status, and the list is paged by key", async () => {
  const banned = await somebody();
  await users.ban(world.db, { by: world.yaw.by(), userId: banned.id });
  const visit = await asAdmin();
  const page = await visit.open(list);
  const rows = (seen: Seen) => seen.document.querySelectorAll("tbody tr").length;
  const found = async (fields: Record<string, string>) => rows(await visit.press(page, "Search", fields));
  expect(await found({ search: banned.username })).toBe(1);
  expect(await found({ search: "yaw@exa" })).toBe(1);
  expect(await found({ search: "banned" })).toBe(1);
  expect(await found({ status: "BANNED" })).toBe(1);
  expect(await found({ role: "ADMIN" })).toBe(1);
  expect((await visit.open(`${list}?search=nobody-at-all`)).text).toContain("No matching users found.");
  expect((await visit.open(`${list}?status=x&role=y&cursor=-3`)).status).toBe(200);

  const password = "long enough words";
  for (let i = 0; i < 52; i++) {
    const user = { username: `crowd${i}`, email: `crowd${i}@example.com`, password };
    await users.create(world.db, { by: world.yaw.by(), ...user, roles: ["USER"] });
  }
  const first = await visit.open(`${list}?search=crowd`);
  expect(rows(first)).toBe(50);
  const older = first.document.querySelector("a[rel=next]")!.getAttribute("href")!;
  expect(older).toContain("search=crowd");
  expect(rows(await visit.open(older))).toBe(2);
});

test("a name and an email can be changed, and an empty field keeps its value", async () => {
  const person = await somebody();
  const visit = await asAdmin();
  const page = await visit.open(pageOf(person.id));
  // The dialog opens without a script.
  expect(page.document.querySelector("[popovertarget=edit]")!.getAttribute("type")).toBe("button");
  const seen = await visit.press(page, "Save user", { username: "", email: "new@example.com" });
  expect([seen.path, seen.text]).toEqual([pageOf(person.id), expect.stringContaining("User saved.")]);
  const user = await users.get(world.db, person.id);
  expect([user.username, user.email, user.roles]).toEqual([person.username, "new@example.com", ["USER"]]);
  // A refused form is shown on a page of its own, which the list links to as well.
  const taken = await visit.press(seen, "Save user", { username: "admin" });
  expect([taken.status, taken.path, errorOf(taken, "edit-username")]).toEqual([
    409,
    `${pageOf(person.id)}/edit`,
    "This username is already taken",
  ]);
  expect(errorOf(await visit.press(taken, "Save user", { email: "x" }), "edit-email")).toContain("valid email");
});

describe("roles", () => {
  const saveRole = async (id: number, role: string) => {
    const form = new URLSearchParams({ action: "edit", username: "", email: "", roles: role });
    const visit = await asAdmin();
    return visit.open(`${pageOf(id)}/edit`, {
      method: "POST",
      body: form.toString(),
      headers: { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" },
    });
  };

  test("can be given and taken away, which ends sessions with the old ones and is in the audit log", async () => {
    const person = await somebody();
    const theirs = await visitorAs(client, person);
    expect((await theirs.open("/wallet")).path).toBe("/wallet");
    expect((await saveRole(person.id, "SUPPORT")).text).toContain("User saved.");
    expect((await users.get(world.db, person.id)).roles).toEqual(["SUPPORT"]);
    expect((await theirs.open("/wallet")).path).toStartWith("/login");
    await saveRole(person.id, "USER");
    expect((await users.get(world.db, person.id)).roles).toEqual(["USER"]);
    const log = await (await asAdmin()).open(`/admin/audit?type=user&id=${person.id}`);
    expect(log.text).toContain("roles: USER → SUPPORT");
  });

  test("are refused beside the field when there is no such role, or when owners would give up their own", async () => {
    const person = await somebody();
    expect((await saveRole(person.id, "KING")).status).toBe(422);
    const own = await saveRole(world.yaw.id, "USER");
    expect([own.status, errorOf(own, "edit-roles")]).toEqual([409, expect.stringContaining("give up your own role")]);
    expect((await users.get(world.db, world.yaw.id)).roles).toEqual(["ADMIN"]);
  });
});

test("a page of an agent begins with what they bought, when they came last, and how to reach them", async () => {
  const agent = await world.person("adjoa", "GH₵ 20.00");
  const visit = await visitorAs(client, world.yaw);
  const facts = (seen: Seen) => seen.document.querySelector(".facts")!.textContent!;
  expect(facts(await visit.open(`/admin/users/${agent.id}`))).toMatch(
    /^Total boughtGH₵ 0\.00 \(0 orders\)Last orderNone yetLast loginNot yetPhoneNoneEmail/,
  );
  const line = { productId: bundle.id, msisdn: "0241777001", quantity: 1 };
  await orders.buy(world.db, { by: agent.by(), key: null, line });
  await world.db.insert(phones).values({ userId: agent.id, msisdn: "233241777000" });
  await visitorAs(client, agent);
  const seen = await visit.open(`/admin/users/${agent.id}`);
  expect(facts(seen)).toMatch(/^Total boughtGH₵ 3\.90 \(1 order\)Last order\d\d:\d\d/);
  const [last] = await orderQueries.list(world.db, { userId: agent.id }, { limit: 1 });
  for (const path of [`/admin/users/${agent.id}/orders`, `/orders/${last!.id}`])
    expect(seen.document.querySelector(`.facts a[href="${path}"]`)).not.toBeNull();
  expect(seen.document.querySelector('.facts a[href="tel:+233241777000"]')!.textContent).toBe("024 177 7000");
  expect(seen.document.querySelector('.facts a[href="https://wa.me/233241777000"]')).not.toBeNull();
});

test("a banned user is logged out at once, and can return when unbanned; the list keeps its place", async () => {
  const person = await somebody();
  const theirs = await visitorAs(client, person);
  expect((await theirs.open("/wallet")).path).toBe("/wallet");
  const visit = await asAdmin();
  const here = `${list}?search=${person.username}`;
  const banned = await visit.press(await visit.open(here), "Ban");
  expect([banned.path, banned.text]).toEqual([here, expect.stringContaining("logged out everywhere")]);
  expect((await theirs.open("/wallet")).path).toStartWith("/login");
  const theirPage = await visit.open(pageOf(person.id));
  expect(theirPage.document.querySelector(".note.bad")!.textContent).toMatch(
    new RegExp(`^Banned .* by ${world.yaw.username}: they cannot log in\\.Unban`),
  );
  const unbanned = await visit.press(theirPage, "Unban");
  expect(unbanned.text).toContain("can log in again");
  expect((await users.get(world.db, person.id)).status).toBe("ACTIVE");
});

test("the balance of a banned account is paid out on a page of its own, which its page leads to", async () => {
  const person = await somebody("GH₵ 7.50");
  const visit = await asAdmin();
  const payout = `${pageOf(person.id)}/payout`;
  expect((await visit.open(payout)).text).toContain("Only the wallet of a banned or deleted account is paid out.");
  await users.ban(world.db, { by: world.yaw.by(), userId: person.id });
  expect((await visit.open(pageOf(person.id))).text).toContain("Pay out GH₵ 7.50");
  const form = await visit.open(payout);
  const typed = {
    msisdn: "0541234567",
    name: "Ama Mensah",
    reference: "40125567001",
    reason: "Left the shop",
  };
  const noNumber = await visit.press(form, "Pay out GH₵ 7.50", { ...typed, msisdn: "" });
  expect(errorOf(noNumber, "payout-msisdn")).toContain("number that was paid");
  const done = await visit.press(form, "Pay out GH₵ 7.50", typed);
  expect(done.text).toContain("GH₵ 7.50 is booked as paid out.");
  expect(done.text).toContain("054 123 4567 Ama Mensah, transaction 40125567001");
  expect(await world.balanceOf(person)).toBe(0);
  // The form of before, sent again.
  expect((await visit.press(form, "Pay out GH₵ 7.50", typed)).text).toContain("GH₵ 7.50 is booked as paid out.");
  const other = await visit.press(form, "Pay out GH₵ 7.50", {
    ...typed,
    reference: "40125567002",
    key: "another",
  });
  expect(other.text).toContain("Nothing can be paid out of this wallet");
  expect((await visit.open("/admin/books")).text).toContain("transaction 40125567001");
  expect((await visit.open(`${pageOf(person.id)}/statement`)).text).toContain(
    "Paid out by mobile money, transaction 40125567001",
  );
});

test("the wait of a changed phone is shown beside it, and ended with a reason", async () => {
  const person = await somebody();
  await world.db.execute(sql`insert into phones (user_id, msisdn) values (${person.id}, '233541119901')`);
  await world.db.execute(sql`
    insert into phone_waits (user_id, cause, until) values (${person.id}, 'phone', now() + interval '48 hours')`);
  const own = await visitorAs(client, person);
  for (const path of ["/profile/phone", "/profile/pin"])
    expect((await own.open(path)).text).toContain("Your phone was changed. For your safety");
  const visit = await asAdmin();
  expect((await visit.open(pageOf(person.id))).text).toContain("The phone was changed: it can buy by phone from");
  const limits = await visit.open(`${pageOf(person.id)}/limits`);
  const refused = await visit.press(limits, "End the wait", { reason: " " });
  expect(errorOf(refused, "lift-reason")).toContain("Say why");
  const ended = await visit.press(limits, "End the wait", { reason: "Came with a Ghana Card" });
  expect(ended.text).toContain("The account can buy again.");
  expect(ended.text).not.toContain("End the wait");
});

test("nobody can ban or delete their own account, and its page offers neither", async () => {
  const visit = await asAdmin();
  const page = await visit.open(pageOf(world.yaw.id));
  expect(page.text).not.toContain("Ban");
  for (const action of ["ban", "delete"]) {
    const seen = await client.browse(world.yaw, pageOf(world.yaw.id), { action });
    expect([seen.status, await seen.text()]).toEqual([409, expect.stringContaining("Ask an owner")]);
  }
});

test("a user is deleted after a confirmation, but not with money or open orders", async () => {
  const person = await somebody("GH₵ 10.00");
  const visit = await asAdmin();
  const page = await visit.open(pageOf(person.id));
  // What cannot work is not offered: the way to it is.
  const button = `Delete user ${person.id}`;
  const first = "GH₵ 10.00 is still in the wallet. Ban the account, pay the money out to its owner, then delete it.";
  for (const seen of [page, await visit.open(`${list}?search=${person.username}`)]) {
    expect(seen.text).toContain(first);
    expect(seen.text).not.toContain("Delete user?");
  }
  const refused = await client.browse(world.yaw, pageOf(person.id), { action: "delete" });
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("It has to be spent or paid")]);
  const banned = await visit.press(page, `Ban user ${person.id}`);
  const link = [...banned.document.querySelectorAll("details a")].find((a) => a.textContent === "Pay out");
  expect(link!.getAttribute("href")).toBe(`${pageOf(person.id)}/payout`);
  const emptied = await visit.press(banned, "Correct the wallet", { amount: "-10", reason: "Paid out in cash" });
  expect(emptied.text).toContain("Delete user?");
  const gone = await visit.press(emptied, button);
  expect([gone.path, gone.text]).toEqual([list, expect.stringContaining(`User ${person.id} was deleted.`)]);
  const after = await visit.open(pageOf(person.id));
  expect(after.text).toContain("CLOSED");
  expect(after.text).not.toMatch(/Save user|Ban/);
});

describe("a correction of a wallet", () => {
  const BUTTON = "Correct the wallet";

  test("has a sign and a reason that the agent reads, and happens once however often it is sent", async () => {
    const person = await somebody();
    const visit = await asAdmin();
    const page = await visit.open(pageOf(person.id));
    const credit = { amount: "GH₵ 50", reason: "Cash at the office" };
    const sent = await Promise.all(Array.from({ length: 4 }, () => visit.press(page, BUTTON, credit)));
    expect(sent[0]!.status).toBe(200);
    expect(await world.balanceOf(person)).toBe(5000);
    const debit = { amount: "-12.50", reason: "Typed twice" };
    const seen = await visit.press(await visit.open(page.path), BUTTON, debit);
    expect(seen.text).toContain("Corrected by −GH₵ 12.50: the wallet now holds GH₵ 37.50.");
    expect((await (await visitorAs(client, person)).open("/wallet")).text).toContain("Typed twice");
  });

  test("is refused beside its field when it is nothing, too much, or without a reason", async () => {
    const person = await somebody("GH₵ 5.00");
    const visit = await asAdmin();
    const page = await visit.open(pageOf(person.id));
    const correct = (amount: string, reason: string) => visit.press(page, BUTTON, { amount, reason });
    for (const amount of ["0", "", "abc", "1.234", "--5"])
      expect(errorOf(await correct(amount, "x"), "adjust-amount")).toContain("Enter an amount");
    expect(errorOf(await correct("-5.01", "x"), "adjust-amount")).toBe("Insufficient wallet balance");
    const silent = await correct("1", "  ");
    expect(errorOf(silent, "adjust-reason")).toBe("Say why");
    expect(silent.document.getElementById("adjust-amount")!.getAttribute("value")).toBe("1");
    expect(await world.balanceOf(person)).toBe(500);
  });
});

test("a correction is reached by searching for a name, which leads to the wallet on the user's page", async () => {
  const person = await somebody("GH₵ 7.00");
  const visit = await asAdmin();
  const page = await visit.open("/admin/wallets");
  const found = await visit.press(page, "Go to the wallet", { user: person.username.toUpperCase() });
  expect([found.path, found.text]).toEqual([`${pageOf(person.id)}#wallet`, expect.stringContaining("GH₵ 7.00")]);
  const nobody = await visit.press(page, "Go to the wallet", { user: "<script>nobody" });
  expect([nobody.status, nobody.text]).toEqual([200, expect.stringContaining("No user found")]);
  expect(nobody.html).not.toContain("<script>nobody");
});

describe("a user's activity:", () => {
  const rows = (page: Seen) => page.document.querySelectorAll("tbody tr").length;
  const day = (at = Date.now()) => new Date(at).toISOString().slice(0, 10);
  const buyer = somebody("GH₵ 500.00").then(async (person) => {
    for (let i = 0; i < 53; i++) {
      const line = { productId: bundle.id, msisdn: `02400000${10 + i}`, quantity: 1 };
      await orders.buy(world.db, { by: person.by(), key: null, line });
    }
    return person;
  });

  test("the first page shows the latest and links to the rest", async () => {
    const person = await buyer;
    const seen = await (await asAdmin()).open(pageOf(person.id));
    expect(seen.document.querySelectorAll(".orders tbody tr").length).toBe(10);
    const paths = [...seen.document.querySelectorAll(".tabs a")].map((a) => a.getAttribute("href"));
    expect(paths).toEqual(["", "/orders", "/prices", "/record"].map((part) => pageOf(person.id) + part));
  });

  test("orders can be filtered and moved, and are paged by key", async () => {
    const person = await buyer;
    const visit = await asAdmin();
    const here = `${pageOf(person.id)}/orders`;
    const first = await visit.open(here);
    expect(rows(first)).toBe(50);
    const older = first.document.querySelector("a[rel=next]")!.getAttribute("href")!;
    expect(older).toStartWith(`${here}?`);
    expect(rows(await visit.open(older))).toBe(3);
    const found = await visit.press(first, "Search", { search: "0240000011" });
    expect(rows(found)).toBe(1);
    const moved = await visit.press(found, "Send it myself");
    expect([moved.path.split("?")[0], moved.text]).toEqual([
      here,
      expect.stringContaining("status updated to PROCESSING"),
    ]);
    expect(rows(await visit.open(`${here}?all=1&status=COMPLETED`))).toBe(0);
    const all = `/orders?all=1&user=${person.id}`;
    expect(first.html).toContain(all.replace("&", "&amp;"));
    expect(rows(await visit.open(all))).toBe(50);
  });

  test("a statement has the opening balance, money in, money out and the closing balance, in pages", async () => {
    const person = await buyer;
    const visit = await asAdmin();
    const here = `${pageOf(person.id)}/statement`;
    const seen = await visit.open(here);
    expect(seen.text).toMatch(/BeforeGH₵ 0\.00InGH₵ 500\.00OutGH₵ 206\.70AfterGH₵ 293\.30/);
    expect(rows(seen)).toBe(50);
    const older = seen.document.querySelector("a[rel=next]")!.getAttribute("href")!;
    expect(rows(await visit.open(older))).toBe(4);
    const before = await visit.press(seen, "Show", { from: "2020-01-01", to: "2020-12-31" });
    expect(before.text).toContain("No transactions on these days.");
    const nonsense = await visit.open(`${here}?from=2026-12-01&to=x&cursor=-1`);
    expect([nonsense.status, rows(nonsense)]).toEqual([200, 50]);
  });

  test("a statement as a file has the same lines as the API, with dates that spreadsheets understand", async () => {
    const person = await buyer;
    const range = `from=${day(Date.now() - 86_400_000)}&to=${day()}`;
    const file = await (await asAdmin()).open(`${pageOf(person.id)}/statement/export?${range}`);
    expect(file.headers.get("content-disposition")).toContain(`statement-${person.id}-`);
    const api = `/api/v1/admin/users/${person.id}/statement?${range}`;
    const plain = (await client.call(world.yaw, "GET", `${api}&format=csv`)).body as string;
    const [undated, plainUndated] = [file.html, plain].map((csv) =>
      csv.split("\r\n").map((line) => line.replace(/^\ufeff?[\d/: TZ.-]+,/, "")),
    );
    expect(undated!.slice(1)).toEqual(plainUndated!.slice(1));
    expect(file.html).toMatch(/\r\n\d{2}\/\d{2}\/\d{4} \d{2}:\d{2},SPEND,/);
    expect(file.html.trim().split("\r\n")).toHaveLength(1 + 1 + 54 + 1);
    const json = (await client.call(world.yaw, "GET", api)).body;
    expect([json.openingBalance, json.closingBalance, json.transactions.length]).toEqual([0, 293.3, 54]);
    const nobody = await client.call(world.yaw, "GET", api.replace(`/${person.id}/`, "/424242/"));
    expect([nobody.status, nobody.body.code]).toEqual([404, "user.not_found"]);
    expect((await client.call(person, "GET", api)).status).toBe(403);
  });

  test("the list of payments says when it is empty", async () => {
    const seen = await (await asAdmin()).open(`${pageOf((await buyer).id)}/payments`);
    expect(seen.text).toContain("No payments.");
  });
});

test("the API changes roles, too, and accepts a change without them", async () => {
  const person = await somebody();
  const path = `/api/v1/admin/users/${person.id}`;
  const patch = (body: unknown, id = path) => client.call(world.yaw, "PATCH", id, body);
  const renamed = await patch({ username: "renamed", email: "renamed@example.com" });
  expect(renamed).toMatchObject({ status: 200, body: { username: "renamed", roles: ["USER"] } });
  expect((await patch({ roles: ["admin"] })).body.roles).toEqual(["ADMIN"]);
  expect((await patch({ roles: ["USER"] })).body).toMatchObject({ username: "renamed", roles: ["USER"] });
  for (const roles of [[], ["KING"], "ADMIN"]) expect((await patch({ roles })).status).toBe(422);
  const own = await patch({ roles: ["USER"] }, `/api/v1/admin/users/${world.yaw.id}`);
  expect([own.status, own.body.code]).toEqual([409, "user.own_admin"]);
});

test("names that people choose, and what admins write, are always shown as plain text", async () => {
  const username = `"'&lt;\u202E`;
  const { id } = await users.create(world.db, {
    by: world.yaw.by(),
    username: "nasty",
    email: "nasty@example.com",
    password: "long enough words",
    roles: ["USER"],
  });
  // Such a name can no longer be chosen, but may date from before the rule.
  await world.db.execute(sql`update users set username = ${username} where id = ${id}`);
  const visit = await asAdmin();
  const reason = "<script>alert(1)</script>";
  const seen = await visit.press(await visit.open(pageOf(id)), "Correct the wallet", { amount: "1", reason });
  for (const page of [seen, await visit.open(`${list}?search=nasty`)]) {
    expect(page.html).not.toContain("<script>alert");
    expect(page.text).toContain(username);
  }
  const refused = await visit.press(await visit.open(list), "Create agent", {
    username: reason,
    email: reason,
  });
  expect(refused.html).not.toContain("<script>alert");
});

test("only admins can see or change users", async () => {
  const person = await somebody();
  const other = await somebody();
  const visit = await visitorAs(client, person);
  for (const path of [list, pageOf(other.id), `${pageOf(other.id)}/edit`]) {
    expect((await visit.open(path)).status).toBe(403);
    const answer = await client.browse(person, path, { action: "ban", amount: "5", reason: "x", key: "k" });
    expect(answer.status).toBe(403);
  }
  expect((await users.get(world.db, other.id)).status).toBe("ACTIVE");
  const admin = await asAdmin();
  for (const id of ["0", "x", "424242", "99999999999999999"])
    expect((await admin.open(`${list}/${id}`)).status).toBe(404);
});
