// Recipients of an agent's newest sales with the bundle that each usually takes, and what the agent sells most, so that
// the next sale needs a tap instead of typing.
import { and, eq, max, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { AFA_SIZE, type Operator } from "../../shared/domain.ts";
import { isRecent } from "./order-lines.ts";

/** The newest orders of an agent that are read, however many there are: what sold months ago predicts little. */
const NEWEST = 200;
/** A recipient's usual bundle is the most frequent of so many. */
const USUAL_OF = 10;

/** A number sold to, with the bundle that it usually takes. */
export type Recipient = {
  msisdn: string;
  operator: Operator;
  productId: number;
  size: string;
  /** The bundle that it took last. */
  lastProductId: number;
  lastAt: Date;
};

/** What an agent's newest sales show. */
export type Habits = {
  /** The newest recipients first. */
  recipients: Recipient[];
  /** The bundles by the number of their sales, the most sold first. */
  bestSellers: number[];
  /** The bundle that was sold last, of each network. */
  lastOf: Record<Operator, number>;
  /** The network of the newest sale. */
  lastOperator: Operator | null;
};

/** The newest distinct recipients of a user's sales, at most `countMax`, each with the bundle that it usually takes. */
export async function recent(db: Db, userId: number, countMax: number): Promise<Recipient[]> {
  return recipientsOf(await newestSales(db, userId), countMax);
}

/** As `recent`, with what else these sales show. */
export async function habits(db: Db, userId: number, countMax: number): Promise<Habits> {
  const sales = await newestSales(db, userId);
  const last = new Map<Operator, number>();
  for (const { operator, productId } of sales) if (!last.has(operator)) last.set(operator, productId);
  return {
    recipients: recipientsOf(sales, countMax),
    bestSellers: byFrequency(sales.map(({ productId }) => productId)),
    lastOf: Object.fromEntries(last),
    lastOperator: sales[0]?.operator ?? null,
  };
}

/** When this user last ordered this bundle for this number, within the duplicate window; null if not. */
export async function soldAt(
  db: Db,
  { userId, msisdn, productId }: { userId: number; msisdn: string; productId: number },
): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(orders.createdAt) })
    .from(orders)
    .where(and(isRecent(userId, [msisdn]), eq(orders.productId, productId)));
  return row?.at ?? null;
}

type Sale = Pick<Recipient, "msisdn" | "operator" | "productId" | "size"> & { at: Date };

async function newestSales(db: Db, userId: number): Promise<Sale[]> {
  const rows = await db.execute<Omit<Sale, "at"> & { at: string }>(newestSalesQuery(userId));
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/**
 * Sales among the newest orders, newest first. A cancelled or failed order was often a number mistyped, and an unpaid
 * one never a sale. With a range of users, which is one user, the order by user and id makes the planner use the index
 * on both; for `user_id = …` it reads everybody's orders backwards until it has enough, which an idle user never has.
 */
export function newestSalesQuery(userId: number): SQL {
  return sql`
    select newest.msisdn, newest.operator, newest.product_id as "productId", newest.product_size as size,
           newest.created_at as at
    from (
      select * from orders where user_id between ${userId} and ${userId} order by user_id desc, id desc limit ${NEWEST}
    ) newest
    where newest.paid_at is not null and newest.status <> 'FAILED' and newest.product_size <> ${AFA_SIZE}
    order by newest.id desc`;
}

function recipientsOf(sales: Sale[], countMax: number): Recipient[] {
  const byNumber = [...Map.groupBy(sales, ({ msisdn }) => msisdn).values()];
  return byNumber.slice(0, countMax).map((own) => {
    const newest = own[0]!;
    const [usualId] = byFrequency(own.slice(0, USUAL_OF).map(({ productId }) => productId));
    const { msisdn, operator, productId, size } = own.find((sale) => sale.productId === usualId)!;
    return { msisdn, operator, productId, size, lastProductId: newest.productId, lastAt: newest.at };
  });
}

/** Distinct ids, the most frequent first; of equally frequent ones the first. */
function byFrequency(ids: number[]): number[] {
  const counts = Map.groupBy(ids, (id) => id);
  return [...counts].sort(([, some], [, others]) => others.length - some.length).map(([id]) => id);
}
