// Opens the database that a command works on: the one DATABASE_URL names, or an embedded server of our own.
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { admitToAppRole, connectAsApp, hasTimeLimits, loginAppRole } from "./app-role.ts";
import { connect, type Db, disconnect } from "./connect.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded-server.ts";
import { migrate } from "./migrate.ts";

export type OpenDatabase = {
  /** Acts as the app's role, which can change rows and no ledger. */
  db: Db;
  /** False where the role could not be had: `db` then acts as whoever DATABASE_URL names. */
  isRestricted: boolean;
  /** False where no time limits hold, because a pooler swallowed them. */
  isLimited: boolean;
  /** Does `work` as the owner of the tables, on connections that are closed after it. */
  asOwner: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** Where it is and how it was found, for people. */
  about: string;
  /** Ends the pool, and the embedded server too unless somebody else is using it; until then that one is kept alive. */
  close: () => Promise<void>;
};

/** Starts or finds the server, brings the schema up to date and connects. */
export async function openDatabase(options: {
  databaseUrl: string | null;
  /** Whom migrations run as; without it, the user of `databaseUrl`. */
  ownerUrl?: string | null;
  dataDir: string;
  pool?: number;
  prepare?: boolean;
}): Promise<OpenDatabase> {
  const dir = join(options.dataDir, "postgres");
  const embedded = options.databaseUrl === null ? await startEmbedded({ dir }) : null;
  const ownerUrl = options.ownerUrl ?? options.databaseUrl ?? embedded!.url;
  await migrate(ownerUrl);
  const url = options.databaseUrl ?? (await loginAppRole(ownerUrl));
  if (!embedded) await admitToAppRole(ownerUrl, url);
  const keeper = embedded && keepRunning(dir, embedded);
  const limits = { max: options.pool ?? 16, prepare: options.prepare ?? true };
  const { db, isRestricted } = await connectAsApp(url, limits);
  const isLimited = await hasTimeLimits(db);
  const asOwner = async <T>(work: (owner: Db) => Promise<T>) => {
    const owner = connect(ownerUrl, { ...limits, max: 4 });
    return work(owner).finally(() => disconnect(owner));
  };
  return {
    db,
    isRestricted,
    isLimited,
    asOwner,
    about: embedded ? aboutEmbedded(embedded, dir) : aboutUrl(url),
    close: async () => {
      const server = await keeper?.stop();
      await disconnect(db);
      if (server && !(await asOwner(isUsed).catch(() => false))) await server.stop();
    },
  };
}

const FOUND: Record<EmbeddedServer["origin"], string> = {
  created: "made new",
  started: "started",
  adopted: "found running",
  recovered: "recovered after it had been stopped hard",
};

function aboutEmbedded(server: EmbeddedServer, dir: string): string {
  return `embedded Postgres in ${dir} (${FOUND[server.origin]})`;
}

function aboutUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `Postgres at ${host}${pathname}`;
}

const LOOK_MS = 1000;

/**
 * Starts the server again when it has been killed, on the port that the pool knows. `stop` ends the watch and returns
 * the server as it is then.
 */
function keepRunning(dir: string, first: EmbeddedServer): { stop: () => Promise<EmbeddedServer> } {
  const { hostname, port } = new URL(first.url);
  let server = first;
  let isOver = false;
  let endPause = () => {};
  // Nothing of a pause is left when it is over: this goes on for as long as the shop does.
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const watch = async () => {
    while (!isOver) {
      await pause();
      if (isOver || (await accepts(hostname, Number(port)))) continue;
      // Whatever stands in the way is told to those who ask the database; the next look may find it gone.
      server = await startEmbedded({ dir }).catch(() => server);
    }
    return server;
  };
  const watching = watch();
  return {
    stop: () => {
      isOver = true;
      endPause();
      return watching;
    },
  };
}

/** Whether anybody listens there. Postgres does not mind a visitor who says nothing. */
async function accepts(hostname: string, port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname, port, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}

/** Whether somebody else works with the server. The owner asks: others are not shown who is there. */
async function isUsed(owner: Db): Promise<boolean> {
  const [others] = await owner.execute<{ count: number }>(
    sql`select count(distinct client_port) as count from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> ${ownName}`,
  );
  return others!.count > 0;
}

const ownName = `datafie ${process.pid}`;
