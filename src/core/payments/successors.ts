// Payments that replaced others: a new reference for the same purpose, while the old one can still be paid.
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";

type Payment = typeof payments.$inferSelect;

/** Whether a payment is the top-up with this id, or a successor of it. */
export async function isSuccessorOf(db: Db, payment: Payment, paymentId: number): Promise<boolean> {
  if (payment.id === paymentId) return true;
  if (payment.supersedesId === null) return false;
  const [first] = await db.select().from(payments).where(eq(payments.id, paymentId));
  if (!first || first.userId !== payment.userId) return false;
  return (await successors(db, first)).some(({ id }) => id === payment.id);
}

/** The payments that replaced this one, oldest first. */
export async function successors(db: Db, payment: Payment): Promise<Payment[]> {
  const later = await db
    .select()
    .from(payments)
    .where(
      and(eq(payments.userId, payment.userId), gt(payments.id, payment.id), sql`${payments.supersedesId} is not null`),
    )
    .orderBy(asc(payments.id));
  const chain = new Set([payment.id]);
  return later.filter(({ id, supersedesId }) => chain.has(supersedesId!) && chain.add(id));
}
