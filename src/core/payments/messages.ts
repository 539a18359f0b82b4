// The messages about the state of a payment, for people.
import type { Payment } from "./payments.ts";

/** The reason of a payment that its payer gave up. */
export const GIVEN_UP = "Given up by the payer";

/** The message for a payment's state. */
export function messageOf(payment: Payment): string {
  switch (payment.state) {
    case "paid":
      return payment.orderId ? "Payment received." : "Wallet top-up completed successfully!";
    case "created":
      return "Not paid yet";
    case "pending":
      if (payment.needsCode) return payment.providerMessage ?? "Enter the code from your network";
      return payment.network
        ? (payment.providerMessage ?? "Approve the payment on your phone")
        : "Waiting for the payment";
    case "failed":
      return payment.reason ?? "The payment failed";
    case "expired":
      return (
        (payment.reason === GIVEN_UP ? "You gave this payment up. " : "Not paid within 24 hours. ") +
        "If you did pay, the money will still come into your wallet."
      );
    case "review":
      return "We are checking this payment. Your money is safe; support will contact you.";
    case "reversed":
      return "The payment provider has taken this payment back";
    case "closed":
      return payment.decision === "refunded"
        ? "This payment was not credited. The money goes back to the account you paid from."
        : "Support has credited this payment to your wallet.";
  }
}
