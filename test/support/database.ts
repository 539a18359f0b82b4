// A database for each test file: cloned from a template that is migrated once.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbedded } from "../../db/embedded-server.ts";
import { migrate } from "../../db/migrate.ts";

const root = join(import.meta.dir, "../..");
const TEMPLATE_LOCK = 7_265_105;
/** Memory that Linux lends as a folder. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;

export type TestDatabase = { url: string; drop: () => Promise<void> };

/**
 * Clones the template under a new name. Copying its files takes half as long as Postgres's default, which writes each
 * of their pages to the log.
 */
export async function freshDatabase(): Promise<TestDatabase> {
  prepared ??= prepareServer();
  const { serverUrl, template } = await prepared;
  return clone(serverUrl, template);
}

/** Clones a database to which nobody is connected at that moment. */
export function copyOf(url: string): Promise<TestDatabase> {
  return clone(url, new URL(url).pathname.slice(1));
}

async function clone(serverUrl: string, template: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  await administer(serverUrl, (sql) => sql.unsafe(`create database ${name} template ${template} strategy file_copy`));
  return {
    url: withDatabase(serverUrl, name),
    drop: () => administer(serverUrl, (sql) => sql.unsafe(`drop database ${name} with (force)`)),
  };
}

/**
 * Where the tests of the project in this folder keep their server: in memory where there is room for it, as a database
 * is 700 files, and a run makes and drops some two hundred. The server outlives the run there too, with some 200 MB.
 */
export function serverDir(project: string): string {
  const dir = join(MEMORY, `datafie-test-${process.getuid?.()}-${Bun.hash(project).toString(36)}`);
  if (existsSync(dir)) return dir;
  const hasRoom = existsSync(MEMORY) && roomIn(MEMORY) >= ROOM_BYTES;
  return hasRoom ? dir : join(project, ".data/test");
}

type Prepared = { serverUrl: string; template: string };

/** Once per process, which runs many files. */
let prepared: Promise<Prepared> | undefined;

/** The server is the embedded one, without fsync, or TEST_DATABASE_URL's. */
async function prepareServer(): Promise<Prepared> {
  const serverUrl =
    process.env.TEST_DATABASE_URL ??
    (await startEmbedded({ dir: serverDir(root), durable: false, database: "postgres" })).url;
  return { serverUrl, template: await ensureTemplate(serverUrl) };
}

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The template's name has a digest of the migrations and of the role's rights, so that a change makes a new one. */
async function ensureTemplate(serverUrl: string): Promise<string> {
  const folder = join(root, "db/migrations");
  const digest = createHash("sha256");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const file of ["meta/_journal.json", ...files.sort()]) digest.update(readFileSync(join(folder, file)));
  digest.update(readFileSync(join(root, "db/app-role.ts")));
  const name = `template_${digest.digest("hex").slice(0, 16)}`;
  await administer(serverUrl, async (sql) => {
    await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const [existing] = await sql`select 1 from pg_database where datname = ${name} and datistemplate`;
    if (existing) return;
    // An unfinished one is not marked as a template yet.
    await sql.unsafe(`drop database if exists ${name}`);
    await sql.unsafe(`create database ${name}`);
    await migrate(withDatabase(serverUrl, name));
    await sql.unsafe(`alter database ${name} is_template true`);
  });
  return name;
}

async function administer(serverUrl: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(withDatabase(serverUrl, "postgres"), { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
