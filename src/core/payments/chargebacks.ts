// Chargebacks for admins: the open ones with their deadlines, and our evidence for the payment.
import { and, asc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { paymentReversals, payments } from "../../../db/schema/payments.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { Order } from "../orders/order.ts";
import type { Payment } from "./payments.ts";
import type { Reversal } from "./reversals.ts";

export type Chargeback = Reversal & { payment: Payment; username: string };

const SHOWN = 100;

/** The open chargebacks, nearest deadline first. */
export async function open(db: Db): Promise<Chargeback[]> {
  return select(db, eq(paymentReversals.state, "open"));
}

/** An order paid with the money, and the evidence of its delivery. */
export type Evidence = {
  order: Order;
  deliveredAt: Date | null;
  vendor: string | null;
  /** Ours, as sent to the vendor. */
  reference: string | null;
  vendorReference: string | null;
  /** The vendor's last message. */
  confirmation: string | null;
};

/**
 * One chargeback with its evidence: the order that the payment was for, or what the account bought between the top-up
 * and the chargeback. Throws payment.not_found.
 */
export async function get(db: Db, id: number): Promise<{ chargeback: Chargeback; evidence: Evidence[] }> {
  const [chargeback] = await select(db, eq(paymentReversals.id, id));
  if (!chargeback) throw new AppError("payment.not_found");
  return { chargeback, evidence: await evidenceFor(db, chargeback) };
}

async function select(db: Db, condition: SQL): Promise<Chargeback[]> {
  const rows = await db
    .select({ reversal: paymentReversals, payment: payments, username: users.username })
    .from(paymentReversals)
    .innerJoin(payments, eq(payments.id, paymentReversals.paymentId))
    .innerJoin(users, eq(users.id, paymentReversals.userId))
    .where(and(eq(paymentReversals.kind, "chargeback"), condition))
    .orderBy(asc(paymentReversals.dueAt), asc(paymentReversals.id))
    .limit(SHOWN);
  return rows.map(({ reversal, ...row }) => ({ ...reversal, ...row }));
}

async function evidenceFor(tx: Reads, { payment, createdAt }: Chargeback): Promise<Evidence[]> {
  const { orderId, userId, paidAt } = payment;
  const boughtWithIt = and(
    eq(orders.userId, userId),
    gte(orders.paidAt, paidAt ?? createdAt),
    lte(orders.paidAt, createdAt),
    inArray(orders.status, ["DELIVERED", "COMPLETED"]),
  );
  const rows = await tx
    .select({
      order: orders,
      attempt: attempts,
      deliveredAt: sql<Date | null>`(
        select min(e.created_at) from order_events e
        where e.order_id = ${orders.id} and e.to_status in ('DELIVERED', 'COMPLETED'))`.mapWith(attempts.endedAt),
    })
    .from(orders)
    .leftJoin(attempts, and(eq(attempts.orderId, orders.id), eq(attempts.state, "delivered")))
    .where(orderId === null ? boughtWithIt : eq(orders.id, orderId))
    .orderBy(asc(orders.id))
    .limit(SHOWN);
  return rows.map(({ order, attempt, deliveredAt }) => ({
    order,
    deliveredAt,
    vendor: attempt?.vendor ?? null,
    reference: attempt?.reference ?? null,
    vendorReference: attempt?.vendorReference ?? null,
    confirmation: attempt?.vendorMessage ?? null,
  }));
}
