// The tables by who of the staff may change their rows, one by one: a new table has to find its place here.
import type { Right } from "../../src/shared/rights.ts";

/** Rights of which one is needed to change somebody else's row. */
type Family = {
  rights: readonly Right[];
  /** Nobody changes rows about themselves either. */
  neverOwn?: true;
};

const ORDERS: readonly Right[] = [
  ...(["orders.work", "orders.refund", "cases.decide", "delivery.manage", "afa.work"] as const),
  // A deposit or a payment pays the order that it was for; a note changes nothing of an order but that.
  ...(["payments.decide", "wallet.correct", "orders.note"] as const),
];
/** Whatever brings money to a wallet, or takes it. */
const MONEY: readonly Right[] = [
  ...(["wallet.correct", "payments.decide", "orders.refund", "cases.decide", "orders.work"] as const),
  ...(["cash.take", "books.see", "afa.work", "wallet.pay_out"] as const),
];
/** What staff write and decide about accounts whose behaviour stands out. */
const RECORD: readonly Right[] = ["agents.note", "agents.manage"];
const CATALOG: readonly Right[] = ["catalog.manage"];
const AGENTS: readonly Right[] = ["agents.manage", "staff.manage"];
const PAYMENTS: readonly Right[] = ["payments.decide"];
const DELIVERY: readonly Right[] = ["orders.work", "orders.refund", "cases.decide", "delivery.manage"];

/** Tables whose rows are for staff with a right; their owners change some of them, too. */
export const FAMILIES: Record<string, Family> = {
  users: { rights: AGENTS },
  sessions: { rights: AGENTS },
  phones: { rights: AGENTS },
  pins: { rights: AGENTS },
  second_factors: { rights: AGENTS },
  recovery_codes: { rights: AGENTS },
  contacts: { rights: AGENTS },
  consents: { rights: AGENTS },
  push_subscriptions: { rights: AGENTS },
  hooks: { rights: AGENTS },
  api_keys: { rights: AGENTS },
  price_lists: { rights: AGENTS },
  selling_prices: { rights: [...AGENTS, ...CATALOG] },
  customer_debts: { rights: AGENTS },
  bulk_drafts: { rights: AGENTS },
  phone_waits: { rights: AGENTS, neverOwn: true },
  signals: { rights: RECORD, neverOwn: true },
  signal_rules: { rights: ["settings.change"] },
  agent_notes: { rights: RECORD, neverOwn: true },
  order_holds: { rights: AGENTS, neverOwn: true },
  freezes: { rights: AGENTS, neverOwn: true },
  account_limits: { rights: AGENTS, neverOwn: true },
  account_prices: { rights: [...AGENTS, ...CATALOG], neverOwn: true },
  tier_limits: { rights: [...AGENTS, ...CATALOG] },
  approvals: { rights: ["shop.see"] },
  settings: { rights: ["settings.change", "delivery.manage", ...CATALOG] },
  provider_keys: { rights: ["settings.change"] },
  operators: { rights: [...CATALOG, "switches.throw"] },
  switches: { rights: ["switches.throw"] },
  number_prefixes: { rights: CATALOG },
  product_families: { rights: CATALOG },
  products: { rights: [...CATALOG, "settings.change", "delivery.manage"] },
  ussd_numbers: { rights: CATALOG },
  tiers: { rights: CATALOG },
  price_changes: { rights: [...CATALOG, ...AGENTS] },
  prices: { rights: [...CATALOG, ...AGENTS] },
  product_costs: { rights: CATALOG },
  vendors: { rights: ["delivery.manage"] },
  attempts: { rights: ORDERS },
  desk_batches: { rights: DELIVERY },
  desk_results: { rights: DELIVERY },
  orders: { rights: ORDERS },
  order_events: { rights: ORDERS },
  bulk_orders: { rights: ORDERS },
  losses: { rights: DELIVERY },
  afa_registrations: { rights: ["afa.work", "orders.refund", "cases.decide", "cards.reveal"] },
  wallets: { rights: [...MONEY, ...AGENTS, ...CATALOG] },
  transfers: { rights: MONEY },
  adjustments: { rights: ["wallet.correct", "payments.decide"], neverOwn: true },
  wallet_payouts: { rights: ["wallet.pay_out"], neverOwn: true },
  payments: { rights: [...PAYMENTS, "books.see", "payments.see"] },
  payment_reversals: { rights: [...PAYMENTS, "books.see"] },
  prompts: { rights: PAYMENTS },
  deposits: { rights: PAYMENTS },
  statement_imports: { rights: PAYMENTS },
  statement_lines: { rights: PAYMENTS },
  deposit_reversals: { rights: PAYMENTS, neverOwn: true },
  cash_closes: { rights: ["cash.take", "books.see"] },
  bank_deposits: { rights: ["books.see"] },
  payouts: { rights: ["books.see", "payments.decide"] },
  payout_payments: { rights: ["books.see", "payments.decide"] },
  reconciliation_differences: { rights: ["books.see", "payments.decide"] },
  accounting_months: { rights: ["books.close"] },
  audit_runs: { rights: ["books.see"] },
  support_requests: {
    rights: ["support.answer", "cases.decide", "orders.refund", "orders.work", "afa.work"],
  },
  support_messages: {
    rights: ["support.answer", "cases.decide", "orders.refund", "orders.work", "afa.work"],
  },
  kept_answers: { rights: ["support.answer"] },
  privacy_notices: { rights: ["privacy.answer", "settings.change"] },
  text_overrides: { rights: ["texts.change"] },
};

/** Whatever follows from something else, or is everybody's own. */
export const UNWATCHED = [
  ...[
    "announcements",
    "api_key_days",
    "api_request_rows",
    "audit_log",
    "balance_checks",
    "codes",
    "gateway_hours",
    "hook_deliveries",
    "idempotency",
  ],
  ...["inbound_sms", "jobs", "kept_forms", "kept_views", "ledger_accounts", "login_networks", "logins"],
  ...[
    "lone_acts",
    "messages",
    "month_file_parts",
    "number_codes",
    "operator_state",
    "order_count_deltas",
    "order_counts",
  ],
  ...["pending_logins", "privacy_requests", "profit_agent_days", "profit_days", "profit_days_stale"],
  ...["push_notices", "rate_limits", "reset_requests", "retention_runs", "sales_receipts", "sandbox_farewells"],
  ...["shop_day_deltas", "twins"],
  ...["shop_days", "shop_facts", "sms_attempts", "sms_opt_outs", "staff_changes", "text_state"],
  ...["automatic_refunds", "unfinished_purchases", "user_days", "ussd_days", "ussd_screen_days", "ussd_sessions"],
  ...["waiting_choices", "waiting_kinds", "waiting_notices", "webhook_events", "wrong_pins"],
];

/** The tables that the witness watches. */
export const WITNESSED = Object.keys(FAMILIES);
