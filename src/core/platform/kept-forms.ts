// Forms that could not be taken yet, kept for whoever sent them: across a login, or a top-up. What was typed is sealed
// under a token that only that browser has, so that nobody can read it in the database; passwords and codes are left out.
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { keptForms } from "../../../db/schema/platform.ts";
import { limits } from "../../shared/domain.ts";
import * as budgets from "./budgets.ts";
import { seal, unseal } from "./encryption.ts";
import { deleteInParts } from "./parts.ts";

const KEPT_SECONDS = 2 * 3600;
/** Never kept: secrets, and the key of a form that is sent again as a new one. */
const LEFT_OUT = /password|pin$|^code$|^key$/i;

/**
 * Keeps the fields of a form that was sent to `path`, for two hours; `userId` is null while nobody is logged in. Returns
 * the token that brings them back, or null when there is nothing to keep, too much of it, or too often.
 */
export async function keep(
  db: Db,
  ask: { path: string; form: URLSearchParams; userId: number | null; address: string },
): Promise<string | null> {
  const typed = new URLSearchParams([...ask.form].filter(([name]) => !LEFT_OUT.test(name)));
  const text = typed.toString();
  if (text === "" || text.length > limits.bodyBytes) return null;
  if (!(await budgets.fits(db, "form.address", ask.address))) return null;
  const token = crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
  await db.insert(keptForms).values({
    id: idOf(token),
    userId: ask.userId,
    sealed: seal(keyOf(token), text, ask.path),
    expiresAt: sql`now() + make_interval(secs => ${KEPT_SECONDS})`,
  });
  return token;
}

/** The fields that were kept for this path under this token; null when there are none, or they are somebody else's. */
export async function read(
  db: Db,
  ask: { path: string; token: string; userId: number },
): Promise<URLSearchParams | null> {
  const [row] = await db
    .select()
    .from(keptForms)
    .where(
      and(
        eq(keptForms.id, idOf(ask.token)),
        gt(keptForms.expiresAt, sql`now()`),
        or(isNull(keptForms.userId), eq(keptForms.userId, ask.userId)),
      ),
    );
  if (!row) return null;
  // Whoever comes first with a token that was nobody's is its owner.
  if (row.userId === null)
    await db.update(keptForms).set({ userId: ask.userId }).where(eq(keptForms.id, row.id));
  try {
    return new URLSearchParams(unseal(keyOf(ask.token), row.sealed, ask.path));
  } catch {
    // It was kept for another page.
    return null;
  }
}

/** Deletes forms that nobody came back for. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(db, keptForms, lt(keptForms.expiresAt, sql`now()`));
}

const idOf = (token: string) => new Bun.CryptoHasher("sha256").update(`kept form id ${token}`).digest("hex");
const keyOf = (token: string) => new Bun.CryptoHasher("sha256").update(`kept form key ${token}`).digest();
