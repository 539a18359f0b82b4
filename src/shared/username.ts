// Rules for usernames. Characters that look like others, or are invisible, would let one person pass for another.

const SHAPE = /^[A-Za-z0-9._-]+$/;

/** Names that seem to speak for the shop or for a network; those of deleted accounts are reserved, too. */
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
 * Why a name cannot be a username; null when it can. An admin who creates an account may give it a reserved name, but
 * never that of a deleted account.
 */
export function usernameProblem(name: string, isByAdmin = false): UsernameProblem | null {
  if (!SHAPE.test(name)) return "shape";
  // "a.d_m-i.n" looks like "admin".
  const bare = name.toLowerCase().replace(/[._-]/g, "");
  if (OF_DELETED.test(name.toLowerCase())) return "reserved";
  return !isByAdmin && RESERVED.has(bare) ? "reserved" : null;
}

/** The username that a deleted account gets. */
export function deletedName(userId: number): string {
  return `deleted-${userId}`;
}
