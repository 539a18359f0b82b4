// Tests of a live shop and its sandbox as two processes: what a program with a test key gets, what only the sandbox
// has, and that the live shop stays as it is while the sandbox hangs, dies and comes back.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { users } from "../../db/schema/identity.ts";
import * as twins from "../../src/core/identity/twins.ts";
import { ban } from "../../src/core/identity/users.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import { FORWARDED_HEADER } from "../../src/core/sandbox/client.ts";
import { forwardingStamp, passKeysOf } from "../../src/core/sandbox/passes.ts";
import { newKey } from "../../src/shared/api-keys.ts";
import { limits } from "../../src/shared/domain.ts";
import { magicNumbers } from "../../src/shared/sandbox.ts";
import { count } from "../support/asking.ts";
import { callShop, openTwoShops } from "../support/sandbox.ts";
import { TEST_JWT_SECRET } from "../support/world.ts";

const shops = await openTwoShops();
const { call, live, sandbox, world } = shops;
const ama = await world.person("ama", "GH₵ 50.00");
const key = await shops.testKey(ama);
const liveKey = await shops.liveKey(ama.id);
const order = (msisdn: string, more = {}) => ({ productId: 1, msisdn, quantity: 1, pay: "wallet", ...more });
const to = (ending: string) => magicNumbers(ending).MTN;

/** Asks until an order has this status, as its program would; the worker is another process. */
async function becomes(orderId: number, status: string): Promise<void> {
  for (let seen = ""; seen !== status; await Bun.sleep(50)) {
    const { body } = await call(key, "GET", `/api/v1/orders/${orderId}`);
    if (["DELIVERED", "COMPLETED", "FAILED"].includes(body.status)) expect(body.status).toBe(status);
    seen = body.status;
  }
}

describe("a test key", () => {
  test("buys with test money in the sandbox, through the live shop's address", async () => {
    const me = await call(key, "GET", "/api/v1/wallet/balance");
    expect([me.status, me.body.balance]).toEqual([200, 1000]);
    const bought = await call(key, "POST", "/api/v1/orders", order(to("0001")));
    expect([bought.status, bought.body.balance]).toEqual([201, 996.1]);
    expect(await world.balanceOf(ama)).toBe(5_000);
    await call(key, "POST", "/api/v1/sandbox/clock", { minutes: 2 });
    await becomes(bought.body.id, "DELIVERED");
  });

  test("gets an answer with the id under which both servers log it, and its idempotency key works", async () => {
    const headers = { "idempotency-key": "first-try" };
    const first = await call(key, "POST", "/api/v1/orders", order(to("0001"), { allowDuplicate: true }), headers);
    const again = await call(key, "POST", "/api/v1/orders", order(to("0001"), { allowDuplicate: true }), headers);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const refused = await call(key, "GET", "/api/v1/orders/999999");
    expect(refused.body.requestId).toBe(refused.headers.get("x-request-id"));
  });

  test("is refused a misspelt field, as a live one is, and any unknown one, which a live one ignores", async () => {
    const misspelt = order(to("0001"), { alowDuplicate: true });
    for (const own of [key, liveKey]) {
      const { status, body } = await call(own, "POST", "/api/v1/orders", misspelt);
      expect([status, body.code, body.details.nearest]).toEqual([422, "request.unknown_field", "allowDuplicate"]);
    }
    const body = order(to("0001"), { colour: "red" });
    const refused = await call(key, "POST", "/api/v1/orders", body);
    expect([refused.status, refused.body.code]).toEqual([422, "request.unknown_field"]);
    const product = await world.product("MTN", "2GB", "8.40");
    const ignored = await call(liveKey, "POST", "/api/v1/orders", { ...body, productId: product.id });
    expect(ignored.status).toBe(201);
  });

  test("ends FAILED with its money back for a number that fails", async () => {
    const before = (await call(key, "GET", "/api/v1/wallet/balance")).body.balance;
    const { body } = await call(key, "POST", "/api/v1/orders", order(to("0012")));
    await call(key, "POST", "/api/v1/sandbox/clock", { minutes: 1 });
    await becomes(body.id, "FAILED");
    expect((await call(key, "GET", "/api/v1/wallet/balance")).body.balance).toBe(before);
  });

  test("that nobody made, and a mistyped one, are refused", async () => {
    const unknown = await call(newKey("test"), "GET", "/api/v1/orders");
    expect([unknown.status, unknown.body.code]).toEqual([401, "key.unknown"]);
    const mistyped = await call(`${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`, "GET", "/api/v1/orders");
    expect([mistyped.status, mistyped.body.code]).toEqual([401, "key.malformed"]);
  });

  test("opens no page", async () => {
    expect((await call(key, "GET", "/orders")).status).toBeGreaterThanOrEqual(300);
  });

  test("with a body beyond the limit is refused before it is passed on", async () => {
    const body = { lines: "x".repeat(limits.bulkBodyBytes) };
    const refused = await call(key, "POST", "/api/v1/orders/bulk", body);
    expect([refused.status, refused.body.code]).toEqual([413, "request.too_large"]);
  });
});

