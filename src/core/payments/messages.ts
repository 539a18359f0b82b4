// What people read about where a payment stands.
import type { Payment } from "./payments.ts";

/** What a person is told of each state of a payment. */
export function messageFor(payment: Payment): string {
  switch (payment.state) {
    case "paid":
      return payment.orderId ? "Payment received." : "Wallet top-up completed successfully!";
    case "created":
      return "Not paid yet";
    case "pending":
      if (payment.needsCode) return payment.words ?? "Enter the code that your network gave you";
      return payment.network
        ? (payment.words ?? "Approve the payment on your phone")
        : "Waiting for the payment";
    case "failed":
      return payment.reason ?? "The payment failed";
    case "expired":
      return "Not paid within 24 hours. If you paid, the money still comes into your wallet.";
    case "review":
      return "We are looking at this payment. Nothing is lost; support will contact you.";
    case "reversed":
      return "This payment was taken back by the payment provider";
    case "closed":
      return payment.decision === "refunded"
        ? "This payment was not credited. The money goes back to where you paid from."
        : "Support has credited this payment to your wallet.";
  }
}
