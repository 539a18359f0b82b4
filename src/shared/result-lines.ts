// Results of a batch as a vendor's portal or a person writes them: per line a number, its status and perhaps the size,
// in any order.
import { limits } from "./domain.ts";
import { parseMsisdn } from "./msisdn.ts";

export type ResultLine = {
  line: number;
  msisdn: string;
  volumeMb: number | null;
  outcome: "delivered" | "failed" | "pending";
  message: string | null;
};

/** Statuses that are certain: it arrived, or it did not. Any other text is asked about and never guessed. */
const DELIVERED = /^(delivered|completed?|success(ful)?|done|ok|yes)$/i;
const FAILED = /^(failed|failure|error|rejected|declined|invalid( number)?|not delivered|cancell?ed|no)$/i;
const ON_THE_WAY = /pending|processing|in[ -]?progress|submitted|initiated|sent|accepted/;
const WAITING = /waiting|queued|on[ -]?hold|held|unknown|not (?:yet )?sent/;
/** Statuses that are not final yet. */
const PENDING = new RegExp(`^(?:${ON_THE_WAY.source}|${WAITING.source})$`, "i");
const SIZE = /^(\d{1,4}(?:\.\d{1,3})?)\s*(gb|mb)?$/i;
const MESSAGE_CHARS_MAX = 200;
/** A line of results has a few cells; a longer one is refused unread. */
const ROW_CHARS_MAX = 2_000;

/** The results that were understood, and the lines that were not, each with the reason. */
export type Results = {
  lines: ResultLine[];
  /** `isUnclear`: the line has a number, but no status that was understood. */
  problems: { line: number; message: string; isUnclear: boolean }[];
};

/**
 * Reads result lines: comma, semicolon or tab between cells; a heading is skipped. A bare number of up to 4 digits is a
 * size in GB. Returns the results that were understood, and the lines that were not, each with the reason.
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
    // A final status wins over one on the way to it.
    const final = rest.findIndex((cell) => DELIVERED.test(cell) || FAILED.test(cell));
    const statusAt = final === -1 ? rest.findIndex((cell) => PENDING.test(cell)) : final;
    if (statusAt === -1) {
      problems.push({ line, message: "say delivered, failed or pending", isUnclear: true });
      continue;
    }
    const others = rest.filter((_, i) => i !== statusAt);
    const size = others.find((cell) => SIZE.test(cell));
    const message = others
      .filter((cell) => cell !== size && !/^(mtn|airteltigo|at|telecel)$/i.test(cell))
      .join(", ");
    lines.push({
      line,
      msisdn: parseMsisdn(cells[number]!)!,
      volumeMb: size === undefined ? null : megabytes(size),
      outcome: outcomeOf(rest[statusAt]!),
      message: message.slice(0, MESSAGE_CHARS_MAX) || null,
    });
  }
  return { lines, problems };
}

function outcomeOf(status: string): ResultLine["outcome"] {
  if (DELIVERED.test(status)) return "delivered";
  return FAILED.test(status) ? "failed" : "pending";
}

function megabytes(size: string): number {
  const [, digits, unit] = SIZE.exec(size)!;
  return Math.round(Number(digits) * (unit?.toLowerCase() === "mb" ? 1 : 1000));
}
