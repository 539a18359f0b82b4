// What a pasted text of bulk lines comes to, and the text again with lines mended or taken out.
import { type BulkLine, parseBulkLines } from "../../src/shared/bulk-lines.ts";
import type { ErrorCode } from "../../src/shared/errors.ts";

/** Lines with the same number: the first one's place, and the places of those after it. */
export type Repeat = { msisdn: string; first: number; again: number[] };
export type BadLine = { place: number; text: string; problem: ErrorCode };
export type Summary = {
  lineCount: number;
  goodCount: number;
  /** The bundles in the good lines. */
  goodQuantity: number;
  bad: BadLine[];
  repeats: Repeat[];
  repeatCount: number;
};

/** Counts as the server does when it checks the form: a repeated number is not good, unless repeats are meant. */
export function summarise(text: string, allowRepeats: boolean): Summary {
  const lines = parseBulkLines(text);
  const linesOf = new Map<string, BulkLine[]>();
  const bad: BadLine[] = [];
  let [goodCount, goodQuantity] = [0, 0];
  for (const line of lines) {
    const { msisdn, problem, quantity, line: place } = line;
    const same = msisdn ? linesOf.get(msisdn) : undefined;
    if (same) same.push(line);
    else if (msisdn) linesOf.set(msisdn, [line]);
    if (problem) bad.push({ place, text: line.text, problem });
    else if (!same || allowRepeats) {
      goodCount += 1;
      goodQuantity += quantity;
    }
  }
  const repeats = allowRepeats ? [] : [...linesOf].flatMap(([msisdn, same]) => repeatOf(msisdn, same));
  const repeatCount = repeats.reduce((sum, { again }) => sum + again.length, 0);
  return { lineCount: lines.length, goodCount, goodQuantity, bad, repeats, repeatCount };
}

function repeatOf(msisdn: string, [first, ...later]: BulkLine[]): Repeat[] {
  const again = later.filter(({ problem }) => problem === null).map(({ line }) => line);
  return again.length === 0 ? [] : [{ msisdn, first: first!.line, again }];
}

const splitLines = (text: string) => text.split(/\r\n|\r|\n/);

/** The text with this line (counted from 1) as it was mended; mended to nothing, it goes. */
export function replaceLine(text: string, place: number, line: string): string {
  if (line.trim() === "") return removeLines(text, [place]);
  return splitLines(text)
    .map((before, i) => (i === place - 1 ? line : before))
    .join("\n");
}

/** The text without the lines at these places. */
export function removeLines(text: string, places: number[]): string {
  const gone = new Set(places);
  return splitLines(text)
    .filter((_, i) => !gone.has(i + 1))
    .join("\n");
}

/** A file as lines for the form: what spreadsheets put around them (a byte order mark, quotes, a headline) is taken off. */
export function linesOfFile(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
  const lines = splitLines(text.replaceAll('"', "").trim());
  if (!/\d/.test(lines[0]!)) lines.shift();
  return lines.join("\n");
}
