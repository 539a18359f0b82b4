// Limits on spending: pesewas a day and orders an hour, by an account's own limits or its tier's, and the daily limit
// of accounts that were opened by USSD. Those in force are in the wallet, which a purchase locks and reads anyway.
import { eq, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { accraTime } from "../../shared/accra.ts";
import { AppError, type ErrorDetails } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import * as settings from "../platform/settings/settings.ts";
import { HAS_WAITED_AS_CLAIMED } from "./waits.ts";

const NEW_ACCOUNT_MAX = `coalesce(
  (select (value #>> '{}')::bigint from settings where key = 'new_account_day_max_pesewas'),
  ${settings.DEFAULTS.new_account_day_max_pesewas})`;

/**
 * SQL for whether the limit of new accounts bounds the wallet `w`. One that was claimed with nothing but a code to its
 * phone keeps it for its wait.
 */
const IS_CAPPED = `(w.is_capped and not ${HAS_WAITED_AS_CLAIMED})`;

/**
 * SQL for what the wallet `w` may still spend today, in pesewas; null for one without a limit, for which nothing more
 * is read. Refunded orders of the day do not count.
 */
export const DAY_LEFT = `
  case when ${IS_CAPPED} or w.day_max_pesewas is not null then greatest(0,
    least(w.day_max_pesewas, case when ${IS_CAPPED} then ${NEW_ACCOUNT_MAX} end)
    - coalesce((select sum(d.amount_pesewas) from user_days d
                where d.user_id = w.user_id
                  and d.day = (statement_timestamp() at time zone 'Africa/Accra')::date), 0))::bigint
  end`;

/** The clock hour of a statement. */
const THIS_HOUR = "date_trunc('hour', statement_timestamp())";

/** SQL for how many orders the wallet `w` may still pay in this clock hour; null for one without a limit. */
export const HOUR_LEFT = `
  case when w.hour_orders_max is not null then
    greatest(0, w.hour_orders_max - case when w.hour_at = ${THIS_HOUR} then w.hour_orders else 0 end) end`;

/** SQL for the columns that count so many more orders in the update of a wallet `w`, where there is a limit. */
export const hourCounted = (orders: string) => `
  hour_at = case when w.hour_orders_max is null then w.hour_at else ${THIS_HOUR} end,
  hour_orders = case when w.hour_orders_max is null then w.hour_orders
    when w.hour_at = ${THIS_HOUR} then w.hour_orders + ${orders} else ${orders} end`;

/** What is to be paid from a wallet at once. */
type Spending = { amountPesewas: number; orders: number };

/**
 * Throws order.daily_limit or order.hourly_limit when a wallet, which the caller has locked, may not pay these orders
 * now, and counts them when it may.
 */
export async function spend(tx: Tx, userId: number, spending: Spending): Promise<void> {
  await refuseBeyond(tx, userId, spending);
  await tx.execute(sql`
    update wallets w set ${sql.raw(hourCounted(String(spending.orders)))}
    where w.user_id = ${userId} and w.hour_orders_max is not null`);
}

/** As `spend`, and counts nothing: for what will be paid later, if it is. */
export async function refuseBeyond(tx: Reads, userId: number, spending: Spending): Promise<void> {
  const beyond = await hindrance(tx, userId, spending);
  if (beyond) throw beyond;
}

/**
 * The error order.daily_limit or order.hourly_limit that refuses these orders now; null when no limit does. `known`:
 * what `left` has read already.
 */
export async function hindrance(
  tx: Reads,
  userId: number,
  { amountPesewas, orders }: Spending,
  known?: Left,
): Promise<AppError | null> {
  const { dayLeft, hourLeft } = known ?? (await left(tx, userId));
  if (dayLeft !== null && amountPesewas > dayLeft) return dayRefusal(tx, userId, dayLeft);
  return hourLeft !== null && orders > hourLeft ? hourRefusal(tx, userId, hourLeft) : null;
}

export type Left = { dayLeft: number | null; hourLeft: number | null };

/** What may still be spent today, in pesewas, and how many orders paid in this hour; null: no such limit. */
export async function left(tx: Reads, userId: number): Promise<Left> {
  const [row] = await tx.execute<Left>(sql`
    select ${sql.raw(DAY_LEFT)} as "dayLeft", ${sql.raw(HOUR_LEFT)} as "hourLeft"
    from wallets w where w.user_id = ${userId}`);
  return row ?? { dayLeft: null, hourLeft: null };
}

/** The error order.daily_limit, with the limit, what is left of it today, and when it renews. */
export async function dayRefusal(tx: Reads, userId: number, leftPesewas: number): Promise<AppError> {
  const { newAccountMaxPesewas, dayMaxPesewas, renewsAt } = await dayLimit(tx, userId);
  const isNew = newAccountMaxPesewas !== null && newAccountMaxPesewas <= (dayMaxPesewas ?? Infinity);
  const limitPesewas = isNew ? newAccountMaxPesewas : dayMaxPesewas!;
  const details = { limit: toCedis(limitPesewas), left: toCedis(leftPesewas), renewsAt, isNew };
  const [subject, more] = isNew ? NEW_ACCOUNT : ANY_ACCOUNT;
  const left = `${show(leftPesewas)} is left until midnight`;
  const message = `${subject} can spend ${show(limitPesewas)} a day, and ${left}. ${more}`;
  return new AppError("order.daily_limit", details, message);
}

const ANY_ACCOUNT = ["You", "If you need more, ask support."];
const NEW_ACCOUNT = [
  "New accounts",
  "Add money from your own mobile money number to lift the limit, or claim your account on our website.",
];

async function dayLimit(tx: Reads, userId: number) {
  const [row] = await tx.execute<{
    newAccountMaxPesewas: number | null;
    dayMaxPesewas: number | null;
    renewsAt: string;
  }>(sql`
    select case when ${sql.raw(IS_CAPPED)} then ${sql.raw(NEW_ACCOUNT_MAX)} end as "newAccountMaxPesewas",
           w.day_max_pesewas as "dayMaxPesewas", ${NEXT_DAY} as "renewsAt"
    from wallets w where w.user_id = ${userId}`);
  return { ...row!, renewsAt: new Date(row!.renewsAt).toISOString() };
}

const NEXT_DAY = sql`date_trunc('day', now(), 'Africa/Accra') + interval '1 day'`;
const NEXT_HOUR = sql`date_trunc('hour', now()) + interval '1 hour'`;

/** The error order.hourly_limit, with the limit, how many orders are left in this hour, and when it renews. */
export async function hourRefusal(tx: Reads, userId: number, leftOrders: number): Promise<AppError> {
  const [row] = await tx
    .select({ limit: wallets.hourOrdersMax, renewsAt: sql<string>`${NEXT_HOUR}` })
    .from(wallets)
    .where(eq(wallets.userId, userId));
  const limit = row?.limit ?? 0;
  const renewsAt = new Date(row!.renewsAt);
  const are = leftOrders === 1 ? "1 is" : `${leftOrders} are`;
  const message =
    `You can place ${limit} ${limit === 1 ? "order" : "orders"} an hour, and ${are} left until ` +
    `${accraTime(renewsAt)}. If you need more, ask support.`;
  return new AppError("order.hourly_limit", { limit, left: leftOrders, renewsAt: renewsAt.toISOString() }, message);
}

/** A limit a day, what is left of it today, and whether it is that of a new account. */
export type DayLimit = { limitPesewas: number; leftPesewas: number; isNew: boolean };

/** The amounts in the details of order.daily_limit. */
export function dayLimitIn(details: ErrorDetails | undefined): DayLimit {
  const { limit, left: rest, isNew } = details!;
  return { limitPesewas: toPesewas(limit), leftPesewas: toPesewas(rest), isNew: isNew === true };
}

/** A limit of orders an hour, how many are left, and until when ("15:00"). */
export type HourLimit = { limit: number; left: number; until: string };

/** The figures in the details of order.hourly_limit. */
export function hourLimitIn(details: ErrorDetails | undefined): HourLimit {
  const { limit, left: rest, renewsAt } = details!;
  return { limit: Number(limit), left: Number(rest), until: accraTime(new Date(String(renewsAt))) };
}

function toPesewas(cedis: unknown): number {
  return Math.round(Number(cedis) * 100);
}

/** Limits, in pesewas and counts; null: no such limit. */
export type Bounds = {
  dayMaxPesewas: number | null;
  hourOrdersMax: number | null;
  /** Top-ups a day of an account younger than `youngDays`. */
  youngDays: number | null;
  youngTopUpsMax: number | null;
  balanceMaxPesewas: number | null;
};

export const NO_BOUNDS: Bounds = {
  dayMaxPesewas: null,
  hourOrdersMax: null,
  youngDays: null,
  youngTopUpsMax: null,
  balanceMaxPesewas: null,
};

/** The limits in force for an account, whose they are, and what is left of each. */
export type Standing = Bounds & {
  isOwn: boolean;
  /** When limits of its own end. */
  until: Date | null;
  /** As a new account opened by USSD; null when it is none. */
  newAccountMaxPesewas: number | null;
  dayLeftPesewas: number | null;
  hourLeft: number | null;
  /** Whether it is young enough for the limit on top-ups. */
  isYoung: boolean;
};

/** The limits in force for an account. */
export async function standing(tx: Reads, userId: number): Promise<Standing> {
  const [row] = await tx.execute<Standing & { until: string | null }>(sql`
    select l.is_own as "isOwn", l.until, l.young_days as "youngDays", l.young_top_ups_max as "youngTopUpsMax",
           l.balance_max_pesewas as "balanceMaxPesewas", w.day_max_pesewas as "dayMaxPesewas",
           w.hour_orders_max as "hourOrdersMax", ${sql.raw(DAY_LEFT)} as "dayLeftPesewas",
           ${sql.raw(HOUR_LEFT)} as "hourLeft",
           case when ${sql.raw(IS_CAPPED)} then ${sql.raw(NEW_ACCOUNT_MAX)} end as "newAccountMaxPesewas",
           coalesce(u.created_at > now() - make_interval(days => l.young_days), false) as "isYoung"
    from limits_of(array[${userId}]::bigint[]) l
    join wallets w on w.user_id = l.user_id join users u on u.id = l.user_id`);
  const none = { isOwn: false, newAccountMaxPesewas: null, dayLeftPesewas: null, hourLeft: null };
  if (!row) return { ...NO_BOUNDS, ...none, until: null, isYoung: false };
  return { ...row, until: row.until === null ? null : new Date(row.until) };
}

/**
 * Takes the limits in force over into these accounts' wallets, which the caller has locked: after every change of a
 * limit, a tier or an account's tier.
 */
export async function refresh(tx: Tx, userIds: readonly number[]): Promise<void> {
  const ids = sql.param([...userIds]);
  await tx.execute(sql`
    update wallets w set day_max_pesewas = l.day_max_pesewas, hour_orders_max = l.hour_orders_max
    from limits_of(${ids}::bigint[]) l
    where w.user_id = l.user_id and w.user_id = any(${ids}::bigint[])
      and (w.day_max_pesewas, w.hour_orders_max) is distinct from (l.day_max_pesewas, l.hour_orders_max)`);
}
