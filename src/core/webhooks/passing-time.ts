// Time that passes for one account's webhooks, in a sandbox: what waits for its next try is tried now.
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";

/** Moves the next tries of messages nearer, and the moments from which pauses and old secrets are counted. */
export async function pass(tx: Tx, userId: number, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`;
  await tx.execute(sql`
    update hooks set failing_since = failing_since - ${by}, held_until = held_until - ${by},
      previous_until = previous_until - ${by}
    where user_id = ${userId} and (failing_since is not null or previous_until is not null)`);
  await tx.execute(sql`
    update hook_deliveries d set due_at = d.due_at - ${by}
    from hooks h where h.id = d.hook_id and h.user_id = ${userId} and d.state = 'waiting'`);
}

/** Gives one account's webhooks to another, with their messages. */
export async function moveAll(tx: Tx, from: number, to: number): Promise<void> {
  await tx.execute(sql`update hooks set user_id = ${to} where user_id = ${from}`);
}
