// Refusals about cash: handing it in, accepting it, and bringing it to the bank.
export const cashErrors = {
  "cash.not_found": { status: 404, message: "This hand-in does not exist", retry: "never" },
  "cash.to_whom": {
    status: 422,
    message: "Choose a colleague who may see the books",
    retry: "after_change",
  },
  "cash.nothing": { status: 409, message: "There is no cash to hand in", retry: "never" },
  "cash.moved": {
    status: 409,
    message: "The cash has changed since you opened the page. Look at it again, then decide.",
    retry: "after_change",
  },
  "cash.reason_missing": {
    status: 422,
    message: "Say why the counted cash differs",
    retry: "after_change",
  },
  "cash.closed_today": {
    status: 409,
    message: "You have handed in your cash of today. What came since counts for tomorrow.",
    retry: "later",
  },
  "cash.decided": { status: 409, message: "Somebody has already decided this hand-in", retry: "never" },
  "cash.safe_short": {
    status: 409,
    message: "The safe holds less than that. Accept the cash that was handed in first.",
    retry: "after_change",
  },
  "cash.bank_not_found": { status: 404, message: "This deposit at the bank does not exist", retry: "never" },
  "cash.bank_own": {
    status: 403,
    message: "You brought this cash to the bank. A colleague has to find it on the bank's statement.",
    retry: "never",
  },
  "cash.bank_seen": {
    status: 409,
    message: "Somebody has already ticked off this deposit at the bank",
    retry: "never",
  },
  "cash.slip_known": {
    status: 409,
    message: "A deposit with this slip is booked already",
    retry: "after_change",
  },
} as const;
