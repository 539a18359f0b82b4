// USSD answers under 64 concurrent sessions by each gateway, each buying a bundle and starting again, compared with as
// many clients that ask the API for their balance, and as many that make a bare read by primary key past the API, at
// the same time and over the same HTTP and pool: measured in turns, a momentary disturbance of the machine would hit
// only one of them, and a 99th percentile consists of such moments. All pause between two requests, far shorter than
// people do. The time of the reads alone, and of each without a pause, is reported too. Afterwards every confirmed
// purchase must exist, and the books balance. The sessions answer what their screens show, so that no menu is written
// down here.
import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { Socket } from "bun";
import { NETWORK_CODES, newId, WIRES, type Wire } from "../../dev/simulators/ussd-wires.ts";
import { pinKey } from "../../src/core/identity/phones/pins.ts";
import { audit } from "../../src/core/ledger/audit.ts";
import { addressOf, gatewayAddressOf, gatewaySecretsOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { EXAMPLE } from "../dialogues/line.ts";
import { readScreen } from "../dialogues/screen.ts";
import { TEST_JWT_SECRET } from "../support/world.ts";
import { type Latency, latencyOf, median, numberAt } from "./numbers.ts";
import type { Pace } from "./purchases.ts";
import { type BenchServer, type BenchShop, openShop } from "./world.ts";

export type UssdFigures = {
  sessions: number;
  bought: number;
  /** The reads while nobody dials. */
  alone: Record<Read, Latency>;
  gateways: GatewayFigures[];
  /** As each gateway's, of all of them together: they differ in their wires alone, and one's p99 is noise. */
  ratios: Record<Read, number>;
  /** Each without a pause, in turns: the amount of work in an answer. */
  flatOut: Record<Read | "hops", Latency & { perSecond: number }>;
};

/** The balance by the API, with its login; or the wallet's row by its key, past everything but HTTP and the pool. */
export type Read = "balance" | "bare";

export type GatewayFigures = {
  gateway: UssdGatewayName;
  /** The reads while others dial. */
  reads: Record<Read, Latency>;
  /** All hops; those without a PIN; and those with one, which compare a digest and buy. */
  hops: Latency;
  browsing: Latency;
  paying: Latency;
  /** The p99 of the hops against those of the reads. */
  ratios: Record<Read, number>;
};

const AT_ONCE = 64;
/** People take seconds to read a screen and type; here from none to twice this between two requests of a session. */
const PAUSE_MS = 1_000;
const WARM_UP_SECONDS = 5;
const NUMBERED = "africastalking";
const AGENTS = 400;
const PIN = "8302";

/** Measures `pace.rounds` rounds of both, each `pace.seconds` long. */
export async function measureUssd(
  server: BenchServer,
  pace: Pace,
  progress: (line: string) => void,
): Promise<UssdFigures> {
  const url = await server.database("bench_ussd");
  const shop = await openShop(url, AGENTS);
  await equip(shop);
  const program = await start(url);
  const gateways = Object.keys(USSD_GATEWAYS) as UssdGatewayName[];
  const alone: ReadTimes[] = [];
  const rounds = new Map<UssdGatewayName, Round[]>(gateways.map((gateway) => [gateway, []]));
  let bought = 0;
  let flatOut: UssdFigures["flatOut"];
  try {
    const seconds = pace.seconds * 3;
    // Each connection plans a statement again the first five times. Where nothing numbers the requests, one that comes
    // within the round trip of an answer is taken for the last one again, so only this gateway can go without a pause.
    await dialOn(program.port, shop, { gateway: NUMBERED, seconds: WARM_UP_SECONDS, pauseMs: 0 });
    for (let round = 0; round < pace.rounds; round++) {
      const load = { seconds, pauseMs: PAUSE_MS };
      alone.push(await readsOn(program.port, shop, load));
      for (const gateway of gateways) {
        const [reads, hops] = await Promise.all([
          readsOn(program.port, shop, load),
          dialOn(program.port, shop, { gateway, ...load }),
        ]);
        bought += hops.paying.length;
        rounds.get(gateway)!.push({ ...reads, ...hops });
        const p99Of = (timesMs: number[]) => `${latencyOf(timesMs).p99Ms.toFixed(1)} ms`;
        progress(
          `  ${gateway}: a request p99 ${p99Of([...hops.browsing, ...hops.paying])}, ` +
            `a balance ${p99Of(reads.balance)}, a bare read ${p99Of(reads.bare)}`,
        );
      }
    }
    const load = { seconds, pauseMs: 0 };
    const balance = await readOn(program.port, shop, { read: "balance", ...load });
    const bare = await readOn(program.port, shop, { read: "bare", ...load });
    const { browsing, paying } = await dialOn(program.port, shop, { gateway: NUMBERED, ...load });
    bought += paying.length;
    const speedOf = (timesMs: number[]) => ({ ...latencyOf(timesMs), perSecond: timesMs.length / seconds });
    flatOut = {
      ...{ balance: speedOf(balance), bare: speedOf(bare) },
      hops: speedOf([...browsing, ...paying]),
    };
    const findings = (await audit(shop.db)).findings;
    if (findings.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(findings)}`);
    const [placed] = await shop.db.$client`select count(*)::int as count from orders where channel = 'ussd'`;
    if (placed!.count < bought) throw new Error(`${bought} were confirmed and ${placed!.count} are there`);
  } finally {
    program.stop();
    await shop.close();
  }
  const figures = gateways.map((gateway) => figuresOf(gateway, rounds.get(gateway)!));
  return {
    ...{ sessions: AT_ONCE, bought, gateways: figures, flatOut },
    alone: readsIn(alone),
    ratios: ratiosOf(together(gateways.map((gateway) => rounds.get(gateway)!))),
  };
}

/** The duration of each answer in milliseconds. */
type ReadTimes = Record<Read, number[]>;
type Round = ReadTimes & { browsing: number[]; paying: number[] };

function figuresOf(gateway: UssdGatewayName, rounds: Round[]): GatewayFigures {
  return {
    ...{ gateway, reads: readsIn(rounds), hops: hopsIn(rounds), ratios: ratiosOf(rounds) },
    browsing: medianOf(rounds.map((round) => round.browsing)),
    paying: medianOf(rounds.map((round) => round.paying)),
  };
}

function ratiosOf(rounds: Round[]): Record<Read, number> {
  const { balance, bare } = readsIn(rounds);
  const { p99Ms } = hopsIn(rounds);
  return { balance: p99Ms / balance.p99Ms, bare: p99Ms / bare.p99Ms };
}

/** The gateways' rounds joined: the first of each, the second of each … */
function together(rounds: Round[][]): Round[] {
  return rounds[0]!.map((_, n) => {
    const of = (kind: keyof Round) => rounds.flatMap((own) => own[n]![kind]);
    return { balance: of("balance"), bare: of("bare"), browsing: of("browsing"), paying: of("paying") };
  });
}

function hopsIn(rounds: Round[]): Latency {
  return medianOf(rounds.map(({ browsing, paying }) => [...browsing, ...paying]));
}

function readsIn(rounds: ReadTimes[]): Record<Read, Latency> {
  return {
    balance: medianOf(rounds.map((round) => round.balance)),
    bare: medianOf(rounds.map((round) => round.bare)),
  };
}

/** The medians of the rounds' percentiles. */
function medianOf(rounds: number[][]): Latency {
  const each = rounds.map(latencyOf);
  return { p50Ms: median(each.map(({ p50Ms }) => p50Ms)), p99Ms: median(each.map(({ p99Ms }) => p99Ms)) };
}

/** Everybody has a confirmed phone, and the same PIN, whose digest differs between accounts. */
async function equip({ db, firstAgentId }: BenchShop): Promise<void> {
  const key = pinKey(TEST_JWT_SECRET);
  const rows = await Promise.all(
    Array.from({ length: AGENTS }, async (_, i) => {
      const userId = firstAgentId + i;
      const keyed = createHmac("sha256", key)
        .update(JSON.stringify([userId, PIN]))
        .digest("base64url");
      const cost = { algorithm: "argon2id", memoryCost: 256, timeCost: 1 } as const;
      return { user_id: userId, msisdn: phoneOf(i), digest: await Bun.password.hash(keyed, cost) };
    }),
  );
  const sql = db.$client;
  await sql`insert into phones ${sql(rows, "user_id", "msisdn")}`;
  await sql`insert into pins ${sql(rows, "user_id", "msisdn", "digest")}`;
  await sql`vacuum analyze phones, pins`;
}

const phoneOf = (i: number) => `23324${String(5_000_000 + i)}`;

async function start(url: string): Promise<{ port: number; stop: () => void }> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "ussd-shop.ts"), url], {
    ipc: (message: { port: number }) => resolve(message.port),
    stdio: ["ignore", "inherit", "inherit"],
  });
  return { port: await promise, stop: () => child.kill() };
}

type Load = { seconds: number; pauseMs: number };

async function readsOn(port: number, shop: BenchShop, load: Load): Promise<ReadTimes> {
  const [balance, bare] = await Promise.all([
    readOn(port, shop, { read: "balance", ...load }),
    readOn(port, shop, { read: "bare", ...load }),
  ]);
  return { balance, bare };
}

async function readOn(
  port: number,
  shop: BenchShop,
  { read, seconds, pauseMs }: Load & { read: Read },
): Promise<number[]> {
  const durationsMs: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  await eachOnItsOwn(port, async (ask) => {
    await pause(pauseMs);
    while (performance.now() < endsAt) {
      const { ms } = await ask(readBy(shop, read, Math.floor(Math.random() * AGENTS)));
      durationsMs.push(ms);
      await pause(pauseMs);
    }
  });
  return durationsMs;
}

function readBy({ firstAgentId, tokens }: BenchShop, read: Read, agent: number): string {
  const path = read === "bare" ? `/bench-read/${firstAgentId + agent}` : "/api/v1/wallet/balance";
  return (
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `${read === "bare" ? "" : `Authorization: Bearer ${tokens[agent]}\r\n`}\r\n`
  );
}

let dialled = 0;

async function dialOn(
  port: number,
  shop: BenchShop,
  { gateway, seconds, pauseMs }: Load & { gateway: UssdGatewayName },
): Promise<{ browsing: number[]; paying: number[] }> {
  const [browsing, paying]: [number[], number[]] = [[], []];
  const endsAt = performance.now() + seconds * 1000;
  // So that nobody has dialled too often recently.
  await shop.db.$client`update ussd_sessions set started_at = started_at - interval '1 hour'`;
  await eachOnItsOwn(port, async (ask) => {
    await pause(pauseMs);
    while (performance.now() < endsAt)
      await buyOnce(gateway, async (request, isPaying) => {
        const { ms, body } = await ask(request);
        (isPaying ? paying : browsing).push(ms);
        await pause(pauseMs);
        return body;
      });
  });
  return { browsing, paying };
}

const HOPS_MAX = 8;

/** One session, from the dial to the confirmed order. Throws when its screens do not lead there. */
async function buyOnce(
  gateway: UssdGatewayName,
  send: (request: string, isPaying: boolean) => Promise<string>,
): Promise<void> {
  const n = dialled++;
  const wire = WIRES[gateway];
  const [inputs, letters]: [string[], string] = [[], newId("").replace(/\d/g, "x")];
  const screens: string[] = [];
  let input = "";
  for (let number = 1; number <= HOPS_MAX; number++) {
    const text = inputs.join("*");
    const hop = {
      ...{
        sessionId: letters,
        msisdn: phoneOf(n % AGENTS),
        serviceCode: "*920*55#",
        network: "MTN" as const,
      },
      ...{ networkCode: NETWORK_CODES.MTN, text, input, number, label: null },
    };
    const answered = await send(requestOf(gateway, wire.request(hop, {})), input === PIN);
    const { text: shown, isOpen } = screenIn(answered);
    screens.push(shown);
    if (!isOpen && input === PIN) return;
    if (!isOpen) break;
    const next = answerTo(shown, n);
    // Where nothing numbers the requests, the same input again could be a repeat.
    input = next === input ? `${next}#` : next;
    inputs.push(input);
  }
  throw new Error(
    `${gateway}: ${inputs.join("*").replace(PIN, "PIN")} did not buy, and read ${JSON.stringify(screens)}`,
  );
}

/** What leads on to an order: the PIN to pay, a number where one is given as an example, or the first line. */
function answerTo(text: string, n: number): string {
  const { offer, numbers, options } = readScreen({ text, isOpen: true, body: text });
  if (offer) return PIN;
  if (numbers.includes(EXAMPLE)) return `024${numberAt(n).slice(5)}`;
  const lines = options.filter((digits) => digits !== "0" && digits !== "9");
  const isListOfBundles = / \d+\.\d\d$/m.test(text);
  return (isListOfBundles ? lines[n % lines.length] : lines[0]) ?? "1";
}

/** As the gateways write it, read as cheaply as possible: the client shares the machine. */
function screenIn(body: string): { text: string; isOpen: boolean } {
  if (/^(CON|END) /.test(body)) return { text: body.slice(4), isOpen: body.startsWith("CON ") };
  const fields = JSON.parse(body) as Record<string, unknown>;
  const isOpen = fields.Type === "response" || fields.continueSession === true || fields.MSGTYPE === true;
  return { text: String(fields.Message ?? fields.message ?? fields.MSG), isOpen };
}

const SECRETS = secretsOf([], TEST_JWT_SECRET);
const GATEWAY_SECRETS = gatewaySecretsOf({}, TEST_JWT_SECRET);

function requestOf(gateway: UssdGatewayName, { headers, body }: ReturnType<Wire["request"]>): string {
  const url =
    gateway === "africastalking"
      ? addressOf("http://shop", SECRETS, "ussd")!
      : gatewayAddressOf("http://shop", gateway, GATEWAY_SECRETS[gateway]![0]!);
  return (
    `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${headers["content-type"]}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

async function pause(middleMs: number): Promise<void> {
  if (middleMs > 0) await Bun.sleep(Math.random() * middleMs * 2);
}

type Ask = (request: string) => Promise<{ ms: number; body: string }>;

async function eachOnItsOwn(port: number, work: (ask: Ask) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const { ask, close } = await openSocket(port);
      await work(ask);
      close();
    }),
  );
}

/** A keep-alive socket that sends one request at a time and does as little else as possible. */
async function openSocket(port: number): Promise<{ ask: Ask; close: () => void }> {
  let answer = "";
  let resolve: (body: string) => void = () => {};
  const data = (_: Socket, chunk: Buffer) => {
    answer += chunk.toString("latin1");
    const headEnd = answer.indexOf("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(answer)?.[1];
    if (headEnd < 0 || length === undefined || answer.length < headEnd + 4 + Number(length)) return;
    const body = answer.slice(headEnd + 4);
    answer = "";
    resolve(body);
  };
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data } });
  const ask: Ask = async (request) => {
    const sentAt = performance.now();
    const { promise, resolve: done } = Promise.withResolvers<string>();
    resolve = done;
    socket.write(request);
    const body = await promise;
    return { ms: performance.now() - sentAt, body };
  };
  return { ask, close: () => socket.end() };
}
