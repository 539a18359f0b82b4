// The shop's prices in time. `priceNow` alone says what a product costs an account: its own exception, else its tier's
// price, else the Standard one, each by the newest row that has begun. Nothing is stacked. Purchases, lists, USSD, SMS
// and the API all use it, so that what was shown is what is paid.
import { eq, type SQL, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { priceChanges, STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import { users } from "../../../db/schema/identity.ts";
import * as announcements from "./announcements.ts";

/** SQL expressions: the ids of a product, of an account and of its tier; and whether it ever had a price of its own. */
type Whose = { product: string; user: string; tier: string; hasOwn?: string };

/**
 * SQL for the price of now in pesewas; null for a product without prices, which there is none of. `at` is the moment,
 * where the beginning of the transaction is not it.
 */
export function priceNow({ product, user, tier, hasOwn = "true" }: Whose, at = "now()"): string {
  return `coalesce(
    case when ${hasOwn} then
      ${newest("account_prices", `x.user_id = ${user} and x.product_id = ${product}`, at)} end,
    ${newest("prices", `x.tier_id = ${tier} and x.product_id = ${product}`, at)},
    ${standardPriceNow(product, at)})`;
}

/** SQL for the price of now of accounts in the Standard tier, and of strangers. */
function standardPriceNow(product: string, at = "now()"): string {
  return newest("prices", `x.tier_id = ${STANDARD_TIER_ID} and x.product_id = ${product}`, at);
}

function newest(table: "prices" | "account_prices", condition: string, at: string): string {
  return `(select x.price_pesewas from ${table} x where ${condition} and x.since <= ${at}
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
export type PriceSet = { productId: number; pricePesewas: number | null } & ({ tierId: number } | { userId: number });

/** `since`: from when; null for now. */
type Setting = { byUserId: number | null; since: Date | null; note?: string; undoesId?: number };

/**
 * "Now" is so much later that the prices are committed before they begin: from its moment on, every purchase on every
 * server pays them, and none before.
 */
const LEAD_MS = 150;
/**
 * A row is written in a fraction of this. The database refuses a commit that comes too late, and it is tried again,
 * twice as far ahead.
 */
const LEAD_MS_EACH = 0.5;
/** Changes set to begin now, in this process, since the last one that did: the machine may be too slow for them. */
let lateChanges = 0;
/** No price that begins now is further ahead. */
const LEAD_MS_MAX = 2000;

/**
 * Writes prices as one change, last in the caller's transaction, which holds the lock of costs. Returns its id and the
 * moment from which they hold.
 */
export async function insert(
  tx: Tx,
  sets: readonly PriceSet[],
  { byUserId, since, note = "", undoesId }: Setting,
): Promise<{ changeId: number; since: Date }> {
  const at = since ? planned(since) : soonest(sets.length);
  const [change] = await tx
    .insert(priceChanges)
    .values({ byUserId, since: at, note, undoesId: undoesId ?? null })
    .returning({ changeId: priceChanges.id, since: priceChanges.since });
  const { changeId } = change!;
  // With the column and not the value that was read, which has no microseconds.
  const rows = JSON.stringify(sets);
  await tx.execute(sql`
    insert into prices (product_id, tier_id, since, price_pesewas, change_id)
    select r."productId", r."tierId", c.since, r."pricePesewas", c.id
    from price_changes c, json_to_recordset(${rows}::json)
      r ("productId" bigint, "tierId" bigint, "pricePesewas" bigint)
    where c.id = ${changeId} and r."tierId" is not null`);
  await tx.execute(sql`
    insert into account_prices (user_id, product_id, since, price_pesewas, change_id)
    select r."userId", r."productId", c.since, r."pricePesewas", c.id
    from price_changes c, json_to_recordset(${rows}::json)
      r ("productId" bigint, "userId" bigint, "pricePesewas" bigint)
    where c.id = ${changeId} and r."userId" is not null`);
  await announcements.pricesChanged(tx, changeId);
  return change!;
}

/** When everything has begun that was set to begin now. */
export const SOON = sql`clock_timestamp() + make_interval(secs => ${LEAD_MS_MAX / 1000})`;

/** When a change of this many prices begins that is to begin now: after every other that was set to. */
function soonest(count: number): SQL {
  const leadMs = Math.min(LEAD_MS_MAX, (LEAD_MS + count * LEAD_MS_EACH) * 2 ** lateChanges);
  lateChanges += 1;
  return after(sql`clock_timestamp() + make_interval(secs => ${leadMs / 1000})`, SOON);
}

/** The moment of a planned change, after others of the same moment: what is set last is in force. */
function planned(since: Date): SQL {
  const at = sql`${since.toISOString()}::timestamptz`;
  return after(at, sql`${at} + interval '1 millisecond'`);
}

/** This moment, or a microsecond after the last change that begins from it on and before `end`. */
function after(at: SQL, end: SQL): SQL {
  return sql`(
    select greatest(${at}, max(c.since) + interval '1 microsecond') from price_changes c
    where c.since >= ${at} and c.since < ${end})`;
}

/** Waits until prices that begin now have begun, by the database's clock; null: none do. Call it after the commit. */
export async function begun(db: Reads, since: Date | null): Promise<void> {
  if (!since) return;
  lateChanges = 0;
  const at = sql`${since.toISOString()}::timestamptz`;
  // Its milliseconds are those of the moment rounded down.
  await db.execute(sql`
    select pg_sleep(least(${LEAD_MS_MAX / 1000}::float8, extract(epoch from ${at} - clock_timestamp()) + 0.001))
    where ${at} + interval '1 millisecond' > clock_timestamp()`);
}

/**
 * Keeps a buyer's tier from changing until the transaction ends, for an order whose price and tier are read by two
 * statements.
 */
export async function holdTier(tx: Tx, userId: number): Promise<void> {
  await tx.select({ tierId: users.tierId }).from(users).where(eq(users.id, userId)).for("share");
}
