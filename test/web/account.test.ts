// Signing up, logging in and logging out, in a browser without scripts.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { filledIn, type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const banned = await world.person("efua");
await client.call(world.yaw, "POST", `/api/v1/admin/users/${banned.id}/ban`, { reason: "premise" });

const ama = {
  username: "ama",
  email: "ama@example.com",
  password: "aeroplane to Tamale",
  confirmPassword: "aeroplane to Tamale",
};
const newcomer = () => visitor(client.app);

test("a visitor opens an account, reads that it is open, logs in with it, and lands in their own shop", async () => {
  const visit = newcomer();
  const front = await visit.open("/");
  const ways = [...front.document.querySelectorAll("a[href='/signup']")].map((it) => it.textContent);
  expect(ways[0]).toBe("Get Started");
  const login = await visit.press(await visit.open("/signup"), "Create Account", ama);
  expect([login.path, login.text]).toEqual([
    "/login",
    expect.stringContaining("Account created successfully! Please log in."),
  ]);
  // A notice is shown once.
  expect((await visit.open("/login")).text).not.toContain("Account created");

  const home = await visit.press(login, "Login", { email: ama.email, password: ama.password });
  expect([home.path, home.status]).toEqual(["/dashboard", 200]);
  expect(home.text).toContain("Welcome, ama");
});

describe("a sign-up that cannot be accepted gets a message beside its field, and keeps what was typed", () => {
  const invalid: [label: string, changes: Record<string, string>, message: string][] = [
    ["two passwords", { confirmPassword: "aeroplanes" }, "Passwords don't match"],
    ["a short password", { password: "abcde", confirmPassword: "abcde" }, "Password must be at least 6 characters"],
    ["no e-mail", { email: "" }, "email"],
    ["a name with a tag in it", { username: "<b>ama</b>" }, "Username"],
  ];
  for (const [label, changes, message] of invalid) {
    test(label, async () => {
      const visit = newcomer();
      const fields = { ...ama, username: "kofi", email: "kofi@example.com", ...changes };
      const seen = await visit.press(await visit.open("/signup"), "Create Account", fields);
      expect([seen.path, seen.status]).toEqual(["/signup", 422]);
      expect(seen.text.toLowerCase()).toContain(message.toLowerCase());
      expect(seen.document.title).toStartWith("Please check: ");
      expect(seen.document.querySelector("input[name=username]")?.getAttribute("value")).toBe(fields.username);
      for (const secret of seen.document.querySelectorAll("input[type=password]"))
        expect(secret.hasAttribute("value")).toBe(false);
      for (const field of seen.document.querySelectorAll("[aria-invalid=true]")) {
        const id = field.getAttribute("aria-describedby")!.split(" ")[0];
        expect(seen.document.getElementById(id!)?.textContent).not.toBe("");
      }
    });
  }
});

test("a role that a form asks for is never given", async () => {
  const visit = newcomer();
  const fields = { ...ama, username: "mallory", email: "mallory@example.com", roles: "ADMIN" };
  const login = await visit.press(await visit.open("/signup"), "Create Account", fields);
  await visit.press(login, "Login", fields);
  expect((await visit.open("/admin")).status).toBe(403);
});

test("a wrong password and an unknown e-mail get the same message; a banned user learns of the ban", async () => {
  const visit = newcomer();
  const login = await visit.open("/login");
  for (const email of ["yaw@example.com", "nobody@example.com"]) {
    const seen = await visit.press(login, "Login", { email, password: "wrong password" });
    expect([seen.path, seen.status]).toEqual(["/login", 401]);
    expect(seen.text).toContain("Wrong email or password");
    expect(seen.document.querySelector("input[name=email]")?.getAttribute("value")).toBe(email);
  }
  const seen = await visit.press(login, "Login", { email: banned.email, password: banned.password });
  expect(seen.status).toBe(403);
  expect(visit.cookies.has(SESSION_COOKIE)).toBe(false);
});

test("an admin lands on the admin's dashboard", async () => {
  const visit = newcomer();
  const { email, password } = world.yaw;
  const seen = await visit.press(await visit.open("/login"), "Login", { email, password });
  expect([seen.path, seen.status]).toEqual(["/admin", 200]);
});

test("the session's cookie cannot be read by scripts or sent by other sites", async () => {
  const login = await newcomer().open("/login");
  const { email, password } = world.yaw;
  const { path, body } = filledIn(login, "Login", { email, password });
  const answer = await client.browse(null, path, Object.fromEntries(new URLSearchParams(body)));
  const [line] = answer.headers.getSetCookie();
  expect(line).toContain("HttpOnly");
  expect(line).toContain("SameSite=Lax");
});

test("logging out ends the session itself, and leads to the login page", async () => {
  const kofi = await world.person("kofi2");
  const visit = await visitorAs(client, kofi);
  const token = visit.cookies.get(SESSION_COOKIE)!;
  const seen = await visit.press(await visit.open("/dashboard"), "Logout");
  expect(seen.text).toContain("You have been logged out");
  expect(seen.text).toContain("Redirecting you to the login page...");
  expect(seen.headers.get("refresh")).toBe("2.5; url=/login");
  expect(visit.cookies.has(SESSION_COOKIE)).toBe(false);
  const late = visitor(client.app);
  late.cookies.set(SESSION_COOKIE, token);
  const again = await late.open("/orders");
  expect(again.path).toBe("/login?next=%2Forders");
  expect(again.text).toContain("session");
});

