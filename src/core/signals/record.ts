// The record of an account, for staff who look into it: totals, logins with their addresses, signals and notes.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import type { ByUser } from "../../shared/domain.ts";
import { requireRight, requireRightOver } from "../../shared/rights.ts";
import * as loginHistory from "../identity/logins/login-history.ts";
import * as users from "../identity/users.ts";
import * as holds from "../orders/holds.ts";
import * as agentNotes from "./agent-notes.ts";
import * as signals from "./signals.ts";

/** The newest orders of an account that are looked at for what failed. */
export const ORDERS_COUNTED = 10_000;
const LOGINS_SHOWN = 20;
const SHOWN_MAX = 50;

/** A number, and the pesewas of it. */
export type Total = { count: number; pesewas: number };

export type Totals = {
  /** Paid orders that did not fail, ever. */
  bought: Total;
  /** Among the newest `ORDERS_COUNTED` orders. */
  failed: Total;
  notReceived: Total;
  /** What Paystack and deposits brought. */
  toppedUp: Total;
  disputed: Total;
  /** Delivered after a refund. */
  lost: Total;
};

export type Record = {
  user: users.User;
  totals: Totals;
  logins: loginHistory.Login[];
  /** Sessions that are open now. */
  sessions: number;
  signals: signals.Signal[];
  notes: agentNotes.AgentNote[];
  hold: holds.Hold | null;
};

/** The record of an account. Throws auth.forbidden, user.not_found. */
export async function of(db: Db, { by, userId }: { by: ByUser; userId: number }): Promise<Record> {
  requireRight(by, "agents.note");
  const user = await users.get(db, userId);
  requireRightOver(by, user, "agents.note");
  const [totals, logins, sessions, raised, notes, hold] = await Promise.all([
    totalsOf(db, userId),
    loginHistory.list(db, userId, LOGINS_SHOWN),
    openSessions(db, userId),
    signals.list(db, { state: "all", userId }, { limit: SHOWN_MAX }),
    agentNotes.list(db, userId, { limit: SHOWN_MAX }),
    holds.of(db, userId),
  ]);
  return { user, totals, logins, sessions, signals: raised, notes, hold };
}

async function openSessions(tx: Reads, userId: number): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from sessions where user_id = ${userId} and expires_at > now()`);
  return row!.count;
}

/** One statement, by the account's own rows. What was bought is read from the daily totals. */
async function totalsOf(tx: Reads, userId: number): Promise<Totals> {
  const total = (rows: ReturnType<typeof sql>) => sql`
    select count(*)::int as count, coalesce(sum(pesewas), 0)::bigint as pesewas from (${rows}) r`;
  const rows = await tx.execute<{ name: keyof Totals; count: number; pesewas: number }>(sql`
    select 'bought' as name, coalesce(sum(orders), 0)::int as count, coalesce(sum(amount_pesewas), 0)::bigint as pesewas
    from user_days where user_id = ${userId}
    union all select 'failed', t.* from (${total(sql`
      select pesewas from (
        select amount_pesewas as pesewas, refunded_at from orders where user_id = ${userId}
        order by id desc limit ${ORDERS_COUNTED}) newest
      where refunded_at is not null`)}) t
    union all select 'notReceived', t.* from (${total(sql`
      select o.amount_pesewas as pesewas from support_requests s join orders o on o.id = s.subject_id
      where s.user_id = ${userId} and s.kind = 'not_received'`)}) t
    union all select 'toppedUp', t.* from (${total(sql`
      select coalesce(credited_pesewas, amount_pesewas) as pesewas from payments
      where user_id = ${userId} and state in ('paid', 'reversed') and order_id is null
      union all
      select coalesce(credited_pesewas, amount_pesewas) from deposits
      where user_id = ${userId} and state = 'approved'`)}) t
    union all select 'disputed', t.* from (${total(sql`
      select amount_pesewas as pesewas from payment_reversals where user_id = ${userId} and kind = 'chargeback'`)}) t
    union all select 'lost', t.* from (${total(sql`
      select amount_pesewas as pesewas from losses where user_id = ${userId} and recovered_at is null`)}) t`);
  const none: Total = { count: 0, pesewas: 0 };
  return Object.fromEntries([
    ...(["bought", "failed", "notReceived", "toppedUp", "disputed", "lost"] as const).map((name) => [name, none]),
    ...rows.map(({ name, count, pesewas }) => [name, { count, pesewas }]),
  ]) as Totals;
}
