// The parser of a batch's results, as a vendor's portal or an admin writes them: number, status and perhaps size, in
// any order.

import { limits } from "./domain.ts";
import { parseMsisdn } from "./msisdn.ts";
import { allOperators, lettersAndDigits } from "./operators.ts";

export type ResultLine = {
  line: number;
  msisdn: string;
  volumeMb: number | null;
  outcome: "delivered" | "failed" | "pending";
  message: string | null;
};

/** Terms for a certain success and a certain failure. Anything else is a problem to resolve, never a guess. */
const DELIVERED = /^(delivered|completed?|success(ful)?|done|ok|yes)$/i;
const FAILED = /^(failed|failure|error|rejected|declined|invalid( number)?|not delivered|cancell?ed|no)$/i;
/** Terms for an outcome that is not known yet. */
const PENDING = new RegExp(
  "^(pending|processing|in[ -]?progress|waiting|queued|submitted|initiated|sent|accepted|on[ -]?hold|held|unknown" +
    "|not (yet )?sent)$",
  "i",
);
const SIZE = /^(\d{1,4}(?:\.\d{1,3})?)\s*(gb|mb)?$/i;
const NOTE_MAX = 200;
/** A result line has a few cells; a longer one is a problem. */
const ROW_CHARS_MAX = 2_000;

/** The parsed lines, and those that could not be parsed, each with the reason. */
export type Results = {
  lines: ResultLine[];
  /** `isUnclear`: there is a number, but no status. */
  problems: { line: number; message: string; isUnclear: boolean }[];
};

/**
 * Parses result lines: cells separated by comma, semicolon or tab; a heading is skipped. A bare number of up to 4
 * digits is a size in GB.
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
    // A final status outweighs a pending one on the same line.
    const final = rest.findIndex((cell) => DELIVERED.test(cell) || FAILED.test(cell));
    const status = final === -1 ? rest.findIndex((cell) => PENDING.test(cell)) : final;
    if (status === -1) {
      problems.push({ line, message: "say delivered, failed or pending", isUnclear: true });
      continue;
    }
    const others = rest.filter((_, i) => i !== status);
    const size = others.find((cell) => SIZE.test(cell));
    const note = others.filter((cell) => cell !== size && !isNetwork(cell)).join(", ");
    lines.push({
      line,
      msisdn: parseMsisdn(cells[number]!)!,
      volumeMb: size === undefined ? null : megabytes(size),
      outcome: outcomeOf(rest[status]!),
      message: note.slice(0, NOTE_MAX) || null,
    });
  }
  return { lines, problems };
}

/** Whether a cell names a network, also one that sells no more: its orders may still be out. */
function isNetwork(cell: string): boolean {
  const name = lettersAndDigits(cell);
  return allOperators().some(({ aliases }) => aliases.some((alias) => lettersAndDigits(alias) === name));
}

function outcomeOf(status: string): ResultLine["outcome"] {
  if (DELIVERED.test(status)) return "delivered";
  return FAILED.test(status) ? "failed" : "pending";
}

function megabytes(size: string): number {
  const [, digits, unit] = SIZE.exec(size)!;
  return Math.round(Number(digits) * (unit?.toLowerCase() === "mb" ? 1 : 1000));
}
