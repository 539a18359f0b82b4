// Refusals about payouts to the shop's bank.
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
} as const;
