// The measured shop: its own durable server, databases created for each run, ten thousand agents with money and a
// session each, and all products.
import { join } from "node:path";
import postgres from "postgres";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import { migrate } from "../../db/migrate.ts";
import { BUNDLES_ON_SALE } from "../../dev/seed/bundles.ts";
import { parseCedis } from "../../src/shared/money.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { testApp } from "../support/world.ts";

export const AGENTS = 10_000;

export type BenchServer = {
  /** Recreates a database with the latest schema and returns its address. */
  database: (name: string) => Promise<string>;
  /** Connections left for clients besides the shop's own. */
  spareConnections: number;
  /** The server's description, for the report. */
  facts: Record<"version" | "fsync" | "shared_buffers" | "max_wal_size", string>;
  /** Drops the databases, and stops the server if it was started for this run. */
  close: () => Promise<void>;
};

/** The embedded server with its own data folder, or the one that BENCH_DATABASE_URL names. */
export async function openServer(): Promise<BenchServer> {
  const given = process.env.BENCH_DATABASE_URL;
  const dir = join(import.meta.dir, "../../.data/bench");
  const embedded = given ? null : await startEmbedded({ dir, durable: true, database: "postgres" });
  const url = given ?? embedded!.url;
  const sql = postgres(withDatabase(url, "postgres"), { max: 1, onnotice: () => {} });
  const setting = async (name: string) => {
    const [row] = await sql`select current_setting(${name}) as value`;
    return String(row!.value);
  };
  const made: string[] = [];
  return {
    facts: {
      version: await setting("server_version"),
      fsync: await setting("fsync"),
      shared_buffers: await setting("shared_buffers"),
      max_wal_size: await setting("max_wal_size"),
    },
    // The shop's pool has 16, the bench itself uses 4, and a few are reserved for superusers.
    spareConnections: Number(await setting("max_connections")) - 24,
    database: async (name) => {
      await sql.unsafe(`drop database if exists ${name} with (force)`);
      await sql.unsafe(`create database ${name}`);
      made.push(name);
      await migrate(withDatabase(url, name));
      return withDatabase(url, name);
    },
    close: async () => {
      for (const name of made) await sql.unsafe(`drop database if exists ${name} with (force)`);
      await sql.end({ timeout: 5 });
      if (embedded && embedded.origin !== "adopted") await embedded.stop();
    },
  };
}

export type BenchShop = {
  db: Db;
  url: string;
  /** The agents' ids are consecutive; the last is the one whose wallet everybody uses in the hot case. */
  firstAgentId: number;
  hotAgentId: number;
  productIds: number[];
  /** A bearer token for each agent, in the order of their ids; the last is the hot one's. */
  tokens: string[];
  close: () => Promise<void>;
};

/** Fills a database with agents (one more than requested: the hot one), money, sessions and products. */
export async function openShop(url: string, agents: number): Promise<BenchShop> {
  const db = connect(url, { max: 4, statementTimeoutMs: 600_000 });
  const sql = db.$client;
  await addProducts(db);
  await sql`
    insert into users (username, email, password_hash)
    select 'agent-' || n, 'agent-' || n || '@example.com', '' from generate_series(1, ${agents + 1}::int) n`;
  await sql`
    insert into sessions (id, user_id, expires_at) select gen_random_uuid(), id, now() + interval '1 day' from users`;
  await fillWallets(db);
  // Not the empty tables: Postgres would assume that they stay that small.
  await sql`vacuum analyze users, sessions, wallets, products, transfers`;
  const sessions = await sql<{ id: string; user_id: number }[]>`select id, user_id from sessions order by user_id`;
  const products = await sql<{ id: number }[]>`select id from products order by id`;
  const sign = signer(db);
  return {
    db,
    url,
    firstAgentId: sessions[0]!.user_id,
    hotAgentId: sessions.at(-1)!.user_id,
    productIds: products.map((product) => product.id),
    tokens: await Promise.all(sessions.map((session) => sign(session.id))),
    close: () => disconnect(db),
  };
}

/** Gives everybody without a wallet ten million cedis. */
export async function fillWallets(db: Db): Promise<void> {
  await db.$client`
    with given as (
      insert into adjustments (user_id, amount_pesewas, reason)
      select id, 1000000000000, 'Money for measuring' from users
      where id not in (select user_id from wallets) order by id returning id, user_id, amount_pesewas),
    filled as (insert into wallets (user_id, balance_pesewas) select user_id, amount_pesewas from given)
    insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
    select user_id, 'adjustments', 'wallet', amount_pesewas, 'adjustment', id, amount_pesewas from given`;
}

export async function addProducts(db: Db): Promise<void> {
  const rows = BUNDLES_ON_SALE.flatMap(({ operator, name, sizes }) =>
    Object.entries(sizes).map(([size, price]) => ({
      operator,
      name,
      size,
      volume_mb: Number.parseInt(size, 10) * 1000,
      price_pesewas: parseCedis(price)!,
    })),
  );
  await db.$client`insert into products ${db.$client(rows)}`;
}

/** Tokens are signed by the application itself, so that it accepts them. */
function signer(db: Db): (sessionId: string) => Promise<string> {
  return testApp(db, { log: createLog("fatal"), baseUrl: null }).sign;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
