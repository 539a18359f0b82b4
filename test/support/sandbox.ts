// A live shop and its sandbox as the two processes that they are, on a database each, for tests.
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { apiKeys } from "../../db/schema/identity-keys.ts";
import { ownersPass, passKeysOf } from "../../src/core/sandbox/passes.ts";
import { newKey, SCOPES, type Scope } from "../../src/shared/api-keys.ts";
import { freshDatabase } from "./database.ts";
import { freePort, type Shop, startShop } from "./shop.ts";
import { populate, TEST_JWT_SECRET, type World } from "./world.ts";

/** What a sandbox must not have; an empty value counts as absent. */
const NO_PROVIDERS = Object.fromEntries(
  [
    ...["PAYSTACK_BASE_URL", "PAYSTACK_SECRET_KEY", "AT_BASE_URL", "AT_USERNAME", "AT_API_KEY", "SMTP_URL"],
    ...["HUBNET_BASE_URL", "HUBNET_API_KEY", "MAIL_FROM", "DEMO", "CARD_KEY"],
  ].map((name) => [name, ""]),
);

/** The environment of a sandbox in tests; `dataDir` is for its simulators. */
export const sandboxEnvironment = (dataDir: string) => ({
  ...NO_PROVIDERS,
  ...{
    SHOP_MODE: "test",
    DATA_DIR: dataDir,
    WORKER_POLL_SECONDS: "0.2",
    SWEEP_SECONDS: "0.5",
    DATABASE_POOL: "6",
  },
});

// biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of every shape.
export type Answer = { status: number; body: any; headers: Headers };

export type TwoShops = {
  /** The people and bundles of the live shop. */
  world: World;
  live: { db: Db; databaseUrl: string; shop: Shop };
  sandbox: {
    db: Db;
    databaseUrl: string;
    shop: () => Shop;
    /** Starts it again on its port, after it was killed. */
    start: () => Promise<void>;
  };
  /** Calls the live server with a bearer, as a program does. */
  call: (
    bearer: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** A pass with which a live account's pages call the sandbox. */
  passOf: (owner: { id: number; username: string }) => string;
  /** A live key of this account, put into its database. */
  liveKey: (userId: number, scopes?: readonly Scope[]) => Promise<string>;
  /** A test key of this live account, made as its pages do. */
  testKey: (owner: { id: number; username: string }, scopes?: readonly Scope[]) => Promise<string>;
};

/** Starts both, and ends them after the file: the sandbox with this environment, and the live shop with `ofLive`. */
export async function openTwoShops(
  environment: Record<string, string> = {},
  ofLive: Record<string, string> = {},
): Promise<TwoShops> {
  const [liveDatabase, testDatabase] = [await freshDatabase(), await freshDatabase()];
  const [liveDb, testDb] = [connect(liveDatabase.url, { max: 4 }), connect(testDatabase.url, { max: 4 })];
  const world = await populate(liveDb, liveDatabase.url);
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-"));
  const port = freePort();
  const start = () => startShop(testDatabase.url, { ...sandboxEnvironment(dataDir), PORT: port, ...environment });
  let sandbox = await start();
  const shop = await startShop(liveDatabase.url, { SANDBOX_URL: sandbox.url, ...ofLive });
  afterAll(async () => {
    await Promise.all([shop.stop(), sandbox.stop(), disconnect(liveDb), disconnect(testDb)]);
    await Promise.all([liveDatabase.drop(), testDatabase.drop()]);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const passOf = ({ id: userId, username }: { id: number; username: string }) =>
    ownersPass(passKeysOf(TEST_JWT_SECRET), { userId, username });
  return {
    world,
    live: { db: liveDb, databaseUrl: liveDatabase.url, shop },
    sandbox: {
      ...{ db: testDb, databaseUrl: testDatabase.url, shop: () => sandbox },
      start: async () => {
        sandbox = await start();
      },
    },
    passOf,
    call: (bearer, ...request) => callShop(shop.url, bearer, ...request),
    liveKey: async (userId, scopes = SCOPES) => {
      const key = newKey("live");
      const digest = new Bun.CryptoHasher("sha256").update(key).digest("base64url");
      await liveDb.insert(apiKeys).values({ userId, digest, name: "live", shown: "…", scopes: [...scopes] });
      return key;
    },
    testKey: async (owner, scopes = SCOPES) => {
      const make = () => callShop(sandbox.url, passOf(owner), "POST", "/api/v1/keys", { name: "test", scopes });
      let made = await make();
      // On a busy machine its first answers may take too long.
      while (made.status === 503) made = await make();
      if (made.status !== 201) throw new Error(`no test key: ${JSON.stringify(made.body)}`);
      return made.body.secret;
    },
  };
}

/** Calls a shop with a bearer. */
export async function callShop(
  url: string,
  bearer: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...{ authorization: `Bearer ${bearer}` },
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}
