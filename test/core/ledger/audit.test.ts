// The audit finds each fault that it checks for: each is planted past our code, found, and rolled back.
import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as ledgerAudit from "../../../src/core/ledger/audit.ts";
import { LIMIT_RULES } from "../../../src/core/ledger/audit-limits.ts";
import { MONEY_RULES } from "../../../src/core/ledger/audit-money.ts";
import { PROFIT_RULES } from "../../../src/core/ledger/audit-profit.ts";
import { REFUND_RULES } from "../../../src/core/ledger/audit-refunds.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { databaseRefusal, lineFor } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 100.00");
const buy = async () => {
  const ask = { by: ama.by(), key: null, line: lineFor(bundle) };
  return (await orders.buy(db, ask)).answer.order.id;
};
const paidId = await buy();
const failedId = await buy();
await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: failedId, to: "FAILED" });
const unpaidId = (await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer.id;
const cashId = (await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer.id;
await statusChanges.moveOne(db, {
  by: yaw.by(),
  key: null,
  orderId: cashId,
  to: "COMPLETED",
  paidInCash: true,
});

/** The audit's findings after these statements, which are then rolled back. */
async function findingsAfter(...statements: SQL[]): Promise<ledgerAudit.AuditFinding[]> {
  let findings: ledgerAudit.AuditFinding[] = [];
  const isUndone = new Error("undone");
  await db
    .transaction(async (tx: Tx) => {
      // Without its triggers the journal can be changed; only a superuser can do that.
      await tx.execute(sql`set local session_replication_role = replica`);
      for (const statement of statements) await tx.execute(statement);
      findings = (await ledgerAudit.audit(tx as unknown as Db)).findings;
      throw isUndone;
    })
    .catch((error: unknown) => {
      if (error !== isUndone) throw error;
    });
  return findings;
}

/** A transfer whose subject is number 1 of its kind. */
function creditOf(reason: "topup" | "claim" | "reversal", pesewas: number): SQL {
  const [debit, credit] = {
    topup: ["paystack", "wallet"],
    claim: ["cash", "wallet"],
    reversal: ["wallet", "paystack"],
  }[reason] as [string, string];
  return sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
             values (${ama.id}, ${debit}, ${credit}, ${pesewas}, ${reason}, 1, 0)`;
}

/** A credited payment with this id 7000 whose known fees are so many pesewas, and no transfer. */
function creditedPayment(feesPesewas: number | null, feesByPayerPesewas = 0): SQL {
  return sql`insert into payments (id, user_id, amount_pesewas, reference, state, paid_at, fees_pesewas,
                                   fees_by_payer_pesewas)
             values (7000, ${ama.id}, 2000, 'tp-fee', 'paid', now(), ${feesPesewas}, ${feesByPayerPesewas})`;
}

function feeOf(pesewas: number): SQL {
  return sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id)
             values (${ama.id}, 'fees', 'paystack', ${pesewas}, 'payment_fee', 7000)`;
}

/** Number 8000 of the statement. */
function lineOf(transactionId: string, pesewas: number): SQL {
  return sql`
    with import as (
      insert into statement_imports (id, network, source, by_user_id, imported_at)
      values (8000, 'mtn', 'file', ${yaw.id}, now()) returning id)
    insert into statement_lines (id, import_id, network, direction, transaction_id, amount_pesewas)
    select 8000, id, 'mtn', 'in', ${transactionId}, ${pesewas} from import`;
}

/** The credited deposit number 8000. */
function depositOf(pesewas: number, about: { line: number; by?: number; automatic?: boolean }): SQL {
  const { line, by = yaw.id, automatic = false } = about;
  return sql`
    insert into deposits (id, user_id, transaction_id, amount_pesewas, state, decided_at, decided_by_user_id, line_id,
                        is_automatic)
    values (8000, ${ama.id}, '40125566778', ${pesewas}, 'approved', now(), ${by}, ${line}, ${automatic})`;
}

function claimedBy(byUserId: number, pesewas: number): SQL {
  return sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas,
                                    by_user_id)
             values (${ama.id}, 'momo', 'wallet', ${pesewas}, 'claim', 8000, 0, ${byUserId})`;
}

/** Number 8000 of the days of cash, of the admin who took GH₵ 3.90. */
function closeOf(state: string, pesewas: number): SQL {
  const decider = state === "waiting" ? null : ama.id;
  return sql`insert into cash_closes (id, user_id, day, to_user_id, expected_pesewas, counted_pesewas, state,
                                      decided_by_user_id)
             values (8000, ${yaw.id}, '2026-11-21', ${ama.id}, ${pesewas}, ${pesewas}, ${state}, ${decider})`;
}

const PLANTS: Record<string, { subject: string; statements: SQL[] }> = {
  accounts_sum_to_zero: {
    subject: "all accounts",
    statements: [
      sql`create or replace view audit.entry as
          select id * 2 as id, id as txn_id, 'SPEND' as kind, subject_id::text as ref, 'sales' as account_id,
                 'sales' as account_kind, user_id, amount_pesewas as pesewas, created_at from transfers`,
    ],
  },
  wallet_equals_its_transfers: {
    subject: String(ama.id),
    statements: [sql`update wallets set balance_pesewas = balance_pesewas + 1 where user_id = ${ama.id}`],
  },
  balance_after_is_the_running_sum: {
    subject: "",
    statements: [
      sql`update transfers set balance_after_pesewas = balance_after_pesewas + 1
          where reason = 'charge' and subject_id = ${paidId}`,
    ],
  },
  processing_bundle_is_with_somebody: {
    subject: String(paidId),
    statements: [
      sql`update orders set status = 'PROCESSING' where id = ${paidId}`,
      sql`delete from attempts where order_id = ${paidId}`,
      sql`delete from jobs where subject_id = ${paidId}`,
    ],
  },
  loss_is_a_refunded_order: {
    subject: String(paidId),
    statements: [
      sql`insert into losses (order_id, user_id, attempt_id, vendor, amount_pesewas)
          select id, user_id, 1, 'datamart', amount_pesewas from orders where id = ${paidId}`,
    ],
  },
  afa_registration_follows_its_order: {
    subject: String(paidId),
    statements: [
      sql`insert into afa_registrations (order_id, user_id, full_name, msisdn, location, card_sealed, card_digest,
                                         card_last4, refused_at)
          select id, user_id, 'Akosua', msisdn, 'Kumasi', '1.abcdef.' || repeat('x', 50), 'digest', '7890', now()
          from orders where id = ${paidId}`,
    ],
  },
  sales_equals_paid_orders: {
    subject: "sales",
    statements: [sql`update orders set unit_price_pesewas = 400, amount_pesewas = 400 where id = ${paidId}`],
  },
  paid_order_has_one_charge: {
    subject: String(paidId),
    statements: [sql`delete from transfers where reason = 'charge' and subject_id = ${paidId}`],
  },
  charge_has_its_order: {
    subject: "",
    statements: [
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          values (${ama.id}, 'wallet', 'sales', 5, 'charge', 987654321, 0)`,
    ],
  },
  failed_order_has_one_refund: {
    subject: String(paidId),
    statements: [sql`update orders set status = 'FAILED', refunded_at = now() where id = ${paidId}`],
  },
  refund_follows_the_one_before: {
    subject: "",
    statements: [
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          select user_id, 'sales', 'wallet', amount_pesewas, 'refund_again', id, 0 from orders where id = ${failedId}`,
    ],
  },
  adjustment_has_one_transfer: {
    subject: "",
    statements: [sql`insert into adjustments (user_id, amount_pesewas, reason) values (${ama.id}, 500, 'no transfer')`],
  },
  settled_payment_has_one_credit: {
    subject: "",
    statements: [
      sql`insert into payments (user_id, amount_pesewas, reference, state, paid_at)
          values (${ama.id}, 2000, 'tp-not-credited', 'paid', now())`,
    ],
  },
  credited_payment_has_its_fee: {
    subject: "7000",
    statements: [creditedPayment(39)],
  },
  paystack_and_fees_equal_payments: {
    subject: "fees",
    statements: [creditedPayment(39), feeOf(40)],
  },
  approved_claim_has_one_credit: {
    subject: "",
    statements: [
      sql`insert into deposits (user_id, transaction_id, amount_pesewas, state, decided_at)
          values (${ama.id}, '40125566778', 2000, 'approved', now())`,
    ],
  },
  deposit_agrees_with_its_line: {
    subject: "8000",
    statements: [lineOf("40125566778", 2000), depositOf(2100, { line: 8000 }), claimedBy(yaw.id, 2100)],
  },
  deposit_is_not_its_importers: {
    subject: "8000",
    statements: [
      lineOf("40125566778", 2000),
      depositOf(2000, { line: 8000, by: ama.id, automatic: true }),
      claimedBy(ama.id, 2000),
    ],
  },
  deposit_reversal_has_its_amount: {
    subject: "8000",
    statements: [
      lineOf("40125566778", 2000),
      depositOf(2000, { line: 8000 }),
      claimedBy(yaw.id, 2000),
      sql`insert into deposit_reversals (id, deposit_id, user_id, line_id, amount_pesewas, state, decided_by_user_id)
          values (8000, 8000, ${ama.id}, 8000, 2000, 'booked', ${yaw.id})`,
    ],
  },
  deposit_reversals_within_their_credit: {
    subject: "8000",
    statements: [
      lineOf("40125566778", 2000),
      depositOf(2000, { line: 8000 }),
      claimedBy(yaw.id, 2000),
      sql`insert into deposit_reversals (deposit_id, user_id, line_id, amount_pesewas)
          values (8000, ${ama.id}, 8000, 2001)`,
    ],
  },
  momo_equals_deposits: {
    subject: "momo",
    statements: [
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          values (${ama.id}, 'momo', 'wallet', 2000, 'claim', 8000, 0)`,
    ],
  },
  cash_close_has_its_transfers: { subject: "8000", statements: [closeOf("accepted", 390)] },
  cash_with_staff_is_taken_less_handed_in: {
    subject: "cash",
    statements: [
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, by_user_id)
          values (${yaw.id}, 'safe', 'cash', 390, 'cash_handed_in', 8000, ${ama.id})`,
    ],
  },
  nobody_hands_in_more_than_they_took: { subject: String(yaw.id), statements: [closeOf("waiting", 391)] },
  safe_is_handed_in_less_banked: {
    subject: "safe",
    statements: [sql`insert into bank_deposits (amount_pesewas, slip, by_user_id) values (390, 'slip 1', ${yaw.id})`],
  },
  bank_is_what_was_brought_and_paid_out: {
    subject: "bank",
    statements: [
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id)
          values (${yaw.id}, 'bank', 'safe', 390, 'cash_banked', 8000)`,
    ],
  },
  bank_deposit_has_its_transfers: {
    subject: "8000",
    statements: [
      sql`insert into bank_deposits (id, amount_pesewas, slip, by_user_id, seen_pesewas, seen_by_user_id, seen_at,
                                     seen_reason)
          values (8000, 390, 'slip 2', ${yaw.id}, 380, ${ama.id}, now(), 'short')`,
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id)
          values (${yaw.id}, 'bank', 'safe', 390, 'cash_banked', 8000)`,
    ],
  },
  payout_has_its_transfer: {
    subject: "8000",
    statements: [
      sql`insert into payouts (id, domain, provider_id, status, amount_pesewas, processed_pesewas, fees_pesewas,
                               booked_at)
          values (8000, 'test', '1', 'success', 390, 400, 10, now())`,
    ],
  },
  wallet_payout_equals_its_transfer: {
    subject: "8000",
    statements: [
      sql`insert into wallet_payouts (id, user_id, amount_pesewas, method, name, reference, reason, by_user_id)
          values (8000, ${ama.id}, 390, 'cash', 'Ama', 'R 8000', 'left', ${yaw.id})`,
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          values (${ama.id}, 'wallet', 'paid_out', 380, 'wallet_payout', 8000, 0)`,
    ],
  },
  booked_reversal_has_its_amount: {
    subject: "",
    statements: [
      sql`insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, state)
          values (1, ${ama.id}, 'refund', 'refund:1', 2000, 'booked')`,
    ],
  },
  reversals_within_their_credit: {
    subject: "7000",
    statements: [
      sql`insert into payments (id, user_id, amount_pesewas, credited_pesewas, reference, state, paid_at)
          values (7000, ${ama.id}, 2000, 1500, 'tp-too-much', 'paid', now())`,
      sql`insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, state)
          values (7000, ${ama.id}, 'refund', 'refund:1', 1501, 'booked')`,
    ],
  },
  debt_equals_its_transfers: {
    subject: String(ama.id),
    statements: [sql`update wallets set debt_pesewas = 5, balance_pesewas = 0 where user_id = ${ama.id}`],
  },
  debt_paid_by_what_came_in: {
    subject: "",
    statements: [
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          select ${ama.id}, 'wallet', 'receivables', 390, 'debt_paid', id, 0
          from transfers where reason = 'charge' and subject_id = ${paidId}`,
    ],
  },
  wallet_has_the_limits_in_force: {
    subject: String(ama.id),
    statements: [sql`insert into tier_limits (tier_id, day_max_pesewas) values (1, 5000)`],
  },
  wallet_is_frozen_as_stated: {
    subject: String(ama.id),
    statements: [sql`update wallets set is_frozen = true where user_id = ${ama.id}`],
  },
  held_equals_open_chargebacks: {
    subject: String(ama.id),
    statements: [sql`update wallets set held_pesewas = 100 where user_id = ${ama.id}`],
  },
  open_chargeback_is_held: {
    subject: "7000",
    statements: [
      sql`insert into payments (id, user_id, amount_pesewas, reference, state, paid_at)
          values (7000, ${ama.id}, 2000, 'tp-not-held', 'paid', now())`,
      sql`insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, held_pesewas)
          values (7000, ${ama.id}, 'chargeback', 'dispute:1', 2000, 1999)`,
    ],
  },
  credit_has_its_subject: {
    subject: "",
    statements: [
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          values (${ama.id}, 'paystack', 'wallet', 2000, 'topup', 987654321, 0)`,
    ],
  },
  day_sums_equal_orders: {
    subject: "",
    statements: [sql`update user_days set amount_pesewas = amount_pesewas + 1 where user_id = ${ama.id}`],
  },
  key_days_equal_orders: {
    subject: "",
    statements: [
      sql`insert into api_keys (id, user_id, name, digest, shown, scopes)
          values (7000, ${ama.id}, 'Program', 'digest', 'dfk_live_a…b', '{buy}')`,
      sql`insert into api_key_days (key_id, day, amount_pesewas) values (7000, now()::date, 1)`,
    ],
  },
  shop_days_equal_user_days: {
    subject: "",
    statements: [
      sql`insert into shop_day_deltas (day, operator, orders, amount_pesewas, volume_mb)
          values ('2026-03-01', 'MTN', 1, 1, 1)`,
    ],
  },
  order_has_a_price_of_the_list: {
    subject: String(paidId),
    statements: [sql`update prices set price_pesewas = 391 where product_id = ${bundle.id}`],
  },
  expected_cost_follows_from_costs: {
    subject: "",
    statements: [sql`update products set lowest_price_pesewas = 1 where line = 'bundle'`],
  },
  profit_days_equal_orders: {
    subject: "2026-03-01 1 MTN 1 datamart",
    statements: [
      sql`insert into profit_days_stale (day, is_open) values (now()::date, true)`,
      sql`insert into profit_days values ('2026-03-01', 1, 'MTN', 1, 'datamart', 1, 390, 380, 0, 0)`,
    ],
  },
  profit_agent_days_equal_orders: {
    subject: "2026-03-01 1 MTN",
    statements: [
      sql`insert into profit_days_stale (day, is_open) values (now()::date, true)`,
      sql`insert into profit_agent_days values ('2026-03-01', 1, 'MTN', 1, 390, 380, 0, 0)`,
    ],
  },
  status_counts_equal_orders: {
    subject: "PENDING",
    statements: [sql`insert into order_count_deltas (status, delta) values ('PENDING', 1)`],
  },
};

