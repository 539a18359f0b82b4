// Holds of AFA registrations: a Ghana Card and a number, which cannot be registered a second time.
import { and, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { isAmong } from "../platform/sql.ts";
import type { Order } from "./order.ts";

/** Those of these orders that are AFA registrations. */
export async function among(tx: Reads, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ id: afaRegistrations.orderId })
    .from(afaRegistrations)
    .where(isAmong(afaRegistrations.orderId, orderIds));
  return new Set(rows.map((row) => row.id));
}

/**
 * Releases card and number of the registrations among failed orders, which are given as they were before. Those of
 * people whom MTN had registered stay held, because MTN's registration stays.
 */
export async function release(tx: Tx, orders: Order[]): Promise<void> {
  const isRegistered = ({ status }: Order) => status === "DELIVERED" || status === "COMPLETED";
  const [registered, open] = [orders.filter(isRegistered), orders.filter((order) => !isRegistered(order))];
  for (const [part, value] of [
    [open, { refusedAt: sql`now()` }],
    [registered, { keptAt: sql`now()` }],
  ] as const) {
    const ids = part.map(({ id }) => id);
    if (ids.length > 0) await tx.update(afaRegistrations).set(value).where(isAmong(afaRegistrations.orderId, ids));
  }
}

/** Frees card and number of refunded registrations that an admin says MTN does not have; returns their order ids. */
export async function free(tx: Tx, orderIds: number[]): Promise<number[]> {
  const rows = await tx
    .update(afaRegistrations)
    .set({ refusedAt: sql`now()` })
    .where(
      and(
        isAmong(afaRegistrations.orderId, orderIds),
        isNotNull(afaRegistrations.keptAt),
        isNull(afaRegistrations.refusedAt),
      ),
    )
    .returning({ id: afaRegistrations.orderId });
  return rows.map((row) => row.id);
}

/**
 * Holds card and number of a registration again whose refund was taken back; no effect on a bundle. Throws
 * afa.card_registered or afa.number_registered when another registration has them since.
 */
export async function holdAgain(tx: Tx, orderId: number): Promise<void> {
  const { refusedAt, cardDigest, msisdn } = afaRegistrations;
  const [own] = await tx.select().from(afaRegistrations).where(eq(afaRegistrations.orderId, orderId));
  if (!own) return;
  const [other] = await tx
    .select({ card: cardDigest })
    .from(afaRegistrations)
    .where(
      and(
        ne(afaRegistrations.orderId, orderId),
        isNull(refusedAt),
        or(eq(cardDigest, own.cardDigest), eq(msisdn, own.msisdn)),
      ),
    )
    .limit(1);
  if (other) throw new AppError(other.card === own.cardDigest ? "afa.card_registered" : "afa.number_registered");
  await tx.update(afaRegistrations).set({ refusedAt: null, keptAt: null }).where(eq(afaRegistrations.orderId, orderId));
}
