// The texts of e-mail, which are English. Those of SMS are in sms-texts.ts.
import { accraDayTime, accraMoment } from "../../../shared/accra.ts";
import { limits } from "../../../shared/domain.ts";
import { plain } from "../../../shared/money.ts";
import { localMsisdn } from "../../../shared/phones/msisdn.ts";

export type Mail = { kind: string; subject: string; mail: string };

const NOT_YOU =
  "If this was not you, set a new password at once (Forgot Password on the login page) and contact support.";

const KEEP_SECRET = "DataFie will never ask you for it.";

export function resetCode(username: string, code: string): Mail {
  return {
    kind: "reset_code",
    subject: "Your code for a new DataFie password",
    mail: letter(
      username,
      `Your code to set a new password is\n\n    ${code}\n\nIt is valid for 10 minutes. ${KEEP_SECRET}`,
      "If you did not ask for it, ignore this message: nothing will change.",
    ),
  };
}

export function passwordChanged(username: string): Mail {
  return {
    kind: "password_changed",
    subject: "Your DataFie password was changed",
    mail: letter(username, "Your password was changed, and your other devices are logged out.", NOT_YOU),
  };
}

/** By a code to the phone; nothing is spent before `until`, if that is given. */
export function passwordSetByPhone(username: string, until: string | null): Mail {
  const wait = until
    ? [
        `For your safety, nothing can be bought before ${until}. If it was you and you cannot wait, set a new ` +
          "password with a code to this email address, or ask support.",
      ]
    : [];
  return {
    kind: "password_changed",
    subject: "Your DataFie password was changed",
    mail: letter(
      username,
      "A new password was set with a code to your phone, and all devices are logged out.",
      ...wait,
      "If this was not you, somebody may have your SIM: set a new password now with a code to this email address " +
        "(Forgot Password on the login page), and contact support.",
    ),
  };
}

/** Somebody texted STOP from the account's phone, or in its name. */
export function smsStopped(username: string, msisdn: string): Mail {
  return {
    kind: "sms_stopped",
    subject: "Notices by SMS were stopped",
    mail: letter(
      username,
      `STOP was texted from ${masked(msisdn)}. Your phone gets no more notices about orders and money. Codes, and ` +
        "notices that protect your account, still come.",
      "To get all of them again, text START, or allow SMS under Profile, Phone. If this was not you, do that now.",
    ),
  };
}

/** To the account's previous mailbox, whose owner may not know of the change. */
export function emailChanged(username: string, email: string): Mail {
  const change =
    `The e-mail address of your account was changed to ${maskedEmail(email)}. ` +
    "This address gets no more messages about it.";
  return {
    kind: "email_changed",
    subject: "The e-mail address of your DataFie account was changed",
    mail: letter(
      username,
      change,
      "If this was not you, contact support at once: password reset codes no longer come to this address.",
    ),
  };
}

/** `msisdn` is null when the phone was removed; nothing is spent by phone before `until`, if that is given. */
export function phoneChanged(username: string, msisdn: string | null, until: Date | null): Mail {
  const wait = until
    ? [`Until ${accraDayTime(until)} nothing can be bought by USSD or SMS. You can buy on the web meanwhile.`]
    : [];
  const change = msisdn
    ? `The phone ${masked(msisdn)} is confirmed for your account. Password reset codes can be sent to it.`
    : "The phone was removed from your account.";
  return {
    kind: "phone_changed",
    subject: "The phone on your DataFie account was changed",
    mail: letter(username, change, ...wait, NOT_YOU),
  };
}

