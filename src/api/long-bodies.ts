// A body with a long list is checked in parts, with room between them for other requests; the first part that fails is
// the answer, so that ten thousand bad lines cost no more than a hundred.

/** So many entries are checked in a few milliseconds. */
const PART = 200;

type Fields = Record<string, unknown>;

/**
 * The body as `check` makes it, which throws what it refuses; `path` says where a part's entries stand in the whole list.
 * A list beyond `entriesMax` is checked whole: it is refused by its length.
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
  // A body with more fields than any of ours is refused as it is.
  if (fields.length > 20) return null;
  return fields.find((name) => isLong((body as Fields)[name])) ?? null;
}

const isLong = (value: unknown) => Array.isArray(value) && value.length > PART;
