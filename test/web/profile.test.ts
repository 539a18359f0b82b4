// The profile: changing one's name, e-mail and password, by forms alone.
import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions, users } from "../../db/schema/identity.ts";
import { auditLog } from "../../db/schema/platform.ts";
import { digestOf } from "../../src/core/identity/logins/sessions.ts";
import { deviceIn } from "../../src/web/ui/frame/device-name.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, type Visitor, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
await world.person("somebodyelse");
const client = openApp(world);

let people = 0;
async function agent() {
  const person = await world.person(`owner${++people}`);
  return { person, visit: await visitorAs(client, person) };
}
async function logIn({ email, password }: Pick<Person, "email" | "password">): Promise<[Visitor, Seen]> {
  const visit = visitor(client.app);
  return [visit, await visit.press(await visit.open("/login"), "Login", { email, password })];
}
const rowOf = async ({ id }: Person) => (await world.db.select().from(users).where(eq(users.id, id)))[0]!;
const SAVE = "Save";
const CHANGE = "Change Password";
const password = "a much longer one";

test("the profile lists every part of the account with its state, and each leads to its own page", async () => {
  const { person, visit } = await agent();
  const seen = await visit.open("/profile");
  const rows = [...seen.document.querySelectorAll(".row-list a")].map((row) => [
    row.getAttribute("href"),
    row.querySelector(".line")?.textContent,
  ]);
  expect(rows).toEqual([
    ["/profile/name", `${person.username} · ${person.email}`],
    ["/profile/phone", "Not set"],
    ["/profile/notices", "Not set"],
    ["/profile/password", "Change it"],
    ["/profile/pin", "Not set"],
    ["/profile/second-factor", "Keeps thieves out"],
    ["/profile/logins", "On this device only"],
    ["/profile/data", "Take a copy, or delete your account"],
    ["/profile/developers", "API keys: none"],
    ["/profile/webhooks", "None"],
    ["/developers", "The calls, with examples to copy and try"],
  ]);
  expect((await visit.press(seen, "Log out")).path).toBe("/logout");
});

describe("name and e-mail", () => {
  test("can be changed with the password, and the new e-mail logs in", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/profile/name");
    expect(page.document.getElementById("name-username")?.getAttribute("value")).toBe(person.username);
    const fields = { username: "Abena", email: "Abena@Example.com", currentPassword: person.password };
    const seen = await visit.press(page, SAVE, fields);
    expect([seen.path, seen.text]).toEqual(["/profile", expect.stringContaining("Saved.")]);
    expect(seen.document.querySelector(".drawer footer a[href='/profile']")?.textContent).toBe("Abena");
    expect(await rowOf(person)).toMatchObject({ username: "Abena", email: "abena@example.com" });
    const [, home] = await logIn({ email: "abena@example.com", password: person.password });
    expect(home.path).toBe("/dashboard");
    const [trace] = await world.db.select().from(auditLog).where(eq(auditLog.action, "user.rename"));
    expect(trace).toMatchObject({ byUserId: person.id, after: { username: "Abena" } });
    expect(JSON.stringify(trace)).not.toContain("argon2");
  });

  test("stay without the right password, with the message beside the field", async () => {
    const { person, visit } = await agent();
    for (const currentPassword of ["", "not this one"]) {
      const fields = { username: "thief", email: "thief@example.com", currentPassword };
      const seen = await visit.press(await visit.open("/profile/name"), SAVE, fields);
      expect([seen.status, seen.document.getElementById("name-currentPassword-error")?.textContent]).toEqual([
        422,
        "The current password is wrong",
      ]);
      expect(seen.document.getElementById("name-username")?.getAttribute("value")).toBe("thief");
      expect(seen.document.querySelector("input[type=password][value]")).toBeNull();
    }
    expect(await rowOf(person)).toMatchObject({ username: person.username, email: person.email });
  });

  for (const [label, field, value, message] of [
    ["a username that is taken", "username", "SomebodyElse", "This username is already taken"],
    ["a username that is reserved", "username", "support", "This username is reserved. Choose another."],
    ["an e-mail that is taken", "email", "YAW@example.com", "An account with this email already exists"],
    ["no username", "username", "", "Enter a username"],
    ["no e-mail", "email", "abena", "Enter a valid email address"],
  ] as const) {
    test(`are refused beside the field: ${label}`, async () => {
      const { person, visit } = await agent();
      const fields = { currentPassword: person.password, [field]: value };
      const seen = await visit.press(await visit.open("/profile/name"), SAVE, fields);
      expect([409, 422]).toContain(seen.status);
      expect(seen.document.getElementById(`name-${field}-error`)?.textContent).toBe(message);
      expect(await rowOf(person)).toMatchObject({ username: person.username, email: person.email });
    });
  }

  test("cannot be changed for somebody else, nor roles, by an additional field", async () => {
    const { person, visit } = await agent();
    const more = { currentPassword: person.password, userId: String(world.yaw.id), roles: "ADMIN" };
    await visit.press(await visit.open("/profile/name"), SAVE, more);
    expect(await rowOf(person)).toMatchObject({ roles: ["USER"] });
    expect(await rowOf(world.yaw)).toMatchObject({ username: "admin" });
  });
});