/** "reset" is a removal by support; "forgotten" a new PIN by a code to the phone, which spends from `until` on. */
export function pinChanged(
  username: string,
  how: "set" | "changed" | "forgotten" | "removed" | "reset",
  until: string,
): Mail {
  const change = {
    forgotten:
      `A new PIN for buying by phone was set with a code sent to your phone. You can buy with it from ${until}. ` +
      "You can buy on the web meanwhile.",
    set: "A PIN for buying by phone was set on your account.",
    changed: "Your PIN for buying by phone was changed.",
    removed: "Your PIN for buying by phone was removed. To buy by phone again, set a new one.",
    reset: "Support removed your PIN for buying by phone. Set a new one under Profile, Phone.",
  }[how];
  return {
    kind: "pin_changed",
    subject: how === "set" ? "A PIN was set on your DataFie account" : "The PIN of your DataFie account was changed",
    mail: letter(username, change, NOT_YOU),
  };
}

/** By e-mail. "reset" is a removal by an admin; "used" and "renewed" concern recovery codes. */
export function factorChanged(username: string, how: "set" | "removed" | "reset" | "used" | "renewed"): Mail {
  const change = {
    set: "An extra login code was set up on your account. To log in, you now need your authenticator app too.",
    removed: "The extra login code was removed from your account. To log in, you now need only your password.",
    reset: "The shop removed the extra login code from your account. Set up a new one in your profile.",
    used: "Somebody logged in to your account with a recovery code. That code cannot be used again.",
    renewed: "Your account has new recovery codes. The old ones no longer work.",
  }[how];
  return {
    kind: "second_factor",
    subject: "The extra login code of your DataFie account",
    mail: letter(username, change, NOT_YOU),
  };
}

/** By e-mail: the shop was restored from a backup, and all keys have ended. `shown`: their beginnings and ends. */
export function keysEnded(username: string, shown: string[]): Mail {
  return {
    kind: "api_key",
    subject: "Your DataFie API keys have ended",
    mail: letter(
      username,
      "We restored our database from a backup. A key that you revoked in the last hours could work again, so we " +
        `ended all of your API keys: ${shown.join(", ")}.`,
      "Make new ones under Profile, Developers, and give them to your programs. Before they send requests again, " +
        "compare their last orders with your list: those of the last hours may be missing from it.",
    ),
  };
}

/** By e-mail: a key by which programs spend. `can`: what it may do. */
export function keyChanged(
  username: string,
  { name, shown }: { name: string; shown: string },
  how: "made" | "replaced" | "widened" | "changed" | "revoked",
  can: string[],
): Mail {
  const key = `the API key “${name}” (${shown})`;
  const hours = limits.apiKeyOverlapHours;
  const change = {
    made: `A program can now use your account with ${key}.`,
    replaced: `A new key was made in place of ${key}. The old one works for another ${hours} hours.`,
    widened: `More can now be done with ${key} than before.`,
    changed: `The settings of ${key} were changed.`,
    revoked: `No program can use ${key} any more: it was revoked.`,
  }[how];
  const list = how === "revoked" ? [] : [`It may: ${can.map((one) => one.toLowerCase()).join("; ")}.`];
  const notYou =
    "If this was not you, revoke the key at once (Profile, Developers), set a new password and contact support.";
  return {
    kind: "api_key",
    subject: "An API key of your DataFie account",
    mail: letter(username, change, ...list, notYou),
  };
}

type Refunded = { id: number; msisdn: string; amountPesewas: number };

/** By e-mail: a refund that was a mistake, with the evidence. */
export function refundTakenBack(username: string, order: Refunded, reason: string): Mail {
  const { id, amountPesewas } = order;
  const amount = plain(amountPesewas);
  return {
    kind: "refund_taken_back",
    subject: `The refund of order ${id} was taken back`,
    mail: letter(
      username,
      `We refunded ${amount} for order ${id} to ${localMsisdn(order.msisdn)}, but the data had arrived: ${reason}`,
      `So we took the ${amount} back from your wallet. The order counts as delivered, and its page shows all of it.`,
      "If it has not arrived, reply under Support with the number and the time at which you checked.",
    ),
  };
}

