// The wall between a live shop and its sandbox, as a property: whatever programs call with test keys, no row of the
// live database changes; and whatever they call with live keys, none of the sandbox's. Both servers are in this
// process, without workers, so that nothing else changes rows meanwhile; between them is HTTP as always.
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Db } from "../../db/connect.ts";
import { apiKeys } from "../../db/schema/identity-keys.ts";
import { routes, sandboxRoutes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import { ownersPass, passKeysOf } from "../../src/core/sandbox/passes.ts";
import { createSandbox } from "../../src/gateways/sandbox.ts";
import { createSandboxKeys } from "../../src/gateways/sandbox-keys.ts";
import type { App } from "../../src/server.ts";
import { type KeyMode, newKey, SCOPES } from "../../src/shared/api-keys.ts";
import { seed } from "../support/asking.ts";
import { digestOf } from "../support/unchanged.ts";
import { openWorld, TEST_JWT_SECRET, testApp } from "../support/world.ts";
import { goodBodies } from "./bodies.ts";

/** How many series of calls, and how long one is at most. */
const RUNS = 25;
const CALLS_MAX = 12;

const [live, sandbox] = [await openWorld(), await openWorld()];
const passes = passKeysOf(TEST_JWT_SECRET);
const sandboxApp = testApp(sandbox.db, { keyMode: "test", baseUrl: null });
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: sandboxApp.fetch });
afterAll(() => server.stop(true));
const client = createSandbox({ addressOf: async () => `http://127.0.0.1:${server.port}`, keys: passes });
const liveApp = testApp(live.db, {
  sandbox: client,
  otherMode: createSandboxKeys(client, async () => "ama"),
});

const bundle = await live.product("MTN", "1GB", "3.90");
await sandbox.product("MTN", "1GB", "3.90");
const ama = await live.person("ama", "GH₵ 500.00");

/** Calls the live server, which is the only one that programs reach. */
async function call(
  bearer: string,
  { method, path }: { method: string; path: string },
  body?: unknown,
  app: App = liveApp,
): Promise<Response> {
  const answer = await app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body !== undefined && method !== "GET" && { body: JSON.stringify(body) }),
    }),
  );
  await answer.clone().text();
  return answer;
}

const pass = () => ownersPass(passes, { userId: ama.id, username: "ama" });
const made = await call(
  pass(),
  { method: "POST", path: "/api/v1/keys" },
  { name: "t", scopes: SCOPES },
  sandboxApp,
);
const keys: Record<KeyMode, string> = { live: newKey("live"), test: (await made.json()).key };
await live.db.insert(apiKeys).values({
  ...{ userId: ama.id, name: "live", shown: "…", scopes: [...SCOPES] },
  digest: new Bun.CryptoHasher("sha256").update(keys.live).digest("base64url"),
});

/** Everything that a key may call, and all else, which it is refused. */
const all: Route[] = [...routes, ...sandboxRoutes];
const forKeys = all.filter(({ scope }) => scope);
const bodies = goodBodies(bundle.id);
const own: Record<string, unknown> = {
  "POST /api/v1/sandbox/top-up": { amount: 5 },
  "POST /api/v1/sandbox/clock": { minutes: 30 },
};
const aCall = fc.record({
  route: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...forKeys) }, fc.constantFrom(...all)),
  id: fc.integer({ min: 1, max: 6 }),
  isSpoilt: fc.boolean(),
});

async function callAll(
  bearer: string,
  calls: { route: Route; id: number; isSpoilt: boolean }[],
): Promise<number[]> {
  const statuses: number[] = [];
  for (const { route, id, isSpoilt } of calls) {
    const name = `${route.method} ${route.path}`;
    const body = (bodies[name] ?? own[name]) as object | undefined;
    const path = route.path.replace(/:\w+/g, String(id));
    const sent = body && (isSpoilt ? { ...body, productId: id, allowDuplicate: true } : body);
    statuses.push((await call(bearer, { method: route.method, path }, sent)).status);
  }
  return statuses;
}

/** The rows of a database do not change while programs call with a key of the other mode. */
async function expectUnchanged(db: Db, bearer: string): Promise<Map<number, number>> {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(aCall, { minLength: 1, maxLength: CALLS_MAX }), async (calls) => {
      const before = await digestOf(db);
      for (const status of await callAll(bearer, calls)) seen.set(status, (seen.get(status) ?? 0) + 1);
      expect(await digestOf(db)).toEqual(before);
    }),
    { numRuns: RUNS, seed, endOnFailure: true },
  );
  return seen;
}

describe("the wall", () => {
  test("test keys change nothing in the live database", async () => {
    const before = await digestOf(sandbox.db);
    const seen = await expectUnchanged(live.db, keys.test);
    // They did something: where they may.
    expect(await digestOf(sandbox.db)).not.toEqual(before);
    expect(seen.get(201) ?? 0).toBeGreaterThan(0);
    expect(seen.get(503) ?? 0).toBe(0);
  });

  test("live keys change nothing in the sandbox", async () => {
    const before = await digestOf(live.db);
    const seen = await expectUnchanged(sandbox.db, keys.live);
    expect(await digestOf(live.db)).not.toEqual(before);
    expect(seen.get(201) ?? 0).toBeGreaterThan(0);
  });

  test("neither does a test key that is put where else a key or token could be", async () => {
    const before = await digestOf(live.db);
    for (const headers of [
      { authorization: `bearer ${keys.test}` },
      { authorization: `BEARER  ${keys.test}` },
      { authorization: keys.test },
      { authorization: `Basic ${btoa(`${keys.test}:`)}` },
      { cookie: `session=${keys.test}` },
      { "x-api-key": keys.test },
      { authorization: `Bearer ${keys.test} ` },
    ]) {
      for (const path of ["/api/v1/orders", "/API/v1/orders", "//api/v1/orders", "/api/v1/../v1/orders"]) {
        const body = JSON.stringify({
          productId: bundle.id,
          msisdn: "0240000001",
          quantity: 1,
          pay: "wallet",
        });
        const sent: [string, string][] = Object.entries({ "content-type": "application/json", ...headers });
        const request = new Request(`http://localhost${path}`, { method: "POST", headers: sent, body });
        await (await liveApp.fetch(request)).text();
      }
    }
    expect(await digestOf(live.db)).toEqual(before);
  });

  test("a pass of the live shop opens nothing in the live shop", async () => {
    const before = await digestOf(live.db);
    for (const route of forKeys) {
      const path = route.path.replace(/:\w+/g, "1");
      const name = `${route.method} ${route.path}`;
      const answer = await call(pass(), { method: route.method, path }, bodies[name] ?? own[name]);
      expect([name, [401, 404].includes(answer.status)]).toEqual([name, true]);
    }
    expect(await digestOf(live.db)).toEqual(before);
  });
});
