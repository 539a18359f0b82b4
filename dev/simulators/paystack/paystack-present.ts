// Paystack's representation of transactions, refunds and disputes, after its documented samples.
import type { Json, JsonObject } from "../json.ts";
import type { Refund, Transaction } from "./paystack-types.ts";

/** The amount paid, as verify, the list and the webhooks all report it. */
export function amountOf(transaction: Transaction): number {
  return transaction.steering.amount ?? transaction.amount;
}

/** A transaction as verify answers it; `status` overrides the transaction's own. */
export function showTransaction(transaction: Transaction, status?: string): JsonObject {
  const { steering } = transaction;
  const paidAt = transaction.paidAt?.toISOString() ?? null;
  const createdAt = transaction.createdAt.toISOString();
  return {
    id: steering.id ?? transaction.id,
    domain: steering.domain ?? transaction.domain,
    status: status ?? steering.status ?? transaction.status,
    reference: transaction.reference,
    receipt_number: null,
    amount: amountOf(transaction),
    message: transaction.message,
    gateway_response: transaction.gatewayResponse,
    // Verify has both spellings of these two (docs, Verify Payments: sample).
    paid_at: paidAt,
    created_at: createdAt,
    channel: transaction.channel,
    currency: steering.currency ?? transaction.currency,
    ip_address: "127.0.0.1",
    metadata: "metadata" in steering ? steering.metadata : transaction.metadata,
    log: null,
    fees: steering.fees !== undefined ? steering.fees : feesOf(transaction),
    fees_split: null,
    // `{}` before anything is paid, as observed on the test API.
    authorization: transaction.paidAt ? authorizationOf(transaction) : {},
    customer: showCustomer(transaction),
    plan: null,
    split: {},
    order_id: null,
    paidAt,
    createdAt,
    requested_amount: steering.requestedAmount === undefined ? transaction.amount : steering.requestedAmount,
    transaction_date: createdAt,
    plan_object: {},
    subaccount: {},
  };
}

/** The data of charge.success, which only exists for successful payments (docs, Webhooks). */
export function showSuccess(transaction: Transaction): JsonObject {
  return { ...showTransaction(transaction, "success"), plan: {} };
}

/** A refund as GET /refund shows it; POST /refund embeds the transaction where this has its id. */
export function showRefund(refund: Refund, transaction: Transaction): JsonObject {
  const { steering } = transaction;
  return {
    integration: INTEGRATION,
    transaction: steering.id ?? transaction.id,
    dispute: refund.disputeId,
    settlement: null,
    id: refund.id,
    domain: steering.domain ?? transaction.domain,
    currency: steering.currency ?? transaction.currency,
    amount: refund.amount,
    status: refund.status,
    refunded_at: refund.refundedAt?.toISOString() ?? null,
    refunded_by: "simulator",
    customer_note: refund.customerNote ?? `Refund for transaction ${transaction.reference}`,
    merchant_note: refund.merchantNote ?? `Refund for transaction ${transaction.reference} by simulator`,
    deducted_amount: 0,
    fully_deducted: false,
    channel: null,
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.createdAt.toISOString(),
  };
}

/**
 * The data of a refund event. It names the payment by transaction_reference, and the amount is a string in pending,
 * processing and processed but a number in failed and needs-attention (docs, code snippets: webhook refund samples).
 */
export function showRefundEvent(refund: Refund, transaction: Transaction, status: Refund["status"]): JsonObject {
  const isPlain = status === "failed" || status === "needs-attention";
  const isUnsent = status === "pending" || status === "processing";
  return {
    status,
    transaction_reference: transaction.reference,
    refund_reference: isUnsent ? null : `TRF_${refund.id}`,
    amount: isPlain ? refund.amount : String(refund.amount),
    currency: transaction.steering.currency ?? transaction.currency,
    processor: status === "needs-attention" ? undefined : "instant-transfer",
    customer: { first_name: null, last_name: null, email: transaction.email },
    integration: INTEGRATION,
    domain: transaction.steering.domain ?? transaction.domain,
    id: status === "needs-attention" ? String(refund.id) : undefined,
  };
}

export type Dispute = {
  id: bigint;
  resolution: "merchant-accepted" | "declined" | null;
  openedAt: Date;
};

/** The data of a dispute event (docs, Webhooks: charge.dispute.create); the payment is inside `transaction`. */
export function showDispute(dispute: Dispute, transaction: Transaction): JsonObject {
  const day = 24 * 60 * 60 * 1000;
  return {
    id: dispute.id,
    refund_amount: amountOf(transaction),
    currency: transaction.steering.currency ?? transaction.currency,
    status: dispute.resolution ? "resolved" : "awaiting-merchant-feedback",
    resolution: dispute.resolution,
    domain: transaction.steering.domain ?? transaction.domain,
    transaction: showTransaction(transaction),
    transaction_reference: null,
    category: "chargeback",
    customer: showCustomer(transaction),
    bin: null,
    last4: null,
    dueAt: new Date(dispute.openedAt.getTime() + day).toISOString(),
    resolvedAt: null,
    evidence: null,
    attachments: "",
    note: null,
    history: [{ status: "pending", by: transaction.email, createdAt: dispute.openedAt.toISOString() }],
    messages: [],
    created_at: dispute.openedAt.toISOString(),
    updated_at: null,
  };
}

const INTEGRATION = 463433;

/** 1.95 % of everything in Ghana (support article on pricing); Paystack's rounding is unknown. */
function feesOf(transaction: Transaction): number | null {
  return transaction.paidAt ? Math.round((transaction.amount * 195) / 10_000) : null;
}

function showCustomer(transaction: Transaction): JsonObject {
  return {
    id: transaction.customer.id,
    first_name: null,
    last_name: null,
    email: transaction.email,
    customer_code: transaction.customer.code,
    phone: null,
    metadata: null,
    risk_action: "default",
    international_format_phone: null,
  };
}

const NETWORK_NAMES: Record<string, string> = { mtn: "MTN", vod: "Telecel", atl: "AT" };

/** A wallet is never reusable, a card is (docs, code snippets: mobile money and verify samples). */
function authorizationOf(transaction: Transaction): Json {
  const isWallet = transaction.channel === "mobile_money";
  const name = NETWORK_NAMES[transaction.provider ?? "mtn"]!;
  const shared = {
    authorization_code: `AUTH_${transaction.id.toString(36)}`,
    country_code: "GH",
    account_name: null,
  };
  return isWallet
    ? {
        ...shared,
        // As in Paystack's sample of a mobile money authorization: 055XXX and X987.
        // Paystack hides the rest of the number with these letters.
        bin: `${(transaction.phone ?? "055").slice(0, 3)}XXX`,
        last4: `X${(transaction.phone ?? "987").slice(-3)}`,
        exp_month: "12",
        exp_year: "9999",
        channel: "mobile_money",
        card_type: "",
        bank: `${name} Mobile Money`,
        brand: name,
        reusable: false,
        signature: null,
      }
    : {
        ...shared,
        bin: "408408",
        last4: "4081",
        exp_month: "12",
        exp_year: "2030",
        channel: "card",
        card_type: "visa ",
        bank: "TEST BANK",
        brand: "visa",
        reusable: true,
        signature: `SIG_${transaction.customer.code.slice(4)}`,
      };
}
