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
  "desk.batch_touched": {
    status: 409,
    message: "Some of this batch may have been sent. Ask whoever has it to enter the results, or to pass it on.",
    retry: "never",
  },
  "desk.nobody_to_take_it": {
    status: 422,
    message: "Choose somebody who works at the desk",
    retry: "after_change",
  },
  "desk.result_not_found": { status: 404, message: "There are no such results", retry: "never" },
  "desk.result_applied": {
    status: 409,
    message: "These results are applied already. Correct single orders on their pages.",
    retry: "never",
  },
  "vendor.not_found": { status: 404, message: "There is no such vendor", retry: "never" },
} as const;