/** By e-mail: support's reply, and where to find the thread. */
export function supportAnswered(username: string, subject: string | null, message: string): Mail {
  return {
    kind: "support_answered",
    subject: subject ? `Support: ${subject}` : "Support has replied",
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
): Mail {
  const reason = pauseReason === "float_empty" ? "our balance there is too low" : "it rejects our key";
  const fix =
    pauseReason === "float_empty"
      ? "Top it up. We try one order a minute, and dispatch resumes by itself once one is accepted."
      : "Fix the key, then resume the supplier under Suppliers.";
  const meanwhile =
    "New orders go to the next supplier in their route, if there is one. Orders already waiting stay until you press " +
    "“Move waiting orders” under Suppliers; the page shows how many wait, and their delivery deadlines.";
  return {
    kind: "vendor_paused",
    subject: `${name} is paused: ${reason}`,
    mail: letter(
      username,
      `Dispatch to ${name} has stopped: ${reason}.${vendorMessage ? ` Its message: “${vendorMessage}”` : ""}`,
      fix,
      meanwhile,
    ),
  };
}

/** To admins, by e-mail: this share of the day's SMS is used, and some are dropped from now on. */
export function smsBudgetUsed(username: string, share: number, perDay: number): Mail {
  const effect =
    share === 100
      ? "No more SMS are sent, not even codes, until 24 hours after the first one."
      : share > 70
        ? "Codes to confirm phones and replies to SMS are no longer sent. Password reset codes still are."
        : share > 50
          ? "Notices about orders and money are no longer sent by SMS. Codes still are."
          : "The customers of agents get no more SMS about deliveries. Agents still get theirs.";
  return {
    kind: "sms_budget",
    subject: `${share}% of today's SMS are used`,
    mail: letter(
      username,
      `${share}% of the ${perDay} SMS that the shop may send in 24 hours are used. ${effect}`,
      "If the shop has grown, raise “SMS a day” under Settings. If not, see under Messages there who causes them.",
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
export function chargebackOpened(username: string, chargeback: Chargeback): Mail {
  const { agent, reference, amountPesewas, dueAt } = chargeback;
  const amount = plain(amountPesewas);
  const deadline = dueAt ? ` Paystack accepts evidence until ${accraMoment(dueAt)}.` : "";
  return {
    kind: "chargeback_opened",
    subject: `Dispute over ${amount} by ${agent}`,
    mail: letter(
      username,
      `The bank of ${agent} wants ${amount} back from the payment ${reference}.${deadline}`,
      "While the dispute is open, the amount is held in the agent's wallet.",
      "For the evidence to send to Paystack, open Payments, Disputes in the shop.",
    ),
  };
}

/** A payment's fees as the provider reports them. */
export type Fee = { reference: string; amountPesewas: number; feesPesewas: number };

/** To admins, by e-mail: a fee that is not booked, because it cannot be right. */
export function feeNotBooked(username: string, { reference, amountPesewas, feesPesewas }: Fee): Mail {
  return {
    kind: "fee_not_booked",
    subject: `Fee of ${plain(feesPesewas)} on a payment of ${plain(amountPesewas)}`,
    mail: letter(
      username,
      `Paystack reports a fee of ${plain(feesPesewas)} for the payment ${reference} of ${plain(amountPesewas)}.`,
      "That cannot be right. The payment is credited, and the fee is not booked.",
      "Ask Paystack. Once their list has the right fee, Payments, Reconciliation books it.",
    ),
  };
}

/** To its owner, by e-mail: the webhook is paused. */
export function webhookPaused(username: string, url: string, pauseReason: "failing" | "gone"): Mail {
  const reason = pauseReason === "gone" ? "it answered 410 (gone)" : "every call to it has failed for days";
  return {
    kind: "webhook_paused",
    subject: "Your webhook is paused",
    mail: letter(
      username,
      `We have stopped calling your webhook: ${reason}. Its address is\n\n    ${url}`,
      "Fix it, then turn it on again under Profile, Webhooks. Events missed meanwhile are not sent: " +
        "fetch your orders once.",
    ),
  };
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
