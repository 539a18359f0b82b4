// Parsing and formatting of Ghanaian mobile numbers, for forms, lists, USSD, SMS and the API alike. They are stored as
// 233541234567; every other form exists only at the edges.
/** Longer than any way to write one number; bounds the time that matching can take. */
export const CHARS_MAX = 200;
/** Invisible characters: direction marks, joiners, soft hyphens, the byte order mark. Phones copy them with numbers. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const FORM = /^(?:\+?233|00233|0)?0?([25]\d{8})$/;

/** The text as it looks: without invisible characters, every dash as "-" and every space but a tab as " ". */
export function visibleText(text: string): string {
  return text
    .replace(INVISIBLE, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[^\S\t]/g, " ")
    .trim();
}

/**
 * Parses a Ghanaian mobile number in any form people type or paste: 0541234567, 541234567, 233541234567,
 * +233 54 123 4567, 00233…, +233 (0)54…, tel:054…, '054…, also with a name before it or a full stop after it.
 * Returns 233541234567, or null for anything else, including a number with other digits beside it.
 */
export function parseMsisdn(input: string): string | null {
  if (input.length > CHARS_MAX) return null;
  // Nearly all are typed like this, in lists of ten thousand.
  const plain = FORM.exec(input);
  if (plain) return `233${plain[1]}`;
  const text = visibleText(input);
  const from = text.search(/[\d+]|\((?=[\d+])/);
  if (from < 0) return null;
  // A name, "tel:" or a quote may precede the number, but "Kofi2 054…" and "x054…" are something else.
  const before = text.slice(0, from);
  if (/\p{N}/u.test(before) || /[\p{L}\p{M}]$/u.test(before)) return null;
  const digits = text
    .slice(from)
    .replace(/[.,;:!'"’”)\]]{1,8}$/, "")
    .replace(/[\s\-().]/g, "");
  const match = FORM.exec(digits);
  return match ? `233${match[1]}` : null;
}

/** 233541234567 in local form: 0541234567. */
export function localMsisdn(msisdn: string): string {
  return `0${msisdn.slice(3)}`;
}

/** 233541234567 in groups that are easy to compare: 054 123 4567. */
export function spacedMsisdn(msisdn: string): string {
  const local = localMsisdn(msisdn);
  return `${local.slice(0, 3)} ${local.slice(3, 6)} ${local.slice(6)}`;
}

/** 233541234567 for a page that anybody may see: 054 ••• 4567. */
export function maskedMsisdn(msisdn: string): string {
  const local = localMsisdn(msisdn);
  return `${local.slice(0, 3)} ••• ${local.slice(6)}`;
}
