// The interface of payment gateways. Its methods never throw: an uncertain outcome is "unclear", and is only ever
// resolved by a status check under our own reference.
import type { Network } from "../../shared/domain.ts";

/** Whether the shop has a key, and the provider takes it; unknown until it has answered. */
export type KeyState = "missing" | "unknown" | "accepted" | "refused";

export type Unclear = { kind: "unclear"; reason: string };

export type InitializeRequest = {
  reference: string;
  amountPesewas: number;
  email: string;
  callbackUrl: string;
  cancelUrl: string;
};
export type Initialized =
  | { kind: "started"; authorizationUrl: string }
  | { kind: "duplicate" }
  | { kind: "refused"; message: string }
  | Unclear;

export type ChargeRequest = {
  reference: string;
  amountPesewas: number;
  email: string;
  network: Network;
  /** In local form, 0541234567. */
  phone: string;
};
export type Charged =
  | { kind: "paid" }
  | { kind: "waiting"; needsCode: boolean; message: string | null }
  | { kind: "failed"; message: string }
  | { kind: "duplicate" }
  | { kind: "refused"; message: string }
  | Unclear;

export type GatewayTransaction = {
  reference: string;
  providerId: string | null;
  status: string;
  amountPesewas: number | null;
  /** The requested amount; `amountPesewas` may be more, when fees are passed on to the payer. */
  requestedPesewas: number | null;
  currency: string;
  domain: string;
  feesPesewas: number | null;
  message: string | null;
  paidAt: string | null;
};
export type Verified = { kind: "found"; transaction: GatewayTransaction } | { kind: "not_found" } | Unclear;
export type Listed = { kind: "listed"; transactions: GatewayTransaction[]; hasMore: boolean } | Unclear;

export type GatewayRefund = {
  /** The provider's id of the refunded transaction. */
  transactionId: string;
  amountPesewas: number;
  /** Only a processed refund has moved money. */
  isProcessed: boolean;
  /** The provider's id of the chargeback that it settles, if any. */
  chargebackId: string | null;
};
export type Refunds = { kind: "found"; refunds: GatewayRefund[] } | { kind: "not_found" } | Unclear;
export type RefundsListed = { kind: "listed"; refunds: GatewayRefund[]; hasMore: boolean } | Unclear;

/** A payout to the shop's bank. */
export type GatewayPayout = {
  providerId: string;
  /** "pending", "processing", "success" or "failed". */
  status: string;
  currency: string;
  domain: string;
  /** What the bank gets: the payments less fees and what was kept back. */
  amountPesewas: number;
  processedPesewas: number;
  feesPesewas: number;
  settledAt: string | null;
};
export type PayoutsListed = { kind: "listed"; payouts: GatewayPayout[]; hasMore: boolean } | Unclear;
export type Balance = { kind: "found"; balancePesewas: number } | Unclear;

export interface PaymentGateway {
  readonly domain: "test" | "live";
  /** The origin of its payment pages. */
  readonly checkoutOrigin: string;
  /** The address to name for a payer without a mailbox: one of ours that nobody reads, the same each time. */
  addressFor(userId: number): string;
  initialize(request: InitializeRequest): Promise<Initialized>;
  verify(reference: string): Promise<Verified>;
  charge(request: ChargeRequest): Promise<Charged>;
  submitCode(request: { reference: string; code: string }): Promise<Charged>;
  list(request: { from: Date; to: Date; page: number }): Promise<Listed>;
  /** All refunds of one transaction, by our reference. */
  refundsOf(reference: string): Promise<Refunds>;
  /** A page of the refunds requested within a period. */
  listRefunds(request: { from: Date; to: Date; page: number }): Promise<RefundsListed>;
  /** A page of the payouts, newest first. */
  listPayouts(request: { page: number }): Promise<PayoutsListed>;
  /** A page of the payments that a payout contains. */
  payoutPayments(request: { providerId: string; page: number }): Promise<Listed>;
  /** What the provider holds for the shop and has not paid out. */
  balance(): Promise<Balance>;
  /** What the last answer to this process said about the key. */
  keyState(): KeyState;
  /** Whether a webhook's raw bytes carry a valid signature. */
  isSigned(raw: Uint8Array, signature: string | null): boolean;
}
