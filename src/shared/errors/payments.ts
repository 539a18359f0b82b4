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
    message: "Failed to start payment. The payment service is not answering; nothing was charged. Try again later.",
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
  "claim.amount_differs": {
    status: 409,
    message: "The statement says another amount. Credit what the statement says, or refuse the deposit.",
    retry: "after_change",
  },
  "claim.not_in_statement": {
    status: 409,
    message: "No line of the statement has this transaction ID. Import the statement first.",
    retry: "after_change",
  },
  "claim.moved": {
    status: 409,
    message: "This deposit has changed since you opened the page. Look at it again, then decide.",
    retry: "after_change",
  },
  "claim.reversed": {
    status: 409,
    message: "The statement says that this transfer was taken back, so it cannot be credited",
    retry: "never",
  },
  "claim.reversal_not_found": { status: 404, message: "Reversal not found", retry: "never" },
  "claim.reversal_decided": {
    status: 409,
    message: "Somebody has already decided this reversal",
    retry: "never",
  },
  "statement.not_found": {
    status: 404,
    message: "This import is over or has been deleted. Choose the file again.",
    retry: "after_change",
  },
  "statement.empty": {
    status: 422,
    message: "No line of this statement can be imported. Check the columns below.",
    retry: "after_change",
  },
  "statement.too_long": {
    status: 413,
    message: "This statement is too long: up to 5,000 lines can be imported at once. Split it by day.",
    retry: "after_change",
  },
  "statement.line_invalid": {
    status: 422,
    message: "A line has no valid transaction ID or amount",
    retry: "after_change",
  },
} as const;
