// The parser of a batch's results, as a vendor's portal, a chat or an admin writes them: number, status and perhaps
// size, in columns with headings or anywhere on a line. Where a line says two things, it is a question, never a guess.

import { limits } from "../domain.ts";
import { visibleText } from "../phones/msisdn.ts";
import { withoutGroups } from "./bulk-lines.ts";
import { CHAT_HEAD, NOTICE_HEAD, SENDER_LINE } from "./chat-heads.ts";
import { cellsOf, objectOn, type ResultTable, tableOf } from "./result-columns.ts";
import { NO_NUMBER, numberProblem, TWO_NUMBERS } from "./result-numbers.ts";
import { type Meanings, type Outcome, outcomeAbove, phraseOf, readOutcome } from "./result-outcomes.ts";
import { readSentence, withoutOtherDigits } from "./result-sentence.ts";
import { hasNoValue, readTableRow } from "./result-table.ts";
import { sensesIn } from "./result-terms.ts";
import { messageOf, outcomeOf, question, TWO_SIZES, ZERO_SIZE } from "./result-verdict.ts";

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
export type Row = Omit<ResultLine, "line"> | Omit<ResultProblem, "line">;

/** A line without a phone number that says what the lines below it are. */
type Above = { line: number; text: string; outcome: Outcome | "unclear" };

/** A result line has a few cells; a longer one is a problem. */
const ROW_CHARS_MAX = 2_000;

/**
 * Parses result lines: below headings by their columns, otherwise wherever number and status stand. `meanings` are what
 * a person said that unclear texts mean.
 */
