// Agents who stopped buying: regular buyers without a purchase in the last days, so that somebody asks them why.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { addDays, today } from "./sales-history.ts";

/** An agent has stopped who has no paid order on the last days, of which today is one. */
export const QUIET_DAYS = 7;
/** The days before those, in which regular buyers bought. */
const BEFORE_DAYS = 28;
/** On fewer days than this, one a week, nobody is a regular buyer. */
const DAYS_BOUGHT_MIN = 4;

export type StoppedBuying = {
  userId: number;
  username: string;
  /** 233241112223, or null. */
  msisdn: string | null;
  lastDay: string;
  /** Paid orders in the days before. */
  orders: number;
};

/** Those with an open account, who bought most first. */
export async function list(tx: Reads, limit: number): Promise<StoppedBuying[]> {
  const quietSince = addDays(today(), 1 - QUIET_DAYS);
  const rows = await tx.execute<StoppedBuying>(sql`
    select u.id as "userId", u.username, p.msisdn, d."lastDay"::text, d.orders
    from (
      select user_id, max(day) as "lastDay", sum(orders)::int as orders
      from profit_agent_days
      where day >= ${addDays(quietSince, -BEFORE_DAYS)} and orders > 0
      group by user_id
      having max(day) < ${quietSince} and count(distinct day) >= ${DAYS_BOUGHT_MIN}) d
    join users u on u.id = d.user_id and u.status = 'ACTIVE'
    left join phones p on p.user_id = u.id
    order by d.orders desc, u.id
    limit ${limit}`);
  return [...rows];
}
