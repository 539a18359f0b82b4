// API schemas of the shop's mobile money statement, and of deposits that it confirms or takes back.
import { z } from "zod";
import { as } from "../../../shared/fields.ts";
import { cedis, Id, text } from "../../../shared/inputs.ts";
import { money as shownMoney, view } from "../../view.ts";
import { flagText, moment, money, Page } from "../common.ts";
import { MomoNetwork } from "../payments.ts";

const direction = z.enum(["in", "out", "reversal"]);
const transactionId = z.string().regex(/^[1-9]\d{5,19}$/, "Digits only, without zeros in front");

export const NewStatementLine = z.object({
  transactionId,
  amount: cedis("Give an amount above 0").refine((pesewas) => pesewas > 0, "Give an amount above 0"),
  direction: direction.default("in"),
  reversedId: transactionId.optional().describe("Of a reversal: the transaction that it takes back"),
  senderName: text(100).optional(),
  senderPhone: text(40).optional(),
  at: z.iso.datetime().optional(),
});

export const NewStatement = z.object({
  network: MomoNetwork,
  lines: z.array(NewStatementLine).min(1, "Give at least one line").max(5_000, "At most 5,000 lines"),
});

export const StatementImported = z.object({
  importId: Id,
  newLines: z.int(),
  knownLines: z.int().describe("Lines that an earlier import brought"),
  conflicts: z.array(z.string()).describe("Transaction IDs that are known with another amount"),
  credited: z.int().describe("Deposits that were credited at once"),
  creditedAmount: money,
  heldBack: z.int().describe("Deposits that were found, but wait for a person"),
  reversed: z.int().describe("Credited deposits that the network took back"),
});

export const StatementLineQuery = Page.extend({ open: flagText.optional() });

export const StatementLine = z.object({
  id: Id,
  network: MomoNetwork,
  direction,
  transactionId: z.string().nullable().describe("Null where it is only for those who decide deposits"),
  reversedId: z.string().nullable(),
  amount: money,
  senderName: z.string().nullable(),
  senderPhone: z.string().nullable(),
  at: moment.nullable(),
  claimId: Id.nullable().describe("The deposit that was credited against it"),
  importedBy: z.string(),
});

export const ClaimCorrected = view({
  depositId: as("claimId", Id),
  userId: Id,
  creditedPesewas: shownMoney("credited"),
});

export const ClaimReversal = z.object({
  id: Id,
  claimId: Id,
  userId: Id,
  username: z.string(),
  transactionId: z.string(),
  amount: money,
  createdAt: moment,
});

export const ClaimReversalDecided = view({
  reversalId: Id,
  userId: Id,
  debtPesewas: shownMoney("debt", "What the wallet lacked, which the agent now owes"),
});
