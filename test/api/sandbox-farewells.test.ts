// Tests of how a live shop lets its sandbox know that an account has left: by HTTP, with a pass that does nothing else.
// Both servers are in this process, without workers.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { App } from "../../src/app/server.ts";
import * as users from "../../src/core/identity/users.ts";
import { FAREWELL_PATH } from "../../src/core/sandbox/client.ts";
import { sendDue } from "../../src/core/sandbox/farewells.ts";
import { leaversPass, ownersPass, passKeysOf } from "../../src/core/sandbox/passes.ts";
import { createSandbox } from "../../src/gateways/sandbox.ts";
import { SCOPES } from "../../src/shared/api-keys.ts";
import { count } from "../support/asking.ts";
import { openWorld, TEST_JWT_SECRET, testApp } from "../support/world.ts";

const [live, sandbox] = [await openWorld(), await openWorld()];
const passes = passKeysOf(TEST_JWT_SECRET);
const sandboxApp = testApp(sandbox.db, { keyMode: "test", baseUrl: null });
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: sandboxApp.fetch });
afterAll(() => server.stop(true));
const client = createSandbox({ addressOf: async () => `http://127.0.0.1:${server.port}`, keys: passes });
const liveApp = testApp(live.db, { sandbox: client });

async function call(app: App, bearer: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await app.fetch(new Request(`http://localhost${path}`, sent));
  return { status: answer.status, body: await answer.json() };
}
/** A live account with a test key, made as its pages do. */
async function withTestKey(name: string) {
  const person = await live.person(name);
  const pass = ownersPass(passes, { userId: person.id, username: name });
  const made = await call(sandboxApp, pass, "POST", "/api/v1/keys", { name: "t", scopes: SCOPES });
  return { person, pass, key: made.body.secret as string };
}
const accountsIn = () => count(sandbox.db, sql`from users`);

test("a banned account's test key ends, and its name is gone from the sandbox", async () => {
  const { person, key } = await withTestKey("ama");
  expect((await call(liveApp, key, "GET", "/api/v1/orders")).status).toBe(200);
  await users.ban(live.db, { by: live.yaw.by("admin"), userId: person.id });
  await live.db.execute(sql`update sandbox_farewells set created_at = now() - interval '1 minute'`);
  expect(await sendDue(live.db, client)).toEqual({ heard: 1, failures: [] });
  const refused = await call(liveApp, key, "GET", "/api/v1/orders");
  expect([refused.status, refused.body.code]).toEqual([401, "key.revoked"]);
  expect(await count(sandbox.db, sql`from users where username = 'ama'`)).toBe(0);
});

test("a farewell of somebody who was never there opens no twin, and is heard", async () => {
  const before = await accountsIn();
  await client.sendFarewell(123_456);
  expect(await accountsIn()).toBe(before);
});

test("only a pass that says so is a farewell, and it is nothing else", async () => {
  const { person, pass, key } = await withTestKey("kofi");
  const before = await accountsIn();
  const forged = leaversPass(passKeysOf("another secret that is long enough"), person.id);
  for (const bearer of [pass, key, forged, ""]) {
    const refused = await call(sandboxApp, bearer, "POST", FAREWELL_PATH);
    expect([refused.status, refused.body.code]).toEqual([401, "auth.required"]);
  }
  const farewell = leaversPass(passes, person.id);
  expect((await call(sandboxApp, farewell, "GET", "/api/v1/orders")).status).toBe(401);
  expect((await call(liveApp, farewell, "POST", FAREWELL_PATH)).status).toBe(404);
  expect((await call(liveApp, key, "GET", "/api/v1/orders")).status).toBe(200);
  expect(await accountsIn()).toBe(before);
});
