// Parsing and formatting of money. Inside it is whole pesewas; only this file converts it to text or decimal numbers.

/** The largest single amount, GH₵ 10,000,000.00: far below 2^53, so sums stay exact. */
export const MAX_AMOUNT_PESEWAS = 1_000_000_000;

/**
 * Parses an amount in cedis as people and JSON write it: "3.9", "3.90", 3.9, "GH₵ 3.90", "1,250.00".
 * Returns whole pesewas, or null for anything but an amount with at most two decimals.
 * A number goes through its shortest decimal text, because 4.35 * 100 is not 435 in floating point.
 */
export function parseCedis(input: string | number): number | null {
  if (typeof input === "number" && !Number.isFinite(input)) return null;
  const text = String(input)
    .trim()
    .replace(/^(GH₵|GHS|₵)\s*/i, "");
  const match = /^(-?)([1-9]\d{0,2}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return null;
  const whole = Number(match[2]!.replaceAll(",", ""));
  const pesewas = whole * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  if (pesewas > MAX_AMOUNT_PESEWAS) return null;
  return match[1] && pesewas !== 0 ? -pesewas : pesewas;
}

/**
 * Parses an amount in cedis as providers' programs write it: what `parseCedis` accepts, trailing zeros ("GHS 5.0000")
 * and floating-point noise (1207.4599999999998). Returns whole pesewas, or null for anything else, including other
 * currencies.
 */
export function readCedis(input: unknown): number | null {
  if (typeof input === "string") return parseCedis(input.replace(/(\.\d{2})0+$/, "$1"));
  if (typeof input !== "number" || !Number.isFinite(input)) return null;
  const pesewas = Math.round(input * 100);
  return Math.abs(pesewas - input * 100) < 0.0001 ? parseCedis(pesewas / 100) : null;
}

/** A cost with a margin in whole percent, rounded up to ten pesewas: 390 with 10 is 430. */
export function withMargin(costPesewas: number, percent: number): number {
  return Math.ceil((costPesewas * (100 + percent)) / 1000) * 10;
}

/** Pesewas as a number in cedis, for `/api/v1`: 390 becomes 3.9. */
export function toCedis(amountPesewas: number): number {
  return amountPesewas / 100;
}

/** Pesewas formatted for the web: "GH₵ 1,250.00". */
export function show(amountPesewas: number): string {
  return `${amountPesewas < 0 ? "−" : ""}GH₵ ${decimals(Math.abs(amountPesewas), ",")}`;
}

/** A price's margin on its cost, in GH₵: "+0.35 · 8.9%"; empty while the cost is not known. */
export function marginText(pricePesewas: number, costPesewas: number | null): string {
  if (costPesewas === null) return "";
  const gain = pricePesewas - costPesewas;
  const sign = gain > 0 ? "+" : "";
  const amount = `${sign}${show(gain).replace("GH₵ ", "")}`;
  if (costPesewas === 0) return amount;
  return `${amount} · ${percentText((gain / costPesewas) * 100)}`;
}

/** "4.2%", "−0.5%"; a dash where there is nothing to take it of. */
export function percentText(percent: number | null): string {
  return percent === null ? "–" : `${percent.toFixed(1).replace("-", "−")}%`;
}

/** What is wrong with a price, by its bundle's cost and lowest price: "Not sold: below 4.03", "Below cost" or "". */
export function priceRemark(
  pricePesewas: number,
  { costPesewas, lowestPricePesewas }: { costPesewas: number | null; lowestPricePesewas: number | null },
): string {
  if (lowestPricePesewas !== null && pricePesewas < lowestPricePesewas)
    return `Not sold: below ${decimal(lowestPricePesewas)}`;
  return costPesewas !== null && pricePesewas < costPesewas ? "Below cost" : "";
}

/** Pesewas as rounded cedis in as few characters as fit on a chart: 0, 4, 3,556, 41k, 1.2M. */
export function brief(amountPesewas: number): string {
  const cedis = Math.round(amountPesewas / 100);
  if (cedis < 10_000) return String(cedis).replace(/\B(?=(\d{3})+$)/g, ",");
  return cedis < 999_500 ? `${Math.round(cedis / 1_000)}k` : `${Math.round(cedis / 100_000) / 10}M`;
}

/** Pesewas formatted for USSD and SMS, because ₵ is not in GSM-7: "GHS 1250.00". */
export function plain(amountPesewas: number): string {
  return `${amountPesewas < 0 ? "-" : ""}GHS ${decimals(Math.abs(amountPesewas), "")}`;
}

/** Pesewas as a plain decimal for CSV cells and form fields: "1250.00". */
export function decimal(amountPesewas: number): string {
  return `${amountPesewas < 0 ? "-" : ""}${decimals(Math.abs(amountPesewas), "")}`;
}

function decimals(pesewas: number, separator: string): string {
  const whole = Math.floor(pesewas / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, separator);
  return `${whole}.${String(pesewas % 100).padStart(2, "0")}`;
}
