// The shop that is recorded: filled once, with a clock that stands still, and copied for whatever changes it, so that
// no request sees what another one did.
import { setSystemTime } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { type PaystackSimulator, startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { keeperOf } from "../../src/core/identity/api-keys.ts";
import { logOf } from "../../src/core/requests/queries.ts";
import { forgetStaff } from "../support/approvals.ts";
import { forgetNumbers } from "../support/asking.ts";
import { OWN_CLOCK, ownClock } from "../support/clock.ts";
import { copyOf, freshDatabase } from "../support/database.ts";
import { makeKey } from "../support/keys.ts";
import { fillShop, ORDINARY, type Used } from "../support/pages.ts";
import { type Client, openApp, type Person, populate, type World } from "../support/world.ts";
import { oneLine } from "./folder.ts";
import { START } from "./scrub.ts";

const MINUTE = 60_000;

/** A copy of the filled shop. */
export type Shop = {
  world: World;
  client: Client;
  /** The same data as a sandbox serves it, once, to a key of its own for the agent. */
  sandbox: (agent: Person) => Promise<{ client: Client; headers: Record<string, string> }>;
  /** Lets the next request be as the first: nothing counts against its budgets. */
  rest: () => Promise<void>;
  /** Lets a second pass, so that what follows happens later. */
  tick: () => Promise<void>;
  /** What was written since the last time for people, programs and the log of changes, a line each. */
  effects: () => Promise<string[]>;
  close: () => Promise<void>;
};

export type Stand = {
  used: Used;
  /** An MTN bundle that nothing else is about. */
  bundleId: number;
  copy: () => Promise<Shop>;
  close: () => Promise<void>;
};

/** Fills a shop and opens it for copies. */
export async function openStand(): Promise<Stand> {
  setSystemTime(START);
  const database = await freshDatabase();
  const ofClock = connect(database.url, { max: 1 });
  await dateMigrations(ofClock);
  const clock = await ownClock(ofClock, { datesPayments: true, stoppedAt: START });
  // The payer decides when a prompt is approved, and here that is never.
  const paystack = await startPaystack({ approveSeconds: 86_400, otpForTelecel: true });
  const db = connect(database.url, { max: 4 });
  const world = await populate(db, database.url);
  const pause = async () => {
    await clock.advance(60);
    setSystemTime(Date.now() + MINUTE);
  };
  const used = await fillShop(world, paystack, ORDINARY, pause);
  const bundle = await world.product("MTN", "4GB", "3.90");
  await pause();
  await Promise.all([disconnect(db), disconnect(ofClock)]);
  const filledMs = Date.now();
  return {
    used,
    bundleId: bundle.id,
    copy: () => {
      setSystemTime(filledMs);
      return openCopy(database.url, paystack);
    },
    close: async () => {
      await paystack.stop();
      await database.drop();
      setSystemTime();
    },
  };
}

/** What the migrations have made is of a month ago, whenever the tests' template was made. */
async function dateMigrations(db: Db): Promise<void> {
  const made = new Date(START.getTime() - 30 * 1_440 * MINUTE).toISOString();
  await db.execute(
    sql.raw(`do $$ declare one record; begin
      set local session_replication_role = replica;
      for one in select c.table_name, c.column_name from information_schema.columns c
                 join information_schema.tables t using (table_schema, table_name)
                 where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
                   and c.data_type = 'timestamp with time zone' loop
        execute format('update %I set %I = %L where %2$I is not null', one.table_name, one.column_name, '${made}');
      end loop;
    end $$`),
  );
}

async function openCopy(url: string, paystack: PaystackSimulator): Promise<Shop> {
  const database = await copyOf(url);
  const own = `${database.url}?search_path=${encodeURIComponent(OWN_CLOCK)}`;
  const db = connect(own, { max: 4 });
  const world = await populate(db, own);
  forgetNumbers();
  forgetStaff();
  // The shop's own keys and requests stand for those of its sandbox, which is another process.
  const sandbox = { otherMode: keeperOf(db, "test"), otherLog: logOf(db) };
  const client = openApp(world, paystack, [], sandbox);
  let seen = await newest(db);
  return {
    world,
    client,
    sandbox: async (agent) => {
      await db.execute(sql`insert into twins (live_user_id, user_id) values (${agent.id}, ${agent.id})`);
      return {
        client: openApp(world, paystack, [], { keyMode: "test", vendorClock: async () => {} }),
        headers: (await makeKey(db, agent.by(), {}, "test")).headers,
      };
    },
    rest: async () => {
      await db.execute(sql`delete from rate_limits`);
      seen = await newest(db);
    },
    tick: async () => {
      await db.execute(sql`update clock.ahead set seconds = seconds + 1`);
      setSystemTime(Date.now() + 1_000);
    },
    effects: async () => {
      const written = await rowsSince(db, seen);
      seen = await newest(db);
      return written;
    },
    close: async () => {
      await client.app.flush();
      await disconnect(db);
      await database.drop();
    },
  };
}

/** Tables with what a change says: to people, to programs, and to those who read the log of changes. */
const REPORTING = ["messages", "hook_deliveries", "audit_log"];

async function newest(db: Db): Promise<number[]> {
  const ids = REPORTING.map((table) => sql`(select coalesce(max(id), 0)::int from ${sql.identifier(table)})`);
  const [row] = await db.execute<{ ids: number[] }>(sql`select array[${sql.join(ids, sql`, `)}] as ids`);
  return row!.ids;
}

async function rowsSince(db: Db, ids: number[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [at, table] of REPORTING.entries()) {
    const rows = await db.execute<{ row: unknown }>(sql`
      select jsonb_strip_nulls(to_jsonb(t)) as row from ${sql.identifier(table)} t where id > ${ids[at]!} order by id`);
    lines.push(...rows.map(({ row }) => `${table} ${oneLine(row)}`));
  }
  return lines;
}
