// The rows of a mobile money statement as lines. Whatever a row says twice has to agree: where its columns, its type,
// its sign and its balances contradict each other, or a total its rows, nothing is credited.

import { senderIn } from "../../../core/payments/deposits/senders.ts";
import type { NewLine } from "../../../core/payments/deposits/statements.ts";
import { show } from "../../../shared/money.ts";
import { type DateOrder, type Moment, momentsIn } from "./moments.ts";
import { balancesBefore, isFinished, TAKEN_BACK, wayOf, wrongTotals } from "./statement-checks.ts";
import type { Mapping } from "./statement-columns.ts";
import { idIn, MONEY, type Row, rowsBelow } from "./statement-rows.ts";

export type ReadLines = {
  lines: NewLine[];
  /** Rows that cannot be read, each with its number in the file and why. */
  problems: string[];
  /** Rows that are read without their date, each with its number. */
  undated: string[];
  /** Rows of transactions that did not succeed. */
  unfinished: number;
};

/** What a person may choose for rows that do not tell which way their money went, and for dates in figures. */
export type Choices = { isAllIn: boolean; dateOrder: DateOrder };

/** Reads the rows below the headings as lines. */
export function readLines(
  cells: readonly string[][],
  headingRow: number,
  mapping: Mapping,
  { isAllIn, dateOrder }: Choices,
): ReadLines {
  const rows = rowsBelow(cells, headingRow, mapping);
  const moments = momentsIn(rows.map(dateOf), dateOrder);
  const before = balancesBefore(rows);
  const hasStatus = rows.some(({ text }) => text("status") !== "");
  const read: ReadLines = { lines: [], problems: wrongTotals(rows), undated: [], unfinished: 0 };
  const isWrong = read.problems.length > 0;
  const once = new Map<string, { line: NewLine; number: number }>();
  /** The rows that could not be read, by their IDs. */
  const unread = new Map<string, number>();
  const counted = [...rows.entries()].filter(([, { summary }]) => !summary);
  for (const [index, row] of counted) {
    const fault = (reason: string) => read.problems.push(`Row ${row.number}: ${reason}`);
    const line = lineOf(row, { isAllIn, hasStatus, before: before[index]!, at: moments[index] });
    if (line === "unfinished") read.unfinished += 1;
    else if (typeof line === "string") {
      fault(line);
      unread.set(idIn(row.text("id")) ?? "", row.number);
    } else {
      const key = `${line.direction} ${line.transactionId}`;
      const first = once.get(key);
      if (!first) {
        once.set(key, { line, number: row.number });
        read.lines.push(line);
        if (moments[index] === undefined)
          read.undated.push(`Row ${row.number}: ${quoted(dateOf(row))} could not be read`);
      } else if (first.line.amountPesewas === line.amountPesewas) fault(`${line.transactionId} is there twice`);
      else {
        fault(`${line.transactionId} is there twice, in row ${first.number} with another amount`);
        read.lines = read.lines.filter((one) => one !== first.line);
      }
    }
  }
  return isWrong ? { ...read, lines: [] } : withoutUnread(read, unread);
}

/** Without the lines whose transaction is in another row, too, which may say something else about it. */
function withoutUnread(read: ReadLines, unread: ReadonlyMap<string, number>): ReadLines {
  const isSure = ({ transactionId }: NewLine) => !unread.has(transactionId);
  const problems = read.lines
    .filter((line) => !isSure(line))
    .map(({ transactionId: id }) => `Row ${unread.get(id)}: ${id} is there twice; its other row is not used either`);
  return { ...read, lines: read.lines.filter(isSure), problems: [...read.problems, ...problems] };
}

const dateOf = ({ text }: Row): string => {
  const [date, time] = [text("at"), text("time")];
  return date === "" ? time : time === "" || date.includes(":") ? date : `${date} ${time}`;
};

type Around = { isAllIn: boolean; hasStatus: boolean; before: number | null; at: Moment };

/** One row as a line, or why it is none. */
function lineOf(row: Row, { isAllIn, hasStatus, before, at }: Around): NewLine | string {
  const { text } = row;
  if (text("problem") !== "") return text("problem");
  if (!isFinished(text("status"))) return "unfinished";
  const known = idAndAmount(row, hasStatus);
  if (typeof known === "string") return known;
  const { transactionId, amount } = known;
  const found = wayOf(row, amount, before) ?? (isAllIn ? "in" : null);
  if (found === null) return `${transactionId} does not say whether its money came in or went out`;
  if (typeof found === "object") return `${transactionId} ${found.problem}`;
  const isTakenBack = TAKEN_BACK.test(text("type"));
  if (isTakenBack && found === "in") return `${transactionId} is money of the shop that came back`;
  return {
    direction: isTakenBack ? "reversal" : found,
    transactionId,
    originalId: isTakenBack ? (idIn(text("original")) ?? transactionId) : null,
    amountPesewas: amount,
    senderName: text("name").slice(0, 100) || null,
    senderMsisdn: senderIn(text("number")),
    at: at ?? null,
  };
}

function idAndAmount(row: Row, hasStatus: boolean): { transactionId: string; amount: number } | string {
  const { text, money } = row;
  const transactionId = idIn(text("id"));
  if (transactionId === null) return `${quoted(text("id")) || "an empty cell"} is no transaction ID`;
  if (hasStatus && text("status") === "") return `${transactionId} has no status`;
  const unreadable = MONEY.find((field) => money[field] === undefined);
  if (unreadable) return `${quoted(text(unreadable))} is no amount`;
  const amount = amountOf(row);
  if (typeof amount === "string") return `${transactionId} ${amount}`;
  if (amount === 0) return `${quoted(text("amount") || text("moneyIn")) || "an empty cell"} is no amount`;
  return { transactionId, amount };
}

/** The one amount of a row, without its sign; or what contradicts it. */
function amountOf({ money }: Row): number | string {
  const sizeOf = (figure: number | null | undefined) => Math.abs(figure ?? 0);
  const [amount, came, went] = [sizeOf(money.amount), sizeOf(money.moneyIn), sizeOf(money.moneyOut)];
  if (came && went) return `contradicts itself: ${show(came)} came in and ${show(went)} went out`;
  const moved = came || went;
  if (amount && moved && amount !== moved) return `has two amounts: ${show(amount)} and ${show(moved)}`;
  return amount || moved;
}

const quoted = (text: string) => (text === "" ? "" : `“${text.slice(0, 30)}”`);
