// The end of a seed that was interrupted: its tables are emptied, so that it can begin again.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { STANDARD_TIER_ID } from "../../db/schema/catalog.ts";
import { shopFacts } from "../../db/schema/platform.ts";

/** Empties the seeded tables. Only a database that was empty before can be marked as being seeded. */
export async function discardSeed(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`alter table transfers disable trigger transfers_never_truncated`);
    await tx.execute(sql`
      truncate users, sessions, products, wallets, transfers, adjustments, bulk_orders, orders, order_events,
               afa_registrations, idempotency, jobs, audit_log, user_days, shop_days, shop_day_deltas,
               order_count_deltas, settings, payments, payment_reversals, webhook_events, deposits,
               statement_imports, statement_lines, deposit_reversals, cash_closes, bank_deposits,
               payouts, payout_payments, balance_checks, support_requests,
               support_messages, attempts, desk_batches, desk_results, vendors, customer_debts,
               profit_days, profit_agent_days, profit_days_stale, price_changes,
               approvals, lone_acts, staff_changes, privacy_requests
               restart identity cascade`);
    await tx.execute(sql`alter table transfers enable trigger transfers_never_truncated`);
    await tx.execute(sql`update order_counts set count = 0`);
    await tx.execute(sql`delete from tiers where id <> ${STANDARD_TIER_ID}`);
    await tx.update(shopFacts).set({ seeding: false });
  });
}
