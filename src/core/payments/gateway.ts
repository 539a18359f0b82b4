// What the core asks of whoever takes payments from outside. Nothing here throws: an outcome that is not sure is
// "unclear", and the only way to learn it is to ask again by our own reference.
import type { Network } from "../../shared/domain.ts";

export type Unclear = { kind: "unclear"; reason: string };

export type InitializeAsk = {
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

export type ChargeAsk = {
  reference: string;
  amountPesewas: number;
  email: string;
  network: Network;
  /** In local form, 0541234567. */
  phone: string;
};
export type Charged =
  | { kind: "paid" }
  | { kind: "waiting"; needsCode: boolean; words: string | null }
  | { kind: "failed"; message: string }
  | { kind: "duplicate" }
  | { kind: "refused"; message: string }
  | Unclear;

export type GatewayTransaction = {
  reference: string;
  providerId: string | null;
  status: string;
  amountPesewas: number | null;
  /** What was asked for; `amountPesewas` may be more, when fees are passed on to the payer. */
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
  /** The provider's id of the transaction that it is of. */
  transactionId: string;
  amountPesewas: number;
  /** Only of a processed one the money has gone. */
  isProcessed: boolean;
  /** The provider's id of the chargeback that it answers, if it does. */
  chargebackId: string | null;
};
export type Refunds = { kind: "found"; refunds: GatewayRefund[] } | { kind: "not_found" } | Unclear;
export type RefundsListed = { kind: "listed"; refunds: GatewayRefund[]; hasMore: boolean } | Unclear;

export interface PaymentGateway {
  readonly domain: "test" | "live";
  /** The origin of the pages that payers are led to. */
  readonly checkoutOrigin: string;
  initialize(ask: InitializeAsk): Promise<Initialized>;
  verify(reference: string): Promise<Verified>;
  charge(ask: ChargeAsk): Promise<Charged>;
  submitCode(ask: { reference: string; code: string }): Promise<Charged>;
  list(ask: { from: Date; to: Date; page: number }): Promise<Listed>;
  /** Every refund of one transaction, by our reference. */
  refundsOf(reference: string): Promise<Refunds>;
  /** A page of the refunds that were asked for in a span of time. */
  listRefunds(ask: { from: Date; to: Date; page: number }): Promise<RefundsListed>;
  /** Whether a webhook's raw bytes carry a signature of ours. */
  isSigned(raw: Uint8Array, signature: string | null): boolean;
}
