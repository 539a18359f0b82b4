// Topics of webhooks. Not in domain.ts: lists made of others would become part of every page's script.

/** The events that a developer's webhook can choose. */
export const HOOK_TOPICS = [
  "order.status_changed",
  "order.refunded",
  "order.case_decided",
  "wallet.topped_up",
  "wallet.balance_low",
  "product.price_changed",
  "product.paused",
] as const;
export type HookTopic = (typeof HOOK_TOPICS)[number];
/** What a webhook chooses: topics, or all of them, later ones included. */
export const HOOK_CHOICES = [...HOOK_TOPICS, "all"] as const;
export type HookChoice = (typeof HOOK_CHOICES)[number];
/** What is sent to webhooks: topics, and a test message. */
export const HOOK_EVENTS = [...HOOK_TOPICS, "ping"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];
