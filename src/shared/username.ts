// Usernames: what may be one. Letters that look like others, or like nothing, would let somebody pass for somebody else.

const SHAPE = /^[A-Za-z0-9._-]+$/;

/** Names that speak for the shop or for a network, and those that deleted accounts get. */
const RESERVED = new Set(
  [
    ["admin", "administrator", "root", "system", "owner", "staff", "moderator", "official", "security"],
    ["support", "help", "helpdesk", "service", "billing", "payments", "datafie", "paystack"],
    ["mtn", "telecel", "vodafone", "airteltigo", "at", "null", "undefined", "me", "you", "anonymous"],
  ].flat(),
);
const OF_DELETED = /^deleted-\d+/;

export type UsernameProblem = "shape" | "reserved";

/**
 * What keeps a name from being a username; null when nothing does. An admin who makes an account may give it a reserved
 * one, but never that of a deleted account.
 */
export function usernameProblem(name: string, isByAdmin = false): UsernameProblem | null {
  if (!SHAPE.test(name)) return "shape";
  // "a.d_m-i.n" reads as "admin".
  const bare = name.toLowerCase().replace(/[._-]/g, "");
  if (OF_DELETED.test(name.toLowerCase())) return "reserved";
  return !isByAdmin && RESERVED.has(bare) ? "reserved" : null;
}

/** The name that a deleted account gets. */
export function deletedName(userId: number): string {
  return `deleted-${userId}`;
}
