// What the words of a search mean for a list of payments.
import { eq, ilike, or, type SQL } from "drizzle-orm";
import { users } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import { matchesReference } from "../orders/search.ts";

/** How a reference ends, a whole number that was asked to pay, an order's id, or a part of its payer's name or e-mail. */
export function paymentCondition(words: string): SQL | undefined {
  const msisdn = parseMsisdn(words);
  const pattern = `%${words.replace(/[%_\\]/g, "\\$&")}%`;
  return or(
    words.length >= 4 ? matchesReference(words, { isAdmin: true, userId: undefined }) : undefined,
    msisdn ? eq(payments.payerMsisdn, msisdn) : undefined,
    /^#?[1-9]\d{0,14}$/.test(words) ? eq(payments.orderId, Number(words.replace("#", ""))) : undefined,
    ilike(users.username, pattern),
    ilike(users.email, pattern),
  );
}
