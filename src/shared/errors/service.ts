// Errors of the service itself, whatever the request was: a timeout, an overload, a closed switch, or a fault;
// and of its texts.

export const serviceErrors = {
  "request.timeout": {
    status: 408,
    message: "Your request did not arrive in time. Check your connection and send it again.",
    retry: "later",
  },
  "service.unavailable": {
    status: 503,
    message: "The service is briefly unavailable. Try again in a moment.",
    retry: "later",
  },
  "service.busy": {
    status: 503,
    message: "We are busy: nothing was placed or charged. Try again in a few seconds.",
    retry: "later",
  },
  "service.closed": {
    status: 409,
    message: "This is closed for the moment. Try again later.",
    retry: "later",
  },
  "service.failed": { status: 500, message: "Something went wrong on our side", retry: "later" },
  "text.not_found": { status: 404, message: "There is no such text", retry: "never" },
  "text.invalid": { status: 422, message: "This text cannot be used", retry: "after_change" },
  "text.changed": {
    status: 409,
    message: "Somebody changed this text meanwhile. Look at it, then save yours again.",
    retry: "after_change",
  },
} as const;
