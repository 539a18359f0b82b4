// CSV as RFC 4180 has it, with cells that a spreadsheet would run as a formula made harmless.

/** Lines of cells as CSV text, CRLF at the end of each line. */
export function toCsv(lines: readonly (readonly (string | number | null)[])[]): string {
  return lines.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

/** What a browser or a client is told with CSV that it is to keep under this name. */
export function csvHeaders(name: string): Record<string, string> {
  return {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
  };
}

/**
 * A leading =, +, -, @ (also as wide letters), tab, return or new line starts a formula (OWASP, "CSV Injection"); numbers
 * of our own may be negative.
 */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const harmless =
    /^[=+\-@＝＋－＠\t\r\n]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
