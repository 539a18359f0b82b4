// A small shop with people in it, for tests, so that a test's first lines state its premise.
import { afterAll, afterEach, expect } from "bun:test";
import { isIP } from "node:net";
import { eq, sql } from "drizzle-orm";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { sessions, users as userTable } from "../../db/schema/identity.ts";
import { settings } from "../../db/schema/platform.ts";
import type { AppDeps } from "../../src/app/app-deps.ts";
import { providerSetupOf } from "../../src/app/provider-setup.ts";
import { type App, createApp } from "../../src/app/server.ts";
import { openSafe } from "../../src/core/afa/card-safe.ts";
import * as products from "../../src/core/catalog/products.ts";
import type { BundleVendor } from "../../src/core/fulfilment/vendor.ts";
import * as users from "../../src/core/identity/users.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import { watchUndeclared } from "../../src/core/platform/commands.ts";
import * as operatorRegistry from "../../src/core/platform/operator-registry.ts";
import type { HookSender } from "../../src/core/webhooks/sender.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { createHookSender, type HookOptions } from "../../src/gateways/webhooks.ts";
import type { ByUser, Channel, Role } from "../../src/shared/domain.ts";
import { parseCedis } from "../../src/shared/money.ts";
import { setOperators } from "../../src/shared/operators.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { openBooks } from "./books.ts";
import { freshDatabase } from "./database.ts";
import { OPERATORS_AT_FIRST } from "./operators.ts";

watchUndeclared((name, code) => {
  throw new Error(`${name} refuses with ${code}, which it does not declare`);
});

export const TEST_JWT_SECRET = "a secret for tests that is long enough";
export const TEST_CARD_KEY = new Uint8Array(32).map((_, i) => i * 7 + 1).toBase64();
export const TEST_CARDS = openSafe(Uint8Array.fromBase64(TEST_CARD_KEY));

export type Person = {
  id: number;
  username: string;
  email: string;
  password: string;
  roles: Role[];
  by: (channel?: Channel) => ByUser;
};
export type World = {
  db: Db;
  url: string;
  yaw: Person;
  /** Opens an account, with money in its wallet if given: person("ama", "GH₵ 10.00"). */
  person: (name: string, balance?: string, roles?: Role[]) => Promise<Person>;
  /** Puts a bundle on sale: product("MTN", "1GB", "3.90"). */
  product: (operator: "MTN" | "AIRTELTIGO" | "TELECEL", size: string, price: string) => Promise<products.Product>;
  balanceOf: (person: Person) => Promise<number>;
};

/**
 * Opens a world on its own database, with Yaw the admin, and closes it after the file. The books must balance after
 * each test of the core, and after each other file. Each connection plans every statement anew: only a test that keeps
 * many of them waiting takes more `connections`. One admin does everything alone here, unless it `isGuarded`.
 */
export async function openWorld({ isGuarded = false, connections = 5 } = {}): Promise<World> {
  const database = await freshDatabase();
  // The shop's own limit is for the shop: a busy machine may need longer for the many rows of a test's premise.
  const db = connect(database.url, { max: connections, statementTimeoutMs: 120_000 });
  const books = openBooks(database.url);
  // Elsewhere the same acts run through a door: an audit for each of thousands of pages takes a tenth of a run.
  const audit = async () => expect(await books.findings()).toEqual([]);
  if (Bun.main.includes("/test/core/")) afterEach(audit);
  else afterAll(audit);
  afterAll(async () => {
    await Promise.all([disconnect(db), books.close()]);
    await database.drop();
    // Its networks may have changed; the next file of this process may open no database.
    setOperators(OPERATORS_AT_FIRST);
  });
  const world = await populate(db, database.url);
  if (isGuarded) await guard(db);
  return world;
}

/** Lets the rule of the second person hold, as it does in a shop. */
export async function guard(db: Db): Promise<void> {
  await db.delete(settings).where(eq(settings.key, "second_person"));
}