describe("the audit", () => {
  test("finds nothing in correct books, and reports how much it has checked", async () => {
    const audit = await ledgerAudit.audit(db);
    expect(audit).toMatchObject({ ok: true, findings: [], checked: { orders: 4, wallets: 2 } });
    expect(audit.checked.transfers).toBe(1 + 3 + 1);
  });

  for (const [rule, { subject, statements }] of Object.entries(PLANTS)) {
    test(`finds a break of ${rule}`, async () => {
      const findings = await findingsAfter(...statements);
      const found = findings.filter((finding) => finding.rule === rule);
      expect(findings.map((finding) => finding.rule)).toContain(rule);
      if (subject) expect(found.map((finding) => finding.subject)).toContain(subject);
      for (const finding of found) expect(finding.detail).not.toBe("");
    });
  }

  for (const [fault, rule, ...statements] of [
    [
      "a second charge of one order",
      "paid_order_has_one_charge",
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          select user_id, debit, credit, amount_pesewas, reason, subject_id, 0 from transfers
          where reason = 'charge' and subject_id = ${paidId}`,
    ],
    [
      "a charge of another amount",
      "paid_order_has_one_charge",
      sql`update transfers set amount_pesewas = 389 where reason = 'charge' and subject_id = ${paidId}`,
    ],
    [
      "a charge of an order that is not paid",
      "paid_order_has_one_charge",
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          values (${ama.id}, 'wallet', 'sales', 390, 'charge', ${unpaidId}, 0)`,
    ],
    [
      "a second refund of one order",
      "failed_order_has_one_refund",
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          select user_id, debit, credit, amount_pesewas, reason, subject_id, 0 from transfers
          where reason = 'refund' and subject_id = ${failedId}`,
    ],
    [
      "a refund of another amount",
      "failed_order_has_one_refund",
      sql`update transfers set amount_pesewas = 391 where reason = 'refund' and subject_id = ${failedId}`,
    ],
    [
      "a refund that was taken back from an order that stays failed",
      "failed_order_has_one_refund",
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          select user_id, 'wallet', 'sales', amount_pesewas, 'refund_taken_back', id, 0 from orders
          where id = ${failedId}`,
    ],
    [
      "a refund that was taken back in part",
      "failed_order_has_one_refund",
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          select user_id, 'wallet', 'sales', 1, 'refund_taken_back', id, 0 from orders where id = ${failedId}`,
      sql`update orders set status = 'DELIVERED', refunded_at = null where id = ${failedId}`,
    ],
    [
      "a refund that was taken back and never made",
      "refund_follows_the_one_before",
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          select user_id, 'wallet', 'sales', amount_pesewas, 'refund_taken_back', id, 0 from orders
          where id = ${paidId}`,
    ],
    [
      "a loss that was recovered without the money",
      "loss_is_a_refunded_order",
      sql`insert into losses (order_id, user_id, attempt_id, vendor, amount_pesewas, note, settled_at, recovered_at)
          select id, user_id, 1, 'datamart', amount_pesewas, 'x', now(), now() from orders where id = ${failedId}`,
    ],
    [
      "a refund that went to somebody else",
      "failed_order_has_one_refund",
      sql`update transfers set user_id = ${yaw.id} where reason = 'refund' and subject_id = ${failedId}`,
    ],
    [
      "a missing cash sale",
      "paid_order_has_one_charge",
      sql`delete from transfers where reason = 'cash_sale' and subject_id = ${cashId}`,
    ],
    ["a wallet that is gone", "wallet_equals_its_transfers", sql`delete from wallets where user_id = ${ama.id}`],
    [
      "a status that is not counted at all",
      "status_counts_equal_orders",
      sql`with gone as (delete from order_count_deltas where status = 'FAILED')
          delete from order_counts where status = 'FAILED'`,
    ],
    ["a day's sum that is gone", "day_sums_equal_orders", sql`delete from user_days where user_id = ${ama.id}`],
    [
      "a payment that was credited twice",
      "settled_payment_has_one_credit",
      sql`insert into payments (id, user_id, amount_pesewas, reference, state, paid_at)
          overriding system value values (1, ${ama.id}, 2000, 'tp-1', 'paid', now())`,
      creditOf("topup", 2000),
      creditOf("topup", 2000),
    ],
    [
      "a payment that was credited with more than it brought",
      "settled_payment_has_one_credit",
      sql`insert into payments (id, user_id, amount_pesewas, reference, state, paid_at)
          overriding system value values (1, ${ama.id}, 2000, 'tp-1', 'paid', now())`,
      creditOf("topup", 2001),
    ],
    [
      "a credit for a payment that was never paid",
      "settled_payment_has_one_credit",
      sql`insert into payments (id, user_id, amount_pesewas, reference, state)
          overriding system value values (1, ${ama.id}, 2000, 'tp-1', 'pending')`,
      creditOf("topup", 2000),
    ],
    ["a wrong fee", "credited_payment_has_its_fee", creditedPayment(39), feeOf(40)],
    ["a missing fee", "credited_payment_has_its_fee", creditedPayment(39)],
    ["a fee booked twice", "credited_payment_has_its_fee", creditedPayment(39), feeOf(39), feeOf(39)],
    ["a fee that the payer bore", "credited_payment_has_its_fee", creditedPayment(39, 39), feeOf(39)],
    ["a fee that nobody reported", "credited_payment_has_its_fee", creditedPayment(null), feeOf(39)],
    [
      "a fee of a payment that was never paid",
      "credited_payment_has_its_fee",
      sql`insert into payments (id, user_id, amount_pesewas, reference, fees_pesewas)
          values (7000, ${ama.id}, 2000, 'tp-fee', 39)`,
      feeOf(39),
    ],
    ["a fee of no payment", "credit_has_its_subject", feeOf(39)],
    [
      "a reversal that is not in Paystack's account",
      "paystack_and_fees_equal_payments",
      sql`insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, state)
          values (1, ${ama.id}, 'refund', 'refund:1', 2000, 'booked')`,
    ],
    [
      "a payment whose money went to somebody else",
      "credit_has_its_subject",
      sql`insert into payments (id, user_id, amount_pesewas, reference, state, paid_at)
          overriding system value values (1, ${yaw.id}, 2000, 'tp-1', 'paid', now())`,
      creditOf("topup", 2000),
    ],
    [
      "a credit for a claim that nobody approved",
      "approved_claim_has_one_credit",
      sql`insert into deposits (id, user_id, transaction_id, amount_pesewas)
          overriding system value values (1, ${ama.id}, '40125566778', 2000)`,
      creditOf("claim", 2000),
    ],
    ["a claim that does not exist", "credit_has_its_subject", creditOf("claim", 2000)],
    ["a reversal that does not exist", "credit_has_its_subject", creditOf("reversal", 2000)],
    [
      "a payout of a wallet that does not exist",
      "wallet_payout_equals_its_transfer",
      sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
          values (${ama.id}, 'wallet', 'paid_out', 380, 'wallet_payout', 8000, 0)`,
    ],
    [
      "a payout that took nothing out of its wallet",
      "wallet_payout_equals_its_transfer",
      sql`insert into wallet_payouts (user_id, amount_pesewas, method, name, reference, reason, by_user_id)
          values (${ama.id}, 390, 'cash', 'Ama', 'R 8000', 'left', ${yaw.id})`,
    ],
    [
      "a reversal that was booked before it was certain",
      "booked_reversal_has_its_amount",
      sql`insert into payment_reversals (id, payment_id, user_id, kind, provider_reference, amount_pesewas)
          overriding system value values (1, 1, ${ama.id}, 'refund', 'refund:1', 2000)`,
      creditOf("reversal", 2000),
    ],
  ] as const) {
    test(`finds ${fault}`, async () => {
      const drop = sql`alter table transfers drop constraint transfers_once_per_subject`;
      expect((await findingsAfter(drop, ...statements)).map((finding) => finding.rule)).toContain(rule);
    });
  }

  test("has a planted fault for each of its rules in this test", async () => {
    const source = await Bun.file(new URL("../../../src/core/ledger/audit.ts", import.meta.url)).text();
    const rules = [...source.matchAll(/^ {2}(\w+): sql`$/gm)].map((match) => match[1]!);
    const others = [PROFIT_RULES, REFUND_RULES, LIMIT_RULES, MONEY_RULES].flatMap((part) => Object.keys(part));
    expect(Object.keys(PLANTS).sort()).toEqual([...rules, ...others].sort());
  });
});

