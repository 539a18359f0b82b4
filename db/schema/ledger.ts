// Wallets, transfers and audit runs. Money is in whole pesewas, and every movement is a transfer.

import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

// ---------------------------------------------------------------- the ledger

/**
 * The only money rows that change. `version` counts the changes, so that a purchase statement can tell a stale read.
 */
export const wallets = pgTable(
  "wallets",
  {
    userId: id()
      .primaryKey()
      .references(() => users.id),
    balancePesewas: pesewas().notNull().default(0),
    /** Held for open chargebacks and not spendable; it may exceed the balance. */
    heldPesewas: pesewas().notNull().default(0),
    /** The owner's debt to the shop. Incoming money pays it first, so a wallet with a debt is empty. */
    debtPesewas: pesewas().notNull().default(0),
    version: bigint({ mode: "number" }).notNull().default(0),
    /** Whether its owner wants SMS about purchases. Here, because a purchase locks this row anyway. */
    notifyPurchases: boolean().notNull().default(false),
    /** The balance below which a purchase sends a low-balance SMS, once; null for none. */
    lowBalancePesewas: pesewas(),
    /** Whether the shop's daily limit for new accounts bounds what it spends. */
    isCapped: boolean().notNull().default(false),
    /** The limits in force, of the account or of its tier (`limits_of`), for a purchase to read; null for none. */
    dayMaxPesewas: pesewas(),
    hourOrdersMax: integer(),
    /** The orders paid from it in the clock hour that began then; counted while there is a limit. */
    hourAt: instant(),
    hourOrders: integer().notNull().default(0),
    /** Nothing may be spent, until then if that is set. The freeze itself is in `freezes`. */
    isFrozen: boolean().notNull().default(false),
    frozenUntil: instant(),
  },
  (t) => [
    check("wallets_never_below_zero", sql`${t.balancePesewas} >= 0`),
    check("wallets_held_not_below_zero", sql`${t.heldPesewas} >= 0`),
    check("wallets_debt_not_below_zero", sql`${t.debtPesewas} >= 0`),
    check("wallets_debt_only_when_empty", sql`${t.debtPesewas} = 0 or ${t.balancePesewas} = 0`),
    check("wallets_low_balance_above_zero", sql`${t.lowBalancePesewas} > 0`),
  ],
);

/**
 * The accounts of transfers. System accounts have no running balance: one hot row would cost nine tenths of the
 * throughput.
 */
export const ledgerAccounts = pgTable("ledger_accounts", {
  code: text().primaryKey(),
  name: text().notNull(),
});

