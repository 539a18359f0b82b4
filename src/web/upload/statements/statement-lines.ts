// The rows of a mobile money statement as lines. Whatever a row says twice has to agree: where its columns, its type,
// its sign and its balances contradict each other, or a total its rows, nothing is credited.

import { senderIn } from "../../../core/payments/deposits/senders.ts";
import type { NewLine } from "../../../core/payments/deposits/statements.ts";
import { show } from "../../../shared/money.ts";
import { OTHER_CURRENCY } from "../csv-cells.ts";
import { type DateOrder, type Moment, momentsIn } from "./moments.ts";
import { balancesBefore, wayOf, wrongTotals } from "./statement-checks.ts";
import type { Mapping } from "./statement-columns.ts";
import { Doubts } from "./statement-doubts.ts";
import { idIn, MONEY, type Row, rowsBelow } from "./statement-rows.ts";
import { statusIn, typeIn } from "./statement-trouble.ts";

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
  const read: ReadLines = {
    lines: [],
    problems: [...otherCurrency(cells, headingRow), ...wrongTotals(rows)],
    undated: [],
    unfinished: 0,
  };
  const isWrong = read.problems.length > 0;
  const once = new Map<string, { line: NewLine; number: number }>();
  const doubts = new Doubts();
  const counted = [...rows.entries()].filter(([, { summary }]) => !summary);
  const ids = new Set(counted.map(([, { text }]) => idIn(text("id"))).filter((id) => id !== null));
  for (const [index, row] of counted) {
    const fault = (reason: string) => read.problems.push(`Row ${row.number}: ${reason}`);
    const line = lineOf(row, { isAllIn, hasStatus, before: before[index]!, at: moments[index], ids });
    doubts.add(row, line);
    if (line === "unfinished") read.unfinished += 1;
    else if (typeof line === "string") fault(line);
    else {
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
  return isWrong ? { ...read, lines: [] } : doubts.leaveOut(read);
}

/** What titles above the headings say about the currency of all amounts. */
function otherCurrency(cells: readonly string[][], headingRow: number): string[] {
  const at = cells.slice(0, Math.max(0, headingRow)).findIndex((row) => row.some((cell) => OTHER_CURRENCY.test(cell)));
  return at < 0 ? [] : [`Row ${at + 1} names another currency. Nothing is imported: remove it if amounts are in cedis`];
}

const dateOf = ({ text }: Row): string => {
  const [date, time] = [text("at"), text("time")];
  return date === "" ? time : time === "" || date.includes(":") ? date : `${date} ${time}`;
};

type Around = {
  isAllIn: boolean;
  hasStatus: boolean;
  before: number | null;
  at: Moment;
  /** All transactions of the statement. */
  ids: ReadonlySet<string>;
};

/** One row as a line, or why it is none. */
function lineOf(row: Row, { isAllIn, hasStatus, before, at, ids }: Around): NewLine | string {
  const { text } = row;
  if (text("problem") !== "") return text("problem");
  if (statusIn(text("status")) === "failed") return "unfinished";
  const known = idAndAmount(row, hasStatus);
  if (typeof known === "string") return known;
  const { transactionId, amount } = known;
  const own = wayOf(row, amount, before);
  const found = own ?? (isAllIn ? "in" : null);
  if (found === null) return `${transactionId} does not say whether its money came in or went out`;
  if (own === null && found === "in" && row.noIncome !== null)
    return `${transactionId} says ${quoted(row.noIncome)}: write In or Out beside it in a column Direction`;
  if (typeof found === "object") return `${transactionId} ${found.problem}`;
  const originalId = row.trouble?.isTakenBack && found === "out" ? originalOf(row, transactionId, ids) : null;
  const strange =
    (found === "in" && strangeIn(row, own !== null)) || (typeof originalId === "object" && originalId?.problem);
  if (strange) return `${transactionId} ${strange}`;
  return {
    direction: originalId === null ? found : "reversal",
    transactionId,
    originalId: originalId as string | null,
    amountPesewas: amount,
    ...senderOf(row),
    at: at ?? null,
  };
}

/** "233200000001 - KOFI MENSAH" is number and name. */
function senderOf({ text }: Row): Pick<NewLine, "senderName" | "senderMsisdn"> {
  const [, number, name] = /^((?:\+?233|0)\d{9})(?!\d)[\s-]{0,5}(.*)$/.exec(text("name")) ?? [];
  const isBoth = number !== undefined && text("name") === text("number");
  return {
    senderName: (isBoth ? name! : text("name")).slice(0, 100) || null,
    senderMsisdn: senderIn(isBoth ? number : text("number")),
  };
}

/** Why money that came in is not certain; null where nothing speaks against it. */
function strangeIn({ text, trouble }: Row, isOwn: boolean): string | null {
  if (trouble?.isTakenBack && trouble.text === text("type")) return "is money of the shop that came back";
  if (trouble) return `came in, but says ${quoted(trouble.text)}: check whether the money is there`;
  const unknown = (["type", "direction"] as const).find((field) => !typeIn(text(field)).isPlain);
  // A person who says that such rows came in has seen their types.
  if (!unknown || !isOwn) return null;
  return `has the type ${quoted(text(unknown))}: check that its money came, or choose no column of types below`;
}

/** The transaction that a reversal takes back: one that it names, or its own; or why that is not certain. */
function originalOf(
  { text, trouble, named }: Row,
  own: string,
  ids: ReadonlySet<string>,
): string | { problem: string } {
  const typed = text("original");
  const linked = idIn(typed);
  if (trouble!.isUnclear) return { problem: `says ${quoted(trouble!.text)}: check whether its money went back` };
  if (linked === null && /[1-9a-z]/i.test(typed)) return { problem: `takes back ${quoted(typed)}, which is no ID` };
  const found = [...named.filter((id) => ids.has(id)), ...trouble!.names];
  const others = new Set([linked, ...found].filter((id) => id !== null && id !== own));
  if (others.size > 1) return { problem: `takes back one of ${[...others].slice(0, 3).join(", ")}: check which` };
  const [original = own] = others;
  return original!;
}

function idAndAmount(row: Row, hasStatus: boolean): { transactionId: string; amount: number } | string {
  const { text, money } = row;
  const transactionId = idIn(text("id"));
  if (transactionId === null) return `${quoted(text("id")) || "an empty cell"} is no transaction ID`;
  if (hasStatus && text("status") === "") return `${transactionId} has no status`;
  const status = statusIn(text("status"));
  if (status === "back")
    return `${transactionId} has the status ${quoted(text("status"))}: look up whether its deposit was credited`;
  if (status !== "done")
    return `what does the status ${quoted(text("status"))} of ${transactionId} mean? Write Completed if its money came`;
  if (!/^(?:gh[s₵¢c]|₵|(?:ghana(?:ian)? )?cedis?|)$/i.test(text("currency")))
    return `${transactionId} is in ${quoted(text("currency"))}, not in cedis`;
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
