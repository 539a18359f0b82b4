// Views of cash with staff, its hand-in and the bank, and of Paystack's payouts.
import { z } from "zod";
import { as } from "../../../shared/fields.ts";
import { Id } from "../../../shared/inputs.ts";
import { Moment, many, money, view } from "../../view.ts";
import { flagText } from "../common.ts";

const text = z.string();

export const CashClose = view({
  id: Id,
  userId: Id,
  username: text,
  day: z.iso.date(),
  to: text.describe("To whom it was given"),
  expectedPesewas: money("expected", "Taken and not handed in before"),
  countedPesewas: money("counted"),
  reason: text.nullable().describe("Why they differ"),
  state: as("status", z.enum(["waiting", "accepted", "refused"])),
  decidedBy: text.nullable(),
  decidedAt: Moment.nullable(),
});

const PersonsCash = view({
  userId: Id,
  username: text,
  orders: z.int().describe("Paid to them in cash today"),
  takenPesewas: money("taken", "Taken today"),
  openPesewas: money("open", "Taken and not handed in, from any day"),
});

export const Cash = view({
  safePesewas: money("safe", "Handed in, and neither brought to the bank nor paid out"),
  people: many(PersonsCash),
  waiting: many(CashClose),
});

export const OwnCash = view({
  openPesewas: money("open", "Taken and not handed in"),
  waitingPesewas: money("waiting", "Handed in and not accepted yet"),
  isClosedToday: as("closedToday", z.boolean().describe("What comes now counts for the next day")),
});

export const CashHandedIn = view({ closeId: Id });

export const CashDecided = view({ closeId: Id, userId: Id });

export const BankDeposited = view({ bankDepositId: Id });

export const BankDeposit = view({
  id: Id,
  amountPesewas: money("amount"),
  slip: text,
  username: as("by", text),
  createdAt: Moment,
  seenPesewas: as(
    "seen",
    money("seen").nullable().describe("What the bank's statement shows of it; null until somebody has looked"),
  ),
  seenBy: text.nullable(),
  seenAt: Moment.nullable(),
  seenReason: as("reason", text.nullable().describe("Why the statement shows another amount")),
});
export const BankDepositQuery = z.object({ unseen: flagText.optional() });

export const Payout = view({
  id: Id,
  providerId: as("paystackId", text),
  status: text,
  amountPesewas: money("amount", "What the bank gets"),
  processedPesewas: money("processed", "What its payments brought before fees"),
  feesPesewas: money("fees"),
  payments: z.int(),
  unknown: z.int().describe("Of these payments, those that are not the shop's"),
  settledAt: Moment.nullable(),
  bookedAt: Moment.nullable(),
});
