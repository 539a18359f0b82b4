// The tortured shop: its own Postgres, two servers and two workers as real processes, and the providers in this one.
// Everything can be killed without warning and restarted; a movable clock saves the waiting.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import { migrate } from "../../db/migrate.ts";
import { type AfricasTalkingSimulator, startAfricasTalking } from "../../dev/simulators/africastalking.ts";
import { startMailbox } from "../../dev/simulators/mailbox.ts";
import { type PaystackSimulator, startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { startVendors, type VendorSimulator } from "../../dev/simulators/vendors/vendors.ts";
import * as vendorEvents from "../../src/core/fulfilment/vendor-webhooks.ts";
import { addressOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { equipPhone } from "../channels/dialling.ts";
import { times } from "../support/asking.ts";
import { ownClock } from "../support/clock.ts";
import { killServer } from "../support/power.ts";
import { freePorts, type Shop, startShop } from "../support/shop.ts";
import { type Person, populate, TEST_JWT_SECRET, type World } from "../support/world.ts";

export type Bundle = { id: number; pricePesewas: number };
/** A buyer: `msisdn` is the phone that they dial from. */
export type Agent = Person & { msisdn: string; openingPesewas: number };

export type Rig = {
  db: Db;
  /** The same database, read-only. */
  lookUrl: string;
  admin: Person;
  agents: Agent[];
  /** In the order of creation, by which a phone numbers them. */
  bundles: Bundle[];
  servers: Program[];
  workers: Program[];
  paystack: PaystackSimulator;
  vendors: VendorSimulator;
  sms: AfricasTalkingSimulator;
  /** The address of one of the servers for a phone's session. */
  ussdUrl: (server: Program) => string;
  /** How far the clocks were moved. */
  aheadSeconds: () => number;
  /** Lets time pass, for the shop and the providers. Does nothing while the database is away. */
  advance: (seconds: number) => Promise<void>;
  /** Kills Postgres with all its children, and restarts it. */
  killPostgres: () => Promise<void>;
  /** Kills every process of the shop and its Postgres at the same moment, and restarts them. */
  cutPower: () => Promise<void>;
  /** Every process runs, and no provider is broken. */
  repair: () => Promise<void>;
  close: () => Promise<void>;
};

/** A process of the shop that keeps its port across restarts. */
export type Program = {
  name: string;
  url: string;
  kill: () => Promise<void>;
  /** Asks it to stop, and restarts it. Throws unless it exits with 0. */
  restart: () => Promise<void>;
  /** Freezes it for this long. */
  freeze: (ms: number) => Promise<void>;
  ensure: () => Promise<void>;
  stop: () => Promise<number>;
};

const DIR = join(import.meta.dir, "../../.data/torture");
/** The password of all agents. */
export const PIN = "830241";
const PAYSTACK_KEY = "sk_test_torture";
const SERVERS = 2;
const WORKERS = 2;
/** In turn: agents who run out of money, who hardly do, and who never do. */
const OPENING = ["GH₵ 60.00", "GH₵ 900.00", "GH₵ 40000.00"];
const BUNDLES = [
  ["1GB", "4.50"],
  ["2GB", "8.90"],
  ["5GB", "20.90"],
] as const;

/** Opens a shop with people, money and products; `root` is the folder of the program to torture. */
export async function openRig(ask: { agents: number; seed: number; root?: string }): Promise<Rig> {
  const start = () => startEmbedded({ dir: DIR, durable: true, database: "postgres" });
  let server = await start();
  const name = `torture_${process.pid}_${ask.seed}`;
  const url = await makeDatabase(server.url, name);
  const db = connect(url, { max: 6 });
  const world = await populate(db, url);
  const bundles: Bundle[] = [];
  for (const [size, price] of BUNDLES) {
    const { id, pricePesewas } = await world.product("MTN", size, price);
    bundles.push({ id, pricePesewas });
  }
  const agents = await Promise.all(times(ask.agents, (n) => openAgent(world, n)));
  await settings.change(db, {
    by: world.yaw.by("admin"),
    values: {
      route_mtn: "datamart,hubnet",
      dispatch_hold_seconds: 20,
      refund_promise_minutes: 240,
      complete_after_seconds: 120,
      // Longer than the delivery promise, so that an open batch outlives it.
      desk_batch_minutes: 300,
      desk_undo_seconds: 10,
    },
  });
  const clock = await ownClock(db);
  let aheadMs = 0;
  const paystack = await startPaystack({
    secretKey: PAYSTACK_KEY,
    autoDeliverMs: 5,
    speed: 12_000,
    clock: () => new Date(Date.now() + aheadMs),
  });
  const vendors = await startVendors({ seed: String(ask.seed), start: Date.now() });
  const [sms, mailbox] = await Promise.all([startAfricasTalking(), startMailbox()]);
  const ports = freePorts(SERVERS);
  const environment = {
    ...environmentFor(paystack, vendors, ports[0]!),
    ...{ AT_BASE_URL: sms.url, AT_USERNAME: sms.username, AT_API_KEY: sms.apiKey, SMTP_URL: mailbox.url },
  };
  const servers = ports.map((port, n) =>
    program(`server ${n + 1}`, url, { ...environment, RUN: "server", PORT: port }, ask.root),
  );
  const workers = times(WORKERS, (n) => program(`worker ${n + 1}`, url, { ...environment, RUN: "worker" }, ask.root));
  await Promise.all([...servers, ...workers].map((one) => one.ensure()));
  paystack.sendWebhooksTo(`${servers[0]!.url}/webhooks/paystack`);
  vendors.switch({
    floats: { datamart: 1e10, hubnet: 1e10 },
    // The clocks run too fast for calls to keep up: each vendor's rate has its own test.
    rate: 1e6,
    coolDownSeconds: 0,
    webhookUrls: { datamart: vendorEvents.addressOf(servers[1]!.url, TEST_JWT_SECRET, "datamart") },
  });
  const secrets = secretsOf([], TEST_JWT_SECRET);
  const everything = [...servers, ...workers];
  const bringUp = async () => {
    server = await start();
  };
  return {
    ...{ db, lookUrl: url, admin: world.yaw, agents, bundles, servers, workers, paystack, vendors, sms },
    ussdUrl: (at) => addressOf(at.url, secrets, "ussd")!,
    aheadSeconds: () => aheadMs / 1000,
    advance: async (seconds) => {
      const isThere = await clock.advance(seconds).then(
        () => true,
        () => false,
      );
      if (!isThere) return;
      aheadMs += seconds * 1000;
      await vendors.advance(seconds);
    },
    killPostgres: async () => {
      killServer(server.pid);
      await bringUp();
    },
    cutPower: async () => {
      killServer(server.pid);
      await Promise.all(everything.map((one) => one.kill()));
      await bringUp();
      await Promise.all(everything.map((one) => one.ensure()));
    },
    repair: async () => {
      await bringUp();
      await Promise.all(everything.map((one) => one.ensure()));
      // The shop checks everything itself, which is faster than webhooks one by one.
      vendors.switch({ webhooks: false });
    },
    close: async () => {
      const codes = await Promise.all(everything.map((one) => one.stop()));
      await Promise.all([paystack, vendors, sms, mailbox].map((one) => one.stop()));
      await disconnect(db);
      await administer(server.url, (admin) => admin.unsafe(`drop database if exists ${name} with (force)`));
      await server.stop();
      if (codes.some((code) => code !== 0)) throw new Error(`The shop stopped with ${codes}`);
    },
  };
}

async function openAgent(world: World, n: number): Promise<Agent> {
  const person = await world.person(`agent${n}`, OPENING[n % OPENING.length]);
  // The last two digits would have an effect in the SMS simulator.
  const msisdn = `2335418${String(39_020 + n)}`;
  await equipPhone(world, person, msisdn, PIN);
  return { ...person, msisdn, openingPesewas: await world.balanceOf(person) };
}

function environmentFor(
  paystack: PaystackSimulator,
  { settings: { datamart, hubnet } }: VendorSimulator,
  port: string,
): Record<string, string> {
  return {
    PAYSTACK_BASE_URL: paystack.url,
    PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
    DATAMART_BASE_URL: datamart.baseUrl,
    DATAMART_API_KEY: datamart.apiKey,
    DATAMART_WEBHOOK_SECRET: datamart.webhookSecret!,
    HUBNET_BASE_URL: hubnet.baseUrl,
    HUBNET_API_KEY: hubnet.apiKey,
    BASE_URL: `http://127.0.0.1:${port}`,
    // Each client has its own address, as in reality, where limits per address are not shared.
    TRUSTED_PROXIES: "127.0.0.1,::1",
    DATABASE_POOL: "10",
    PAYMENT_POLL_SECONDS: "0.2",
    RECONCILE_SECONDS: "20",
    WORKER_POLL_SECONDS: "0.05",
    SWEEP_SECONDS: "0.5",
    LOG_LEVEL: "error",
  };
}

const STARTS_MAX = 10;
/** How long a stopping program may take (src/app/main.ts). */
const STOP_TIMEOUT_MS = 10_000;

function program(name: string, databaseUrl: string, environment: Record<string, string>, root?: string): Program {
  let shop: Shop | null = null;
  const start = async () => {
    for (let tries = 1; !shop; tries++) {
      // A start while the database is away may fail, as in reality; the process manager repeats it.
      shop = await startShop(databaseUrl, environment, root).catch((error) => {
        if (tries === STARTS_MAX) throw error;
        return null;
      });
      if (!shop) await Bun.sleep(300);
    }
  };
  const end = (how: "kill" | "stop") => async () => {
    const ending = shop;
    shop = null;
    const code = (await ending?.[how]()) ?? 0;
    // Its errors, for investigating a violation.
    appendFileSync(join(DIR, `${name}.log`), ending?.output() ?? "");
    return code;
  };
  return {
    name,
    url: environment.PORT ? `http://127.0.0.1:${environment.PORT}` : "",
    kill: async () => {
      await end("kill")();
    },
    restart: async () => {
      const sentAtMs = performance.now();
      const code = await end("stop")();
      // Whatever waits for a frozen server's lock does not finish in time, gives up, and says so: that counts as a
      // kill.
      const isGivenUp = code === 1 && performance.now() - sentAtMs >= STOP_TIMEOUT_MS;
      if (code !== 0 && !isGivenUp) throw new Error(`${name} was asked to stop and ended with ${code}`);
      await start();
    },
    freeze: async (ms) => {
      const frozen = shop;
      frozen?.pause();
      await Bun.sleep(ms);
      frozen?.resume();
    },
    ensure: start,
    stop: end("stop"),
  };
}

async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  await administer(serverUrl, async (admin) => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.unsafe(`create database ${name}`);
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

async function administer(serverUrl: string, work: (admin: postgres.Sql) => Promise<unknown>): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    await work(admin);
  } finally {
    await admin.end({ timeout: 5 });
  }
}

/** Ends every session, as time would. */
export async function expireSessions(db: Db): Promise<void> {
  await db.execute(sql`update sessions set expires_at = now() where expires_at > now()`);
}
