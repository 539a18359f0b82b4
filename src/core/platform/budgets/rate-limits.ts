// Rate limits, counted in the database so that they hold across processes and restarts.
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Db, Reads, TxOrDb } from "../../../../db/connect.ts";
import { rateLimits } from "../../../../db/schema/platform.ts";
import { deleteInParts } from "../parts.ts";

/** At most `countMax` in `windowSeconds` for the bucket. */
export type Limit = { bucket: string; countMax: number; windowSeconds: number };

/** Counts one; true while within the limit. A transaction that rolls back has counted nothing. */
export async function isWithin(db: TxOrDb, limit: Limit): Promise<boolean> {
  return (await take(db, limit)).isWithin;
}

/** Counts one; returns whether it is within the limit, and the seconds until its window ends. */
export async function take(db: TxOrDb, limit: Limit): Promise<{ isWithin: boolean; waitSeconds: number }> {
  const [row] = await countIn(db, [limit]);
  return { isWithin: row!.count <= limit.countMax, waitSeconds: Math.max(1, row!.wait) };
}

/** Whether the bucket's window has begun and is not over; counts nothing. */
export async function isBegun(tx: Reads, bucket: string): Promise<boolean> {
  const [row] = await tx
    .select({ bucket: rateLimits.bucket })
    .from(rateLimits)
    .where(and(eq(rateLimits.bucket, bucket), gt(rateLimits.resetsAt, sql`now()`)));
  return row !== undefined;
}

/** Counts one for each of many limits of the same size; returns the buckets within theirs. */
export async function takeAll(db: TxOrDb, limits: Limit[]): Promise<Set<string>> {
  const [first] = limits;
  if (!first) return new Set();
  const rows = await countIn(db, limits);
  return new Set(rows.filter(({ count: counted }) => counted <= first.countMax).map(({ bucket }) => bucket));
}

/** Counts some units for each of many limits of the same size; returns how many of them fit, by bucket. */
export async function takeSome(
  db: TxOrDb,
  wanted: readonly (Limit & { units: number })[],
): Promise<Map<string, number>> {
  const [first] = wanted;
  if (!first) return new Map();
  const units = new Map(wanted.map((limit) => [limit.bucket, limit.units]));
  const rows = await countIn(db, [...wanted], [...units.values()]);
  return new Map(
    rows.map(({ bucket, count: counted }) => {
      const own = units.get(bucket)!;
      return [bucket, Math.min(own, Math.max(0, first.countMax - (counted - own)))];
    }),
  );
}

/** Counts in the order of buckets, so that two statements over the same people wait and do not deadlock. */
async function countIn(
  db: TxOrDb,
  limits: Limit[],
  units: number[] = limits.map(() => 1),
): Promise<{ bucket: string; count: number; wait: number }[]> {
  const buckets = limits.map(({ bucket }) => bucket);
  return db.execute<{ bucket: string; count: number; wait: number }>(sql`
    insert into rate_limits as r (bucket, count, resets_at)
    select bucket, units, now() + make_interval(secs => ${limits[0]!.windowSeconds})
    from unnest(${sql.param(buckets)}::text[], ${sql.param(units)}::int[]) as u(bucket, units) order by bucket
    on conflict (bucket) do update set
      count = case when r.resets_at <= now() then excluded.count else r.count + excluded.count end,
      resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
    returning bucket, count, ceil(extract(epoch from resets_at - now()))::int as wait`);
}

/** Like `take`, for many units ahead of their use; takes nothing when fewer are left, and says how many are. */
export async function reserve(
  db: TxOrDb,
  { bucket, countMax, windowSeconds }: Limit,
  units: number,
): Promise<{ isWithin: boolean; waitSeconds: number; left: number }> {
  const [row] = await db.execute<{ count: number; wait: number }>(sql`
    insert into rate_limits as r (bucket, count, resets_at)
    select ${bucket}, ${units}::int, now() + make_interval(secs => ${windowSeconds})
    where ${units}::int <= ${countMax}::int
    on conflict (bucket) do update set
      count = case when r.resets_at <= now() then excluded.count else r.count + excluded.count end,
      resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
    where r.resets_at <= now() or r.count + ${units} <= ${countMax}
    returning count, ceil(extract(epoch from resets_at - now()))::int as wait`);
  if (row) return { isWithin: true, waitSeconds: Math.max(1, row.wait), left: countMax - row.count };
  const [full] = await db.execute<{ count: number; wait: number }>(sql`
    select count, ceil(extract(epoch from resets_at - now()))::int as wait from rate_limits
    where bucket = ${bucket} and resets_at > now()`);
  const left = Math.max(0, countMax - (full?.count ?? 0));
  return { isWithin: false, waitSeconds: Math.max(1, full?.wait ?? 1), left };
}

/** Returns units that were not used, or turned out not to count. */
export async function giveBack(db: TxOrDb, bucket: string, units = 1): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - ${units}, 0)` })
    .where(eq(rateLimits.bucket, bucket));
}

/** Clears the count, after a success. */
export async function clear(db: TxOrDb, bucket: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.bucket, bucket));
}

/** Deletes counters whose window has ended. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(db, rateLimits, lt(rateLimits.resetsAt, sql`now()`));
}
