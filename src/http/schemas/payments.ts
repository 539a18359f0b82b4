// API schemas of payments, claims, chargebacks and the reconciliation.
import { z } from "zod";
import { PAYMENT_DECISIONS } from "../../shared/domain.ts";
import { Id, MomoNetwork, moment, money, PaymentState } from "./index.ts";

export const PaymentDecision = z.object({
  decision: z.enum(PAYMENT_DECISIONS),
  reason: z.string().trim().min(1).max(300),
});
export const Payment = z.object({
  id: Id,
  reference: z.string(),
  status: PaymentState,
  amount: money,
  orderId: Id.nullable(),
  needsCode: z.boolean(),
  message: z.string(),
  network: MomoNetwork.nullable(),
  phone: z.string().nullable(),
  createdAt: moment,
});
export const PaymentWithBalance = Payment.extend({ balance: money });
export const Claim = z.object({
  id: Id,
  transactionId: z.string(),
  amount: money,
  status: z.enum(["open", "approved", "refused"]),
  reason: z.string().nullable(),
  createdAt: moment,
});
export const AdminPayment = Payment.extend({
  userId: Id,
  username: z.string(),
  reason: z.string().nullable(),
  paid: money
    .nullable()
    .describe("In review: the amount paid, according to Paystack; null if it is not our money"),
  credited: money.nullable().describe("The amount credited to the wallet; null if none"),
  decision: z.enum(PAYMENT_DECISIONS).nullable().describe("An admin's decision in its review"),
});
export const PaymentDecided = z.object({
  paymentId: Id,
  userId: Id,
  decision: z.enum(PAYMENT_DECISIONS),
  credited: money,
  loss: money.describe("The part that the shop bears"),
});
export const Chargeback = z.object({
  id: Id,
  paymentId: Id,
  paymentReference: z.string(),
  userId: Id,
  username: z.string(),
  amount: money,
  held: money.describe("The part held in the wallet"),
  dueAt: moment.nullable().describe("Paystack's deadline for evidence"),
  note: z.string().nullable(),
  createdAt: moment,
});
export const AdminClaim = Claim.extend({ userId: Id, username: z.string() });
export const ClaimDecided = z.object({ claimId: Id, userId: Id, status: z.enum(["approved", "refused"]) });
const countAndAmount = z.object({ count: z.int(), amount: money });
export const Reconciliation = z.object({
  from: moment,
  to: moment,
  provider: countAndAmount,
  credited: countAndAmount,
  held: money.describe("The amount that Paystack holds for us according to our books, over all time"),
  differences: z.array(
    z.object({
      reference: z.string(),
      kind: z.enum([
        "not_ours",
        "not_credited",
        "not_at_provider",
        "other_amount",
        "not_reversed",
        "not_refunded",
      ]),
      words: z.string(),
      provider: money.nullable(),
      credited: money.nullable(),
    }),
  ),
});
