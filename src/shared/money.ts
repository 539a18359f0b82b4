// Amounts of money: whole pesewas inside the product. Only this file turns them into text or decimal numbers.

/** The largest amount the product handles at once, GH₵ 10,000,000.00: far below 2^53, so sums stay exact. */
export const MAX_AMOUNT_PESEWAS = 1_000_000_000;

/**
 * Reads an amount in cedis as people and JSON write it: "3.9", "3.90", 3.9, "GH₵ 3.90", "1,250.00".
 * Returns whole pesewas, or null when it is not an amount with at most two decimals.
 * A number goes through its shortest decimal text, because 4.35 * 100 is not 435 in floating point.
 */
export function parseCedis(input: string | number): number | null {
  if (typeof input === "number" && !Number.isFinite(input)) return null;
  const text = String(input)
    .trim()
    .replace(/^(GH₵|GHS|₵)\s*/i, "");
  const match = /^(-?)(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return null;
  const whole = Number(match[2]!.replaceAll(",", ""));
  const pesewas = whole * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  if (pesewas > MAX_AMOUNT_PESEWAS) return null;
  return match[1] && pesewas !== 0 ? -pesewas : pesewas;
}

/**
 * Reads an amount in cedis as vendors' programs write it: whatever `parseCedis` reads, trailing zeros
 * ("GHS 5.0000"), and numbers with the noise of binary arithmetic (1207.4599999999998). Returns whole pesewas, or null
 * for anything else, an amount in another currency included.
 */
export function readCedis(input: unknown): number | null {
  if (typeof input === "string") return parseCedis(input.replace(/(\.\d{2})0+$/, "$1"));
  if (typeof input !== "number" || !Number.isFinite(input)) return null;
  const pesewas = Math.round(input * 100);
  return Math.abs(pesewas - input * 100) < 0.0001 ? parseCedis(pesewas / 100) : null;
}

/** Pesewas as the number of cedis in `/api/v1`: 390 becomes 3.9. */
export function toCedis(amountPesewas: number): number {
  return amountPesewas / 100;
}

/** Pesewas as people read them on the web: "GH₵ 1,250.00". */
export function show(amountPesewas: number): string {
  return `${amountPesewas < 0 ? "−" : ""}GH₵ ${decimals(Math.abs(amountPesewas), ",")}`;
}

/** Pesewas for USSD and SMS, where ₵ does not exist (it is not in GSM-7): "GHS 1250.00". */
export function plain(amountPesewas: number): string {
  return `${amountPesewas < 0 ? "-" : ""}GHS ${decimals(Math.abs(amountPesewas), "")}`;
}

/** Pesewas as a bare decimal for CSV cells and form fields: "1250.00". */
export function decimal(amountPesewas: number): string {
  return `${amountPesewas < 0 ? "-" : ""}${decimals(Math.abs(amountPesewas), "")}`;
}

function decimals(pesewas: number, separator: string): string {
  const whole = Math.floor(pesewas / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, separator);
  return `${whole}.${String(pesewas % 100).padStart(2, "0")}`;
}
