// The rows of a mobile money statement: which column holds what, by its heading or as a person chose, and each row as a
// line. Forms differ by network and by where the file comes from. MTN's statement by e-mail has "F_ID", "AMOUNT",
// "TRANS. TYPE", "FROM NAME", "FROM NO.", "BAL BEFORE" and "BAL AFTER"; its portal for merchants "Id", "Status",
// "Type", "From", "Amount"; others have a column for money in and one for money out.
import type { NewLine } from "../../core/payments/statements.ts";
import { readCedis } from "../../shared/money.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";

export const ROW_CHARS = 200;
export const COLUMNS_MAX = 40;
/** Titles and addresses may stand above the headings. */
const HEADING_ROWS = 30;

/** What a column may hold, with its label and the headings that say so. */
export const FIELDS = {
  id: {
    label: "Transaction ID",
    names: ["transaction id", "f id", "financial transaction id", "trans id", "txn id", "id", "receipt no"],
  },
  amount: { label: "Amount", names: ["amount", "transaction amount", "amount ghs"] },
  moneyIn: { label: "Money in", names: ["money in", "credit", "credit amount", "paid in", "amount in"] },
  moneyOut: { label: "Money out", names: ["money out", "debit", "debit amount", "withdrawn", "amount out"] },
  type: { label: "Type", names: ["direction", "trans type", "transaction type", "type"] },
  status: { label: "Status", names: ["status", "transaction status"] },
  before: { label: "Balance before", names: ["bal before", "balance before", "opening balance"] },
  after: { label: "Balance after", names: ["bal after", "balance after", "closing balance", "balance"] },
  name: { label: "Sender's name", names: ["sender name", "from name", "payer name", "customer name"] },
  number: {
    label: "Sender's number",
    names: ["sender number", "from no", "from number", "from msisdn", "from", "payer number", "from acct"],
  },
  at: {
    label: "Date",
    names: ["transaction date", "date", "date and time", "completion time", "time", "timestamp"],
  },
  original: { label: "Reversed ID", names: ["original id", "original transaction id", "reversed id"] },
  problem: { label: "Problem", names: ["problem"] },
} as const;
export type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];

/** The column of each field; null where none holds it. */
export type Mapping = Record<Field, number | null>;

export type Recognised = {
  /** The index of the row with the headings; −1 when there is none. */
  headingRow: number;
  headings: string[];
  mapping: Mapping;
};

/** Finds the row of headings, and what its columns hold. */
export function recognise(cells: readonly string[][]): Recognised {
  const scored = cells.slice(0, HEADING_ROWS).map((row, at) => ({ at, mapping: mappingOf(row) }));
  const countOf = (mapping: Mapping) => NAMES.filter((name) => mapping[name] !== null).length;
  const best = scored.reduce<(typeof scored)[number] | null>(
    (top, one) => (countOf(one.mapping) > (top ? countOf(top.mapping) : 1) ? one : top),
    null,
  );
  const width = Math.max(0, ...cells.slice(0, HEADING_ROWS).map((row) => row.length));
  const numbered = Array.from({ length: Math.min(width, COLUMNS_MAX) }, (_, n) => `Column ${n + 1}`);
  if (!best) return { headingRow: -1, headings: numbered, mapping: mappingOf([]) };
  const headings = numbered.map((number, n) => cells[best.at]![n]?.trim() || number);
  return { headingRow: best.at, headings, mapping: best.mapping };
}

function mappingOf(row: readonly string[]): Mapping {
  const headings = row.slice(0, COLUMNS_MAX).map((cell) =>
    cell
      .slice(0, 60)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, " ")
      .trim(),
  );
  const columnOf = (names: readonly string[]) => {
    const name = names.find((one) => headings.includes(one));
    return name === undefined ? null : headings.indexOf(name);
  };
  return Object.fromEntries(NAMES.map((name) => [name, columnOf(FIELDS[name].names)])) as Mapping;
}

/** What is missing for reading lines at all; null when nothing is. */
export function missingIn({ id, amount, moneyIn }: Mapping): string | null {
  if (id === null) return "Say which column holds the transaction ID.";
  if (amount === null && moneyIn === null) return "Say which column holds the amount.";
  return null;
}

export type ReadLines = {
  lines: NewLine[];
  /** Rows that cannot be read, each with its number in the file and why. */
  problems: string[];
  /** Rows of transactions that did not succeed. */
  unfinished: number;
};

/** What a person may say about rows that do not tell which way their money went. */
export type Reading = { isAllIn: boolean };

/** Reads the rows below the headings as lines. */
export function readLines(
  cells: readonly string[][],
  headingRow: number,
  mapping: Mapping,
  { isAllIn }: Reading,
): ReadLines {
  const read: ReadLines = { lines: [], problems: [], unfinished: 0 };
  const seen = new Set<string>();
  for (const [index, row] of cells.entries()) {
    if (index <= headingRow) continue;
    const cell = (field: Field) => (row[mapping[field] ?? -1] ?? "").trim().slice(0, ROW_CHARS);
    if (NAMES.every((name) => cell(name) === "")) continue;
    const line = lineOf(cell, isAllIn);
    const fault = (reason: string) => read.problems.push(`Row ${index + 1}: ${reason}`);
    if (line === "unfinished") read.unfinished += 1;
    else if (typeof line === "string") fault(line);
    else {
      const key = `${line.direction} ${line.transactionId}`;
      if (seen.has(key)) fault(`${line.transactionId} is there twice`);
      else read.lines.push(line);
      seen.add(key);
    }
  }
  return read;
}

