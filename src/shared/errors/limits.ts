// Errors about limits: too many requests, too many unpaid orders, or a request that is still in progress.

export const limitErrors = {
  "request.in_progress": {
    status: 409,
    message: "The same request is still being processed. Try again in a moment.",
    retry: "later",
  },
  "request.rate_limited": { status: 429, message: "Too many attempts. Wait and try again.", retry: "later" },
  "order.unpaid_too_many": {
    status: 409,
    message: "You have 20 unpaid orders. Pay or cancel some of them first.",
    retry: "after_change",
  },
} as const;
