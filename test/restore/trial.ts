// A rehearsal of the worst day: a shop that archives its WAL sells, loses its disk, and is restored on a new server
// to a moment in the middle. The vendors still know what the shop has forgotten.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { connect, disconnect } from "../../db/connect.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import { migrate } from "../../db/migrate.ts";
import { startVendors, type VendorSimulator } from "../../dev/simulators/vendors/vendors.ts";
import * as vendorStates from "../../src/core/fulfilment/vendors.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { killServer } from "../support/power.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { type Person, populate, TEST_CARD_KEY, TEST_JWT_SECRET, testApp, type World } from "../support/world.ts";

export type RestoreFigures = {
  /** Acknowledged before the restored moment; all of them must exist. */
  before: number;
  missing: number;
  /** Requested after it; none of them may exist. */
  after: number;
  remembered: number;
  /** Dispatches at a vendor of orders that the shop has forgotten: the shop bears them, or asks their agents. */
  forgottenDispatches: number;
  /** Orders that the restored database took for unsent and a vendor already had. */
  sentBeforeTheLoss: number;
  /** Dispatches that reached a vendor twice for one order. */
  sentTwice: number;
  auditExit: number;
  secondsToRestore: number;
  /** The id of the first order after it. */
  firstNewOrder: number;
  lastOldOrder: number;
};

const AGENTS = 8;
const HEAD_START = 40;