describe("each shop accepts only its own", () => {
  const codeOf = async (answer: ReturnType<typeof callShop>) => (await answer).body.code;
  const sandboxUrl = () => sandbox.shop().url;

  test("keys", async () => {
    expect(await codeOf(callShop(sandboxUrl(), liveKey, "GET", "/api/v1/orders"))).toBe("key.wrong_mode");
  });

  test("sessions and passes", async () => {
    const pass = shops.passOf(ama);
    expect((await callShop(sandboxUrl(), pass, "GET", "/api/v1/auth/me")).body.username).toBe("ama");
    // A pass is no session of the live shop, and a live session none of the sandbox.
    expect(await codeOf(call(pass, "GET", "/api/v1/auth/me"))).toBe("auth.session_ended");
    const credentials = { email: ama.email, password: ama.password };
    const { token } = (await call("", "POST", "/api/v1/auth/login", credentials)).body;
    expect(await codeOf(callShop(sandboxUrl(), token, "GET", "/api/v1/auth/me"))).toBe("auth.session_ended");
  });

  test("the sandbox has no logins and no sign-up, and the live shop no test money, clock or fresh start", async () => {
    const body = { username: "eve", email: "eve@example.com", password: "correct horse battery" };
    for (const path of ["/api/v1/auth/signup", "/api/v1/auth/login"])
      expect([path, await codeOf(call(key, "POST", path, body))]).toEqual([path, "request.not_found"]);
    for (const path of ["top-up", "clock", "reset"])
      expect([path, await codeOf(call(liveKey, "POST", `/api/v1/sandbox/${path}`, { amount: 1, minutes: 1 }))]).toEqual(
        [path, "sandbox.only"],
      );
  });

  test("a forged stamp of where a request came from counts for nothing", async () => {
    const address = "203.0.113.9";
    const restricted = await callShop(sandboxUrl(), shops.passOf(ama), "POST", "/api/v1/keys", {
      ...{ name: "one address", scopes: ["read"], addresses: [address] },
    });
    const own = restricted.body.secret;
    const stampOf = (secret: string) => ({
      [FORWARDED_HEADER]: forwardingStamp(passKeysOf(secret), { address, requestId: "r" }),
    });
    const ask = (headers: Record<string, string>) =>
      callShop(sandboxUrl(), own, "GET", "/api/v1/orders", undefined, headers);
    expect((await ask(stampOf(TEST_JWT_SECRET))).status).toBe(200);
    expect(await codeOf(ask(stampOf("another secret that is long enough")))).toBe("key.address_refused");
    expect(await codeOf(call(own, "GET", "/api/v1/orders", undefined, stampOf(TEST_JWT_SECRET)))).toBe(
      "key.address_refused",
    );
  });
});

describe("only in the sandbox", () => {
  test("test money, and a fresh start after which keys go on working", async () => {
    const toppedUp = await call(key, "POST", "/api/v1/sandbox/top-up", { amount: 500 });
    expect(toppedUp.status).toBe(200);
    const fresh = await call(key, "POST", "/api/v1/sandbox/reset");
    expect([fresh.status, fresh.body.balance]).toEqual([200, 1000]);
    expect((await call(key, "GET", "/api/v1/wallet/balance")).body.balance).toBe(1000);
    expect((await call(key, "GET", "/api/v1/orders")).body).toEqual([]);
    const pass = shops.passOf(ama);
    const keys = await callShop(sandbox.shop().url, pass, "GET", "/api/v1/keys");
    expect(keys.body.map(({ name }: { name: string }) => name)).toContain("test");
  });

  test("a key without the scope to buy gets neither", async () => {
    const reader = await shops.testKey(ama, ["read"]);
    for (const path of ["top-up", "clock", "reset"]) {
      const refused = await call(reader, "POST", `/api/v1/sandbox/${path}`, { amount: 1, minutes: 1 });
      expect([path, refused.body.code]).toEqual([path, "key.scope_missing"]);
    }
  });

  test.each([[0], [0.5], [7 * 24 * 60 + 1], ["5"]])("the clock does not take %p minutes", async (minutes) => {
    expect((await call(key, "POST", "/api/v1/sandbox/clock", { minutes })).status).toBe(422);
  });

  test("the books balance", async () => {
    expect((await ledgerAudit.audit(sandbox.db)).findings).toEqual([]);
  });
});

