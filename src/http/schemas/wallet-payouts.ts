// Schemas of balances that are paid out to the owners of wallets, for the API and the form.
import { z } from "zod";
import { PAYOUT_METHODS } from "../../shared/domain.ts";
import { AboveZero, Id, requiredText, text } from "../../shared/inputs.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import { moment, money } from "./common.ts";

const notANumber = "Give the mobile money number that was paid";

const details = z.object({
  method: z.enum(PAYOUT_METHODS),
  msisdn: text(40, notANumber).default("").describe("The mobile money number that was paid; empty for cash"),
  name: requiredText(100, "Give the name of who got the money"),
  reference: text(20)
    .trim()
    .regex(/^[\w./-]{3,20}$/, "3 to 20 letters and digits")
    .describe("The network's transaction ID, or the number of the signed receipt"),
  reason: requiredText(300, "Say why"),
});

type Details = z.output<typeof details>;
const hasNumber = ({ method, msisdn }: Details) => method === "cash" || parseMsisdn(msisdn) !== null;
const NUMBER_MISSING = { error: notANumber, path: ["msisdn"] };
/** The details with the number as it is stored; null for cash. */
export function withNumber<Typed extends Details>(typed: Typed) {
  return { ...typed, msisdn: typed.method === "cash" ? null : parseMsisdn(typed.msisdn) };
}

/** How a balance was paid out, as typed in the form. */
export const PayoutForm = details
  .extend({ amountPesewas: z.coerce.number().int().positive() })
  .refine(hasNumber, NUMBER_MISSING)
  .transform(withNumber);

export const PayoutToBook = details
  .extend({ amount: AboveZero.describe("What you saw as available; refused if it differs") })
  .refine(hasNumber, NUMBER_MISSING);

export const PayoutBooked = z.object({ payoutId: Id, userId: Id, amount: money, balance: money });

export const WalletPayout = z.object({
  id: Id,
  amount: money,
  method: z.enum(PAYOUT_METHODS),
  msisdn: z.string().nullable(),
  name: z.string(),
  reference: z.string(),
  reason: z.string(),
  by: z.string().nullable(),
  agreedBy: z.string().nullable(),
  createdAt: moment,
});
