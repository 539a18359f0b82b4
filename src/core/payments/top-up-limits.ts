// Limits on top-ups: how many a day a young account may begin, and the balance that none may pass. Money that arrives
// is credited whatever the limits say; they only keep another top-up from beginning.
import { sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as limits from "../ledger/limits.ts";

/** A payment that its payer has left alone for so long no longer counts as under way. */
const UNDER_WAY_MINUTES = 15;

/** What an account may still top up; null: no such limit. */
export type TopUpsLeft = {
  /** Of a young account, today. */
  topUpsLeft: number | null;
  topUpsMax: number | null;
  /** Pesewas until the balance that may not be passed, less what is under way. */
  roomPesewas: number | null;
  balanceMaxPesewas: number | null;
};

/** What an account may still top up. */
export async function left(tx: Reads, userId: number): Promise<TopUpsLeft> {
  const { isYoung, youngTopUpsMax, balanceMaxPesewas } = await limits.standing(tx, userId);
  const topUpsMax = isYoung ? youngTopUpsMax : null;
  if (topUpsMax === null && balanceMaxPesewas === null)
    return { topUpsLeft: null, topUpsMax, roomPesewas: null, balanceMaxPesewas };
  const { today, underWayPesewas, balancePesewas } = await soFar(tx, userId);
  return {
    topUpsLeft: topUpsMax === null ? null : Math.max(0, topUpsMax - today),
    topUpsMax,
    roomPesewas:
      balanceMaxPesewas === null ? null : Math.max(0, balanceMaxPesewas - balancePesewas - underWayPesewas),
    balanceMaxPesewas,
  };
}

/**
 * Refuses a top-up that would pass a limit, with what is left. Locks the wallet first, so that two at once cannot pass
 * together. Throws payment.daily_limit, payment.balance_limit.
 */
export async function refuseBeyond(tx: Tx, userId: number, amountPesewas: number): Promise<void> {
  await ledger.lockWallets(tx, [userId]);
  const { topUpsLeft, topUpsMax, roomPesewas, balanceMaxPesewas } = await left(tx, userId);
  if (topUpsLeft === 0) {
    const message =
      `A new account can top up ${topUpsMax === 1 ? "once" : `${topUpsMax} times`} a day. ` +
      "You can top up again after midnight. If you need more, ask support.";
    throw new AppError("payment.daily_limit", { limit: topUpsMax, left: 0 }, message);
  }
  if (roomPesewas === null || amountPesewas <= roomPesewas) return;
  const room = roomPesewas === 0 ? "It has no room for more now" : `Top up at most ${show(roomPesewas)} now`;
  const message = `Your wallet can hold up to ${show(balanceMaxPesewas!)}. ${room}. If you need more, ask support.`;
  const details = { limit: toCedis(balanceMaxPesewas!), left: toCedis(roomPesewas) };
  throw new AppError("payment.balance_limit", { ...details, fields: { amount: message } }, message);
}

type SoFar = { today: number; underWayPesewas: number; balancePesewas: number };

/** Top-ups of today, paid or under way, with deposits by hand that were not refused. */
async function soFar(tx: Reads, userId: number): Promise<SoFar> {
  const isUnderWay = sql`p.state in ('created', 'pending')
    and p.created_at > now() - make_interval(mins => ${UNDER_WAY_MINUTES})
    and not exists (select from prompts g where g.payment_id = p.id and g.given_up_at is not null)`;
  const [row] = await tx.execute<SoFar>(sql`
    select (count(*) filter (where p.paid_at is not null or p.state = 'review' or p.is_under_way)
             + (select count(*) from claims c where c.user_id = ${userId} and c.state <> 'refused'
                  and c.created_at >= date_trunc('day', now(), 'Africa/Accra')))::int as today,
           coalesce(sum(p.amount_pesewas) filter (where p.is_under_way), 0)::bigint as "underWayPesewas",
           (select balance_pesewas from wallets where user_id = ${userId}) as "balancePesewas"
    from (
      select p.*, ${isUnderWay} as is_under_way from payments p
      where p.user_id = ${userId} and p.order_id is null
        and p.created_at >= date_trunc('day', now(), 'Africa/Accra')
          - make_interval(mins => ${UNDER_WAY_MINUTES})) p
    where p.is_under_way or p.created_at >= date_trunc('day', now(), 'Africa/Accra')`);
  return row!;
}
