// Texts that fit one SMS. A message of GSM-7 characters has room for 160 of them; a single other character makes it
// UCS-2, where only 70 fit and each part is paid for (3GPP TS 23.038).

const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Characters that take two places each. */
const EXTENDED = new Set("^{}\\[~]|€");
export const SMS_CHARS = 160;

/** How many of the 160 places a text takes, or null when it does not fit into GSM-7. */
export function gsm7Length(text: string): number | null {
  let length = 0;
  for (const character of text) {
    if (BASIC.has(character)) length += 1;
    else if (EXTENDED.has(character)) length += 2;
    else return null;
  }
  return length;
}

/**
 * The text as one SMS can carry it: `GH₵ 3.90` becomes `GHS 3.90`, typographic signs become plain ones, letters that
 * GSM-7 lacks (ɔ, ɛ) their nearest, anything else `?`; a text that is too long is cut and ends with `...`.
 */
export function smsText(text: string): string {
  const plain = [...text.replace(/GH[₵¢]|₵/gi, "GHS").replace(/\r\n?/g, "\n")].map(nearest).join("");
  if (gsm7Length(plain)! <= SMS_CHARS) return plain;
  let cut = [...plain];
  while (gsm7Length(cut.join("").trimEnd())! > SMS_CHARS - 3) cut = cut.slice(0, -1);
  return `${cut.join("").trimEnd()}...`;
}

/** The start of a GSM-7 text that fits into this many places, without trailing spaces. */
export function cutTo(text: string, places: number): string {
  let end = Math.min(text.length, places);
  while (gsm7Length(text.slice(0, end))! > places) end -= 1;
  return text.slice(0, end).trimEnd();
}

/** The text in printable ASCII and line feeds, which every phone shows: as `smsText`, without accents and symbols. */
export function asciiText(text: string): string {
  const plain = [...text.replace(/GH[₵¢]|₵/gi, "GHS").replace(/\r\n?/g, "\n")].map(nearest).join("");
  return plain
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\n\x20-\x7e]/g, "?");
}

const NEAREST: Record<string, string> = {
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "−": "-",
  "…": "...",
  "·": "-",
  ɔ: "o",
  Ɔ: "O",
  ɛ: "e",
  Ɛ: "E",
  ŋ: "n",
  Ŋ: "N",
  "\t": " ",
  "\u00a0": " ",
  "\u202f": " ",
};

function nearest(character: string): string {
  if (BASIC.has(character) || EXTENDED.has(character)) return character;
  const replacement = NEAREST[character];
  if (replacement !== undefined) return replacement;
  // A letter with an accent that GSM-7 lacks becomes the letter without it.
  const bare = character.normalize("NFKD").replace(/\p{M}/gu, "");
  if (/^\p{M}|\p{Cf}$/u.test(character)) return "";
  return bare !== "" && gsm7Length(bare) !== null ? bare : "?";
}
