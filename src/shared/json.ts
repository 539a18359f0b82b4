// Parsing of JSON with ids beyond the precision of a JavaScript number.

type Source = { source?: string };

/** Parses JSON; whole numbers past 2^53, which would be rounded, become text. Throws SyntaxError. */
export function parseExactly(text: string): unknown {
  const exact = (_: string, value: unknown, context?: Source) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context!.source
      : value;
  return JSON.parse(text, exact);
}
