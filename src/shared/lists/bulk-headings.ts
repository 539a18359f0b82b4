// Lines of a pasted list that have no number and say something about those around them: "MTN 5GB:", "Telecel".
import type { Entry } from "./bulk-lines.ts";
import { annotate, type NetworkName, sizeText } from "./bulk-names.ts";

/** What holds for the lines below; `isUnclear` where it cannot be said for which lines, or which size, it holds. */
export type Heading = { network: NetworkName | null; sizeMb: number | null; isUnclear: boolean };

/** A line of a list: its entries as they are read by themselves, or what it says as a heading. */
export type Row = { raw: string; entries: Entry[]; heading: Heading | null };
type Read = (raw: string, prefix: string) => Entry[];

/**
 * The entries of each row with what its heading adds, so that each is read the same by itself. Where sizes stand apart
 * from numbers in a way that is not clear, every line without a size is asked.
 */
export function underHeadings(rows: readonly Row[], read: Read): Entry[][] {
  const isUnclear = areApart(rows);
  let now: Heading | null = null;
  return rows.map(({ raw, entries, heading }) => {
    if (heading) {
      now = following(now, heading);
      return isUnclear ? entries : [];
    }
    return isPlain(entries) ? withHeading({ raw, entries, heading: now }, isUnclear, read) : entries;
  });
}

/** "0241234567", "5GB", "0551234567", "10GB": above or below? "5GB", "10GB", "0241234567": which? */
function areApart(rows: readonly Row[]): boolean {
  let now: Heading | null = null;
  let isUsed = true;
  let hasBare = false;
  for (const { entries, heading } of rows) {
    if (heading) {
      if (heading.isUnclear || (heading.sizeMb !== null && (hasBare || !isUsed))) return true;
      if (heading.sizeMb !== null) isUsed = false;
      now = following(now, heading);
    } else if (isPlain(entries)) {
      isUsed = true;
      if (now?.sizeMb == null && entries.some(({ sizeMb }) => sizeMb === null)) hasBare = true;
    }
  }
  return !isUsed;
}

const isPlain = (entries: Entry[]) => entries.length > 0 && entries.every(({ problem }) => problem === null);

/** "MTN", "5GB": both hold for what follows. */
const following = (before: Heading | null, heading: Heading): Heading => ({
  ...heading,
  network: heading.network ?? before?.network ?? null,
});

function withHeading({ raw, entries, heading }: Row, isUnclear: boolean, read: Read): Entry[] {
  if (isUnclear && entries.some(({ sizeMb }) => sizeMb === null)) return read(raw, "#no size: above or below?");
  if (!heading) return entries;
  const { network, sizeMb } = heading;
  const isOthers = entries.some((it) => it.network === null && it.operatorGuess !== network?.operator);
  if (network && isOthers) return read(raw, `#no network: ${network.text}?`);
  const isMissing = (field: "sizeMb" | "network") => entries[0]![field] === null;
  const missing = [
    sizeMb !== null && isMissing("sizeMb") && sizeText(sizeMb),
    network && isMissing("network") && network.text,
  ].filter(Boolean);
  return missing.length > 0 ? read(raw, missing.join(" ")) : entries;
}

const HEADING_CHARS_MAX = 60;
/** Beside a size or a network, these make no other sentence of it. */
const FILLERS = new Set(
  (
    "each all both every everybody everyone for the to on of these this following below list order orders data " +
    "bundle bundles package packages number numbers line lines people customers sim sims only today please pls send buy"
  ).split(" "),
);
/** Above one, which is as often "the one". */
export const SPELT_NUMBERS =
  "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|half";
/** "five gb", "half a gig". */
const SPELT_SIZE = new RegExp(String.raw`\b(?:one|${SPELT_NUMBERS})(?: and a half| a)? ?(?:gb|gigs?|mb)\b`, "i");

/** What a line without a number says about others; null for nothing, such as a name or a greeting. */
export function headingIn(text: string): Heading | null {
  const { sizes, networks, text: rest } = annotate(text.replace(/[*_]/g, " "));
  const isUnclear = sizes.length > 0 || SPELT_SIZE.test(text);
  const terms = rest.toLowerCase().match(/\p{L}[\p{L}'’-]*|\d+/gu) ?? [];
  const isPlain = text.length <= HEADING_CHARS_MAX && terms.every((word) => FILLERS.has(word));
  if (!isPlain || sizes.length > 1 || networks.length > 1) return isUnclear ? UNCLEAR : null;
  if (sizes.length + networks.length === 0) return null;
  return { network: networks[0] ?? null, sizeMb: sizes[0] ?? null, isUnclear: false };
}

const UNCLEAR: Heading = { network: null, sizeMb: null, isUnclear: true };
