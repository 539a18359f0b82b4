// The payment gateway of a shop without a Paystack key: it starts no payment and says why, and knows of none.
import type { PaymentGateway, Unclear } from "../core/payments/gateway.ts";

const REFUSED = { kind: "refused", message: "Mobile money and cards are not set up in this shop yet" } as const;
const UNCLEAR: Unclear = { kind: "unclear", reason: "no Paystack key is set" };

/** `host` is the shop's, under which payers without a mailbox get an address. */
export function withoutPaystack({ host = "localhost" }: { host?: string | undefined }): PaymentGateway {
  return {
    domain: "live",
    checkoutOrigin: "https://checkout.paystack.com",
    addressFor: (userId) => `u${userId}@pay.${host}`,
    initialize: async () => REFUSED,
    charge: async () => REFUSED,
    submitCode: async () => REFUSED,
    verify: async () => UNCLEAR,
    list: async () => UNCLEAR,
    refundsOf: async () => UNCLEAR,
    listRefunds: async () => UNCLEAR,
    listPayouts: async () => UNCLEAR,
    payoutPayments: async () => UNCLEAR,
    balance: async () => UNCLEAR,
    keyState: () => "missing",
    isSigned: () => false,
  };
}
