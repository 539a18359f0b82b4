// A row of results below headings: the columns that decide its outcome, and the others, which have to agree.

import { lacksValue } from "./bulk-remarks.ts";
import { hasCounts, isTakenBack, type ResultColumn, type ResultTable, sizeIn, underHeading } from "./result-columns.ts";
import type { Row } from "./result-lines.ts";
import { numberProblem, phonesIn, TWO_NUMBERS, withoutPhones } from "./result-numbers.ts";
import {
  endsFailure,
  isNothing,
  isTick,
  type Meanings,
  type Outcome,
  phraseOf,
  type Reading,
  readOutcome,
  yesOrNo,
} from "./result-outcomes.ts";
import { withoutOtherDigits } from "./result-sentence.ts";
import { sensesIn } from "./result-terms.ts";
import { messageOf, NO_STATUS, outcomeOf, question, TWO_SIZES, whichOf } from "./result-verdict.ts";

/** A filled cell and its column. */
type Cell = { column: ResultColumn; cell: string };

/** Reads a row by its columns. */
export function readTableRow(row: string[], table: ResultTable, meanings: Meanings): Row {
  const cells = fitted(row, table);
  if (!cells) return { message: "it has more cells than the headings: a text with commas needs quotes" };
  const error = table.columns.find(({ kind }, at) => kind !== "other" && hasNoValue(cells[at]!));
  const number = numberIn(cells, table);
  if ("message" in number) return number;
  if (error) return { message: `its ${error.title} has an error instead of a value` };
  const volumeMb = sizeOf(cells, table);
  if (typeof volumeMb === "object" && volumeMb) return volumeMb;
  const filled = table.columns.flatMap((column, at) =>
    number.places.has(at) || isEmpty(cells[at]!, column) ? [] : [{ column, cell: cells[at]! }],
  );
  const status = table.columns.filter(({ kind }) => kind === "status");
  if (status.length > 0 && !filled.some(({ column }) => column.kind === "status"))
    return { message: `its ${status[0]!.title} is empty: ${NO_STATUS}` };
  const { deciding, others } = divided(filled, meanings);
  if (deciding.length === 0 && others.length > 0) return unnamed(others, meanings);
  const isCount = hasCounts(cells, table);
  const answers = answersIn(deciding, { meanings, table, isCount });
  const found = outcomeOf(answers ?? deciding.map((it) => statusIn(it, meanings)));
  if (!("outcome" in found)) return found;
  const agreed = { outcome: found.outcome, meanings, isCount };
  for (const other of [...number.rests, ...others]) {
    const problem = disagreement(other, agreed);
    if (problem) return problem;
  }
  const notes = others.filter(({ column }) => column.kind === "note").map(({ cell }) => cell);
  const message = messageOf(notes.length > 0 ? notes.join(", ") : found.note);
  return { msisdn: number.msisdn, volumeMb, outcome: found.outcome, message };
}

/** A cell that says that it has no value, or was struck out. */
export const hasNoValue = (cell: string) =>
  /^#struck out/i.test(cell) || (/^(?:#|Err:)/i.test(cell) && lacksValue(cell));

/** Dashes say nothing, and figures without a heading may count the rows. */
const isEmpty = (cell: string, { title }: ResultColumn) =>
  /^[-.\s]*$/.test(cell) || (title === "" && /^\d+$/.test(cell));

/** As many cells as headings; null where there are more. A last column of notes takes what commas cut off. */
function fitted(row: string[], { columns, mark }: ResultTable): string[] | null {
  const cells = columns.map((_, at) => row[at] ?? "");
  const more = row.slice(columns.length).filter(Boolean);
  if (more.length === 0) return cells;
  if (columns.at(-1)!.kind !== "note") return null;
  return cells.with(-1, [cells.at(-1)!, ...more].join(`${mark} `));
}

type Numbered = {
  msisdn: string;
  /** The columns of the number, and what else stands in them. */
  places: Set<number>;
  rests: Cell[];
};

