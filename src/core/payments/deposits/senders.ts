// The number from which a line of the statement came: 233541234567, or as it was written where some of it is hidden.
import { localMsisdn, parseMsisdn, spacedMsisdn, visibleText } from "../../../shared/phones/msisdn.ts";

/** A column has room for this much. */
const CHARS_MAX = 20;
/** At least so much of a number, or so many signs that hide one, and the text names a sender. */
const NAMES_A_PHONE = /(?:\d[^\d]*){6}|[*#•·xX]{2}/;

/**
 * The sender in a line's text: a number, or a text like 0244***567 that names one without showing it, so that the money
 * is not taken for money from nobody; null where no number is named.
 */
export function senderIn(text: string): string | null {
  const visible = visibleText(text);
  return parseMsisdn(text) ?? (NAMES_A_PHONE.test(visible) ? visible.slice(0, CHARS_MAX) : null);
}

/** A sender for people: 054 123 4567, or as it was written. */
export function spacedSender(sender: string): string {
  return parseMsisdn(sender) === sender ? spacedMsisdn(sender) : sender;
}

/** A sender for programs: 0541234567, or as it was written. */
export function localSender(sender: string): string {
  return parseMsisdn(sender) === sender ? localMsisdn(sender) : sender;
}
