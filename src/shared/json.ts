// A JSON parser that keeps ids too large for a JavaScript number, such as payment providers send.

type Source = { source?: string };

/** Parses JSON; whole numbers beyond 2^53, which would be rounded, stay text. Throws SyntaxError. */
export function parseExactly(text: string): unknown {
  const exact = (_: string, value: unknown, context?: Source) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context!.source
      : value;
  return JSON.parse(text, exact);
}
