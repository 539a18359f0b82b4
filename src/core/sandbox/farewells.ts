// Farewells to the sandbox: a worker of the live shop sends each until the sandbox has heard it. A second one has no
// effect, so workers need not know of each other.
import type { Db } from "../../../db/connect.ts";
import * as farewells from "../identity/farewells.ts";
import type { SandboxClient } from "./client.ts";

/** Sent at once, so that a sandbox that hangs holds a round up once. */
export const AT_ONCE = 10;
/** A request that came in before the account left may still call the sandbox, and would open a fresh twin: it ends. */
const REST_SECONDS = 10;

/**
 * Sends the oldest farewells, up to AT_ONCE; returns how many the sandbox heard, and why others wait for the next
 * round. A sandbox of our own that does not run is left asleep: nobody can use a key there before it runs.
 */
export async function sendDue(
  db: Db,
  sandbox: Pick<SandboxClient, "isAwake" | "sendFarewell">,
): Promise<{ heard: number; failures: unknown[] }> {
  if (!sandbox.isAwake()) return { heard: 0, failures: [] };
  const due = await farewells.due(db, { seconds: REST_SECONDS, countMax: AT_ONCE });
  const sent = await Promise.allSettled(
    due.map(async ({ id, userId }) => {
      await sandbox.sendFarewell(userId);
      await farewells.forget(db, id);
    }),
  );
  const failures = sent.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  return { heard: sent.length - failures.length, failures };
}