describe("the redirect after logging in", () => {
  const { email, password } = world.yaw;
  test("leads to the page that was requested", async () => {
    const visit = newcomer();
    const login = await visit.open("/orders?search=024");
    expect(login.path).toBe("/login?next=%2Forders%3Fsearch%3D024");
    expect((await visit.press(login, "Login", { email, password })).path).toBe("/orders?search=024");
  });
  const foreign = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
  ];
  for (const next of foreign) {
    longTest(`never leads to another site: ${JSON.stringify(next)}`, async () => {
      const visit = newcomer();
      const login = await visit.open(`/login?next=${encodeURIComponent(next)}`);
      expect((await visit.press(login, "Login", { email, password, next })).path).toBe("/admin");
    });
  }
});

test("an address that does not exist leads a visitor to the login and a user to the dashboard", async () => {
  const kofi = await visitorAs(client, await world.person("kofi3"));
  expect((await newcomer().open("/no/such/page")).path).toBe("/login");
  expect((await kofi.open("/no/such/page")).path).toBe("/dashboard");
  expect((await newcomer().open("/missing.png")).status).toBe(404);
});

describe("a browser that an account has logged in with", () => {
  const wrong = (n: number) =>
    client.call(null, "POST", "/api/v1/auth/login", { email: kwame.email, password: `wrong ${n}` });
  const kwame = { ...ama, username: "kwame", email: "kwame@example.com" };

  test("still lets its owner in when strangers have used up all attempts; another one shows what helps", async () => {
    const visit = newcomer();
    await visit.press(await visit.open("/signup"), "Create Account", kwame);
    const fields = { email: kwame.email, password: kwame.password };
    await visit.press(await visit.open("/login"), "Login", fields);
    expect(visit.cookies.get("device")).toMatch(/^\d+\.[\w-]{16}\.[\w-]{43}$/);
    await visit.open("/logout");
    await world.db.execute(sql`delete from login_networks`);
    for (let n = 0; n < 10; n++) expect((await wrong(n)).status).toBe(401);
    const stranger = newcomer();
    const shut = await stranger.press(await stranger.open("/login"), "Login", fields);
    expect([shut.status, shut.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(shut.text).toMatch(/Too many failed logins\. Try again in 1[45] minutes\./);
    expect(shut.text).toContain("or use a browser that you have logged in with before");
    expect(shut.document.querySelector("input[name=code]")).not.toBeNull();
    expect((await visit.press(await visit.open("/login"), "Login", fields)).path).toBe("/dashboard");
  });
});

describe("a form that is sent after its session has ended", () => {
  const letter = {
    fullName: "Ama",
    email: "ama@example.com",
    subject: "Late",
    message: "Where is my order?",
  };
  const ask = "Submit Request";
  const typedIn = (seen: Seen) => Object.fromEntries(new URLSearchParams(filledIn(seen, ask).body));

  test("is kept through the login, which announces it, and is submitted once", async () => {
    const person = await world.person("keeper");
    const visit = await visitorAs(client, person);
    const page = await visit.open("/support");
    visit.cookies.clear();
    const login = await visit.press(page, ask, letter);
    expect(login.path).toStartWith("/login?next=%2Fsupport%3Fkept%3D");
    expect(login.text).toContain("Log in to continue. What you typed is saved and will be back after you log in.");
    const back = await visit.press(login, "Login", { email: person.email, password: person.password });
    expect([back.path, back.status]).toEqual([expect.stringMatching(/^\/support\?kept=/), 200]);
    expect(back.text).toContain("Nothing has been sent yet. What you typed is still here");
    expect(typedIn(back)).toMatchObject(letter);
    expect((await visit.press(back, ask)).text).toContain("Your request has been sent");
  });

  test("is also kept when the session was ended from another device", async () => {
    const person = await world.person("ended");
    const visit = await visitorAs(client, person);
    const page = await visit.open("/support");
    await world.db.execute(sql`delete from sessions where user_id = ${person.id}`);
    const login = await visit.press(page, ask, letter);
    expect(login.text).toContain("Your session has ended. Log in again.");
    expect(login.text).toContain("What you typed is saved");
  });

  test("is not kept when it comes from another site", async () => {
    const form = { fullName: "x", message: "y" };
    const answer = await client.browse(null, "/support", form, { origin: "https://evil.example" });
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  });
});

test("the login is filled in with the e-mail address of an account that was just opened", async () => {
  const visit = newcomer();
  const fields = {
    username: "newborn",
    email: "newborn@example.com",
    password: "correct horse battery",
    confirmPassword: "correct horse battery",
  };
  const login = await visit.press(await visit.open("/signup"), "Create Account", fields);
  expect([login.path, login.text]).toEqual(["/login", expect.stringContaining("Please log in.")]);
  expect(login.document.getElementById("field-email")?.getAttribute("value")).toBe(fields.email);
});

test("a sign-up with two different passwords shows its other errors at the same time", async () => {
  const visit = newcomer();
  const seen = await visit.press(await visit.open("/signup"), "Create Account", {
    username: "twice",
    email: "nobody",
    password: "correct horse",
    confirmPassword: "another horse",
  });
  const errorOf = (name: string) => seen.document.getElementById(`field-${name}-error`)?.textContent;
  expect(errorOf("confirmPassword")).toBe("Passwords don't match");
  expect(errorOf("email")).toMatch(/email/i);
});

test("the pages that lead into the shop show the cheapest bundle of each network that is on sale", async () => {
  await world.product("MTN", "2GB", "8.20");
  await world.product("MTN", "1GB", "3.90");
  await world.product("TELECEL", "5GB", "21.00");
  for (const path of ["/login", "/signup", "/forgot-password", "/reset-password"]) {
    const { document } = await newcomer().open(path);
    const prices = [...document.querySelectorAll(".pitch li")].map((it) => it.textContent);
    expect(prices).toEqual(["MMTN 1GBGH₵ 3.90", "TTelecel 5GBGH₵ 21.00"]);
  }
});
