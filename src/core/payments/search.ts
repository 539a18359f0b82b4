// Search of payments by free text.
import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";
import { PAYMENT_STATES } from "../../shared/domain.ts";
import { parseCedis } from "../../shared/money.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { idsMatching } from "../identity/user-search.ts";
import { matchesReference } from "../orders/search.ts";
import { isAmong } from "../platform/sql.ts";

/** Paystack's modes: the index of its transactions begins with them. */
const DOMAINS = ["live", "test"];
/** From as many letters on, a part of a state is meant, and not a name. */
const STATE_CHARS_MIN = 3;

/**
 * The condition on payments for what was typed: the end of a reference, Paystack's transaction id, the payer's whole
 * number, an amount, an order's id, a state, or the agent's name, e-mail or phone.
 */
export async function paymentCondition(tx: Reads, search: string): Promise<SQL | undefined> {
  const msisdn = parseMsisdn(search);
  const amountPesewas = parseCedis(search);
  const states = PAYMENT_STATES.filter((state) => state.includes(search.toLowerCase()));
  const agentIds = await idsMatching(tx, search);
  return or(
    search.length >= 4 ? matchesReference(search, { isAdmin: true }) : undefined,
    /^\d{1,30}$/.test(search) ? and(inArray(payments.domain, DOMAINS), eq(payments.providerId, search)) : undefined,
    msisdn ? eq(payments.payerMsisdn, msisdn) : undefined,
    amountPesewas !== null && amountPesewas > 0 ? eq(payments.amountPesewas, amountPesewas) : undefined,
    /^#?[1-9]\d{0,14}$/.test(search) ? eq(payments.orderId, Number(search.replace("#", ""))) : undefined,
    search.length >= STATE_CHARS_MIN && states.length > 0 ? inArray(payments.state, states) : undefined,
    agentIds.length > 0 ? isAmong(payments.userId, agentIds) : undefined,
    sql`false`,
  );
}