/** Append-only: a trigger refuses updates and deletes. One row is a complete double entry. */
export const transfers = pgTable(
  "transfers",
  {
    id: identity(),
    userId: id().notNull(),
    debit: text().notNull(),
    credit: text().notNull(),
    amountPesewas: pesewas().notNull(),
    reason: text().$type<TransferReason>().notNull(),
    /** The id of what is behind it, by `reason`; for `debt_paid` the transfer that brought the money. */
    subjectId: id().notNull(),
    /** The wallet's balance after this transfer; null when no wallet is involved. */
    balanceAfterPesewas: pesewas(),
    byUserId: id(),
    /** The time of writing, not of the transaction's start, so that it never runs backwards within a wallet. */
    createdAt: instant().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    unique("transfers_once_per_subject").on(t.reason, t.subjectId),
    index("transfers_user").on(t.userId, t.id),
    index("transfers_top_ups").on(t.createdAt).where(sql`${t.reason} in ('topup', 'claim')`),
    check("transfers_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("transfers_balance_not_below_zero", sql`${t.balanceAfterPesewas} >= 0`),
    check(
      "transfers_accounts_fit_reason",
      sql`(${t.reason}, ${t.debit}, ${t.credit}) in (
        ('charge', 'wallet', 'sales'), ('refund', 'sales', 'wallet'), ('cash_sale', 'cash', 'sales'),
        ('refund_taken_back', 'wallet', 'sales'), ('refund_again', 'sales', 'wallet'),
        ('adjustment', 'adjustments', 'wallet'), ('adjustment', 'wallet', 'adjustments'),
        ('topup', 'paystack', 'wallet'), ('claim', 'cash', 'wallet'), ('claim', 'momo', 'wallet'),
        ('claim_reversal', 'wallet', 'momo'), ('claim_debt', 'receivables', 'momo'),
        ('reversal', 'wallet', 'paystack'), ('reversal', 'adjustments', 'paystack'),
        ('debt', 'receivables', 'paystack'), ('debt_paid', 'wallet', 'receivables'),
        ('payment_fee', 'fees', 'paystack'), ('payout', 'bank', 'paystack'),
        ('cash_handed_in', 'safe', 'cash'), ('cash_difference', 'adjustments', 'cash'),
        ('cash_difference', 'cash', 'adjustments'), ('cash_banked', 'bank', 'safe'),
        ('bank_difference', 'adjustments', 'bank'), ('bank_difference', 'bank', 'adjustments'),
        ('wallet_payout', 'wallet', 'paid_out'), ('wallet_payout', 'wallet', 'safe'))`,
    ),
    check(
      "transfers_balance_with_wallet",
      sql`(${t.balanceAfterPesewas} is not null) = ('wallet' in (${t.debit}, ${t.credit}))`,
    ),
  ],
);

/** The reasons of transfers into or out of a wallet. */
export type WalletReason =
  | "charge"
  | "refund"
  /** The refund was a mistake: the order counts as paid again. */
  | "refund_taken_back"
  /** The refund of an order whose first one was taken back. */
  | "refund_again"
  | "adjustment"
  | "topup"
  | "claim"
  | "reversal"
  | "debt_paid"
  | "claim_reversal"
  /** The balance of a banned or deleted account was paid to its owner. */
  | "wallet_payout";

export type TransferReason =
  | WalletReason
  | "cash_sale"
  | "debt"
  | "payment_fee"
  | "claim_debt"
  | "payout"
  | "cash_handed_in"
  | "cash_difference"
  | "cash_banked"
  /** The bank's statement shows another amount than was brought there. */
  | "bank_difference";

/** An admin's correction of a wallet, with its reason; the subject of a transfer. */
export const adjustments = pgTable(
  "adjustments",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    amountPesewas: pesewas().notNull(),
    reason: text().notNull(),
    byUserId: id(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("adjustments_amount_not_zero", sql`${t.amountPesewas} <> 0`),
    check("adjustments_reason_given", sql`btrim(${t.reason}) <> ''`),
  ],
);

/** All rows, or those since the previous run's checkpoint. */
export const AUDIT_KINDS = ["full", "new"] as const;

export type AuditKind = (typeof AUDIT_KINDS)[number];

export const auditRuns = pgTable(
  "audit_runs",
  {
    id: identity(),
    kind: text().$type<AuditKind>().notNull(),
    requestedAt: instant().notNull().defaultNow(),
    /** Null for the nightly run. */
    requestedByUserId: id(),
    /** How often a worker has started it; after a killed worker another one starts it again. */
    begun: smallint().notNull().default(0),
    startedAt: instant(),
    leaseUntil: instant(),
    endedAt: instant(),
    /** Null while it runs, and when it failed. */
    ok: boolean(),
    findings: jsonb(),
    checked: jsonb(),
    accounts: jsonb(),
    checkpoint: jsonb(),
    error: text(),
  },
  (t) => [
    uniqueIndex("audit_runs_one_open").on(sql`(${t.endedAt} is null)`).where(sql`${t.endedAt} is null`),
    index("audit_runs_results").on(t.id).where(sql`${t.ok} is not null`),
    check("audit_runs_kind_known", sql`${t.kind} in (${oneOf(AUDIT_KINDS)})`),
    check(
      "audit_runs_result_whole",
      sql`${t.ok} is null or (${t.endedAt} is not null and ${t.findings} is not null and ${t.checked} is not null
        and ${t.accounts} is not null and ${t.checkpoint} is not null and ${t.error} is null)`,
    ),
  ],
);
