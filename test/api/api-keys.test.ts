// API keys at the API: which route takes which scope, tried whole; what refuses a key, with its next step; and that no
// key is stored or logged.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { apiKeys as table } from "../../db/schema/identity-keys.ts";
import { routes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import * as apiKeys from "../../src/core/identity/api-keys.ts";
import * as freezes from "../../src/core/identity/freezes.ts";
import * as profile from "../../src/core/identity/profile.ts";
import * as users from "../../src/core/identity/users.ts";
import { newKey, SCOPES, type Scope } from "../../src/shared/api-keys.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { enrol } from "../support/factor.ts";
import { type MadeKey, makeKey, rotateKey } from "../support/keys.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, testApp } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const call = checkedCalls(client);
const bundle = await world.product("MTN", "1GB", "3.90");
const BALANCE = "/api/v1/wallet/balance";

let people = 0;
const somebody = () => world.person(`coder${++people}`, "GH₵ 100.00");
const withKey = (key: Pick<MadeKey, "headers">, method: string, path: string, body?: unknown) =>
  call(null, method, path, body, key.headers);
const codeAt = async (key: Pick<MadeKey, "headers">, path = BALANCE) => {
  const { status, body } = await withKey(key, "GET", path);
  return status < 300 ? "ok" : body.code;
};
const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
const nameOf = (route: Route) => `${route.method} ${route.path}`;

/** What a key may be used for, as it is promised; a new route has to be added here. */
const SCOPE_OF: Record<string, Scope> = {
  ...Object.fromEntries(
    [
      ...["auth/me", "products", "operators", "dashboard/overview", "orders", "orders/:id"],
      ...["wallet/balance", "wallet/limits", "afa/product", "afa"],
      ...["bulk-orders", "bulk-orders/:id", "requests", "requests/:id"],
    ].map((path) => [`GET /api/v1/${path}`, "read" as const]),
  ),
  "POST /api/v1/orders": "buy",
  "POST /api/v1/orders/:id/cancel": "buy",
  "POST /api/v1/orders/:id/not-received": "buy",
  "DELETE /api/v1/orders/:id/not-received": "buy",
  "POST /api/v1/wallet/spend": "buy",
  "POST /api/v1/afa": "buy",
  "POST /api/v1/sandbox/top-up": "buy",
  "POST /api/v1/sandbox/clock": "buy",
  "POST /api/v1/sandbox/reset": "buy",
  "POST /api/v1/orders/bulk": "bulk",
  "POST /api/v1/orders/bulk/preview": "bulk",
  "GET /api/v1/wallet/transactions": "statement",
  "GET /api/v1/wallet/statement": "statement",
};

describe("every route with a key of every scope, of none but this, and of all", () => {
  test("declares exactly the promised scope, and never one beside a right of staff", () => {
    for (const route of routes) {
      const promised = SCOPE_OF[nameOf(route)] ?? (route.path.startsWith("/api/v1/webhooks") ? "webhooks" : undefined);
      expect([nameOf(route), route.scope]).toEqual([nameOf(route), promised]);
      if (route.scope) expect(route.role).toBe("user");
    }
  });

  longTest("admits a key that has its scope, and refuses all others by its name", async () => {
    const owner = await somebody();
    const keys = new Map<Scope, MadeKey>();
    for (const scope of SCOPES) keys.set(scope, await makeKey(db, owner.by(), { scopes: [scope] }));
    const whole = await makeKey(db, owner.by());
    for (const route of routes.filter(({ role }) => role !== "anyone")) {
      const path = route.path.replace(/:\w+/g, "999999");
      // An empty body passes the door and is refused behind it.
      const ask = async (key: MadeKey) => {
        const { status, body } = await withKey(key, route.method, path, route.body ? {} : undefined);
        return [status, body.code, body.details?.scope];
      };
      for (const [scope, key] of keys) {
        const [status, code, missing] = await ask(key);
        const isAdmitted = scope === route.scope;
        const refused = route.scope ? [403, "key.scope_missing", route.scope] : [403, "key.people_only", undefined];
        if (isAdmitted)
          expect([nameOf(route), scope, [200, 404, 409, 422].includes(status)]).toEqual([nameOf(route), scope, true]);
        else expect([nameOf(route), scope, status, code, missing]).toEqual([nameOf(route), scope, ...refused]);
      }
      const [status, code] = await ask(whole);
      expect([nameOf(route), status === 403 && code]).toEqual([nameOf(route), route.scope ? false : "key.people_only"]);
    }
  });

  test("a refusal for the scope names it and says where to add it", async () => {
    const key = await makeKey(db, (await somebody()).by(), { scopes: ["read"] });
    const { status, body } = await withKey(key, "POST", "/api/v1/orders", { productId: bundle.id });
    expect([status, body.code, body.message]).toEqual([
      403,
      "key.scope_missing",
      "This API key lacks the scope “buy”. Add it to the key in your profile under Developers.",
    ]);
  });
});

test("a program buys with a key, and the order says by which; its owner's other keys are untouched", async () => {
  const owner = await somebody();
  const key = await makeKey(db, owner.by(), { scopes: ["buy"], dayMaxPesewas: 500 });
  const order = () => ({ productId: bundle.id, msisdn: `05410${10_000 + ++people}`, pay: "wallet" });
  expect((await withKey(key, "POST", "/api/v1/orders", order())).status).toBe(201);
  const refused = await withKey(key, "POST", "/api/v1/orders", order());
  expect([refused.status, refused.body.code, refused.body.details.left]).toEqual([409, "key.daily_limit", 1.1]);
  const other = await makeKey(db, owner.by());
  expect((await withKey(other, "POST", "/api/v1/orders", order())).status).toBe(201);
});

describe("a key", () => {
  test("that is mistyped or cut short is refused without a query", async () => {
    const { secret } = await makeKey(db, (await somebody()).by());
    const queried: string[] = [];
    const gone = openApp(world, undefined, [], { db: deaf(queried) });
    const last = secret.endsWith("a") ? "b" : "a";
    for (const text of [secret.slice(0, -1), `${secret.slice(0, -1)}${last}`, "dfk_live_", `${secret}x`]) {
      const reply = await gone.call(null, "GET", BALANCE, undefined, bearer(text).headers);
      expect([text, reply.status, reply.body.code]).toEqual([text, 401, "key.malformed"]);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(queried).toEqual([]);
  });

  test("that nobody has is unknown, and one of the other mode says so", async () => {
    expect(await codeAt(bearer(newKey("live")))).toBe("key.unknown");
    const reply = await withKey(bearer(newKey("test")), "GET", BALANCE);
    expect([reply.status, reply.body.code]).toEqual([401, "key.wrong_mode"]);
    expect(reply.body.message).toContain("this shop has no sandbox");
    const sandbox = openApp(world, undefined, [], { keyMode: "test" });
    const live = await makeKey(db, (await somebody()).by());
    const there = await sandbox.call(null, "GET", BALANCE, undefined, live.headers);
    expect([there.status, there.body.code]).toEqual([401, "key.wrong_mode"]);
  });

  test("ends with its end, its replacement's day, and its revocation, each with its own code", async () => {
    const owner = await somebody();
    const [first, second, third] = [
      await makeKey(db, owner.by()),
      await makeKey(db, owner.by()),
      await makeKey(db, owner.by()),
    ];
    for (const key of [first, second, third]) expect(await codeAt(key)).toBe("ok");
    await db.update(table).set({ endsAt: sql`now()` }).where(eq(table.id, first.id));
    expect(await codeAt(first)).toBe("key.expired");
    const fresh = await rotateKey(db, owner.by(), second.id);
    expect([await codeAt(second), await codeAt(fresh)]).toEqual(["ok", "ok"]);
    await db.update(table).set({ validUntil: sql`now()` }).where(eq(table.id, second.id));
    expect([await codeAt(second), await codeAt(fresh)]).toEqual(["key.replaced", "ok"]);
    await apiKeys.keeperOf(db, "live").revoke({ by: owner.by(), keyId: third.id });
    expect(await codeAt(third)).toBe("key.revoked");
  });

  longTest("is held to its addresses and blocks, of both kinds", async () => {
    const key = await makeKey(db, (await somebody()).by(), {
      addresses: ["203.0.113.7", "198.51.100.0/24", "2001:db8:7::/48"],
    });
    const from = async (address: string) => {
      const app = testApp(db, { socketAddressOf: () => address });
      const response = await app.fetch(new Request(`http://localhost${BALANCE}`, key));
      return response.status === 200 ? "ok" : ((await response.json()) as { code: string }).code;
    };
    const inside = ["203.0.113.7", "::ffff:203.0.113.7", "198.51.100.254", "2001:db8:7:9::1"];
    const elsewhere = ["203.0.113.8", "198.51.101.1", "2001:db8:8::1", "::1", "not an address"];
    for (const address of inside) expect([address, await from(address)]).toEqual([address, "ok"]);
    for (const address of elsewhere) expect([address, await from(address)]).toEqual([address, "key.address_refused"]);
  });

  test("works with a second factor on the account, and after a change of password", async () => {
    const owner = await somebody();
    const key = await makeKey(db, owner.by());
    await enrol(world, owner);
    expect(await codeAt(key)).toBe("ok");
    await profile.changePassword(db, {
      ...{ by: owner.by("web"), sessionId: "none" },
      ...{ currentPassword: owner.password, password: "another battery staple" },
    });
    expect(await codeAt(key)).toBe("ok");
  });

  test("ends with its account's ban and deletion, and lifting the ban does not bring it back", async () => {
    const [banned, leaver] = [await somebody(), await world.person(`leaver${++people}`)];
    const [one, two] = [await makeKey(db, banned.by()), await makeKey(db, leaver.by())];
    await users.ban(db, { by: yaw.by(), userId: banned.id });
    expect(await codeAt(one)).toBe("auth.banned");
    await users.unban(db, { by: yaw.by(), userId: banned.id });
    expect(await codeAt(one)).toBe("key.revoked");
    await users.remove(db, { by: yaw.by(), userId: leaver.id });
    expect(await codeAt(two)).toBe("key.revoked");
    const [row] = await db.select().from(table).where(eq(table.id, two.id));
    expect([row!.name, row!.addresses, row!.lastUsedAddress]).toEqual(["Deleted", [], null]);
  });

  test("of a frozen account may look and not spend, as its sessions", async () => {
    const owner = await somebody();
    const key = await makeKey(db, owner.by());
    await freezes.freeze(db, {
      ...{ by: yaw.by("admin"), userId: owner.id, until: null },
      ...{ reason: "Looks odd", message: "Call us" },
    });
    expect(await codeAt(key)).toBe("ok");
    const body = { productId: bundle.id, msisdn: "0541234567", pay: "wallet" };
    expect((await withKey(key, "POST", "/api/v1/orders", body)).body.code).toBe("account.frozen");
  });

  test("of staff carries none of their rights", async () => {
    const key = await makeKey(db, yaw.by("web"));
    const { order } = await somebodysOrder();
    expect((await withKey(key, "GET", `/api/v1/orders/${order}`)).body.code).toBe("order.not_found");
    expect((await withKey(key, "GET", "/api/v1/admin/orders")).body.code).toBe("key.people_only");
  });

  test("is no way into pages", async () => {
    const key = await makeKey(db, (await somebody()).by());
    for (const path of ["/dashboard", "/profile/developers", "/login"]) {
      const response = await client.app.fetch(new Request(`http://localhost${path}`, key));
      expect([path, response.status]).toEqual([path, 403]);
      expect(await response.text()).toContain("No API key can do this. Log in");
    }
  });
});

async function somebodysOrder() {
  const owner = await somebody();
  const body = { productId: bundle.id, msisdn: "0541234560", pay: "wallet" };
  return { order: (await call(owner, "POST", "/api/v1/orders", body)).body.id as number };
}

test("the last use is noted with its address, once a minute at most", async () => {
  const key = await makeKey(db, (await somebody()).by());
  const lastUse = async () => {
    const [row] = await db.select().from(table).where(eq(table.id, key.id));
    return row!;
  };
  const noted = async () => {
    for (;;) {
      const row = await lastUse();
      if (row.lastUsedAt) return row;
    }
  };
  expect((await lastUse()).lastUsedAt).toBeNull();
  await codeAt(key);
  const first = await noted();
  expect(first.lastUsedAddress).toBe("127.0.0.1");
  for (let i = 0; i < 5; i++) await codeAt(key);
  expect((await lastUse()).lastUsedAt).toEqual(first.lastUsedAt);
  const later = sql`now() - interval '61 seconds'`;
  await db.update(table).set({ lastUsedAt: later, lastUsedAddress: null }).where(eq(table.id, key.id));
  await codeAt(key);
  for (;;) if ((await lastUse()).lastUsedAddress === "127.0.0.1") break;
});

test("a key that is used at once by many takes one query for many calls", async () => {
  const key = await makeKey(db, (await somebody()).by());
  const queries = counted();
  const app = openApp(world, undefined, [], { db: queries.db });
  await Promise.all(
    Array.from({ length: 100 }, () => app.call(null, "GET", "/api/v1/wallet/balance", undefined, key.headers)),
  );
  expect(queries.keyQueries()).toBeLessThan(20);
});

longTest("no key is ever stored or logged: not in a row of any table, nor in a line of the log", async () => {
  const owner = await somebody();
  await enrol(world, owner);
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  const logged = openApp(world, undefined, [], { log });
  const make = (key: string) =>
    logged.call(owner, "POST", "/api/v1/keys", { name: "Program", scopes: [...SCOPES] }, { "idempotency-key": key });
  const { body: made } = await make("one");
  const { body: again } = await make("one");
  expect([again.id, again.secret]).toEqual([made.id, null]);
  const { body: rotated } = await logged.call(owner, "POST", `/api/v1/keys/${made.id}/rotate`);
  for (const secret of [made.secret, rotated.secret]) {
    await logged.call(null, "GET", BALANCE, undefined, bearer(secret).headers);
    await logged.call(null, "GET", BALANCE, undefined, bearer(secret.slice(0, -1)).headers);
    const body = { productId: bundle.id, msisdn: `05510${10_000 + ++people}`, pay: "wallet" };
    await logged.call(null, "POST", "/api/v1/orders", body, bearer(secret).headers);
  }
  await logged.call(owner, "DELETE", `/api/v1/keys/${made.id}`);
  const random = (secret: string) => secret.slice("dfk_live_".length + 4, -4);
  const everything = [await everyRow(), lines.join("\n")].join("\n");
  for (const secret of [made.secret, rotated.secret]) expect(everything).not.toContain(random(secret));
  // The test itself would see one.
  expect(everything).toContain(made.shown);
  expect(lines.join("\n")).toContain(`"keyId":${rotated.id}`);
});

/** Every row of every table, as text. */
async function everyRow(): Promise<string> {
  const tables = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  const texts = tables.map(
    ({ name }) => sql`select string_agg(t::text, chr(10)) as rows from ${sql.identifier(name)} t`,
  );
  const rows = await db.execute<{ rows: string | null }>(sql.join(texts, sql` union all `));
  return rows.map((row) => row.rows ?? "").join("\n");
}

/** The database, which notes every query and answers none. */
function deaf(queried: string[]): typeof db {
  return new Proxy(db, {
    get: (target, name) => {
      if (name === "$client" || name === "execute" || name === "select") queried.push(String(name));
      return Reflect.get(target, name);
    },
  });
}

/** The database, with a count of the calls of keys. */
function counted() {
  let keyQueries = 0;
  const client$ = new Proxy(db.$client, {
    get: (target, name) => {
      if (name !== "unsafe") return Reflect.get(target, name);
      return (...args: Parameters<typeof target.unsafe>) => {
        if (args[0].includes("from api_keys k join users")) keyQueries += 1;
        return target.unsafe(...args);
      };
    },
  });
  const proxy = new Proxy(db, {
    get: (target, name) => (name === "$client" ? client$ : Reflect.get(target, name)),
  });
  return { db: proxy, keyQueries: () => keyQueries };
}

describe("the mode of a key", () => {
  const body = { name: "Server", scopes: ["read"] };
  const keysOf = async (person: Awaited<ReturnType<typeof somebody>>) =>
    (await call(person, "GET", "/api/v1/keys")).body as unknown[];

  test("is read in the body as in the address, and no key of the other mode is made instead", async () => {
    const person = await somebody();
    for (const [path, more] of [
      ["/api/v1/keys", { mode: "test" }],
      ["/api/v1/keys?mode=test", {}],
    ] as const) {
      const made = await call(person, "POST", path, { ...body, ...more });
      expect([made.status, made.body.code]).toEqual([409, "key.no_sandbox"]);
    }
    const both = await call(person, "POST", "/api/v1/keys?mode=live", { ...body, mode: "test" });
    expect([both.status, both.body.code]).toEqual([422, "request.invalid"]);
    expect(await keysOf(person)).toEqual([]);
  });

  test("and every field that is not known are refused where keys are made, changed, rotated and revoked", async () => {
    const person = await somebody();
    const made = await makeKey(db, person.by());
    const path = `/api/v1/keys/${made.id}`;
    for (const [method, at, sent, code] of [
      ["POST", "/api/v1/keys", { ...body, expires: "2027-01-01" }, "request.unknown_field"],
      ["PATCH", path, { limit: 5 }, "request.unknown_field"],
      ["POST", `${path}/rotate`, { mode: "test" }, "request.invalid"],
      ["DELETE", path, { mode: "test" }, "request.invalid"],
    ] as const) {
      const reply = await call(person, method, at, sent);
      expect([method, at, reply.status, reply.body.code]).toEqual([method, at, 422, code]);
    }
    expect(await keysOf(person)).toMatchObject([{ id: made.id, state: "live" }]);
  });
});

test("a call of the sandbox with a live key says so, and so does a request without a proper key", async () => {
  const key = await makeKey(db, (await somebody()).by());
  const reply = await withKey(key, "POST", "/api/v1/sandbox/top-up", { amount: 5 });
  expect([reply.status, reply.body.code]).toEqual([404, "sandbox.only"]);
  for (const [headers, message] of [
    [{}, "Send the header Authorization with Bearer and an API key, or the token of a login."],
    [{ authorization: key.secret }, "Send the API key in the header Authorization, as: Bearer dfk_…"],
    [{ "x-api-key": key.secret }, "Send the API key in the header Authorization, as: Bearer dfk_…"],
    [{ "sec-fetch-site": "same-origin" }, "Log in to continue"],
  ] as const) {
    const { status, body } = await call(null, "GET", BALANCE, undefined, headers);
    expect([status, body.code, body.message]).toEqual([401, "auth.required", message]);
  }
  expect(await codeAt(bearer(`  ${key.secret}`))).toBe("ok");
});
