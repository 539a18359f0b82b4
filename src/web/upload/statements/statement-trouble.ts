// Words of a statement about its money: that it came for certain, that it went back, or that nobody can tell. What may
// stand beside money that came is a short list; what is not on it is asked about, and credits nothing.

import { isAboutReturn, isUncertain } from "../../../shared/lists/result-troubles.ts";

/** What a column may be about that says something of a row as soon as its cell is filled: "Reversal date". */
const ABOUT_TROUBLE = /\bfail|\bcancel|\breject|\bdecline|\berror|\bdispute/i;
/** "Reversed: no", "Return code: 00". */
const IS_NO = new RegExp(
  "^(?:[-–—.]*|no|n|none|nil|null|false|f|0+(?:[.,]0+)?|n/?a" +
    "|not? (?:applicable|error|reversed|refunded|failed|cancelled))$",
  "i",
);
/** Another column of this kind than that of the status. */
const ABOUT_STATUS = /\b(?:status|state|result|outcome)$/i;
/** "Success: no". */
const ABOUT_SUCCESS =
  /^(?:is )?(?:success\w*|succeeded|completed?|confirmed|settled|paid|approved|valid|posted|cleared)$/i;

/** What a cell says against its row's money; it may say two things at once, as "Reversal failed" does. */
export type Trouble = { isTakenBack: boolean; isUnclear: boolean; text: string };

/** Reads a cell, whose heading may say what it is about; null where it is nothing against the money. */
export function troubleIn(text: string, heading = ""): Trouble | null {
  const [plain, about] = [spaced(text), spaced(heading)];
  const isUnclear = isUncertain(plain);
  if (IS_NO.test(plain)) {
    const isDenied = ABOUT_SUCCESS.test(about) && !/^(?:0|[-–—.]|$)/.test(plain);
    return isDenied ? { isTakenBack: false, isUnclear, text: `${heading}: ${text}` } : null;
  }
  if (isAboutReturn(plain)) return { isTakenBack: true, isUnclear, text };
  if (isUnclear || /\bback\b/i.test(plain)) return { isTakenBack: false, isUnclear, text };
  const isTakenBack = isAboutReturn(about);
  if (/balance/i.test(about) || statusIn(text) === "done") return null;
  if (ABOUT_STATUS.test(about)) return { isTakenBack: false, isUnclear, text: `${heading}: ${text}` };
  return isTakenBack || ABOUT_TROUBLE.test(about) ? { isTakenBack, isUnclear, text: `${heading}: ${text}` } : null;
}

/** PAYMENT_RECEIVED and "Cash-In" as words apart. */
const spaced = (text: string) => text.replace(/[_\s]+|(?<=[a-z])-(?=[a-z])/gi, " ").trim();

const partsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const setOf = (...lines: string[]) => new Set(lines.join(" ").split(" "));

const DONE = setOf(
  "success successful successfully succeeded complete completed done ok okay approved paid received settled confirmed",
  "posted cleared credited processed executed finalised finalized",
);
const AROUND_DONE = setOf("transaction txn payment transfer status is was has been and fully");
const FAILED = new RegExp(
  "^(?:transaction |payment |transfer )?(?:fail(?:ed|ure)?|cancel(?:l?ed|lation)?|pending(?: \\w{1,20})?|declined?" +
    "|reject(?:ed)?|denied|aborted|expired|error|timed? ?out|unsuccessful|incomplete|uncompleted|unpaid|processing" +
    "|in ?progress|initiated|queued|on hold|insufficient (?:funds|balance)" +
    "|not (?:yet )?(?:complete|completed|successful|paid|approved|done))$",
  "i",
);

/** A sign that may say that something is not so, or not certain: "Completed ❌", "Success?". */
const HAS_SIGN = /[^\p{L}\p{N}\s_.,:;!()'’/&–—✓✔✅-]/u;

/** Whether a transaction took place, by its status; "back" is money that went back, and null a status unknown here. */
export function statusIn(status: string): "done" | "failed" | "back" | null {
  const parts = partsOf(status);
  if (parts.length === 0) return status.trim() === "" ? "done" : null;
  if (HAS_SIGN.test(status)) return null;
  if (parts.some((part) => DONE.has(part)) && parts.every((part) => DONE.has(part) || AROUND_DONE.has(part)))
    return "done";
  const plain = parts.join(" ");
  if (FAILED.test(plain)) return "failed";
  return isAboutReturn(plain) ? "back" : null;
}

/** "KOFI TEST": names of two to four parts. */
const PERSON = /^[\p{L}.'’-]{2,30}(?: [\p{L}.'’-]{1,30}){1,3}$/u;

/** As `troubleIn`, of the other party's name: people are called Test, while "Test payment" names nobody. */
export function troubleInName(text: string, heading = ""): Trouble | null {
  const isPerson = PERSON.test(text) && !partsOf(text).some((part) => PLAIN_TYPE.has(part));
  return troubleIn(isPerson ? text.replace(/\btest\b/i, "") : text, heading);
}

type Way = "in" | "out";

const OUT =
  /\b(?:out|debits?|dr|sent|withdraw\w*|cash ?out|payment to|transfer to|outgoing|outbound|outward|outflow)\b/i;
const IN =
  /\b(?:in|credits?|cr|received?|deposits?|cash ?in|payment from|transfer from|incoming|inbound|inwards?|inflow)\b/i;
/** What the type of money that came may consist of; names behind "from" aside. */
const PLAIN_TYPE = setOf(
  "in credit credits credited cr c receive received deposit deposits deposited cash cashin incoming inbound",
  "inward inwards inflow transfer transfers transferred payment payments pay paid money momo mobile wallet",
  "wallets bank banking account a p2p p2b b2p b2b b2c c2b c2c w2w b2w w2b a2p p2a person merchant merchants",
  "customer customers agent agents user subscriber business collection collections sale sales float top topup up",
  "load instant direct electronic online app ussd api pos eft ach rtgs gip ghipss interoperability interop",
  "network cross off on net other local domestic same mtn telecel vodafone airteltigo airtel tigo at ghanapay",
  "transaction txn type to of via with through the and normal regular standard success successful completed bulk",
  "remittance international",
);

/** What texts in sentences say of money that went out. */
const WENT_OUT = /\b(?:(?:paid|transferred|given|gave|lent|refunded) to|bought|spent|cashed out)\b/i;
/** What a column describes the transaction in; other texts are the payer's own words. */
const DESCRIBES = /\b(?:desc|descr|description|details?|narration|narrative|particulars)\b/i;

/**
 * Whether a text of a row that does not say its way speaks against money that came: it says that it went out, or
 * describes the transaction without saying that it came in.
 */
export function isNoIncome(text: string, heading: string): boolean {
  if (OUT.test(spaced(text)) || WENT_OUT.test(spaced(text))) return true;
  return text !== "" && DESCRIBES.test(spaced(heading)) && typeIn(text).way !== "in";
}

/** What a type or a direction says: a way, and whether all of its words are known to stand beside money that came. */
export function typeIn(text: string): { way: Way | null; isPlain: boolean } {
  if (/^[+-]$/.test(text)) return { way: text === "+" ? "in" : "out", isPlain: true };
  const plain = spaced(text);
  const parts = partsOf(plain.replace(/\b(?:from|by)\b.*/is, ""));
  const isPlain = !HAS_SIGN.test(text) && parts.every((part) => PLAIN_TYPE.has(part) || /^\d{6,}$/.test(part));
  if (IN.test(plain) === OUT.test(plain)) return { way: null, isPlain };
  return { way: IN.test(plain) ? "in" : "out", isPlain };
}
