// The parser of a batch's results, as a vendor's portal, a chat or an admin writes them: number, status and perhaps
// size, in columns with headings or anywhere on a line. Where a line says two things, it is a question, never a guess.

import { limits } from "../domain.ts";
import { lacksValue } from "./bulk-remarks.ts";
import { answerIn, cellsOf, numberIn, type ResultTable, sizeIn, tableOf, underHeading } from "./result-columns.ts";
import { type Meanings, type Outcome, phraseOf, type Reading, readOutcome, yesOrNo } from "./result-outcomes.ts";
import { readSentence, withoutOtherDigits } from "./result-sentence.ts";

export type ResultLine = {
  line: number;
  msisdn: string;
  volumeMb: number | null;
  outcome: Outcome;
  message: string | null;
};

export type ResultProblem = {
  line: number;
  message: string;
  /** The text whose meaning is asked for, once for all lines with it (`phraseOf`). */
  phrase?: string;
};

/** The parsed lines, those that could not be parsed, each with the reason, and the numbers of lines with headings. */
export type Results = { lines: ResultLine[]; problems: ResultProblem[]; headings: number[] };

/** A line without its number; or why it is none. */
type Row = Omit<ResultLine, "line"> | Omit<ResultProblem, "line">;

const NOTE_MAX = 200;
/** A result line has a few cells; a longer one is a problem. */
const ROW_CHARS_MAX = 2_000;

/**
 * Parses result lines: below headings by their columns, otherwise wherever number and status stand. `meanings` are what
 * a person said that unclear texts mean.
 */
