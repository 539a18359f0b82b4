// Tests of password resets through the API: the same answers whether or not the account exists.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { longTest } from "../support/long.ts";
import { openMessaging } from "../support/messaging.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const call = checkedCalls(openApp(world));
const post = await openMessaging(world);
const ama = await world.person("ama");
const forgot = (login: unknown) => call(null, "POST", "/api/v1/auth/password/forgot", { login });
const reset = (login: string, code: string, password = "an entirely new phrase") =>
  call(null, "POST", "/api/v1/auth/password/reset", { login, code, password });

longTest("a requested code sets a new password that logs in", async () => {
  expect((await call(ama, "GET", "/api/v1/auth/me")).status).toBe(200);
  expect((await forgot(ama.email)).body).toEqual({ ok: true });
  const code = await post.codeTo(ama.email);
  expect((await reset(ama.email, code)).body).toEqual({ ok: true });
  // Sent again after a lost answer, with one effect.
  expect((await reset(ama.email, code)).body).toEqual({ ok: true });
  expect((await call(ama, "GET", "/api/v1/auth/me")).body.code).toBe("auth.session_ended");
  const login = { email: ama.email, password: "an entirely new phrase" };
  expect((await call(null, "POST", "/api/v1/auth/login", login)).status).toBe(200);
});

test("status, headers and body are the same whether or not the account exists", async () => {
  const shown = async (reply: ReturnType<typeof call>) => {
    const { status, body, headers } = await reply;
    const { requestId: _, ...rest } = body;
    return [status, rest, [...headers.keys()].filter((name) => name !== "x-request-id")];
  };
  const kofi = await world.person("kofi");
  const nobody = "kofi2@example.com";
  expect(await shown(forgot(kofi.email))).toEqual(await shown(forgot(nobody)));
  await post.deliver();
  for (const code of ["000000", "12345", "abc"])
    expect(await shown(reset(kofi.email, code))).toEqual(await shown(reset(nobody, code)));
  for (const password of ["short", "password1"])
    expect(await shown(reset(kofi.email, "000000", password))).toEqual(await shown(reset(nobody, "000000", password)));
});

test("a login that is neither an e-mail nor a number is refused before any query", async () => {
  for (const login of ["", "kofi", "12345", "kofi@", null, 5, { email: "x" }, `${"a".repeat(250)}@example.com`]) {
    const { status, body } = await forgot(login);
    expect([status, body.code, Object.keys(body.details.fields)]).toEqual([422, "request.invalid", ["login"]]);
  }
  await world.db.execute(sql`select 1`);
});
