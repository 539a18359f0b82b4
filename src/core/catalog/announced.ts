// Announcements of prices as JSON for webhook messages: to each account the prices that it pays itself.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { operators, products } from "../../../db/schema/catalog.ts";
import type { announcements } from "../../../db/schema/catalog-announcements.ts";
import { toCedis } from "../../shared/money.ts";
import { priceNow } from "./prices.ts";

export type Announcement = typeof announcements.$inferSelect;

/** An account: its tier before and after the change; its id only if it ever had a price of its own. */
export type Payer = { userId: number | null; fromTierId: number; toTierId: number };

/** A product whose price changes for a payer, with both prices. */
export type ChangedPrice = {
  productId: number;
  operator: string;
  name: string;
  size: string;
  oldPrice: number;
  oldPricePesewas: number;
  price: number;
  pricePesewas: number;
};

/** What changes for each of these payers, in their order: nothing for one who pays the same as before. */
export async function changedPrices(
  tx: Reads,
  { id, changeId }: Announcement,
  payers: readonly Payer[],
): Promise<ChangedPrice[][]> {
  const isConcerned =
    changeId === null
      ? sql`true`
      : sql`p.id in (select product_id from prices where change_id = ${changeId}
                     union all select product_id from account_prices where change_id = ${changeId})`;
  const listed = payers.map((payer, n) => ({ n, ...payer }));
  const rows = await tx.execute<Row>(sql`
    select y.n, p.id, p.operator, p.name, p.size, c.before, c.after
    from announcements a
    cross join json_to_recordset(${JSON.stringify(listed)}::json)
      y (n int, "userId" bigint, "fromTierId" bigint, "toTierId" bigint)
    join products p on p.retired_at is null and ${isConcerned}
    cross join lateral (
      select ${sql.raw(priceNow({ ...OF_PAYER, tier: `y."fromTierId"` }, BEFORE))} as before,
             ${sql.raw(priceNow({ ...OF_PAYER, tier: `y."toTierId"` }, "a.at"))} as after
      offset 0) c
    where a.id = ${id} and c.before <> c.after
    order by y.n, p.operator, p.id`);
  const rowsOf = Map.groupBy(rows, ({ n }) => n);
  return payers.map((_, n) => (rowsOf.get(n) ?? []).map(presented));
}

/** A tier's accounts pay its prices at once; a price is paid from its moment on. */
const BEFORE = "a.at - case when a.kind = 'prices' then interval '1 microsecond' else interval '0' end";
const OF_PAYER = { product: "p.id", user: `y."userId"`, hasOwn: `y."userId" is not null` };

type Row = {
  n: number;
  id: number;
  operator: string;
  name: string;
  size: string;
  before: number;
  after: number;
};

function presented({ id: productId, operator, name, size, before, after }: Row): ChangedPrice {
  return {
    ...{ productId, operator, name, size },
    ...{ oldPrice: toCedis(before), oldPricePesewas: before, price: toCedis(after), pricePesewas: after },
  };
}

/** The JSON of a pause; null when the product or the operator is no longer sold. */
export async function pauseJson(tx: Reads, announcement: Announcement): Promise<object | null> {
  const { productId, operator, message, until } = announcement;
  const pause = { paused: message !== null, message, until: until?.toISOString() ?? null };
  if (productId !== null) {
    const [product] = await tx
      .select()
      .from(products)
      .where(and(eq(products.id, productId), isNull(products.retiredAt)));
    if (!product) return null;
    const { name, size } = product;
    return { operator: product.operator, productId, name, size, ...pause };
  }
  const isSold = and(eq(operators.code, operator!), isNull(operators.retiredAt));
  if ((await tx.$count(operators, isSold)) === 0) return null;
  return { operator, productId, name: null, size: null, ...pause };
}
