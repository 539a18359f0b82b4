// One-time codes of six digits that prove control of a mailbox or phone. One per account and purpose, valid for ten
// minutes and five tries of whoever tries (guesses.ts), stored only as a keyed digest bound to its recipient.
import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { and, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { type CodePurpose, codes } from "../../../../db/schema/identity.ts";
import type { CodeChannel } from "../../../shared/domain.ts";
import { deleteInParts } from "../../platform/parts.ts";
import { countGuess, type Guesser, TRIES_MAX } from "./guesses.ts";

/** What a process needs for codes: the key of their digests, and which channels are configured. */
export type CodeKeys = { key: string; channels: Record<CodeChannel, boolean> };

/** The maximum of OWASP ASVS 5.0, 6.5.5. */
export const CODE_SECONDS = 10 * 60;
/** Requested again sooner, the code just sent stays valid: a form submitted twice sends one code. */
const REISSUE_SECONDS = 60;

type CodeSubject = { userId: number; purpose: CodePurpose; recipient: string };

/**
 * The key of the digests, derived from the secret that signs sessions; without it a digest does not reveal its code.
 */
export function codeKey(secret: string): string {
  return createHmac("sha256", secret).update("one-time codes").digest("base64url");
}

/**
 * Issues the account's code for this purpose, replacing any before it. Null when one was just sent to the recipient.
 */
export async function issue(tx: Tx, { key }: Pick<CodeKeys, "key">, subject: CodeSubject): Promise<string | null> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const fresh = {
    ...subject,
    digest: digestOf(key, subject, code),
    tries: 0,
    knownTries: 0,
    askerTries: 0,
    triesBy: {},
    usedAt: null,
    expiresAt: sql`now() + make_interval(secs => ${CODE_SECONDS})`,
    createdAt: sql`now()`,
  };
  const [issued] = await tx
    .insert(codes)
    .values(fresh)
    .onConflictDoUpdate({
      target: [codes.userId, codes.purpose],
      set: fresh,
      setWhere: sql`${codes.createdAt} < now() - make_interval(secs => ${REISSUE_SECONDS})
        or ${codes.usedAt} is not null
        or greatest(${codes.tries}, ${codes.askerTries}, ${codes.knownTries}) >= ${TRIES_MAX}
        or ${codes.recipient} <> ${subject.recipient}`,
    })
    .returning({ userId: codes.userId });
  return issued ? code : null;
}

/** "spent" is the right code after it was used. */
export type CodeVerdict = "right" | "spent" | "wrong";

/**
 * Counts a try, then compares; the count stays whatever follows. A code that anybody may ask for is tried `by`
 * somebody: a known device, a browser that asked, or a network, each with tries of its own, so that a stranger's leave
 * the code valid for its owner. For no account (0) it does the same work and returns "wrong".
 */
export async function check(
  db: Db,
  { key }: Pick<CodeKeys, "key">,
  { code, by, ...subject }: CodeSubject & { code: string; by?: Guesser | "known device" },
): Promise<CodeVerdict> {
  const { set, isAllowed } = countTry(by);
  const [row] = await db.execute<{ digest: string; usedAt: string | null }>(sql`
    update codes set ${set}
    where ${matches(subject)} and ${codes.expiresAt} > now() and ${isAllowed}
    returning digest, used_at as "usedAt"`);
  const given = Buffer.from(digestOf(key, subject, code));
  const isRight = timingSafeEqual(given, Buffer.from(row?.digest ?? digestOf(key, subject, "none")));
  if (!row || !isRight) return "wrong";
  return row.usedAt ? "spent" : "right";
}

/** Marks a right code as spent, in the transaction of its effect. False when it was already spent or replaced. */
export async function spend(
  tx: Tx,
  { key }: Pick<CodeKeys, "key">,
  { code, ...subject }: CodeSubject & { code: string },
): Promise<boolean> {
  const [spent] = await tx
    .update(codes)
    .set({ usedAt: sql`now()` })
    .where(and(matches(subject), eq(codes.digest, digestOf(key, subject, code)), isNull(codes.usedAt)))
    .returning({ userId: codes.userId });
  return spent !== undefined;
}

/** The recipient of a code that can still be entered, or null. */
export async function pending(tx: Reads, userId: number, purpose: CodePurpose): Promise<string | null> {
  const [row] = await tx
    .select({ recipient: codes.recipient })
    .from(codes)
    .where(and(matches({ userId, purpose }), isNull(codes.usedAt), sql`${codes.expiresAt} > now()`));
  return row?.recipient ?? null;
}

/** Invalidates an account's code for this purpose. */
export async function discard(tx: Tx, userId: number, purpose: CodePurpose): Promise<void> {
  await tx.delete(codes).where(matches({ userId, purpose }));
}

/** Deletes expired codes. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(db, codes, lt(codes.expiresAt, sql`now()`));
}

function countTry(by: Guesser | "known device" | undefined): { set: SQL; isAllowed: SQL } {
  if (by === "known device")
    return { set: sql`known_tries = known_tries + 1`, isAllowed: sql`known_tries < ${TRIES_MAX}` };
  if (by) return countGuess(by);
  return { set: sql`tries = tries + 1`, isAllowed: sql`tries < ${TRIES_MAX}` };
}

function matches({ userId, purpose }: Pick<CodeSubject, "userId" | "purpose">) {
  return and(eq(codes.userId, userId), eq(codes.purpose, purpose));
}

function digestOf(key: string, { userId, purpose, recipient }: CodeSubject, code: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([purpose, userId, recipient, code]))
    .digest("base64url");
}
