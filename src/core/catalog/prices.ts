// The shop's prices in time. `priceNow` alone says what a product costs an account: its own exception, else its tier's
// price, else the Standard one, each by the newest row that has begun. Nothing is stacked. Purchases, lists, USSD, SMS
// and the API all use it, so that what was shown is what is paid.
import { and, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { accountPrices, priceChanges, prices, STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import { users } from "../../../db/schema/identity.ts";

/** SQL expressions: the ids of a product, of an account and of its tier. */
type Whose = { product: string; user: string; tier: string };

/** SQL for the price of now in pesewas; null for a product without prices, which there is none of. */
export function priceNow({ product, user, tier }: Whose): string {
  return `coalesce(
    ${newest("account_prices", `x.user_id = ${user} and x.product_id = ${product}`)},
    ${newest("prices", `x.tier_id = ${tier} and x.product_id = ${product}`)},
    ${standardPriceNow(product)})`;
}

/** SQL for the price of now of accounts in the Standard tier, and of strangers. */
function standardPriceNow(product: string): string {
  return newest("prices", `x.tier_id = ${STANDARD_TIER_ID} and x.product_id = ${product}`);
}

function newest(table: "prices" | "account_prices", condition: string): string {
  return `(select x.price_pesewas from ${table} x where ${condition} and x.since <= now()
           order by x.since desc limit 1)`;
}

/** As `priceNow`, for a query on `products` and one buyer; null: for strangers. */
export function priceFor(userId: number | null): SQL<number> {
  const product = "products.id";
  const text = userId === null ? standardPriceNow(product) : priceNow({ product, ...ofBuyer(userId) });
  return sql<number>`${sql.raw(text)}`.mapWith(Number);
}

/** SQL for a buyer's id and tier. */
function ofBuyer(userId: number): Omit<Whose, "product"> {
  const id = String(Math.trunc(userId));
  return { user: id, tier: `(select u.tier_id from users u where u.id = ${id})` };
}

/** A price to set, of a tier or of one account; null takes it away, so that the Standard or the tier's one applies. */
export type PriceSet = { productId: number; pricePesewas: number | null } & (
  | { tierId: number }
  | { userId: number }
);

/** `since`: from when; null for now. */
type Setting = { byUserId: number | null; since: Date | null; note?: string; undoesId?: number };

/**
 * "Now" is so much later that the prices are committed before they begin: from its moment on, every purchase on every
 * server pays them, and none before.
 */
const LEAD_MS = 150;

/**
 * Writes prices as one change, last in the caller's transaction. Returns its id and the moment from which they hold.
 */
export async function insert(
  tx: Tx,
  sets: readonly PriceSet[],
  { byUserId, since, note = "", undoesId }: Setting,
): Promise<{ changeId: number; since: Date }> {
  const at = since
    ? sql`${since.toISOString()}::timestamptz`
    : sql`clock_timestamp() + make_interval(secs => ${LEAD_MS / 1000})`;
  const [change] = await tx
    .insert(priceChanges)
    .values({ byUserId, since: at, note, undoesId: undoesId ?? null })
    .returning({ changeId: priceChanges.id, since: priceChanges.since });
  const { changeId } = change!;
  // The column and not the value that was read, which has no microseconds.
  const begins = sql`(select since from price_changes where id = ${changeId})`;
  const rows = sets.map(({ productId, pricePesewas, ...whose }) => ({
    ...whose,
    ...{ productId, pricePesewas, since: begins, changeId },
  }));
  const ofTiers = rows.filter((row) => "tierId" in row);
  const ofAccounts = rows.filter((row) => "userId" in row);
  if (ofTiers.length > 0) await tx.insert(prices).values(ofTiers);
  if (ofAccounts.length > 0) await tx.insert(accountPrices).values(ofAccounts);
  return change!;
}

/** Waits until prices that begin now have begun, by the database's clock. Call it after the commit. */
export async function begun(db: Reads, since: Date): Promise<void> {
  const at = sql`${since.toISOString()}::timestamptz`;
  // Its milliseconds are those of the moment rounded down.
  await db.execute(sql`
    select pg_sleep(least(${LEAD_MS / 1000}::float8, extract(epoch from ${at} - clock_timestamp()) + 0.001))
    where ${at} + interval '1 millisecond' > clock_timestamp()`);
}

export type PastPrice = { at: Date; username: string | null; pricePesewas: number };

const HISTORY_MAX = 200;

/** A product's last Standard prices that have begun, newest first. */
export async function history(tx: Reads, productId: number): Promise<PastPrice[]> {
  const rows = await tx
    .select({ at: prices.since, username: users.username, pricePesewas: prices.pricePesewas })
    .from(prices)
    .leftJoin(priceChanges, eq(priceChanges.id, prices.changeId))
    .leftJoin(users, eq(users.id, priceChanges.byUserId))
    .where(
      and(
        eq(prices.productId, productId),
        eq(prices.tierId, STANDARD_TIER_ID),
        lte(prices.since, sql`now()`),
      ),
    )
    .orderBy(desc(prices.since))
    .limit(HISTORY_MAX);
  return rows.map((row) => ({ ...row, pricePesewas: row.pricePesewas! }));
}
