// Opens the database that a command works on: the one DATABASE_URL names, or an embedded server of our own.
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connect, type Db, disconnect } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { type EmbeddedServer, startEmbedded } from "./server.ts";

export type OpenDatabase = {
  db: Db;
  url: string;
  /** Where it is and how it was found, for people. */
  about: string;
  /** Ends the pool, and the embedded server too unless somebody else is using it; until then that one is kept alive. */
  close: () => Promise<void>;
};

/** Starts or finds the server, brings the schema up to date and connects. */
export async function openDatabase(options: {
  databaseUrl: string | null;
  dataDir: string;
  pool?: number;
  prepare?: boolean;
}): Promise<OpenDatabase> {
  const dir = join(options.dataDir, "postgres");
  const embedded = options.databaseUrl === null ? await startEmbedded({ dir }) : null;
  const url = options.databaseUrl ?? embedded!.url;
  await migrate(url);
  const keeper = embedded && keepRunning(dir, embedded);
  const db = connect(url, { max: options.pool ?? 16, prepare: options.prepare ?? true });
  return {
    db,
    url,
    about: embedded ? aboutEmbedded(embedded, dir) : aboutUrl(url),
    close: async () => {
      await close(db, await keeper?.stop());
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
  const end = Promise.withResolvers<"ended">();
  const isOver = async () => (await Promise.race([Bun.sleep(LOOK_MS), end.promise])) === "ended";
  const watch = async () => {
    while (!(await isOver())) {
      if (await accepts(hostname, Number(port))) continue;
      // Whatever stands in the way is told to those who ask the database; the next look may find it gone.
      server = await startEmbedded({ dir }).catch(() => server);
    }
    return server;
  };
  const watching = watch();
  return {
    stop: () => {
      end.resolve("ended");
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

async function close(db: Db, embedded: EmbeddedServer | undefined): Promise<void> {
  const [others] = embedded
    ? await db
        .execute<{ count: number }>(
          sql`select count(distinct client_port) as count from pg_stat_activity
              where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> ${ownName}`,
        )
        .catch(() => [{ count: 0 }])
    : [{ count: 1 }];
  await disconnect(db);
  if (others!.count === 0) await embedded?.stop();
}

const ownName = `datafie ${process.pid}`;
