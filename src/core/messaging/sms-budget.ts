// What the shop spends on SMS in a day. When it runs out notices stop first and codes last, and admins hear of each step once.
// It is counted where an SMS is sent, not where it is written: nobody's purchase waits for a counter of the whole shop.
import type { Db } from "../../../db/connect.ts";
import { limited } from "../platform/metrics.ts";
import * as rateLimits from "../platform/rate-limits.ts";
import * as settings from "../platform/settings.ts";
import * as notices from "./notices.ts";
import type { Sender, Senders } from "./sender.ts";

const BUCKET = "sms.shop";
const DAY_SECONDS = 86_400;

/** How much of the day's budget may be used when a message of this kind is still sent, in per cent. */
const SHARES: Record<string, number> = {
  order_accepted: 70,
  order_delivered: 70,
  order_refunded: 70,
  balance_low: 70,
  wallet_topped_up: 70,
  statement: 70,
  sms_answer: 85,
  // To numbers that nobody has confirmed: a stranger can ask for these, and must not use up what others need.
  phone_code: 85,
};

/** The same senders, but that an SMS beyond the day's budget is refused instead of sent. */
export function within(db: Db, { sms, ...others }: Senders): Senders {
  if (!sms) return { sms, ...others };
  const send: Sender["send"] = async (message) =>
    (await takes(db, message.kind))
      ? sms.send(message)
      : { kind: "refused", reason: "the shop's SMS of the day are used up" };
  return { ...others, sms: { send } };
}

/** Whether an SMS of this kind may be sent now, counting it when it may. */
async function takes(db: Db, kind: string): Promise<boolean> {
  const perDay = await settings.get(db, "sms_day_max");
  const share = SHARES[kind] ?? 100;
  const countMax = Math.floor((perDay * share) / 100);
  const limit = { bucket: BUCKET, countMax, windowSeconds: DAY_SECONDS };
  if (await rateLimits.isWithin(db, limit)) return true;
  await rateLimits.giveBack(db, BUCKET);
  limited.inc({ limit: BUCKET });
  await db.transaction((tx) => notices.smsBudgetUsed(tx, { share, perDay }));
  return false;
}
