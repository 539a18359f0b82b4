// The purchase statement's question whether a line was ordered a moment ago, in two notations.
import { limits } from "../../shared/domain.ts";

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
