// Refusals about payouts to the shop's bank, and to owners of wallets.
export const payoutErrors = {
  "payout.not_found": { status: 404, message: "Payout not found", retry: "never" },
  "payout.known": {
    status: 409,
    message: "A payout with this number is booked or listed already",
    retry: "never",
  },
  "payout.too_much": {
    status: 409,
    message: "Paystack does not hold so much by the books",
    retry: "after_change",
  },
  "payout.moved": {
    status: 409,
    message: "What Paystack holds has changed since you opened the page. Look at it again, then book.",
    retry: "after_change",
  },
  "wallet.in_use": {
    status: 409,
    message: "Only the wallet of a banned or deleted account is paid out. If its owner leaves, ban it first.",
    retry: "after_change",
  },
  "wallet.nothing_to_pay_out": {
    status: 409,
    message: "Nothing can be paid out of this wallet",
    retry: "never",
  },
  "wallet.moved": {
    status: 409,
    message: "What can be paid out has changed. Look at it again.",
    retry: "after_change",
  },
  "wallet.payout_known": {
    status: 409,
    message: "A wallet was paid out with this reference already",
    retry: "never",
  },
} as const;
