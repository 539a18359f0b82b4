// Keeping API keys: what making, changing, replacing and revoking take, leave and refuse.
import { describe, expect, test } from "bun:test";
import { and, asc, eq, sql } from "drizzle-orm";
import { apiKeys as table } from "../../../db/schema/identity-keys.ts";
import { messages } from "../../../db/schema/messaging.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import * as apiKeys from "../../../src/core/identity/api-keys.ts";
import { modeOfKey } from "../../../src/shared/api-keys.ts";
import type { ByUser } from "../../../src/shared/domain.ts";
import { outcome, tally, times } from "../../support/asking.ts";
import { enrol } from "../../support/factor.ts";
import { KEY_SETTINGS } from "../../support/keys.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const live = apiKeys.keeperOf(db, "live");

let people = 0;
/** Somebody with a second factor, proved a moment ago. */
async function owner(): Promise<ByUser> {
  const person = await world.person(`owner${++people}`);
  await enrol(world, person);
  return person.by("web");
}
const unproved = (by: ByUser): ByUser => ({ ...by, isUnconfirmed: true });
const make = async (by: ByUser, settings: Partial<apiKeys.KeySettings> = {}) =>
  (await live.create({ by, key: null, ...KEY_SETTINGS, ...settings })).answer;
const mails = async ({ userId }: ByUser) =>
  (
    await db
      .select({ body: messages.body })
      .from(messages)
      .where(and(eq(messages.userId, userId), eq(messages.kind, "api_key")))
      .orderBy(asc(messages.id))
  ).map(({ body }) => body);
const traces = async (keyId: number) =>
  db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, "key"), eq(auditLog.subjectId, String(keyId))))
    .orderBy(asc(auditLog.id));

describe("a new key", () => {
  test("is shown once, kept as a digest, and its owner gets an e-mail and an entry in the log of changes", async () => {
    const by = await owner();
    const { apiKey, secret } = await make(by, { name: "Server", scopes: ["buy", "read", "buy"] });
    expect(modeOfKey(secret!)).toBe("live");
    expect(apiKey).toMatchObject({ mode: "live", name: "Server", state: "live", scopes: ["read", "buy"] });
    expect(apiKey.shown).toBe(`${secret!.slice(0, 13)}…${secret!.slice(-4)}`);
    const [row] = await db.select().from(table).where(eq(table.id, apiKey.id));
    expect(row!.digest).toBe(new Bun.CryptoHasher("sha256").update(secret!).digest("base64url"));
    const [mail] = await mails(by);
    expect(mail).toContain(`A program can now use your account with the API key “Server” (${apiKey.shown}).`);
    expect(mail).toContain("It may: see orders, prices and the balance; buy bundles one by one, and cancel.");
    const [trace] = await traces(apiKey.id);
    expect([trace!.action, trace!.byUserId]).toEqual(["key.create", by.userId]);
  });

  test("takes a second factor, and a proof of it that is not too old; a test key takes neither", async () => {
    const without = (await world.person(`without${++people}`)).by("web");
    expect(await outcome(make(without))).toBe("key.factor_missing");
    const by = await owner();
    expect(await outcome(make(unproved(by)))).toBe("auth.confirm_needed");
    const sandbox = apiKeys.keeperOf(db, "test");
    const { answer } = await sandbox.create({ by: unproved(without), key: null, ...KEY_SETTINGS });
    expect(modeOfKey(answer.secret!)).toBe("test");
  });

  test("is one of at most twenty live ones, also when many are made at once", async () => {
    const by = await owner();
    const outcomes = await Promise.all(times(24, () => outcome(make(by))));
    expect(tally(outcomes)).toEqual({ done: 20, "key.too_many": 4 });
    const [first] = await live.list(by);
    await live.revoke({ by, keyId: first!.id });
    expect(await outcome(make(by))).toBe("done");
    // Replacing one takes no more room.
    const [next] = await live.list(by).then((all) => all.filter(({ state }) => state === "live"));
    expect(await outcome(live.rotate({ by, key: null, keyId: next!.id }))).toBe("done");
  });

  test("ends in the future, and is made forty times a day at most", async () => {
    const by = await owner();
    expect(await outcome(make(by, { endsAt: new Date() }))).toBe("key.end_past");
    const { apiKey } = await make(by, { endsAt: new Date(Date.now() + 60_000) });
    await db.execute(sql`update rate_limits set count = 40 where bucket = ${`key.made:${by.userId}`}`);
    expect(await outcome(make(by))).toBe("request.rate_limited");
    expect(await outcome(live.rotate({ by, key: null, keyId: apiKey.id }))).toBe("request.rate_limited");
  });
});

