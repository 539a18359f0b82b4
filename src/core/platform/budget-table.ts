// The table of rate-limit budgets: what each one limits, by whom it is counted, and the message when it is used up.
// docs/operations.md lists them; a test keeps the two in step.

import { limits } from "../../shared/domain.ts";
import { CODE_BUDGETS } from "./budget-table-codes.ts";
import { PHONE_BUDGETS } from "./budget-table-phones.ts";
import { PRIVACY_BUDGETS } from "./budget-table-privacy.ts";
import { PROGRAM_BUDGETS } from "./budget-table-programs.ts";
import { WORK_BUDGETS } from "./budget-table-work.ts";

/**
 * What a budget is counted by. A "login" is an e-mail or phone number as typed; an "address" is a network address; a
 * "network" is an IPv4 /24 or an IPv6 /64; a "browser" one that asked for a code; a "host" the name of a server that
 * webhooks call.
 */
export type CountedBy =
  | "account"
  | "address"
  | "device"
  | "login"
  | "login, network"
  | "browser"
  | "phone, network"
  | "host"
  | "payment"
  | "phone"
  | "shop";

export type Budget = {
  countMax: number;
  seconds: number;
  by: CountedBy;
  /** What it limits, for docs/operations.md. */
  about: string;
  /** The refusal's first sentence; the second says when to try again. */
  message?: string;
  /** What still fits, for a refusal of more than that. */
  leftMessage?: (left: number) => string;
};

const MINUTES = 60;
const HOUR = 3600;
const DAY = 86_400;

const LOGINS = "Too many failed logins.";
const PROMPTS = "Too many mobile money prompts were not approved.";

export const BUDGETS = {
  // Ten wrong passwords from a stranger lock out that stranger's network, not the owner.
  "login.network": {
    countMax: 10,
    seconds: 15 * MINUTES,
    by: "login, network",
    about: "failed logins from unknown devices of one network",
    message: LOGINS,
  },
  // Bounds what somebody with many networks can try on one account.
  "login.account": {
    countMax: 50,
    seconds: HOUR,
    by: "login",
    about: "the same from all networks together",
    message: LOGINS,
  },
  "login.known": {
    countMax: 10,
    seconds: 15 * MINUTES,
    by: "device",
    about: "failed logins from one known device",
    message: LOGINS,
  },
  // Generous by address here and below: a mobile operator puts thousands of phones behind one address.
  "login.address": {
    countMax: 100,
    seconds: 15 * MINUTES,
    by: "address",
    about: "failed logins",
    message: LOGINS,
  },
  "factor.account": {
    countMax: 10,
    seconds: 15 * MINUTES,
    by: "account",
    about: "wrong codes of the second factor",
    message: "Too many wrong codes.",
  },
  "factor.known": {
    countMax: 10,
    seconds: 15 * MINUTES,
    by: "device",
    about: "the same from one known device",
    message: "Too many wrong codes.",
  },
  "password.own": {
    countMax: 10,
    seconds: 15 * MINUTES,
    by: "account",
    about: "wrong own passwords when changing the account",
    message: "Too many wrong passwords.",
  },
  "signup.address": {
    countMax: 200,
    seconds: HOUR,
    by: "address",
    about: "accounts opened",
    message: "Too many accounts were opened from your network.",
  },
  // A phone that shows a receipt checks it about fifteen times in its first minutes.
  "receipt.address": {
    countMax: 3_000,
    seconds: 10 * MINUTES,
    by: "address",
    about: "receipts shown to customers",
    message: "Too many receipts were opened from your network.",
  },
  // Visitors may store forms, and many agents share the address of one mobile network.
  "form.address": {
    countMax: 60,
    seconds: HOUR,
    by: "address",
    about: "forms kept until after a login or a top-up",
  },
  ...CODE_BUDGETS,
  // A stranger who approves a prompt by mistake pays into the sender's wallet, and all agents share the provider's
  // limit.
  "prompt.account": {
    countMax: 5,
    seconds: 10 * MINUTES,
    by: "account",
    about: "mobile money prompts that were not approved",
    message: PROMPTS,
  },
  "prompt.phone": {
    countMax: 3,
    seconds: 10 * MINUTES,
    by: "phone",
    about: "mobile money prompts that were not approved",
    message: "This phone has not approved several mobile money prompts.",
  },
  "checkout.account": {
    countMax: 30,
    seconds: 10 * MINUTES,
    by: "account",
    about: "payment pages opened",
    message: "You have opened too many payment pages.",
  },
  "code.account": {
    countMax: 10,
    seconds: 10 * MINUTES,
    by: "account",
    about: "network codes entered",
    message: "You have entered too many codes.",
  },
  "verify.account": {
    countMax: 120,
    seconds: 10 * MINUTES,
    by: "account",
    about: "payment status checks",
    message: "You have checked payments too often. We keep checking for you.",
  },
  "verify.payment": {
    countMax: 3,
    seconds: 10,
    by: "payment",
    about: "status checks at Paystack; beyond it the stored status is shown",
  },
  "order.unpaid": {
    countMax: 100,
    seconds: DAY,
    by: "account",
    about: "orders placed without paying",
    message: "You have placed too many orders without paying. Pay from your wallet instead.",
  },
  // Ten lists of full length: checking ten thousand lines slows down other people's purchases.
  "bulk.refused": {
    countMax: 10 * limits.bulkLines,
    seconds: 10 * MINUTES,
    by: "account",
    about: "lines of bulk orders of a hundred lines or more that were checked and not placed",
    message: "You have checked too many long lists without placing them. Check your balance and your list.",
  },
  ...PHONE_BUDGETS,
  ...PRIVACY_BUDGETS,
  "push.account": {
    countMax: 60,
    seconds: HOUR,
    by: "account",
    about: "push messages about deliveries and refunds; more are dropped",
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
  ...PROGRAM_BUDGETS,
  ...WORK_BUDGETS,
} as const satisfies Record<string, Budget>;
