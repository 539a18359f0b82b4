// API schemas of cash with staff, its hand-in and the bank, and of Paystack's payouts.
import { z } from "zod";
import { cedis, flagText, Id, moment, money, requiredText, text } from "./common.ts";

const counted = cedis("Give what was counted").refine((pesewas) => pesewas >= 0, "Give what was counted");

const closeState = z.enum(["waiting", "accepted", "refused"]);
export const CashClose = z.object({
  id: Id,
  userId: Id,
  username: z.string(),
  day: z.iso.date(),
  to: z.string().describe("To whom it was given"),
  expected: money.describe("Taken and not handed in before"),
  counted: money,
  reason: z.string().nullable().describe("Why they differ"),
  status: closeState,
  decidedBy: z.string().nullable(),
  decidedAt: moment.nullable(),
});

export const Cash = z.object({
  safe: money.describe("Handed in, and neither brought to the bank nor paid out"),
  people: z.array(
    z.object({
      userId: Id,
      username: z.string(),
      orders: z.int().describe("Paid to them in cash today"),
      taken: money.describe("Taken today"),
      open: money.describe("Taken and not handed in, of whatever day"),
    }),
  ),
  waiting: z.array(CashClose),
});

export const OwnCash = z.object({
  open: money.describe("Taken and not handed in"),
  waiting: money.describe("Handed in and not accepted yet"),
  closedToday: z.boolean().describe("What comes now counts for the next day"),
});

export const CashHandIn = z.object({
  to: Id,
  expected: counted.describe("What you saw as open"),
  counted,
  reason: text(300).optional(),
});
export const CashHandedIn = z.object({ closeId: Id });

export const CashDecision = z.object({
  decision: z.enum(["accept", "refuse"]),
  expected: counted,
  counted,
  reason: text(300).optional().describe("Of a refusal"),
});
export const CashDecided = z.object({ closeId: Id, userId: Id });

const positive = cedis("Give an amount above 0").refine((pesewas) => pesewas > 0, "Give an amount above 0");
export const NewBankDeposit = z.object({
  amount: positive,
  slip: requiredText(60, "Give the slip's number"),
});
export const BankDeposited = z.object({ bankDepositId: Id });

export const BankDeposit = z.object({
  id: Id,
  amount: money,
  slip: z.string(),
  by: z.string(),
  createdAt: moment,
  seen: money.nullable().describe("What the bank's statement shows of it; null until somebody has looked"),
  seenBy: z.string().nullable(),
  seenAt: moment.nullable(),
  reason: z.string().nullable().describe("Why the statement shows another amount"),
});
export const BankDepositQuery = z.object({ unseen: flagText.optional() });
export const BankTickOff = z.object({
  amount: positive.describe("The booked amount that you saw"),
  seen: counted.describe("On the bank's statement; 0 when it is not there"),
  reason: text(300).optional().describe("Of a difference"),
});

export const Payout = z.object({
  id: Id,
  paystackId: z.string(),
  status: z.string(),
  amount: money.describe("What the bank gets"),
  processed: money.describe("What its payments brought before fees"),
  fees: money,
  payments: z.int(),
  unknown: z.int().describe("Of these payments, those that are not the shop's"),
  settledAt: moment.nullable(),
  bookedAt: moment.nullable(),
});
