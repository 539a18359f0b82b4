// Errors about developers' webhooks.

export const webhookErrors = {
  "webhook.not_found": { status: 404, message: "This webhook does not exist", retry: "never" },
  "webhook.delivery_not_found": { status: 404, message: "This delivery does not exist", retry: "never" },
  "webhook.url_refused": {
    status: 422,
    message: "Nothing can be sent to this address",
    retry: "after_change",
  },
  "webhook.exists": { status: 409, message: "You already have a webhook at this address", retry: "never" },
  "webhook.too_many": {
    status: 409,
    message: "You already have 5 webhooks. Remove one you no longer need.",
    retry: "after_change",
  },
  "webhook.replay_too_many": {
    status: 422,
    message: "There are more than 10,000 messages in this span. Choose a shorter one, or fewer events.",
    retry: "after_change",
  },
  "webhook.paused": {
    status: 409,
    message: "This webhook is paused. Turn it on first.",
    retry: "after_change",
  },
} as const;
