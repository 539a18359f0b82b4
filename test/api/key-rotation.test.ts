// Replacing and revoking an API key under load: no request of a program is lost when its key is replaced, and none
// gets through on any server a second after it was revoked.
import { afterAll, expect, test } from "bun:test";
import { connect, disconnect } from "../../db/connect.ts";
import * as apiKeys from "../../src/core/identity/api-keys.ts";
import { tally } from "../support/asking.ts";
import { type MadeKey, makeKey, rotateKey } from "../support/keys.ts";
import { openApp, openWorld, type Person, testApp } from "../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "1.00");
// Another server: a pool of its own, and nothing shared in memory.
const otherDb = connect(world.url, { max: 5 });
afterAll(() => disconnect(otherDb));
const apps = [openApp(world).app, testApp(otherDb)];

let numbers = 0;
async function buy(key: MadeKey, server: number): Promise<string> {
  const body = JSON.stringify({ productId: bundle.id, msisdn: `0559${100_000 + ++numbers}`, pay: "wallet" });
  const headers = { ...key.headers, "content-type": "application/json" };
  const response = await apps[server]!.fetch(
    new Request("http://localhost/api/v1/orders", { method: "POST", headers, body }),
  );
  return response.status === 201 ? "bought" : ((await response.json()) as { code: string }).code;
}

/** Programs that buy without a break, on both servers, each with the key that `keyNow` gives at the moment. */
function startBuyers(keyNow: () => MadeKey, count = 6) {
  const outcomes: { at: number; server: number; code: string }[] = [];
  const state = { isOver: false };
  const buyers = Array.from({ length: count }, async (_, i) => {
    while (!state.isOver) {
      const server = i % 2;
      const at = performance.now();
      outcomes.push({ at, server, code: await buy(keyNow(), server) });
    }
  });
  return {
    outcomes,
    /** Resolves once so many more requests have been answered. */
    more: async (howMany: number) => {
      const wanted = outcomes.length + howMany;
      while (outcomes.length < wanted) await Bun.sleep(1);
    },
    stop: async () => {
      state.isOver = true;
      await Promise.all(buyers);
    },
  };
}

const codes = (outcomes: { code: string }[]) => tally(outcomes.map(({ code }) => code));

async function ready(name: string): Promise<{ owner: Person; key: MadeKey }> {
  const owner = await world.person(name, "GH₵ 5000.00");
  return { owner, key: await makeKey(db, owner.by()) };
}

test("a key is replaced while programs buy, and none of their requests is refused", async () => {
  const { owner, key } = await ready("rotating");
  const inUse = { key };
  const buyers = startBuyers(() => inUse.key);
  await buyers.more(20);
  const fresh = await rotateKey(db, owner.by(), key.id);
  // Within the overlap some programs still have the old key, others the new one.
  await buyers.more(20);
  const both = startBuyers(() => fresh);
  await both.more(20);
  inUse.key = fresh;
  await buyers.more(20);
  await Promise.all([buyers.stop(), both.stop()]);
  expect(Object.keys(codes([...buyers.outcomes, ...both.outcomes]))).toEqual(["bought"]);
  expect(buyers.outcomes.length).toBeGreaterThan(80);
});

test("a key is revoked while programs buy, and within a second both servers refuse it", async () => {
  const { owner, key } = await ready("revoking");
  const buyers = startBuyers(() => key);
  await buyers.more(20);
  await apiKeys.keeperOf(db, "live").revoke({ by: owner.by(), keyId: key.id });
  const revokedAt = performance.now();
  const late = () => buyers.outcomes.filter(({ at }) => at > revokedAt + 1000);
  while (![0, 1].every((server) => late().some((one) => one.server === server))) await Bun.sleep(5);
  await buyers.stop();
  const before = buyers.outcomes.filter(({ at }) => at < revokedAt);
  expect(codes(before).bought).toBeGreaterThanOrEqual(20);
  expect(Object.keys(codes(late()))).toEqual(["key.revoked"]);
  expect(Object.keys(codes(buyers.outcomes)).sort()).toEqual(["bought", "key.revoked"]);
});
