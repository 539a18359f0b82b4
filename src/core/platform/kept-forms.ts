// Forms kept for their sender across a login or a top-up. Their fields are encrypted under a token that only that
// browser has, so nobody can read them in the database; passwords and codes are left out.
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { keptForms } from "../../../db/schema/platform.ts";
import { limits } from "../../shared/domain.ts";
import * as budgets from "./budgets/budgets.ts";
import { seal, unseal } from "./encryption.ts";
import { deleteInParts } from "./parts.ts";

const KEPT_SECONDS = 2 * 3600;
/** Never kept: secrets, and the idempotency key, because the form is sent again as a new request. */
const LEFT_OUT = /password|pin$|^code$|^key$/i;

/**
 * Keeps the fields of a form sent to `path` for two hours; `userId` is null for a visitor. Returns the token that reads
 * them, or null when there is nothing to keep, too much, or too many forms from this address.
 */
export async function keep(
  db: Db,
  sent: { path: string; form: URLSearchParams; userId: number | null; address: string },
): Promise<string | null> {
  const fields = new URLSearchParams([...sent.form].filter(([name]) => !LEFT_OUT.test(name)));
  const text = fields.toString();
  if (text === "" || text.length > limits.bodyBytes) return null;
  if (!(await budgets.trySpend(db, "form.address", sent.address))) return null;
  const token = crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
  await db.insert(keptForms).values({
    id: idOf(token),
    userId: sent.userId,
    sealed: seal(keyOf(token), text, sent.path),
    expiresAt: sql`now() + make_interval(secs => ${KEPT_SECONDS})`,
  });
  return token;
}

/** The fields kept for this path under this token; null when there are none, or they belong to somebody else. */
export async function read(
  db: Db,
  sent: { path: string; token: string; userId: number },
): Promise<URLSearchParams | null> {
  const [row] = await db
    .select()
    .from(keptForms)
    .where(
      and(
        eq(keptForms.id, idOf(sent.token)),
        gt(keptForms.expiresAt, sql`now()`),
        or(isNull(keptForms.userId), eq(keptForms.userId, sent.userId)),
      ),
    );
  if (!row) return null;
  // The first user to present a visitor's token becomes its owner.
  if (row.userId === null) await db.update(keptForms).set({ userId: sent.userId }).where(eq(keptForms.id, row.id));
  try {
    return new URLSearchParams(unseal(keyOf(sent.token), row.sealed, sent.path));
  } catch {
    // It was kept for another page.
    return null;
  }
}

/** Deletes expired forms. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(db, keptForms, lt(keptForms.expiresAt, sql`now()`));
}

const idOf = (token: string) => new Bun.CryptoHasher("sha256").update(`kept form id ${token}`).digest("hex");
const keyOf = (token: string) => new Bun.CryptoHasher("sha256").update(`kept form key ${token}`).digest();
