// Amounts as spreadsheets of any country show them. Apart from money.ts, which the browser loads.
import { parseCedis, readCedis } from "../money.ts";

const CURRENCY = "(?:GH[₵¢SC]|₵|¢|cedis?)";
const AMOUNT = new RegExp(
  String.raw`^(?<open>\()?(?<minus>-)? ?${CURRENCY}?\.? ?(?<inner>-)? ?` +
    String.raw`(?<digits>\d[\d.,' ]{0,30}?) ?${CURRENCY}?(?<close>\))?(?<after>-)?$`,
  "i",
);

/**
 * Reads an amount in cedis as spreadsheets of any country show it: 1,234.50 · 1.234,50 · 1 234,50 · 4,29 · (50.00) ·
 * 50.00- · 4.29 GHS · 4.2900000000000009. Returns whole pesewas, or null for anything else and for what could be two
 * amounts: 1.234 is one thousand only where its column writes pesewas behind a comma (`decimalMarkIn`), and 1,234 only
 * where no amount does.
 */
export function writtenCedis(text: string, mark: DecimalMark): number | null {
  const plain = text
    .replace(/[\s\u202f]+/g, " ")
    .replace(/[−–]/g, "-")
    .replace(/’/g, "'")
    .trim();
  const { open, minus, inner, digits, close, after } = AMOUNT.exec(plain)?.groups ?? {};
  const signs = [open, minus, inner, after].filter(Boolean).length;
  if (digits === undefined || signs > 1 || Boolean(open) !== Boolean(close)) return null;
  const pesewas = readDigits(digits, mark);
  return pesewas && signs > 0 ? -pesewas : pesewas;
}

/** What a column writes before pesewas; null where no amount has any. */
export type DecimalMark = "," | "." | "both" | null;

/** The mark before pesewas in a column's amounts. */
export function decimalMarkIn(texts: readonly string[]): DecimalMark {
  const some = (pattern: RegExp) => texts.some((text) => pattern.test(text.slice(0, 60)));
  const [hasCommas, hasDots] = [some(/^[^\d,]*\d[\d.' ]*,\d{1,2}(?!\d)/), some(/^[^\d.]*\d[\d,' ]*\.\d{1,2}(?!\d)/)];
  if (hasCommas && hasDots) return "both";
  return hasCommas ? "," : hasDots ? "." : null;
}

function readDigits(digits: string, mark: DecimalMark): number | null {
  const isGrouped = (mark: string) => new RegExp(`^[1-9]\\d{0,2}(?:${mark}\\d{3})+$`).test(digits);
  // Floating-point noise: a spreadsheet's 4.29 times 1.
  if (/^\d{1,9}\.\d{4,17}$/.test(digits)) return readCedis(Number(digits));
  if (isGrouped(",")) {
    const isClear = mark === "." || mark === null || digits.split(",").length > 2;
    return isClear ? parseCedis(digits) : null;
  }
  if (isGrouped("\\.")) {
    const isClear = mark === "," || digits.split(".").length > 2;
    return isClear ? parseCedis(digits.replaceAll(".", "")) : null;
  }
  const [, whole, decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits)!;
  const group = digits[whole!.length] === "," ? "." : ",";
  const isWhole = new RegExp(`^(?:\\d{1,9}|[1-9]\\d{0,2}([${group}' ])\\d{3}(?:\\1\\d{3})*)$`).test(whole!);
  if (!isWhole) return null;
  return parseCedis(`${whole!.replace(/\D/g, "")}${decimals && `.${decimals}`}`);
}
