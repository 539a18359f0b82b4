// Guesses at a code that anybody may ask for. Five of one network, or of one browser that asked, use up only their own;
// and there is a bound on those of all networks together, and of all such browsers.
import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { neighbourhoodOf } from "../../platform/networks.ts";

export const TRIES_MAX = 5;
/** Ten networks can use a code up. Of a million codes that leaves whoever guesses one in twenty thousand. */
const TRIES_IN_ALL = 50;

/** Who guesses: the name of a browser that asked (asking-browsers.ts), or a network. */
export type Guesser = { kind: "browser" | "network"; name: string };

/** Who guesses from this address, in a browser whose name is null if it did not ask. */
export function guesserOf(address: string, browser: string | null): Guesser {
  if (browser) return { kind: "browser", name: browser };
  // Whether the address is written down anywhere else is for others to decide.
  return { kind: "network", name: createHash("sha256").update(neighbourhoodOf(address)).digest("base64url") };
}

/** SQL that counts one more guess, for a table with these columns, and whether it may be counted. */
export function countGuess({ kind, name }: Guesser): { set: SQL; isAllowed: SQL } {
  const inAll = sql.raw(kind === "browser" ? "asker_tries" : "tries");
  const key = `${kind} ${name}`;
  const own = sql`coalesce((tries_by ->> ${key}::text)::int, 0)`;
  return {
    set: sql`${inAll} = ${inAll} + 1, tries_by = tries_by || jsonb_build_object(${key}::text, ${own} + 1)`,
    isAllowed: sql`${inAll} < ${TRIES_IN_ALL} and ${own} < ${TRIES_MAX}`,
  };
}