/** The one number in the columns for it, or in those of no known heading. */
function numberIn(cells: readonly string[], { columns }: ResultTable): Numbered | { message: string } {
  const wanted = columns.some(({ kind }) => kind === "number") ? "number" : "unknown";
  const places = columns.flatMap(({ kind }, at) => (kind === wanted && cells[at] ? [at] : []));
  const found = places.map((at) => ({ at, numbers: phonesIn(cells[at]!) })).filter(({ numbers }) => numbers.length > 0);
  const [msisdn, another] = new Set(found.flatMap(({ numbers }) => numbers.map((it) => it.msisdn)));
  if (msisdn === undefined) return { message: numberProblem(places.map((at) => cells[at]!).join(" ")) };
  if (another) return { message: TWO_NUMBERS };
  const rests = found.map(({ at, numbers }) => {
    return {
      column: columns[at]!,
      cell: withoutPhones(cells[at]!, numbers, " ").replace(/^[\s='":,.]+|[\s'":,.]+$/g, ""),
    };
  });
  const more = rests.find(({ cell }) => /\p{N}/u.test(cell));
  if (more) return { message: `its ${more.column.title} has more than the number: keep the number alone` };
  return { msisdn, places: new Set(found.map(({ at }) => at)), rests: rests.filter(({ cell }) => cell !== "") };
}

function sizeOf(cells: readonly string[], { columns }: ResultTable): number | null | { message: string } {
  const sizes = new Set<number>();
  for (const [at, column] of columns.entries()) {
    const size = column.kind === "size" ? sizeIn(cells[at]!, column) : null;
    if (size === undefined) return { message: `“${cells[at]!.slice(0, 30)}” is no size` };
    if (size !== null) sizes.add(size);
  }
  return sizes.size > 1 ? { message: TWO_SIZES } : ([...sizes][0] ?? null);
}

/**
 * The cells that decide: those for the status, else those whose heading is an outcome, else those without a heading or
 * whose meaning a person gave.
 */
function divided(filled: readonly Cell[], meanings: Meanings): { deciding: Cell[]; others: Cell[] } {
  const groups = [
    ({ column: { kind } }: Cell) => kind === "status",
    ({ column: { kind } }: Cell) => kind === "answer",
    ({ column: { kind, title }, cell }: Cell) =>
      (kind === "unknown" && title === "") || isOutcome(meanings.get(phraseOf(underHeading(title, cell)))),
  ];
  const decides = groups.find((group) => filled.some(group)) ?? (() => false);
  const others = ["note", "answer", "unknown"];
  return {
    deciding: filled.filter(decides),
    others: filled.filter((it) => !decides(it) && others.includes(it.column.kind)),
  };
}

const isOutcome = (meaning: Outcome | "note" | undefined) => meaning !== undefined && meaning !== "note";

function statusIn({ column: { kind, title }, cell }: Cell, meanings: Meanings): Reading {
  if (title !== "" && kind !== "status") return readOutcome(underHeading(title, cell), meanings);
  const reading = readOutcome(withoutOtherDigits(cell), meanings);
  if (kind !== "status" || "outcome" in reading || meanings.has(phraseOf(cell))) return reading;
  return { unclear: cell };
}

type Answers = { meanings: Meanings; table: ResultTable; isCount: boolean };

/** What the cells below outcomes such as "Delivered" say together; null where there are none. */
function answersIn(cells: readonly Cell[], { meanings, table, isCount }: Answers): Reading[] | null {
  if (cells[0]?.column.kind !== "answer") return null;
  const count = table.columns.filter(({ kind }) => kind === "answer").length;
  const isOne = count > 1 && cells.length === 1 && (/^x$/i.test(cells[0].cell) || isTick(cells[0].cell));
  if (isOne) return [reading(cells[0].column.outcome!)];
  const answers = cells.map((it) => ({ ...it, answer: answerIn(it, isCount), outcome: it.column.outcome! }));
  const yes = new Set(answers.flatMap(({ answer, outcome }) => (answer === true ? [outcome] : [])));
  return answers.flatMap((it): Reading[] => {
    const unclear = underHeading(it.column.title, it.cell);
    if (it.answer === true) return [reading(it.outcome)];
    // "Delivered: no" says by itself that it failed; "Failed: no" may still be on its way.
    if (it.answer === false && count === 1 && it.outcome === "delivered") return [reading("failed")];
    if (it.answer === false && yes.size > 0 && !yes.has(it.outcome)) return [];
    return [known(unclear, meanings) ?? { unclear }];
  });
}

const reading = (outcome: Outcome): Reading => ({ outcome, isStage: false, isAnswer: false, note: "" });

/** Null for what is neither a yes nor a no. */
const answerIn = ({ cell }: Cell, isCount: boolean) => (isCount && /\d/.test(cell) ? null : yesOrNo(cell));

/** "21/11/2026 10:30" below "Delivered" says when. */
const isMoment = (cell: string) => /\d/.test(cell) && !/[\p{L}\p{N}]/u.test(withoutOtherDigits(cell));

/** What a person said that the text means; null where nobody did. */
function known(text: string, meanings: Meanings): Reading | null {
  return meanings.has(phraseOf(text)) ? readOutcome(text, meanings) : null;
}

/** The question about columns of nobody knows what, which decide nothing before a person says what they mean. */
function unnamed(others: readonly Cell[], meanings: Meanings): Row {
  const texts = others.map(({ column, cell }) => underHeading(column.title, cell));
  const open = texts.find((text) => !meanings.has(phraseOf(text)));
  return open === undefined ? { message: NO_STATUS } : question(open);
}

type Agreed = { outcome: Outcome; meanings: Meanings; isCount: boolean };

/** The question about a cell that says something else than the outcome that was decided on; null where it agrees. */
function disagreement(other: Cell, agreed: Agreed): Row | null {
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

/**
 * Whether a text says something else than the outcome, or what nobody knows. A failure may have any reason, a success
 * only what changes nothing about it; a town may have any name.
 */
function disagreementIn(other: Cell, { outcome, meanings }: Agreed): "which" | "unclear" | null {
  const { column, cell } = other;
  if (isBlank(other)) return null;
  if (isTakenBack(column)) return outcome === "delivered" && yesOrNo(cell) !== false ? "unclear" : null;
  const text = withoutOtherDigits(cell);
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
  return isNothing(cell) && (TITLE_OF_ERRORS.test(title) || (kind === "unknown" && /^[\d.,]+$/.test(cell)));
}
