// The rules of an order line other than money: the number, the quantity, the product, duplicates. For previews;
// the purchase statement checks the same against the rows it charges.
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { operators, products } from "../../../db/schema/catalog.ts";
import { orders } from "../../../db/schema/orders.ts";
import { limits } from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import { currentOperator } from "../../shared/operators.ts";
import type { Pause } from "../../shared/pause.ts";
import { priceFor, priceNow } from "../catalog/prices.ts";
import { isTooCheap, pauseAmong, pauseOf } from "../catalog/sale-pauses.ts";
import type { Earlier } from "./own-references.ts";
import { isValidQuantity, type LineRequest, type PurchaseLine } from "./purchase-groups.ts";

/** `paused` is the pause in force: its own or its operator's, whichever ends later. */
export type LiveProduct = typeof products.$inferSelect & { paused: Pause | null };

/** The bundles on sale that these lines refer to, by id, at the prices of this buyer. */
export async function productsForLines(
  tx: Reads,
  userId: number,
  lines: { productId: number }[],
): Promise<Map<number, LiveProduct>> {
  const ids = [...new Set(lines.map((line) => line.productId))].filter(Number.isSafeInteger);
  const rows = await tx
    .select({
      product: products,
      pricePesewas: priceFor(userId),
      own: pauseOf(products),
      ofOperator: pauseOf(operators),
    })
    .from(products)
    .innerJoin(operators, eq(operators.code, products.operator))
    .where(and(inArray(products.id, ids), isNull(products.retiredAt), eq(products.line, "bundle")));
  return new Map(
    rows.map(({ product, pricePesewas, own, ofOperator }) => {
      const live = { ...product, pricePesewas };
      return [product.id, { ...live, paused: pauseAmong(own, ofOperator, isTooCheap(live)) }];
    }),
  );
}

/** Checks a line by the rules of step 4 of the purchase statement, in the same order; the statement decides. */
export function lineProblem(line: LineRequest, msisdn: string | null, product: LiveProduct | null): ErrorCode | null {
  if (!msisdn) return "msisdn.invalid";
  if (!isValidQuantity(line.quantity)) return "order.quantity_invalid";
  if (!product) return "product.not_found";
  if (line.operator && currentOperator(line.operator) !== product.operator) return "order.operator_mismatch";
  if (product.paused) return "product.paused";
  const amountPesewas = product.pricePesewas * line.quantity;
  if (line.expectedPesewas !== undefined && line.expectedPesewas !== amountPesewas) return "order.price_changed";
  return null;
}

/** Why an existing order can no longer be bought: its bundle is off sale, paused, or has gone up in price. */
export async function orderProblem(
  tx: Reads,
  order: { userId: number; productId: number; unitPricePesewas: number },
): Promise<"product.not_found" | "product.paused" | "order.price_changed" | null> {
  const product = (await productsForLines(tx, order.userId, [order])).get(order.productId);
  if (!product) return "product.not_found";
  if (product.paused) return "product.paused";
  return product.pricePesewas > order.unitPricePesewas ? "order.price_changed" : null;
}

/**
 * A line's current price in pesewas, null when it is not on sale; and how many the latest order had that makes it a
 * duplicate, null for none.
 */
export type Quote = { pricePesewas: number | null; boughtQuantity: number | null };

/**
 * Quotes one line by the rules of step 4 of the purchase statement; a prepared statement, because USSD calls it often.
 */
export async function quote(
  { $client: sql }: Db,
  userId: number,
  { productId, msisdn, operator }: Pick<PurchaseLine, "productId" | "msisdn" | "operator">,
): Promise<Quote> {
  const wanted = operator ? currentOperator(operator) : null;
  const [row] = await sql<Quote[]>`
    select (select c.price from users u cross join products p join operators o on o.code = p.operator
            cross join lateral (
              select ${sql.unsafe(priceNow({ product: "p.id", user: "u.id", tier: "u.tier_id" }))} as price) c
            where u.id = ${userId} and p.id = ${productId} and p.line = 'bundle' and p.retired_at is null
              and not is_paused(p.paused_message, p.paused_until)
              and not is_paused(o.paused_message, o.paused_until)
              and c.price >= coalesce(p.lowest_price_pesewas, 0)
              and p.operator = coalesce(${wanted}::text, p.operator)) as "pricePesewas",
           (select d.quantity from orders d
             where d.user_id + 0 = ${userId} and d.msisdn = ${msisdn} and d.product_id = ${productId}
               and d.status <> 'FAILED'
               and d.created_at > now() - make_interval(mins => ${limits.duplicateWindowMinutes})
             order by d.id desc limit 1) as "boughtQuantity"`;
  return row!;
}

/**
 * This user's orders within the duplicate window, for the given numbers: the latest of each "msisdn productId".
 */
export async function recentOrders(
  tx: Reads,
  userId: number,
  numbers: (string | null)[],
): Promise<Map<string, Earlier>> {
  const wanted = [...new Set(numbers.filter((number) => number !== null))];
  const { msisdn, productId, id: orderId, createdAt: orderedAt } = orders;
  const rows = await tx.select({ msisdn, productId, orderId, orderedAt }).from(orders).where(isRecent(userId, wanted));
  rows.sort((a, b) => a.orderId - b.orderId);
  return new Map(rows.map(({ msisdn, productId, ...earlier }) => [`${msisdn} ${productId}`, earlier]));
}

/** The buyer's orders for these numbers that make another one a duplicate. */
export function isRecent(userId: number, numbers: string[]): SQL | undefined {
  return and(
    // "+ 0" makes the planner use the index on numbers, not on buyers, who may have a million orders.
    sql`${orders.userId} + 0 = ${userId}`,
    sql`${orders.msisdn} = any(${sql.param(numbers)}::text[])`,
    sql`${orders.status} <> 'FAILED'`,
    sql`${orders.createdAt} > now() - make_interval(mins => ${limits.duplicateWindowMinutes})`,
  );
}
