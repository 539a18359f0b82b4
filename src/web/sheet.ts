// CSV files for Excel and phones, written so that a spreadsheet cannot misread them. Files of the API stay plain.
import { csvHeaders } from "../shared/csv.ts";
import { spacedMsisdn } from "../shared/msisdn.ts";
import type { Download } from "./page.tsx";

/** Makes Excel read UTF-8; without it GH₵ is garbled. */
const BYTE_ORDER_MARK = "\ufeff";

/** A CSV download under this file name. */
export function sheetFile(name: string, pieces: AsyncIterable<string> | Iterable<string>): Download {
  async function* marked() {
    yield BYTE_ORDER_MARK;
    yield* pieces;
  }
  return { pieces: marked(), headers: csvHeaders(name) };
}

/** 233541234567 as 054 123 4567: the spaces make it text, which keeps its zero. */
export const sheetNumber = spacedMsisdn;
