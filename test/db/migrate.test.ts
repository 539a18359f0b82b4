// Migrations beside a running shop: they step back from a table that is in use, and build indexes without blocking. A
// database of an unreleased version is refused as it is.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { connect, disconnect } from "../../db/connect.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import { migrate, migrationCheck } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open.ts";
import { freshDatabase } from "../support/database.ts";
import { read, root } from "../unit/source.ts";

const database = await freshDatabase();
const sql = postgres(database.url, { max: 4, onnotice: () => {} });
const folder = mkdtempSync(join(tmpdir(), "migrations-"));
// The shop's own migrations, which the database has, and those of the tests after them.
cpSync(join(root, "db/migrations"), folder, { recursive: true });
const journal = join(folder, "meta/_journal.json");
const entries: object[] = JSON.parse(readFileSync(journal, "utf8")).entries;
/** Adds a migration after all that the database has; returns a function that applies it. */
function next(text: string): () => Promise<void> {
  const idx = entries.length;
  const tag = `${String(idx).padStart(4, "0")}_next`;
  entries.push({ idx, version: "7", when: 2_000_000_000_000 + idx, tag, breakpoints: true });
  writeFileSync(join(folder, `${tag}.sql`), text);
  writeFileSync(journal, JSON.stringify({ version: "7", dialect: "postgresql", entries }));
  return () => migrate(database.url, { folder, lockWaitMs: 100, pauseMs: 10 });
}

/** Reads the orders in a transaction that stays open; returns what ends it. */
async function readOrders(): Promise<() => Promise<void>> {
  const isHeld = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const reading = sql.begin(async (tx) => {
    await tx`select count(*) from orders`;
    isHeld.resolve();
    await over.promise;
  });
  await isHeld.promise;
  return async () => {
    over.resolve();
    await reading;
  };
}

/** While a migration tries again, others read the orders, and its table `made` is not there. */
async function letsOthersPass(made: string): Promise<void> {
  // Each attempt waits a tenth of a second, which is the longest that others behind it are held up.
  for (let i = 0; i < 5; i++) {
    await sql`select count(*) from orders`;
    expect((await sql`select to_regclass(${made}) as name`)[0]!.name).toBeNull();
    await Bun.sleep(60);
  }
}