/** Does all of it in its own folder, and throws if a step fails. */
export async function runRestoreTrial(progress: (line: string) => void): Promise<RestoreFigures> {
  const dir = fs.mkdtempSync(join(tmpdir(), "restore-"));
  fs.chmodSync(dir, 0o755);
  const place = {
    first: join(dir, "first"),
    archive: join(dir, "archive"),
    base: join(dir, "base"),
    second: join(dir, "second"),
  };
  const vendors = await startVendors({ speed: 60, start: Date.now() });
  vendors.switch({ floats: { datamart: 1e9 }, rate: 1e6, coolDownSeconds: 0 });
  const endings: (() => Promise<unknown>)[] = [];
  try {
    const server = await startArchiving(place.first, place.archive);
    const shop = await openShop(server.url, vendors);
    endings.push(shop.close);
    progress("  a shop with an archive of its WAL sells");
    const selling = sell(shop);
    await selling.until(HEAD_START);
    await takeBase(server.url, join(place.first, "data"), place.base);
    // A password is stored apart from the data.
    fs.copyFileSync(join(place.first, "password"), join(dir, "password"));
    progress("  a base backup was taken while it went on");
    await selling.until(2 * HEAD_START);

    // Orders wait before they are sent, so that some are on their way to the vendor at that moment.
    const known = selling.acknowledged();
    const moment = await momentOf(server.url);
    const beganAfter = selling.requested();
    await selling.until(known.length + 2 * HEAD_START);
    await untilSent(vendors, known.length + HEAD_START);
    await archiveAll(server.url);
    await selling.end();
    const requested = selling.numbers().filter((_, i) => i >= beganAfter);
    await shop.lose();
    killServer(server.pid);
    fs.rmSync(place.first, { recursive: true });
    progress(`  the server and its disk are lost; the moment to go back to is ${moment}`);

    const startedAt = performance.now();
    const restored = await restore(place, moment);
    endings.push(() => restored.stop());
    const audit = run(["src/app/main.ts", "audit"], restored.url);
    const secured = run(["src/app/main.ts", "after-restore"], restored.url);
    if (secured.exitCode !== 0) throw new Error(secured.stderr.toString());
    const secondsToRestore = (performance.now() - startedAt) / 1000;
    for (const line of secured.stdout.toString().trim().split("\n")) progress(`  ${line}`);
    const compared = await compare(restored.url, vendors, known, requested);
    progress(
      `  ${compared.sentBeforeTheLoss} orders seem unsent, but the vendor has them; ` +
        `${compared.forgottenDispatches} dispatches of forgotten orders`,
    );
    const went = await resumeShop(restored.url, vendors, shop);
    return {
      ...compared,
      ...went,
      auditExit: audit.exitCode,
      secondsToRestore,
      before: known.length,
      after: requested.length,
    };
  } finally {
    for (const end of endings.reverse()) await end();
    await vendors.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

// ---------------------------------------------------------------- Postgres

/** A server that archives its WAL segment by segment (https://www.postgresql.org/docs/18/continuous-archiving.html). */
async function startArchiving(dir: string, archive: string) {
  const first = await startEmbedded({ dir });
  const owner = fs.statSync(join(dir, "data"));
  fs.mkdirSync(archive);
  fs.chownSync(archive, owner.uid, owner.gid);
  await ask(first.url, async (client) => {
    await client.unsafe("alter system set archive_mode = on");
    await client.unsafe(`alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`);
  });
  await first.stop();
  const server = await startEmbedded({ dir });
  await migrate(server.url);
  return server;
}

/** The low-level backup: begin, copy everything while the server runs, end, and keep the label that it returns. */
async function takeBase(url: string, data: string, base: string): Promise<void> {
  await ask(url, async (client) => {
    await client`select pg_backup_start('trial', true)`;
    // Files may vanish while they are copied: the WAL makes up for them.
    Bun.spawnSync(["cp", "-a", data, base]);
    const [ended] = await client`select labelfile from pg_backup_stop()`;
    const { uid, gid } = fs.statSync(data);
    fs.writeFileSync(join(base, "backup_label"), ended!.labelfile);
    fs.chownSync(join(base, "backup_label"), uid, gid);
  });
  for (const name of ["postmaster.pid", "postmaster.opts"]) fs.rmSync(join(base, name), { force: true });
  for (const name of fs.readdirSync(join(base, "pg_wal"))) fs.rmSync(join(base, "pg_wal", name), { recursive: true });
}

function momentOf(url: string): Promise<string> {
  return ask(url, async (client) => {
    const [row] = await client`select clock_timestamp()::text as moment`;
    return row!.moment;
  });
}

/** The effect of `archive_timeout` on an ordinary day: the current segment is closed and archived. */
async function archiveAll(url: string): Promise<void> {
  await ask(url, async (client) => {
    const [row] = await client`select pg_walfile_name(pg_switch_wal()) as file`;
    for (;;) {
      const [archiver] = await client`select last_archived_wal >= ${row!.file} as done from pg_stat_archiver`;
      if (archiver!.done) return;
      await Bun.sleep(50);
    }
  });
}

async function restore(place: { base: string; archive: string; second: string; first: string }, moment: string) {
  fs.mkdirSync(place.second);
  fs.chmodSync(place.second, 0o755);
  const data = join(place.second, "data");
  Bun.spawnSync(["cp", "-a", place.base, data]);
  const { uid, gid } = fs.statSync(place.base);
  const put = (file: string, text: string, how: "w" | "a") => {
    fs.writeFileSync(file, text, { flag: how, mode: 0o600 });
    fs.chownSync(file, uid, gid);
  };
  const wishes = [
    `restore_command = 'cp ${place.archive}/%f %p'`,
    `recovery_target_time = '${moment}'`,
    "recovery_target_action = 'promote'",
    // Nobody connects before the target time is reached.
    "hot_standby = off",
    "archive_mode = off",
  ];
  put(join(data, "postgresql.auto.conf"), `${wishes.join("\n")}\n`, "a");
  put(join(data, "recovery.signal"), "", "w");
  fs.copyFileSync(join(place.second, "../password"), join(place.second, "password"));
  // The first start does not wait for the end of recovery; the second does.
  return startEmbedded({ dir: place.second }).catch(() => startEmbedded({ dir: place.second }));
}

async function ask<T>(url: string, question: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await question(client);
  } finally {
    await client.end();
  }
}

// ---------------------------------------------------------------- the shop

type Opened = {
  world: World;
  url: string;
  agents: (Person & { token: string })[];
  productId: number;
  environment: Record<string, string>;
  /** Kills everything. */
  lose: () => Promise<void>;
  close: () => Promise<void>;
};

async function openShop(url: string, vendors: VendorSimulator): Promise<Opened> {
  const db = connect(url, { max: 4 });
  const world = await populate(db, url);
  const { id: productId } = await world.product("MTN", "1GB", "3.90");
  await settings.change(db, {
    by: world.yaw.by("admin"),
    values: { route_mtn: "datamart", dispatch_hold_seconds: 3 },
  });
  const people = await Promise.all(Array.from({ length: AGENTS }, (_, i) => world.person(`agent${i}`, "GH₵ 90000.00")));
  const agents = await Promise.all(people.map(async (person) => ({ ...person, token: await tokenOf(db, person) })));
  const environment = {
    DATAMART_BASE_URL: vendors.settings.datamart.baseUrl,
    DATAMART_API_KEY: vendors.settings.datamart.apiKey,
    HUBNET_API_KEY: "",
    WORKER_POLL_SECONDS: "0.1",
    SWEEP_SECONDS: "1",
  };
  const shop: Shop = await startShop(url, environment);
  return {
    ...{ world, url: shop.url, agents, productId, environment },
    lose: async () => {
      await shop.kill();
      await disconnect(db).catch(() => {});
    },
    close: async () => {
      await shop.kill();
      await disconnect(db).catch(() => {});
    },
  };
}

async function tokenOf(db: World["db"], { id }: Person): Promise<string> {
  const session = crypto.randomUUID();
  await db.execute(
    sql`insert into sessions (id, user_id, expires_at) values (${session}, ${id}, now() + interval '1 hour')`,
  );
  return testApp(db).sign(session);
}

/** Everybody buys until it is stopped. The numbers are in the order of the requests. */
function sell({ url, agents, productId }: Opened) {
  const [numbers, acknowledged]: [string[], { id: number; msisdn: string }[]] = [[], []];
  const state = { isOver: false };
  const seller = async ({ token }: { token: string }) => {
    while (!state.isOver) {
      const msisdn = `0${String(541_000_100 + numbers.length + 100 * Math.floor(numbers.length / 9900))}`;
      numbers.push(msisdn);
      const order = await buy(url, token, { productId, msisdn });
      acknowledged.push({ id: order.id, msisdn });
      await Bun.sleep(20);
    }
  };
  const all = Promise.all(agents.map(seller));
  return {
    numbers: () => [...numbers],
    acknowledged: () => [...acknowledged],
    requested: () => numbers.length,
    until: async (count: number) => {
      while (acknowledged.length < count) await Promise.race([Bun.sleep(20), all]);
    },
    end: async () => {
      state.isOver = true;
      await all;
    },
  };
}

async function buy(url: string, token: string, line: { productId: number; msisdn: string }) {
  const response = await fetch(`${url}/api/v1/orders`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify({ ...line, quantity: 1, pay: "wallet" }),
  });
  const body = await response.json();
  if (response.status !== 201) throw new Error(`a purchase: ${response.status} ${JSON.stringify(body)}`);
  return body as { id: number };
}