export function parseResults(text: string, meanings: Meanings = new Map()): Results {
  const read: Results = { lines: [], problems: [], headings: [] };
  let table: ResultTable | null = null;
  for (const [at, row] of text.split(/\r\n|\r|\n/).entries()) {
    const line = at + 1;
    if (/^[\s,;|"']*$/.test(row)) continue;
    if (read.lines.length + read.problems.length >= limits.bulkLines) {
      read.problems.push({ line, message: `at most ${limits.bulkLines.toLocaleString("en")} lines at once` });
      break;
    }
    const headings = row.length > ROW_CHARS_MAX ? null : tableOf(row);
    if (headings) {
      table = headings;
      read.headings.push(line);
    } else if (!isTitle(row, at)) {
      const found = readRow(row, table, meanings);
      if ("msisdn" in found) read.lines.push({ line, ...found });
      else read.problems.push({ line, ...found });
    }
  }
  return read;
}

/** The first line may be a title; one with an outcome seems to be about all lines below it, which is not read. */
function isTitle(row: string, at: number): boolean {
  return at === 0 && row.length <= ROW_CHARS_MAX && !/\d/.test(row) && "note" in readOutcome(row, new Map());
}

function readRow(row: string, table: ResultTable | null, meanings: Meanings): Row {
  if (row.length > ROW_CHARS_MAX) return { message: "the line is too long" };
  if (/~[^~]*\d{3}[^~]*~/.test(row)) return { message: "it is struck out: remove it, or write it without the ~" };
  const cells = table ? cellsOf(row, table.mark) : [];
  return table && cells.filter(Boolean).length > 1 ? belowHeadings(cells, table, meanings) : anywhere(row, meanings);
}

/** A cell that says that it has no value, or was struck out. */
const hasNoValue = (cell: string) => /^#struck out/i.test(cell) || (/^(?:#|Err:)/i.test(cell) && lacksValue(cell));

function belowHeadings(row: string[], table: ResultTable, meanings: Meanings): Row {
  const { columns } = table;
  const cells = fitted(row, table);
  if (!cells) return { message: "it has more cells than the headings: a text with commas needs quotes" };
  const msisdn = numberIn(cells, table);
  if (msisdn === null) return { message: NO_NUMBER };
  if (msisdn === "several") return { message: TWO_NUMBERS };
  const error = columns.find(({ kind }, at) => kind !== "other" && hasNoValue(cells[at]!));
  if (error) return { message: `its ${error.title} has an error instead of a value` };
  const sizes = new Set<number>();
  for (const [at, column] of columns.entries()) {
    const size = column.kind === "size" ? sizeIn(cells[at]!, column) : null;
    if (size === undefined) return { message: `“${cells[at]!.slice(0, 30)}” is no size` };
    if (size !== null) sizes.add(size);
  }
  if (sizes.size > 1) return { message: TWO_SIZES };
  const status = columns.filter(({ kind }) => kind === "status");
  if (status.length > 0 && columns.every(({ kind }, at) => kind !== "status" || cells[at] === ""))
    return { message: `its ${status[0]!.title} is empty: ${NO_STATUS}` };
  const found = outcomeOf(readingsBelow(cells, table, meanings), status.length > 0);
  if ("message" in found) return found;
  const notes = columns.flatMap(({ kind }, at) => (kind === "note" && cells[at] ? [cells[at]!] : []));
  const note = notes.length > 0 ? notes.join(", ") : found.note;
  return { msisdn, volumeMb: [...sizes][0] ?? null, outcome: found.outcome, message: messageOf(note) };
}

/** As many cells as headings; null where there are more. A last column of notes takes what commas cut off. */
function fitted(row: string[], { columns, mark }: ResultTable): string[] | null {
  const cells = columns.map((_, at) => row[at] ?? "");
  const more = row.slice(columns.length).filter(Boolean);
  if (more.length === 0) return cells;
  if (columns.at(-1)!.kind !== "note") return null;
  return cells.with(-1, [cells.at(-1)!, ...more].join(`${mark} `));
}

/** What the deciding columns say: those for the status, else those whose heading is an outcome, else any others. */
function readingsBelow(cells: string[], { columns }: ResultTable, meanings: Meanings): Reading[] {
  const of = (...kinds: string[]) =>
    columns.flatMap((column, at) => (kinds.includes(column.kind) && cells[at] ? [{ column, cell: cells[at]! }] : []));
  const statuses = of("status").map(({ cell }) => {
    const reading = readOutcome(withoutOtherDigits(cell), meanings);
    return "outcome" in reading || meanings.get(phraseOf(cell)) ? reading : { unclear: cell };
  });
  if (statuses.length > 0) return statuses;
  const answers = of("answer").flatMap(({ column, cell }): Reading[] => {
    const answer = answerIn(cell, column);
    if (answer === null) return [];
    if (typeof answer === "string") return [{ outcome: answer, isStage: false, note: "" }];
    return [known(answer.unclear, meanings) ?? answer];
  });
  if (answers.length > 0) return answers;
  return of("unknown", "note").map(({ column: { kind, title }, cell }) => {
    if (kind === "note" || title === "" || yesOrNo(cell) === null) return readOutcome(cell, meanings);
    const unclear = underHeading(title, cell);
    return known(unclear, meanings) ?? { unclear };
  });
}

/** What a person said that the text means; null where nobody did. */
function known(text: string, meanings: Meanings): Reading | null {
  return meanings.has(phraseOf(text)) ? readOutcome(text, meanings) : null;
}

/** A row without headings, or a line of a chat. */
function anywhere(row: string, meanings: Meanings): Row {
  const { numbers, sizes, texts } = readSentence(row);
  if (numbers.length === 0) return { message: NO_NUMBER };
  if (numbers.length > 1) return { message: TWO_NUMBERS };
  if (texts.some((text) => hasNoValue(text))) return { message: "a cell of it has an error instead of a value" };
  if (sizes.length > 1) return { message: TWO_SIZES };
  const found = outcomeOf(
    texts.map((text) => readOutcome(text, meanings)),
    false,
  );
  if ("message" in found) return found;
  const { outcome, note } = found;
  return { msisdn: numbers[0]!, volumeMb: sizes[0] ?? null, outcome, message: messageOf(note) };
}

const NO_NUMBER = "there is no phone number in it";
const TWO_NUMBERS = "two numbers stand on this line: keep the one that the result is about";
const TWO_SIZES = "two sizes stand on this line: keep the one that was ordered";
const NO_STATUS = "say delivered, failed or pending";

/**
 * The one outcome that these texts agree on. In a column for the status (`isDecided`) nothing else is on the line that
 * could disagree.
 */
function outcomeOf(
  readings: readonly Reading[],
  isDecided: boolean,
): { outcome: Outcome; note: string } | Omit<ResultProblem, "line"> {
  const unclear = readings.find((reading) => "unclear" in reading);
  if (unclear) return question(unclear.unclear);
  const outcomes = readings.filter((reading) => "outcome" in reading);
  const notes = readings.filter((reading) => "doubts" in reading);
  const final = outcomes.filter(({ isStage }) => !isStage);
  const distinct = [...new Set((final.length > 0 ? final : outcomes).map(({ outcome }) => outcome))];
  if (distinct.length > 1) {
    const [one, ...others] = distinct.map((outcome) => `“${outcome}”`);
    return { message: `${one} and ${others.join(" and ")} stand on this line. Which is it?` };
  }
  const doubt = notes.find(
    ({ doubts }) => doubts === "anything" || (doubts === "success" && distinct[0] === "delivered"),
  );
  if (distinct[0] && doubt && !isDecided)
    return { message: `“${distinct[0]}” and “${doubt.note.slice(0, 40)}” stand on this line. Which is it?` };
  const note = readings.flatMap((reading) => ("note" in reading && reading.note) || []).join(", ");
  if (distinct[0]) return { outcome: distinct[0], note };
  const last = notes.findLast((reading) => reading.note !== "");
  return last ? question(last.note) : { message: NO_STATUS };
}

function question(text: string): Omit<ResultProblem, "line"> {
  const phrase = phraseOf(text);
  return phrase === "" ? { message: NO_STATUS } : { message: `what does “${phrase}” mean?`, phrase };
}

const messageOf = (note: string) => note.slice(0, NOTE_MAX) || null;
