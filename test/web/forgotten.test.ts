// Resetting a forgotten password in a browser without scripts, from the link on the login page to the next login.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../db/schema/identity.ts";
import { createApp } from "../../src/app/server.ts";
import { longTest } from "../support/long.ts";
import { openMessaging } from "../support/messaging.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const post = await openMessaging(world);
let people = 0;
const somebody = () => world.person(`agent${++people}`);
const password = "an entirely new phrase";

beforeEach(async () => {
  await world.db.execute(sql`delete from rate_limits`);
});

test("an agent resets the password by e-mail from the login page, and logs in", async () => {
  const ama = await somebody();
  const elsewhere = await visitorAs(client, ama);
  const visit = visitor(client.app);
  const login = await visit.open("/login");
  expect(login.document.querySelector("a[href='/forgot-password']")).not.toBeNull();
  const sent = await visit.press(await visit.open("/forgot-password"), "Send Code", { login: ama.email });
  expect(sent.path).toBe(`/reset-password?${new URLSearchParams({ login: ama.email })}`);
  expect(sent.text).toContain("If there is such an account, a code is on its way.");
  expect(sent.document.getElementById("field-login")?.getAttribute("value")).toBe(ama.email);
  const code = await post.codeTo(ama.email);
  const fields = { code, password, confirmPassword: password };
  const done = await visit.press(sent, "Set Password", fields);
  expect([done.path, done.text]).toEqual([
    "/login",
    expect.stringContaining("Your password has been changed. Log in with the new one."),
  ]);
  // The same form again, out of impatience or by the Back button.
  expect((await visit.press(sent, "Set Password", fields)).path).toBe("/login");
  expect((await elsewhere.open("/orders")).path).toStartWith("/login");
  const home = await visit.press(await visit.open("/login"), "Login", { email: ama.email, password });
  expect(home.path).toBe("/dashboard");
});

longTest("a code by SMS to a confirmed phone works as well", async () => {
  const ama = await somebody();
  await world.db.insert(phones).values({ userId: ama.id, msisdn: "233541234567" });
  const visit = visitor(client.app);
  const sent = await visit.press(await visit.open("/forgot-password"), "Send Code", {
    login: "054 123 4567",
  });
  const code = await post.codeTo("233541234567");
  const done = await visit.press(sent, "Set Password", { code, password, confirmPassword: password });
  expect(done.path).toBe("/login");
});

test("a browser that asked for the code is not kept out by strangers of its own network", async () => {
  const ama = await somebody();
  const visit = visitor(client.app);
  const sent = await visit.press(await visit.open("/forgot-password"), "Send Code", { login: ama.email });
  const code = await post.codeTo(ama.email);
  const wrong = code === "000000" ? "000001" : "000000";
  const guess = { login: ama.email, code: wrong, password };
  for (let tries = 0; tries < 16; tries++) await client.call(null, "POST", "/api/v1/auth/password/reset", guess);
  expect((await client.call(null, "POST", "/api/v1/auth/password/reset", { ...guess, code })).status).toBe(429);
  const done = await visit.press(sent, "Set Password", { code, password, confirmPassword: password });
  expect(done.path).toBe("/login");
});

test("the pages are identical for an existing account and for none", async () => {
  const ama = await somebody();
  const walk = async (login: string) => {
    const visit = visitor(client.app);
    const sent = await visit.press(await visit.open("/forgot-password"), "Send Code", { login });
    const fields = { code: "000000", password, confirmPassword: password };
    const refused = await visit.press(sent, "Set Password", fields);
    return [sent, refused].map(({ status, html }) => [
      status,
      html.replaceAll(login, "LOGIN").replaceAll(encodeURIComponent(login), "LOGIN"),
    ]);
  };
  expect(await walk(ama.email)).toEqual(await walk("agent0@example.com"));
});

for (const [label, fields, field, message] of [
  ["a wrong code", { code: "000000" }, "code", "This code is wrong or has expired."],
  ["no code", { code: "" }, "code", "This code is wrong or has expired."],
  ["two that differ", { confirmPassword: "another" }, "confirmPassword", "Passwords don't match"],
  ["a short one", { password: "abc", confirmPassword: "abc" }, "password", "Password must be at least 6 characters"],
  ["an unknown login", { login: "ama" }, "login", "Enter the email or the phone number of your account"],
] as const) {
  test(`an error is shown beside its field, and secrets are not shown again: ${label}`, async () => {
    const visit = visitor(client.app);
    const page = await visit.open("/reset-password?login=ama%40example.com");
    const all = { code: "123456", password, confirmPassword: password, ...fields };
    const seen = await visit.press(page, "Set Password", all);
    expect(seen.status).toBe(422);
    expect(seen.document.getElementById(`field-${field}-error`)?.textContent).toContain(message);
    expect(seen.html).not.toContain(password);
    expect(seen.html).not.toContain('value="123456"');
  });
}

test("too many requests are refused with the time to wait", async () => {
  const visit = visitor(client.app);
  const page = await visit.open("/forgot-password");
  for (let i = 0; i < 5; i++) await visit.press(page, "Send Code", { login: "often@example.com" });
  const seen = await visit.press(page, "Send Code", { login: "often@example.com" });
  expect([seen.status, seen.text]).toEqual([
    429,
    expect.stringMatching(/requested too many codes\. Try again in \d+ minutes/),
  ]);
});

test("an address in the page's link is plain text", async () => {
  const login = '"><script>alert(1)</script>';
  const seen = await visitor(client.app).open(`/reset-password?${new URLSearchParams({ login })}`);
  expect(seen.document.getElementById("field-login")?.getAttribute("value")).toBe(login);
  expect(seen.html).not.toContain("<script>alert");
});

test("a shop that cannot send messages says so and names support; one without SMS asks for an e-mail", async () => {
  const appWith = (channels: { sms: boolean; email: boolean }) =>
    createApp({
      vendors: [],
      cards: null as never,
      db: world.db,
      gateway: null as never,
      log: null as never,
      jwtSecret: "a secret that is long enough for tests",
      channels,
      baseUrl: "http://localhost",
      trustedProxies: [],
      socketAddressOf: () => "127.0.0.1",
      hookSender: null as never,
      isDraining: () => false,
    });
  const pageOf = (channels: { sms: boolean; email: boolean }) =>
    appWith(channels).elysia.fetch(new Request("http://localhost/forgot-password"));
  const nothing = await (await pageOf({ sms: false, email: false })).text();
  expect(nothing).toContain("Codes cannot be sent at the moment");
  expect(nothing).toContain("Contact support");
  expect(nothing).not.toContain("Send Code");
  const mailOnly = await (await pageOf({ sms: false, email: true })).text();
  expect(mailOnly).toContain("Send Code");
  expect(mailOnly).not.toContain("confirmed a phone");
});
