// What messages say. Each text is for both channels: an SMS is its one line, an e-mail has a subject and a greeting.
import { accraMoment } from "../../shared/accra.ts";
import { type Family, type Operator, orderedBundle } from "../../shared/domain.ts";
import { availableOf, type Funds, fundsOf, fundsSentence, heldSentence } from "../../shared/funds.ts";
import { decimal, plain } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import { smsText } from "../../shared/sms-text.ts";

export type Text = { kind: string; subject: string; sms: string; mail: string };

const NOT_YOU =
  "If you did not do this, set a new password at once (Forgot Password on the login page) and contact support.";

export function resetCode(username: string, code: string): Text {
  return {
    kind: "reset_code",
    subject: "Your code for a new DataFie password",
    sms: `DataFie: ${code} is your code to set a new password, valid for 10 minutes. Nobody from DataFie asks for it.`,
    mail: letter(
      username,
      `Your code to set a new password is\n\n    ${code}\n\nIt is valid for 10 minutes. Nobody from DataFie asks for it.`,
      "If you did not ask for it, ignore this message: nothing changes.",
    ),
  };
}

export function phoneCode(username: string, code: string): Text {
  const sms = `DataFie: ${code} is your code to confirm this phone number, valid for 10 minutes. Nobody from DataFie asks for it.`;
  return { kind: "phone_code", subject: "Your DataFie code", sms, mail: letter(username, sms) };
}

export function passwordChanged(username: string): Text {
  return {
    kind: "password_changed",
    subject: "Your DataFie password was changed",
    sms: "DataFie: your password was changed. If it was not you, contact support at once.",
    mail: letter(username, "Your password was changed, and your other devices are logged out.", NOT_YOU),
  };
}

/** To the mailbox that was the account's until now, whose owner may know nothing of it. */
export function emailChanged(username: string, email: string): Text {
  const change = `The e-mail address of your account was changed to ${maskedEmail(email)}. Nothing more about it comes here.`;
  return {
    kind: "email_changed",
    subject: "The e-mail address of your DataFie account was changed",
    sms: "DataFie: the e-mail address of your account was changed. If it was not you, contact support at once.",
    mail: letter(
      username,
      change,
      "If you did not ask for this, contact support at once: codes for a new password no longer come here.",
    ),
  };
}

/** `msisdn` is null when there is none any more. */
export function phoneChanged(username: string, msisdn: string | null): Text {
  const change = msisdn
    ? `The phone ${masked(msisdn)} is confirmed for your account. Codes for a new password can go to it.`
    : "There is no longer a phone on your account.";
  return {
    kind: "phone_changed",
    subject: "The phone on your DataFie account was changed",
    sms: "DataFie: the phone on your account was changed. If it was not you, contact support at once.",
    mail: letter(username, change, NOT_YOU),
  };
}

/** What was done with the PIN: "set", "changed", "removed", or "reset" by support. */
export function pinChanged(username: string, how: "set" | "changed" | "removed" | "reset"): Text {
  const change = {
    set: "A PIN for spending by phone was set on your account.",
    changed: "The PIN for spending by phone was changed.",
    removed:
      "The PIN for spending by phone was removed. Nothing can be bought by phone until a new one is set.",
    reset: "Support removed the PIN for spending by phone. Set a new one under Profile, Phone.",
  }[how];
  return {
    kind: "pin_changed",
    subject:
      how === "set" ? "A PIN was set on your DataFie account" : "The PIN of your DataFie account was changed",
    sms: `DataFie: ${change} If it was not you, contact support at once.`,
    mail: letter(username, change, NOT_YOU),
  };
}

/** What was done with the second factor, by e-mail: "set", "removed", "reset" by an admin, one of the recovery codes "used", or all "renewed". */
export function factorChanged(username: string, how: "set" | "removed" | "reset" | "used" | "renewed"): Text {
  const change = {
    set: "A second factor was set up on your account. Logging in asks for a code of your authenticator app.",
    removed: "The second factor was taken off your account. Logging in asks for your password alone.",
    reset: "An admin took the second factor off your account. Set up a new one in the profile.",
    used: "Somebody logged in to your account with one of its recovery codes. That code is spent.",
    renewed: "Your account has new recovery codes. The old ones are worth nothing.",
  }[how];
  return {
    kind: "second_factor",
    subject: "The second factor of your DataFie account",
    sms: "DataFie: the second factor of your account was changed. If it was not you, contact support at once.",
    mail: letter(username, change, NOT_YOU),
  };
}

/** By SMS, once a lock. */
export function pinLocked(door: "ussd" | "sms", minutes: number): string {
  const way = door === "sms" ? "buying by SMS" : "spending by USSD";
  return `DataFie: wrong PIN three times, ${way} is locked for ${minutes} minutes. Forgot it? Set a new one under Profile. If it was not you, contact support.`;
}

