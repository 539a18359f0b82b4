// Tests of farewells: whoever leaves the live shop leaves its sandbox as well, however often that must be sent; and
// what is left of them there.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { users as userTable } from "../../../db/schema/identity.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as apiKeyCallers from "../../../src/core/identity/api-key-callers.ts";
import * as apiKeys from "../../../src/core/identity/api-keys.ts";
import * as contacts from "../../../src/core/identity/contacts.ts";
import * as farewells from "../../../src/core/identity/farewells.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as twins from "../../../src/core/identity/twins.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as ledgerAudit from "../../../src/core/ledger/audit.ts";
import * as accounts from "../../../src/core/sandbox/accounts.ts";
import { AT_ONCE, sendDue } from "../../../src/core/sandbox/farewells.ts";
import type { ByUser } from "../../../src/shared/domain.ts";
import { count, lineFor, outcome, times } from "../../support/asking.ts";
import { KEY_SETTINGS } from "../../support/keys.ts";
import { openWorld } from "../../support/world.ts";
import { openReader } from "../webhooks/reading.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const reader = openReader(world);
const bundle = await world.product("MTN", "1GB", "3.90");
let people = 0;
const person = () => world.person(`person${++people}`);
const waiting = async () =>
  (await db.execute<{ id: number }>(sql`select user_id::int as id from sandbox_farewells order by id`)).map(
    ({ id }) => id,
  );
/** Whoever left did so a minute ago. */
const wait = () => db.execute(sql`update sandbox_farewells set created_at = now() - interval '1 minute'`);

beforeEach(async () => {
  await db.execute(sql`delete from sandbox_farewells`);
});

describe("leaving", () => {
  test("a ban, a deletion and one's own deletion are noted; whoever is let in again has not left", async () => {
    const [ama, kofi, esi] = [await person(), await person(), await person()];
    await users.ban(db, { by, userId: ama.id });
    await users.remove(db, { by, userId: kofi.id });
    await profile.close(db, { by: esi.by("web"), currentPassword: esi.password });
    expect(await waiting()).toEqual([ama.id, kofi.id, esi.id]);
    await users.unban(db, { by, userId: ama.id });
    expect(await waiting()).toEqual([kofi.id, esi.id]);
  });

  test("what was refused is not noted, and a banned account that is deleted is noted once", async () => {
    const rich = await world.person("rich", "GH₵ 5.00");
    expect(await outcome(users.remove(db, { by, userId: rich.id }))).toBe("user.has_balance");
    expect(await waiting()).toEqual([]);
    const ama = await person();
    await users.ban(db, { by, userId: ama.id });
    await users.remove(db, { by, userId: ama.id });
    expect(await waiting()).toEqual([ama.id]);
  });

  test("a sandbox has nobody to send it to", async () => {
    const ama = await person();
    const noted = db.transaction(async (tx) => {
      await tx.execute(sql`update shop_facts set mode = 'test'`);
      await farewells.note(tx, ama.id);
      throw await count(tx as never, sql`from sandbox_farewells`);
    });
    expect(await noted.catch((rows) => rows)).toBe(0);
  });
});

describe("a farewell", () => {
  /** A sandbox that hears what `hear` does, and how often each account's farewell reached it. */
  function listening(hear: (userId: number) => unknown = () => {}) {
    const heard: number[] = [];
    const sendFarewell = async (userId: number) => {
      heard.push(userId);
      await hear(userId);
    };
    return { heard, isAwake: () => true, sendFarewell };
  }
  const down = () => {
    throw new Error("down");
  };
  const leave = async () => {
    const { id } = await person();
    await users.ban(db, { by, userId: id });
    return id;
  };

  test("is repeated until it has heard, each account by itself, and then over", async () => {
    const [ama, kofi] = [await leave(), await leave()];
    await wait();
    const deaf = listening((userId) => (userId === ama ? down() : undefined));
    expect(await sendDue(db, deaf)).toEqual({ heard: 1, failures: [new Error("down")] });
    expect([deaf.heard, await waiting()]).toEqual([[ama, kofi], [ama]]);
    const well = listening();
    expect(await sendDue(db, well)).toEqual({ heard: 1, failures: [] });
    expect(await sendDue(db, well)).toEqual({ heard: 0, failures: [] });
    expect(well.heard).toEqual([ama]);
  });

  test("waits until no request from before can open a fresh twin", async () => {
    await leave();
    const sandbox = listening();
    await sendDue(db, sandbox);
    expect([sandbox.heard, (await waiting()).length]).toEqual([[], 1]);
  });

  test("starts none that sleeps, and one that hangs is asked about a few at a time", async () => {
    for (let n = 0; n <= AT_ONCE; n++) await leave();
    await wait();
    const asleep = { ...listening(), isAwake: () => false };
    expect([await sendDue(db, asleep), asleep.heard]).toEqual([{ heard: 0, failures: [] }, []]);
    const ended = Promise.withResolvers<void>();
    const hanging = listening(() => ended.promise);
    const round = sendDue(db, hanging);
    while (hanging.heard.length < AT_ONCE) await Bun.sleep(1);
    ended.reject(new Error("too late"));
    expect((await round).failures).toHaveLength(AT_ONCE);
    expect(hanging.heard).toHaveLength(AT_ONCE);
    expect(await waiting()).toHaveLength(AT_ONCE + 1);
  });

  test("does not forget who came back and left again meanwhile", async () => {
    const ama = await leave();
    await wait();
    const slow = listening(async () => {
      await users.unban(db, { by, userId: ama });
      await users.ban(db, { by, userId: ama });
    });
    expect((await sendDue(db, slow)).heard).toBe(1);
    expect(await waiting()).toEqual([ama]);
  });
});

