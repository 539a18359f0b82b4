// One run: a shop is opened, used and broken for a while, comes to rest, and is judged.
import { randomFrom } from "../support/asking.ts";
import { check } from "./check.ts";
import { startClients } from "./clients.ts";
import { type Evidence, readBooks } from "./evidence.ts";
import { type BlowName, SECONDS_PER_TICK, startHavoc, TICK_MS } from "./havoc.ts";
import { type Health, watchHealth } from "./health.ts";
import { isSuccess, type Operation, type Violation } from "./operations.ts";
import { rest, returnedAt } from "./rest.ts";
import { openRig, type Rig } from "./rig.ts";

export type TortureOptions = {
  seed: number;
  seconds: number;
  agents?: number;
  clients?: number;
  /** It continues until this many operations were acknowledged, even if a slow machine takes longer. */
  doneMin?: number;
  /** Roughly the longest pause between two blows. */
  pauseMs?: number;
  /** How long the shop may take to come to rest afterwards. */
  restMs?: number;
  /** The blows; all of them by default. */
  blows?: BlowName[];
  /** The folder of the program to torture: this project, unless it is a copy. */
  root?: string;
  progress?: (line: string) => void;
};

export type TortureResult = {
  violations: Violation[];
  /** The clients' operations, by outcome. */
  operations: Record<Operation["state"], number>;
  byKind: Record<string, number>;
  requests: number;
  orders: number;
  completed: number;
  failed: number;
  transfers: number;
  /** The blows so far. */
  blows: Record<string, number>;
  /** How long an acknowledged purchase took, each request by itself. */
  spreadMs: { p50: number; p99: number };
  /** How long `/healthz` took to answer, and how often longer than it should. */
  healthMs: Health;
  /** How many times as fast the clocks ran during the torture. */
  speed: number;
  /** From the last blow until nothing was open any more. */
  restSeconds: number;
  evidence: Evidence;
};

/** Tortures a shop for `seconds` with everything drawn from the seed, waits until it rests, and checks it. */
export async function torture(ask: TortureOptions): Promise<TortureResult> {
  const { seed, seconds, agents = 12, clients: hands = 24, pauseMs = 3_000, progress = () => {} } = ask;
  const { doneMin = 0, restMs = 600_000 } = ask;
  const rig = await openRig({ agents, seed, ...(ask.root && { root: ask.root }) });
  try {
    const clients = startClients(rig, hands, (n) => randomFrom(seed + 1 + n));
    const health = watchHealth(rig);
    const havoc = startHavoc(rig, { random: randomFrom(seed), pauseMs, progress, only: ask.blows ?? null });
    await Bun.sleep(seconds * 1000);
    while (clients.operations.filter(({ state }) => state === "done").length < doneMin) await Bun.sleep(100);
    const speed = rig.aheadSeconds() / seconds;
    await havoc.finish();
    const healthMs = await health.finish();
    await whileTimePasses(rig, clients.finish());
    progress("  everything runs again, and everybody has their answer");
    const startedAt = performance.now();
    const openPoints = await rest(rig, { decide: clients.decide, restMs, progress });
    const restSeconds = (performance.now() - startedAt) / 1000;
    const evidence: Evidence = {
      operations: clients.operations,
      books: await readBooks(rig.lookUrl),
      providers: {
        paid: rig.paystack.successes(),
        wentBack: returnedAt(rig.paystack),
        arrived: rig.vendors.deliveries(),
        byHand: clients.byHand(),
        texts: rig.sms.messages().map(({ message }) => message),
      },
      openings: new Map(rig.agents.map(({ id, openingPesewas }) => [id, openingPesewas])),
    };
    const violations = [...clients.seen, ...check(evidence)];
    if (openPoints)
      violations.push({
        rule: "the shop comes to rest",
        detail: `${restMs} ms were not enough: ${openPoints}`,
      });
    return {
      violations,
      ...figuresOf(evidence),
      requests: clients.requests(),
      blows: havoc.counts,
      speed,
      restSeconds,
      healthMs,
      evidence,
    };
  } finally {
    await rig.close();
  }
}

/** Clients with an answer to try again in some minutes do so. */
async function whileTimePasses(rig: Rig, finished: Promise<void>): Promise<void> {
  let isOver = false;
  const passing = (async () => {
    while (!isOver) {
      await rig.advance(SECONDS_PER_TICK);
      await Bun.sleep(TICK_MS);
    }
  })();
  await finished.finally(() => {
    isOver = true;
  });
  await passing;
}

function figuresOf({ operations, books }: Evidence) {
  const tally = (labels: string[]) =>
    Object.fromEntries([...Map.groupBy(labels, (label) => label)].map(([label, all]) => [label, all.length]));
  const byState = { done: 0, refused: 0, unknown: 0, ...tally(operations.map(({ state }) => state)) };
  const ended = tally(books.orders.map(({ status }) => status));
  return {
    operations: byState,
    byKind: tally(operations.map(({ kind }) => kind)),
    orders: books.orders.length,
    completed: ended.COMPLETED ?? 0,
    failed: ended.FAILED ?? 0,
    transfers: books.transfers.length,
    spreadMs: spreadOf(operations),
  };
}

function spreadOf(operations: Operation[]): { p50: number; p99: number } {
  const times = operations
    .filter(({ kind }) => kind === "purchase")
    .flatMap(({ answers }) => answers.filter(isSuccess))
    .map(({ sentAtMs, atMs }) => atMs - sentAtMs)
    .sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
