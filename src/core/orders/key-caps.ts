// The most that an API key may spend in a day. The purchase statement holds direct purchases to it; here it is read,
// and held to when an order that waits is paid.
import { sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import type { Order } from "./order.ts";

/** SQL for the day of a statement. */
export const IN_ACCRA_NOW = "(statement_timestamp() at time zone 'Africa/Accra')::date";

/** SQL for what the key `k` may still spend today, in pesewas; null without a limit of its own. */
export const KEY_LEFT = `
  case when k.day_max_pesewas is not null then greatest(0, k.day_max_pesewas - coalesce(
    (select s.amount_pesewas from api_key_days s
     where s.key_id = coalesce(k.first_id, k.id) and s.day = ${IN_ACCRA_NOW}), 0))::bigint
  end`;

/** What the key that acts may still spend today, in pesewas; null for a person, and for a key without a limit. */
export async function left(tx: Reads, { keyId }: ByUser): Promise<number | null> {
  if (keyId === undefined) return null;
  const [row] = await tx.execute<{ left: number | null }>(sql`
    select ${sql.raw(KEY_LEFT)} as left from api_keys k where k.id = ${keyId}`);
  return row?.left ?? null;
}

/**
 * Throws key.daily_limit when the key that acts may not spend so much now. The caller has locked the wallet of its
 * owner, so that nothing else is spent with it meanwhile.
 */
export async function refuseBeyond(tx: Tx, by: ByUser, amountPesewas: number): Promise<void> {
  const leftPesewas = await left(tx, by);
  if (leftPesewas !== null && amountPesewas > leftPesewas) throw await refusal(tx, by, leftPesewas);
}

/** The error key.daily_limit, with the limit, what is left of it today, and when it renews. */
export async function refusal(tx: Reads, { keyId }: ByUser, leftPesewas: number): Promise<AppError> {
  const [row] = await tx.execute<{ max: number | null; renews_at: string }>(sql`
    select k.day_max_pesewas as max, date_trunc('day', now(), 'Africa/Accra') + interval '1 day' as renews_at
    from api_keys k where k.id = ${keyId ?? null}`);
  // It may have been lifted since.
  const limitPesewas = row?.max ?? leftPesewas;
  const renewsAt = new Date(row!.renews_at).toISOString();
  const details = { limit: toCedis(limitPesewas), left: toCedis(leftPesewas), renewsAt };
  const message =
    `This API key can spend ${show(limitPesewas)} a day, and ${show(leftPesewas)} is left until midnight. ` +
    "Raise its limit in your profile under Developers.";
  return new AppError("key.daily_limit", details, message);
}

/** Adds orders that keys paid to (or subtracts them from) what these spent on the day they were paid. */
export async function count(tx: Tx, changed: Order[], sign: 1 | -1): Promise<void> {
  const rows = changed
    .filter(({ keyId }) => keyId !== null)
    .map(({ keyId, paidAt, amountPesewas }) => ({
      ...{ key_id: keyId, paid_at: paidAt!.toISOString(), amount: sign * amountPesewas },
    }));
  if (rows.length === 0) return;
  const sums = sql`
    select coalesce(k.first_id, k.id) as key_id, (r.paid_at at time zone 'Africa/Accra')::date as day,
           sum(r.amount)::bigint as amount
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(key_id bigint, paid_at timestamptz, amount bigint)
    join api_keys k on k.id = r.key_id group by 1, 2 order by 1, 2`;
  // An upsert cannot subtract, because its insert would violate the check.
  await tx.execute(
    sign === 1
      ? sql`
        insert into api_key_days as d (key_id, day, amount_pesewas) ${sums}
        on conflict (key_id, day) do update set amount_pesewas = d.amount_pesewas + excluded.amount_pesewas`
      : sql`
        update api_key_days d set amount_pesewas = d.amount_pesewas + s.amount
        from (${sums}) s where d.key_id = s.key_id and d.day = s.day`,
  );
}
