// API schemas of payments, claims, chargebacks and the reconciliation.

import { z } from "zod";
import type { Chargeback as StoredChargeback } from "../../core/payments/chargebacks.ts";
import { creditedPesewas as creditedFor } from "../../core/payments/deposits/deposit-crediting.ts";
import type { DepositRow } from "../../core/payments/deposits/deposits.ts";
import { messageOf } from "../../core/payments/messages.ts";
import type { Payment as StoredPayment } from "../../core/payments/payments.ts";
import type { Reconciliation as Compared } from "../../core/payments/reconciliation.ts";
import { creditedPesewas as creditedBy } from "../../core/payments/reversals.ts";
import type { PaymentRow } from "../../core/payments/settlement.ts";
import { NETWORKS, type Network, PAYMENT_DECISIONS, PAYMENT_STATES } from "../../shared/domain.ts";
import { as } from "../../shared/fields.ts";
import { cedis, Email, errorCode, Id, requiredText, text } from "../../shared/inputs.ts";
import { localMsisdn } from "../../shared/phones/msisdn.ts";
import { Moment, many, one, money as shownMoney, view } from "../view.ts";
import { From, flagText, money, Page, SentId, To } from "./common.ts";

export const PaymentState = z.enum(PAYMENT_STATES);

export const PaymentQuery = Page.extend({
  state: PaymentState.optional(),
  search: text(100)
    .optional()
    .describe(
      "The end of a reference, Paystack's transaction id, the payer's number, an amount, an order's id, a state, or " +
        "the agent's name, e-mail or phone",
    ),
});

export const ClaimQuery = Page.extend({ open: flagText.optional() });

export const ReconciliationQuery = z.object({ from: From, to: To });

const topUpAmount = "Please enter a valid amount";

export const TopUpInit = z.object({
  amount: cedis(topUpAmount).refine((pesewas) => pesewas > 0, topUpAmount),
});

/** Either a top-up that was started earlier, or an order. */
const subject = { transactionId: SentId.optional(), orderId: SentId.optional() };

const hasOneSubject = (body: { transactionId?: number | undefined; orderId?: number | undefined }) =>
  (body.transactionId === undefined) !== (body.orderId === undefined);

const oneSubject = { error: "Give a transactionId or an orderId", path: ["transactionId"] };

export const PaystackInit = z
  .object({
    ...subject,
    email: Email.optional(),
    amount: z.unknown().optional().describe("Ignored: our own record sets the amount"),
    callbackUrl: text(2000).optional().describe("Only on our own origin; anything else is ignored"),
  })
  .refine(hasOneSubject, oneSubject);

const Reference = z.string().regex(/^[A-Za-z0-9.=-]{1,100}$/, errorCode("payment.not_found"));

export const PaystackVerify = z.object({ reference: Reference, ...subject });

export const ReferenceParams = z.object({ reference: Reference });

export const MomoNetwork = z.enum(Object.keys(NETWORKS) as [Network, ...Network[]]);

export const MomoCharge = z
  .object({ ...subject, network: MomoNetwork, phone: text(40) })
  .refine(hasOneSubject, oneSubject);

export const MomoCode = z.object({
  reference: Reference,
  code: z.string().regex(/^\d{4,8}$/, "Enter the code, digits only"),
});

export const NewClaim = z.object({
  transactionId: text(40),
  amount: cedis(topUpAmount).refine((pesewas) => pesewas > 0, topUpAmount),
});

export const DelayReport = z.object({ message: requiredText(1000, "Say what happened") });

export const TopUpStarted = z.object({ transactionId: Id, amount: money });

export const PaystackStarted = z.object({
  authorizationUrl: z.url(),
  reference: z.string(),
  transactionId: Id,
  amount: money,
});

