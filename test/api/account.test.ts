// Tests of accounts through the API: signing up, logging in, and what the answers reveal.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const { yaw } = world;

const summary = (reply: { status: number; body: { code?: string; message?: string } }) => [
  reply.status,
  reply.body.code,
  reply.body.message,
];

describe("an account", () => {
  const sign = { username: "esi", email: "esi@example.com", password: "six or more" };

  test("is opened with a username, an e-mail and a password, and refused with a readable message", async () => {
    const opened = await call(null, "POST", "/api/v1/auth/signup", sign);
    expect(opened.body).toMatchObject({
      username: "esi",
      email: "esi@example.com",
      roles: ["USER"],
      status: "ACTIVE",
    });
    expect(summary(await call(null, "POST", "/api/v1/auth/signup", sign))).toEqual([
      409,
      "user.username_taken",
      "This username is already taken",
    ]);
    expect(summary(await call(null, "POST", "/api/v1/auth/signup", { ...sign, username: "esi2" }))).toEqual([
      409,
      "user.email_taken",
      "An account with this email already exists",
    ]);
    const short = await call(null, "POST", "/api/v1/auth/signup", { ...sign, password: "12345" });
    expect(summary(short)).toEqual([422, "user.password_short", "Password must be at least 6 characters"]);
    const missing = await call(null, "POST", "/api/v1/auth/signup", { email: "x" });
    expect(missing.body.code).toBe("request.invalid");
    expect(Object.keys(missing.body.details.fields).sort()).toEqual(["email", "password", "username"]);
  });

  test("cannot give itself a role", async () => {
    const fields = {
      username: "sneak",
      email: "sneak@example.com",
      password: "six or more",
      roles: ["ADMIN"],
      role: "ADMIN",
    };
    expect((await call(null, "POST", "/api/v1/auth/signup", fields)).body.roles).toEqual(["USER"]);
    const [stored] = await world.db.execute(sql`select roles from users where username = 'sneak'`);
    expect(stored).toEqual({ roles: ["USER"] });
  });

  test("logs in with its e-mail and password, and gets its own data", async () => {
    const { body } = await call(null, "POST", "/api/v1/auth/login", {
      email: sign.email,
      password: sign.password,
    });
    expect(body.user).toMatchObject({ username: "esi", roles: ["USER"] });
    const me = await call(null, "GET", "/api/v1/auth/me", undefined, {
      authorization: `Bearer ${body.token}`,
    });
    expect(me.body).toEqual(body.user);
    expect(JSON.stringify(body)).not.toMatch(/argon|hash/i);
    const authorization = { authorization: `bearer ${body.token}` };
    expect((await call(null, "POST", "/api/v1/auth/logout", undefined, authorization)).body).toEqual({
      ok: true,
    });
    expect((await call(null, "GET", "/api/v1/auth/me", undefined, authorization)).status).toBe(401);
  });

  test("cannot learn whether the e-mail or the password was wrong", async () => {
    for (const wrong of [
      { email: "esi@example.com", password: "wrong password" },
      { email: "nobody@example.com", password: "six or more" },
      { email: "", password: "" },
      { email: "esi@example.com" },
    ]) {
      const reply = await call(null, "POST", "/api/v1/auth/login", wrong);
      expect(reply.status === 401 ? summary(reply) : reply.status).toEqual(
        "password" in wrong ? [401, "auth.bad_credentials", "Invalid credentials"] : 422,
      );
    }
  });

  test("that is banned learns so only with the right password", async () => {
    const barred = await world.person("barred");
    await call(yaw, "POST", `/api/v1/admin/users/${barred.id}/ban`);
    const reply = await call(null, "POST", "/api/v1/auth/login", {
      email: barred.email,
      password: barred.password,
    });
    expect([reply.status, reply.body.code]).toEqual([403, "auth.banned"]);
  });
});

test("at most two hundred accounts an hour can be opened from one address", async () => {
  await world.db.execute(sql`update rate_limits set count = 199 where bucket like 'signup.address:%'`);
  const ask = (name: string) =>
    call(null, "POST", "/api/v1/auth/signup", {
      username: name,
      email: `${name}@example.com`,
      password: "six or more",
    });
  expect((await ask("lastone")).status).toBe(201);
  const refused = await ask("onemore");
  expect([refused.status, refused.body.code]).toEqual([429, "request.rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(3000, 3601);
});
