// The cells of a row beside the outcome that its status gives: they have to agree with it, and may be about nothing
// else than a delivery of data to its number.

import { annotate } from "./bulk-names.ts";
import {
  isElsewhere,
  isOfDelivery,
  isOfFailure,
  isTakenBack,
  isTimeOfDelivery,
  type ResultColumn,
  type ResultTable,
  underHeading,
} from "./result-columns.ts";
import type { Row } from "./result-lines.ts";
import { phonesIn, withoutPhones } from "./result-numbers.ts";
import {
  endsFailure,
  isNothing,
  type Meanings,
  type Outcome,
  phraseOf,
  type Reading,
  readOutcome,
  yesOrNo,
} from "./result-outcomes.ts";
import { withoutOtherDigits } from "./result-sentence.ts";
import { sensesIn, termsIn } from "./result-terms.ts";
import { isAboutReturn, isUncertain } from "./result-troubles.ts";
import { question, whichOf } from "./result-verdict.ts";

/** A filled cell and its column. */
export type Cell = { column: ResultColumn; cell: string };

/** Stands for a number that is not the row's. */
const ANOTHER = "another number";

/** A text without the number and the size of its row, so that it is asked about once for all rows. */
export function withoutOwn({ column, cell }: Cell, row: { msisdn: string; volumeMb: number | null }): Cell {
  if (column.kind === "other" || column.kind === "size" || column.kind === "number") return { column, cell };
  const numbers = phonesIn(withoutOtherDigits(cell)).length > 0 ? phonesIn(cell) : [];
  const others = numbers.filter(({ msisdn }) => msisdn !== row.msisdn);
  const named = withoutPhones(cell, others, ANOTHER);
  const bare = withoutPhones(named, phonesIn(named), " ");
  const { sizes, text } = annotate(bare);
  return { column, cell: sizes.length > 0 && sizes.every((size) => size === row.volumeMb) ? text : bare };
}

/** Dashes say nothing, and figures without a heading may count the rows. */
export const isEmpty = (cell: string, { title }: ResultColumn) =>
  /^[-.\s]*$/.test(cell) || (title === "" && /^\d+$/.test(cell));

/** The question about an empty cell below a status or an outcome, where another says that it was delivered. */
export function emptyBeside(
  deciding: readonly Cell[],
  cells: readonly string[],
  { columns }: ResultTable,
  { outcome, meanings }: Agreed,
): Row | null {
  if (outcome !== "delivered" || deciding[0]?.column.kind !== "status") return null;
  const isNamed = deciding.some(({ cell }) => /deliver/i.test(cell));
  const empty = columns.find((column, at) => {
    if (!isEmpty(cells[at]!, column)) return false;
    const isSize = column.kind === "size" && isOfDelivery(column);
    const isOf = column.outcome === "delivered" || isTimeOfDelivery(column) || isSize;
    const phrase = phraseOf(emptyUnder(column));
    return (column.kind === "status" || (isOf && !isNamed)) && !isSettled(meanings.get(phrase), outcome);
  });
  if (!empty) return null;
  return { message: `its ${empty.title} is empty: what does that mean?`, phrase: phraseOf(emptyUnder(empty)) };
}

const emptyUnder = ({ title }: ResultColumn) => underHeading(title, "empty");
const isSettled = (meaning: Outcome | "note" | undefined, outcome: Outcome) =>
  meaning === "note" || meaning === outcome;

/** The question about a cell that is no text about the outcome, but speaks against it; null where it does not. */
export function contradiction({ column, cell }: Cell, { outcome, meanings }: Agreed): Row | null {
  const bare = withoutOtherDigits(cell).trim();
  const text = /[\p{L}\p{N}]/u.test(bare) ? underHeading(column.title, bare) : column.title;
  const isKnown = [text, underHeading(column.title, cell)].some((it) => isSettled(meanings.get(phraseOf(it)), outcome));
  if (isKnown || column.kind === "note" || column.kind === "answer") return null;
  if (isNothing(cell) || NO_MOMENT.test(cell) || NO_MONEY.test(cell)) {
    const isNone = outcome === "delivered" && isOfDelivery(column) && !/^\W*n\/?a\W*$/i.test(cell);
    return isNone ? whichOf(outcome, underHeading(column.title, cell)) : null;
  }
  return isAgainst({ column, cell }, outcome) ? question(text) : null;
}

function isAgainst({ column, cell }: Cell, outcome: Outcome): boolean {
  if (column.kind === "type") return !isPlainType(cell);
  const isOther = column.kind === "size" && (isAboutReturn(cell) || OTHER_PRODUCT.test(cell));
  if (outcome !== "delivered") return isOther || (outcome === "failed" && isTimeOfDelivery(column));
  if (isOther || AIRTIME.test(cell) || isAboutReturn(cell) || isTakenBack(column)) return true;
  if (isElsewhere(column)) return false;
  return isOfFailure(column) || isUncertain(cell.replace(NO_EXPIRY, " "));
}

const NO_MONEY = /^(?:(?:GH[S₵¢C]|₵) ?0+(?:\.0+)?|0+(?:\.0+)? ?(?:GH[S₵¢C]|₵|cedis))$/iu;
const NO_MOMENT = /^0000-00-00/;
/** Bundles may be called "Non-Expiry". */
const NO_EXPIRY = /\b(?:no[nt]?[- ]?)?expir\w*/gi;
const AIRTIME = /\b(?:air ?time|voice|talk ?time)\b/i;
const OTHER_PRODUCT = /\b(?:air ?time|voice|talk ?time|minutes?|mins|sms|calls?|afa|momo|mobile money|checkers?)\b/i;
/** What data is sold as, in the column of what was done. */
const PLAIN_TYPE = new Set(
  (
    "data bundle bundles internet package packages offer purchase purchases buy order orders sale sales delivery " +
    "deliver single bulk batch api web app portal instant regular normal standard new non expiry prepaid gb mb view"
  ).split(" "),
);

