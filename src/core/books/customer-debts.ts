// Customers' debts to an agent for orders: the agent's own notebook. None of it is the shop's money, and nothing of it
// is in the ledger.
import { and, desc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { customerDebts, orders } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { MAX_AMOUNT_PESEWAS } from "../../shared/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { deleteInParts } from "../platform/parts.ts";
import { isAmong } from "../platform/sql.ts";
import { transact } from "../platform/transactions.ts";
import * as profit from "../reports/profit.ts";
import type { DaySpan } from "../reports/sales-history.ts";

/** The most open debts of an account. */
const OPEN_MAX = 2_000;
const TOO_MANY = "You have marked 2,000 orders as owing. Mark some as paid first.";

export type Debt = { orderId: number; msisdn: string; amountPesewas: number; paidAt: Date | null };

/** What one customer owes, over all orders. */
export type Owed = { msisdn: string; amountPesewas: number; orders: number };

/**
 * Marks an order as owing: its amount, or else its selling price, or else what it cost. Marked again, it owes the new
 * amount. Throws order.not_found, and request.invalid for one that was not sold or when too many are owing.
 */
export async function mark(
  db: Db,
  command: { by: ByUser; orderId: number; amountPesewas?: number | undefined },
): Promise<Debt> {
  const { by, orderId } = command;
  return transact(db, async (tx) => {
    // So that an account's debts are counted by one transaction at a time.
    await ledger.lockWallets(tx, [by.userId]);
    const order = await sold(tx, by, orderId);
    const amountPesewas = command.amountPesewas ?? (await usualAmount(tx, order));
    if (amountPesewas < 1 || amountPesewas > MAX_AMOUNT_PESEWAS)
      throw new AppError("request.invalid", undefined, "Enter an amount above zero");
    const { msisdn, userId } = order;
    const [debt] = await tx
      .insert(customerDebts)
      .values({ orderId, userId, msisdn, amountPesewas })
      .onConflictDoUpdate({ target: customerDebts.orderId, set: { amountPesewas, paidAt: null } })
      .returning(shown);
    await checkRoom(tx, userId);
    return debt!;
  });
}

/**
 * Notes that a customer has paid an order, or that they have not after all. Throws order.not_found without a debt, and
 * request.invalid when too many are owing.
 */
export async function setPaid(db: Db, command: { by: ByUser; orderId: number; isPaid: boolean }): Promise<Debt> {
  const { by, orderId, isPaid } = command;
  return transact(db, async (tx) => {
    await ledger.lockWallets(tx, [by.userId]);
    const [debt] = await tx
      .update(customerDebts)
      .set({ paidAt: isPaid ? sql`now()` : null })
      .where(and(eq(customerDebts.orderId, orderId), eq(customerDebts.userId, by.userId)))
      .returning(shown);
    if (!debt) throw new AppError("order.not_found");
    if (!isPaid) await checkRoom(tx, by.userId);
    return debt;
  });
}

/** Removes the mark from an order, as if it had never been one; no error without a debt. */
export async function forget(db: Db, command: { by: ByUser; orderId: number }): Promise<void> {
  await db
    .delete(customerDebts)
    .where(and(eq(customerDebts.orderId, command.orderId), eq(customerDebts.userId, command.by.userId)));
}

/** Who owes an account how much, the most first. Refunded orders owe nothing. */
export async function owed(tx: Reads, userId: number): Promise<Owed[]> {
  const rows = await tx.execute<{ msisdn: string; amount: number; orders: number }>(sql`
    select d.msisdn, sum(d.amount_pesewas)::bigint as amount, count(*)::int as orders
    from ${openDebts(userId)}
    group by d.msisdn order by amount desc, d.msisdn limit ${OPEN_MAX}`);
  return rows.map(({ msisdn, amount, orders }) => ({ msisdn, amountPesewas: amount, orders }));
}

/** What is owed to an account for the orders paid within a span of days. */
export async function owedFor(tx: Reads, userId: number, { first, last }: DaySpan): Promise<number> {
  const [row] = await tx.execute<{ amount: number }>(sql`
    select coalesce(sum(d.amount_pesewas), 0)::bigint as amount
    from ${openDebts(userId)}
      and (o.paid_at at time zone 'Africa/Accra')::date between ${first}::date and ${last}::date`);
  return row!.amount;
}

/**
 * An account's open debts `d`, each with its order `o`, without the refunded ones: a "from" with its "where". The
 * limits make the planner read the debts by their index and look each order up by its id; a plain join of many debts
 * reads the orders of the whole shop.
 */
export function openDebts(userId: number): SQL {
  return sql`
    (select * from customer_debts where user_id = ${userId} and paid_at is null
     order by user_id, paid_at, msisdn, order_id limit ${OPEN_MAX}) d,
    lateral (select status, paid_at from orders where id = d.order_id limit 1) o
    where o.status <> 'FAILED'`;
}

/** A debt with what was ordered. */
export type OwedOrder = Debt & Pick<Sold, "operator" | "family" | "productSize" | "quantity" | "createdAt">;

/** The orders that a customer still owes for, newest first. */
export async function openOf(tx: Reads, userId: number, msisdn: string, countMax: number): Promise<OwedOrder[]> {
  const { operator, family, productSize, quantity, createdAt } = orders;
  return tx
    .select({ ...shown, operator, family, productSize, quantity, createdAt })
    .from(customerDebts)
    .innerJoin(orders, and(eq(orders.id, customerDebts.orderId), ne(orders.status, "FAILED")))
    .where(and(eq(customerDebts.userId, userId), eq(customerDebts.msisdn, msisdn), isNull(customerDebts.paidAt)))
    .orderBy(desc(customerDebts.orderId))
    .limit(countMax);
}

/** The debts of an account's orders by id. */
export async function ofOrders(tx: Reads, userId: number, orderIds: readonly number[]): Promise<Map<number, Debt>> {
  const rows = await tx
    .select(shown)
    .from(customerDebts)
    .where(and(eq(customerDebts.userId, userId), isAmong(customerDebts.orderId, orderIds)));
  return new Map(rows.map((debt) => [debt.orderId, debt]));
}

export const KEPT_DAYS = 90;

/** Deletes debts that were paid long ago. */
export async function forgetPaid(db: Db): Promise<void> {
  await deleteInParts(db, customerDebts, sql`${customerDebts.paidAt} < now() - make_interval(days => ${KEPT_DAYS})`);
}

/** Deletes the debts of a number that were paid, for its owner; returns how many. */
export async function forgetNumber(tx: Tx, msisdn: string): Promise<number> {
  const { count } = await tx.execute(sql`
    delete from customer_debts where msisdn = ${msisdn} and paid_at is not null`);
  return count;
}

const shown = {
  orderId: customerDebts.orderId,
  msisdn: customerDebts.msisdn,
  amountPesewas: customerDebts.amountPesewas,
  paidAt: customerDebts.paidAt,
};

type Sold = typeof orders.$inferSelect;

/** One of the caller's own orders that was paid and not refunded. */
async function sold(tx: Tx, by: ByUser, orderId: number): Promise<Sold> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, by.userId)));
  if (!order) throw new AppError("order.not_found");
  if (!order.paidAt || order.status === "FAILED") {
    const message = "Nobody owes for this order: it was refunded, or is not paid yet.";
    throw new AppError("request.invalid", undefined, message);
  }
  return order;
}

async function usualAmount(tx: Reads, { id, userId, amountPesewas }: Sold): Promise<number> {
  const priced = await profit.ofOrders(tx, userId, [id]);
  return priced.get(id)?.sellingPesewas ?? amountPesewas;
}

/** Debts of orders that were refunded meanwhile make room first. */
async function checkRoom(tx: Tx, userId: number): Promise<void> {
  const isOpen = and(eq(customerDebts.userId, userId), isNull(customerDebts.paidAt));
  if ((await tx.$count(customerDebts, isOpen)) <= OPEN_MAX) return;
  await tx.execute(sql`
    delete from customer_debts d
    where d.user_id = ${userId} and d.paid_at is null
      and (select status from orders where id = d.order_id) = 'FAILED'`);
  if ((await tx.$count(customerDebts, isOpen)) > OPEN_MAX) throw new AppError("request.invalid", undefined, TOO_MANY);
}
