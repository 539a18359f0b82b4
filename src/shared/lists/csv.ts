// CSV files (RFC 4180), with cells neutralized that a spreadsheet would run as a formula.

/** CSV text of rows of cells, each row ending in CRLF. */
export function toCsv(lines: readonly (readonly (string | number | null)[])[]): string {
  return lines.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

/** Response headers for a CSV download with this file name. */
export function csvHeaders(name: string): Record<string, string> {
  return {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
  };
}

/**
 * Quotes a cell if needed. A leading =, +, -, @ (fullwidth ones too), tab or line break starts a formula (OWASP, "CSV
 * Injection") and gets an apostrophe; plain numbers may be negative.
 */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
