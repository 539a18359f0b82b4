// The parts of the purchase statement in which purchases of one line, bulk orders and large ones differ, and its
// queries of earlier orders.
import { limits } from "../../shared/domain.ts";

/** The moment of the verdict: the transaction may have waited for the wallet since it began. */
export const PLACED_AT = "statement_timestamp()";

const IS_RECENT = `d.status <> 'FAILED' and d.created_at > now() - interval '${limits.duplicateWindowMinutes} minutes'`;

/**
 * Whether the buyer has a recent order of a line's bundle for its number, looked up line by line. "+ 0" keeps the
 * planner from reading all of the buyer's orders, which it expects to be few in a new shop.
 */
export const RECENT_BY_LINE = `(
             select true from orders d
             where d.user_id + 0 = a.user_id and d.msisdn = l.msisdn and d.product_id = p.product_id
               and ${IS_RECENT} limit 1)`;

/**
 * The same for thousands of lines, whose numbers are looked up at once, in a fraction of the time. The array is made in
 * the statement, so that the planner expects ten numbers and uses their index.
 */
export const RECENT_AT_ONCE = `(a.user_id, l.msisdn, p.product_id) in (
             select d.user_id, d.msisdn, d.product_id from orders d
             where d.msisdn = any(array(select msisdn from line)) and ${IS_RECENT})`;

/**
 * Whether the buyer has an order with a line's reference. Its wallet is locked and what this statement reads about it
 * is not too old, or its verdict is not taken: so no other can come in between, and the unique index agrees.
 */
export const IS_REFERENCE_USED = `(
             select true from orders d where d.user_id = a.user_id and d.reference = l.reference limit 1)`;

/** `bulkRow` writes the row of a bulk order, `bulkVerdict` refuses one; `lines` is how many lines a group has. */
export type Variant = { bulkRow: string; bulkVerdict: string; isRecent: string; lines: string };

/** Groups of one line. */
export const OF_SINGLE: Omit<Variant, "isRecent"> = { bulkRow: "", bulkVerdict: "", lines: "1" };

const BULK_ROW = `
bulk as (
  insert into bulk_orders (id, user_id, lines, amount_pesewas, channel, reference, metadata, is_reference_unique,
                           created_at)
  select s.bulk_order_id, s.user_id, s.orders, s.amount, s.channel, a.reference, a.metadata::jsonb,
         (a.is_reference_unique and a.reference is not null) or null, ${PLACED_AT}
  from (select g, bulk_order_id, user_id, channel, sum(orders) as orders, sum(amount) as amount
        from sold where bulk_order_id is not null group by g, bulk_order_id, user_id, channel) s
  join request a on a.g = s.g
),
`;

const BULK_VERDICT = `
           when a.is_reference_unique and (select true from bulk_orders b
                                           where b.user_id = a.user_id and b.reference = a.reference limit 1)
             then 'order.reference_used'`;

/** One group of many lines. */
export const OF_BULK: Omit<Variant, "isRecent"> = {
  bulkRow: BULK_ROW,
  bulkVerdict: BULK_VERDICT,
  lines: "count(*)::int",
};
