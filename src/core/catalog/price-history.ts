// Lists of price changes: all of them newest first, and those of one product with what is planned for it.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";

/** A change as listed. `count` is how many prices it has set, `undoneById` the change that took them back. */
export type ListedChange = {
  id: number;
  since: Date;
  createdAt: Date;
  username: string | null;
  note: string;
  count: number;
  isPlanned: boolean;
  undoesId: number | null;
  undoneById: number | null;
};

type Stored = Omit<ListedChange, "since" | "createdAt"> & { since: string; createdAt: string };

/** The changes that have begun, newest first, those before the id `cursor`. */
export async function list(
  tx: Reads,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<ListedChange[]> {
  const before = cursor ? sql`and c.id < ${cursor}` : sql``;
  return changes(tx, sql`c.since <= clock_timestamp() ${before} order by c.id desc limit ${limit}`);
}

/** The changes that are still to begin, the next one first. */
export async function planned(tx: Reads): Promise<ListedChange[]> {
  return changes(tx, sql`c.since > clock_timestamp() order by c.since limit ${PLANNED_MAX}`);
}

const PLANNED_MAX = 200;

/** The last change that was made and has begun; null before the first. */
export async function last(tx: Reads): Promise<ListedChange | null> {
  const [change] = await list(tx, { limit: 1 });
  return change ?? null;
}

async function changes(tx: Reads, condition: SQL): Promise<ListedChange[]> {
  const rows = await tx.execute<Stored>(sql`
    select c.id, c.since, c.created_at as "createdAt", u.username, c.note, c.undoes_id as "undoesId",
           c.since > clock_timestamp() as "isPlanned",
           (select count(*) from prices x where x.change_id = c.id)
             + (select count(*) from account_prices x where x.change_id = c.id) as count,
           (select n.id from price_changes n where n.undoes_id = c.id) as "undoneById"
    from price_changes c left join users u on u.id = c.by_user_id
    where ${condition}`);
  return rows.map((row) => ({
    ...row,
    count: Number(row.count),
    since: new Date(row.since),
    createdAt: new Date(row.createdAt),
  }));
}

/** One price of a change; `tier` or `account` says whose. Null `pricePesewas`: no price of its own from then on. */
export type ChangedPrice = {
  productId: number;
  operator: string;
  product: string;
  tier: string | null;
  userId: number | null;
  account: string | null;
  beforePesewas: number | null;
  pricePesewas: number | null;
};

/** The prices of a change, at most a thousand. */
export async function pricesOf(tx: Reads, changeId: number): Promise<ChangedPrice[]> {
  return tx.execute<ChangedPrice>(sql`
    select p.id as "productId", p.operator, p.name || ' ' || p.size as product, t.name as tier, null as "userId",
           null as account, r.price_pesewas as "pricePesewas",
           (select x.price_pesewas from prices x where x.product_id = r.product_id and x.tier_id = r.tier_id
              and x.since < r.since order by x.since desc limit 1) as "beforePesewas"
    from prices r join products p on p.id = r.product_id join tiers t on t.id = r.tier_id
    where r.change_id = ${changeId}
    union all
    select p.id, p.operator, p.name || ' ' || p.size, null, u.id, u.username, r.price_pesewas,
           (select x.price_pesewas from account_prices x where x.product_id = r.product_id and x.user_id = r.user_id
              and x.since < r.since order by x.since desc limit 1)
    from account_prices r join products p on p.id = r.product_id join users u on u.id = r.user_id
    where r.change_id = ${changeId}
    order by 2, 1, 4, 5`);
}

/** A price of one product in a tier that has begun or is planned. */
export type PriceInTime = {
  at: Date;
  tierId: number;
  tier: string;
  pricePesewas: number | null;
  username: string | null;
  isPlanned: boolean;
};

const IN_TIME_MAX = 200;

/** A product's prices in all tiers: planned ones and history, latest first. */
export async function ofProduct(tx: Reads, productId: number): Promise<PriceInTime[]> {
  const rows = await tx.execute<Omit<PriceInTime, "at"> & { at: string }>(sql`
    select r.since as at, r.tier_id as "tierId", t.name as tier, r.price_pesewas as "pricePesewas", u.username,
           r.since > clock_timestamp() as "isPlanned"
    from prices r join tiers t on t.id = r.tier_id
    left join price_changes c on c.id = r.change_id left join users u on u.id = c.by_user_id
    where r.product_id = ${productId}
    order by r.since desc, r.tier_id limit ${IN_TIME_MAX}`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
