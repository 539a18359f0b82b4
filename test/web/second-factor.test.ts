// The second factor in a browser without scripts: set-up, login, mandatory for admins, reset.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { codeNow, enrol } from "../support/factor.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const { yaw } = world;

beforeEach(async () => {
  await world.db.execute(sql`delete from rate_limits`);
});

let people = 0;
const someone = () => world.person(`agent${++people}`);
const secretOn = (page: Seen) => page.document.querySelector(".secret-key")!.textContent!.replaceAll(" ", "");
const logIn = async ({ email, password }: Person, path = "/login") => {
  const visit = visitor(client.app);
  return { visit, page: await visit.press(await visit.open(path), "Login", { email, password }) };
};

test("a second factor is set up with a QR code, a key to type and a link; ten codes are shown once", async () => {
  const ama = await someone();
  const visit = await visitorAs(client, ama);
  const start = await visit.open("/profile/second-factor");
  const refused = await visit.press(start, "Set Up", { currentPassword: "no" });
  expect(refused.document.getElementById("begin-currentPassword-error")?.textContent).toContain("is wrong");
  const page = await visit.press(refused, "Set Up", { currentPassword: ama.password });
  const secret = secretOn(page);
  expect(page.document.querySelector("svg.qr path")?.getAttribute("d")?.length).toBeGreaterThan(1000);
  const link = page.document.querySelector('a[href^="otpauth:"]')?.getAttribute("href");
  expect(new URL(link!).searchParams.get("secret")).toBe(secret);
  expect(page.headers.get("cache-control")).toContain("no-store");
  const wrong = await visit.press(page, "Confirm", { code: "12" });
  expect([wrong.status, wrong.document.getElementById("confirm-code-error")?.textContent]).toEqual([
    422,
    expect.stringContaining("is wrong"),
  ]);
  const done = await visit.press(wrong, "Confirm", { code: codeNow(secret) });
  expect(done.document.querySelectorAll(".codes li").length).toBe(10);
  const after = await visit.open("/profile/second-factor");
  expect(after.text).toContain("10 of your 10 recovery codes are left");
  expect(after.html).not.toContain(secret);
  expect((await visit.open("/profile")).text).toContain("From your authenticator app On");
});

test("the login asks for the code on a second page without the password, and leads to the requested page", async () => {
  const ama = await someone();
  const { secret } = await enrol(world, ama);
  const { visit, page } = await logIn(ama, "/login?next=/orders");
  expect(page.path).toBe("/login/code?next=%2Forders");
  expect(page.html).not.toContain(ama.password);
  expect(page.html).not.toContain(ama.email);
  expect(page.document.querySelector("input[name=code]")?.getAttribute("autocomplete")).toBe("one-time-code");
  expect([...visit.cookies.keys()]).toEqual(["login"]);
  expect((await visit.open("/orders")).path).toStartWith("/login");
  const wrong = await visit.press(page, "Login", { code: "abc" });
  expect([wrong.status, wrong.document.getElementById("step-code-error")?.textContent]).toEqual([
    422,
    expect.stringContaining("is wrong"),
  ]);
  const inside = await visit.press(wrong, "Login", { code: codeNow(secret, 1) });
  expect(inside.path).toBe("/orders");
  expect([...visit.cookies.keys()]).toEqual([SESSION_COOKIE, "device"]);
});

test("a second step that took too long leads back to the first, and never to another site", async () => {
  const ama = await someone();
  const { secret } = await enrol(world, ama);
  const late = await logIn(ama);
  await world.db.execute(sql`update pending_logins set expires_at = now()`);
  const again = await late.visit.press(late.page, "Login", { code: codeNow(secret, 1) });
  expect([again.path, again.text]).toEqual(["/login", expect.stringContaining("took too long")]);
  const lured = await logIn(ama);
  const page = await lured.visit.open("/login/code?next=//evil.example");
  expect((await lured.visit.press(page, "Login", { code: codeNow(secret, 1) })).path).toBe("/dashboard");
  expect((await visitor(client.app).open("/login/code")).path).toBe("/login");
});

test("a second factor is removed with password and code", async () => {
  const ama = await someone();
  const { secret } = await enrol(world, ama);
  const { visit, page } = await logIn(ama);
  await visit.press(page, "Login", { code: codeNow(secret, 1) });
  await world.db.execute(sql`update second_factors set last_step = 0 where user_id = ${ama.id}`);
  const off = await visit.press(await visit.open("/profile/second-factor"), "Turn Off", {
    currentPassword: ama.password,
    code: codeNow(secret, 1),
  });
  expect(off.text).toContain("Your extra login code is off");
});

longTest("an admin without a mandatory second factor has to set it up first, on pages and in the API", async () => {
  const admin = await world.person("admin2", undefined, ["ADMIN"]);
  const visit = await visitorAs(client, admin);
  await settings.change(world.db, { by: yaw.by("admin"), values: { admin_second_factor: true } });
  for (const path of ["/", "/admin", "/admin/users", "/profile", "/orders", "/status", "/nowhere"])
    expect((await visit.open(path)).path).toBe("/profile/second-factor");
  const page = await visit.open("/profile/second-factor");
  expect(page.text).toContain("Staff of this shop need an extra login code");
  for (const [method, path] of [
    ["GET", "/api/v1/admin/users"],
    ["GET", "/api/v1/orders"],
    ["POST", `/api/v1/admin/users/${yaw.id}/ban`],
  ] as const) {
    const reply = await client.call(admin, method, path);
    expect([path, reply.status, reply.body.code]).toEqual([path, 403, "auth.second_factor_missing"]);
  }
  const key = await visit.press(page, "Set Up", { currentPassword: admin.password });
  await visit.press(key, "Confirm", { code: codeNow(secretOn(key)) });
  expect((await visit.open("/admin")).path).toBe("/admin");
  expect((await client.call(admin, "GET", "/api/v1/admin/users")).status).toBe(200);
});

test("the requirement is a setting; another admin resets the second factor of a lost phone", async () => {
  await settings.change(world.db, { by: yaw.by("admin"), values: { admin_second_factor: false } });
  const admin = await visitorAs(client, yaw);
  const box = async () =>
    (await admin.open("/admin/settings")).document.querySelector("input[name=admin_second_factor]")!;
  expect((await box()).hasAttribute("checked")).toBe(false);
  const ama = await someone();
  await enrol(world, ama);
  const reset = await admin.press(await admin.open(`/admin/users/${ama.id}`), "Reset extra login code");
  expect(reset.text).toContain("The extra login code has been turned off for this account.");
  expect(reset.text).not.toContain("Reset extra login code");
  await admin.press(await admin.open("/admin/settings"), "Save settings", { admin_second_factor: "on" });
  expect(await settings.get(world.db, "admin_second_factor")).toBe(true);
});
