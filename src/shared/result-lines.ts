// What came of a batch, as a vendor's portal or a person writes it: a number, its status, perhaps the size, in any order.
import { limits } from "./domain.ts";
import { parseMsisdn } from "./msisdn.ts";

export type ResultLine = {
  line: number;
  msisdn: string;
  volumeMb: number | null;
  outcome: "delivered" | "failed" | "pending";
  message: string | null;
};

/** Words that say for sure that it arrived, and that it did not. Anything else is asked about and never guessed. */
const DELIVERED = /^(delivered|completed?|success(ful)?|done|ok|yes)$/i;
const FAILED = /^(failed|failure|error|rejected|declined|invalid( number)?|not delivered|cancell?ed|no)$/i;
/** Words that say that nobody knows yet. */
const PENDING =
  /^(pending|processing|in[ -]?progress|waiting|queued|submitted|initiated|sent|accepted|on[ -]?hold|held|unknown|not (yet )?sent)$/i;
const SIZE = /^(\d{1,4}(?:\.\d{1,3})?)\s*(gb|mb)?$/i;
const WORDS_MAX = 200;
/** A line of results has a few cells; nothing longer is looked at. */
const ROW_CHARS_MAX = 2_000;

/** What was understood, and the lines that were not, each with why. */
export type Results = {
  lines: ResultLine[];
  /** `isUnclear`: there is a number, and nothing that says what became of it. */
  problems: { line: number; message: string; isUnclear: boolean }[];
};

/**
 * Reads result lines: comma, semicolon or tab between cells, a heading is passed over. A bare number up to 4 digits is a
 * size in GB. Returns what was understood, and the lines that were not, each with why.
 */
export function parseResults(text: string): Results {
  const lines: ResultLine[] = [];
  const problems: Results["problems"] = [];
  for (const [at, row] of text.split(/\r\n|\r|\n/).entries()) {
    if (lines.length + problems.length >= limits.bulkLines) {
      problems.push({
        line: at + 1,
        message: `at most ${limits.bulkLines.toLocaleString("en")} lines at once`,
        isUnclear: false,
      });
      break;
    }
    if (row.length > ROW_CHARS_MAX) {
      problems.push({ line: at + 1, message: "the line is too long", isUnclear: false });
      continue;
    }
    const cells = row
      .split(/[,;\t]/)
      .map((cell) => cell.trim().replace(/^["']|["']$/g, ""))
      .filter(Boolean);
    const line = at + 1;
    if (cells.length === 0) continue;
    const number = cells.findIndex((cell) => parseMsisdn(cell) !== null);
    if (number === -1) {
      // A heading has no digits; only the first line can be one.
      if (at > 0 || /\d/.test(row))
        problems.push({ line, message: "there is no phone number in it", isUnclear: false });
      continue;
    }
    const rest = cells.filter((_, i) => i !== number);
    // What is final counts more than how it was on the way.
    const final = rest.findIndex((cell) => DELIVERED.test(cell) || FAILED.test(cell));
    const said = final === -1 ? rest.findIndex((cell) => PENDING.test(cell)) : final;
    if (said === -1) {
      problems.push({ line, message: "say delivered, failed or pending", isUnclear: true });
      continue;
    }
    const others = rest.filter((_, i) => i !== said);
    const size = others.find((cell) => SIZE.test(cell));
    const words = others
      .filter((cell) => cell !== size && !/^(mtn|airteltigo|at|telecel)$/i.test(cell))
      .join(", ");
    lines.push({
      line,
      msisdn: parseMsisdn(cells[number]!)!,
      volumeMb: size === undefined ? null : megabytes(size),
      outcome: outcomeOf(rest[said]!),
      message: words.slice(0, WORDS_MAX) || null,
    });
  }
  return { lines, problems };
}

function outcomeOf(said: string): ResultLine["outcome"] {
  if (DELIVERED.test(said)) return "delivered";
  return FAILED.test(said) ? "failed" : "pending";
}

function megabytes(size: string): number {
  const [, digits, unit] = SIZE.exec(size)!;
  return Math.round(Number(digits) * (unit?.toLowerCase() === "mb" ? 1 : 1000));
}
