// Recognition of a sheet's columns: numbers, sizes, quantities, networks, by heading or by content. A column of figures
// that neither explains is never dropped, nor is a cell without a value or a remark that speaks against an order: each
// becomes a question, or the file is refused with a message.

import { SPELT } from "../../shared/lists/bulk-lines.ts";
import { annotate, megabytes, sizeText } from "../../shared/lists/bulk-names.ts";
import { isAgainst, speaksAgainst } from "../../shared/lists/bulk-remarks.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import type { Cell } from "./sheet.ts";
import { type Kind, kindOf, normalized } from "./sheet-headings.ts";
import { UnreadableFile } from "./unreadable.ts";

/** Titles may precede the headings. */
const ROWS_BEFORE_HEADINGS = 10;
/** With a decimal point or comma. */
const FIGURE = /^\d{1,6}(?:[.,]\d{1,2})?$/;
const SIZE = /^(\d{1,6}(?:[.,]\d{1,2})?) ?(gbs?|gig(?:abyte)?s?|go|g|mbs?|megabytes?|mo)?$/i;
const SIZE_WITH_UNIT = /^\d{1,6}(?:[.,]\d{1,2})? ?(?:gbs?|gig(?:abyte)?s?|go|g|mbs?|megabytes?|mo)$/i;

/**
 * The rows of a sheet as "number,quantity size network", with a note on what they were; null without headings. Where
 * tables stand below each other, each has its own. Throws UnreadableFile.
 */
export function linesByHeading(cells: readonly Cell[][]): { lines: string[]; notes: string[] } | null {
  const rows = cells.map((row) => row.map(({ text }) => text));
  const first = rows
    .slice(0, ROWS_BEFORE_HEADINGS)
    .findIndex((row, at) => isHeadings(row, hasNumbers(rows.slice(0, at))));
  if (first < 0) return null;
  const starts = rows.flatMap((row, at) => (at === first || (at > first && isHeadings(row, true)) ? [at] : []));
  const tables = starts.map((at, n) => linesBelow(rows[at]!, rows.slice(at + 1, starts[n + 1])));
  // Titles are no orders, but numbers above the headings may be.
  const above = rows.slice(0, first).filter((row) => row.some(isPhone));
  return {
    lines: [...above.map(joinCells), ...tables.flatMap(({ lines }) => lines)],
    notes: tables.flatMap(({ notes }) => notes),
  };
}

function linesBelow(titles: string[], below: string[][]): { lines: string[]; notes: string[] } {
  const number = numberColumn(titles, below);
  if (number === null) return { lines: below.map(joinCells), notes: [] };
  const columns = columnsOf(titles, below, number);
  const status = statusOfOrders(titles);
  // In the shop's own list of orders the amount is what they cost, and their status says what became of them.
  const used = status === null ? columns : { ...columns, remarks: [], fates: [], figures: [] };
  const notes = status === null ? [] : [placedNote(below.map((row) => row[status] ?? ""))];
  return { lines: below.map((row) => lineOf(row, titles, used)), notes };
}

/** The column with the status in a file of orders from this shop; null in any other. */
function statusOfOrders(titles: string[]): number | null {
  const isOurs = ["Order ID", "Number", "Status", "Quantity", "Amount"].every((name) => titles.includes(name));
  return isOurs ? titles.indexOf("Status") : null;
}

function placedNote(statuses: string[]): string {
  const counts = Map.groupBy(
    statuses.filter((status) => status !== ""),
    (status) => status,
  );
  const texts = [...counts].map(([status, some]) => `${some.length.toLocaleString("en")} ${status}`);
  return `These orders were placed before: ${texts.join(", ")}. Keep only those to buy again.`;
}

