// The shop's daily SMS budget. As it runs out, notices stop first and codes last; admins get an e-mail at each step.
// SMS are counted when first sent, not when queued, so that no purchase waits for a counter of the whole shop. One that
// is tried again, or goes by the fall-back, counts once.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import { limitedRequests } from "../platform/metrics.ts";
import * as settings from "../platform/settings/settings.ts";
import type { Sender, Senders, SmsSenders } from "./sender.ts";
import * as staffNotices from "./staff-notices.ts";

const BUCKET = "sms.shop";
const DAY_SECONDS = 86_400;

/** The share of the day's budget, in per cent, up to which a kind of message is still sent. */
const SHARES: Record<string, number> = {
  // To people who are no account's, about what its agent can tell them, too.
  customer_delivered: 50,
  order_accepted: 70,
  order_delivered: 70,
  order_refunded: 70,
  balance_low: 70,
  wallet_topped_up: 70,
  statement: 70,
  waiting: 85,
  sms_answer: 85,
  // To unconfirmed numbers: strangers can request these, and must not use up what others need.
  phone_code: 85,
};

/** Wraps the senders: an SMS beyond the day's budget is refused instead of sent. */
export function within(db: Db, { sms, ...others }: Senders): Senders {
  if (!sms) return { sms, ...others };
  const wrapped = Object.entries(sms).map(([code, sender]) => [code, limited(db, sender)]);
  return { ...others, sms: Object.fromEntries(wrapped) as SmsSenders };
}

/** Whether the day's budget still has room for a message of this kind. */
export async function hasRoomFor(tx: Reads, kind: string): Promise<boolean> {
  const { countMax } = await limitOf(tx, kind);
  const [row] = await tx.execute<{ count: number }>(sql`
    select count from rate_limits where bucket = ${BUCKET} and resets_at > now()`);
  return (row?.count ?? 0) < countMax;
}

function limited(db: Db, sender: Sender): Sender {
  return {
    send: async (message) =>
      message.isRepeat || (await trySpend(db, message.kind))
        ? sender.send(message)
        : { kind: "refused", reason: "the shop's daily SMS limit is used up", barred: "limit" },
  };
}

/** Counts an SMS of this kind; false, uncounted, when the budget does not allow it. */
async function trySpend(db: Db, kind: string): Promise<boolean> {
  const { perDay, share, countMax } = await limitOf(db, kind);
  const limit = { bucket: BUCKET, countMax, windowSeconds: DAY_SECONDS };
  if (await rateLimits.isWithin(db, limit)) return true;
  await rateLimits.giveBack(db, BUCKET);
  limitedRequests.inc({ limit: BUCKET });
  await db.transaction((tx) => staffNotices.smsBudgetUsed(tx, { share, perDay }));
  return false;
}

/** The day's budget, and how much of it messages of this kind may use up. */
async function limitOf(tx: Reads, kind: string): Promise<{ perDay: number; share: number; countMax: number }> {
  const perDay = await settings.get(tx, "sms_day_max");
  const share = SHARES[kind] ?? 100;
  return { perDay, share, countMax: Math.floor((perDay * share) / 100) };
}
