// Validation of long lists in parts, so that other requests get their turn in between. The first part that fails ends
// it, so that ten thousand bad lines cost no more than a hundred.

/** Entries per part: a few milliseconds' work. */
const PART = 200;

type Fields = Record<string, unknown>;

/**
 * The body as parsed by `check`, which throws on invalid input; `path` gives it the position of a part in the whole
 * list. A list longer than `entriesMax` is checked in one go, because its length alone gets it refused.
 */
export async function checkInParts(
  body: unknown,
  entriesMax: number,
  check: (part: unknown, path: { list: string; from: number } | null) => unknown,
): Promise<unknown> {
  const list = longListOf(body);
  const entries = list === null ? [] : ((body as Fields)[list] as unknown[]);
  if (list === null || entries.length > entriesMax) return check(body, null);
  const checked: unknown[] = [];
  let whole: Fields = {};
  for (let from = 0; from < entries.length; from += PART) {
    const part = { ...(body as Fields), [list]: entries.slice(from, from + PART) };
    whole = check(part, { list, from }) as Fields;
    checked.push(...(whole[list] as unknown[]));
    await new Promise(setImmediate);
  }
  return { ...whole, [list]: checked };
}

function longListOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const fields = Object.keys(body);
  // More fields than any of our bodies has: validation will refuse it anyway.
  if (fields.length > 20) return null;
  return fields.find((name) => isLong((body as Fields)[name])) ?? null;
}

const isLong = (value: unknown) => Array.isArray(value) && value.length > PART;