describe("a twin whose live account has left", () => {
  let liveIds = 9_000;
  const byOf = (userId: number): ByUser => ({ userId, roles: ["USER"], channel: "api" });
  const keys = apiKeys.keeperOf(db, "test");
  const newKeyOf = async (userId: number) =>
    (await keys.create({ by: byOf(userId), key: null, ...KEY_SETTINGS })).answer.secret!;
  const use = (text: string) =>
    outcome(apiKeyCallers.identify(db, { text, address: "192.0.2.1", mode: "test" }, () => {}));
  const buy = (userId: number) =>
    orders.buy(db, { by: byOf(userId), key: null, allowDuplicate: true, line: lineFor(bundle) });

  test("has no keys, webhooks, name or anything its owner wrote; what was booked stays", async () => {
    const live = { userId: ++liveIds, username: "adwoa" };
    const twin = await accounts.twinOf(db, live);
    const key = await newKeyOf(twin.id);
    const hook = await reader.open({ ...(await person()), id: twin.id, by: () => byOf(twin.id) }, "all");
    await buy(twin.id);
    await contacts.save(db, { by: byOf(twin.id), name: "Mother", note: "", msisdn: "233541234567" });
    expect(await use(key)).toBe("done");
    await twins.close(db, live.userId);
    expect(await use(key)).toBe("key.revoked");
    const kept = await db.execute(sql`
      select name, revoked_at is not null as "isRevoked" from api_keys where user_id = ${twin.id}`);
    expect([...kept]).toEqual([{ name: "Deleted", isRevoked: true }]);
    const [row] = await db.select().from(userTable).where(eq(userTable.id, twin.id));
    expect([row!.status, row!.username]).toEqual(["CLOSED", `deleted-${twin.id}`]);
    for (const table of ["hooks", "contacts", "messages"])
      expect([table, await count(db, sql`from ${sql.identifier(table)} where user_id = ${twin.id}`)]).toEqual([
        table,
        0,
      ]);
    expect(await count(db, sql`from hook_deliveries where hook_id = ${hook.id}`)).toBe(0);
    expect(await count(db, sql`from users where username = 'adwoa'`)).toBe(0);
    expect(await count(db, sql`from orders where user_id = ${twin.id}`)).toBe(1);
    expect((await ledgerAudit.audit(db)).findings).toEqual([]);
    // A sandbox sends no farewells of its own.
    expect(await waiting()).toEqual([]);
  });

  test("is closed once, however often that is heard; one that never was is not opened", async () => {
    const live = { userId: ++liveIds, username: "efua" };
    await accounts.twinOf(db, live);
    const before = await db.$count(userTable);
    await Promise.all(times(5, () => twins.close(db, live.userId)));
    await twins.close(db, ++liveIds);
    expect(await db.$count(userTable)).toBe(before);
    expect(await count(db, sql`from twins where live_user_id in (${live.userId}, ${liveIds})`)).toBe(0);
  });

  test("is a fresh one without keys if the account comes back", async () => {
    const live = { userId: ++liveIds, username: "akua" };
    const first = await accounts.twinOf(db, live);
    const key = await newKeyOf(first.id);
    await twins.close(db, live.userId);
    const second = await accounts.twinOf(db, live);
    expect([second.username, second.id === first.id]).toEqual(["akua", false]);
    expect(await keys.list(byOf(second.id))).toEqual([]);
    expect(await use(key)).toBe("key.revoked");
  });

  test("keeps no key that is made, and no fresh start that is asked for, at the same moment", async () => {
    for (let n = 0; n < 5; n++) {
      const live = { userId: ++liveIds, username: `maame${n}` };
      const twin = await accounts.twinOf(db, live);
      const [made] = await Promise.allSettled([
        newKeyOf(twin.id),
        outcome(accounts.reset(db, twin.id)),
        twins.close(db, live.userId),
      ]);
      if (made.status === "fulfilled") expect(await use(made.value)).toBe("key.revoked");
      expect(await count(db, sql`from users where username = ${live.username}`)).toBe(0);
    }
  });
});