async function untilSent(vendors: VendorSimulator, count: number): Promise<void> {
  while (vendors.orders().length < count) await Bun.sleep(50);
}

function run(args: string[], url: string) {
  return Bun.spawnSync([process.execPath, ...args], {
    cwd: join(import.meta.dir, "../.."),
    env: {
      ...process.env,
      NODE_ENV: "development",
      DATABASE_URL: url,
      MIGRATION_DATABASE_URL: "",
      JWT_SECRET: TEST_JWT_SECRET,
      CARD_KEY: TEST_CARD_KEY,
    },
  });
}

// ---------------------------------------------------------------- afterwards

type Compared = Pick<
  RestoreFigures,
  "missing" | "remembered" | "forgottenDispatches" | "sentBeforeTheLoss" | "lastOldOrder"
>;

/** Before anything is sent again: what exists, and what only the vendor has. */
function compare(
  url: string,
  vendors: VendorSimulator,
  known: { id: number; msisdn: string }[],
  requestedAfter: string[],
): Promise<Compared> {
  return ask(url, async (client) => {
    const rows = await client<{ id: number; msisdn: string; is_sent: boolean }[]>`
      select o.id::int, '0' || substr(o.msisdn, 4) as msisdn, exists (
        select from attempts a where a.order_id = o.id and a.sends > 0) as is_sent
      from orders o where o.paid_at is not null`;
    const there = new Map(rows.map((row) => [row.msisdn, row]));
    const sent = new Set(vendors.orders().map(({ phone }) => phone));
    return {
      missing: known.filter(({ id, msisdn }) => there.get(msisdn)?.id !== id).length,
      remembered: requestedAfter.filter((msisdn) => there.has(msisdn)).length,
      forgottenDispatches: [...sent].filter((msisdn) => !there.has(msisdn)).length,
      sentBeforeTheLoss: rows.filter((row) => !row.is_sent && sent.has(row.msisdn)).length,
      lastOldOrder: Math.max(...rows.map(({ id }) => id)),
    };
  });
}

/**
 * Starts the shop on the restored database; an admin resumes the vendor; every known order is delivered once, and
 * sales continue.
 */
async function resumeShop(
  url: string,
  vendors: VendorSimulator,
  { agents, productId, world, environment }: Opened,
): Promise<Pick<RestoreFigures, "sentTwice" | "firstNewOrder">> {
  const shop = await startShop(url, environment);
  const db = connect(url, { max: 2 });
  try {
    const old = await fetch(`${shop.url}/api/v1/auth/me`, {
      headers: { authorization: `Bearer ${agents[0]!.token}` },
    });
    if (old.status !== 401) throw new Error("a session from before the restore still holds");
    await vendorStates.setPause(db, { by: world.yaw.by("admin"), code: "datamart", note: null });
    const { id: firstNewOrder } = await buy(shop.url, await tokenOf(db, agents[0]!), {
      productId,
      msisdn: "0559990123",
    });
    const isOpen = sql`orders o where o.paid_at is not null and o.status <> 'DELIVERED' and o.status <> 'COMPLETED'`;
    while ((await db.$count(isOpen)) > 0) {
      await vendors.advance(30);
      // Status checks become rarer and rarer; nobody waits for them here.
      await db.execute(
        sql`update attempts set due_at = now(), sent_at = sent_at - interval '10 minutes' where ended_at is null`,
      );
      await Bun.sleep(200);
    }
    const dispatches = Map.groupBy(vendors.orders(), ({ phone }) => phone);
    return { firstNewOrder, sentTwice: [...dispatches.values()].filter(({ length }) => length > 1).length };
  } finally {
    await disconnect(db);
    await shop.stop();
  }
}
