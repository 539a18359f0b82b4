// Views of balances that are paid out to the owners of wallets.
import { z } from "zod";
import { PAYOUT_METHODS } from "../../../shared/domain.ts";
import { Id } from "../../../shared/inputs.ts";
import { Moment, money, view } from "../../view.ts";

export const PayoutBooked = view({
  payoutId: Id,
  userId: Id,
  amountPesewas: money("amount"),
  balancePesewas: money("balance"),
});

export const WalletPayout = view({
  id: Id,
  amountPesewas: money("amount"),
  method: z.enum(PAYOUT_METHODS),
  msisdn: z.string().nullable(),
  name: z.string(),
  reference: z.string(),
  reason: z.string(),
  by: z.string().nullable(),
  agreedBy: z.string().nullable(),
  createdAt: Moment,
});