/** The people and products of a world on an existing database. */
export async function populate(db: Db, url: string): Promise<World> {
  // A command has read none yet, and a test file before this one, in the same process, may have changed its own.
  await operatorRegistry.renew(db);
  const password = "correct horse battery";
  const asPerson = (user: users.User): Person => ({
    id: user.id,
    username: user.username,
    // Only an account that registered by USSD has none.
    email: user.email!,
    password,
    roles: user.roles,
    by: (channel = "api") => ({ userId: user.id, roles: user.roles, channel }),
  });
  const email = "yaw@example.com";
  const made = await users.ensureAdmin(db, { email, password });
  await db.insert(settings).values({ key: "second_person", value: false }).onConflictDoNothing();
  // A shop that was started on this database has created him.
  const yaw = asPerson(made ?? (await db.select().from(userTable).where(eq(userTable.email, email)))[0]!);
  return {
    db,
    url,
    yaw,
    person: async (name, balance, roles = ["USER"]) => {
      const user = await users.create(db, {
        by: yaw.by("admin"),
        username: name,
        email: `${name}@example.com`,
        password,
        roles,
      });
      if (balance) {
        await wallet.adjust(db, {
          by: yaw.by("admin"),
          key: null,
          userId: user.id,
          amountPesewas: parseCedis(balance)!,
          reason: "premise",
        });
      }
      return asPerson(user);
    },
    product: async (operator, size, price) => {
      const { answer } = await products.add(db, {
        by: yaw.by("admin"),
        operator,
        name: `${operator} ${size}`,
        size,
        pricePesewas: parseCedis(price)!,
        confirmPrice: true,
      });
      return answer;
    },
    balanceOf: (person) => wallet.balance(db, person.id),
  };
}

export type Client = {
  app: App;
  /** Calls the application as this person (null: a stranger), with a bearer token; bodies are sent as JSON. */
  call: (
    person: Person | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
  /** A request as a browser makes it, with the session cookie; a body is sent as a form. */
  browse: (
    person: Person | null,
    path: string,
    form?: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Response>;
  tokenOf: (person: Person) => Promise<string>;
};
// biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of every shape, and a wrong access fails the test.
export type Reply = { status: number; body: any; headers: Headers };

/** The application over a database, without providers; `own` overrides parts of it. */
export function testApp(db: Db, own: Partial<AppDeps> = {}): App {
  return createApp({
    db,
    gateway: createPaystack({ ...NO_PAYSTACK, baseUrl: NO_PAYSTACK.url }),
    vendors: [],
    cards: TEST_CARDS,
    log: createLog(process.env.TEST_LOG ?? "fatal"),
    jwtSecret: TEST_JWT_SECRET,
    channels: { sms: true, email: true },
    hookSender: createTestHooks(),
    providerSetup: providerSetupOf({}, TEST_JWT_SECRET, null),
    baseUrl: "http://localhost",
    trustedProxies: [],
    socketAddressOf: () => "127.0.0.1",
    isDraining: () => false,
    // Tests send in a moment what people send in a day; the budget has its own test.
    requestBudget: null,
    ...own,
  });
}

/** Calls this machine only: every name resolves to it. Addresses stay what they are. */
export function createTestHooks(options: Partial<HookOptions> = {}): HookSender {
  return createHookSender({
    isDevelopment: true,
    reachesThisMachine: true,
    resolve: async (name) => [isIP(name) ? name : "127.0.0.1"],
    ...options,
  });
}

/** Where nothing listens: for tests that are not about payments. */
const NO_PAYSTACK = { url: "http://127.0.0.1:1", secretKey: "sk_test_simulator" };

/** The whole application on this world, without a port, with this payment simulator and these vendors. */
export function openApp(
  world: World,
  paystack: { url: string; secretKey: string; previousSecretKey?: string } = NO_PAYSTACK,
  vendors: BundleVendor[] = [],
  own: Partial<AppDeps> = {},
): Client {
  const gateway = createPaystack({ ...paystack, baseUrl: paystack.url });
  const app = testApp(world.db, { gateway, vendors, ...own });
  const tokens = new Map<number, Promise<string>>();
  /** Opens a session without hashing a password in every test. */
  const tokenOf = (person: Person) => {
    if (!tokens.has(person.id)) tokens.set(person.id, newToken(world, app, person));
    return tokens.get(person.id)!;
  };
  return {
    app,
    tokenOf,
    call: async (person, method, path, body, headers = {}) => {
      const response = await app.fetch(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            ...(person && { authorization: `Bearer ${await tokenOf(person)}` }),
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json");
      return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    },
    browse: async (person, path, form, headers = {}) =>
      app.fetch(
        new Request(`http://localhost${path}`, {
          method: form ? "POST" : "GET",
          headers: {
            ...(person && { cookie: `${SESSION_COOKIE}=${await tokenOf(person)}` }),
            ...(form && { "content-type": "application/x-www-form-urlencoded", origin: "http://localhost" }),
            ...headers,
          },
          ...(form && { body: new URLSearchParams(form).toString() }),
          redirect: "manual",
        }),
      ),
  };
}

async function newToken(world: World, app: App, person: Person): Promise<string> {
  const id = crypto.randomUUID();
  await world.db.insert(sessions).values({ id, userId: person.id, expiresAt: sql`now() + interval '1 hour'` });
  return app.sign(id);
}
