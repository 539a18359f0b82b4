// The checks that must hold however many processes the shop has, made over HTTP on all of them, under load.
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { connect, disconnect } from "../../db/connect.ts";
import { startVendors, type VendorSimulator } from "../../dev/simulators/vendors/vendors.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { type Latency, latencyOf } from "../bench/numbers.ts";
import { type Person, populate, type World } from "../support/world.ts";
import { type Member, type Stack, startStack } from "./stack.ts";

export type Pace = {
  servers: number;
  workers: number;
  clients: number;
  drainSeconds: number;
  /** How long the shop is measured before any restart. */
  quietSeconds: number;
  poolerAwayMs: number;
};

export type Phase = Latency & {
  label: string;
  seconds: number;
  purchases: number;
  bulkOrders: number;
  restarts: number;
  /** Refusals with 503 and Retry-After, repeated with the same key. */
  retried: number;
  /**
   * Answers beyond the shop's own limit of nine seconds, because the machine was overloaded. Repeated with the same
   * key.
   */
  late: number;
  /** Any other failure. */
  failures: string[];
};

export type ScaleFigures = {
  about: string;
  clients: number;
  phases: Phase[];
  orders: number;
  /** Of one key that was sent to every server at once. */
  ordersOfOneKey: number;
  deliveredTwice: number;
  /** The audit's findings; there should be none. */
  findings: string[];
  memory: { name: string; megabytes: number }[];
  facts: Stack["facts"];
};

type Trial = {
  stack: Stack;
  world: World;
  vendors: VendorSimulator;
  agents: (Person & { token: string })[];
  productId: number;
};

/** Starts a shop of many processes, checks everything, and stops it. Throws at the first broken promise. */
export async function runScaleTrial(pace: Pace, progress: (line: string) => void): Promise<ScaleFigures> {
  const vendors = await startVendors({ speed: 600, start: Date.now() });
  vendors.switch({ floats: { datamart: 1e9 }, rate: 1e6, coolDownSeconds: 0 });
  const stack = await startStack({ ...pace, environment: environmentOf(vendors) });
  const db = connect(stack.ownerUrl, { max: 4 });
  try {
    progress(`  ${stack.about}`);
    const trial = { ...(await open(db, stack, pace.clients)), stack, vendors };
    await checkPeople(trial);
    progress("  sessions, bans, limits on logins and addresses hold across servers");
    const ordersOfOneKey = await checkKeys(trial);
    progress(`  one key, sent to every server at once: ${ordersOfOneKey} order`);
    await checkTimeLimits(stack);
    const phases = [
      await load(trial, "nothing else", pace, () => quiet(pace)),
      await load(trial, "rolling restart", pace, () => rollAll(stack)),
      await load(trial, "PgBouncer killed", pace, () => killPooler(trial, pace), {
        isOutage: true,
      }),
    ];
    for (const phase of phases) progress(`  ${lineOf(phase)}`);
    const { about, facts } = stack;
    const memory = stack.memory();
    const settled = await settle(trial, phases);
    return { about, facts, memory, clients: pace.clients, phases, ordersOfOneKey, ...settled };
  } finally {
    await disconnect(db);
    await stack.close();
    await vendors.stop();
  }
}

function environmentOf(vendors: VendorSimulator): Record<string, string> {
  return {
    DATAMART_BASE_URL: vendors.settings.datamart.baseUrl,
    DATAMART_API_KEY: vendors.settings.datamart.apiKey,
    HUBNET_API_KEY: "",
    WORKER_POLL_SECONDS: "0.2",
    SWEEP_SECONDS: "1",
    DATABASE_POOL: "16",
  };
}

async function open(db: World["db"], stack: Stack, clients: number) {
  const world = await populate(db, stack.ownerUrl);
  const { id: productId } = await world.product("MTN", "1GB", "3.90");
  await settings.change(db, {
    by: world.yaw.by("admin"),
    values: { route_mtn: "datamart", dispatch_hold_seconds: 0 },
  });
  const agents = [];
  for (let i = 0; i < clients; i++) {
    const person = await world.person(`agent${i}`, "GH₵ 900000.00");
    // Each logs in at one server, in turn, and is served by all of them.
    agents.push({ ...person, token: await logIn(stack.servers[i % stack.servers.length]!.url, person) });
  }
  return { world, productId, agents };
}

// ---------------------------------------------------------------- people

