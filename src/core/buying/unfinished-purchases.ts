// Unfinished purchases by USSD: one per account, remembered until it is bought through any channel, discarded, or a day
// old, so that it outlives the session in which the agent tops up for it.
import { sql as drizzleSql } from "drizzle-orm";
import type { Db, Reads, Sql } from "../../../db/connect.ts";
import { unfinishedPurchases } from "../../../db/schema/orders.ts";
import type { Family, Operator } from "../../shared/domain.ts";
import { bundleName } from "../../shared/operators.ts";
import { shortcut, type Waiting } from "../messaging/texts/sms-texts.ts";
import { deleteInParts } from "../platform/parts.ts";
import * as settings from "../platform/settings/settings.ts";

/** At the last price shown, in pesewas for one. */
export type Unfinished = { productId: number; msisdn: string; quantity: number; pricePesewas: number };

/** With its bundle's current state; `isPaused` when it cannot be bought now. */
export type Found = Unfinished & {
  operator: Operator;
  family: Family | null;
  size: string;
  todayPesewas: number;
  isPaused: boolean;
};

export const KEPT_HOURS = 24;
/** Its option on the first screen of the USSD menu. */
export const CONTINUE_OPTION = "7";

/**
 * The account's unfinished purchase if it is on sale and has not been bought since through any channel; null for none.
 */
export async function find({ $client: sql }: Pick<Db, "$client">, userId: number): Promise<Found | null> {
  return read((text, ...values) => sql(text, ...values), userId);
}

/** The unfinished purchase that a top-up notice can offer; null for none, a paused one, or no code to dial. */
export async function findContinuable(
  tx: Reads,
  userId: number,
): Promise<(Waiting & { neededPesewas: number }) | null> {
  const found = await read((text, ...values) => tx.execute(drizzleSql(text, ...values)), userId);
  const code = await settings.get(tx, "ussd_code");
  if (!found || found.isPaused || code === "") return null;
  const { msisdn, quantity, todayPesewas } = found;
  return {
    bundle: bundleName(found, quantity),
    msisdn,
    dial: shortcut(code, CONTINUE_OPTION),
    neededPesewas: todayPesewas * quantity,
  };
}

/** Deletes expired ones. */
export const forgetOld = (db: Db) =>
  deleteInParts(db, unfinishedPurchases, drizzleSql`kept_at < now() - make_interval(hours => ${KEPT_HOURS})`);

/** SQL that stores this for a user if the session `written` in the same statement was; null deletes it. */
export function storeCte(
  sql: Sql,
  unfinished: Unfinished | null,
  { userId, dialCode }: { userId: number | null; dialCode: string },
): ReturnType<Sql> {
  // By the user's id, because a join with what was written reads the whole table, which is small and churns.
  if (!unfinished)
    return sql`, dropped as (
      delete from unfinished_purchases where user_id = ${userId}::bigint and exists (select from written))`;
  const { productId, msisdn, quantity, pricePesewas } = unfinished;
  return sql`, kept as (
      insert into unfinished_purchases (user_id, product_id, msisdn, quantity, price_pesewas, service_code)
      select user_id, ${productId}::bigint, ${msisdn}, ${quantity}::int, ${pricePesewas}::bigint, ${dialCode}
      from written where user_id is not null
      on conflict (user_id) do update set product_id = excluded.product_id, msisdn = excluded.msisdn,
        quantity = excluded.quantity, price_pesewas = excluded.price_pesewas,
        service_code = excluded.service_code, kept_at = excluded.kept_at)`;
}

type Run = (text: TemplateStringsArray, ...values: number[]) => PromiseLike<readonly Record<string, unknown>[]>;

async function read(run: Run, userId: number): Promise<Found | null> {
  const [row] = await run`
    select w.product_id as "productId", w.msisdn, w.quantity, w.price_pesewas as "pricePesewas",
           p.operator, p.family, p.size, p.price_pesewas as "todayPesewas",
           is_paused(p.paused_message, p.paused_until) or is_paused(o.paused_message, o.paused_until) as "isPaused"
    from unfinished_purchases w
    join products p on p.id = w.product_id and p.retired_at is null
    join operators o on o.code = p.operator
    where w.user_id = ${userId} and w.kept_at > now() - make_interval(hours => ${KEPT_HOURS})
      and not exists (
        -- "+ 0" makes the planner use the index on numbers, not on buyers, who may have a million orders.
        select from orders d where d.user_id + 0 = w.user_id and d.msisdn = w.msisdn
          and d.product_id = w.product_id and d.paid_at is not null and d.paid_at > w.kept_at)`;
  return (row as Found | undefined) ?? null;
}
