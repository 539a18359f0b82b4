// The words of the Paystack simulator: what a payment is, and what a test may make Paystack claim about it.
import type { Json, JsonObject } from "./json.ts";
import type { DeliveryOptions } from "./paystack-webhooks.ts";

/** What verify says (docs, Verify Payments; reversal-pending is undocumented and was seen after every test refund). */
export type PaymentStatus =
  | "abandoned"
  | "ongoing"
  | "pending"
  | "success"
  | "failed"
  | "reversal-pending"
  | "reversed";
/** What /charge says about a mobile money payment (docs, Payment Channels). */
export type ChargeStatus = "success" | "failed" | "pending" | "pay_offline" | "send_otp";
export type RefundStatus = "pending" | "processing" | "processed" | "failed" | "needs-attention";

/** What a test makes Paystack claim or do about one payment; everything not named stays true. */
export type Steering = {
  amount?: number;
  requestedAmount?: number | null;
  currency?: string;
  domain?: "test" | "live";
  /** Any word at all: Paystack has been seen to answer words that it does not document. */
  status?: string;
  id?: bigint;
  metadata?: Json;
  fees?: number | null;
  /** What becomes of charge.success: sent by itself, sent and answered before the payer hears anything, or never sent. */
  webhook?: "auto" | "beforeReply" | "lost";
  /** How charge.success is sent when it goes by itself. */
  delivery?: DeliveryOptions;
  /** The payment is complete before the call that opened it has been answered. */
  payAtOnce?: boolean;
};

export type Transaction = {
  id: bigint;
  reference: string;
  accessCode: string;
  kind: "checkout" | "mobile_money";
  email: string;
  customer: { id: number; code: string };
  amount: number;
  currency: string;
  domain: "test" | "live";
  callbackUrl: string | null;
  cancelUrl: string | null;
  channels: string[];
  metadata: Json;
  status: PaymentStatus;
  message: string | null;
  gatewayResponse: string | null;
  channel: string | null;
  phone: string | null;
  provider: string | null;
  charge: ChargeStatus | null;
  createdAt: Date;
  paidAt: Date | null;
  steering: Steering;
};

export type Refund = {
  id: bigint;
  reference: string;
  amount: number;
  status: RefundStatus;
  customerNote: string | null;
  merchantNote: string | null;
  /** The dispute that it answers, when the merchant gave in. */
  disputeId: bigint | null;
  createdAt: Date;
  refundedAt: Date | null;
};

export type Opening = Pick<
  Transaction,
  "kind" | "email" | "amount" | "currency" | "callbackUrl" | "channels" | "metadata" | "phone" | "provider"
> & { reference: string | null };

export type BookSettings = {
  domain: "test" | "live";
  clock: () => Date;
  speed: number;
  firstId: bigint;
  approveSeconds: number;
  otpForTelecel: boolean;
  /** Real milliseconds between the steps of a refund, or null when only a test moves it. */
  refundStepMs: number | null;
};

/** Tells the merchant; resolves when the payer may go on. */
export type Announce = (transaction: Transaction, event: string, data: JsonObject) => Promise<void>;
