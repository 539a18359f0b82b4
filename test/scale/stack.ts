// A shop as it runs on several machines, all on this one: Postgres, PgBouncer in transaction mode, separate servers
// and workers, and the proxy in front, with the files of deploy/ that a real one uses.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { loginAppRole } from "../../db/app-role.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import { migrate } from "../../db/migrate.ts";
import type { BenchServer } from "../bench/world.ts";
import { freePort, freePorts, type Shop, startShop } from "../support/shop.ts";

const root = join(import.meta.dir, "../..");
/** The proxy's own address, to distinguish it from the clients, which are on this machine as well. */
const PROXY_ADDRESS = "127.0.0.9";
const ADMIN = { email: "yaw@example.com", password: "correct horse battery" };

export type Member = {
  name: string;
  /** Its own address, bypassing the proxy; empty for a worker. */
  url: string;
  /** Sends SIGTERM, waits for the exit, restarts it, and waits until it is ready. Throws unless it exits with 0. */
  restart: () => Promise<void>;
  output: () => string;
  pid: () => number;
};

export type Stack = {
  /** The address of the proxy. */
  url: string;
  servers: Member[];
  workers: Member[];
  /** The owner's connection to the database, bypassing the pooler. */
  ownerUrl: string;
  /** The shop's connection. */
  pooledUrl: string;
  admin: typeof ADMIN;
  about: string;
  facts: BenchServer["facts"];
  /** The memory of each process of the shop, the pooler and the proxy. */
  memory: () => { name: string; megabytes: number }[];
  /** Kills PgBouncer (SIGKILL), and restarts it after `awayMs`. */
  killPooler: (awayMs: number) => Promise<void>;
  close: () => Promise<void>;
};

/** The required programs that are missing, as a message; null if all are installed. */
export function missingPrograms(): string | null {
  const missing = [
    [pgbouncer(), "pgbouncer"],
    [haproxy(), "haproxy"],
  ].flatMap(([path, name]) => (path ? [] : [name]));
  if (missing.length === 0) return null;
  return `This needs ${missing.join(" and ")}: apt-get install -y ${missing.join(" ")}, or name the program in ${missing
    .map((name) => name!.toUpperCase())
    .join(" and ")}.`;
}

