// Purchases per second through the whole stack, compared with pgbench calling a hand-written function, in turns on
// the same tables. Afterwards every acknowledged order must exist, and the books must balance.
import { join } from "node:path";
import { audit } from "../../src/core/ledger/audit.ts";
import { startShop } from "../support/shop.ts";
import type { Load, Outcome, Setting } from "./client.ts";
import { median } from "./numbers.ts";
import { openFunction } from "./pgbench.ts";
import { AGENTS, type BenchServer, type BenchShop, openShop } from "./world.ts";

export type Cell = {
  isHot: boolean;
  clients: number;
  /** Fewer if the server allows fewer connections. */
  functionClients: number;
  ours: Outcome;
  function: Outcome;
  ratio: number;
};
export type PurchaseFigures = { cells: Cell[]; driver: string; rounds: number; orders: number };

export type Pace = { rounds: number; seconds: number; secondsAside: number };

/** In each round the cells with budgets run for `seconds`, the others for `secondsAside`; pgbench takes whole ones. */
export async function measurePurchases(
  server: BenchServer,
  pace: Pace,
  progress: (line: string) => void,
): Promise<PurchaseFigures> {
  const url = await server.database("bench_purchases");
  const shop = await openShop(url, AGENTS);
  const process = await startShop(url, { RUN: "server", LOG_LEVEL: "warn" });
  const buyers = openBuyers({
    port: Number(new URL(process.url).port),
    tokens: shop.tokens,
    productIds: shop.productIds,
  });
  try {
    const rival = await openFunction(shop);
    const cells = [1, 8, 64].flatMap((clients) => [true, false].map((isHot) => ({ clients, isHot })));
    const tally = openTally(shop);
    progress("  warming up");
    for (const isHot of [false, true]) {
      tally.add(await buyers.run({ clients: 64, seconds: pace.secondsAside, isHot, firstNumber: tally.count() }));
    }
    const runs = cells.map(() => ({ ours: [] as Outcome[], function: [] as Outcome[] }));
    for (let round = 0; round < pace.rounds; round++) {
      for (const [i, { clients, isHot }] of cells.entries()) {
        const seconds = clients === 64 ? pace.seconds : pace.secondsAside;
        const load: Load = { clients, isHot, seconds, firstNumber: tally.count() };
        const sides = [
          async () => runs[i]!.ours.push(tally.add(await buyers.run(load))),
          async () =>
            runs[i]!.function.push(
              tally.add(await rival.run({ ...load, clients: Math.min(clients, server.spareConnections) })),
            ),
        ];
        // The first one has a rested server, so they take turns.
        for (const side of round % 2 === 0 ? sides : sides.reverse()) await side();
      }
      progress(`  round ${round + 1} of ${pace.rounds}`);
    }
    await tally.check();
    return {
      driver: rival.name,
      rounds: pace.rounds,
      orders: tally.count(),
      cells: cells.map((cell, i) => ({
        ...cell,
        functionClients: Math.min(cell.clients, server.spareConnections),
        ours: medianOf(runs[i]!.ours),
        function: medianOf(runs[i]!.function),
        ratio: medianOf(runs[i]!.ours).perSecond / medianOf(runs[i]!.function).perSecond,
      })),
    };
  } finally {
    buyers.close();
    await process.stop();
    await shop.close();
  }
}

/** A process of clients that buy. */
type Buyers = { run: (load: Load) => Promise<Outcome>; close: () => void };

export function openBuyers(setting: Setting): Buyers {
  let answer: (outcome: Outcome) => void = () => {};
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "client.ts")], {
    ipc: (message) => answer(message as Outcome),
    stdout: "inherit",
    stderr: "inherit",
  });
  child.send(setting);
  const gone = child.exited.then((code) => {
    throw new Error(`the buyers' process ended with ${code}`);
  });
  gone.catch(() => {});
  const run = (load: Load) =>
    new Promise<Outcome>((resolve) => {
      answer = resolve;
      child.send(load);
    });
  return { run: (load) => Promise.race([run(load), gone]), close: () => child.kill() };
}

/** Counts what was acknowledged, and compares it with the database at the end. */
function openTally({ db }: BenchShop) {
  let acknowledged = 0;
  return {
    count: () => acknowledged,
    add: (outcome: Outcome): Outcome => {
      if (outcome.failures.length > 0) throw new Error(`purchases were refused:\n${outcome.failures.join("\n")}`);
      acknowledged += outcome.acknowledged;
      return outcome;
    },
    check: async () => {
      const [row] = await db.$client<{ count: number }[]>`select count(*) as count from orders`;
      if (row!.count !== acknowledged) {
        throw new Error(`${acknowledged} purchases were acknowledged, and ${row!.count} orders are there`);
      }
      const { findings } = await audit(db);
      if (findings.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(findings.slice(0, 5))}`);
    },
  };
}

function medianOf(outcomes: Outcome[]): Outcome {
  return {
    perSecond: median(outcomes.map((outcome) => outcome.perSecond)),
    p50Ms: median(outcomes.map((outcome) => outcome.p50Ms)),
    p99Ms: median(outcomes.map((outcome) => outcome.p99Ms)),
    acknowledged: outcomes.reduce((sum, outcome) => sum + outcome.acknowledged, 0),
    failures: [],
  };
}
