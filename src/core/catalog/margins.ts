// The margin guard: prices that are below cost or too near to it, costs that have risen since the price was set, and
// the raise of a vendor's dearer bundles. That nothing is sold below its lowest price is the purchase statement's.
import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { Family, Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requiredText } from "../../shared/inputs.ts";
import { command } from "../platform/commands.ts";
import * as settings from "../platform/settings/settings.ts";
import * as costs from "./costs.ts";
import type { ChangeMade } from "./price-changes.ts";
import * as prices from "./prices.ts";

/** A vendor's code, or that of the desk. */
export const VendorCode = requiredText(40, "Name a supplier, or the desk");

/** A bundle by its id and as people know it. */
export type Named = {
  productId: number;
  operator: Operator;
  family: Family | null;
  name: string;
  size: string;
};

/** A bundle with prices that are below its cost, or nearer to it than the guard allows. */
export type ThinPrice = Named & {
  /** The lowest of these prices. */
  pricePesewas: number;
  costPesewas: number;
  /** Who takes that cost; the desk or vendors' codes. */
  vendors: string[];
  /** What it must cost at least to have the smallest margin. */
  neededPesewas: number;
  /** The tiers with such a price, and how many accounts with one of their own. */
  tiers: string[];
  accounts: number;
  /** Whether it is not sold at its lowest price. */
  isPaused: boolean;
};

/** Bundles with thin prices that no admin has allowed, by operator and price. */
export async function thinPrices(tx: Reads): Promise<ThinPrice[]> {
  return [...(await tx.execute<Named & { [Column in keyof ThinPrice]: ThinPrice[Column] }>(thin()))];
}

/** SQL for the `count` of such bundles. */
export const thinCount = (): SQL => sql`select count(*)::int as count from (${thin()}) t`;

/** SQL for the `count` of the vendors that have become dearer, by the setting. */
export const dearerCount = (): SQL => sql`
  select count(distinct vendor)::int as count
  from (${risesSince(sql`setting_number('cost_rise_percent', ${settings.DEFAULTS.cost_rise_percent})`)}) r`;

function thin(): SQL {
  return sql`
    with needed as (${NEEDED}), thin as (
      select p.product_id, p.price_pesewas, t.name as tier, false as is_own
      from (${pricesOf("prices", "tier_id")}) p join tiers t on t.id = p.tier_id and t.deleted_at is null
      union all
      select p.product_id, p.price_pesewas, null, true
      from (${pricesOf("account_prices", "user_id")}) p join users u on u.id = p.user_id and u.status = 'ACTIVE')
    select p.id as "productId", p.operator, p.family, p.name, p.size, min(t.price_pesewas)::bigint as "pricePesewas",
           p.cost_pesewas as "costPesewas", n.pesewas as "neededPesewas",
           coalesce(array_agg(distinct t.tier) filter (where not t.is_own), '{}') as tiers,
           (count(*) filter (where t.is_own))::int as accounts,
           min(t.price_pesewas) < p.lowest_price_pesewas as "isPaused",
           array(select distinct on (k.vendor) k.vendor from product_costs k where k.product_id = p.id and not exists (
             select from product_costs l
             where l.product_id = k.product_id and l.vendor = k.vendor and l.seen_at > k.seen_at)
             and k.cost_pesewas = p.cost_pesewas order by k.vendor) as vendors
    from products p
    join needed n on n.product_id = p.id
    join thin t on t.product_id = p.id and t.price_pesewas < n.pesewas
    where p.retired_at is null and p.below_cost_reason is null
    group by p.id, p.operator, p.family, p.name, p.size, p.cost_pesewas, p.lowest_price_pesewas, n.pesewas
    order by p.operator, min(t.price_pesewas), p.id`;
}

/** The price at which each product with a known cost has the smallest margin. */
const NEEDED = sql`
  select id as product_id, greatest(
    cost_pesewas + setting_number('margin_floor_pesewas', 0),
    (cost_pesewas * (100 + setting_number('margin_floor_percent', 0)) + 99) / 100) as pesewas
  from products where cost_pesewas is not null`;

/** The prices of tiers or accounts that are in force, or will be in a moment. */
function pricesOf(table: "prices" | "account_prices", whose: "tier_id" | "user_id"): SQL {
  const [from, owner] = [sql.raw(table), sql.raw(whose)];
  return sql`
    select * from (
      select distinct on (product_id, ${owner}) product_id, ${owner}, price_pesewas, since from ${from}
      where since <= clock_timestamp() + interval '1 second' order by product_id, ${owner}, since desc) x
    where price_pesewas is not null`;
}

/** A cost that has risen since the bundle's Standard price was set. */
export type Rise = Named & { vendor: string; beforePesewas: number; costPesewas: number };

/** Costs that have risen by more than `percent` since the price was set, by vendor. */
async function rises(tx: Reads, percent: number): Promise<Rise[]> {
  return [...(await tx.execute<Rise>(risesSince(sql`${percent}::int`)))];
}

function risesSince(percent: SQL): SQL {
  return sql`
    select p.id as "productId", p.operator, p.family, p.name, p.size, k.vendor, b.cost_pesewas as "beforePesewas",
           k.cost_pesewas as "costPesewas"
    from products p
    join (${pricesOf("prices", "tier_id")}) s on s.product_id = p.id and s.tier_id = 1
    join (select distinct on (product_id, vendor) * from product_costs order by product_id, vendor, seen_at desc) k
      on k.product_id = p.id
    -- The cost of then, or else the first that was seen since.
    cross join lateral (
      select b.cost_pesewas from product_costs b where b.product_id = p.id and b.vendor = k.vendor
      order by b.seen_at <= s.since desc, case when b.seen_at <= s.since then b.seen_at end desc, b.seen_at limit 1) b
    where p.retired_at is null and 100 * k.cost_pesewas > b.cost_pesewas * (100 + ${percent})
    order by k.vendor, p.operator, p.id`;
}