describe("a change", () => {
  const narrower: Partial<apiKeys.KeySettings>[] = [
    { name: "Other" },
    { scopes: ["read"] },
    { addresses: ["203.0.113.7"] },
    { dayMaxPesewas: 900 },
    { endsAt: new Date(Date.now() + 3_600_000) },
  ];
  const wider: Partial<apiKeys.KeySettings>[] = [
    { scopes: ["read", "buy", "bulk"] },
    { addresses: [] },
    { addresses: ["203.0.113.7", "203.0.113.9"] },
    { dayMaxPesewas: 1100 },
    { dayMaxPesewas: null },
    { endsAt: new Date(Date.now() + 99_000_000) },
    { endsAt: null },
  ];
  const middle: Partial<apiKeys.KeySettings> = {
    scopes: ["read", "buy"],
    addresses: ["203.0.113.7", "203.0.113.8"],
    dayMaxPesewas: 1000,
    endsAt: new Date(Date.now() + 7_200_000),
  };

  longTest("that narrows a key takes the session alone, one that widens it the second factor", async () => {
    const by = await owner();
    for (const settings of [...narrower, ...wider]) {
      const { apiKey } = await make(by, middle);
      const change = (actor: ByUser) => outcome(live.change({ by: actor, keyId: apiKey.id, ...settings }));
      const isWider = wider.includes(settings);
      expect([settings, await change(unproved(by))]).toEqual([settings, isWider ? "auth.confirm_needed" : "done"]);
      if (isWider) expect([settings, await change(by)]).toEqual([settings, "done"]);
      expect(await live.get(by, apiKey.id)).toMatchObject(settings);
      await live.revoke({ by, keyId: apiKey.id });
      await db.execute(sql`delete from rate_limits where bucket = ${`key.made:${by.userId}`}`);
    }
  });

  test("notifies the owner of what the key may do now; none notifies of nothing", async () => {
    const by = await owner();
    const { apiKey } = await make(by, { ...middle, name: "Server" });
    await live.change({ by, keyId: apiKey.id, name: "Server" });
    await live.change({ by, keyId: apiKey.id, scopes: ["read"] });
    await live.change({ by, keyId: apiKey.id, scopes: ["read", "statement"] });
    const [, narrowed, widened, ...more] = await mails(by);
    expect(narrowed).toContain("The settings of the API key “Server”");
    expect(widened).toContain("More can now be done with the API key “Server”");
    expect(widened).toContain("It may: see orders, prices and the balance; read the wallet's statement.");
    expect(more).toEqual([]);
    const [, first, second] = await traces(apiKey.id);
    expect([first!.action, first!.before, second!.after]).toMatchObject([
      "key.change",
      { scopes: ["read", "buy"] },
      { scopes: ["read", "statement"] },
    ]);
  });

  test("holds for the key that it replaced, too, while that works", async () => {
    const by = await owner();
    const { apiKey } = await make(by);
    const { answer } = await live.rotate({ by, key: null, keyId: apiKey.id });
    await live.change({ by, keyId: answer.apiKey.id, dayMaxPesewas: 700 });
    expect((await live.get(by, apiKey.id)).dayMaxPesewas).toBe(700);
  });
});