function lineOf(row: string[], titles: string[], columns: Columns): string {
  const phone = joinCells([row[columns.number] ?? ""]);
  // A row without a number, such as a total, is kept whole, so that its figures are not dropped; so is one with more
  // cells than headings, as where decimal commas were taken for separators.
  const isTooWide = row.slice(titles.length).some((cell) => cell !== "");
  if (!/\d/.test(phone) || isTooWide) return joinCells(row);
  const cellsIn = (some: readonly number[]) => some.map((column) => row[column] ?? "");
  const sizes = columns.sizes.map((column) => sizeOf(row[column] ?? "", titles[column] ?? ""));
  const parts = [
    phone + cellsIn(columns.quantities).map(quantityText).join(""),
    ...sizesIn(sizes),
    ...cellsIn(columns.networks).map((cell) => networkOf(cell)),
    ...columns.ofNetworks.flatMap((column) => (/\d/.test(row[column] ?? "") ? networksIn(titles[column]!) : [])),
    ...cellsIn(columns.remarks).filter((cell) => speaksAgainst(cell) || changesOrder(cell)),
    ...cellsIn(columns.unknown).filter((cell) => isFigureAmongLetters(cell) && !changesOrder(cell)),
    ...cellsIn(columns.others).filter((cell) => namesSize(cell) || TIMES.test(cell)),
    ...cellsIn(columns.people).filter((cell) => isAgainst(cell)),
    ...columns.payments.flatMap((column) => paymentOf(row[column] ?? "", titles[column]!)),
    ...columns.fates.flatMap((column) => fateOf(row[column] ?? "", titles[column]!)),
  ];
  const figures = cellsIn(columns.figures).filter((cell) => /\d|#/.test(cell));
  const named = parts.map((part) => joinCells([part])).filter((part) => part !== "");
  return named.join(" ") + figures.map((figure) => `\t${figure.replace(/^(\d+),(\d{1,2})$/, "$1.$2")}`).join("");
}

/**
 * The cells for a size, each once. Where none of those that are filled has a figure, such as "n/a", the line is not to
 * get the size of the list's package without a word.
 */
function sizesIn(cells: string[]): string[] {
  const filled = [...new Set(cells)].filter((cell) => cell !== "");
  return filled.length === 0 || filled.some((cell) => /\d|#/.test(cell)) ? filled : [`#no size: ${filled[0]}`];
}

const joinCells = (row: string[]) => row.join("\t").replaceAll("\r", " ").replaceAll("\n", " ").trim();

/** Whether a row has headings. Below numbers, only one that names their column is no row of them. */
function isHeadings(row: string[], isBelowNumbers: boolean): boolean {
  if (row.some((value) => isPhone(value) || isData(value))) return false;
  const kinds = row.map((value) => (value.length < 60 && /\p{L}/u.test(value) ? kindOf(value) : null));
  const has = (...some: Kind[]) => kinds.some((kind) => kind !== null && some.includes(kind));
  return isBelowNumbers ? has("number") && has("quantity", "size", "network") : has("number", "quantity", "size");
}

const hasNumbers = (rows: string[][]) => rows.some((row) => row.some(isPhone));

/** What no heading is: a figure, a size, or digits enough for a number. */
const isData = (value: string) =>
  FIGURE.test(value) || SIZE_WITH_UNIT.test(value) || (value.match(/\d/g)?.length ?? 0) > 6;

/** The one column with phone numbers, by heading and content, or else by content. Throws UnreadableFile for two. */
function numberColumn(titles: string[], below: string[][]): number | null {
  const isNumber = (value: string) => isPhone(value) || /^\d[.,]\d{1,17}e\+?\d{1,2}$|^#struck out/i.test(value);
  const width = Math.max(titles.length, ...below.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  const fullOfThem = columns.filter((column) => isMostly(below, column, isNumber));
  const named = fullOfThem.filter((column) => kindOf(titles[column] ?? "") === "number");
  // What is called a number and holds some is it, and not a column of numbers that is called something else.
  const alone = named.length === 0 ? headedAlone(titles, below) : null;
  if (alone !== null) return alone;
  const [column, another] = named.length > 0 ? named : fullOfThem;
  if (another !== undefined)
    throw new UnreadableFile(
      `The columns "${titles[column!]}" and "${titles[another]}" both hold phone numbers. ` +
        "Keep only the one to send to.",
    );
  return column ?? null;
}

/** A number as such, or with the ".0" that some programs add to figures. */
const isPhone = (value: string) => parseMsisdn(value.replace(/\.0{1,2}$/, "")) !== null;

/** The one column that is called so and has numbers at all, however many of them cannot be read. */
function headedAlone(titles: string[], below: string[][]): number | null {
  const named = titles.flatMap((title, column) => (kindOf(title) === "number" ? [column] : []));
  const [column, another] = named.filter((it) => below.some((row) => isPhone(row[it] ?? "")));
  return another === undefined ? (column ?? null) : null;
}

/** Whether more than half of the column's filled cells match; false for an empty column. */
function isMostly(below: string[][], column: number, matches: (value: string) => boolean): boolean {
  const filled = below.flatMap((row) => row[column] || []).filter((value) => !value.startsWith("#N/A"));
  return filled.filter(matches).length > filled.length / 2;
}

type Columns = { number: number } & Record<
  | "quantities"
  | "sizes"
  | "networks"
  | "ofNetworks"
  | "remarks"
  | "others"
  | "people"
  | "payments"
  | "fates"
  | "unknown"
  | "figures",
  number[]
>;

function columnsOf(titles: string[], below: string[][], number: number): Columns {
  const width = Math.max(titles.length, ...below.map((row) => row.length));
  const others = Array.from({ length: width }, (_, column) => ({
    column,
    kind: kindOf(titles[column] ?? ""),
  })).filter(({ column }) => column !== number);
  const of = (...kinds: (Kind | null)[]) =>
    others.flatMap(({ column, kind }) => (kinds.includes(kind) ? [column] : []));
  const has = (column: number, matches: (value: string) => boolean) => below.some((row) => matches(row[column] ?? ""));
  const quantities = of("quantity");
  const sizes = [...of("size"), ...of(null).filter((column) => has(column, (value) => SIZE_WITH_UNIT.test(value)))];
  const remarks = of("remark", null).filter(
    (column) => !sizes.includes(column) && !(column < number && isCount(below, column)),
  );
  const known = {
    number,
    quantities,
    sizes,
    networks: of("network"),
    ofNetworks: of(null, "size").filter((column) => networksIn(titles[column] ?? "").length > 0),
    remarks,
    others: of("other", "money"),
    people: of("other").filter((column) => /\b(?:name|customer|client)\b/.test(normalized(titles[column] ?? ""))),
    payments: of("money", "leave"),
    fates: of("fate"),
    unknown: [],
  };
  const isSized = sizes.some((column) => below.every((row) => hasSize(row, column, number)));
  // With number, size and quantity known, the remaining columns cannot change the order.
  if (quantities.length > 0 && isSized) return { ...known, figures: [] };
  const figures = of(null, "amount").filter(
    (column) =>
      !sizes.includes(column) &&
      has(column, (value) => isFigure(value)) &&
      !(column < number && isCount(below, column)) &&
      !(isSized && kindOf(titles[column] ?? "") === "amount"),
  );
  if (figures.length > 1) {
    const names = figures.map((column) => `"${titles[column] || `column ${column + 1}`}"`).join(" and ");
    throw new UnreadableFile(
      `It is not clear what the columns ${names} mean. ` +
        'Name them "Data (GB)", "Quantity" or "Price", then choose the file again.',
    );
  }
  const worded = remarks.filter((column) => !figures.includes(column));
  const unknown = worded.filter((column) => kindOf(titles[column] ?? "") === null);
  return { ...known, remarks: worded, unknown, figures };
}

/** "5GB MTN bundle", "x2", "Telecel": what a line would be read by, in a column whose heading says nothing of it. */
const changesOrder = (cell: string) => namesSize(cell) || namesNetwork(cell) || TIMES.test(cell) || SPELT.test(cell);

// Most cells of ten thousand rows are decided without the work, and the memory, of taking them apart.
const namesSize = (cell: string) => /\d ?[gm]/i.test(cell) && annotate(cell).sizes.length > 0;
const NETWORK_CHARS_MAX = 24;
function namesNetwork(cell: string): boolean {
  if (cell.length > NETWORK_CHARS_MAX || !/^\P{N}*\p{L}/u.test(cell)) return false;
  const { networks, text } = annotate(cell);
  return networks.length > 0 && text.trim() === "";
}

/** "5 please": GB, bundles, or neither. "Form 2" is a name. */
const isFigureAmongLetters = (cell: string) =>
  /\p{L}/u.test(cell) && /(?<![\p{L}\d])\d{1,3}(?![\p{L}\d])/u.test(cell) && !NAME_WITH_COUNT.test(cell);
const NAME_WITH_COUNT =
  /^(?!(?:Buy|Send|Need|Want|Give|Get|Qty|Order|Data|Size|Only|Just) )\p{Lu}\p{Ll}{2,15} \d{1,3}$/u;
const TIMES = /(?<![\p{L}\d])(?:[x×*] ?\d|\d{1,3} ?(?:[x×*]|bundles?|pcs|pieces|times)(?![\p{L}\d]))/iu;

/**
 * What a column says that became of an order: nothing for "no" below "Sent", or a status of one that waits; else a
 * question, as "Done: yes".
 */
function fateOf(cell: string, title: string): string[] {
  const text = cell.trim().toLowerCase();
  const isStatus = /\b(?:status|state|result|outcome)\b/.test(normalized(title));
  const isNothing = (isStatus ? TO_BUY : /^(?:no|n|false|0|-|–)?$/).test(text);
  return isNothing ? [] : [`done? ${title}: ${cell}`];
}

/** Below "Paid" or "Active": a question for all but a yes, a way to pay or an amount. */
function paymentOf(cell: string, title: string): string[] {
  const text = cell.trim().toLowerCase();
  const isNothingPaid = /^0+(?:[.,]0+)?$/.test(text) && /\b(?:paid|payment|active)\b/.test(normalized(title));
  const isPaid = /\d/.test(text) ? !isNothingPaid && !isAgainst(text) : text === "" || PAID.test(text);
  return isPaid || namesSize(cell) ? [] : [`not paid? ${title}: ${cell}`];
}

const PAID = new RegExp(
  "^(?:(?:fully |all )?paid(?: (?:in )?full)?|yes|y|true|full|ok(?:ay)?|✓|✔|✅|-|–" +
    "|(?:by )?(?:cash|momo|mobile money|bank|transfer|card|wallet|mtn|telecel|at)(?: paid)?|success(?:ful)?" +
    "|completed?|confirmed|approved|done|received|settled|cleared|free|active|enabled)$",
);

/** A cell of the network's column that names none is asked about. */
const networkOf = (cell: string) =>
  /\p{L}/u.test(cell) && annotate(cell).networks.length === 0 && !cell.startsWith("#") ? `#no network: ${cell}?` : cell;

const networksIn = (title: string) => annotate(title).networks.map(({ text }) => text);

const TO_BUY = /^(?:|-|–|new|open|active|to ?do|to (?:send|buy|order)|paid|ready|approved|confirmed|ok(?:ay)?)$/;

const isFigure = (value: string) =>
  value.startsWith("#") || (FIGURE.test(value) && Number(value.replace(",", ".")) > 0);

/** Whether a row names a size in this column, or has no number to send to. */
function hasSize(row: string[], column: number, number: number): boolean {
  return !/\d/.test(row[number] ?? "") || /\d ?(?:g|m)/i.test(row[column] ?? "") || SIZE.test(row[column] ?? "");
}

/** Whether the column numbers its rows: 1, 2, 3 … */
function isCount(below: string[][], column: number): boolean {
  const figures = below.flatMap((row) => row[column] || []).map(Number);
  return figures.length > 2 && figures.every((figure, i) => figure === figures[0]! + i);
}

/** The quantity after a comma. One without digits becomes ",x", which has to be fixed. */
function quantityText(value: string): string {
  if (value === "") return "";
  if (value.startsWith("#")) return ` ${value}`;
  return /\d/.test(value) ? `,${value.replace(/^(\d+),(\d{1,2})$/, "$1.$2")}` : ",x";
}

/**
 * The size with its unit, and the network where a product's name has both. Any other value stays as it is, so that the
 * line becomes a question.
 */
function sizeOf(value: string, title: string): string {
  const [, amount, unit] = SIZE.exec(value) ?? [];
  if (amount === undefined) return productOf(value);
  const ofTitle =
    /(?:^| )(m(?:b|bs|egabytes?|o)|g(?:b|bs|igs?|igabytes?|o))(?: |$)/.exec(normalized(title))?.[1] ?? "gb";
  const sizeMb = megabytes(Number(amount.replace(",", ".")), unit ?? ofTitle);
  return sizeMb > 0 ? sizeText(sizeMb) : value;
}

/** "MTN UP2U 1GB" as "1GB MTN": the name of a product may have digits of its own. */
function productOf(value: string): string {
  const { sizes, networks, text: rest } = annotate(value);
  if (TIMES.test(value)) return value;
  if (sizes.length !== 1 || speaksAgainst(value) || /(?<![\p{L}\d])\d|#/u.test(rest)) return value;
  return [sizeText(sizes[0]!), ...new Set(networks.map(({ text }) => text))].join(" ");
}
