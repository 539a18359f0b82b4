// Outcomes of a delivery as texts name them: a status of a portal, or a sentence from a chat. A success has only words
// beside it that change nothing; a denied or doubted outcome and unknown terms are never guessed at: the person who
// pastes them is asked.

import { speaksAgainst } from "./bulk-remarks.ts";
import { isGhanaianName } from "./result-names.ts";
import { isFiller, isPolite, MARK, sensesIn, termsIn } from "./result-terms.ts";

export type Outcome = "delivered" | "failed" | "pending";

/** What a text was read as. `note` is the rest of it, `unclear` a text to ask about. */
export type Reading =
  | {
      outcome: Outcome;
      /** Sent, accepted …: one step of many, which any other outcome on the line outweighs. */
      isStage: boolean;
      /** "No", "ok": an answer to what the text does not say. */
      isAnswer: boolean;
      note: string;
    }
  | { unclear: string }
  /** `doubts`: what of the line it makes doubtful; "unknown" is to be asked about beside a success. */
  | { note: string; doubts: "nothing" | "unknown" | "success" | "anything" };

/** Meanings that a person gave to unclear texts, by `phraseOf`; a "note" is no result. */
export type Meanings = ReadonlyMap<string, Outcome | "note">;

const PHRASE_CHARS_MAX = 60;

/** The text by which an unclear one is asked about and remembered: the same for any case and spacing. */
export function phraseOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{S}'’?:]+/gu, " ")
    .trim()
    .slice(0, PHRASE_CHARS_MAX)
    .trim();
}

/**
 * Reads a text without numbers and sizes, by what a person said that it means, or else by its terms. In front of a
 * phone number (`isFront`) stand names, and "no" is short for it.
 */
export function readOutcome(text: string, meanings: Meanings, isFront = false): Reading {
  const meaning = meanings.get(phraseOf(text));
  if (meaning === "note") return { note: "", doubts: "nothing" };
  if (meaning) return { outcome: meaning, isStage: false, isAnswer: false, note: "" };
  const { senses, rest } = sensesIn(text);
  const answer = senses.size === 0 ? weakOutcome(rest) : undefined;
  if (answer) return isFront ? { unclear: text } : { outcome: answer, isStage: false, isAnswer: true, note: "" };
  const [outcome, another] = (["delivered", "failed", "pending"] as const).filter((it) => senses.has(it));
  const isDoubted = another || senses.has("unclear") || (outcome && DOUBTED.test(rest));
  if (isDoubted) return { unclear: text };
  const note = noteOf(rest);
  if (!outcome) return withoutOutcome(text, { senses, rest, note, isFront });
  const isCertain =
    outcome === "delivered"
      ? !senses.has("denied") && isPlain(rest) && !isAsking(rest)
      : outcome !== "failed" || !(senses.has("stage") || deniesFailure(rest));
  return isCertain ? { outcome, isStage: false, isAnswer: false, note } : { unclear: text };
}

type Found = { senses: ReadonlySet<string>; rest: string; note: string; isFront: boolean };

function withoutOutcome(text: string, { senses, rest, note, isFront }: Found): Reading {
  const isDoubt = senses.has("denied") || NEGATION.test(rest);
  if (senses.has("stage") && !isDoubt) return { outcome: "pending", isStage: true, isAnswer: false, note };
  if (DOUBTED.test(rest) || (isFront && isAsking(rest))) return { note: trimmed(text), doubts: "anything" };
  if (isDoubt) return { note: senses.has("denied") ? text : note, doubts: "success" };
  const isKnown = isPlain(rest) || (isFront && isNames(rest));
  return { note, doubts: isKnown ? "nothing" : "unknown" };
}

/**
 * What a text above lines says that they are: "Failed:" an outcome, "Not all done:" an unclear one. Null for one that
 * says nothing about them, as a title or a summary of several outcomes. `isHeading`: it is no remark between them.
 */
export function outcomeAbove(text: string, isHeading: boolean): Outcome | "unclear" | null {
  const { senses, rest } = sensesIn(text.replace(/[?❓❔]/gu, " "));
  const [outcome, another] = (["delivered", "failed", "pending"] as const).filter((it) => senses.has(it));
  if (another) return null;
  const isAgainst = NEGATION.test(rest) || senses.has("unclear") || AGAINST_BELOW.test(rest);
  if (!outcome) return senses.has("denied") || (isHeading && isAgainst) ? "unclear" : null;
  const isDoubted = isAgainst || senses.has("denied") || DOUBTED.test(rest);
  return isDoubted || (outcome === "delivered" && !isPlain(rest.replace(OF_LISTS, " "))) ? "unclear" : outcome;
}