describe("the views for an external auditor", () => {
  test("show each transfer as two signed sides that sum to zero", async () => {
    const rows = await db.execute<{ sides: number; sum: number }>(
      sql`select count(*)::int as sides, sum(pesewas)::bigint as sum from audit.entry group by txn_id`,
    );
    expect(rows).toHaveLength(5);
    for (const row of rows) expect({ ...row }).toEqual({ sides: 2, sum: 0 });
    const [ids] = await db.execute(sql`select count(*) = count(distinct id) as once from audit.entry`);
    expect(ids).toMatchObject({ once: true });
  });

  test("have fixed columns, and kinds by the auditor's terms", async () => {
    const columns = await db.execute<{ view: string; columns: string[] }>(sql`
      select table_name as view, array_agg(column_name::text order by ordinal_position) as columns
      from information_schema.columns where table_schema = 'audit' group by 1`);
    const of = new Map(columns.map((row) => [row.view, row.columns]));
    expect(of.get("entry")).toEqual([
      "id",
      "txn_id",
      "kind",
      "ref",
      "account_id",
      "account_kind",
      "user_id",
      "pesewas",
      "created_at",
    ]);
    expect(of.get("wallet")).toEqual(["user_id", "account_id", "pesewas"]);
    expect(of.get("order")).toEqual([
      "id",
      "user_id",
      "product_id",
      "quantity",
      "msisdn",
      "unit_pesewas",
      "pesewas",
      "status",
      "paid",
      "paid_by",
      "created_at",
    ]);
    const kinds = await db.execute<{ kind: string; ref: string }>(
      sql`select distinct kind, ref from audit.entry where account_kind <> 'wallet' order by kind`,
    );
    expect(kinds.map((row) => row.kind)).toEqual(["ADJUST", "CASH", "REFUND", "SPEND", "SPEND"]);
    expect(
      kinds
        .filter((row) => row.kind === "SPEND")
        .map((row) => row.ref)
        .sort(),
    ).toEqual([paidId, failedId].map(String).sort());
  });

  const asAuditor = (statement: SQL) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local role auditor`);
      return tx.execute(statement);
    });

  test("are all that the auditor's role can read, and it can write nothing", async () => {
    for (const view of [sql`audit.entry`, sql`audit.wallet`, sql`audit."order"`]) {
      expect(await databaseRefusal(asAuditor(sql`select count(*) from ${view}`))).toBe("accepted");
    }
    // Insufficient privilege, or a view that cannot be written to.
    const refusals = ["42501", "55000", "0A000"];
    for (const statement of [
      sql`select 1 from users`,
      sql`select 1 from transfers`,
      sql`select 1 from sessions`,
      sql`update audit.wallet set pesewas = 0`,
      sql`delete from audit.entry`,
      sql`delete from audit.wallet`,
      sql`insert into audit.wallet values (1, 'wallet:1', 5)`,
      sql`update wallets set balance_pesewas = 0`,
      sql`create table public.mine (id int)`,
    ]) {
      expect(refusals).toContain(await databaseRefusal(asAuditor(statement)));
    }
  });
});
