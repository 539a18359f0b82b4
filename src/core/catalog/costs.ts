// Costs: what vendors and the desk charge for one bundle, as admins enter it and vendors report it. The only writer of
// costs. Database triggers update the product in the same commit: the expected cost of a sale now, and the lowest price
// at which it is sold.
import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads, Tx } from "../../../db/connect.ts";
import { productCosts, products } from "../../../db/schema/catalog.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { type ByUser, DESK } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as, nested } from "../../shared/fields.ts";
import { cedis, errorCode, Id, requiredText, text } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import { bundleName } from "../../shared/operators.ts";
import { NOT_YET } from "../../shared/pause.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as loneActs from "../platform/colleagues/lone-acts.ts";
import { command, type Work } from "../platform/commands.ts";
import { isAmong } from "../platform/sql.ts";
import * as announcements from "./announcements.ts";
import { askToAllow } from "./below-cost.ts";
import * as guardedPrices from "./guarded-prices.ts";

/** What a vendor, or the desk, takes for one of a bundle. */
export type Cost = { productId: number; vendor: string; costPesewas: number };
/** `seenAt`: since when, as far as known. */
export type KnownCost = Cost & {
  seenAt: Date;
  source: (typeof productCosts.$inferSelect)["source"];
  /** The admin who entered it; null for a vendor's own report. */
  username: string | null;
};

/** A cost to enter. `wasPesewas` is what an admin saw, null for none; left out, it may be whatever it is. */
export type WantedCost = Cost & { wasPesewas?: number | null | undefined };

/** The codes of the vendors whose costs are kept: all that there are, and the desk, which is last. */
export function codesOf(vendors: readonly { code: string }[]): string[] {
  return [...vendors.map(({ code }) => code), DESK];
}

/** The most costs in one change. */
export const COSTS_MAX = 2000;
const HISTORY_MAX = 100;
/** The longest reason for a sale below cost. */
const REASON_CHARS_MAX = 200;

/** Today's cost of each product at each vendor where it is known, of some products or of all. */
export async function newest(tx: Reads, productIds?: readonly number[]): Promise<KnownCost[]> {
  if (productIds?.length === 0) return [];
  return tx
    .selectDistinctOn([productCosts.productId, productCosts.vendor], SHOWN)
    .from(productCosts)
    .leftJoin(users, eq(users.id, productCosts.byUserId))
    .where(productIds && isAmong(productCosts.productId, [...productIds]))
    .orderBy(productCosts.productId, productCosts.vendor, desc(productCosts.seenAt));
}

const SHOWN = {
  productId: productCosts.productId,
  vendor: productCosts.vendor,
  costPesewas: productCosts.costPesewas,
  seenAt: productCosts.seenAt,
  source: productCosts.source,
  username: users.username,
};

/** A product's last costs at all vendors, newest first. */
export async function history(tx: Reads, productId: number): Promise<KnownCost[]> {
  return tx
    .select(SHOWN)
    .from(productCosts)
    .leftJoin(users, eq(users.id, productCosts.byUserId))
    .where(eq(productCosts.productId, productId))
    .orderBy(desc(productCosts.seenAt))
    .limit(HISTORY_MAX);
}

export type CostChange = WantedCost & { beforePesewas: number | null };

/**
 * What `set` would change: the costs that differ from today's, with the ones before. Throws cost.vendor_unknown,
 * cost.twice, product.not_found.
 */
export async function compare(
  tx: Reads,
  costs: readonly WantedCost[],
  vendors: readonly { code: string }[],
): Promise<CostChange[]> {
  const codes = codesOf(vendors);
  if (costs.length > COSTS_MAX) throw new AppError("request.invalid");
  if (costs.some(({ vendor }) => !codes.includes(vendor))) throw new AppError("cost.vendor_unknown");
  const productIds = [...new Set(costs.map(({ productId }) => productId))];
  if (new Set(costs.map(keyOf)).size < costs.length) throw new AppError("cost.twice");
  const onSale = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(inArray(products.id, productIds), isNull(products.retiredAt)));
  if (onSale.length < productIds.length) throw new AppError("product.not_found");
  const known = new Map((await newest(tx, productIds)).map((cost) => [keyOf(cost), cost.costPesewas]));
  return costs
    .map((cost) => ({ ...cost, beforePesewas: known.get(keyOf(cost)) ?? null }))
    .filter(({ costPesewas, beforePesewas }) => costPesewas !== beforePesewas);
}

const keyOf = ({ productId, vendor }: Pick<Cost, "productId" | "vendor">) => `${productId} ${vendor}`;

const notBelowZero = "must be an amount of zero or more with at most two decimals";
const CostPesewas = cedis(notBelowZero).refine((pesewas) => pesewas >= 0, notBelowZero);
const CostToSet = nested({
  productId: Id,
  vendor: text(40).describe("The name that it has in routes, or desk"),
  costPesewas: as("cost", CostPesewas.describe("GH₵ for one")),
  wasPesewas: as(
    "was",
    CostPesewas.nullable()
      .optional()
      .describe("The cost as you know it, null for none; refused if it is another by now"),
  ),
});