export function parseResults(text: string, meanings: Meanings = new Map()): Results {
  const read: Results = { lines: [], problems: [], headings: [] };
  const context: Context = { meanings, table: null, above: null };
  for (const [at, typed] of text.split(/\r\n|\r|\n/).entries()) {
    const line = at + 1;
    if (/^[\s,;|"']*$/.test(typed)) continue;
    if (read.lines.length + read.problems.length >= limits.bulkLines) {
      read.problems.push({ line, message: `at most ${limits.bulkLines.toLocaleString("en")} lines at once` });
      break;
    }
    const found = tooMuchOn(typed) ?? readLine(typed, line, context);
    if (found === "heading") read.headings.push(line);
    else if (found === "title") continue;
    else if ("msisdn" in found) read.lines.push({ line, ...found });
    else read.problems.push({ line, ...found });
  }
  return read;
}

/** Why a line is not read at all. */
function tooMuchOn(typed: string): { message: string } | null {
  if (/^[\s[]*\{/.test(typed) && /\}\s*,\s*\{/.test(typed))
    return { message: "several objects stand on this line: put each on a line of its own" };
  return typed.length > ROW_CHARS_MAX ? { message: "the line is too long" } : null;
}

/** What lines above the present one say about it. */
type Context = { meanings: Meanings; table: ResultTable | null; above: Above | null };

function readLine(typed: string, line: number, context: Context): Row | "heading" | "title" {
  const row = withoutHead(plain(typed));
  const headings = tableOf(row);
  context.table = headings ?? context.table;
  if (headings) return "heading";
  if (SENDER_LINE.test(row)) return "title";
  const strike = strikeOn(typed, row);
  if (strike) return { message: `it is struck out: remove it, or write it without the ${strike}` };
  const { above, table } = context;
  const found = readRow(row, context);
  if ("msisdn" in found) return above && above.outcome !== found.outcome ? against(above, found.outcome) : found;
  if (found.message !== NO_NUMBER || !isAboutOthers(row, table)) return found;
  const outcome = outcomeAbove(row, line === 1 || /:\s*$/.test(row));
  if (!outcome) return line === 1 && isTitle(row) ? "title" : found;
  context.above = { line, text: row.trim(), outcome };
  return { message: `${NO_NUMBER}: ${NAME_EACH}` };
}

const QUOTED = "it is quoted: remove it, or write it without the >";
const NAME_EACH = "write behind each number what became of it";

const against = ({ line, text }: Above, outcome: Outcome): Row => ({
  message: `“${text.slice(0, 40)}” of line ${line} stands above it, and “${outcome}” on it. Which is it?`,
});

/** The characters as they look, full-width ones as others. An empty cell in front stays. */
function plain(typed: string): string {
  const visible = typed.split("\t").map(visibleText).join("\t");
  return withoutGroups(visible.replace(/[\uff01-\uff5e]/g, (it) => String.fromCharCode(it.charCodeAt(0) - 0xfee0)));
}

/** What strikes it out: two ~, strokes that are characters of their own, or the tags of a page. */
function strikeOn(typed: string, row: string): string | null {
  if (/~\s*[^~\s][^~]*~/.test(row)) return "~";
  return /[\u0335-\u0338]|<\/?(?:s|del|strike)>/i.test(typed) ? "strokes" : null;
}

/**
 * The message of a chat without its time and its sender, who is a name or a number: "21/11/2026, 09:30 - failed: 024…"
 * has none.
 */
function withoutHead(row: string): string {
  const moment = NOTICE_HEAD.exec(row)?.[0];
  if (moment === undefined || /\d{5}/.test(moment) || sensesIn(moment).senses.size > 0) return row;
  const [head, sender = ""] = CHAT_HEAD.exec(row) ?? [];
  const isSender = (!/\d{3}/.test(sender) || /^[~\s+\d()-]+$/.test(sender)) && sensesIn(sender).senses.size === 0;
  return row.slice(head !== undefined && isSender ? head.length : moment.length);
}

/** A line that is no row of a table, nor one with an id or a number that cannot be read. */
function isAboutOthers(row: string, table: ResultTable | null): boolean {
  if (table && cellsOf(row, table.mark).filter(Boolean).length > 1) return false;
  return !/\d{5}/.test(row) && (withoutOtherDigits(row).match(/\d/g) ?? []).length < 5;
}

/** The first line may be a title. */
function isTitle(row: string): boolean {
  if (/\d/.test(row) || sensesIn(row).senses.size > 0) return false;
  const reading = readOutcome(row, new Map());
  return "doubts" in reading && (reading.doubts === "nothing" || reading.doubts === "unknown");
}

function readRow(row: string, { table, meanings }: Context): Row {
  if (/^\s*>/.test(row)) return { message: QUOTED };
  const object = objectOn(row);
  if (object) return readTableRow(object.cells, object.table, meanings);
  const cells = table ? cellsOf(row, table.mark) : [];
  return table && cells.filter(Boolean).length > 1 ? readTableRow(cells, table, meanings) : anywhere(row, meanings);
}

/** A row without headings, or a line of a chat. */
function anywhere(row: string, meanings: Meanings): Row {
  const { numbers, sizes, front, behind } = readSentence(row);
  if (numbers.length === 0) return { message: numberProblem(withoutOtherDigits(row)) };
  if (numbers.length > 1) return { message: TWO_NUMBERS };
  const texts = [...front, ...behind];
  if (texts.some((text) => hasNoValue(text))) return { message: "a cell of it has an error instead of a value" };
  if (sizes.length > 1) return { message: TWO_SIZES };
  if (sizes[0] === 0) return { message: ZERO_SIZE };
  const found = outcomeOf([
    ...front.map((text) => readOutcome(text, meanings, true)),
    ...behind.map((text) => readOutcome(text, meanings)),
  ]);
  if (!("outcome" in found)) return found;
  const { outcome, note } = found;
  const doubt = outcome === "failed" ? deniedAcross(texts, meanings) : null;
  return doubt ?? { msisdn: numbers[0]!, volumeMb: sizes[0] ?? null, outcome, message: messageOf(note) };
}

/** The question about a failure that another part of its line denies: "failed, now ok". */
function deniedAcross(texts: string[], meanings: Meanings): Row | null {
  const line = texts.join(", ");
  if (texts.length < 2 || meanings.get(phraseOf(line)) === "failed") return null;
  const others = texts.filter((text) => sensesIn(text).senses.size === 0 && !meanings.has(phraseOf(text)));
  const failed = ["failed", ...others].join(", ");
  return others.length > 0 && "unclear" in readOutcome(failed, new Map()) ? question(line) : null;
}
