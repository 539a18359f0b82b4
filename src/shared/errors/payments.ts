// Errors about payments and MoMo deposits.

export const paymentErrors = {
  "payment.below_minimum": {
    status: 422,
    message: "The amount is below the minimum top-up",
    retry: "after_change",
  },
  "payment.not_found": { status: 404, message: "Payment not found", retry: "never" },
  "payment.not_payable": {
    status: 409,
    message: "This payment has ended. Start a new one.",
    retry: "after_change",
  },
  "payment.in_progress": {
    status: 409,
    message: "This payment is already waiting for approval",
    retry: "later",
  },
  "payment.not_in_review": {
    status: 409,
    message: "This payment no longer needs a decision: it was decided or settled",
    retry: "never",
  },
  "payment.choice_missing": {
    status: 422,
    message: "This choice is not possible for this payment. Check what was paid, and choose again.",
    retry: "after_change",
  },
  "payment.email_missing": {
    status: 422,
    message: "User email is required for payment processing",
    retry: "after_change",
  },
  "payment.refused": { status: 422, message: "Failed to initialize payment", retry: "after_change" },
  "payment.gateway_down": {
    status: 503,
    message:
      "Failed to start payment. The payment service is not answering; nothing was charged. Try again later.",
    retry: "later",
  },
  "payment.unverified": {
    status: 503,
    message: "Failed to verify payment. If you paid, the money will come into your wallet automatically.",
    retry: "later",
  },
  "claim.not_found": { status: 404, message: "Deposit not found", retry: "never" },
  "claim.below_minimum": {
    status: 422,
    message: "The amount is below the minimum deposit",
    retry: "after_change",
  },
  "claim.transaction_id_invalid": {
    status: 422,
    message: "Enter the transaction ID from the mobile money message, digits only",
    retry: "after_change",
  },
  "claim.filed_already": {
    status: 409,
    message: "You have already reported this transaction",
    retry: "never",
  },
  "claim.decided": { status: 409, message: "This deposit has already been decided", retry: "never" },
  "claim.credited_already": {
    status: 409,
    message: "This transaction has already been credited to a wallet",
    retry: "never",
  },
} as const;