type About = {
  id: number;
  operator: Operator;
  family: Family | null;
  productSize: string;
  quantity: number;
  msisdn: string;
  amountPesewas: number;
};

/** By SMS: what failed, what came back, and how the wallet stands now. */
export function ordersRefunded(failed: About[], funds: Funds): string {
  const sum = failed.reduce((total, { amountPesewas }) => total + amountPesewas, 0);
  const what =
    failed.length === 1
      ? `order ${failed[0]!.id} failed: ${bundleOf(failed[0]!)}`
      : `${failed.length} orders failed`;
  return `DataFie: ${what}. ${plain(sum)} is back in your wallet. ${fundsSentence(funds)}`;
}

export type Accepted = { first: About; orders: number; amountPesewas: number };

/** By SMS: what was bought and paid, and how the wallet stands after it. */
export function ordersAccepted({ first, orders, amountPesewas }: Accepted, funds: Funds): string {
  if (orders === 1) return orderPaid({ ...first, amountPesewas }, funds);
  const what = `${orders} orders are paid, ${first.id} and others`;
  return `DataFie: ${what}, ${plain(amountPesewas)}. ${fundsSentence(funds)}`;
}

/** By SMS: less can be spent than the agent chose to be warned of. */
export function balanceLow(funds: Funds, tellBelowPesewas: number): string {
  const left = plain(availableOf(funds));
  const what = funds.heldPesewas > 0 ? `${left} is available` : `your balance is ${left}`;
  return `DataFie: ${what}, below ${plain(tellBelowPesewas)}.${heldSentence(funds)} Add money to go on selling.`;
}

/** By SMS: what arrived where. */
export function ordersDelivered(delivered: About[]): string {
  const [first] = delivered;
  return delivered.length === 1
    ? `DataFie: order ${first!.id} is delivered: ${bundleOf(first!)}.`
    : `DataFie: ${delivered.length} orders are delivered, ${first!.id} and others.`;
}

/** By SMS: one order that is paid. Whoever bought by phone may not have seen the last screen. */
export function orderPaid(order: About, funds: Funds): string {
  const { id, amountPesewas } = order;
  return `DataFie: order ${id} is paid: ${bundleOf(order)}, ${plain(amountPesewas)}. ${fundsSentence(funds)}`;
}

/** By SMS: how to give Telecel's consent to a top-up, and where the voucher is typed. */
export function voucherWanted(amountPesewas: number, serviceCode: string): string {
  return `DataFie: to pay ${plain(amountPesewas)} dial *110# for a voucher, then dial ${shortcut(serviceCode, "4")} and type it within 5 minutes.`;
}

/** By SMS: a top-up that came to nothing. */
export function topUpFailed(amountPesewas: number, reason: string): string {
  return `DataFie: adding ${plain(amountPesewas)} failed: ${reason}. Your wallet is as before.`;
}

/** By SMS: how a wallet stands, and what moved it last, the newest first and as many as fit. */
export function walletStatement(
  day: string,
  funds: Funds,
  entries: { changePesewas: number; description: string }[],
): string {
  const head = `DataFie ${day}: ${fundsOf(funds)}.`;
  return entries.reduce((text, { changePesewas, description }) => {
    const sign = changePesewas < 0 ? "-" : "+";
    const entry = ` ${sign}${decimal(Math.abs(changePesewas))} ${description.slice(0, 30).trim()};`;
    return smsText(`${text}${entry}`).endsWith("...") ? text : `${text}${entry}`;
  }, head);
}

function bundleOf(order: About): string {
  return `${orderedBundle(order, order.quantity)} to ${localMsisdn(order.msisdn)}`;
}

/** What is dialled to come straight to an answer of the conversation by USSD: *920*55*4# of *920*55#. */
export function shortcut(serviceCode: string, ...answers: string[]): string {
  return `${serviceCode.replace(/#$/, "")}*${answers.join("*")}#`;
}

/** What support wrote, by e-mail, with the way to the whole thread. */
export function supportAnswered(username: string, subject: string | null, message: string): Text {
  return {
    kind: "support_answered",
    subject: subject ? `Support: ${subject}` : "Support answered you",
    sms: "DataFie: support answered you. Log in and open Support to read it.",
    mail: letter(
      username,
      "Support wrote to you:",
      message,
      "Log in and open Support to read everything and to answer.",
    ),
  };
}

/** Why the shop itself stops sending to a vendor. */
export type PauseReason = "float_empty" | "key_refused";

