// Errors about limits: too many requests, too many unpaid orders, or a request that is still in progress.

export const limitErrors = {
  "request.in_progress": {
    status: 409,
    message: "The same request is still being processed. Try again in a moment.",
    retry: "later",
  },
  "request.rate_limited": { status: 429, message: "Too many attempts. Wait and try again.", retry: "later" },
  "account.frozen": {
    status: 403,
    message: "Your account is frozen for now, and your money is safe. Ask support what to do.",
    retry: "later",
  },
  "account.waits": {
    status: 403,
    message: "For your safety, this works again later: wait, or ask support. Your money is safe.",
    retry: "later",
  },
  "freeze.none": { status: 409, message: "This account is not frozen", retry: "never" },
  "freeze.end_invalid": {
    status: 422,
    message: "The end must be in the future. Choose another, or leave it empty.",
    retry: "after_change",
  },
  "wait.none": { status: 409, message: "This account does not wait: it can buy already", retry: "never" },
  "order.hourly_limit": {
    status: 409,
    message: "You have placed as many orders as you can in an hour. Ask support if you need more.",
    retry: "later",
  },
  "payment.daily_limit": {
    status: 409,
    message: "A new account can pay in only so often a day, by top-ups and for orders. Ask support if you need more.",
    retry: "later",
  },
  "payment.balance_limit": {
    status: 409,
    message: "This payment would pass the most that your wallet can hold. Pay in less, or ask support.",
    retry: "after_change",
  },
  "order.unpaid_too_many": {
    status: 409,
    message: "You have 20 unpaid orders. Pay or cancel some of them first.",
    retry: "after_change",
  },
} as const;
