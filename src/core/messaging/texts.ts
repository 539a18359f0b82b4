// The texts of SMS and e-mail. A `Text` serves both: one line as an SMS, with a subject and a greeting as an e-mail.
import { accraMoment } from "../../shared/accra.ts";
import { type Family, type Operator, orderedBundle } from "../../shared/domain.ts";
import { availableOf, type Funds, fundsOf, fundsSentence, heldSentence } from "../../shared/funds.ts";
import { decimal, plain } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import { smsText } from "../../shared/sms-text.ts";

export type Text = { kind: string; subject: string; sms: string; mail: string };

const NOT_YOU =
  "If this was not you, set a new password at once (Forgot Password on the login page) and contact support.";

const KEEP_SECRET = "DataFie will never ask you for it.";

export function resetCode(username: string, code: string): Text {
  return {
    kind: "reset_code",
    subject: "Your code for a new DataFie password",
    sms: `DataFie: ${code} is your code to set a new password, valid for 10 minutes. ${KEEP_SECRET}`,
    mail: letter(
      username,
      `Your code to set a new password is\n\n    ${code}\n\nIt is valid for 10 minutes. ${KEEP_SECRET}`,
      "If you did not ask for it, ignore this message: nothing will change.",
    ),
  };
}

export function phoneCode(username: string, code: string): Text {
  const sms = `DataFie: ${code} is your code to confirm this phone number, valid for 10 minutes. ${KEEP_SECRET}`;
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

/** To the account's previous mailbox, whose owner may not know of the change. */
export function emailChanged(username: string, email: string): Text {
  const change =
    `The e-mail address of your account was changed to ${maskedEmail(email)}. ` +
    "This address gets no more messages about it.";
  return {
    kind: "email_changed",
    subject: "The e-mail address of your DataFie account was changed",
    sms: "DataFie: the e-mail address of your account was changed. If it was not you, contact support at once.",
    mail: letter(
      username,
      change,
      "If this was not you, contact support at once: password reset codes no longer come to this address.",
    ),
  };
}

/** `msisdn` is null when the phone was removed. */
export function phoneChanged(username: string, msisdn: string | null): Text {
  const change = msisdn
    ? `The phone ${masked(msisdn)} is confirmed for your account. Password reset codes can be sent to it.`
    : "The phone was removed from your account.";
  return {
    kind: "phone_changed",
    subject: "The phone on your DataFie account was changed",
    sms: "DataFie: the phone on your account was changed. If it was not you, contact support at once.",
    mail: letter(username, change, NOT_YOU),
  };
}

/** "reset" is a removal by support. */
export function pinChanged(username: string, how: "set" | "changed" | "removed" | "reset"): Text {
  const change = {
    set: "A PIN for buying by phone was set on your account.",
    changed: "Your PIN for buying by phone was changed.",
    removed: "Your PIN for buying by phone was removed. To buy by phone again, set a new one.",
    reset: "Support removed your PIN for buying by phone. Set a new one under Profile, Phone.",
  }[how];
  return {
    kind: "pin_changed",
    subject:
      how === "set" ? "A PIN was set on your DataFie account" : "The PIN of your DataFie account was changed",
    sms: `DataFie: ${change} If it was not you, contact support at once.`,
    mail: letter(username, change, NOT_YOU),
  };
}

/** By e-mail. "reset" is a removal by an admin; "used" and "renewed" concern recovery codes. */
export function factorChanged(username: string, how: "set" | "removed" | "reset" | "used" | "renewed"): Text {
  const change = {
    set: "An extra login code was set up on your account. To log in, you now need your authenticator app too.",
    removed:
      "The extra login code was removed from your account. To log in, you now need only your password.",
    reset: "An admin removed the extra login code from your account. Set up a new one in your profile.",
    used: "Somebody logged in to your account with a recovery code. That code cannot be used again.",
    renewed: "Your account has new recovery codes. The old ones no longer work.",
  }[how];
  return {
    kind: "second_factor",
    subject: "The extra login code of your DataFie account",
    sms: "DataFie: the extra login code of your account was changed. If it was not you, contact support at once.",
    mail: letter(username, change, NOT_YOU),
  };
}

/** By SMS, once per lock. */
export function pinLocked(channel: "ussd" | "sms", minutes: number): string {
  const way = channel === "sms" ? "Buying by SMS" : "Buying by USSD";
  return (
    `DataFie: wrong PIN three times. ${way} is locked for ${minutes} minutes. ` +
    "Forgot it? Set a new one under Profile. If it was not you, contact support."
  );
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

/** By SMS: failed orders and their refund. */
export function ordersRefunded(failed: About[], funds: Funds): string {
  const sum = failed.reduce((total, { amountPesewas }) => total + amountPesewas, 0);
  const event =
    failed.length === 1
      ? `order ${failed[0]!.id} failed: ${bundleOf(failed[0]!)}`
      : `${failed.length} orders failed`;
  return `DataFie: ${event}. ${plain(sum)} is back in your wallet. ${fundsSentence(funds)}`;
}

export type Accepted = { first: About; orders: number; amountPesewas: number };

/** By SMS: a paid purchase. */
export function ordersAccepted({ first, orders, amountPesewas }: Accepted, funds: Funds): string {
  if (orders === 1) return orderPaid({ ...first, amountPesewas }, funds);
  const event = `${orders} orders are paid (${first.id} and others)`;
  return `DataFie: ${event}, ${plain(amountPesewas)}. ${fundsSentence(funds)}`;
}

/** By SMS: the available funds are below the agent's threshold. */
export function balanceLow(funds: Funds, lowBalancePesewas: number): string {
  const left = plain(availableOf(funds));
  const state = funds.heldPesewas > 0 ? `${left} is available` : `your balance is ${left}`;
  return `DataFie: ${state}, below ${plain(lowBalancePesewas)}.${heldSentence(funds)} Top up to keep selling.`;
}

/** By SMS: delivered orders. */
export function ordersDelivered(delivered: About[]): string {
  const [first] = delivered;
  return delivered.length === 1
    ? `DataFie: order ${first!.id} is delivered: ${bundleOf(first!)}.`
    : `DataFie: ${delivered.length} orders are delivered (${first!.id} and others).`;
}

/** By SMS: one paid order. A buyer by USSD may not have seen the last screen. */
export function orderPaid(order: About, funds: Funds): string {
  const { id, amountPesewas } = order;
  return `DataFie: order ${id} is paid: ${bundleOf(order)}, ${plain(amountPesewas)}. ${fundsSentence(funds)}`;
}

/** By SMS: how to approve a top-up from Telecel, and where to enter the voucher. */
export function voucherWanted(amountPesewas: number, serviceCode: string): string {
  const entry = shortcut(serviceCode, "4");
  const how = `dial *110# for a voucher, then dial ${entry} and enter it within 5 minutes`;
  return `DataFie: to pay ${plain(amountPesewas)} ${how}.`;
}

/** By SMS: a failed top-up. */
export function topUpFailed(amountPesewas: number, reason: string): string {
  return `DataFie: your top-up of ${plain(amountPesewas)} failed: ${reason}. Nothing was added to your wallet.`;
}

/** By SMS: the wallet's funds and its latest movements, newest first, as many as fit. */
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

/** The dial string straight to an option of the USSD menu: *920*55*4# from *920*55#. */
export function shortcut(serviceCode: string, ...answers: string[]): string {
  return `${serviceCode.replace(/#$/, "")}*${answers.join("*")}#`;
}

/** By e-mail: support's reply, and where to find the thread. */
export function supportAnswered(username: string, subject: string | null, message: string): Text {
  return {
    kind: "support_answered",
    subject: subject ? `Support: ${subject}` : "Support has replied",
    sms: "DataFie: support has replied. Log in and open Support to read it.",
    mail: letter(
      username,
      "Support has replied:",
      message,
      "To read the whole conversation and reply, log in and open Support.",
    ),
  };
}

/** Why the shop pauses a vendor by itself. */
export type PauseReason = "float_empty" | "key_refused";

/** To admins, by e-mail: a vendor is paused and orders wait for it. `vendorMessage` is the vendor's own. */
export function vendorPaused(
  username: string,
  name: string,
  pauseReason: PauseReason,
  vendorMessage: string | null,
): Text {
  const reason = pauseReason === "float_empty" ? "our balance there is too low" : "it rejects our key";
  const fix =
    pauseReason === "float_empty"
      ? "Top it up. We try one order a minute, and dispatch resumes by itself once one is accepted."
      : "Fix the key, then resume the vendor under Delivery, Vendors.";
  const meanwhile =
    "New orders go to the next vendor in their route, if there is one. Orders already waiting stay until you press " +
    "“Move waiting orders” under Delivery, Vendors; the page shows how many wait, and their delivery deadlines.";
  return {
    kind: "vendor_paused",
    subject: `${name} is paused: ${reason}`,
    sms: `DataFie: ${name} is paused, ${reason}.`,
    mail: letter(
      username,
      `Dispatch to ${name} has stopped: ${reason}.${vendorMessage ? ` Its message: “${vendorMessage}”` : ""}`,
      fix,
      meanwhile,
    ),
  };
}

/** To admins, by e-mail: this share of the day's SMS is used, and some are dropped from now on. */
export function smsBudgetUsed(username: string, share: number, perDay: number): Text {
  const effect =
    share === 100
      ? "No more SMS are sent, not even codes, until 24 hours after the first one."
      : share > 70
        ? "Codes to confirm phones and replies to SMS are no longer sent. Password reset codes still are."
        : "Notices about orders and money are no longer sent by SMS. Codes still are.";
  return {
    kind: "sms_budget",
    subject: `${share}% of today's SMS are used`,
    sms: `DataFie: ${share}% of today's SMS are used.`,
    mail: letter(
      username,
      `${share}% of the ${perDay} SMS that the shop may send in 24 hours are used. ${effect}`,
      "If the shop has grown, raise “SMS a day” under Settings. If not, check under Messages who causes them.",
    ),
  };
}

type Chargeback = {
  agent: string;
  reference: string;
  amountPesewas: number;
  dueAt: Date | null;
};

/** To admins, by e-mail: a chargeback. */
export function chargebackOpened(username: string, chargeback: Chargeback): Text {
  const { agent, reference, amountPesewas, dueAt } = chargeback;
  const amount = plain(amountPesewas);
  const deadline = dueAt ? ` Paystack accepts evidence until ${accraMoment(dueAt)}.` : "";
  return {
    kind: "chargeback_opened",
    subject: `Chargeback of ${amount} by ${agent}`,
    sms: `DataFie: chargeback of ${amount} by ${agent}.`,
    mail: letter(
      username,
      `The bank of ${agent} wants ${amount} back from the payment ${reference}.${deadline}`,
      "While the chargeback is open, the amount is held in the agent's wallet.",
      "For the evidence to send to Paystack, open Money, Chargebacks in the shop.",
    ),
  };
}

/** To its owner, by e-mail: the webhook is paused. */
export function webhookPaused(username: string, url: string, pauseReason: "failing" | "gone"): Text {
  const reason = pauseReason === "gone" ? "it answered 410 (gone)" : "every call to it has failed for days";
  return {
    kind: "webhook_paused",
    subject: "Your webhook is paused",
    sms: "DataFie: your webhook is paused. Log in and open Profile, Webhooks.",
    mail: letter(
      username,
      `We have stopped calling your webhook: ${reason}. Its address is\n\n    ${url}`,
      "Fix it, then turn it on again under Profile, Webhooks. Events missed meanwhile are not sent: " +
        "fetch your orders once.",
    ),
  };
}

/** By SMS: a payment for an order that could no longer be bought. `reason` is a short clause. */
export function orderNotPaid(orderId: number, amountPesewas: number, reason: string, funds: Funds): string {
  const money = `Your ${plain(amountPesewas)} is in your wallet. ${fundsSentence(funds)}`;
  return `DataFie: order ${orderId} was not bought: ${reason}. ${money}`;
}

/** A purchase that waits for money, and the dial string that continues it. */
export type Waiting = { bundle: string; msisdn: string; dial: string };

/** By SMS: money has come into the wallet. */
export function walletToppedUp(amountPesewas: number, funds: Funds, waiting: Waiting | null = null): string {
  const next = waiting
    ? ` Dial ${waiting.dial} to buy ${waiting.bundle} for ${localMsisdn(waiting.msisdn)}.`
    : "";
  return `DataFie: ${plain(amountPesewas)} is in your wallet. ${fundsSentence(funds)}${next}`;
}

/** 233541234567 as its owner recognises it: 054****567. */
function masked(msisdn: string): string {
  return localMsisdn(msisdn).replace(/^(\d{3})\d{4}/, "$1****");
}

/** ama@example.com: a***@example.com. */
function maskedEmail(email: string): string {
  return email.replace(/^(.).*(?=@)/, "$1***");
}

export function letter(username: string, ...paragraphs: string[]): string {
  return [`Hello ${username},`, ...paragraphs, "DataFie"].join("\n\n");
}