/** To admins, by e-mail: orders wait for this vendor. `words` are the vendor's own. */
export function vendorPaused(username: string, name: string, why: PauseReason, words: string | null): Text {
  const reason = why === "float_empty" ? "our balance there is too low" : "it does not take our key";
  const fix =
    why === "float_empty"
      ? "Top it up: one order is tried each minute, and sending goes on by itself when one is taken."
      : "Fix the key, then resume it under Delivery, Vendors.";
  const meanwhile =
    "New orders go to the next in their route, where there is one. What waits already stays until you press “Move waiting orders” under Delivery, Vendors; the page says how many wait, and until when they are promised.";
  return {
    kind: "vendor_paused",
    subject: `${name} is paused: ${reason}`,
    sms: `DataFie: ${name} is paused, ${reason}.`,
    mail: letter(
      username,
      `Sending to ${name} has stopped: ${reason}.${words ? ` It says: “${words}”` : ""}`,
      fix,
      meanwhile,
    ),
  };
}

/** To admins, by e-mail: so many per cent of the day's SMS are sent, and from now on some are dropped. */
export function smsBudgetUsed(username: string, share: number, perDay: number): Text {
  const what =
    share === 100
      ? "No SMS is sent any more, not even a code, until 24 hours are over since the first one."
      : share > 70
        ? "Codes that confirm phones and answers to SMS are no longer sent. Codes for new passwords still are."
        : "Notices about orders and money are no longer sent by SMS. Codes still are.";
  return {
    kind: "sms_budget",
    subject: `${share} % of today's SMS are used`,
    sms: `DataFie: ${share} % of today's SMS are used.`,
    mail: letter(
      username,
      `${share} % of the ${perDay} SMS that the shop sends in 24 hours are used. ${what}`,
      "If the shop has simply grown, raise “SMS a day” under Settings. If not, look under Messages for who causes them.",
    ),
  };
}

type Chargeback = {
  agent: string;
  reference: string;
  amountPesewas: number;
  dueAt: Date | null;
};

/** To admins, by e-mail: a bank asks the money of a payment back. */
export function chargebackOpened(username: string, chargeback: Chargeback): Text {
  const { agent, reference, amountPesewas, dueAt } = chargeback;
  const amount = plain(amountPesewas);
  const until = dueAt ? ` Paystack takes evidence until ${accraMoment(dueAt)}.` : "";
  return {
    kind: "chargeback_opened",
    subject: `Chargeback of ${amount} by ${agent}`,
    sms: `DataFie: chargeback of ${amount} by ${agent}.`,
    mail: letter(
      username,
      `The bank of ${agent} asks ${amount} back, of the payment ${reference}.${until}`,
      "As long as it is open, the amount is held in the agent's wallet.",
      "What to send to Paystack as evidence is listed in the shop under Money, Chargebacks.",
    ),
  };
}

/** To its owner, by e-mail: nothing is sent to this webhook any more. */
export function hookPaused(username: string, url: string, why: "failing" | "gone"): Text {
  const reason = why === "gone" ? "it answered 410 (gone)" : "nothing has arrived there for days";
  return {
    kind: "webhook_paused",
    subject: "Your webhook is paused",
    sms: "DataFie: your webhook is paused. Log in and open Profile, Webhooks.",
    mail: letter(
      username,
      `Nothing is sent to your webhook any more: ${reason}. Its address is\n\n    ${url}`,
      "Fix it and turn it on again under Profile, Webhooks. What happened meanwhile is not sent: read your orders once.",
    ),
  };
}

/** By SMS: what was paid for an order that can no longer be bought. `reason` is a short clause. */
export function orderNotPaid(orderId: number, amountPesewas: number, reason: string, funds: Funds): string {
  return `DataFie: order ${orderId} was not bought: ${reason}. Your ${plain(amountPesewas)} is in your wallet. ${fundsSentence(funds)}`;
}

/** A purchase that waits for money, and what is dialled to go on with it. */
export type Waiting = { bundle: string; msisdn: string; dial: string };

/** By SMS: money has come. */
export function walletToppedUp(amountPesewas: number, funds: Funds, waiting: Waiting | null = null): string {
  const next = waiting
    ? ` Dial ${waiting.dial} to buy ${waiting.bundle} for ${localMsisdn(waiting.msisdn)}.`
    : "";
  return `DataFie: ${plain(amountPesewas)} is in your wallet. ${fundsSentence(funds)}${next}`;
}

/** 233541234567 for whoever knows it already: 054****567. */
export function masked(msisdn: string): string {
  return localMsisdn(msisdn).replace(/^(\d{3})\d{4}/, "$1****");
}

/** ama@example.com: a***@example.com. */
function maskedEmail(email: string): string {
  return email.replace(/^(.).*(?=@)/, "$1***");
}

function letter(username: string, ...paragraphs: string[]): string {
  return [`Hello ${username},`, ...paragraphs, "DataFie"].join("\n\n");
}
