// CSV files (RFC 4180), with cells defused that a spreadsheet would run as a formula.

/** Rows of cells as CSV text, with CRLF at the end of each row. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

/** The response headers of a CSV file that is downloaded under this name. */
export function csvHeaders(name: string): Record<string, string> {
  return {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
  };
}

/**
 * A leading =, +, -, @ (also full-width), tab, carriage return or line feed starts a formula (OWASP, "CSV Injection");
 * a negative number is left as it is.
 */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const harmless =
    /^[=+\-@＝＋－＠\t\r\n]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
