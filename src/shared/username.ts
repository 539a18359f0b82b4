// Rules for usernames. Look-alike or invisible characters would let people impersonate others.

import { operatorCalled } from "./operators.ts";

const SHAPE = /^[A-Za-z0-9._-]+$/;

/** Names that would seem to speak for the shop or a network, besides those of the networks on sale. */
const RESERVED = new Set(
  [
    ["admin", "administrator", "root", "system", "owner", "staff", "manager", "moderator", "official", "security"],
    ["support", "help", "desk", "helpdesk", "accounts", "service", "billing", "payments", "datafie", "paystack"],
    ["mtn", "telecel", "vodafone", "airteltigo", "at", "null", "undefined", "me", "you", "anonymous"],
  ].flat(),
);
const OF_DELETED = /^deleted-\d+/;

export type UsernameProblem = "shape" | "reserved";

/**
 * Why a name cannot be a username; null if it can. An owner may give an account a reserved name, but
 * never a deleted account's.
 */
export function usernameProblem(name: string, isByOwner = false): UsernameProblem | null {
  if (!SHAPE.test(name)) return "shape";
  if (OF_DELETED.test(name.toLowerCase())) return "reserved";
  return !isByOwner && isReserved(name) ? "reserved" : null;
}

/** Whether a name would seem to speak for the shop or a network: "a.d_m-i.n" reads as "admin". */
export function isReserved(name: string): boolean {
  return RESERVED.has(name.toLowerCase().replace(/[^a-z0-9]/g, "")) || operatorCalled(name) !== null;
}

/** The name given to a deleted account. */
export function deletedName(userId: number): string {
  return `deleted-${userId}`;
}
