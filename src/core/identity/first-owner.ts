// The first owner of a shop, who shows by a code from the start's output that they run it.
import { createHmac, timingSafeEqual } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { checkUsername, insert, type NewUser, type User } from "./users.ts";

/** Without I, L, O and U, which are misread (Crockford's Base32). */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 12;

/**
 * The code: 60 bits in three groups, "K7QF-2M9X-4TRB". The same at every start and in every process of the shop, so it
 * is stored nowhere; it is good for nothing once there is an owner. `key` is that of one-time codes.
 */
export function codeOf({ key }: { key: string }): string {
  const bytes = createHmac("sha256", key).update("first owner").digest();
  const letters = [...bytes.subarray(0, CODE_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]);
  return letters.join("").replace(/(....)(?=.)/g, "$1-");
}

/** Shops that have had an owner, and so will have one for ever: an owner's account ends only beside another's. */
const owned = new WeakSet<object>();

/** Whether the shop still has no owner. */
export async function isOwnerless(db: Db): Promise<boolean> {
  if (!owned.has(db) && (await hasOwner(db))) owned.add(db);
  return !owned.has(db);
}

/**
 * Creates the account of the first owner. Throws owner.exists, owner.code_wrong, request.rate_limited,
 * user.username_taken, user.username_refused, user.email_taken, user.password_short, user.password_common.
 */
export async function create(
  db: Db,
  keys: { key: string },
  { code, address, ...user }: NewUser & { code: string; address: string },
): Promise<User> {
  if (!(await isOwnerless(db))) throw new AppError("owner.exists");
  await budgets.spend(db, "owner.address", address);
  if (!isCode(keys, code)) throw new AppError("owner.code_wrong", { fields: { code: "This is not the code" } });
  checkUsername(user.username, true);
  return insert(db, { ...user, roles: ["ADMIN"] }, async (tx, { id }) => {
    // Of two who have the code, the second finds the first.
    await lock(tx, "firstOwner");
    if (await hasOwner(tx, id)) throw new AppError("owner.exists");
  });
}

/** Compares as people type: without dashes and blanks, in any case, with O for 0 and I or L for 1. */
function isCode(keys: { key: string }, typed: string): boolean {
  const plain = (text: string) => text.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const [given, right] = [Buffer.from(plain(typed)), Buffer.from(plain(codeOf(keys)))];
  return given.length === right.length && timingSafeEqual(given, right);
}

async function hasOwner(tx: Reads, butId = 0): Promise<boolean> {
  const [row] = await tx.execute<{ is: boolean }>(
    sql`select exists (select from users where roles @> array['ADMIN'] and id <> ${butId}) as is`,
  );
  return row!.is;
}
