// The cells of a table that was saved by a spreadsheet or copied from one.

import { allFamilies, lettersAndDigits, operatorCalled } from "../../shared/operators.ts";

export type TableRow = { /** In the file, from 1. */ number: number; cells: string[] };
export type HeadedTable = {
  heading: string[];
  rows: TableRow[];
  /** What is wrong where a title above the headings says that amounts are in something else than cedis. */
  otherCurrency: string | null;
};
export const NO_TABLE: HeadedTable = { heading: [], rows: [], otherCurrency: null };

/** Titles may stand above the headings. */
const ROWS_BEFORE_HEADINGS = 10;

/** The first row with a heading of this name, and the filled rows below it that do not repeat it; null without one. */
export function tableBelow(text: string, name: string): HeadedTable | null {
  const rows = cellsOf(text, markIn(text)).map((cells, at) => ({ number: at + 1, cells }));
  const top = rows.slice(0, ROWS_BEFORE_HEADINGS);
  const at = top.findIndex(({ cells }) => cells.some((cell) => headingName(cell) === name));
  if (at < 0) return null;
  const heading = rows[at]!.cells;
  const isRow = ({ cells }: TableRow) =>
    cells.some((cell) => cell.trim() !== "") && cells.join("\t") !== heading.join("\t");
  const title = top.slice(0, at).find(({ cells }) => cells.some((cell) => OTHER_CURRENCY.test(cell)));
  const otherCurrency = title ? `Row ${title.number} names another currency: give all amounts in GH₵.` : null;
  return { heading, rows: rows.slice(at + 1).filter(isRow), otherCurrency };
}

/** The columns of a table: what a row is about, its amounts, and what any heading may be called. */
export type KnownColumns = { about: number; amounts: readonly number[]; names: readonly string[] };

/**
 * What is wrong with a table that another one follows, or that a title splits: its rows belong to other columns. A row
 * that only names a network splits nothing. Null where nothing is.
 */
export function splitBelow(rows: readonly TableRow[], { about, amounts, names }: KnownColumns): string | null {
  const known = new Set(names.map(headingName));
  const isNone = (cell: string) => !/\p{L}/u.test(cell) || /\d|^#|^(?:n\/?a|none|null|nil)$/i.test(cell.trim());
  const isText = (cell: string) => /\p{L}/u.test(cell) && !/\d/.test(cell);
  const split = rows.find(({ cells }, at) => {
    if (productIn(cells[about] ?? "") !== null) return false;
    if (cells.some((cell) => known.has(headingName(cell))) || amounts.some((one) => !isNone(cells[one] ?? "")))
      return true;
    const filled = cells.filter((cell) => cell.trim() !== "");
    const isTitle = filled.every(isText) && !filled.some(namesNetwork);
    return isTitle && rows.slice(at + 1).some((row) => productIn(row.cells[about] ?? "") !== null);
  });
  if (!split) return null;
  const begin = split.cells.find((cell) => cell.trim() !== "")!.trim();
  const where = `Row ${split.number} (“${begin.slice(0, 30)}”)`;
  return `${where} begins another table: choose a file with one table and one row of headings.`;
}

function namesNetwork(cell: string): boolean {
  const isCalled = (name: string) => lettersAndDigits(name) === lettersAndDigits(cell);
  return (
    operatorCalled(cell) !== null ||
    allFamilies().some(({ code, name, aliases }) => [code, name, ...aliases].some(isCalled))
  );
}

/** The number of a product: "12", "012", "12.0"; null for anything else. */
export function productIn(text: string): number | null {
  const [, digits] = /^0*(\d{1,15})(?:\.0{1,9})?$/.exec(text.trim()) ?? [];
  return digits === undefined ? null : Number(digits);
}

/**
 * A heading in lower case without marks and cedis: "Cost (GH₵)" is "cost", "Product ID" is "product". Signs that say
 * something else stay: "Cost ($)" is "cost $".
 */
export function headingName(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/(?:\bin )?(?:gh[₵¢]|[₵¢]|\b(?:ghs|ghc|gh|cedis?)\b)/g, " ")
    .replace(/[^\p{L}\p{N}\p{Sc}%+=<>×÷]+/gu, " ")
    .trim()
    .replace(/^(product|supplier|vendor) (?:id|no|number|code)$/, "$1");
}

/** What is wrong with a heading that adds something to a known one, as "Cost ($)" does; null for any other. */
export function otherUnit(heading: string, names: readonly string[]): string | null {
  const given = headingName(heading);
  const name = names.find((one) => given.startsWith(headingName(one)) && OTHER_UNIT.test(given.slice(one.length)));
  return name
    ? `“${heading.trim().slice(0, 30)}” is no column of cedis: call it ${name}, and give its amounts in GH₵.`
    : null;
}

const CURRENCIES = "usd|eur|gbp|ngn|cfa|xof|dollars?|euros?|pounds?|naira|pesewas?";
/** A currency that is not the cedi. */
export const OTHER_CURRENCY = new RegExp(`(?![₵¢])\\p{Sc}|\\b(?:${CURRENCIES})\\b`, "iu");
const OTHER_UNIT = new RegExp(`[\\p{Sc}%+=<>×÷]|\\b(?:${CURRENCIES}|us|gp|p|percent|pct|margin|per)\\b|^ ?\\d`, "u");

/** Whether a row has cells beyond its headings, as one whose decimal commas were taken for separators. */
export function isTooWide(cells: readonly string[], heading: readonly string[]): boolean {
  return cells.slice(heading.length).some((cell) => cell.trim() !== "");
}

export const TOO_WIDE = "there are more cells than headings: an amount with a comma needs quotes";

/** Commas, semicolons or tabs, whichever the first filled line has most of. */
function markIn(text: string): string {
  const first = /[^\r\n]*[,;\t][^\r\n]*/.exec(text.slice(0, 10_000))?.[0] ?? "";
  const countOf = (mark: string) => first.split(mark).length;
  return [",", ";", "\t"].reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

/** The cells of CSV (RFC 4180) with this mark between them. */
export function cellsOf(text: string, mark: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)!.push(cell);
    cell = "";
  };
  const source = `${text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")}\n`;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (isQuoted && char === '"' && source[at + 1] === '"') cell += source[++at];
    else if (char === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (isQuoted || (char !== mark && char !== "\n")) cell += char;
    else {
      endCell();
      if (char === "\n") rows.push([]);
    }
  }
  return rows;
}
