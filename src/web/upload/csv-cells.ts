// The cells of a table that was saved by a spreadsheet or copied from one.

export type TableRow = { /** In the file, from 1. */ number: number; cells: string[] };
export type HeadedTable = { heading: string[]; rows: TableRow[] };

/** Titles may stand above the headings. */
const ROWS_BEFORE_HEADINGS = 10;

/** The first row with a heading of this name, and the filled rows below it; null without one. */
export function tableBelow(text: string, name: string): HeadedTable | null {
  const rows = cellsOf(text).map((cells, at) => ({ number: at + 1, cells }));
  const top = rows.slice(0, ROWS_BEFORE_HEADINGS);
  const at = top.findIndex(({ cells }) => cells.some((cell) => headingName(cell) === name));
  if (at < 0) return null;
  const isFilled = ({ cells }: TableRow) => cells.some((cell) => cell.trim() !== "");
  return { heading: rows[at]!.cells, rows: rows.slice(at + 1).filter(isFilled) };
}

/** A heading in lower case without its unit and marks: "Cost (GH₵)" is "cost", "Product ID" is "product". */
export function headingName(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\b(?:ghs|ghc|gh|cedis?)\b|[^\p{L}\p{N}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/ (?:id|no|number|code)$/, "");
}

/** Whether a row has cells beyond its headings, as one whose decimal commas were taken for separators. */
export function isTooWide(cells: readonly string[], heading: readonly string[]): boolean {
  return cells.slice(heading.length).some((cell) => cell.trim() !== "");
}

export const TOO_WIDE = "there are more cells than headings: an amount with a comma needs quotes";

/** The cells of CSV (RFC 4180) with commas, semicolons or tabs, whichever its first filled line has most of. */
function cellsOf(text: string): string[][] {
  const first = /[^\r\n]*[,;\t][^\r\n]*/.exec(text.slice(0, 10_000))?.[0] ?? "";
  const countOf = (mark: string) => first.split(mark).length;
  const mark = [",", ";", "\t"].reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
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
