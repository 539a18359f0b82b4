// Recognition of a sheet's columns: numbers, sizes, quantities, networks, by heading or by content. A column of figures
// that neither explains is never dropped: it becomes a question, or the file is refused with a message.
import { megabytes, sizeText } from "../../shared/bulk-names.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import { UnreadableFile } from "./workbook.ts";

/** Titles may precede the headings. */
const ROWS_BEFORE_HEADINGS = 10;
const FIGURE = /^\d{1,6}(?:\.\d{1,2})?$/;
const SIZE = /^(\d{1,6}(?:\.\d{1,2})?) ?(gbs?|gigs?|g|mbs?)?$/i;
const SIZE_WITH_UNIT = /^\d{1,6}(?:\.\d{1,2})? ?(?:gbs?|gigs?|g|mbs?)$/i;

/** The rows below the headings as "number,quantity size network"; null without headings. Throws UnreadableFile. */
export function linesByHeading(rows: string[][]): string[] | null {
  const at = rows.slice(0, ROWS_BEFORE_HEADINGS).findIndex(isHeadings);
  if (at < 0) return null;
  const [titles, below] = [rows[at]!, rows.slice(at + 1)];
  const number = numberColumn(titles, below);
  if (number === null) return below.map(joinCells);
  const columns = columnsOf(titles, below, number);
  return below.map((row) => {
    const phone = joinCells([row[number] ?? ""]);
    // A row without a number, such as a total, is kept whole, so that its figures are not dropped.
    if (!/\d/.test(phone)) return joinCells(row);
    const figure = cellIn(row, columns.figure);
    const named = [
      phone + quantityText(cellIn(row, columns.quantity)),
      sizeOf(cellIn(row, columns.size), titles[columns.size ?? -1] ?? ""),
      cellIn(row, columns.network),
    ];
    return named.filter((part) => part !== "").join(" ") + (figure && `\t${figure}`);
  });
}

const cellIn = (row: string[], column: number | null) => (column === null ? "" : (row[column] ?? ""));

const joinCells = (row: string[]) => row.join("\t").replaceAll("\r", " ").replaceAll("\n", " ").trim();

/** A heading in lower case without punctuation: "Data (GB)" is "data gb". */
const normalized = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}#₵]+/gu, " ")
    .trim();

