// The bundles that an agent sells most, which USSD lists first.
import type { Db } from "../../../db/connect.ts";
import { AFA_SIZE, type Operator } from "../../shared/domain.ts";

const FAVOURITES = 3;
const DAYS = 30;
/** Of a busier agent these show enough, and reading them takes the same short time however many there are. */
const NEWEST = 200;

/**
 * The ids of the bundles of a network that a user sold most in the last 30 days, the most sold first. A prepared
 * statement, because every purchase by USSD reads it; as in `newestSalesQuery`, a range of one user makes the planner
 * use the index on users.
 */
export async function favourites({ $client: sql }: Db, userId: number, operator: Operator): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select newest.product_id as id
    from (
      select * from orders where user_id between ${userId} and ${userId} order by user_id desc, id desc limit ${NEWEST}
    ) newest
    where newest.operator = ${operator} and newest.paid_at is not null and newest.status <> 'FAILED'
      and newest.product_size <> ${AFA_SIZE} and newest.created_at > now() - make_interval(days => ${DAYS})
    group by newest.product_id order by count(*) desc, max(newest.id) desc limit ${FAVOURITES}`;
  return rows.map(({ id }) => id);
}
