// The page of staff: everybody may read who runs the shop and what each role may do; owners create and change staff.
import { expect, test } from "bun:test";
import * as sessions from "../../src/core/identity/logins/sessions.ts";
import * as users from "../../src/core/identity/users.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { hasRight, RIGHTS, type Right, STAFF_ROLES, type StaffRole } from "../../src/shared/rights.ts";
import { outcome } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const desk = await world.person("esther", undefined, ["DESK"]);
const PAGE = "/admin/staff";
const asOwner = () => visitorAs(client, world.yaw);
const account = { username: "abena", email: "abena@example.com", password: "long enough words" };

test("everybody who runs the shop reads the table of rights, which is the one that the code asks", async () => {
  const seen = await (await visitorAs(client, desk)).open(PAGE);
  const rows = [...seen.document.querySelectorAll(".rights tbody tr")];
  const rights = Object.keys(RIGHTS) as Right[];
  const roles = Object.keys(STAFF_ROLES) as StaffRole[];
  expect(rows.length).toBe(rights.length);
  for (const [n, right] of rights.entries()) {
    const [label, ...cells] = [...rows[n]!.querySelectorAll("td")].map((cell) => cell.textContent);
    expect(label).toBe(RIGHTS[right].label);
    expect([right, cells.map((text) => text.includes("yes"))]).toEqual([
      right,
      roles.map((role) => hasRight({ roles: [role] }, right)),
    ]);
  }
  expect(seen.document.querySelectorAll("main form").length).toBe(0);
  expect((await (await visitorAs(client, await world.person("ama"))).open(PAGE)).status).toBe(403);
});

longTest("an owner creates somebody in one role, who logs in; a short password is refused", async () => {
  const visit = await asOwner();
  const short = await visit.press(await visit.open(PAGE), "Create account", {
    ...account,
    password: "elevenchars",
  });
  expect([short.status, short.document.getElementById("create-password-error")!.textContent]).toEqual([
    422,
    "Staff need a password of at least 12 characters",
  ]);
  const seen = await visit.press(await visit.open(PAGE), "Create account", { ...account, role: "ACCOUNTS" });
  expect(seen.text).toContain("Created: abena can log in now as Accounts.");
  const rowOf = async () =>
    [...(await visit.open(PAGE)).document.querySelectorAll(".staff tbody tr")].find((row) =>
      row.textContent.includes("abena"),
    )!.textContent;
  expect(await rowOf()).toMatch(/Accounts.*Not yet.*Not set up/);
  const theirs = visitor(client.app);
  const home = await theirs.press(await theirs.open("/login"), "Login", account);
  expect(home.path).toBe("/admin");
  expect(await rowOf()).toMatch(/Accounts\d+ \w+ \d{4}/);
});

test("an owner gives another role or none, which ends their sessions; never to themselves", async () => {
  const person = await world.person("kojo", undefined, ["SUPPORT"]);
  const visit = await asOwner();
  const theirs = await visitorAs(client, person);
  expect((await theirs.open("/admin/support")).path).toBe("/admin/support");
  const change = async (userId: number, role: string) => {
    const page = await visit.open(PAGE);
    const form = { action: "role", userId: String(userId), roles: role };
    const response = await client.browse(world.yaw, page.path, form);
    return response.status;
  };
  expect(await change(person.id, "MANAGER")).toBe(303);
  expect((await users.get(world.db, person.id)).roles).toEqual(["MANAGER"]);
  expect((await theirs.open("/admin/support")).path).toStartWith("/login");
  expect(await change(person.id, "USER")).toBe(303);
  expect((await visit.open(PAGE)).text).not.toContain("kojo");
  expect(await change(world.yaw.id, "MANAGER")).toBe(409);
  expect((await users.get(world.db, world.yaw.id)).roles).toEqual(["ADMIN"]);
});

test("an extra login code that is mandatory is so for every role, and nothing opens before it is set up", async () => {
  const by = world.yaw.by("admin");
  const person = await world.person("nana", undefined, ["ACCOUNTS"]);
  await settings.change(world.db, { by, values: { admin_second_factor: true } });
  const visit = await visitorAs(client, person);
  for (const path of [PAGE, "/orders", "/admin/books"])
    expect((await visit.open(path)).path).toBe("/profile/second-factor");
  await settings.change(world.db, { by, values: { admin_second_factor: false } });
  expect((await visit.open(PAGE)).path).toBe(PAGE);
});

test("an agent who becomes staff with a short password has to set a longer one before they log in", async () => {
  const { db } = world;
  const by = world.yaw.by("admin");
  const agent = { username: "yawa", email: "yawa@example.com", password: "eight888x" };
  const { id } = await users.create(db, { by, ...agent, roles: ["USER"] });
  const login = { ...agent, address: "192.0.2.7", userAgent: "test" };
  expect(await outcome(sessions.logIn(db, login))).toBe("done");
  await users.edit(db, { by, userId: id, roles: ["DESK"] });
  expect(await outcome(sessions.logIn(db, login))).toBe("auth.password_outgrown");
  // A wrong password says no more than before.
  expect(await outcome(sessions.logIn(db, { ...login, password: "wrong" }))).toBe("auth.bad_credentials");
});