const YES = new Set("ok okay yes y true".split(" "));
const NO = new Set("no n false".split(" "));

/**
 * Whether an answer by itself says yes or no, whose sense is in the heading above it; null for anything else. An x may
 * be a tick or a cross.
 */
export function yesOrNo(text: string): boolean | null {
  const answer = text.trim().toLowerCase().replace(/\.$/, "");
  if (answer === "1" || isTick(answer) || YES.has(answer)) return true;
  return answer === "0" || NO.has(answer) || /^[❌✖✗✘]\ufe0f?$/u.test(answer) ? false : null;
}

/** Whether a text is nothing but a tick. */
export const isTick = (text: string) => /^[✅✔☑✓]\ufe0f?$/u.test(text.trim());

/** Whether a text says that there is nothing, which denies what stands beside it. */
export const isNothing = (text: string) =>
  /^\W*(?:0+(?:[.,]0+)?|no|not|none|nil|null|zero|nothing|never|false|n\/?a)\W*$/i.test(text);

/** A yes or no by itself, which in a sentence may mean anything. */
function weakOutcome(text: string): Outcome | undefined {
  const [answer, another] = termsIn(text)
    .map((term) => term.toLowerCase())
    .filter((term) => !isPolite(term));
  if (answer === undefined || another !== undefined || !hasPlainSigns(text)) return undefined;
  return YES.has(answer) ? "delivered" : NO.has(answer) ? "failed" : undefined;
}

const trimmed = (text: string) => text.replace(/\s+/g, " ").replace(/^[\s,.;:–—-]+|[\s,;:–—-]+$/g, "");

const noteOf = (rest: string) => (termsIn(rest).every(isFiller) ? "" : trimmed(rest.replaceAll(MARK, " ")));

/** Whether all words and signs change nothing about a success among them. */
function isPlain(rest: string): boolean {
  const text = rest.replace(/(?<![\p{N}.,])100 ?%/gu, " ");
  return termsIn(text).every(isFiller) && hasPlainSigns(text);
}

const PLAIN_EMOJI = /[👍🙏👌🎉💯😊🙂😀😁🤝🔥][\u{1f3fb}-\u{1f3ff}\ufe0f]?/gu;

