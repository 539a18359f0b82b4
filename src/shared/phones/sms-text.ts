// Conversion of texts to GSM-7 for SMS and USSD. An SMS fits 160 GSM-7 characters; a single other character makes it
// UCS-2, which fits 70, and every part costs money (3GPP TS 23.038).

const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two septets each. */
const EXTENDED = new Set("^{}\\[~]|€");
export const SMS_CHARS = 160;

/** The length of a text in septets, or null if GSM-7 cannot encode it. */
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
 * The text in GSM-7: `GH₵ 3.90` becomes `GHS 3.90`, typographic characters become plain ones, letters that GSM-7 lacks
 * (ɔ, ɛ) the nearest, and anything else `?`.
 */
export function gsm7Text(text: string): string {
  return [...text.replace(/GH[₵¢]|₵/gi, "GHS").replace(/\r\n?/g, "\n")].map(nearest).join("");
}

/** The text as a single SMS in GSM-7; one that is too long is cut and ends with `...`. */
export function smsText(text: string): string {
  const plain = gsm7Text(text);
  if (gsm7Length(plain)! <= SMS_CHARS) return plain;
  let cut = [...plain];
  while (gsm7Length(cut.join("").trimEnd())! > SMS_CHARS - 3) cut = cut.slice(0, -1);
  return `${cut.join("").trimEnd()}...`;
}

/** A GSM-7 text cut to at most `septets`, without trailing blanks. */
export function cutTo(text: string, septets: number): string {
  let end = Math.min(text.length, septets);
  while (end > 0 && gsm7Length(text.slice(0, end))! > septets) end -= 1;
  return text.slice(0, Math.max(0, end)).trimEnd();
}

/** Like `smsText`, but uncut and in printable ASCII and line feeds only, which every phone can show. */
export function asciiText(text: string): string {
  return gsm7Text(text)
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
  const known = NEAREST[character];
  if (known !== undefined) return known;
  // An accented letter that GSM-7 lacks loses its accent.
  const bare = character.normalize("NFKD").replace(/\p{M}/gu, "");
  if (/^\p{M}|\p{Cf}$/u.test(character)) return "";
  return bare !== "" && gsm7Length(bare) !== null ? bare : "?";
}
