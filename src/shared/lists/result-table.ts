// A row of results below headings: the columns that decide its outcome, and the others, which have to agree.

import { annotate } from "./bulk-names.ts";
import { lacksValue } from "./bulk-remarks.ts";
import { answerIn, type Cell, contradiction, disagreement, emptyBeside, isEmpty, withoutOwn } from "./result-beside.ts";
import { hasCounts, isOfDelivery, type ResultTable, sizeIn, underHeading } from "./result-columns.ts";
import type { Row } from "./result-lines.ts";
import { numberProblem, phonesIn, TWO_NUMBERS, withoutPhones } from "./result-numbers.ts";
import { isTick, type Meanings, type Outcome, phraseOf, type Reading, readOutcome } from "./result-outcomes.ts";
import { withoutOtherDigits } from "./result-sentence.ts";
import { messageOf, NO_STATUS, outcomeOf, question, TWO_SIZES, ZERO_SIZE } from "./result-verdict.ts";

/** Reads a row by its columns. */
export function readTableRow(row: string[], table: ResultTable, meanings: Meanings): Row {
  const cells = fitted(row, table);
  if (!cells) return { message: "it has more cells than the headings: a text with commas needs quotes" };
  const error = table.columns.find(({ kind }, at) => kind !== "other" && hasNoValue(cells[at]!));
  const number = numberIn(cells, table);
  if ("message" in number) return number;
  if (error) return { message: `its ${error.title} has an error instead of a value` };
  const size = sizeOf(cells, table);
  if (typeof size === "object" && size) return size;
  const typed = table.columns.flatMap((column, at) =>
    number.places.has(at) || isEmpty(cells[at]!, column) ? [] : [{ column, cell: cells[at]! }],
  );
  const status = table.columns.filter(({ kind }) => kind === "status");
  if (status.length > 0 && !typed.some(({ column }) => column.kind === "status"))
    return { message: `its ${status[0]!.title} is empty: ${NO_STATUS}` };
  const volumeMb = size ?? sizeInTexts(typed);
  const filled = typed.map((it) => withoutOwn(it, { msisdn: number.msisdn, volumeMb }));
  const { deciding, others, rest } = divided(filled, meanings);
  if (deciding.length === 0 && others.length > 0) return unnamed(others, meanings);
  const isCount = hasCounts(cells, table);
  const answers = answersIn(deciding, { meanings, table, isCount });
  const found = outcomeOf(answers ?? deciding.map((it) => statusIn(it, meanings)));
  if (!("outcome" in found)) return found;
  const { outcome } = found;
  const agreed = { outcome, meanings, isCount };
  const problem =
    emptyBeside(deciding, cells, table, agreed) ??
    firstOf([...number.rests, ...others], (other) => disagreement(other, agreed)) ??
    firstOf([...others, ...rest], (other) => contradiction(other, agreed));
  if (problem) return problem;
  const notes = typed.filter(({ column }) => column.kind === "note" && !deciding.some((it) => it.column === column));
  const message = messageOf(notes.length > 0 ? notes.map(({ cell }) => cell).join(", ") : found.note);
  return { msisdn: number.msisdn, volumeMb: outcome === "delivered" ? volumeMb : size, outcome, message };
}

function firstOf(cells: readonly Cell[], problemOf: (cell: Cell) => Row | null): Row | null {
  for (const cell of cells) {
    const problem = problemOf(cell);
    if (problem) return problem;
  }
  return null;
}

/** A cell that says that it has no value, or was struck out. */
export const hasNoValue = (cell: string) =>
  /^#struck out/i.test(cell) || (/^(?:#|Err:)/i.test(cell) && lacksValue(cell));

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
    if (size === 0 && !isOfDelivery(column)) return { message: ZERO_SIZE };
    if (size) sizes.add(size);
  }
  return sizes.size > 1 ? { message: TWO_SIZES } : ([...sizes][0] ?? null);
}

/** The one size that the texts of a row name. */
function sizeInTexts(cells: readonly Cell[]): number | null {
  const texts = cells.filter(({ column: { kind } }) => kind === "status" || kind === "note" || kind === "type");
  const [size, another] = new Set(texts.flatMap(({ cell }) => annotate(cell).sizes));
  return another === undefined ? size || null : null;
}

/**
 * The cells that decide: those for the status, else those whose heading is an outcome, else those without a heading or
 * whose meaning a person gave.
 */
function divided(filled: readonly Cell[], meanings: Meanings): Record<"deciding" | "others" | "rest", Cell[]> {
  const groups = [
    ({ column: { kind } }: Cell) => kind === "status",
    ({ column: { kind } }: Cell) => kind === "answer",
    ({ column: { kind, title }, cell }: Cell) =>
      (kind === "unknown" && title === "") || isOutcome(meanings.get(phraseOf(underHeading(title, cell)))),
  ];
  const decides = groups.find((group) => filled.some(group)) ?? (() => false);
  const isText = ({ column: { kind } }: Cell) => kind === "note" || kind === "answer" || kind === "unknown";
  const more = filled.filter((it) => !decides(it));
  return { deciding: filled.filter(decides), others: more.filter(isText), rest: more.filter((it) => !isText(it)) };
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
