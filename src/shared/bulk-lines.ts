// Reads pasted bulk lines: one number per line, an optional quantity after a comma, tab or semicolon.

import { limits, type Operator } from "./domain.ts";
import type { ErrorCode } from "./errors.ts";
import { guessOperator, parseMsisdn } from "./msisdn.ts";

/** One line as it was understood. `line` counts from 1 over the non-empty lines' places in the text. */
export type BulkLine = {
  line: number;
  text: string;
  msisdn: string | null;
  quantity: number;
  operatorGuess: Operator | null;
  problem: ErrorCode | null;
};

/** Splits a pasted text into lines; empty lines are passed over, everything else is answered for. */
export function parseBulkLines(text: string): BulkLine[] {
  const lines: BulkLine[] = [];
  text.split(/\r\n|\r|\n/).forEach((raw, index) => {
    if (raw.trim() !== "") lines.push(parseLine(raw.trim(), index + 1));
  });
  return lines;
}

function parseLine(text: string, line: number): BulkLine {
  const [number = "", amount = "1", ...rest] = text.split(/\s*[,;\t]\s*/);
  const msisdn = parseMsisdn(number);
  const quantity = /^\d{1,3}$/.test(amount) ? Number(amount) : Number.NaN;
  const quantityIsFine = quantity >= 1 && quantity <= limits.quantityMax && rest.every((part) => part === "");
  return {
    line,
    text,
    msisdn,
    quantity: quantityIsFine ? quantity : 1,
    operatorGuess: msisdn ? guessOperator(msisdn) : null,
    problem: msisdn ? (quantityIsFine ? null : "order.quantity_invalid") : "msisdn.invalid",
  };
}