function isPlainType(cell: string): boolean {
  const terms = termsIn(annotate(cell.replace(/[_-]+/g, " ")).text);
  return terms.every((term) => PLAIN_TYPE.has(term.toLowerCase()));
}

export type Agreed = { outcome: Outcome; meanings: Meanings; isCount: boolean };

/** The question about a cell that says something else than the outcome that was decided on; null where it agrees. */
export function disagreement(other: Cell, agreed: Agreed): Row | null {
  const { column, cell } = other;
  const text = underHeading(column.title, cell);
  const meaning = agreed.meanings.get(phraseOf(text)) ?? agreed.meanings.get(phraseOf(cell));
  if (meaning === agreed.outcome || meaning === "note") return null;
  const which = { ...whichOf(agreed.outcome, text), ...(meaning === undefined && { phrase: phraseOf(text) }) };
  if (meaning) return which;
  if (column.kind !== "answer") {
    const read = disagreementIn(other, agreed);
    return read === "which" ? which : read && question(text);
  }
  const answer = isMoment(cell) || answerIn(other, agreed.isCount);
  if (answer === null) return question(text);
  return answer === (column.outcome === agreed.outcome) ? null : which;
}

/** Whether a text says something else than the outcome, or what nobody knows. */
function disagreementIn(other: Cell, agreed: Agreed): "which" | "unclear" | null {
  const { column, cell } = other;
  const isDelivered = agreed.outcome === "delivered";
  if (isBlank(other)) return null;
  if (isTakenBack(column)) return isDelivered && yesOrNo(cell) !== false ? "unclear" : null;
  if (cell.includes(ANOTHER) && (isDelivered || isReached(cell))) return "unclear";
  return isDelivered && isCodeOfSuccess(column, cell) ? null : disagreementOf(other, agreed);
}

/** "Sent to another number" is no reason of a failure, unlike a number to call. */
const isReached = (cell: string) => [...sensesIn(cell).senses].some((it) => it === "stage" || it === "delivered");

/** A failure may have any reason, a success only what changes nothing about it; a town may have any name. */
function disagreementOf({ column, cell }: Cell, { outcome, meanings }: Agreed): "which" | "unclear" | null {
  const text = withoutOtherDigits(outcome === "delivered" ? cell.replace(STEPS, " ") : cell);
  const read = readOutcome(text, meanings, column.kind === "number");
  if (isAnswerToUnknown(column, text, read) || (outcome === "failed" && endsFailure(text))) return "unclear";
  if ("outcome" in read) {
    const explains = outcome === "failed" && read.outcome === "pending" && /^not(?! yet)/i.test(cell);
    return read.isStage || read.outcome === outcome || explains ? null : "which";
  }
  if (outcome !== "delivered") return null;
  if ("unclear" in read) return "unclear";
  if (read.doubts === "success" || read.doubts === "anything") return "which";
  return read.doubts === "unknown" && !isUnnamed(column) ? "unclear" : null;
}

/** Whether it may be any column. */
const isUnnamed = ({ kind, title }: ResultColumn) => kind === "unknown" && title !== "";

/** "Received: yes", "Error: yes", "Success count: 1". */
function isAnswerToUnknown(column: ResultColumn, text: string, read: Reading): boolean {
  const senses = isUnnamed(column) && text.trim() !== "" ? [...sensesIn(column.title).senses] : [];
  if (senses.length > 0) return !(senses.every((sense) => sense === "stage") && /^(?:yes|y|true)$/i.test(text));
  return "outcome" in read && read.isAnswer && (isUnnamed(column) || TITLE_OF_ERRORS.test(column.title));
}

const TITLE_OF_ERRORS = /error|reason|fail/i;

/** "N/A", "-"; "no" and 0 only below a heading of errors or other things that may be counted. */
function isBlank({ column: { kind, title }, cell }: Cell): boolean {
  if (/^(?:[^\p{L}\p{N}\p{S}]+|none|nil|null|n\/?a)$/iu.test(cell)) return true;
  if (NO_MONEY.test(cell)) return true;
  return isNothing(cell) && (TITLE_OF_ERRORS.test(title) || (kind === "unknown" && /^[\d.,]+$/.test(cell)));
}

/** Steps on the way to a success, which add nothing to it. */
const STEPS = /\b(?:requests?|processed|executed|operation|purchased?|activated|credited|loaded|allocated)\b/gi;

/** "200 OK", "Response code: 00". */
const isCodeOfSuccess = ({ title }: ResultColumn, cell: string) =>
  /^\s*200(?: ok)?\s*$/i.test(cell) ? !TITLE_OF_ERRORS.test(title) : /\bcode$/i.test(title) && /^\s*0+\s*$/.test(cell);

/** Null for what is neither a yes nor a no. */
export const answerIn = ({ cell }: Cell, isCount: boolean) => (isCount && /\d/.test(cell) ? null : yesOrNo(cell));

/** "21/11/2026 10:30" below "Delivered" says when. */
const isMoment = (cell: string) => /\d/.test(cell) && !/[\p{L}\p{N}]/u.test(withoutOtherDigits(cell));