async function checkPeople({ stack, world, agents }: Trial): Promise<void> {
  const [first, ...others] = stack.servers;
  const [ama, kofi] = agents as [Trial["agents"][0], Trial["agents"][0]];
  const meOn = (server: Member, token: string) => ask(server.url, "GET", "/api/v1/auth/me", { token });
  for (const server of stack.servers) expectStatus(await meOn(server, ama.token), 200, "a session elsewhere");

  const short = await logIn(first!.url, ama);
  expectStatus(await ask(first!.url, "POST", "/api/v1/auth/logout", { token: short }), 200, "logging out");
  for (const server of others) expectStatus(await meOn(server, short), 401, "a session that was ended elsewhere");

  const admin = await logIn(stack.url, stack.admin);
  const act = (path: "ban" | "unban") =>
    ask(first!.url, "POST", `/api/v1/admin/users/${kofi.id}/${path}`, { token: admin });
  const banned = await logIn(others[0]!.url, kofi);
  expectStatus(await act("ban"), 200, "a ban");
  for (const server of others) expectStatus(await meOn(server, banned), 401, "a session of somebody banned elsewhere");
  expectStatus(await act("unban"), 200, "the end of a ban");
  kofi.token = await logIn(stack.url, kofi);

  await checkAddresses(stack, world, ama);
  await checkAttempts(stack, world);
}

/** Through the proxy the shop sees the client's address, and not what the client claims. */
async function checkAddresses(stack: Stack, { db }: World, ama: Person): Promise<void> {
  await logIn(stack.url, ama, { "x-forwarded-for": "203.0.113.7" });
  const [session] = await db.execute<{ address: string }>(
    sql`select address from sessions where user_id = ${ama.id} order by created_at desc limit 1`,
  );
  if (session?.address !== "127.0.0.1") throw new Error(`the client's address was taken for ${session?.address}`);
}

/** Ten wrong passwords per account, at any server. */
async function checkAttempts(stack: Stack, world: World): Promise<void> {
  const efua = await world.person("efua");
  const statuses = await Promise.all(
    Array.from({ length: 14 }, async (_, i) => {
      const body = { email: efua.email, password: "wrong horse" };
      const from = i % 2 ? stack.url : stack.servers[i % stack.servers.length]!.url;
      return (await ask(from, "POST", "/api/v1/auth/login", { body })).status;
    }),
  );
  const counts = [401, 429].map((status) => statuses.filter((one) => one === status).length);
  if (counts.join() !== "10,4") throw new Error(`of 14 wrong passwords ${counts} were refused with 401 and 429`);
}

// ---------------------------------------------------------------- keys, and limits of time

async function checkKeys({ stack, world, agents, productId }: Trial): Promise<number> {
  const [ama] = agents;
  const before = await world.db.$count(ORDERS);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => stack.servers)
      .flat()
      .map((server) => buy(server.url, ama!.token, "to-everybody", { productId, msisdn: "0559990123" })),
  );
  for (const answer of answers) expectStatus(answer, 201, "a key that was sent to every server");
  const ids = new Set(answers.map(({ body }) => body.id));
  if (ids.size !== 1) throw new Error(`one key gave ${ids.size} orders`);
  return (await world.db.$count(ORDERS)) - before;
}

const ORDERS = sql`orders`;

/** A pooler in transaction mode drops what a connection sets at its start. */
async function checkTimeLimits({ pooledUrl, servers }: Stack): Promise<void> {
  const client = postgres(pooledUrl, { max: 1, prepare: false, fetch_types: false });
  const [row] = await client`select current_user as role, current_setting('statement_timeout') as timeout`;
  await client.end();
  if (row!.role !== "datafie_app" || row!.timeout !== "8s") throw new Error(`${row!.role} may ask for ${row!.timeout}`);
  const warned = servers.filter(({ output }) => /NOT RESTRICTED|NO TIME LIMITS/.test(output()));
  if (warned.length > 0) throw new Error("a server says that its role or its time is not limited");
}

// ---------------------------------------------------------------- load

/** Servers one after the other, and workers likewise; the two do not wait for each other. */
async function rollAll({ servers, workers }: Stack): Promise<number> {
  const restarted = await Promise.all([roll(servers), roll(workers)]);
  return restarted[0] + restarted[1];
}

async function roll(members: Member[]): Promise<number> {
  for (const member of members) await member.restart();
  return members.length;
}

async function quiet({ quietSeconds }: Pace): Promise<number> {
  await Bun.sleep(quietSeconds * 1000);
  return 0;
}

async function killPooler({ stack }: Trial, { poolerAwayMs }: Pace): Promise<number> {
  await Bun.sleep(1000);
  await stack.killPooler(poolerAwayMs);
  await Bun.sleep(1000);
  return 0;
}

/** No statement runs longer (TIME_LIMITS), and no answer takes much longer (limits.requestTimeoutMs). */
const LATE_MS = 7_900;

let lastNumber = 0;

