// Ghana's mobile numbers. Stored as 233541234567; every other form is for an edge.
import type { Operator } from "./domain.ts";

/**
 * Prefix to operator (libphonenumber's carrier file, 2026-07). Numbers are portable between operators
 * since 2011 (National Communications Authority), so this is a hint and never a rule.
 */
const OPERATOR_OF_PREFIX: Record<string, Operator> = {
  24: "MTN",
  25: "MTN",
  53: "MTN",
  54: "MTN",
  55: "MTN",
  59: "MTN",
  20: "TELECEL",
  50: "TELECEL",
  23: "AIRTELTIGO",
  26: "AIRTELTIGO",
  27: "AIRTELTIGO",
  56: "AIRTELTIGO",
  57: "AIRTELTIGO",
};

/**
 * Reads a Ghanaian mobile number in any form people type: 0541234567, 541234567, 233541234567,
 * +233 54 123 4567, 00233…, +233 (0)54…. Returns 233541234567, or null when it is none.
 */
export function parseMsisdn(input: string): string | null {
  const digits = input.replace(/[\s\-().\u00a0\u202a-\u202e\u2066-\u2069]/g, "");
  const match = /^(?:\+?233|00233|0)?0?([25]\d{8})$/.exec(digits);
  return match ? `233${match[1]}` : null;
}

/** 233541234567 as people dial it: 0541234567. */
export function localMsisdn(msisdn: string): string {
  return `0${msisdn.slice(3)}`;
}

/** 233541234567 in groups that are easy to compare by eye: 054 123 4567. */
export function spacedMsisdn(msisdn: string): string {
  const local = localMsisdn(msisdn);
  return `${local.slice(0, 3)} ${local.slice(3, 6)} ${local.slice(6)}`;
}

/** The operator that the prefix was given to, or null for a prefix nobody uses. The number may be ported. */
export function guessOperator(msisdn: string): Operator | null {
  return OPERATOR_OF_PREFIX[msisdn.slice(3, 5)] ?? null;
}
