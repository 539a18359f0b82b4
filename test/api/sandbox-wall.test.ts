// The wall between a live shop and its sandbox, as a property: whatever programs call with test keys, no row of the
// live database changes; and whatever they call with live keys, none of the sandbox's. Both servers are in this
// process, without workers, so that nothing else changes rows meanwhile; between them is HTTP as always.
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Db } from "../../db/connect.ts";
import { apiKeys } from "../../db/schema/identity-keys.ts";
import { routes, sandboxRoutes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import type { App } from "../../src/app/server.ts";
import { ownersPass, passKeysOf } from "../../src/core/sandbox/passes.ts";
import { createSandbox } from "../../src/gateways/sandbox.ts";
import { createSandboxKeys } from "../../src/gateways/sandbox-keys.ts";
import { type KeyMode, newKey, SCOPES } from "../../src/shared/api-keys.ts";
import { seed } from "../support/asking.ts";
import { digestOf } from "../support/unchanged.ts";
import { openWorld, TEST_JWT_SECRET, testApp } from "../support/world.ts";
import { goodBodies } from "./bodies.ts";

/** How many series of calls, and how long one is at most. */
const RUNS = 8;
const CALLS_MAX = 25;

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

/** A digest of every table, once what is written beside the requests is written. */
async function stateOf(db: Db): Promise<Record<string, string>> {
  await Promise.all([liveApp.flush(), sandboxApp.flush()]);
  return digestOf(db);
}

const pass = () => ownersPass(passes, { userId: ama.id, username: "ama" });
const made = await call(pass(), { method: "POST", path: "/api/v1/keys" }, { name: "t", scopes: SCOPES }, sandboxApp);
const keys: Record<KeyMode, string> = { live: newKey("live"), test: (await made.json()).secret };
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

async function callAll(bearer: string, calls: { route: Route; id: number; isSpoilt: boolean }[]): Promise<number[]> {
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

/** Random series of calls with a key, after one of every route that keys may call; how often each status came. */
async function callAtRandom(bearer: string): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const note = (statuses: number[]) => {
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  };
  note(
    await callAll(
      bearer,
      forKeys.map((route) => ({ route, id: 1, isSpoilt: false })),
    ),
  );
  const series = fc.array(aCall, { minLength: 1, maxLength: CALLS_MAX });
  for (const calls of fc.sample(series, { numRuns: RUNS, seed })) note(await callAll(bearer, calls));
  return counts;
}

describe("the wall", () => {
  test.each(["test", "live"] as const)("programs with %s keys change no row of the other shop", async (mode) => {
    const [own, other] = mode === "live" ? [live.db, sandbox.db] : [sandbox.db, live.db];
    const before = { own: await stateOf(own), other: await stateOf(other) };
    const counts = await callAtRandom(keys[mode]);
    expect(await stateOf(other)).toEqual(before.other);
    // They did something where they may: orders, at least.
    expect([counts, (await stateOf(own)).orders]).not.toEqual([counts, before.own.orders]);
    expect(counts[201]).toBeGreaterThan(0);
    expect(counts[503] ?? 0).toBe(0);
  });

  test("neither does a test key that is put where else a key or token could be", async () => {
    const before = await stateOf(live.db);
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
        const sent = new Headers({ "content-type": "application/json" });
        for (const [name, value] of Object.entries(headers)) sent.set(name, value);
        const request = new Request(`http://localhost${path}`, { method: "POST", headers: sent, body });
        await (await liveApp.fetch(request)).text();
      }
    }
    expect(await stateOf(live.db)).toEqual(before);
  });

  test("a pass of the live shop opens nothing in the live shop", async () => {
    const before = await stateOf(live.db);
    for (const route of forKeys) {
      const path = route.path.replace(/:\w+/g, "1");
      const name = `${route.method} ${route.path}`;
      const answer = await call(pass(), { method: route.method, path }, bodies[name] ?? own[name]);
      expect([name, [401, 404].includes(answer.status)]).toEqual([name, true]);
    }
    expect(await stateOf(live.db)).toEqual(before);
  });
});
