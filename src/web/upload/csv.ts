// Reader of CSV (RFC 4180), in one pass.
import { uploadLimits } from "../../shared/upload-limits.ts";
import { TOO_LARGE, UnreadableFile } from "./unreadable.ts";

const MARKS = ["\t", ";", ",", "|"] as const;
/** Titles may stand above the table. */
const LINES_COMPARED = 20;

/**
 * The cells of a text, row by row with the empty ones; stops after `rowsMax` rows. Returns no rows for a quote that is
 * not closed, because then it is no CSV. Throws UnreadableFile for too many columns.
 */
export function rowsOfCsv(source: string, rowsMax: number): string[][] {
  const { text, separator } = separated(source);
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length && rows.length < rowsMax; at++) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
    if (!cell) return [];
    row.push(withoutFormula(cell.value));
    if (row.length > uploadLimits.columns) throw new UnreadableFile(TOO_LARGE);
    at = cell.end;
    if (text[at] === separator) continue;
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    else if (at < text.length && text[at] !== "\r" && text[at] !== "\n") return [];
    rows.push(row.every((value) => value === "") ? [] : row);
    row = [];
  }
  return rows;
}

/** The mark between cells: Excel writes it in a line of its own, "sep=;", or most of the first lines have it. */
function separated(source: string): { text: string; separator: string } {
  const named = /^sep=(.)\r?\n?/i.exec(source);
  if (named) return { text: source.slice(named[0].length), separator: named[1]! };
  const lines = source.slice(0, 10_000).split(/[\r\n]+/, LINES_COMPARED);
  const bare = lines.map((line) => line.replace(/"[^"]*"/g, ""));
  const countOf = (mark: string) => bare.filter((line) => line.includes(mark)).length;
  const separator = MARKS.reduce((best, mark) => (countOf(mark) > countOf(best) ? mark : best));
  return { text: source, separator };
}

/** A cell and the index of the character that ends it. */
type Found = { value: string; end: number };

function plainCell(text: string, start: number, separator: string): Found {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\r" && text[end] !== "\n") end += 1;
  return { value: text.slice(start, end), end };
}

function quotedCell(text: string, start: number): Found | null {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return null;
    // A doubled quote is one quote of the text.
    if (text[end + 1] === '"') end += 1;
    else break;
  } while (end < text.length);
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}

/** ="0241234567" is how a number keeps its zero in a spreadsheet. */
const withoutFormula = (value: string) => /^="([^"]*)"$/.exec(value.trim())?.[1] ?? value;
