// Paystack's payouts (API reference: "Settlements") and balance ("Check Balance"), as the client reads them.
import { z } from "zod";
import type { Balance, PayoutsListed } from "../core/payments/gateway.ts";
import type { Call } from "./paystack.ts";
import { hasMoreAfter, Id, whole } from "./paystack-fields.ts";

const Settlement = z.object({
  id: Id,
  status: z.string(),
  currency: z.string().nullish(),
  domain: z.string().nullish(),
  total_amount: whole,
  /** What is left after deductions; the older answers have only the total. */
  effective_amount: whole.nullish().catch(null),
  total_fees: whole.nullish().catch(null),
  total_processed: whole.nullish().catch(null),
  settlement_date: z.string().nullish().catch(null),
});

/** A page of payouts, newest first. A malformed row makes the page unclear: a payout that is not seen is not booked. */
export async function list(call: Call, page: number): Promise<PayoutsListed> {
  const reply = await call("GET", `/settlement?${new URLSearchParams({ perPage: "100", page: String(page) })}`);
  if (reply.kind === "unclear") return reply;
  const data = z.array(Settlement).safeParse(reply.body.data);
  if (!reply.body.status || !data.success) return { kind: "unclear", reason: `settlements answered ${reply.status}` };
  const payouts = data.data.map((row) => ({
    providerId: row.id,
    status: row.status,
    currency: row.currency ?? "",
    domain: row.domain ?? "",
    amountPesewas: row.effective_amount ?? row.total_amount,
    processedPesewas: row.total_processed ?? row.total_amount,
    feesPesewas: row.total_fees ?? 0,
    settledAt: row.settlement_date ?? null,
  }));
  return { kind: "listed", payouts, hasMore: hasMoreAfter(reply.body.meta, payouts.length) };
}

/** The balance in cedis' pesewas; accounts of other currencies are not the shop's. */
export async function balance(call: Call): Promise<Balance> {
  const reply = await call("GET", "/balance");
  if (reply.kind === "unclear") return reply;
  const data = z.array(z.object({ currency: z.string(), balance: whole })).safeParse(reply.body.data);
  const cedis = data.success ? data.data.find(({ currency }) => currency === "GHS") : undefined;
  if (!reply.body.status || !cedis) return { kind: "unclear", reason: `balance answered ${reply.status}` };
  return { kind: "found", balancePesewas: cedis.balance };
}