describe("test keys by the live shop's API", () => {
  test("are made, listed, replaced and revoked by their owner's login", async () => {
    const esi = await world.person("esi");
    const credentials = { email: esi.email, password: esi.password };
    const { token } = (await call("", "POST", "/api/v1/auth/login", credentials)).body;
    const settings = { name: "from the page", scopes: ["read", "buy"], perDay: 20.5 };
    const headers = { "idempotency-key": "make-1" };
    const made = await call(token, "POST", "/api/v1/keys?mode=test", settings, headers);
    expect([made.status, made.body.mode, made.body.perDay]).toEqual([201, "test", 20.5]);
    expect(made.body.secret).toStartWith("dfk_test_");
    const again = await call(token, "POST", "/api/v1/keys?mode=test", settings, headers);
    expect([again.body.id, again.body.secret]).toEqual([made.body.id, null]);
    expect((await call(made.body.secret, "GET", "/api/v1/auth/me")).body.username ?? "people only").toBeString();
    const listed = await call(token, "GET", "/api/v1/keys?mode=test");
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([made.body.id]);
    expect((await call(token, "GET", "/api/v1/keys")).body).toEqual([]);
    const rotated = await call(token, "POST", `/api/v1/keys/${made.body.id}/rotate?mode=test`);
    expect(rotated.status).toBe(200);
    for (const one of [made.body.secret, rotated.body.secret])
      expect((await call(one, "GET", "/api/v1/orders")).status).toBe(200);
    expect((await call(token, "DELETE", `/api/v1/keys/${rotated.body.id}?mode=test`)).status).toBe(200);
    const ended = await call(rotated.body.secret, "GET", "/api/v1/orders");
    expect([ended.status, ended.body.code]).toEqual([401, "key.revoked"]);
    expect((await call(token, "DELETE", "/api/v1/keys/999?mode=test")).body.code).toBe("key.not_found");
  });

  test("belong to their owner alone", async () => {
    const kofi = await world.person("kofi");
    const kofis = await shops.testKey(kofi);
    expect((await call(kofis, "GET", "/api/v1/wallet/balance")).body.balance).toBe(1000);
    const twin = await twins.of(sandbox.db, { userId: ama.id, username: "ama" }, async () => {});
    const [row] = await sandbox.db.select().from(users).where(eq(users.id, twin.id));
    expect([row!.email, row!.passwordHash, row!.username]).toEqual([null, "", "ama"]);
  });
});

describe("while the sandbox is not well", () => {
  const timed = async (work: () => Promise<{ status: number }>) => {
    const began = performance.now();
    const { status } = await work();
    return { status, ms: performance.now() - began };
  };
  const buyLive = () => call(liveKey, "GET", "/api/v1/wallet/balance");

  test("it hangs: live requests take no longer, and its own are refused in time, as the sandbox's", async () => {
    const alone = await Promise.all(Array.from({ length: 20 }, () => timed(buyLive)));
    sandbox.shop().pause();
    try {
      // More than may wait, so that some are refused at once.
      const hanging = Array.from({ length: 60 }, () => call(key, "GET", "/api/v1/orders"));
      const beside = await Promise.all(Array.from({ length: 20 }, () => timed(buyLive)));
      expect(new Set(beside.map(({ status }) => status))).toEqual(new Set([200]));
      const slowest = (all: { ms: number }[]) => Math.max(...all.map(({ ms }) => ms));
      expect(slowest(beside)).toBeLessThan(Math.max(1_000, 5 * slowest(alone)));
      for (const { status, body, headers } of await Promise.all(hanging)) {
        expect([status, body.code, body.retryable]).toEqual([503, "service.unavailable", true]);
        expect(body.message).toContain("sandbox");
        expect(headers.get("retry-after")).toBe("2");
      }
      const [row] = await live.db.execute<{ busy: number }>(sql`
        select count(*)::int as busy from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`);
      expect(row!.busy).toBeLessThan(5);
    } finally {
      sandbox.shop().resume();
    }
    expect((await call(key, "GET", "/api/v1/orders")).status).toBe(200);
  });

  test("it is killed, and comes back with everything it had", async () => {
    const before = (await call(key, "GET", "/api/v1/wallet/balance")).body;
    const { body: bought } = await call(key, "POST", "/api/v1/orders", order(to("0001"), { allowDuplicate: true }));
    await sandbox.shop().kill();
    const gone = await call(key, "GET", "/api/v1/orders");
    expect([gone.status, gone.body.code, gone.body.retryable]).toEqual([503, "service.unavailable", true]);
    expect(gone.body.message).toContain("sandbox");
    expect((await buyLive()).status).toBe(200);
    await sandbox.start();
    const { body } = await call(key, "GET", "/api/v1/wallet/balance");
    expect(body.balance).toBeCloseTo(before.balance - 3.9);
    expect((await call(key, "GET", `/api/v1/orders/${bought.id}`)).status).toBe(200);
  });

  test("it is gone when an account is banned, and ends its test key when it is back", async () => {
    const kojo = await world.person("kojo");
    const kojos = await shops.testKey(kojo);
    await sandbox.shop().kill();
    await ban(live.db, { by: world.yaw.by("admin"), userId: kojo.id });
    await live.db.execute(sql`update sandbox_farewells set created_at = now() - interval '1 minute'`);
    await sandbox.start();
    while ((await count(live.db, sql`from sandbox_farewells`)) > 0) await Bun.sleep(100);
    expect((await call(kojos, "GET", "/api/v1/orders")).body.code).toBe("key.revoked");
    expect(await count(sandbox.db, sql`from users where username = 'kojo'`)).toBe(0);
  });
});
