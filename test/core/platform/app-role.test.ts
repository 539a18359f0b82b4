// The database role of the shop: whatever a fault makes the code run, the ledger only grows and the tables stay.
import { afterAll, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { APP_ROLE, connectAsApp, isRestricted } from "../../../db/app-role.ts";
import { type Db, databaseError, disconnect, TIME_LIMITS } from "../../../db/connect.ts";
import { openDatabase } from "../../../db/open.ts";
import { shopDayDeltas } from "../../../db/schema/orders.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as ledgerAudit from "../../../src/core/ledger/audit.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import { startShop } from "../../support/shop.ts";
import "../../support/patience.ts";
import { openApp, openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db: app, isRestricted: isActing } = await connectAsApp(world.url, { max: 4 });
const ama = await world.person("ama", "GH₵ 50.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const line = { productId: bundle.id, msisdn: "0541234567", quantity: 1 };
afterAll(() => disconnect(app));

const resultOf = (db: Db, statement: SQL) =>
  db.execute(statement).then(
    () => "accepted",
    (error) => databaseError(error)?.code,
  );

const FORBIDDEN = {
  "changing the ledger": sql`update transfers set amount_pesewas = 1`,
  "taking rows out of the ledger": sql`delete from transfers`,
  "emptying the ledger": sql`truncate transfers`,
  "changing the log of name admins did": sql`update audit_log set action = 'nothing'`,
  "taking rows out of that log": sql`delete from audit_log`,
  "emptying any table": sql`truncate jobs`,
  "making a table": sql`create table mine (id int)`,
  "making a schema": sql`create schema mine`,
  "changing a table": sql`alter table orders drop column note`,
  "dropping a table": sql`drop table deposits`,
  "letting the ledger's guards stand aside": sql`alter table transfers disable trigger all`,
  "switching triggers off": sql`set session_replication_role = replica`,
  "writing down migrations": sql`delete from drizzle.__drizzle_migrations`,
};

describe("the shop's own connections are refused", () => {
  for (const [name, statement] of Object.entries(FORBIDDEN))
    test(name, async () => {
      expect(await resultOf(app, statement)).toBe("42501");
    });

  test("on each of them, not only on the first", async () => {
    const [one, two] = await Promise.all([
      app.execute(sql`select current_user as name, pg_sleep(0.1)`),
      app.execute(sql`select current_user as name, pg_backend_pid()`),
    ]);
    expect([one[0]!.name, two[0]!.name]).toEqual([APP_ROLE, APP_ROLE]);
    expect(isActing).toBe(true);
  });

  test("and so are those to tables that a later migration adds", async () => {
    const rights = await app.execute(sql`
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert'))`);
    expect(rights.map(({ relname }) => relname)).toEqual([]);
  });
});

test("buying, failing and auditing work as that role", async () => {
  const bought = await orders.buy(app, { by: ama.by(), key: null, line });
  expect(bought.answer.order.status).toBe("PENDING");
  await cancelling.cancel(app, { by: ama.by(), key: null, orderId: bought.answer.order.id });
  expect((await ledgerAudit.audit(app)).findings).toEqual([]);
});

describe("a separate user, as an operator creates it", () => {
  const login = `shop_${process.pid}`;
  const url = new URL(world.url);
  url.username = login;
  url.password = "of its own";
  afterAll(async () => {
    await world.db.execute(sql.raw(`revoke ${APP_ROLE} from ${login}`));
    await world.db.execute(sql.raw(`drop role ${login}`));
  });

  test("can connect at the start, and is restricted without changing its role", async () => {
    await world.db.execute(sql.raw(`create role ${login} login password 'of its own'`));
    const opened = await openDatabase({ databaseUrl: url.href, ownerUrl: world.url, dataDir: ".data" });
    try {
      expect(opened.isRestricted).toBe(true);
      expect(await opened.db.execute(sql`select session_user as one, current_user as other`)).toMatchObject([
        { one: login, other: login },
      ]);
      for (const statement of Object.values(FORBIDDEN)) expect(await resultOf(opened.db, statement)).toBe("42501");
      await orders.buy(opened.db, { by: ama.by(), key: null, line, allowDuplicate: true });
      expect(await opened.asOwner(isRestricted)).toBe(false);
    } finally {
      await opened.close();
    }
  });

  test("has the shop's time limits set on it and on its role, where a pooler cannot drop them", async () => {
    const limits = Object.entries(TIME_LIMITS).map(([name, ms]) => `${name}=${ms}`);
    for (const name of [login, APP_ROLE]) {
      const [row] = await world.db.execute<{ set: string[] }>(
        sql`select rolconfig as set from pg_roles where rolname = ${name}`,
      );
      expect(row!.set).toEqual(expect.arrayContaining(limits));
    }
  });

  test("needs no owner where nothing is missing, and says who is needed where something is", async () => {
    const opened = await openDatabase({ databaseUrl: url.href, ownerUrl: null, dataDir: ".data" });
    expect([opened.isRestricted, opened.isLimited]).toEqual([true, true]);
    await opened.close();
    const [last] = await world.db.execute<{ hash: string; created_at: number }>(sql`
      delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)
      returning hash, created_at`);
    const behind = openDatabase({ databaseUrl: url.href, ownerUrl: null, dataDir: ".data" });
    await expect(behind).rejects.toThrow("bun run migrate");
    await world.db.execute(sql`
      insert into drizzle.__drizzle_migrations (hash, created_at) values (${last!.hash}, ${last!.created_at})`);
  });

  test("is refused a database of an unreleased version, however many migrations that has", async () => {
    const shift = (by: number) =>
      world.db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + ${by}`);
    await shift(5);
    await expect(openDatabase({ databaseUrl: url.href, ownerUrl: null, dataDir: ".data" })).rejects.toThrow(
      "unreleased version",
    );
    await shift(-5);
  });

  test("that may not assume the role keeps working, and is reported as unrestricted", async () => {
    const owner = `owner_${process.pid}`;
    await world.db.execute(sql.raw(`create role ${owner} login password 'of its own'`));
    await world.db.execute(sql.raw(`grant create on schema public to ${owner}`));
    url.username = owner;
    const opened = await connectAsApp(url.href, { max: 1 });
    expect(opened.isRestricted).toBe(false);
    expect(await resultOf(opened.db, sql`select 1`)).toBe("accepted");
    await disconnect(opened.db);
    await world.db.execute(sql.raw(`revoke create on schema public from ${owner}`));
    await world.db.execute(sql.raw(`drop role ${owner}`));
  });
});

test("the real program works with that role: it sells, runs its jobs, and stops in order", async () => {
  const shop = await startShop(world.url, { WORKER_POLL_SECONDS: "0.05", SWEEP_SECONDS: "0.2" });
  const token = await openApp(world).tokenOf(ama);
  const answer = await fetch(`${shop.url}/api/v1/orders`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...line, quantity: 1, pay: "wallet", allowDuplicate: true }),
  });
  expect(answer.status).toBe(201);
  // The cleanup folds the day's deltas into its totals.
  const notes = () => world.db.$count(shopDayDeltas);
  while ((await notes()) > 0) await Bun.sleep(50);
  expect(await shop.stop()).toBe(0);
  expect(shop.output()).not.toContain("NOT RESTRICTED");
  expect(shop.output()).not.toContain("permission denied");
});
