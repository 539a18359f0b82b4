// A question besides the code by SMS, for a PIN that was forgotten: a number that the account has bought for, and that
// USSD does not show to whoever holds the SIM. Its owner has it among their customers.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../../db/connect.ts";

/** What USSD shows without a PIN: the recipients of the last orders, and the recent numbers. */
const SHOWN_ORDERS = 10;
const SHOWN_NUMBERS = 9;
/** Older orders are forgotten by their owners as well. */
const ORDERS_BACK = 1_000;
/** With fewer answers there is no question: it would be hard to answer. */
const ANSWERS_MIN = 5;

/** Whether there is a question for this account. */
export async function hasQuestion(tx: Reads, userId: number): Promise<boolean> {
  const [row] = await tx.execute<{ count: number }>(sql`select count(*)::int as count from ${answers(userId)} a`);
  return row!.count >= ANSWERS_MIN;
}

/** Whether this number (233541234567) answers it. */
export async function isAnswer(tx: Reads, userId: number, msisdn: string): Promise<boolean> {
  const found = await tx.execute(sql`select from ${answers(userId)} a where a.msisdn = ${msisdn}`);
  return found.length > 0;
}

function answers(userId: number) {
  return sql`(
    select msisdn from (
      select o.msisdn, min(place) as first_place, dense_rank() over (order by min(place)) as number_place
      from (select msisdn, row_number() over (order by id desc) as place from orders
            where user_id = ${userId} order by id desc limit ${ORDERS_BACK}) o
      group by o.msisdn) n
    where first_place > ${SHOWN_ORDERS} and number_place > ${SHOWN_NUMBERS}
      and not exists (select from phones p where p.user_id = ${userId} and p.msisdn = n.msisdn))`;
}