const UNIT = /(?:^| )(?:gb|gbs|gig|gigs|gigabytes?|mb|mbs|megabytes?)(?= |$)/;
const SIZE_NAMES = new RegExp(
  `^(?:${[
    "(?:data|bundle|package|plan)? ?(?:size|volume|capacity|amount|allocation)",
    "amount of data|data|bundle|package|plan",
    "(?:data|mobile) (?:bundle|package|plan)",
  ].join("|")})$`,
);
const KINDS: { kind: Kind; matches: (title: string) => boolean }[] = [
  {
    kind: "number",
    matches: (title) =>
      /\b(?:phone|mobile|cell|contact|tel|telephone|msisdn|recipient|beneficiary|receiver|momo|numbers?)\b/.test(
        title,
      ) && !/\b(?:no|number) of\b/.test(title),
  },
  {
    kind: "money",
    matches: (title) => /\b(?:price|cost|ghs?|ghc|cedis?|paid|payment|fee|total|balance)\b|₵/.test(title),
  },
  {
    kind: "quantity",
    matches: (title) =>
      /^(?:qty|quantity|quantities|pieces|pcs|units?|count|times|bundles|(?:no|number) of bundles)$/.test(
        title,
      ),
  },
  {
    kind: "size",
    matches: (title) => {
      const bare = title.replace(UNIT, "").trim();
      if (bare !== title) return bare === "" || SIZE_NAMES.test(bare);
      return title !== "amount" && SIZE_NAMES.test(title);
    },
  },
  {
    kind: "network",
    matches: (title) => /^(?:mobile )?(?:network|operator|provider|carrier|telco)\b/.test(title),
  },
  {
    kind: "other",
    matches: (title) =>
      /^(?:#|no|nr|s ?n|serial|index|id|line|row|ref|reference|code|age)$/.test(title) ||
      /\b(?:serial|date|time|year|voice|minutes|sms|airtime|order id)\b/.test(title),
  },
];
type Kind = "number" | "money" | "quantity" | "size" | "network" | "other";

const kindOf = (title: string): Kind | null =>
  KINDS.find(({ matches }) => matches(normalized(title)))?.kind ?? null;

function isHeadings(row: string[]): boolean {
  if (row.some((value) => parseMsisdn(value) !== null)) return false;
  const kinds = row.map((value) => (value.length < 60 && !/\d/.test(value) ? kindOf(value) : null));
  return kinds.some((kind) => kind === "number" || kind === "quantity" || kind === "size");
}

/** The one column with phone numbers, by heading and content, or else by content. Throws UnreadableFile for two. */
function numberColumn(titles: string[], below: string[][]): number | null {
  const isNumber = (value: string) =>
    parseMsisdn(value) !== null || /^\d[.,]\d{1,17}e\+?\d{1,2}$/i.test(value);
  const fullOfThem = titles.flatMap((_, column) => (isMostly(below, column, isNumber) ? [column] : []));
  const named = fullOfThem.filter((column) => kindOf(titles[column]!) === "number");
  const [column, another] = named.length > 0 ? named : fullOfThem;
  if (another !== undefined)
    throw new UnreadableFile(
      `The columns "${titles[column!]}" and "${titles[another]}" both hold phone numbers. ` +
        "Keep only the one to send to.",
    );
  return column ?? null;
}

/** Whether more than half of the column's filled cells match; false for an empty column. */
function isMostly(below: string[][], column: number, matches: (value: string) => boolean): boolean {
  const filled = below.flatMap((row) => row[column] || []);
  return filled.filter(matches).length > filled.length / 2;
}

type Columns = Record<"quantity" | "size" | "network" | "figure", number | null>;

function columnsOf(titles: string[], below: string[][], number: number): Columns {
  const others = Array.from(
    { length: Math.max(titles.length, ...below.map((row) => row.length)) },
    (_, i) => i,
  )
    .filter((column) => column !== number)
    .map((column) => ({ column, kind: kindOf(titles[column] ?? "") }));
  const named = (kind: Kind) => others.find((other) => other.kind === kind)?.column ?? null;
  const quantity = named("quantity");
  const size =
    others.find(({ column, kind }) => kind === "size" && isMostly(below, column, (it) => SIZE.test(it)))
      ?.column ??
    others.find(({ column, kind }) => !kind && isMostly(below, column, (it) => SIZE_WITH_UNIT.test(it)))
      ?.column ??
    null;
  const known = { quantity, size, network: named("network") };
  // With number, size and quantity known, the remaining columns cannot change the order.
  if (quantity !== null && size !== null) return { ...known, figure: null };
  const unclear = others.filter(
    ({ column, kind }) =>
      column !== size &&
      column !== quantity &&
      (kind === null || kind === "size" || kind === "quantity") &&
      isMostly(below, column, (value) => FIGURE.test(value) && Number(value) > 0) &&
      !isCount(below, column),
  );
  if (unclear.length > 1) {
    const names = unclear.map(({ column }) => `"${titles[column] || `column ${column + 1}`}"`).join(" and ");
    throw new UnreadableFile(
      `It is not clear what the columns ${names} mean. ` +
        'Name them "Data (GB)", "Quantity" or "Price", then choose the file again.',
    );
  }
  return { ...known, figure: unclear[0]?.column ?? null };
}

/** Whether the column numbers its rows: 1, 2, 3 … */
function isCount(below: string[][], column: number): boolean {
  const figures = below.flatMap((row) => row[column] || []).map(Number);
  return figures.length > 2 && figures.every((figure, i) => figure === figures[0]! + i);
}

/** The quantity after a comma. One without digits becomes ",x", which has to be fixed. */
function quantityText(value: string): string {
  if (value === "") return "";
  return /\d/.test(value) ? `,${value}` : ",x";
}

/** The size with its unit. Any other value stays as it is, so that the line becomes a question. */
function sizeOf(value: string, title: string): string {
  const [, amount, unit] = SIZE.exec(value) ?? [];
  if (amount === undefined) return value;
  const ofTitle = /(?:^| )m(?:b|bs|egabytes?)(?: |$)/.test(normalized(title)) ? "mb" : "gb";
  const sizeMb = megabytes(Number(amount), unit ?? ofTitle);
  return sizeMb > 0 ? sizeText(sizeMb) : value;
}