/** Starts everything and waits until the proxy has a server to use. */
export async function startStack(options: {
  servers: number;
  workers: number;
  drainSeconds: number;
  /** For every process of the shop. */
  environment: Record<string, string>;
}): Promise<Stack> {
  const dir = mkdtempSync(join(tmpdir(), "scale-"));
  // Postgres and PgBouncer do not run as root, and need access here.
  chmodSync(dir, 0o755);
  const endings: (() => Promise<unknown>)[] = [async () => rmSync(dir, { recursive: true, force: true })];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const server = await startEmbedded({ dir: join(dir, "postgres"), database: "postgres" });
    endings.push(() => server.stop());
    const { ownerUrl, facts } = await makeDatabase(server.url);
    const pooler = await startPooler(dir, await loginAppRole(ownerUrl));
    endings.push(() => pooler.stop());
    const environment = {
      NODE_ENV: "production",
      BASE_URL: "https://shop.example",
      HOSTS: "127.0.0.1",
      DATABASE_URL: pooler.url,
      DATABASE_PREPARE: String(pooler.canPrepare),
      // Only the migration, which is done, runs as the owner.
      MIGRATION_DATABASE_URL: "",
      PAYSTACK_SECRET_KEY: "sk_live_nobody_answers",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      TRUSTED_PROXIES: PROXY_ADDRESS,
      DRAIN_SECONDS: String(options.drainSeconds),
      ...options.environment,
    };
    const startOne = async (name: string, port: number, extra: Record<string, string>) => {
      const member = await startMember(name, port, pooler.url, { ...environment, ...extra });
      endings.push(member.stop);
      return member;
    };
    const ports = freePorts(options.servers).map(Number);
    const servers = await Promise.all(
      ports.map((port, i) => startOne(`server ${i + 1}`, port, { RUN: "server", PORT: String(port) })),
    );
    const workers = await Promise.all(
      Array.from({ length: options.workers }, (_, i) => startOne(`worker ${i + 1}`, 0, { RUN: "worker" })),
    );
    const proxy = await startProxy(dir, ports);
    endings.push(proxy.stop);
    return {
      ...{ url: proxy.url, servers, workers, ownerUrl, pooledUrl: pooler.url, admin: ADMIN, close },
      about: `Postgres, ${pooler.about}, ${options.servers} servers, ${options.workers} workers, ${proxy.about}`,
      facts,
      memory: () => [
        ...[...servers, ...workers].map(({ name, pid }) => ({ name, megabytes: megabytesOf(pid()) })),
        { name: "PgBouncer", megabytes: megabytesOf(pooler.pid()) },
        { name: "HAProxy", megabytes: megabytesOf(proxy.pid) },
      ],
      killPooler: pooler.kill,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeDatabase(serverUrl: string): Promise<Pick<Stack, "ownerUrl" | "facts">> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe("create database scale");
  const setting = async (name: string) => String((await sql`select current_setting(${name}) as value`)[0]!.value);
  const facts = {
    version: await setting("server_version"),
    fsync: await setting("fsync"),
    shared_buffers: await setting("shared_buffers"),
    max_wal_size: await setting("max_wal_size"),
  };
  await sql.end();
  const url = new URL(serverUrl);
  url.pathname = "/scale";
  await migrate(url.href);
  return { ownerUrl: url.href, facts };
}

type Ended = { stop: () => Promise<void> };
type Pooler = Ended & {
  url: string;
  about: string;
  canPrepare: boolean;
  pid: () => number;
  kill: (awayMs: number) => Promise<void>;
};

const pgbouncer = () => process.env.PGBOUNCER ?? Bun.which("pgbouncer", { PATH: PATHS });
const haproxy = () => process.env.HAPROXY ?? Bun.which("haproxy", { PATH: PATHS });
/** Debian keeps such programs outside ordinary users' path. */
const PATHS = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

async function startPooler(dir: string, appUrl: string): Promise<Pooler> {
  const program = pgbouncer()!;
  const version = /PgBouncer (\d+\.\d+)/.exec(Bun.spawnSync([program, "--version"]).stdout.toString())![1]!;
  const canPrepare = Number(version.split(".")[1]) >= 21;
  const { hostname, port: serverPort, username, password } = new URL(appUrl);
  const port = Number(freePort());
  const shipped = readFileSync(join(root, "deploy/pgbouncer.ini"), "utf8");
  writeFileSync(join(dir, "userlist.txt"), `"${username}" "${password}"\n`);
  const database = `scale = host=${hostname} port=${serverPort} dbname=scale`;
  const ini = [
    shipped
      .replace("[databases]", `[databases]\n${database}`)
      .replace(/^max_prepared_statements.*$/m, canPrepare ? "$&" : ""),
    // Within a section, later lines win.
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, `auth_file = ${join(dir, "userlist.txt")}`],
    ...(process.getuid?.() === 0 ? ["user = nobody"] : []),
  ].join("\n");
  writeFileSync(join(dir, "pgbouncer.ini"), ini);
  const start = async () => {
    const child = Bun.spawn([program, join(dir, "pgbouncer.ini")], { stdout: "ignore", stderr: "pipe" });
    await untilListening(port, child);
    return child;
  };
  let child = await start();
  const url = new URL(appUrl);
  url.port = String(port);
  return {
    url: url.href,
    about: `PgBouncer ${version} in transaction mode${canPrepare ? "" : " (without prepared statements)"}`,
    canPrepare,
    pid: () => child.pid,
    kill: async (awayMs) => {
      child.kill("SIGKILL");
      await child.exited;
      await Bun.sleep(awayMs);
      child = await start();
    },
    stop: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function startMember(
  name: string,
  port: number,
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<Member & Ended> {
  const start = () => startShop(databaseUrl, environment);
  let shop: Shop = await start();
  const url = port === 0 ? "" : `http://127.0.0.1:${port}`;
  const stopInOrder = async () => {
    const code = await shop.stop();
    if (code !== 0) throw new Error(`${name} ended with ${code}; it said:\n${shop.output()}`);
  };
  return {
    name,
    url,
    // Its clean exit was checked at its restart.
    stop: () => shop.kill(),
    output: () => shop.output(),
    pid: () => shop.pid,
    restart: async () => {
      await stopInOrder();
      shop = await start();
      while (url !== "" && !(await isReady(url))) await Bun.sleep(50);
    },
  };
}

async function startProxy(dir: string, ports: number[]): Promise<Ended & { url: string; about: string; pid: number }> {
  const port = Number(freePort());
  const shipped = readFileSync(join(root, "deploy/haproxy.cfg"), "utf8");
  // Fewer servers than the file lists: the others are missing, as after a lost machine.
  const config = shipped.replace(/^(backend \w+)$/gm, `$1\n  source ${PROXY_ADDRESS}`);
  writeFileSync(join(dir, "haproxy.cfg"), config);
  const at = (index: number) => `127.0.0.1:${ports[index] ?? 1}`;
  const child = Bun.spawn([haproxy()!, "-db", "-f", join(dir, "haproxy.cfg")], {
    env: {
      ...process.env,
      SHOP_BIND: `127.0.0.1:${port}`,
      ...{ SERVER_ONE: at(0), SERVER_TWO: at(1), SERVER_THREE: at(2) },
    },
    stdout: "ignore",
    stderr: "pipe",
  });
  await untilListening(port, child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) await Bun.sleep(50);
  const version = Bun.spawnSync([haproxy()!, "-v"]).stdout.toString();
  return {
    url,
    pid: child.pid,
    about: `HAProxy ${/version (\d+\.\d+)/.exec(version)![1]}`,
    stop: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

type Child = Bun.Subprocess<"ignore", "ignore", "pipe">;

async function untilListening(port: number, child: Child): Promise<void> {
  for (;;) {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).catch(() => null);
    if (socket) return void socket.end();
    if (child.exitCode !== null) throw new Error(`it ended at its start:\n${await new Response(child.stderr).text()}`);
    await Bun.sleep(20);
  }
}

/** The memory that a process would free by exiting: shared pages count in part. Linux only. */
function megabytesOf(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))![1]!;
  return Number(kilobytes) / 1024;
}
