// The table of rate-limit budgets: what each one limits, by whom it is counted, and the message when it is used up.
// docs/operations.md lists them; a test keeps the two in step.

import { limits } from "../../../shared/domain.ts";

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
const RESETS = "Too many attempts to set a new password.";
const CODES = "You have requested too many codes.";
const PRIVACY_CODES = "codes sent to numbers whose data somebody asked for";
const leftMessage = (left: number) => `${left.toLocaleString("en")} more fit: choose a shorter span.`;
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
  "owner.address": {
    countMax: 20,
    seconds: 15 * MINUTES,
    by: "address",
    about: "attempts to become the first owner",
    message: "Too many wrong codes.",
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

  // Codes by e-mail and SMS: for a new password, and to confirm a phone.
  // As for logins: a stranger uses up the requests of their network, and all networks together have a bound.
  "forgot.network": {
    countMax: 5,
    seconds: HOUR,
    by: "login, network",
    about: "password reset codes requested from one network",
    message: CODES,
  },
  "forgot.login": {
    countMax: 20,
    seconds: HOUR,
    by: "login",
    about: "the same from all networks together",
    message: CODES,
  },
  "forgot.account": { countMax: 20, seconds: HOUR, by: "account", about: "password reset codes sent" },
  "forgot.known": {
    countMax: 5,
    seconds: HOUR,
    by: "device",
    about: "password reset codes requested from one known device",
    message: CODES,
  },
  "forgot.address": {
    countMax: 100,
    seconds: HOUR,
    by: "address",
    about: "password reset codes requested",
    message: CODES,
  },
  "reset.network": {
    countMax: 15,
    seconds: 15 * MINUTES,
    by: "login, network",
    about: "password resets tried with a code from one network",
    message: RESETS,
  },
  "reset.login": {
    countMax: 100,
    seconds: HOUR,
    by: "login",
    about: "the same from all networks together",
    message: RESETS,
  },
  "code.browser": {
    countMax: 15,
    seconds: 15 * MINUTES,
    by: "browser",
    about: "codes entered without a login, in a browser that requested one",
    message: "Too many wrong codes.",
  },
  "reset.known": {
    countMax: 15,
    seconds: 15 * MINUTES,
    by: "device",
    about: "the same from one known device",
    message: RESETS,
  },
  "reset.address": {
    countMax: 200,
    seconds: 15 * MINUTES,
    by: "address",
    about: "password resets tried with a code",
    message: RESETS,
  },
  // Each code costs money and disturbs somebody's phone.
  "phone.account": {
    countMax: 5,
    seconds: HOUR,
    by: "account",
    about: "codes to confirm a phone",
    message: CODES,
  },
  "phone.number": {
    countMax: 5,
    seconds: HOUR,
    by: "phone",
    about: "codes to confirm a phone",
    message: "Too many codes were sent to this number.",
  },
  // An account with nothing but an unconfirmed e-mail address must not send codes to strangers' phones all day.
  "phone.new": {
    countMax: 4,
    seconds: DAY,
    by: "account",
    about: "codes by an account that has no confirmed phone",
    message: CODES,
  },
  "phone.new_address": {
    countMax: 100,
    seconds: DAY,
    by: "address",
    about: "codes by accounts that have no confirmed phone",
    message: "Too many codes were requested from your network.",
  },

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

  // SMS, and what phones cause by USSD.
  "sms.purchases": {
    countMax: 30,
    seconds: HOUR,
    by: "account",
    about: "SMS about purchases, deliveries and low balances; more are dropped",
  },
  "sms.customers": {
    countMax: 100,
    seconds: DAY,
    by: "account",
    about: "SMS to an agent's customers about deliveries; more are dropped",
  },
  "sms.money": {
    countMax: 30,
    seconds: HOUR,
    by: "account",
    about: "SMS about refunds and top-ups; more are dropped",
  },
  "sms.statement": {
    countMax: 5,
    seconds: DAY,
    by: "account",
    about: "statements by SMS",
    message: "You have had all your statements for today.",
  },
  // Each reply costs money. Those to purchases earn it back; the others are limited for each number.
  "sms.answer": { countMax: 20, seconds: DAY, by: "phone", about: "replies to SMS commands" },
  "sms.help": { countMax: 4, seconds: DAY, by: "phone", about: "replies to HELP" },
  "sms.unread": { countMax: 4, seconds: DAY, by: "phone", about: "replies to SMS that are not understood" },
  "sms.unknown": { countMax: 1, seconds: DAY, by: "phone", about: "replies to phones without an account" },
  // Senders are easily forged, so that the bound by phone bounds nothing. Staff get an e-mail when it is reached.
  "sms.unknown_shop": {
    countMax: 500,
    seconds: DAY,
    by: "shop",
    about: "replies to phones without an account, also to STOP",
  },
  // A registration sends an SMS, whoever dials, so that the shop as a whole has a bound.
  "ussd.register": { countMax: 3, seconds: DAY, by: "phone", about: "accounts opened by USSD" },
  "ussd.register_shop": { countMax: 300, seconds: DAY, by: "shop", about: "accounts opened by USSD" },
  "ussd.names": { countMax: 20, seconds: DAY, by: "phone", about: "usernames tried by USSD" },
  "ussd.code": { countMax: 5, seconds: DAY, by: "phone", about: "codes by SMS that were asked for by USSD" },
  "ussd.code_shop": {
    countMax: 1_000,
    seconds: DAY,
    by: "shop",
    about: "codes to unconfirmed phones by USSD",
  },
  "pin.question": {
    countMax: 3,
    seconds: DAY,
    by: "account",
    about: "answers to the question beside the code for a forgotten PIN",
  },
  "ussd.sessions": { countMax: 120, seconds: 600, by: "phone", about: "USSD sessions" },

  // People who ask what is stored about them.
  "privacy.copy": {
    countMax: 5,
    seconds: DAY,
    by: "account",
    about: "copies of an account's data",
    message: "You have taken your data often enough for today.",
  },
  // Each code is an SMS to a number that a stranger typed.
  "privacy.network": {
    countMax: 3,
    seconds: DAY,
    by: "phone, network",
    about: `${PRIVACY_CODES}, from one network`,
    message: "We have sent enough codes to this number for today.",
  },
  "privacy.number": {
    countMax: 10,
    seconds: DAY,
    by: "phone",
    about: PRIVACY_CODES,
    message: "We have sent enough codes to this number for today.",
  },
  "privacy.address": {
    countMax: 5,
    seconds: DAY,
    by: "address",
    about: PRIVACY_CODES,
    message: "You have requested enough codes for today.",
  },
  "privacy.shop": {
    countMax: 200,
    seconds: DAY,
    by: "shop",
    about: PRIVACY_CODES,
    message: "We have sent enough codes for today.",
  },
  "privacy.tries": {
    countMax: 20,
    seconds: HOUR,
    by: "address",
    about: "codes entered to see a number's data",
    message: "Too many wrong codes.",
  },

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

  // What agents' programs use: API keys and webhooks.
  // Each is a row that stays, and an e-mail.
  "key.made": {
    countMax: 40,
    seconds: DAY,
    by: "account",
    about: "API keys made and replaced",
    message: "You have made and replaced many API keys today.",
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
  // Each can be thousands of messages.
  "webhook.replays": {
    countMax: 12,
    seconds: HOUR,
    by: "account",
    about: "spans of webhook messages sent again",
    message: "You have sent messages again too often.",
  },
  "webhook.replayed": {
    countMax: 20_000,
    seconds: DAY,
    by: "account",
    about: "messages of such spans",
    message: "You have had many messages sent again today.",
    leftMessage,
  },
  // Any server that answers with 200 counts as the agent's.
  "webhook.replayed_host": {
    countMax: 30_000,
    seconds: DAY,
    by: "host",
    about: "the same to one server, by all accounts together",
    message: "This server was sent many messages again today.",
    leftMessage,
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

  // What takes more work than an ordinary page or call, on whichever channel it is asked for.
  // Each takes as long as a hash of the password, however right it is.
  "login.right": {
    countMax: 300,
    seconds: HOUR,
    by: "account",
    about: "logins that succeeded",
    message: "You have logged in very often. A login lasts for days: keep its token.",
  },
  "password.checked": {
    countMax: 300,
    seconds: HOUR,
    by: "account",
    about: "own passwords checked, right ones as well",
    message: "Your password was checked very often.",
  },
  // Somebody who types is looked for at each pause.
  "search.account": {
    countMax: 1_200,
    seconds: 10 * MINUTES,
    by: "account",
    about: "searches, on pages and by the API",
    message: "You have searched very often.",
  },
  "file.account": {
    countMax: 240,
    seconds: HOUR,
    by: "account",
    about: "files downloaded, and whole statements by the API",
    message: "You have downloaded many files.",
  },
  "list.account": {
    countMax: 300,
    seconds: 10 * MINUTES,
    by: "account",
    about: "files and long lists sent to be read",
    message: "You have sent many files and long lists.",
  },
  "reconcile.account": {
    countMax: 60,
    seconds: HOUR,
    by: "account",
    about: "comparisons with Paystack's list of payments",
    message: "You have compared with Paystack very often.",
  },
  "message.test": {
    countMax: 5,
    seconds: HOUR,
    by: "account",
    about: "test messages of an owner",
    message: "You have sent several test messages.",
  },
  "provider.key": {
    countMax: 30,
    seconds: HOUR,
    by: "shop",
    about: "questions whether a provider takes its key, each",
  },
} as const satisfies Record<string, Budget>;
