// Errors about months and receipts.

export const accountingErrors = {
  "month.not_over": { status: 409, message: "This month is not over yet", retry: "later" },
  "month.earlier_open": { status: 409, message: "Close the months before it first", retry: "after_change" },
  "receipt.unpaid": { status: 409, message: "An order has a receipt once it is paid", retry: "after_change" },
  "receipt.refunded": {
    status: 409,
    message:
      "This order was refunded, so there is no receipt. Your wallet's statement shows the payment and the refund.",
    retry: "never",
  },
  "receipt.no_legal_name": {
    status: 409,
    message: "The shop does not issue receipts yet. Ask support.",
    retry: "later",
  },
} as const;
