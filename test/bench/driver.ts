// A caller of the hand-written purchase function, like pgbench, for machines without it: one connection per client,
// prepared, one call after the other. Its argument says what to do; it prints the result.
import postgres from "postgres";
import type { Outcome } from "./client.ts";
import { latencyOf } from "./numbers.ts";

type Ask = {
  url: string;
  clients: number;
  seconds: number;
  agents: [number, number];
  products: [number, number];
};

const ask = JSON.parse(process.argv[2]!) as Ask;
const sql = postgres(ask.url, { max: ask.clients, onnotice: () => {} });
const durationsMs: number[] = [];
const connections = await Promise.all(Array.from({ length: ask.clients }, () => sql.reserve()));
const endsAt = performance.now() + ask.seconds * 1000;
await Promise.all(
  connections.map(async (connection) => {
    while (performance.now() < endsAt) {
      const values = [
        between(ask.agents),
        between(ask.products),
        `23323${String(between([0, 9_999_999])).padStart(7, "0")}`,
      ];
      const startedAt = performance.now();
      await connection.unsafe("select bench_purchase($1, $2, $3, gen_random_uuid()::text)", values, {
        prepare: true,
      });
      durationsMs.push(performance.now() - startedAt);
    }
  }),
);
const outcome: Outcome = {
  perSecond: durationsMs.length / ask.seconds,
  ...latencyOf(durationsMs),
  acknowledged: durationsMs.length,
  failures: [],
};
process.stdout.write(JSON.stringify(outcome));
process.exit(0);

function between([first, last]: [number, number]): number {
  return first + Math.floor(Math.random() * (last - first + 1));
}
