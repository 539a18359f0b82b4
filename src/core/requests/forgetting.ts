// Deletion from the log of programs' requests: what is too old, and all of an account that was closed.
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { limits } from "../../shared/domain.ts";

export const KEPT_DAYS = limits.requestLogDays;

/** Rows deleted by one statement: far within the statement timeout. */
const DELETED_AT_ONCE = 2_000;

/** Deletes what is too old, and what belonged to accounts that were closed; returns how much that was. */
export async function forgetOld(db: Db): Promise<number> {
  let deleted = 0;
  for (const { id, isClosed } of await accountsToForget(db)) deleted += await forget(db, id, isClosed);
  return deleted;
}

const isTooOld = sql`at < now() - make_interval(days => ${KEPT_DAYS})`;

/** Skips through the index from one account to the next, and looks at the oldest row of each. */
function accountsToForget(db: Db) {
  return db.execute<{ id: number; isClosed: boolean }>(sql`
    with recursive account(id) as (
      (select min(user_id) from api_request_rows)
      union all
      select (select min(r.user_id) from api_request_rows r where r.user_id > a.id)
      from account a where a.id is not null
    )
    select a.id, u.status = 'CLOSED' as "isClosed" from account a join users u on u.id = a.id
    where u.status = 'CLOSED' or exists (
      select from (select at from api_request_rows r where r.user_id = a.id order by r.id limit 1) oldest
      where ${isTooOld})`);
}

/** Part by part, each in a commit of its own. */
async function forget(db: Db, userId: number, isWhole: boolean): Promise<number> {
  for (let deleted = 0; ; ) {
    const { count } = await db.execute(sql`
      delete from api_request_rows where ctid = any(array(
        select ctid from (
          select ctid, at from api_request_rows where user_id = ${userId} order by id limit ${DELETED_AT_ONCE}) oldest
        where ${isWhole} or ${isTooOld}))`);
    deleted += count;
    if (count < DELETED_AT_ONCE) return deleted;
  }
}
