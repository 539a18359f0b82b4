// An agent's public page of selling prices: its address is a secret of 128 bits that the agent shares, renews and takes
// back. It has the agent's prices and what the agent chose to show, and nothing else.
import { and, eq, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { priceLists } from "../../../db/schema/catalog-agents.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { shopNameOf } from "../platform/sql.ts";

export const HEADING_CHARS_MAX = 60;

export type PriceList = { userId: number; token: string; heading: string; msisdn: string | null };
/** As its customers see it: with the name of the agent's shop, or null. */
export type SharedPriceList = PriceList & { seller: string | null };

/** An agent's page, or null while it is switched off. */
export async function own(tx: Reads, userId: number): Promise<PriceList | null> {
  const [list] = await tx.select(shown).from(priceLists).where(eq(priceLists.userId, userId));
  return list ?? null;
}

/** The page with this token; null when there is none, or its agent may not sell. */
export async function byToken(tx: Reads, token: string): Promise<SharedPriceList | null> {
  const [list] = await tx
    .select({ ...shown, seller: shopNameOf(sql`price_lists.user_id`) })
    .from(priceLists)
    .innerJoin(users, eq(users.id, priceLists.userId))
    .where(and(eq(priceLists.token, token), eq(users.status, "ACTIVE")));
  return list ?? null;
}

/**
 * Switches the page on, or changes what it shows; its address stays. An empty number shows none. Throws msisdn.invalid.
 */
export async function publish(db: Db, command: { by: ByUser; heading: string; msisdn: string }): Promise<PriceList> {
  const msisdn = command.msisdn.trim() === "" ? null : parseMsisdn(command.msisdn);
  if (command.msisdn.trim() !== "" && !msisdn) throw new AppError("msisdn.invalid");
  const chosen = { heading: command.heading.trim(), msisdn };
  const [list] = await db
    .insert(priceLists)
    .values({ userId: command.by.userId, token: newToken(), ...chosen })
    .onConflictDoUpdate({ target: priceLists.userId, set: chosen })
    .returning(shown);
  return list!;
}

/** Gives the page a new address; the old one leads nowhere from now on. No effect while it is switched off. */
export async function renew(db: Db, command: { by: ByUser }): Promise<void> {
  await db.update(priceLists).set({ token: newToken() }).where(eq(priceLists.userId, command.by.userId));
}

/** Switches the page off; its address leads nowhere from now on. */
export async function withdraw(db: Db, command: { by: ByUser }): Promise<void> {
  await db.delete(priceLists).where(eq(priceLists.userId, command.by.userId));
}

const shown = {
  userId: priceLists.userId,
  token: priceLists.token,
  heading: priceLists.heading,
  msisdn: priceLists.msisdn,
};

function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