describe("the list of sessions", () => {
  test("shows nothing that would open a session, and each other session can be ended", async () => {
    const { person, visit } = await agent();
    const [phone] = await logIn(person);
    const [stranger] = await logIn(person);
    expect((await visit.open("/profile")).text).toContain("Where you are logged in In 3 places");
    const seen = await visit.open("/profile/logins");
    const rows = [...seen.document.querySelectorAll(".row-list li")].map((row) => row.textContent);
    expect(rows.map((row) => row.includes("This device"))).toEqual([false, false, true]);
    const kept = await world.db.select().from(sessions).where(eq(sessions.userId, person.id));
    for (const { id } of kept) expect(seen.text + seen.document.body.innerHTML).not.toContain(id);

    // The newest comes first.
    const after = await visit.press(seen, "Log Out");
    expect(after.text).toContain("Logged out there.");
    expect((await stranger.open("/orders")).path).toStartWith("/login");
    expect((await phone.open("/orders")).path).toBe("/orders");
    const alone = await visit.press(after, "Log Out Everywhere Else");
    expect(alone.document.querySelectorAll(".row-list li")).toHaveLength(1);
    expect((await phone.open("/orders")).path).toStartWith("/login");
    expect((await visit.open("/orders")).path).toBe("/orders");
  });

  test("cannot be used to end somebody else's", async () => {
    const [{ person: ama, visit: amasVisit }, { visit }] = [await agent(), await agent()];
    const [session] = await world.db.select().from(sessions).where(eq(sessions.userId, ama.id));
    const form = { action: "end", login: digestOf(session!.id) };
    const body = new URLSearchParams(form).toString();
    const headers = {
      origin: "http://localhost",
      "content-type": "application/x-www-form-urlencoded",
    };
    await visit.open("/profile/logins", { method: "POST", headers, body });
    expect((await amasVisit.open("/orders")).path).toBe("/orders");
  });

  test.each([
    [
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
        "Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    ["Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5", "Firefox on KaiOS"],
    ["curl/8.14.1", "curl"],
    ["", "Unknown device"],
    [null, "Unknown device"],
    [`${"x".repeat(200)} y`, "x".repeat(40)],
  ])("a device has its common name: %s", (userAgent, name) => {
    expect(deviceIn(userAgent)).toBe(name);
  });
});

describe("a password", () => {
  test("can be changed: the old one stops working, other devices are logged out, this one stays", async () => {
    const { person, visit } = await agent();
    const [other] = await logIn(person);
    const fields = { password, confirmPassword: password, currentPassword: person.password };
    const seen = await visit.press(await visit.open("/profile/password"), CHANGE, fields);
    expect([seen.path, seen.text]).toEqual([
      "/profile",
      expect.stringContaining("Your password has been changed. Your other devices are logged out."),
    ]);
    expect((await visit.open("/orders")).path).toBe("/orders");
    expect((await other.open("/orders")).path).toStartWith("/login");
    expect((await logIn(person))[1].status).toBe(401);
    expect((await logIn({ email: person.email, password }))[1].path).toBe("/dashboard");
  });

  for (const [label, fields, field, message] of [
    ["two that differ", { confirmPassword: "another" }, "confirmPassword", "Passwords don't match"],
    [
      "a short one",
      { password: "abcde", confirmPassword: "abcde" },
      "password",
      "Password must be at least 6 characters",
    ],
    [
      "an easy one",
      { password: "password1", confirmPassword: "password1" },
      "password",
      "This password is too easy to guess. Choose another.",
    ],
    ["a wrong current one", { currentPassword: "not this one" }, "currentPassword", "The current password is wrong"],
  ] as const) {
    test(`is refused beside the field: ${label}`, async () => {
      const { person, visit } = await agent();
      const all = { password, confirmPassword: password, currentPassword: person.password, ...fields };
      const seen = await visit.press(await visit.open("/profile/password"), CHANGE, all);
      expect(seen.status).toBe(422);
      expect(seen.document.getElementById(`password-${field}-error`)?.textContent).toBe(message);
      expect((await logIn(person))[1].path).toBe("/dashboard");
    });
  }

  test("that is short and typed differently the second time gets both messages", async () => {
    const { person, visit } = await agent();
    const fields = { password: "", confirmPassword: "another", currentPassword: person.password };
    const seen = await visit.press(await visit.open("/profile/password"), CHANGE, fields);
    const errors = ["password", "confirmPassword"].map(
      (name) => seen.document.getElementById(`password-${name}-error`)?.textContent,
    );
    expect(errors).toEqual(["Password must be at least 6 characters", "Passwords don't match"]);
  });

  test("of an admin must have twelve characters", async () => {
    const visit = await visitorAs(client, world.yaw);
    const fields = {
      password: "elevenchars",
      confirmPassword: "elevenchars",
      currentPassword: world.yaw.password,
    };
    const seen = await visit.press(await visit.open("/profile/password"), CHANGE, fields);
    expect(seen.document.getElementById("password-password-error")?.textContent).toBe(
      "Staff need a password of at least 12 characters",
    );
  });

  test("cannot be guessed: after ten wrong ones the right one waits, too", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/profile/name");
    for (let i = 0; i < 10; i++) await visit.press(page, SAVE, { currentPassword: `guess ${i}` });
    const seen = await visit.press(page, SAVE, { currentPassword: person.password, username: "abena2" });
    expect([seen.status, seen.text]).toEqual([
      429,
      expect.stringContaining("Too many wrong passwords. Try again in 15 minutes."),
    ]);
    expect((await rowOf(person)).username).toBe(person.username);
  });
});
