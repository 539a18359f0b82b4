// Codes of six digits that prove who holds a mailbox or a phone. One an account and purpose, good for ten minutes and five
// tries; kept only as a keyed digest that is bound to where the code was sent.
import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { type CodePurpose, codes } from "../../../db/schema/identity.ts";
import type { MessageChannel } from "../../shared/domain.ts";
import { deleteInParts } from "../platform/parts.ts";

/** What a process needs to deal in codes: the key of their digests, and the channels that are set up. */
export type CodeKeys = { key: string; channels: Record<MessageChannel, boolean> };

/** At most this long: OWASP ASVS 5.0, 6.5.5. */
export const CODE_SECONDS = 10 * 60;
export const TRIES_MAX = 5;
/** Asked for again sooner, the code that is on its way stands: a form that was sent twice sends one code. */
const STANDS_SECONDS = 60;

type Which = { userId: number; purpose: CodePurpose; recipient: string };

/** The key of the digests, from the secret that signs sessions: who has neither can only guess. */
export function codeKey(secret: string): string {
  return createHmac("sha256", secret).update("one-time codes").digest("base64url");
}

/** Makes the account's one code for this purpose, in place of any before it. Null when one was just sent there. */
export async function issue(tx: Tx, { key }: Pick<CodeKeys, "key">, which: Which): Promise<string | null> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const fresh = {
    ...which,
    digest: digestOf(key, which, code),
    tries: 0,
    knownTries: 0,
    usedAt: null,
    expiresAt: sql`now() + make_interval(secs => ${CODE_SECONDS})`,
    createdAt: sql`now()`,
  };
  const [made] = await tx
    .insert(codes)
    .values(fresh)
    .onConflictDoUpdate({
      target: [codes.userId, codes.purpose],
      set: fresh,
      setWhere: sql`${codes.createdAt} < now() - make_interval(secs => ${STANDS_SECONDS})
        or ${codes.usedAt} is not null or greatest(${codes.tries}, ${codes.knownTries}) >= ${TRIES_MAX} or ${codes.recipient} <> ${which.recipient}`,
    })
    .returning({ userId: codes.userId });
  return made ? code : null;
}

/** "spent" is the right code, after it has done its work. */
export type Verdict = "right" | "spent" | "wrong";

/**
 * Counts a try, then compares; the count is kept whatever follows. Tries from a known device count apart, so that a stranger's
 * five wrong ones leave the code good for its owner. For nobody (0) it does the same and is wrong.
 */
export async function tryOut(
  db: Db,
  { key }: Pick<CodeKeys, "key">,
  { code, isKnown = false, ...which }: Which & { code: string; isKnown?: boolean },
): Promise<Verdict> {
  const tries = isKnown ? codes.knownTries : codes.tries;
  const [row] = await db
    .update(codes)
    .set({ [isKnown ? "knownTries" : "tries"]: sql`${tries} + 1` })
    .where(and(matches(which), sql`${codes.expiresAt} > now()`, lt(tries, TRIES_MAX)))
    .returning({ digest: codes.digest, usedAt: codes.usedAt });
  const given = Buffer.from(digestOf(key, which, code));
  const isRight = timingSafeEqual(given, Buffer.from(row?.digest ?? digestOf(key, which, "none")));
  if (!row || !isRight) return "wrong";
  return row.usedAt ? "spent" : "right";
}

/** Marks a right code as spent, with the change it is good for. False when another request was first, or it was replaced. */
export async function spend(
  tx: Tx,
  { key }: Pick<CodeKeys, "key">,
  { code, ...which }: Which & { code: string },
): Promise<boolean> {
  const [spent] = await tx
    .update(codes)
    .set({ usedAt: sql`now()` })
    .where(and(matches(which), eq(codes.digest, digestOf(key, which, code)), isNull(codes.usedAt)))
    .returning({ userId: codes.userId });
  return spent !== undefined;
}

/** Where a code that can still be typed in was sent, or null. */
export async function pending(tx: Tx, userId: number, purpose: CodePurpose): Promise<string | null> {
  const [row] = await tx
    .select({ recipient: codes.recipient })
    .from(codes)
    .where(and(matches({ userId, purpose }), isNull(codes.usedAt), sql`${codes.expiresAt} > now()`));
  return row?.recipient ?? null;
}

/** Makes an account's code for this purpose worthless. */
export async function forget(tx: Tx, userId: number, purpose: CodePurpose): Promise<void> {
  await tx.delete(codes).where(matches({ userId, purpose }));
}

/** Deletes codes that have run out. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(db, codes, lt(codes.expiresAt, sql`now()`));
}

function matches({ userId, purpose }: Pick<Which, "userId" | "purpose">) {
  return and(eq(codes.userId, userId), eq(codes.purpose, purpose));
}

function digestOf(key: string, { userId, purpose, recipient }: Which, code: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([purpose, userId, recipient, code]))
    .digest("base64url");
}
