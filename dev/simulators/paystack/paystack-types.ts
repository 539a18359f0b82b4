// The types of the Paystack simulator: a payment, and how a test can steer it.
import type { Json, JsonObject } from "../json.ts";
import type { DeliveryOptions } from "./paystack-webhooks.ts";

/** The statuses of verify (docs, Verify Payments; reversal-pending is undocumented but followed every test refund). */
export type PaymentStatus =
  | "abandoned"
  | "ongoing"
  | "pending"
  | "success"
  | "failed"
  | "reversal-pending"
  | "reversed";
/** The statuses of /charge for a mobile money payment (docs, Payment Channels). */
export type ChargeStatus = "success" | "failed" | "pending" | "pay_offline" | "send_otp";
export type RefundStatus = "pending" | "processing" | "processed" | "failed" | "needs-attention";

/** A test's overrides for one payment; everything left out stays true. */
export type Steering = {
  amount?: number;
  requestedAmount?: number | null;
  currency?: string;
  domain?: "test" | "live";
  /** Any status at all: Paystack has been seen to answer undocumented ones. */
  status?: string;
  id?: bigint;
  metadata?: Json;
  fees?: number | null;
  /** charge.success: sent on its own, sent and answered before the payer sees anything, or never sent. */
  webhook?: "auto" | "beforeReply" | "lost";
  /** How charge.success is sent when it is sent on its own. */
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
  /** The dispute that it settles, if the merchant accepted. */
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
  /** Milliseconds between the steps of a refund; null: only a test moves it. */
  refundStepMs: number | null;
};

/** Sends the webhook; resolves when the payer may continue. */
export type Announce = (transaction: Transaction, event: string, data: JsonObject) => Promise<void>;
