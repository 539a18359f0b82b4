// Rounds of messages to developers' webhooks: as many at a time as the limit allows, none waiting for another.
import type { Db } from "../../db/connect.ts";
import { workerFaults } from "../core/platform/metrics.ts";
import * as webhookDispatch from "../core/webhooks/dispatch.ts";
import type { WebhookKeys } from "../core/webhooks/endpoints.ts";
import type { Log } from "../telemetry/log.ts";

/** Concurrency of calls to developers' webhooks. */
const CONCURRENT_WEBHOOKS = 100;

/**
 * Messages to developers' webhooks. A round starts as many as the limit allows and waits for none, so that a slow
 * endpoint does not hold up the others.
 */
export function hookRounds(
  db: Db,
  keys: WebhookKeys,
  plan: webhookDispatch.HookPlan & { pollMs: number; isStopping: () => boolean },
  log: Log,
) {
  const underWay = new Set<Promise<void>>();
  const sendOne = async (claimed: webhookDispatch.Claimed) => {
    try {
      const { outcome, ...about } = await webhookDispatch.send(db, keys, plan, claimed);
      if (outcome !== "delivered") log.info({ outcome, ...about }, "a webhook's message did not arrive");
    } catch (error) {
      // Its lease expires, and it is sent again.
      workerFaults.inc({ loop: "developers' webhooks" });
      log.error({ error, deliveryId: claimed.id }, "the result of a webhook message could not be recorded");
    }
  };
  return {
    round: async () => {
      do {
        const room = CONCURRENT_WEBHOOKS - underWay.size;
        for (const claimed of room > 0 ? await webhookDispatch.claimDue(db, room) : []) {
          const sent = sendOne(claimed).finally(() => underWay.delete(sent));
          underWay.add(sent);
        }
        // An endpoint that has answered can get its next message at once.
        if (underWay.size > 0) await Promise.race([...underWay, Bun.sleep(plan.pollMs)]);
      } while (underWay.size > 0 && !plan.isStopping());
    },
    rest: () => Promise.all(underWay),
  };
}