const payment = {
  id: Id,
  reference: z.string(),
  state: as("status", PaymentState),
  amountPesewas: shownMoney("amount"),
  orderId: Id.nullable(),
  needsCode: z.boolean(),
  message: z.string(),
  network: MomoNetwork.nullable(),
  phone: z.string().nullable(),
  createdAt: Moment,
};
/** With the message that its payer sees. */
const paymentOf = <P extends StoredPayment>(row: P) => ({
  ...row,
  message: messageOf(row),
  phone: row.payerMsisdn && localMsisdn(row.payerMsisdn),
});
export const Payment = view(payment, paymentOf<StoredPayment>);
export const PaymentWithBalance = view(
  { ...payment, balancePesewas: shownMoney("balance") },
  ({ payment, balancePesewas }: { payment: StoredPayment; balancePesewas: number }) => ({
    ...paymentOf(payment),
    balancePesewas,
  }),
);
const claim = {
  id: Id,
  transactionId: z.string(),
  amountPesewas: shownMoney("amount"),
  state: as("status", z.enum(["open", "approved", "refused"])),
  reason: z.string().nullable(),
  createdAt: Moment,
};
export const Claim = view(claim);
export const AdminPayment = view(
  {
    ...payment,
    userId: Id,
    username: z.string(),
    reason: z.string().nullable(),
    paidPesewas: shownMoney("paid")
      .nullable()
      .describe("In review: the amount paid, according to Paystack; null if it is not our money"),
    creditedPesewas: shownMoney("credited").nullable().describe("The amount credited to the wallet; null if none"),
    feesPesewas: shownMoney("fees").nullable().describe("What Paystack kept of it; null while that is unknown"),
    feesByPayerPesewas: shownMoney(
      "feesByPayer",
      "The part of the fees that the payer paid on top; the rest is the shop's cost",
    ),
    decision: z.enum(PAYMENT_DECISIONS).nullable().describe("The decision of its review by staff"),
  },
  (row: PaymentRow) => ({ ...paymentOf(row), creditedPesewas: row.paidAt && creditedBy(row) }),
);
export const PaymentDecided = view({
  paymentId: Id,
  userId: Id,
  decision: z.enum(PAYMENT_DECISIONS),
  creditedPesewas: shownMoney("credited"),
  lossPesewas: shownMoney("loss", "The part that the shop bears"),
});
export const Chargeback = view(
  {
    id: Id,
    paymentId: Id,
    paymentReference: z.string(),
    userId: Id,
    username: z.string(),
    amountPesewas: shownMoney("amount"),
    heldPesewas: shownMoney("held", "The part held in the wallet"),
    dueAt: Moment.nullable().describe("Paystack's deadline for evidence"),
    note: z.string().nullable(),
    createdAt: Moment,
  },
  (row: StoredChargeback) => ({ ...row, paymentReference: row.payment.reference }),
);
export const AdminClaim = view(
  {
    ...claim,
    userId: Id,
    username: z.string(),
    creditedPesewas: shownMoney("credited").nullable().describe("The amount credited to the wallet; null if none"),
    statement: z
      .enum(["found", "other_amount", "twice", "other_sender", "reversed", "two_lines", "not_found"])
      .describe("What the mobile money statement says about it"),
    statementPesewas: shownMoney("statementAmount").nullable().describe("The amount of its line in the statement"),
    isAutomatic: as("automatic", z.boolean().describe("Credited by an import of the statement")),
    decidedBy: z.string().nullable(),
    decidedAt: Moment.nullable(),
  },
  (row: DepositRow) => ({
    ...row,
    creditedPesewas: row.state === "approved" ? creditedFor(row) : null,
    statement: row.finding.kind,
    statementPesewas: row.finding.line?.amountPesewas ?? null,
  }),
);
const decided = (status: "approved" | "refused") =>
  view({ depositId: as("claimId", Id), userId: Id, status: z.literal(status) });
export const ClaimApproved = decided("approved");
export const ClaimRefused = decided("refused");
const Counted = view({ count: z.int(), pesewas: shownMoney("amount") });
export const Reconciliation = view(
  {
    from: Moment,
    to: Moment,
    provider: one(Counted),
    credited: one(Counted),
    feesPesewas: shownMoney(
      "fees",
      "What Paystack kept of the payments as fees, as far as it is the shop's cost and booked",
    ),
    heldPesewas: shownMoney(
      "held",
      "The amount that Paystack holds for us after fees, according to our books, over all time",
    ),
    differences: many(
      view({
        reference: z.string(),
        kind: z.enum([
          "not_ours",
          "not_credited",
          "not_at_provider",
          "other_amount",
          "not_reversed",
          "not_refunded",
          "fee_not_booked",
          "other_fee",
        ]),
        message: as("words", z.string()),
        providerPesewas: shownMoney("provider").nullable(),
        creditedPesewas: shownMoney("credited").nullable(),
      }),
    ),
  },
  (compared: Compared) => ({
    ...compared,
    provider: { count: compared.providerCount, pesewas: compared.providerPesewas },
    credited: { count: compared.creditedCount, pesewas: compared.creditedPesewas },
  }),
);