afterAll(async () => {
  await sql.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("a migration lets others pass when a table is in use, tries again, and is applied as a whole", async () => {
  const apply = next(
    `create table made_first (id int)--> statement-breakpoint\nalter table orders add column test_only int`,
  );
  const release = await readOrders();
  const migrating = apply();
  await letsOthersPass("made_first");
  await release();
  await migrating;
  expect((await sql`select to_regclass('made_first') is not null as is_there`)[0]!.is_there).toBe(true);
  await sql`select test_only from orders`;
});

test("a table that stays in use ends the migration without a trace", async () => {
  next("alter table orders add column never int");
  const release = await readOrders();
  const apply = () => migrate(database.url, { folder, lockWaitMs: 20, pauseMs: 1, triesMax: 3 });
  await expect(apply()).rejects.toMatchObject({ code: "55P03" });
  await release();
  await apply();
});

test("an index is built while orders are written, also after an interrupted build", async () => {
  await sql`insert into rate_limits (bucket, count, resets_at) values ('twice', 1, now()), ('once', 1, now())`;
  // The remains of an interrupted build.
  await sql.unsafe("create unique index concurrently rate_limits_test on rate_limits (count)").catch(() => {});
  const isValid = async () =>
    (await sql`select indisvalid as is_valid from pg_index where indexrelid = 'rate_limits_test'::regclass`)[0]!
      .is_valid;
  expect(await isValid()).toBe(false);
  await next(
    "-- each statement alone\ncreate index concurrently if not exists rate_limits_test on rate_limits (count)",
  )();
  expect(await isValid()).toBe(true);
});

test("a table is altered between statements that run alone without holding up those who use it", async () => {
  const apply = next(
    "-- each statement alone\n-- why\nalter table orders add column if not exists test_alone int" +
      "--> statement-breakpoint\ncreate table if not exists made_alone (id int)",
  );
  const release = await readOrders();
  const migrating = apply();
  await letsOthersPass("made_alone");
  await release();
  await migrating;
  await sql`select test_alone from orders, made_alone`;
});

test("a migration that is dated before the last applied one is applied, too", async () => {
  entries.push({ idx: 99, version: "7", when: 1_999_999_999_999, tag: "0099_older", breakpoints: true });
  writeFileSync(join(folder, "0099_older.sql"), "create table made_later (id int)");
  await next("select 1")();
  expect((await sql`select to_regclass('made_later') is not null as is_there`)[0]!.is_there).toBe(true);
});

const AGE = "update drizzle.__drizzle_migrations set created_at = created_at - 1000";

test("a database of an unreleased version is refused before anything is changed", async () => {
  const old = await freshDatabase();
  const client = postgres(old.url, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(AGE);
    // Whatever a start grants would be there again.
    await client`revoke select on orders from datafie_app`;
    const state = () => client`
      select (select json_agg(m) from drizzle.__drizzle_migrations m) as migrations,
        (select count(*) from pg_class) as relations,
        has_table_privilege('datafie_app', 'orders', 'select') as granted`;
    const before = await state();
    await expect(migrate(old.url)).rejects.toThrow(
      "it was made by an unreleased version, whose data are not carried over. " +
        "Create an empty database and set DATABASE_URL to it.",
    );
    expect(await state()).toEqual(before);
    expect(before[0]).toMatchObject({ granted: false });
  } finally {
    await client.end();
    await old.drop();
  }
});

test("a server is ready when its database has each of its migrations, not as many", async () => {
  const database = await freshDatabase();
  const db = connect(database.url, { max: 1 });
  const isMigrated = migrationCheck();
  expect(await isMigrated(db)).toBe(true);
  await db.$client`insert into drizzle.__drizzle_migrations (hash, created_at) values ('a later one', 9999999999999)`;
  expect(await isMigrated(db)).toBe(true);
  await db.$client`
    delete from drizzle.__drizzle_migrations
    where created_at = (select min(created_at) from drizzle.__drizzle_migrations)`;
  expect(await isMigrated(db)).toBe(false);
  await disconnect(db);
  await database.drop();
});

test("a demonstration shop of an unreleased version is refused, and says what to delete", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "unreleased-"));
  // When root runs the tests, the user of the Postgres process must have access.
  chmodSync(dataDir, 0o755);
  const dir = join(dataDir, "postgres");
  const open = () => openDatabase({ databaseUrl: null, dataDir });
  try {
    const first = await open();
    await first.asOwner((db) => db.execute(AGE));
    await first.close();
    await expect(open()).rejects.toThrow(`Delete ${dir} to begin with a new demonstration shop.`);
    // It is stopped, so that the folder can be deleted, and nothing was deleted by itself.
    expect(existsSync(join(dir, "data/postmaster.pid"))).toBe(false);
    expect(existsSync(join(dir, "data/PG_VERSION"))).toBe(true);
    rmSync(dir, { recursive: true });
    await (await open()).close();
  } finally {
    if (existsSync(join(dir, "data/postmaster.pid"))) await (await startEmbedded({ dir })).stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Earlier migrations create an empty database. */
const FIRST_BESIDE_A_SHOP = 2;

test("no migration builds an index or validates a constraint while it locks the table", async () => {
  const paths = [...new Bun.Glob("db/migrations/*.sql").scanSync({ cwd: root })];
  expect(paths.length).toBeGreaterThanOrEqual(FIRST_BESIDE_A_SHOP);
  for (const path of paths) {
    if (Number(/(\d{4})_[^/]*$/.exec(path)![1]) < FIRST_BESIDE_A_SHOP) continue;
    const text = await read(path);
    const made = new Set([...text.matchAll(/create table (?:if not exists )?"?(\w+)/gi)].map(([, name]) => name));
    for (const [statement, table] of text.matchAll(
      /create (?:unique )?index (?!concurrently)[^;]*? on (?:only )?"?(\w+)[^;]*/gi,
    ))
      expect({ path, statement, isNew: made.has(table) }).toMatchObject({ isNew: true });
    for (const [statement, table] of text.matchAll(
      /alter table "?(\w+)"?[^;]*?add constraint(?![^;]*not valid)[^;]*/gi,
    ))
      expect({ path, statement, isNew: made.has(table) }).toMatchObject({ isNew: true });
  }
});
