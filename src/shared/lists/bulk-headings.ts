// Lines of a pasted list that have no number and say something about those around them: "MTN 5GB:", "Telecel".
import type { Entry } from "./bulk-lines.ts";
import { annotate, type NetworkName, sizeText, UNITS } from "./bulk-names.ts";
import { isAgainst } from "./bulk-remarks.ts";

/**
 * What holds for other lines: `isUnclear` where it cannot be said for which, or which size; `against` is what speaks
 * against the lines below ("Already sent:") or the order above ("Cancel").
 */
export type Heading = {
  network: NetworkName | null;
  sizeMb: number | null;
  isUnclear: boolean;
  against: { text: string; isBelow: boolean } | null;
};

/**
 * A line of a list: its entries as they are read by themselves, or what it says as a heading. `sender`: whose message
 * begins with it; `ends` where another part of the list begins. `namesSizes`: whether the figures below it are sizes,
 * or null where it says nothing of them.
 */
export type Row = {
  raw: string;
  entries: Entry[];
  heading: Heading | null;
  sender: string | null;
  ends: boolean;
  namesSizes: boolean | null;
};
type Read = (raw: string, prefix: string, isOfSizes?: boolean) => Entry[];

/**
 * The entries of each row with what its heading adds, so that each is read the same by itself. Where sizes stand apart
 * from numbers in a way that is not clear, every line without a size is asked.
 */
export function underHeadings(rows: readonly Row[], read: Read): Entry[][] {
  const isUnclear = areApart(rows);
  const walk = new Walk();
  const found = rows.map((row) => {
    walk.enter(row);
    if (row.heading) return isUnclear ? row.entries : [];
    const { now, against, isOfSizes } = walk;
    const entries = isOfSizes ? read(row.raw, "", isOfSizes) : row.entries;
    if (!isPlain(entries)) return entries;
    walk.isUsed = true;
    if (against !== null) return read(row.raw, against);
    const readHere: Read = (raw, prefix) => read(raw, prefix, isOfSizes);
    return withHeading({ ...row, entries }, now, isUnclear, readHere);
  });
  noteRemarks(rows, found, read);
  return found;
}

const IS_OF_ALL = /\b(?:above|all|these|those|list)\b/i;

/** Asks about the order above a line such as "Cancel", or about all of them for "ignore the above", each once. */
function noteRemarks(rows: readonly Row[], found: Entry[][], read: Read): void {
  const open: number[] = [];
  for (const [at, { heading }] of rows.entries()) {
    if (isPlain(found[at]!)) open.push(at);
    if (heading?.against?.isBelow !== false) continue;
    const { text } = heading.against;
    for (const above of open.splice(IS_OF_ALL.test(text) ? 0 : -1)) found[above] = read(rows[above]!.raw, text);
  }
}

/** What holds while a list is read from its top. */
class Walk {
  now: Heading | null = null;
  /** What speaks against the lines here. */
  against: string | null = null;
  /** Whether a line below the heading needed it. */
  isUsed = true;
  /** Whether figures are sizes here. */
  isOfSizes = false;
  #sender: string | null = null;

  enter({ heading, sender, ends, namesSizes }: Row): void {
    const isOther = sender !== null && sender !== this.#sender && this.#sender !== null;
    if (sender !== null) this.#sender = sender;
    if (isOther || ends) this.#end();
    this.isOfSizes = namesSizes ?? this.isOfSizes;
    if (!heading) return;
    if (heading.against) {
      if (heading.against.isBelow) this.against = heading.against.text;
      return;
    }
    // "MTN", "5GB": both hold for what follows, in either sequence.
    const before = this.now;
    const sizeMb = heading.sizeMb ?? (this.isUsed ? null : (before?.sizeMb ?? null));
    this.now = { ...heading, sizeMb, network: heading.network ?? before?.network ?? null };
    this.against = null;
    if (heading.sizeMb !== null) this.isUsed = false;
  }

  #end(): void {
    this.now = null;
    this.against = null;
    this.isOfSizes = false;
  }
}

/** "0241234567", "5GB", "0551234567", "10GB": above or below? "5GB", "10GB", "0241234567": which? */
function areApart(rows: readonly Row[]): boolean {
  const walk = new Walk();
  let hasBare = false;
  for (const row of rows) {
    const { heading, entries } = row;
    if (heading?.isUnclear || (heading && heading.sizeMb !== null && (hasBare || !walk.isUsed))) return true;
    walk.enter(row);
    // Its message or part of the list ended before a number came.
    if (!walk.isUsed && walk.now === null) return true;
    if (heading || !isPlain(entries)) continue;
    walk.isUsed = true;
    if (walk.now?.sizeMb == null && entries.some(({ sizeMb }) => sizeMb === null)) hasBare = true;
  }
  return !walk.isUsed;
}

const isPlain = (entries: Entry[]) => entries.length > 0 && entries.every(({ problem }) => problem === null);

function withHeading({ raw, entries }: Row, heading: Heading | null, isUnclear: boolean, read: Read): Entry[] {
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
    "bundle bundles package packages number numbers line lines people customers sim sims only today please pls plz " +
    "send buy non no expiry expiring non-expiry hello hi hey good morning afternoon evening boss sir madam chale " +
    "kindly i we want need give get me us with and a"
  ).split(" "),
);
/** Above one, which is as often "the one". */
export const SPELT_NUMBERS =
  "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|half";
/** "five gb", "half a gig". */
const SPELT_SIZE = new RegExp(String.raw`\b(?:one|${SPELT_NUMBERS})(?: and a half| a)? ?(?:gb|gigs?|mb)\b`, "i");

const SIZES = new RegExp(
  String.raw`(?<!\p{L})(?:sizes?|volume|capacity|${UNITS})(?!\p{L})` +
    String.raw`|,\s*(?:data|bundles?|packages?|plans?|products?|offers?)\s*(?:,|$)`,
  "iu",
);
const QUANTITIES = /(?<!\p{L})(?:qty|quantity|quantities|pcs|pieces|times|how many)(?!\p{L})/iu;

/** Of "Phone,Size" or "number, gig": true; with a quantity beside it: false; null for what names no size. */
export function namesSizes(text: string): boolean | null {
  return SIZES.test(text) ? !QUANTITIES.test(text) : null;
}

/** What a line without a number says about others; null for nothing, such as a name or a greeting. */
export function headingIn(text: string): Heading | null {
  const { sizes, networks, text: rest } = annotate(text.replace(/[*_]/g, " "));
  const terms = rest.toLowerCase().match(/\p{L}[\p{L}'’-]*|\d+/gu) ?? [];
  const isPlainHeading = text.length <= HEADING_CHARS_MAX && terms.every((term) => FILLERS.has(term));
  if (isPlainHeading && sizes.length < 2 && networks.length < 2 && sizes.length + networks.length > 0)
    return { ...NOTHING, network: networks[0] ?? null, sizeMb: sizes[0] ?? null };
  if (/^\W*(?:grand |sub-?)?(?:total|sum|balance|amount)\b/i.test(text)) return null;
  if (text.length <= HEADING_CHARS_MAX && !/\d/.test(text) && isAgainst(text))
    return {
      ...NOTHING,
      against: { text, isBelow: /:\W*$|\b(?:these|list|ones|below|following)\b(?!.*above)/i.test(text) },
    };
  return sizes.length > 0 || SPELT_SIZE.test(text) ? { ...NOTHING, isUnclear: true } : null;
}

const NOTHING: Heading = { network: null, sizeMb: null, isUnclear: false, against: null };
