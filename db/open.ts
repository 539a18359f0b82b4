// Opens the database of a command: the one in DATABASE_URL, or the embedded server.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { admitToAppRole, connectAsApp, hasTimeLimits, loginAppRole } from "./app-role.ts";
import { connect, type Db, disconnect } from "./connect.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded-server.ts";
import { migrate } from "./migrate.ts";

export type OpenDatabase = {
  /** Acts as the app role, which can change rows but not the ledger. */
  db: Db;
  /** False when the role could not be assumed: `db` then acts as the user of DATABASE_URL. */
  isRestricted: boolean;
  /** False when no time limits are in force, because a pooler dropped them. */
  isLimited: boolean;
  /** Runs `work` as the owner of the tables, on connections that are closed afterwards. */
  asOwner: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** Where it is and how it was found, for the log. */
  about: string;
  /** Ends the pool, and the embedded server too unless another process uses it. */
  close: () => Promise<void>;
};

/**
 * Starts or finds the server, brings the schema up to date and connects. Throws when the schema cannot be brought up to
 * date; an embedded server is then stopped, unless another process uses it.
 */
export async function openDatabase(options: {
  databaseUrl: string | null;
  /** For migrations; by default `databaseUrl`. */
  ownerUrl?: string | null;
  dataDir: string;
  pool?: number;
  prepare?: boolean;
}): Promise<OpenDatabase> {
  const dir = join(options.dataDir, "postgres");
  const embedded = options.databaseUrl === null ? await startEmbedded({ dir }) : null;
  const ownerUrl = options.ownerUrl ?? options.databaseUrl ?? embedded!.url;
  const limits = { max: options.pool ?? 16, prepare: options.prepare ?? true };
  const asOwner = async <T>(work: (owner: Db) => Promise<T>) => {
    const owner = connect(ownerUrl, { ...limits, max: 4 });
    return work(owner).finally(() => disconnect(owner));
  };
  const stopUnused = async (server?: EmbeddedServer | null) => {
    if (server && !(await asOwner(isUsed).catch(() => false))) await server.stop();
  };
  try {
    await migrate(ownerUrl, embedded ? { ifUnreleased: deletionOf(dir, embedded) } : {});
  } catch (error) {
    await stopUnused(embedded);
    throw error;
  }
  const url = options.databaseUrl ?? (await loginAppRole(ownerUrl));
  if (!embedded) await admitToAppRole(ownerUrl, url);
  const keeper = embedded && keepRunning(dir, embedded);
  const { db, isRestricted } = await connectAsApp(url, limits);
  const isLimited = await hasTimeLimits(db);
  return {
    db,
    isRestricted,
    isLimited,
    asOwner,
    about: embedded ? aboutEmbedded(embedded, dir) : aboutUrl(url),
    close: async () => {
      const server = await keeper?.stop();
      await disconnect(db);
      await stopUnused(server);
    },
  };
}

/** What to delete for an empty database; the server is stopped by then. */
function deletionOf(dir: string, { home }: EmbeddedServer): string {
  const folders = home === realpathSync(dir) ? dir : `${dir} and ${home}`;
  return `Delete ${folders} to begin with a new demonstration shop.`;
}

const FOUND: Record<EmbeddedServer["origin"], string> = {
  created: "made new",
  started: "started",
  adopted: "found running",
  recovered: "recovered after a crash",
};

function aboutEmbedded(server: EmbeddedServer, dir: string): string {
  return `embedded Postgres in ${dir} (${FOUND[server.origin]})`;
}

function aboutUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `Postgres at ${host}${pathname}`;
}

const WATCH_MS = 1000;

/**
 * Restarts the server when it has been killed, on the port that the pool knows. `stop` ends the watch and returns the
 * current server.
 */
function keepRunning(dir: string, first: EmbeddedServer): { stop: () => Promise<EmbeddedServer> } {
  const { hostname, port } = new URL(first.url);
  let server = first;
  let isOver = false;
  let endPause = () => {};
  // A pause leaves nothing in memory when it ends, because this runs as long as the shop does.
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, WATCH_MS);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const watch = async () => {
    while (!isOver) {
      await pause();
      if (isOver || (await accepts(hostname, Number(port)))) continue;
      // Users of the database get the error; the next round tries again.
      server = await startEmbedded({ dir }).catch(() => server);
    }
    return server;
  };
  const watcher = watch();
  return {
    stop: () => {
      isOver = true;
      endPause();
      return watcher;
    },
  };
}

/** Whether something listens there. Postgres tolerates connections that send nothing. */
async function accepts(hostname: string, port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname, port, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}

/** Whether another process uses the server. As the owner, because others do not see all connections. */
async function isUsed(owner: Db): Promise<boolean> {
  const [others] = await owner.execute<{ count: number }>(
    sql`select count(distinct client_port) as count from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> ${ownName}`,
  );
  return others!.count > 0;
}

const ownName = `datafie ${process.pid}`;