/** The bundles of a vendor whose cost has risen, by how much in per cent; null where it was nothing before. */
export type VendorRise = {
  vendor: string;
  rises: Rise[];
  leastPercent: number | null;
  mostPercent: number | null;
};

/** As `risesToNotice`, by vendor. */
export async function vendorRises(tx: Reads): Promise<VendorRise[]> {
  return [...Map.groupBy(await risesToNotice(tx), ({ vendor }) => vendor)].map(([vendor, own]) => {
    const percents = own
      .filter(({ beforePesewas }) => beforePesewas > 0)
      .map(({ beforePesewas, costPesewas }) => (100 * (costPesewas - beforePesewas)) / beforePesewas)
      .sort((a, b) => a - b);
    const [leastPercent = null, mostPercent = null] = [percents[0], percents.at(-1)];
    return { vendor, rises: own, leastPercent, mostPercent };
  });
}

/** As `rises`, by the setting. */
export async function risesToNotice(tx: Reads): Promise<Rise[]> {
  return rises(tx, await settings.get(tx, "cost_rise_percent"));
}

export type RaisedPrice = Named & {
  tierId: number;
  tier: string;
  beforePesewas: number;
  afterPesewas: number;
  costBeforePesewas: number;
  costPesewas: number;
};
/** `fingerprint` identifies exactly these prices. */
export type Raise = { rows: RaisedPrice[]; fingerprint: string };

/**
 * What `raise` would do: every tier's price of a vendor's bundles goes up by the rise of their cost, and at least to
 * the smallest margin. Bundles that are allowed below cost stay, and so do single accounts' prices and planned ones.
 */
export async function planRaise(tx: Reads, vendor: string): Promise<Raise> {
  const risen = (await rises(tx, 0)).filter((rise) => rise.vendor === vendor);
  const thin = (await thinPrices(tx)).filter(({ vendors }) => vendors.includes(vendor));
  const riseOf = new Map(risen.map((rise) => [rise.productId, rise]));
  const needed = new Map(thin.map((one) => [one.productId, one]));
  const ids = [...new Set([...riseOf.keys(), ...needed.keys()])];
  const own = await tx.execute<
    Named & { tierId: number; tier: string; beforePesewas: number; costPesewas: number | null }
  >(sql`
    select p.id as "productId", p.operator, p.family, p.name, p.size, t.id as "tierId", t.name as tier,
           x.price_pesewas as "beforePesewas", p.cost_pesewas as "costPesewas"
    from (${pricesOf("prices", "tier_id")}) x
    join products p on p.id = x.product_id join tiers t on t.id = x.tier_id and t.deleted_at is null
    where p.id = any(${sql.param(ids)}::bigint[]) and p.retired_at is null and p.below_cost_reason is null
    order by p.operator, p.id, t.id`);
  const rows = own.flatMap((row): RaisedPrice[] => {
    const rise = riseOf.get(row.productId);
    const costPesewas = rise?.costPesewas ?? row.costPesewas ?? 0;
    const costBeforePesewas = rise?.beforePesewas ?? costPesewas;
    const afterPesewas = Math.max(
      row.beforePesewas + costPesewas - costBeforePesewas,
      needed.get(row.productId)?.neededPesewas ?? 0,
    );
    return afterPesewas > row.beforePesewas ? [{ ...row, afterPesewas, costBeforePesewas, costPesewas }] : [];
  });
  const content = rows.map((row) => [row.productId, row.tierId, row.beforePesewas, row.afterPesewas]);
  const fingerprint = createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 32);
  return { rows, fingerprint };
}

/**
 * Raises the prices of a vendor's dearer bundles from now on, as one change, exactly as `planRaise` showed them. It can
 * be undone like every change of prices.
 */
export const raise = command({
  name: "product.raise",
  right: "catalog.manage",
  about: "Raise a supplier's bundles exactly as the plan with this fingerprint says, as one change of prices",
  subject: "vendor",
  input: {
    vendor: VendorCode,
    fingerprint: requiredText(64, "Take it from the plan").describe("As the plan has it"),
  },
  errors: ["cost.raise_changed"],
  run: async ({ tx, by, audit }, { vendor, fingerprint }): Promise<ChangeMade> => {
    await costs.lock(tx);
    const plan = await planRaise(tx, vendor);
    if (plan.fingerprint !== fingerprint) throw new AppError("cost.raise_changed");
    if (plan.rows.length === 0) return { changeId: null, count: 0, beginsAt: null };
    await audit(vendor, {
      after: plan.rows.map(({ productId, tier, beforePesewas, afterPesewas }) => ({
        ...{ productId, tier, beforePesewas, afterPesewas },
      })),
    });
    const sets = plan.rows.map(({ productId, tierId, afterPesewas }) => ({
      ...{ productId, tierId, pricePesewas: afterPesewas },
    }));
    const note = `Raised by the costs of ${vendor}`;
    const { changeId, since } = await prices.insert(tx, sets, { byUserId: by.userId, since: null, note });
    return { changeId, count: sets.length, beginsAt: since };
  },
  afterwards: (db, { beginsAt }) => prices.begun(db, beginsAt),
});
