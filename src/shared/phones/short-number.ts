// Numbers with too few digits. Apart from msisdn.ts, which every page of an agent loads.
import { CHARS_MAX, parseMsisdn, visibleText } from "./msisdn.ts";

/** Says that a number is too short, and by how much; null for one that is not. An empty one is missing, not short. */
export function tooShortText(typed: string): string | null {
  const digits = visibleText(typed.slice(0, CHARS_MAX)).replace(/\D/g, "");
  const wanted = digits.startsWith("233") ? 12 : 10;
  const isShort = digits.length > 0 && digits.length < wanted && parseMsisdn(typed) === null;
  return isShort ? `Number is too short (${digits.length} of ${wanted} digits)` : null;
}
