// Errors about orders reported as not received.

export const disputeErrors = {
  "case.not_found": { status: 404, message: "There is no such dispute", retry: "never" },
  "case.filed_already": {
    status: 409,
    message: "This order has already been reported as not received",
    retry: "never",
  },
  "case.not_delivered": {
    status: 409,
    message: "Only a delivered order can be reported as not received",
    retry: "later",
  },
  "case.too_late": {
    status: 409,
    message: "It is too late to report this order as not received. Report an issue instead.",
    retry: "never",
  },
  "case.decided": { status: 409, message: "This dispute has already been decided", retry: "never" },
  "case.proof_missing": {
    status: 422,
    message: "Enter the proof of delivery",
    retry: "after_change",
  },
} as const;