/** Everybody buys for as long as `work` takes. `work` returns how many processes it restarted. */
async function load(
  { stack, agents, productId }: Trial,
  label: string,
  { clients }: Pace,
  work: () => Promise<number>,
  { isOutage = false } = {},
): Promise<Phase> {
  const [durationsMs, failures]: [number[], string[]] = [[], []];
  const done = { purchases: 0, bulkOrders: 0, retried: 0, late: 0 };
  const working = { isOver: false };
  /** Sends a request; in an outage repeats it under the same key, for as long as the answer says that it is one. */
  const place = async (send: () => Promise<Answer>): Promise<boolean> => {
    for (;;) {
      const sentAt = performance.now();
      const answer = await send().catch((error) => ({
        status: 0,
        body: String(error),
        headers: new Headers(),
      }));
      if (answer.status === 201) return durationsMs.push(performance.now() - sentAt) > 0;
      const ms = performance.now() - sentAt;
      const comesAgain = answer.status === 503 && answer.headers.has("retry-after");
      const isLate = comesAgain && ms >= LATE_MS;
      if (!comesAgain || !(isOutage || isLate)) {
        failures.push(`${answer.status} after ${ms.toFixed(0)} ms: ${JSON.stringify(answer.body)}`);
        return false;
      }
      done[isLate ? "late" : "retried"] += 1;
      await Bun.sleep(100);
    }
  };
  const client = async (i: number) => {
    const { token } = agents[i]!;
    for (let n = 0; !working.isOver; n++) {
      const number = ++lastNumber;
      const line = { productId, msisdn: deliverableNumber(number) };
      if (n % 10 < 9) {
        if (await place(() => buy(stack.url, token, `key-${number}`, line))) done.purchases += 1;
      } else {
        const lines = Array.from({ length: 5 }, () => ({
          productId,
          msisdn: deliverableNumber(++lastNumber),
          quantity: 1,
        }));
        if (await place(() => buyBulk(stack.url, token, `key-${number}`, lines))) done.bulkOrders += 1;
      }
    }
  };
  const startedAt = performance.now();
  const everybody = Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  const restarts = await work().finally(() => {
    working.isOver = true;
  });
  await everybody;
  const seconds = (performance.now() - startedAt) / 1000;
  return { label, seconds, ...done, restarts, failures, ...latencyOf(durationsMs) };
}

/**
 * The nth number that the simulated vendors deliver to: numbers ending in 00 and two more digits have special
 * effects.
 */
function deliverableNumber(n: number): string {
  const [block, place] = [Math.floor(n / 9900), 100 + (n % 9900)];
  return `054${String(block).padStart(3, "0")}${String(place).padStart(4, "0")}`;
}

function lineOf({ label, purchases, bulkOrders, restarts, retried, late, failures, p50Ms, p99Ms }: Phase): string {
  const refused = failures.length > 0 ? `; FAILED ${failures.length}, such as ${failures[0]}` : "";
  return (
    `${label}: ${purchases} purchases, ${bulkOrders} bulk orders, ${restarts} restarts, ${retried} repeated, ` +
    `${late} late, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms${refused}`
  );
}

// ---------------------------------------------------------------- afterwards

const LINES_OF_BULK = 5;

/** Everything acknowledged exists once and was delivered once; the books balance. */
async function settle(
  { world: { db }, vendors }: Trial,
  phases: Phase[],
): Promise<Pick<ScaleFigures, "orders" | "deliveredTwice" | "findings">> {
  const acknowledged = phases.reduce((sum, one) => sum + one.purchases + LINES_OF_BULK * one.bulkOrders, 1);
  const orders = await db.$count(ORDERS);
  if (orders !== acknowledged) throw new Error(`${acknowledged} orders were acknowledged, ${orders} are there`);
  // A lease whose answer was lost with PgBouncer expires after a minute; nobody waits for that here.
  await db.execute(sql`update jobs set run_at = now() where kind = 'dispatch_order'`);
  while ((await db.$count(sql`orders where status in ('PENDING', 'PAID')`)) > 0) await Bun.sleep(200);
  const sent = vendors.orders().length;
  if (sent !== orders) throw new Error(`${orders} orders were sent in ${sent} dispatches`);
  const deliveries = vendors.deliveries();
  const { findings } = await ledgerAudit.audit(db);
  return {
    orders,
    deliveredTwice: deliveries.filter(({ count }) => count > 1).length,
    findings: findings.map(({ rule, detail }) => `${rule}: ${detail}`),
  };
}

// ---------------------------------------------------------------- HTTP

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes, and a wrong access fails the trial.
type Answer = { status: number; body: any; headers: Headers };

async function ask(
  url: string,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> },
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}

async function logIn(
  url: string,
  { email, password }: Pick<Person, "email" | "password">,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await ask(url, "POST", "/api/v1/auth/login", { body: { email, password }, headers });
  expectStatus(answer, 200, "logging in");
  return answer.body.token;
}

type Line = { productId: number; msisdn: string };

function buy(url: string, token: string, key: string, line: Line): Promise<Answer> {
  const body = { ...line, quantity: 1, pay: "wallet" };
  return ask(url, "POST", "/api/v1/orders", { token, body, headers: { "idempotency-key": key } });
}

function buyBulk(url: string, token: string, key: string, orders: (Line & { quantity: number })[]) {
  return ask(url, "POST", "/api/v1/orders/bulk", {
    token,
    body: { orders },
    headers: { "idempotency-key": key },
  });
}

function expectStatus({ status, body }: Answer, expected: number, label: string): void {
  if (status !== expected)
    throw new Error(`${label}: ${status} where it should be ${expected}: ${JSON.stringify(body)}`);
}
