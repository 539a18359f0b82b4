// The job loop: works off what is due, sweeps now and then, and never lets one failure stop the next round.
import type { Db } from "../db/connect.ts";
import type { Config } from "./config.ts";
import * as fulfilment from "./core/fulfilment.ts";
import * as idempotency from "./core/idempotency.ts";
import * as moves from "./core/moves.ts";
import * as rateLimits from "./core/rate-limits.ts";
import * as reports from "./core/reports.ts";
import * as sessions from "./core/sessions.ts";
import type { Log } from "./log.ts";

export type Worker = { stop: () => Promise<void> };

const DISPATCH_BATCH = 500;

/** Starts the loop; `stop` waits for the round that is under way. */
export function startWorker(db: Db, config: Pick<Config, "workerPollMs" | "sweepMs">, log: Log): Worker {
  const stopping = Promise.withResolvers<void>();
  let isStopping = false;
  const loops = [
    repeat("dispatch", config.workerPollMs, async () => {
      while (!isStopping && (await fulfilment.dispatchDue(db, DISPATCH_BATCH)) === DISPATCH_BATCH);
    }),
    repeat("sweep", config.sweepMs, () => sweep(db)),
  ];
  return {
    stop: async () => {
      isStopping = true;
      stopping.resolve();
      await Promise.all(loops);
    },
  };

  async function repeat(name: string, pauseMs: number, round: () => Promise<void>): Promise<void> {
    while (!isStopping) {
      try {
        await round();
      } catch (error) {
        log.error({ error, loop: name }, "a round of the worker failed");
      }
      await Promise.race([Bun.sleep(pauseMs), stopping.promise]);
    }
  }
}

/** What falls due by the clock. Each part may run in several workers at once. */
export async function sweep(db: Db): Promise<void> {
  await moves.expireUnpaid(db);
  await reports.foldCounts(db);
  await idempotency.forgetOld(db);
  await rateLimits.forgetOld(db);
  await sessions.forgetOld(db);
}
