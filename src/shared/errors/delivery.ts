// Errors about delivery: the desk, vendors, and orders that need attention.
export const deliveryErrors = {
  "desk.nothing_waiting": {
    status: 409,
    message: "No orders are waiting to be sent by hand. Check again in a moment.",
    retry: "later",
  },
  "desk.batch_not_found": { status: 404, message: "There is no such batch", retry: "never" },
  "desk.batch_changed": {
    status: 409,
    message: "This batch has changed. Check what is still open, then confirm again.",
    retry: "after_change",
  },
  "attention.note_missing": {
    status: 422,
    message: "Write down what you found out, then dismiss it",
    retry: "after_change",
  },
  "vendor.not_found": { status: 404, message: "There is no such vendor", retry: "never" },
} as const;