/**
 * Enters costs of now; those that are known already stay as they are. New bundles that wait for theirs are on sale with
 * it. The owners are notified of lowered ones. Answers with what changed.
 */
export const set = command({
  name: "product.cost",
  right: "catalog.manage",
  about: "Set up to 2,000 costs of now: all of them or none. Sent twice, it changes nothing the second time",
  subject: "product",
  input: { costs: z.array(CostToSet).min(1).max(COSTS_MAX) },
  errors: ["cost.vendor_unknown", "cost.twice", "cost.changed_meanwhile", "product.not_found"],
  run: async ({ tx, by, vendors }: Work & { vendors: readonly { code: string }[] }, { costs }) => {
    await lock(tx);
    const changes = await compare(tx, costs, vendors);
    if (changes.length === 0) return [];
    if (changes.some(isOvertaken)) throw new AppError("cost.changed_meanwhile");
    await tx.insert(productCosts).values(
      changes.map(({ productId, vendor, costPesewas }) => ({
        ...{ productId, vendor, costPesewas },
        seenAt: sql`clock_timestamp()`,
        source: "admin" as const,
        byUserId: by.userId,
      })),
    );
    // All at once, because there may be two thousand and every price waits for this lock.
    await auditLog.record(
      tx,
      by,
      changes.map(({ productId, vendor, costPesewas, beforePesewas }) => ({
        ...{ action: "product.cost", subjectType: "product", subjectId: productId },
        before: { vendor, costPesewas: beforePesewas },
        after: { vendor, costPesewas },
      })),
    );
    await beginSales(
      tx,
      by,
      changes.map(({ productId }) => productId),
    );
    await reportIfLowered(tx, by, changes);
    return changes;
  },
});

const NAMED_MAX = 5;

/**
 * Notifies the owners of costs that are lower than before, or that are the first and so low that one person may sell
 * for less than without them.
 */
async function reportIfLowered(tx: Tx, by: ByUser, changes: readonly CostChange[]): Promise<void> {
  const ids = changes.map(({ productId }) => productId);
  const standard = await guardedPrices.highestStandard(tx, ids, sql`clock_timestamp()`);
  const lowered = changes.filter(({ productId, costPesewas, beforePesewas }) =>
    beforePesewas === null
      ? costPesewas < guardedPrices.partOf(standard.get(productId) ?? 0)
      : costPesewas < beforePesewas,
  );
  if (lowered.length === 0) return;
  const found = await tx.select().from(products).where(isAmong(products.id, ids));
  const nameOf = new Map(found.map((product) => [product.id, bundleName(product)]));
  const texts = lowered.slice(0, NAMED_MAX).map(({ productId, vendor, costPesewas, beforePesewas }) => {
    const from = beforePesewas === null ? "" : ` from ${show(beforePesewas)}`;
    return `${nameOf.get(productId)}${from} to ${show(costPesewas)} (${vendor})`;
  });
  const more = lowered.length > texts.length ? ` and ${lowered.length - texts.length} more` : "";
  await loneActs.reportLowered(tx, by, `lower the cost of ${texts.join("; ")}${more}`);
}

const isOvertaken = ({ wasPesewas, beforePesewas }: CostChange) =>
  wasPesewas !== undefined && wasPesewas !== beforePesewas;

/** Puts those of the products on sale that are new and wait for their costs, under the lock of costs; counts them. */
export async function beginSales(tx: Tx, by: ByUser, productIds: readonly number[]): Promise<number> {
  const isWaiting = and(
    isAmong(products.id, [...productIds]),
    eq(products.pausedMessage, NOT_YET.message),
    isNull(products.retiredAt),
  );
  const waiting = await tx.select().from(products).where(isWaiting).orderBy(products.id).for("update");
  if (waiting.length === 0) return 0;
  const onSale = { pausedMessage: null, pausedUntil: null };
  await tx.update(products).set(onSale).where(isWaiting);
  await auditLog.record(
    tx,
    by,
    waiting.map((before) => ({
      ...{ action: "product.resume", subjectType: "product", subjectId: before.id },
      ...{ before, after: { ...before, ...onSale } },
    })),
  );
  for (const before of waiting) await announcements.pauseChanged(tx, { productId: before.id }, before, onSale);
  return waiting.length;
}

/** A vendor's charge for one of a bundle, and when it was ordered there. */
export type Charge = Cost & { at: Date };

/**
 * Records what vendors charged, last in the caller's transaction, where it differs from what was known when it was
 * ordered: a late report never replaces a newer cost. Reads without a lock first, because charges rarely change.
 */
