// The table of all budgets: what may be done how often, by whom it is counted, and what is said when it is used up.
// docs/operations.md shows it, and a test holds the two together.

import { limits } from "../../shared/domain.ts";

/**
 * What a budget is counted by. A "login" is an e-mail or a phone number as it was typed; an "address" is a network's; a "network"
 * is an IPv4 /24 or an IPv6 /64.
 */
export type Counted = "account" | "address" | "device" | "login" | "login, network" | "payment" | "phone";

export type Budget = {
  most: number;
  seconds: number;
  by: Counted;
  /** What it bounds, for docs/operations.md. */
  about: string;
  /** What its refusal says before it says when to try again. */
  message?: string;
};

const MINUTES = 60;
const HOUR = 3600;
const DAY = 86_400;

const LOGINS = "Too many failed logins.";
const RESETS = "Too many tries at a new password.";
const CODES = "You have asked for too many codes.";
const PROMPTS = "Too many mobile money prompts were not approved.";

export const BUDGETS = {
  // Ten wrong passwords of a stranger shut his own network out, not the owner.
  "login.network": {
    most: 10,
    seconds: 15 * MINUTES,
    by: "login, network",
    about: "failed logins from unknown devices of one network",
    message: LOGINS,
  },
  // Whoever has many networks gets no further on one account than this.
  "login.account": {
    most: 50,
    seconds: HOUR,
    by: "login",
    about: "the same from all networks together",
    message: LOGINS,
  },
  "login.known": {
    most: 10,
    seconds: 15 * MINUTES,
    by: "device",
    about: "failed logins from one known device",
    message: LOGINS,
  },
  // Generous by address here and below, because a mobile operator puts thousands of phones behind one.
  "login.address": {
    most: 100,
    seconds: 15 * MINUTES,
    by: "address",
    about: "failed logins",
    message: LOGINS,
  },
  "factor.account": {
    most: 10,
    seconds: 15 * MINUTES,
    by: "account",
    about: "wrong codes of the second factor",
    message: "Too many wrong codes.",
  },
  "factor.known": {
    most: 10,
    seconds: 15 * MINUTES,
    by: "device",
    about: "the same from one known device",
    message: "Too many wrong codes.",
  },
  "password.own": {
    most: 10,
    seconds: 15 * MINUTES,
    by: "account",
    about: "wrong own passwords when changing the account",
    message: "Too many wrong passwords.",
  },
  "signup.address": {
    most: 200,
    seconds: HOUR,
    by: "address",
    about: "accounts opened",
    message: "Too many accounts were opened from your network.",
  },
  // Strangers may leave forms, and many agents share the address of one mobile network.
  "form.address": {
    most: 60,
    seconds: HOUR,
    by: "address",
    about: "forms kept for after a login or a top-up",
  },
  "forgot.login": {
    most: 5,
    seconds: HOUR,
    by: "login",
    about: "codes for a new password asked for",
    message: CODES,
  },
  "forgot.account": { most: 5, seconds: HOUR, by: "account", about: "codes for a new password sent" },
  "forgot.known": {
    most: 5,
    seconds: HOUR,
    by: "device",
    about: "codes for a new password from one known device",
    message: CODES,
  },
  "forgot.address": {
    most: 100,
    seconds: HOUR,
    by: "address",
    about: "codes for a new password asked for",
    message: CODES,
  },
  "reset.login": {
    most: 15,
    seconds: 15 * MINUTES,
    by: "login",
    about: "new passwords tried with a code",
    message: RESETS,
  },
  "reset.known": {
    most: 15,
    seconds: 15 * MINUTES,
    by: "device",
    about: "the same from one known device",
    message: RESETS,
  },
  "reset.address": {
    most: 200,
    seconds: 15 * MINUTES,
    by: "address",
    about: "new passwords tried with a code",
    message: RESETS,
  },
  // Each code costs money and rings somebody's phone.
  "phone.account": {
    most: 5,
    seconds: HOUR,
    by: "account",
    about: "codes to confirm a phone",
    message: CODES,
  },
  "phone.number": {
    most: 5,
    seconds: HOUR,
    by: "phone",
    about: "codes to confirm a phone",
    message: "Too many codes were sent to this number.",
  },
  // Whoever has shown nothing but an e-mail address that nobody checked must not ring strangers' phones all day.
  "phone.new": {
    most: 4,
    seconds: DAY,
    by: "account",
    about: "codes by an account that has no confirmed phone",
    message: CODES,
  },
  "phone.new_address": {
    most: 100,
    seconds: DAY,
    by: "address",
    about: "codes by accounts that have no confirmed phone",
    message: "Too many codes were asked for from your network.",
  },
  // A prompt that a stranger approves by mistake pays into the asker's wallet, and the provider's limit is everybody's.
  "prompt.account": {
    most: 5,
    seconds: 10 * MINUTES,
    by: "account",
    about: "mobile money prompts that were not approved",
    message: PROMPTS,
  },
  "prompt.phone": {
    most: 3,
    seconds: 10 * MINUTES,
    by: "phone",
    about: "mobile money prompts that were not approved",
    message: "This phone has not approved several mobile money prompts.",
  },
  "checkout.account": {
    most: 30,
    seconds: 10 * MINUTES,
    by: "account",
    about: "payment pages opened",
    message: "You have opened too many payment pages.",
  },
  "code.account": {
    most: 10,
    seconds: 10 * MINUTES,
    by: "account",
    about: "network codes handed in",
    message: "Too many codes were handed in.",
  },
  "verify.account": {
    most: 120,
    seconds: 10 * MINUTES,
    by: "account",
    about: "payments asked about",
    message: "You have checked payments too often. We go on checking by ourselves.",
  },
  "verify.payment": {
    most: 3,
    seconds: 10,
    by: "payment",
    about: "questions to Paystack; then we answer from what we know",
  },
  "order.unpaid": {
    most: 100,
    seconds: DAY,
    by: "account",
    about: "orders placed without paying",
    message: "You have placed too many orders without paying. Pay from your wallet instead.",
  },
  // Looking at ten thousand lines holds other people's purchases up: ten lists of that length.
  "bulk.refused": {
    most: 10 * limits.bulkLines,
    seconds: 10 * MINUTES,
    by: "account",
    about: "lines of refused bulk orders, of a hundred lines or more",
    message: "Too many of your bulk orders were refused. Check your balance and your list.",
  },
  "sms.purchases": {
    most: 30,
    seconds: HOUR,
    by: "account",
    about: "SMS about purchases, deliveries and low balances; more are dropped",
  },
  "sms.money": {
    most: 30,
    seconds: HOUR,
    by: "account",
    about: "SMS about refunds and top-ups; more are dropped",
  },
  "sms.statement": {
    most: 5,
    seconds: DAY,
    by: "account",
    about: "statements by SMS",
    message: "You have had today's statements.",
  },
  // Each answer costs money, and a purchase earns it: the rest is limited for each number.
  "sms.answer": { most: 20, seconds: DAY, by: "phone", about: "answers to SMS commands" },
  "sms.help": { most: 4, seconds: DAY, by: "phone", about: "answers to HELP" },
  "sms.unread": { most: 4, seconds: DAY, by: "phone", about: "answers to SMS that are not understood" },
  "sms.unknown": { most: 1, seconds: DAY, by: "phone", about: "answers to phones of no account" },
  "ussd.sessions": { most: 120, seconds: 10 * MINUTES, by: "phone", about: "USSD sessions" },
  "claim.account": {
    most: 20,
    seconds: DAY,
    by: "account",
    about: "manual deposits claimed",
    message: "You have claimed too many deposits.",
  },
  // Twenty people each; whoever only tries out which cards are known gets no further than this either.
  "afa.account": {
    most: 120,
    seconds: HOUR,
    by: "account",
    about: "AFA registrations",
    message: "You have sent too many registrations.",
  },
  // Nobody has to look more often, and a stolen session does not get far.
  "afa.cards": {
    most: 300,
    seconds: HOUR,
    by: "account",
    about: "looks at Ghana Card numbers by an admin",
    message: "You have looked at too many cards.",
  },
  "support.requests": {
    most: 10,
    seconds: DAY,
    by: "account",
    about: "requests to support",
    message: "You have sent too many requests to support.",
  },
  "support.replies": {
    most: 40,
    seconds: DAY,
    by: "account",
    about: "replies to support",
    message: "You have sent too many replies.",
  },
  "dispute.account": {
    most: 100,
    seconds: DAY,
    by: "account",
    about: "orders reported as not received",
    message: "You have reported too many orders.",
  },
  // Each look at an address asks the network for it.
  "webhook.addresses": {
    most: 100,
    seconds: HOUR,
    by: "account",
    about: "webhook addresses looked up",
    message: "You have tried too many addresses.",
  },
  // Enough for whoever tries things out, and too few to trouble another's server with.
  "webhook.messages": {
    most: 300,
    seconds: HOUR,
    by: "account",
    about: "webhook tests and messages sent again",
    message: "You have sent too many messages.",
  },
  "webhook.proofs": {
    most: 20,
    seconds: HOUR,
    by: "account",
    about: "tests of webhooks that have not answered yet",
    message: "Your webhook was tested too often without an answer.",
  },
} as const satisfies Record<string, Budget>;
