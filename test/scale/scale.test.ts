// Test of the shop as many processes behind a pooler and a proxy, restarted and cut off under load. `bun run
// scale-out` is the long run with figures.
import { expect, test } from "bun:test";
import "../support/patience.ts";
import { missingPrograms } from "./stack.ts";
import { runScaleTrial } from "./trial.ts";

const missing = missingPrograms();
if (missing) process.stdout.write(`scale.test.ts is left out. ${missing}\n`);

const SHORT = { servers: 2, workers: 1, clients: 4, drainSeconds: 1, quietSeconds: 0.5, poolerAwayMs: 300 };

test.skipIf(missing !== null)(
  "many processes are one shop: no request fails during restarts, and none is lost with the pooler",
  async () => {
    const { phases, ordersOfOneKey, deliveredTwice, findings } = await runScaleTrial(SHORT, () => {});
    expect(phases.flatMap(({ failures }) => failures)).toEqual([]);
    expect(phases.map(({ restarts }) => restarts)).toEqual([0, 3, 0]);
    for (const { purchases } of phases) expect(purchases).toBeGreaterThan(0);
    expect({ ordersOfOneKey, deliveredTwice, findings }).toEqual({
      ordersOfOneKey: 1,
      deliveredTwice: 0,
      findings: [],
    });
  },
);