export async function record(tx: Tx, charges: readonly Charge[]): Promise<void> {
  if ((await unknownAmong(tx, charges)).length === 0) return;
  await lock(tx);
  const changed = await unknownAmong(tx, charges);
  // The newest charge counts, should one call bring two amounts for one bundle.
  const inOrder = changed.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const rows = [...new Map(inOrder.map((charge) => [keyOf(charge), charge])).values()];
  if (rows.length === 0) return;
  await tx
    .insert(productCosts)
    .values(rows.map(({ at, ...cost }) => ({ ...cost, seenAt: at, source: "vendor" as const })))
    .onConflictDoNothing();
}

async function unknownAmong(tx: Tx, charges: readonly Charge[]): Promise<Charge[]> {
  const known = await newest(tx, [...new Set(charges.map(({ productId }) => productId))]);
  const byKey = new Map(known.map((cost) => [keyOf(cost), cost]));
  return charges.filter((charge) => {
    const before = byKey.get(keyOf(charge));
    return !before || (before.costPesewas !== charge.costPesewas && before.seenAt < charge.at);
  });
}

/** Allows the sale of one product below its cost, for a reason; another reason replaces it. Takes a second person. */
export const allow = command({
  name: "product.below_cost",
  right: "catalog.manage",
  about: "Allow the sale of one product below its cost, for a reason; another reason replaces it",
  subject: "product",
  input: {
    productId: Id,
    reason: requiredText(REASON_CHARS_MAX, errorCode("cost.reason_missing")).describe("Only staff read it"),
  },
  errors: ["product.not_found", "cost.reason_missing"],
  asks: "Sale below cost",
  run: async (work, { productId, reason }) => {
    const before = await heldOf(work.tx, productId);
    if (before.belowCostReason === reason) return;
    await work.agree(askToAllow(before, reason));
    await setReason(work, before, reason);
  },
});

/** Ends the sale of a product below its cost. */
export const endAllowance = command({
  name: "product.below_cost_end",
  right: "catalog.manage",
  about: "End the sale of a product below its cost",
  subject: "product",
  input: { productId: Id },
  errors: ["product.not_found"],
  run: async (work, { productId }) => {
    const before = await heldOf(work.tx, productId);
    if (before.belowCostReason !== null) await setReason(work, before, null);
  },
});

async function heldOf(tx: Tx, productId: number): Promise<typeof products.$inferSelect> {
  await lock(tx);
  const [product] = await tx
    .select()
    .from(products)
    .where(and(eq(products.id, productId), isNull(products.retiredAt)))
    .for("update");
  if (!product) throw new AppError("product.not_found");
  return product;
}

async function setReason({ tx, audit }: Work, product: typeof products.$inferSelect, reason: string | null) {
  await tx.update(products).set({ belowCostReason: reason }).where(eq(products.id, product.id));
  await audit(product.id, { before: { reason: product.belowCostReason }, after: { reason } });
}

/** Today's costs of some products: of one at a vendor, null when not known, and whether it is sold below cost. */
export type CostList = {
  of: (productId: number, vendor: string) => number | null;
  isAllowedBelow: (productId: number) => boolean;
};

/** The costs of these products, for routing. */
export async function listOf(tx: Reads, productIds: readonly number[]): Promise<CostList> {
  const known = new Map((await newest(tx, productIds)).map((cost) => [keyOf(cost), cost.costPesewas]));
  const allowed = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(isAmong(products.id, [...productIds]), isNotNull(products.belowCostReason)));
  const allowedIds = new Set(allowed.map(({ id }) => id));
  return {
    of: (productId, vendor) => known.get(keyOf({ productId, vendor })) ?? null,
    isAllowedBelow: (productId) => allowedIds.has(productId),
  };
}

/** SQL: whether a vendor is known to take more for an order than was paid, and may not. */
export function takesMoreThanPaid(vendor: string): SQL<boolean> {
  return sql<boolean>`coalesce((
    select k.cost_pesewas * ${orders.quantity} > ${orders.amountPesewas} and p.below_cost_reason is null
    from product_costs k join products p on p.id = k.product_id
    where k.product_id = ${orders.productId} and k.vendor = ${vendor} order by k.seen_at desc limit 1), false)`;
}

/**
 * SQL for what an attempt `a` of an order `o` takes for one, when its vendor does not say: the cost that was known when
 * it was sent, or else that was entered since; null when there is none.
 */
export const knownWhenSent = sql<number | null>`(
  select k.cost_pesewas from product_costs k where k.product_id = o.product_id and k.vendor = a.vendor
  order by k.seen_at <= a.sent_at desc, k.seen_at desc limit 1)`;

/**
 * Takes the lock that whatever changes expected costs, or prices, takes first, before any product or operator: two
 * changes at once would leave out each other's, and a price writes to its product, too.
 */
export async function lock(tx: Tx): Promise<void> {
  await tx.execute(sql`select lock_costs()`);
}
