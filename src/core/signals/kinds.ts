// The kinds of signals: what each looks for, its parameters with their bounds, and its evidence told in a sentence. The
// statements that find them are in statements.ts.

import { show } from "../../shared/money.ts";
import type { SignalEvidence, SignalKind } from "../../shared/signals.ts";

/** A whole number that a rule takes; a parameter whose name ends in Pesewas is money. */
export type Parameter = { label: string; unit: string; min: number; max: number };

export type KindFacts = {
  label: string;
  /** What it looks for. */
  about: string;
  parameters: Record<string, Parameter>;
  /** How long after the event its condition may still come true, in minutes. */
  waitsMinutes?: (parameters: Record<string, number>) => number;
  describe: (evidence: SignalEvidence) => string;
};

const days = { label: "Within", unit: "days", min: 1, max: 90 };
const TIMES = { label: "How many", unit: "times", min: 1, max: 50 };
const MONEY_MAX = 10_000_000;

export const KINDS: Record<SignalKind, KindFacts> = {
  young_top_up: {
    label: "Large top-up spent at once",
    about: "A young account tops up a large amount and spends most of it within minutes.",
    parameters: {
      accountDays: { label: "Account under", unit: "days", min: 1, max: 90 },
      topUpPesewas: { label: "Top-up of at least", unit: "GH₵", min: 100, max: MONEY_MAX },
      minutes: { label: "Spent within", unit: "minutes", min: 1, max: 1440 },
      percent: { label: "Spent of it, at least", unit: "%", min: 10, max: 100 },
    },
    waitsMinutes: ({ minutes }) => minutes!,
    describe: ({ topUpPesewas, accountHours, spentPesewas, minutes, purchases }) =>
      `Topped up ${money(topUpPesewas)} ${age(accountHours)} after the account was opened, and spent ` +
      `${money(spentPesewas)} within ${many(minutes, "minute")}, on ${many(purchases, "order")}.`,
  },
  takeover: {
    label: "New device, new PIN, bulk order",
    about: "Somebody logs in from a new device, a new PIN is set, and a bulk order follows.",
    parameters: {
      hours: { label: "All within", unit: "hours", min: 1, max: 72 },
      lines: { label: "Bulk order of at least", unit: "lines", min: 2, max: 10_000 },
    },
    describe: ({ lines, amountPesewas, loginMinutes, pinMinutes }) =>
      `A bulk order of ${many(lines, "line")} for ${money(amountPesewas)}, ${span(loginMinutes)} after a login ` +
      `from a new device and ${span(pinMinutes)} after a new PIN.`,
  },
  wrong_pins: {
    label: "Burst of wrong PINs",
    about: "Many wrong PINs in a short time. By SMS, whose senders can be forged, it is only noted.",
    parameters: {
      count: { label: "Wrong PINs", unit: "times", min: 2, max: 50 },
      minutes: { label: "Within", unit: "minutes", min: 1, max: 1440 },
    },
    describe: ({ count, minutes, channel }) =>
      `${many(count, "wrong PIN")} within ${many(minutes, "minute")} by ${channel === "sms" ? "SMS" : "USSD"}.`,
  },
  deposits_refused: {
    label: "Deposits refused",
    about: "Deposits that an agent reported were refused again and again.",
    parameters: { count: TIMES, days },
    describe: ({ count, days: within }) =>
      `${many(count, "reported deposit was", "reported deposits were")} refused within ${many(within, "day")}.`,
  },
  deposit_repeated: {
    label: "Deposit reported again",
    about: "A transaction is reported that somebody else reported before, or that was refused before.",
    parameters: { days },
    describe: ({ amountPesewas, transactionId, firstUserId, firstUsername, userId }) =>
      `Reported ${money(amountPesewas)} with transaction ${transactionId}, which ` +
      `${firstUserId === userId ? "was refused before" : `${firstUsername ?? `user ${firstUserId}`} reported before`}.`,
  },
  losses: {
    label: "Losses",
    about: "Orders of an agent were delivered after their refund, or refunded because nobody decided a report.",
    parameters: { count: TIMES, days },
    describe: ({ count, days: within, amountPesewas }) =>
      `${many(count, "order was", "orders were")} lost within ${many(within, "day")}, delivered and refunded: ` +
      `${money(amountPesewas)} refunded.`,
  },
  disputes: {
    label: "Disputes",
    about: "Payments of an agent are disputed at the bank.",
    parameters: { count: TIMES, days },
    describe: ({ count, days: within, amountPesewas }) =>
      `${many(count, "payment was", "payments were")} disputed within ${many(within, "day")}: ` +
      `${money(amountPesewas)}.`,
  },
};

type Value = SignalEvidence[string] | undefined;

function money(pesewas: Value): string {
  return show(Number(pesewas));
}

function many(count: Value, one: string, more = `${one}s`): string {
  return `${Number(count).toLocaleString("en")} ${Number(count) === 1 ? one : more}`;
}

/** Minutes as people say them. */
function span(minutes: Value): string {
  const whole = Number(minutes);
  if (whole === 0) return "less than a minute";
  return whole < 120 ? many(whole, "minute") : many(Math.floor(whole / 60), "hour");
}

function age(hours: Value): string {
  const whole = Number(hours);
  if (whole === 0) return "less than an hour";
  return whole < 48 ? many(whole, "hour") : many(Math.floor(whole / 24), "day");
}