describe("replacing a key", () => {
  test("makes one with its settings, and lets the old one work for a day", async () => {
    const by = await owner();
    const { apiKey } = await make(by, { name: "Server", dayMaxPesewas: 500, addresses: ["203.0.113.7"] });
    const { answer } = await live.rotate({ by, key: null, keyId: apiKey.id });
    expect(answer.apiKey).toMatchObject({ name: "Server", dayMaxPesewas: 500, addresses: ["203.0.113.7"] });
    const old = await live.get(by, apiKey.id);
    expect([old.state, old.replacedById]).toEqual(["replaced", answer.apiKey.id]);
    const hours = (old.validUntil!.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect((await mails(by)).at(-1)).toContain("The old one works for another 24 hours.");
  });

  test("takes the second factor, and happens once however often it is requested at once", async () => {
    const by = await owner();
    const { apiKey } = await make(by);
    const rotate = (actor: ByUser) => outcome(live.rotate({ by: actor, key: null, keyId: apiKey.id }));
    expect(await rotate(unproved(by))).toBe("auth.confirm_needed");
    expect(tally(await Promise.all(times(5, () => rotate(by))))).toEqual({ done: 1, "key.ended": 4 });
  });

  test("of a key that is over, revoked or somebody else's is refused, as is its change", async () => {
    const by = await owner();
    const [over, revoked] = [await make(by), await make(by)];
    await db.update(table).set({ endsAt: sql`now()` }).where(eq(table.id, over.apiKey.id));
    await live.revoke({ by, keyId: revoked.apiKey.id });
    for (const { apiKey } of [over, revoked]) {
      expect(await outcome(live.rotate({ by, key: null, keyId: apiKey.id }))).toBe("key.ended");
      expect(await outcome(live.change({ by, keyId: apiKey.id, name: "Other" }))).toBe("key.ended");
    }
    const other = await owner();
    for (const work of [
      () => live.get(other, over.apiKey.id),
      () => live.rotate({ by: other, key: null, keyId: over.apiKey.id }),
      () => live.change({ by: other, keyId: over.apiKey.id, name: "Other" }),
      () => live.revoke({ by: other, keyId: over.apiKey.id }),
    ])
      expect(await outcome(work())).toBe("key.not_found");
  });
});

describe("revoking a key", () => {
  test("takes the session alone, ends those that it replaced, and notifies its owner once", async () => {
    const by = await owner();
    const { apiKey: first } = await make(by);
    const { answer } = await live.rotate({ by, key: null, keyId: first.id });
    const before = (await mails(by)).length;
    await live.revoke({ by: unproved(by), keyId: answer.apiKey.id });
    await live.revoke({ by: unproved(by), keyId: answer.apiKey.id });
    expect((await live.list(by)).map(({ state }) => state)).toEqual(["revoked", "revoked"]);
    expect((await mails(by)).length).toBe(before + 1);
    expect((await traces(answer.apiKey.id)).filter(({ action }) => action === "key.revoke")).toHaveLength(1);
  });

  test("that was replaced leaves the one in its place", async () => {
    const by = await owner();
    const { apiKey: first } = await make(by);
    await live.rotate({ by, key: null, keyId: first.id });
    await live.revoke({ by, keyId: first.id });
    expect((await live.list(by)).map(({ state }) => state)).toEqual(["revoked", "live"]);
  });
});

test("a list has keys that ended within thirty days, and no older ones", async () => {
  const by = await owner();
  const [gone, ended, kept] = [await make(by), await make(by), await make(by)];
  const ago = (days: number) => sql`now() - make_interval(days => ${days})`;
  await db
    .update(table)
    .set({ revokedAt: ago(31) })
    .where(eq(table.id, gone.apiKey.id));
  await db
    .update(table)
    .set({ endsAt: ago(29) })
    .where(eq(table.id, ended.apiKey.id));
  expect((await live.list(by)).map(({ id }) => id)).toEqual([ended.apiKey.id, kept.apiKey.id]);
});
