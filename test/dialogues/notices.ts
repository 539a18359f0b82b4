// The rule of STOP: at the end of a run its SMS are sent, and a number whose last message was STOP gets those that
// protect its account, and nothing that it did not request.
import type { Db } from "../../db/connect.ts";
import { sendDue } from "../../src/core/messaging/messages.ts";
import type { Outgoing } from "../../src/core/messaging/sender.ts";
import type { Violation } from "./line.ts";

const PROTECTING = ["pin_locked", "pin_changed"];
const ORDINARY = ["order_accepted", "order_delivered", "wallet_topped_up", "balance_low"];

export type Notices = { sent: number; protecting: number; silenced: number };

/** Sends every SMS that is due, and judges which arrive. Nobody may text any more. */
export async function checkNotices(
  db: Db,
  stopped: ReadonlySet<string>,
): Promise<{ violations: Violation[]; notices: Notices }> {
  const arrived = await sendAll(db);
  const all = await db.$client<{ id: number; kind: string; recipient: string }[]>`
    select id::float8 as id, kind, recipient from messages where channel = 'sms'`;
  const notices = { sent: arrived.size, protecting: 0, silenced: 0 };
  const violations: Violation[] = [];
  for (const { id, kind, recipient } of all) {
    const isArrived = arrived.has(id);
    const isProtecting = PROTECTING.includes(kind);
    if (!stopped.has(recipient)) continue;
    if (isProtecting) notices.protecting += 1;
    if (!isArrived) notices.silenced += 1;
    const isWrong = isArrived ? ORDINARY.includes(kind) : isProtecting;
    if (!isWrong) continue;
    const rule = isArrived ? "STOP silences ordinary notices" : "notices that protect an account pass every STOP";
    violations.push({ rule, detail: `${kind} to ${recipient}`, dialogue: [] });
  }
  return { violations, notices };
}

/** The ids of all messages that a gateway got. */
async function sendAll(db: Db): Promise<Set<number>> {
  const arrived = new Set<number>();
  const gateway = {
    send: async ({ id }: Outgoing) => {
      arrived.add(id);
      return { kind: "accepted", providerId: null } as const;
    },
  };
  const mailbox = { send: async () => ({ kind: "accepted", providerId: null }) as const };
  for (let reports = 1; reports > 0; )
    reports = (await sendDue(db, { sms: { africastalking: gateway }, email: mailbox }, 200)).length;
  return arrived;
}