const SUCCEEDED = /^(?:success|successful|succeeded|completed?|done|ok|approved)$/i;
const TAKEN_BACK = /revers|charge ?back|refund|roll ?back/i;
const OUT = /\b(?:out|debit|dr|sent|withdraw\w*|cash[ _-]?out|payment to|transfer to)\b/i;
const IN = /\b(?:in|credit|cr|received|deposit|cash[ _-]?in|payment from|transfer from)\b/i;

/** One row as a line, or why it is none. */
function lineOf(cell: (field: Field) => string, isAllIn: boolean): NewLine | string {
  if (cell("problem") !== "") return cell("problem");
  const status = cell("status");
  if (status !== "" && !SUCCEEDED.test(status)) return "unfinished";
  const transactionId = idIn(cell("id"));
  if (transactionId === null) return `${quoted(cell("id")) || "an empty cell"} is no transaction ID`;
  const [moneyIn, moneyOut] = [amountIn(cell("moneyIn")) ?? 0, amountIn(cell("moneyOut")) ?? 0];
  const amount = amountIn(cell("amount")) ?? (moneyIn || moneyOut || null);
  if (amount === null || amount === 0) return `${quoted(cell("amount") || cell("moneyIn"))} is no amount`;
  const way = wayOf(cell, { amount, moneyIn: Math.abs(moneyIn), moneyOut: Math.abs(moneyOut), isAllIn });
  if (way === null) return `${transactionId} does not say whether its money came in or went out`;
  const isTakenBack = TAKEN_BACK.test(cell("type"));
  if (isTakenBack && way === "in") return `${transactionId} is money of the shop that came back`;
  return {
    direction: isTakenBack ? "reversal" : way,
    transactionId,
    originalId: isTakenBack ? (idIn(cell("original")) ?? transactionId) : null,
    amountPesewas: Math.abs(amount),
    senderName: cell("name").slice(0, 100) || null,
    senderMsisdn: parseMsisdn(cell("number")),
    at: momentIn(cell("at")),
  };
}

type Amounts = { amount: number; moneyIn: number; moneyOut: number; isAllIn: boolean };

/** Whether money came in or went out, by columns, balances, sign or type; null where nothing says it. */
function wayOf(cell: (field: Field) => string, amounts: Amounts): "in" | "out" | null {
  const { amount, moneyIn, moneyOut, isAllIn } = amounts;
  if (moneyIn > 0 !== moneyOut > 0) return moneyIn > 0 ? "in" : "out";
  const [before, after] = [amountIn(cell("before")), amountIn(cell("after"))];
  if (before !== null && after !== null && before !== after) return after > before ? "in" : "out";
  if (amount < 0) return "out";
  const type = cell("type");
  // What was taken back went out of the shop's account.
  if (TAKEN_BACK.test(type)) return "out";
  if (IN.test(type) !== OUT.test(type)) return IN.test(type) ? "in" : "out";
  return isAllIn ? "in" : null;
}

/** "0000012062913379", "'40125566778"; not "4.01E+10", of which a spreadsheet has lost the end. */
function idIn(text: string): string | null {
  const digits = text.replace(/[\s']/g, "").replace(/^0+(?=\d)/, "");
  return /^[1-9]\d{5,19}$/.test(digits) ? digits : null;
}

function amountIn(text: string): number | null {
  const plain = text.replace(/^\+/, "").trim();
  if (plain === "") return null;
  return readCedis(plain) ?? (/^-?\d{1,9}\.\d{3,17}$/.test(plain) ? readCedis(Number(plain)) : null);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = "(?:[ T,]{1,3}(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?(?:\\.\\d{1,6})?\\s?([AP]M)?)?";
const ISO = new RegExp(`^(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})${TIME}Z?$`, "i");
/** The day before the month, as in Ghana. */
const DAY_FIRST = new RegExp(`^(\\d{1,2})[-/. ](\\d{1,2}|[a-z]{3,9})[-/. ](\\d{4})${TIME}$`, "i");
const SHEET_EPOCH_DAYS = 25_569;

/** The moment in a cell, in Accra's time; null where it is none. */
function momentIn(text: string): Date | null {
  if (/^\d{5}(?:\.\d{1,17})?$/.test(text)) {
    const days = Number(text);
    return days > 36_000 && days < 73_000
      ? new Date(Math.round((days - SHEET_EPOCH_DAYS) * 86_400) * 1000)
      : null;
  }
  const iso = ISO.exec(text);
  const other = iso ? null : DAY_FIRST.exec(text);
  const found = iso ?? other;
  if (!found) return null;
  const [year, middle, day] = iso ? [found[1]!, found[2]!, found[3]!] : [found[3]!, found[2]!, found[1]!];
  const month = /^\d/.test(middle) ? Number(middle) : MONTHS.indexOf(middle.slice(0, 3).toLowerCase()) + 1;
  const [, , , , hour = "0", minute = "0", second = "0", half] = found;
  const hours = (Number(hour) % (half ? 12 : 24)) + (half?.toUpperCase() === "PM" ? 12 : 0);
  const at = new Date(Date.UTC(Number(year), month - 1, Number(day), hours, Number(minute), Number(second)));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === Number(day) ? at : null;
}

const quoted = (text: string) => (text === "" ? "" : `“${text.slice(0, 30)}”`);
