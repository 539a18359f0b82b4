// Files that people open in Excel or on a phone: what a spreadsheet would misread is written so that it cannot. Programs
// have the API, whose files stay plain.
import { csvHeaders } from "../shared/csv.ts";
import { spacedMsisdn } from "../shared/msisdn.ts";
import type { Download } from "./page.tsx";

/** Tells Excel that the letters are UTF-8; without it GH₵ is not readable. */
const BYTE_ORDER_MARK = "\ufeff";

/** CSV as a file to keep under this name. */
export function sheetFile(name: string, pieces: AsyncIterable<string> | Iterable<string>): Download {
  async function* marked() {
    yield BYTE_ORDER_MARK;
    yield* pieces;
  }
  return { pieces: marked(), headers: csvHeaders(name) };
}

/** 233541234567 as 054 123 4567: with its spaces it is text, which keeps its zero. */
export const sheetNumber = spacedMsisdn;