function hasPlainSigns(text: string): boolean {
  const signs = text.replace(PLAIN_EMOJI, " ").replace(/[\p{L}\p{M}\p{N}]+/gu, " ");
  const isDenial = new RegExp(String.raw`!["'(\s]*${MARK}|${MARK}\s*[:=]\s*-`).test(signs);
  return !isDenial && /^[\s.,;:()[\]{}"'/|=&+>#*!-]*$/.test(signs.replaceAll(MARK, ""));
}

/** "Is it delivered", without a question mark; "is delivered" and "has been delivered" are none. */
const isAsking = (rest: string) =>
  new RegExp(
    String.raw`^\W*(?:is|are|was|were|has|have|had)(?!['\p{L}])(?! (?:(?:been|now|already|just|fully) )*${MARK})`,
    "iu",
  ).test(rest.replace(/ +/g, " "));

/** Whether all terms may be a name in front of a number, and none of them speaks against an order. */
function isNames(rest: string): boolean {
  const terms = termsIn(rest).filter((word) => !isFiller(word));
  const isLong = terms.length === 0 || terms.some((word) => word.length > 1);
  return isLong && areNames(terms) && hasPlainSigns(rest) && !speaksAgainst(rest) && !NO_NAME.test(rest);
}

/** Up to five capitalised words, or one or two written small that are names as people in Ghana have them. */
function areNames(terms: readonly string[]): boolean {
  if (terms.every((word) => /^\p{Lu}[\p{L}\p{M}'-]*$/u.test(word))) return terms.length <= 5;
  return terms.length <= 2 && terms.every((word) => isGhanaianName(word.toLowerCase()));
}

const anyOf = (...texts: string[]) => new RegExp(String.raw`(?<![\p{L}\p{N}'])(?:${texts.join("|")})(?!\p{L})`, "iu");

/** Includes the word "no" of a reason, "no network". */
const NEGATION = anyOf(
  "not|never|no|nor|neither|without|non|hardly|barely|cannot|nothing|none|un",
  "(?:is|was|are|were|has|have|had|did|does|do|could|can|wo|would)n'?t",
);
/** Whatever stands beside these is no certain outcome: doubts, parts, what others say, questions. */
const DOUBTED = anyOf(
  "maybe|perhaps|probably|possibly|hopefully|apparently|seem\\w*|unsure|(?:i|we) think|but|if|unless|except\\w*",
  "re-?sen(?:d|t|ding)|re-?tr(?:y|ying|ied)|almost|nearly|part(?:ly|ial|ially)?|half|some|only|about to|going to",
  "sa(?:y|ys|id|ying)|claim\\w*|report(?:s|ed)|den(?:y|ies|ied)|told|alleg\\w*|complain\\w*|disput\\w*|paid|or not",
  "why|when|how|who|where|whether|check|confirm|verify",
);
/** What says of the lines below that they are no results that count. */
const AGAINST_BELOW = anyOf(
  "refund\\w*|revers\\w*|cancel\\w*|void|ignore|duplicat\\w*|test|draft|example|sample|old|previous\\w*|wrong\\w*",
  "mistake\\w*|problems?|issues?|skip|remove|delete|exclude|fake|unpaid",
);
const OF_LISTS = new RegExp(anyOf("lists?|ones|following|these|those|results?|below|so far").source, "giu");
/** Capitalised words in front of a number that are no names. */
const NO_NAME = anyOf(
  "in|un|mis|non|pre|nil|null|zero|false|fake|test|mark|set|make|show\\w*|deliver\\w*|resend|re-?do|repeat|undo",
  "send|revers\\w*|return\\w*|refund\\w*|last|previous\\w*|yesterday\\w*|tomorrow|later|soon|until|before|after",
  "other|another|again|duplicate|double|twice|should|would|could|can|will|shall|may|might|did|does|do|which",
  "what|expired?|as|since|once|whenever|need|want|get|let|hold|query|fraud|scam|update|balance|forgot|lost|nope",
  "sorry|oops|suspend|investigate|\\p{L}{2,}(?:ing|tion|sion|(?<!cle)ment|able)|unpaid|ow(?:es|ed|ing)|debt",
  "payments?|transfer|deposit|cash|airtime|momo|kyc|call|text|alert|invoice|debit|credit|blocked|barred|invalid",
  "inactive|unverified|partial\\w*|portal|sms",
);

/** What else may have failed than the delivery; a payment may as well be the reason, behind the failure. */
const OTHER_FAILURES = "refund|refunding|reversal|cancel(?:lation|ling|ing)?|complaint|claim|dispute|offer";
const ONLY_BEFORE = "payment|sms|notification|email|call|log-?in|kyc|verification|validation|request";
/** What beside a failure says that it was none, that it is over, or that it was another thing that failed. */
const DENIED_FAILURE = new RegExp(
  [
    anyOf(
      "none|nil|null|zero|nothing|false|n/a|ok|okay|yes|true|fine|good|through|now|then|later|again|earlier|before",
      "previous(?:ly)?|first|initially|once|yesterday|fixed|resolved|solved|corrected|sorted|work(?:s|ed)|received",
      "not (?:true|really|at all|so|any ?more|the case)",
    ).source,
    String.raw`(?<![\p{L}\p{N}.,])0+(?:[.,]0+)?(?![.,]?\p{N}|\p{L})`,
    String.raw`%|\d ?(?:/|(?:out )?of) ?\d`,
    String.raw`${MARK}[\s:=?("'.,-]*(?:no|not|n|never)[\s)"'.!?]*(?:$|[,;}])`,
    String.raw`\p{L}-${MARK}|(?<!\p{L})un ${MARK}|${MARK}[ -]?(?:free|less|safe|proof)(?!\p{L})`,
    `${MARK} to |[👍👌🎉💯😊🙂😀😁🤝]`,
    anyOf(`(?:${OTHER_FAILURES})`).source,
    `${anyOf(ONLY_BEFORE).source}[^${MARK}]*${MARK}`,
  ].join("|"),
  "iu",
);
const deniesFailure = (rest: string) => DENIED_FAILURE.test(rest);

/** Whether a remark says that a failure was none, or is over; other remarks explain it. */
export const endsFailure = (remark: string) =>
  sensesIn(remark.replaceAll("?", " ")).senses.has("unclear") || OVER.test(remark);

const OVER = anyOf("fixed|resolved|solved|corrected|sorted|ignore|mistake\\w*|fine|good|work(?:s|ed)|got");
