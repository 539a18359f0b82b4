// Limits on top-ups: how often a day a young account may pay in, and the balance that none may pass. A payment for an
// order counts as a top-up does, because its money comes to the wallet when the order is cancelled. Money that arrives
// is credited whatever the limits say; they only keep another payment from beginning.
import { sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as limits from "../ledger/limits.ts";

/** A payment that was started and not taken to the provider for so long no longer counts; it is asked again then. */
const STARTED_MINUTES = 15;

/** What an account may still top up; null: no such limit. */
export type TopUpsLeft = {
  /** Of a young account, today. */
  topUpsLeft: number | null;
  topUpsMax: number | null;
  /** Pesewas until the balance that may not be passed, less what is under way and what may come back from orders. */
  roomPesewas: number | null;
  balanceMaxPesewas: number | null;
};

/** What an account may still top up. */
export async function left(tx: Reads, userId: number): Promise<TopUpsLeft> {
  return (await standing(tx, { userId })).left;
}

/** A payment before it begins; `id` where it has a row already, which does not count against itself. */
type Beginning = { id?: number; userId: number; orderId?: number | null; amountPesewas: number };

/**
 * Refuses a payment that would pass a limit, with what is left and the next step. Locks the wallet first, so that two
 * at once cannot pass together. Throws payment.daily_limit, payment.balance_limit.
 */
export async function refuseBeyond(tx: Tx, payment: Beginning): Promise<void> {
  await ledger.lockWallets(tx, [payment.userId]);
  const { left, underWay } = await standing(tx, payment);
  const { topUpsLeft, roomPesewas } = left;
  if (topUpsLeft === 0) throw dailyRefusal(payment, left, underWay > 0);
  if (roomPesewas !== null && payment.amountPesewas > roomPesewas)
    throw balanceRefusal(payment, { ...left, roomPesewas });
}

async function standing(tx: Reads, payment: Pick<Beginning, "id" | "userId">) {
  const { isYoung, youngTopUpsMax, balanceMaxPesewas } = await limits.standing(tx, payment.userId);
  const topUpsMax = isYoung ? youngTopUpsMax : null;
  const none = { topUpsLeft: null, topUpsMax, roomPesewas: null, balanceMaxPesewas };
  if (topUpsMax === null && balanceMaxPesewas === null) return { left: none, underWay: 0 };
  const { today, underWay, pesewas } = await soFar(tx, payment);
  const left: TopUpsLeft = {
    topUpsLeft: topUpsMax === null ? null : Math.max(0, topUpsMax - today),
    topUpsMax,
    roomPesewas: balanceMaxPesewas === null ? null : Math.max(0, balanceMaxPesewas - pesewas),
    balanceMaxPesewas,
  };
  return { left, underWay };
}

function dailyRefusal({ orderId }: Beginning, { topUpsMax }: TopUpsLeft, hasUnderWay: boolean): AppError {
  const often = topUpsMax === 1 ? "once" : `${topUpsMax} times`;
  const limit = orderId
    ? `A new account can pay by card or mobile money ${often} a day, top-ups included. ` +
      "You can pay this order from your wallet."
    : `A new account can top up ${often} a day.`;
  const when = hasUnderWay
    ? "A payment that you have begun counts until it is paid or has failed, for a day at most."
    : `You can ${orderId ? "pay" : "top up"} again after midnight.`;
  const message = `${limit} ${when} If you need more, ask support.`;
  return new AppError("payment.daily_limit", { limit: topUpsMax, left: 0 }, message);
}

function balanceRefusal(
  { orderId }: Beginning,
  { roomPesewas, balanceMaxPesewas }: TopUpsLeft & { roomPesewas: number },
): AppError {
  const balanceMax = show(balanceMaxPesewas!);
  const topUp = roomPesewas === 0 ? "It has no room for more now" : `Top up at most ${show(roomPesewas)} now`;
  const message = orderId
    ? `Your wallet can hold up to ${balanceMax}, and this payment would come to it if the order were cancelled. ` +
      `It has room for ${show(roomPesewas)} now. Pay this order from your wallet, or ask support.`
    : `Your wallet can hold up to ${balanceMax}. ${topUp}. If you need more, ask support.`;
  const details = { limit: toCedis(balanceMaxPesewas!), left: toCedis(roomPesewas) };
  return new AppError("payment.balance_limit", { ...details, fields: { amount: message } }, message);
}

type SoFar = {
  /** Payments that brought money today or are under way, with deposits by hand that were not refused. */
  today: number;
  underWay: number;
  /** In the wallet, under way to it, or to come back to it when its owner cancels orders. */
  pesewas: number;
};

/** A payment taken to the provider is under way until it cannot be paid any more: as long as the provider is asked. */
async function soFar(tx: Reads, { userId, id }: Pick<Beginning, "id" | "userId">): Promise<SoFar> {
  const today = sql`date_trunc('day', now(), 'Africa/Accra')`;
  const isStarted = sql`p.state = 'created' and p.created_at > now() - make_interval(mins => ${STARTED_MINUTES})
    and not exists (select from prompts g where g.payment_id = p.id and g.given_up_at is not null)`;
  // Nobody has the address of a page that was replaced before we kept it.
  const isReplaced = sql`p.authorization_url is null and p.network is null
    and exists (select from payments s where s.user_id = p.user_id and s.supersedes_id = p.id)`;
  const isUnderWay = sql`p.paid_at is null and (${isStarted} or (p.poll_at is not null and not (${isReplaced})))`;
  const [row] = await tx.execute<SoFar>(sql`
    select (count(*) filter (where is_of_today or is_under_way)
             + (select count(*) from deposits c where c.user_id = ${userId} and c.state <> 'refused'
                  and c.created_at >= ${today}))::int as today,
           count(*) filter (where is_under_way)::int as "underWay",
           (coalesce(sum(amount_pesewas) filter (where is_under_way), 0)
             + (select balance_pesewas from wallets where user_id = ${userId})
             + (select coalesce(sum(o.amount_pesewas), 0) from orders o
                where o.user_id = ${userId} and o.status in ('PENDING', 'PAID') and o.paid_at is not null
                  and o.payment_method <> 'cash'))::bigint as pesewas
    from (
      select p.amount_pesewas, ${isUnderWay} as is_under_way,
             p.paid_at >= ${today} or (p.state = 'review' and p.created_at >= ${today}) as is_of_today
      from payments p where p.user_id = ${userId} and p.id <> ${id ?? 0}) p`);
  return row!;
}
