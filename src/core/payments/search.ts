// Search of payments by free text.
import { eq, ilike, or, type SQL } from "drizzle-orm";
import { users } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import { matchesReference } from "../orders/search.ts";

/** The end of a reference, the payer's whole number, an order's id, or part of the agent's name or e-mail. */
export function paymentCondition(search: string): SQL | undefined {
  const msisdn = parseMsisdn(search);
  const pattern = `%${search.replace(/[%_\\]/g, "\\$&")}%`;
  return or(
    search.length >= 4 ? matchesReference(search, { isAdmin: true }) : undefined,
    msisdn ? eq(payments.payerMsisdn, msisdn) : undefined,
    /^#?[1-9]\d{0,14}$/.test(search) ? eq(payments.orderId, Number(search.replace("#", ""))) : undefined,
    ilike(users.username, pattern),
    ilike(users.email, pattern),
  );
}
