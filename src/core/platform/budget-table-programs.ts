// The budgets of what agents' programs use: API keys and webhooks.
import type { Budget } from "./budget-table.ts";

const HOUR = 3600;
const DAY = 86_400;

export const PROGRAM_BUDGETS = {
  // Each is a row that stays, and an e-mail.
  "key.made": {
    countMax: 40,
    seconds: DAY,
    by: "account",
    about: "API keys made and replaced",
    message: "You have made and replaced many API keys today.",
  },
  // Each check of an address is a DNS request.
  "push.addresses": {
    countMax: 30,
    seconds: HOUR,
    by: "account",
    about: "browsers registered for push messages",
    message: "You have turned alerts on too often.",
  },
  "claim.account": {
    countMax: 20,
    seconds: DAY,
    by: "account",
    about: "manual deposits reported",
    message: "You have reported too many deposits.",
  },
  "payouts.shop": {
    countMax: 4,
    seconds: HOUR,
    by: "shop",
    about: "readings of Paystack's list of payouts",
  },
  "statement.account": {
    countMax: 60,
    seconds: HOUR,
    by: "account",
    about: "imports of the mobile money statement",
    message: "You have imported the statement too often.",
  },
  // Six forms of twenty people, and a bound for somebody who probes which cards are known.
  "afa.account": {
    countMax: 120,
    seconds: HOUR,
    by: "account",
    about: "AFA registrations",
    message: "You have sent too many registrations.",
  },
  // More than a desk needs, and little for a stolen session.
  "afa.cards": {
    countMax: 300,
    seconds: HOUR,
    by: "account",
    about: "Ghana Card numbers shown to an admin",
    message: "You have viewed too many cards.",
  },
  "signals.preview": {
    countMax: 60,
    seconds: HOUR,
    by: "account",
    about: "rules of signals tried on the past",
    message: "You have tried rules too often.",
  },
  "support.requests": {
    countMax: 10,
    seconds: DAY,
    by: "account",
    about: "requests to support",
    message: "You have sent too many requests to support.",
  },
  "support.replies": {
    countMax: 40,
    seconds: DAY,
    by: "account",
    about: "replies to support",
    message: "You have sent too many replies.",
  },
  "dispute.account": {
    countMax: 100,
    seconds: DAY,
    by: "account",
    about: "orders reported as not received",
    message: "You have reported too many orders.",
  },
  // Each check of an address is a DNS request.
  "webhook.addresses": {
    countMax: 100,
    seconds: HOUR,
    by: "account",
    about: "webhook addresses looked up",
    message: "You have tried too many addresses.",
  },
  // Enough for trying things out, too few to burden somebody else's server.
  "webhook.messages": {
    countMax: 300,
    seconds: HOUR,
    by: "account",
    about: "webhook tests and messages sent again",
    message: "You have sent too many messages.",
  },
  "webhook.proofs": {
    countMax: 20,
    seconds: HOUR,
    by: "account",
    about: "tests of webhooks that have not answered yet",
    message: "Your webhook was tested too often without an answer.",
  },
  "sandbox.reset": {
    countMax: 30,
    seconds: HOUR,
    by: "account",
    about: "fresh starts in the sandbox",
    message: "You have started afresh too often.",
  },
} as const satisfies Record<string, Budget>;
