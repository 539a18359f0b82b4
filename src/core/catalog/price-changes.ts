// Changes of the shop's prices: of one or of up to a thousand, from now or from a later moment, taken back as a whole
// before they begin and undone as a whole afterwards.
import { and, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads, Tx } from "../../../db/connect.ts";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser, Role } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as, nested } from "../../shared/fields.ts";
import { AboveZero, At, errorCode, Id, text } from "../../shared/inputs.ts";
import { toCedis } from "../../shared/money.ts";
import { bundleName } from "../../shared/operators.ts";
import { isStaff, requireRight } from "../../shared/rights.ts";
import { isActiveWith } from "../platform/colleagues/staff.ts";
import { command, type Question, type Work } from "../platform/commands.ts";
import { isAmong } from "../platform/sql.ts";
import { askToSetBelow } from "./below-cost.ts";
import { lock as lockCosts } from "./costs.ts";
import * as guardedCosts from "./guarded-costs.ts";
import * as guardedPrices from "./guarded-prices.ts";
import { type QuotedPrice, quote, type WantedPrice } from "./price-quotes.ts";
import * as prices from "./prices.ts";

export const PRICES_MAX = 1000;
const AHEAD_DAYS_MAX = 366;
export const NOTE_CHARS_MAX = 200;

/** Prices to set as one change; `since` is null for now. */
export type PlannedChange = { prices: readonly WantedPrice[]; since: Date | null };

/** `changeId` is null and `count` 0 when every price was the same already. */
export type ChangeMade = { changeId: number | null; count: number; beginsAt: Date | null };

const PricePesewas = AboveZero.nullable();
export const PRICE = {
  pricePesewas: as("price", PricePesewas.describe("GH₵; null ends a price, so that the next one applies")),
  wasPesewas: as(
    "was",
    PricePesewas.optional().describe("The own price as you know it; refused if it is another by now"),
  ),
};
const PriceToSet = nested({
  productId: Id,
  tierId: Id.optional(),
  userId: Id.optional().describe("The account, for an exception in place of a tier's price"),
  ...PRICE,
});
export const WHEN = {
  since: as(
    "from",
    At.nullable().default(null).describe(`When the prices begin, at most ${AHEAD_DAYS_MAX} days ahead; now by default`),
  ),
  note: text(NOTE_CHARS_MAX).trim().default(""),
  isConfirmed: as(
    "confirm",
    z.boolean().default(false).describe("Confirms prices that are unusual, below cost, or too low to be sold"),
  ),
};
const asks = "Low prices";

/**
 * Sets prices, of tiers or of accounts; those that stay the same are left out. They hold when this returns, or from
 * `since` on. Takes a second person for prices that are too low for one.
 */
export const set = command({
  name: "price.set",
  right: "catalog.manage",
  about: "Set up to 1,000 prices as one change, now or from a later moment: all of them or none",
  subject: "price",
  input: { prices: z.array(PriceToSet).min(1).max(PRICES_MAX, errorCode("request.too_large")), ...WHEN },
  errors: [
    ...(["auth.own_account", "product.not_found", "tier.not_found", "user.not_found", "user.closed"] as const),
    ...(["price.repeated", "price.standard_needed", "price.from_invalid", "price.changed_meanwhile"] as const),
    ...(["price.needs_confirmation", "request.too_large"] as const),
  ],
  asks,
  run: async (work, { prices, since, note, isConfirmed }) => {
    const { tx, by, agree } = work;
    const change = { prices: prices.map(wantedOf), since };
    // One change at a time, and no other cost between what is read here and what is written.
    await lockCosts(tx);
    const quotes = await quoteChange(tx, change);
    await requireRightOverAll(tx, by, change.prices);
    await requireSeen(tx, change.prices);
    if (!isConfirmed) requireExpected(quotes);
    await agree(await askForLow(tx, by, { quotes, at: momentOf(change) }));
    return write(work, quotes, { since, note });
  },
  afterwards: (db, { beginsAt }, { since }) => prices.begun(db, since ? null : beginsAt),
});

/** Whose price is to be set. Throws request.invalid when it is nobody's, or a tier's and an account's at once. */
function wantedOf({ tierId, userId, ...price }: z.output<typeof PriceToSet>): WantedPrice {
  if (tierId !== undefined && userId === undefined) return { ...price, tierId };
  if (userId !== undefined && tierId === undefined) return { ...price, userId };
  throw new AppError("request.invalid", { fields: { prices: "Each price is of a group or of an account" } });
}

/** What a change would do, without what stays the same. Throws as `set` for what it is given. */
export async function quoteChange(tx: Reads, { prices: wanted, since }: PlannedChange): Promise<QuotedPrice[]> {
  requireSingle(wanted);
  if (since) await requireAhead(tx, since);
  await requireKnown(tx, wanted);
  const quotes = await quote(tx, wanted, momentOf({ since }));
  if (quotes.length < wanted.length) {
    const known = new Set(quotes.map(({ product }) => product.id));
    const productId = wanted.find((price) => !known.has(price.productId))!.productId;
    throw new AppError("product.not_found", { productId }, `There is no product ${productId} on sale`);
  }
  return quotes.filter(({ wanted: price, ownPesewas }) => price.pricePesewas !== ownPesewas);
}

/** SQL: when a change is in force, after others of its moment. */
function momentOf({ since }: Pick<PlannedChange, "since">): SQL {
  return since ? sql`${since.toISOString()}::timestamptz + interval '1 millisecond'` : prices.SOON;
}

/**
 * What to ask when a price goes below its bundle's cost, or, where nobody else says what that is,
 * far below its Standard price; or when an exception goes below what the lowest tier pays. Nobody decides about a
 * change that sets prices of their own.
 */
async function askForLow(
  tx: Tx,
  by: ByUser,
  { quotes, at }: { quotes: readonly QuotedPrice[]; at: SQL },
): Promise<Question | null> {
  const ids = [...new Set(quotes.map(({ product }) => product.id))];
  const entries = await guardedCosts.ownEntries(tx, by, ids);
  const highest = await guardedPrices.highestStandard(tx, ids, at);
  const lowest = await guardedPrices.lowestOfTiers(tx, ids, at);
  const usernames = await usernamesIn(tx, quotes);
  const priced = quotes.map(({ product, wanted, ...quoted }) => {
    const isKnown = guardedCosts.isKnown(product, entries.get(product.id));
    const username = "userId" in wanted && wanted.pricePesewas !== null && usernames.get(wanted.userId);
    return {
      ...{ productId: product.id, name: bundleName(product), costPesewas: product.costPesewas },
      guardedPesewas: entries.get(product.id)?.formerPesewas ?? null,
      ...{ beforePesewas: quoted.beforePesewas, afterPesewas: quoted.afterPesewas },
      standardPesewas: isKnown ? undefined : highest.get(product.id),
      exception: username ? { username, lowestTierPesewas: lowest.get(product.id)! } : undefined,
    };
  });
  const ask = askToSetBelow(priced);
  return ask && { ...ask, concerns: await concernedBy(tx, quotes) };
}

async function usernamesIn(tx: Reads, quotes: readonly QuotedPrice[]): Promise<Map<number, string>> {
  const ids = quotes.flatMap(({ wanted }) => ("userId" in wanted ? [wanted.userId] : []));
  const { id, username } = users;
  const rows = await tx.select({ id, username }).from(users).where(isAmong(id, ids));
  return new Map(rows.map((row) => [row.id, row.username]));
}

/** The accounts with a price of their own among these, and the staff of tiers that not everybody is in. */
async function concernedBy(tx: Reads, quotes: readonly QuotedPrice[]): Promise<number[]> {
  const wanted = quotes.map((quoted) => quoted.wanted);
  const userIds = wanted.flatMap((price) => ("userId" in price ? [price.userId] : []));
  const tierIds = wanted.flatMap((price) => ("tierId" in price ? [price.tierId] : []));
  const special = [...new Set(tierIds)].filter((id) => id !== STANDARD_TIER_ID);
  const staff = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isActiveWith("catalog.manage"), isAmong(users.tierId, special)));
  return [...new Set([...userIds, ...staff.map(({ id }) => id)])].sort((a, b) => a - b);
}

async function write(
  { tx, by, audit }: Work,
  quotes: QuotedPrice[],
  { since, note, undoesId }: { since: Date | null; note: string; undoesId?: number },
): Promise<ChangeMade> {
  if (quotes.length === 0) return { changeId: null, count: 0, beginsAt: null };
  const sets = quotes.map(({ wanted: { wasPesewas: _, ...price } }) => price);
  const named = (priceOf: (quote: QuotedPrice) => number | null) =>
    Object.fromEntries(quotes.map((quote) => [nameOf(quote), priceOf(quote)]));
  const made = await prices.insert(tx, sets, {
    ...{ byUserId: by.userId, since, note },
    ...(undoesId && { undoesId }),
  });
  await audit(made.changeId, {
    before: named(({ ownPesewas }) => ownPesewas),
    after: {
      ...(note && { note }),
      ...(undoesId && { undoes: undoesId }),
      ...(since && { since }),
      ...named(({ wanted }) => wanted.pricePesewas),
    },
  });
  return { changeId: made.changeId, count: quotes.length, beginsAt: made.since };
}

/** For the audit log: "product 12, tier 2". */
function nameOf({ wanted }: QuotedPrice): string {
  return `product ${wanted.productId}, ${"tierId" in wanted ? `tier ${wanted.tierId}` : `user ${wanted.userId}`}`;
}

function requireSingle(wanted: readonly WantedPrice[]): void {
  if (wanted.length > PRICES_MAX) throw new AppError("request.too_large");
  const cells = wanted.map(
    (price) => `${price.productId} ${"tierId" in price ? `t${price.tierId}` : `u${price.userId}`}`,
  );
  if (new Set(cells).size < cells.length) throw new AppError("price.repeated");
  const isMissing = (price: WantedPrice) =>
    "tierId" in price && price.tierId === STANDARD_TIER_ID && price.pricePesewas === null;
  if (wanted.some(isMissing)) throw new AppError("price.standard_needed");
}

async function requireAhead(tx: Reads, since: Date): Promise<void> {
  const at = sql`${since.toISOString()}::timestamptz`;
  const [row] = await tx.execute<{ isValid: boolean }>(sql`
    select ${at} > clock_timestamp() and ${at} <= now() + make_interval(days => ${AHEAD_DAYS_MAX}) as "isValid"`);
  if (!row!.isValid) throw new AppError("price.from_invalid");
}

/** Throws tier.not_found, user.not_found, user.closed. */
async function requireKnown(tx: Reads, wanted: readonly WantedPrice[]): Promise<void> {
  const tierIds = [...new Set(wanted.flatMap((price) => ("tierId" in price ? [price.tierId] : [])))];
  const userIds = [...new Set(wanted.flatMap((price) => ("userId" in price ? [price.userId] : [])))];
  const known = await tx.execute<{ id: number }>(
    sql`select id from tiers where ${isAmong(sql`id`, tierIds)} and deleted_at is null`,
  );
  if (known.length < tierIds.length) throw new AppError("tier.not_found");
  const accounts = await tx.execute<{ status: string }>(
    sql`select status from users where ${isAmong(sql`id`, userIds)}`,
  );
  if (accounts.length < userIds.length) throw new AppError("user.not_found");
  if (accounts.some(({ status }) => status === "CLOSED")) throw new AppError("user.closed");
}

/**
 * Refuses prices of one's own: exceptions for the account, and those of its tier unless everybody pays them. Exceptions
 * for other staff are refused to all but owners. Throws auth.own_account, auth.forbidden.
 */
async function requireRightOverAll(
  tx: Reads,
  by: ByUser,
  wanted: readonly (WantedPrice | RowOfChange)[],
): Promise<void> {
  const userIds = [...new Set(wanted.flatMap((price) => ("userId" in price ? (price.userId ?? []) : [])))];
  if (userIds.length > 0) requireRight(by, "agents.manage");
  const accounts = await tx.execute<{ id: number; roles: Role[]; tierId: number }>(
    sql`select id, roles, tier_id as "tierId" from users where ${isAmong(sql`id`, [...userIds, by.userId])}`,
  );
  const own = accounts.find(({ id }) => id === by.userId);
  const isOwnTier = (price: WantedPrice | RowOfChange) => "tierId" in price && price.tierId === own?.tierId;
  const hasTier = own !== undefined && own.tierId !== STANDARD_TIER_ID;
  if (userIds.includes(by.userId) || (hasTier && wanted.some(isOwnTier))) throw new AppError("auth.own_account");
  const others = accounts.filter(({ id }) => id !== by.userId);
  if (others.some(isStaff)) requireRight(by, "staff.manage");
}

/**
 * Refuses prices that another admin has changed since this one saw them. What was seen are the prices of now, also of a
 * change that is to begin later.
 */
async function requireSeen(tx: Reads, wanted: readonly WantedPrice[]): Promise<void> {
  const seen = wanted.filter(({ wasPesewas }) => wasPesewas !== undefined);
  const stale = (await quote(tx, seen, prices.SOON)).filter(
    ({ wanted: { wasPesewas, pricePesewas }, ownPesewas }) => ownPesewas !== wasPesewas && ownPesewas !== pricePesewas,
  );
  if (stale.length === 0) return;
  throw new AppError("price.changed_meanwhile", { prices: stale.map(detailOf) });
}

function requireExpected(quotes: QuotedPrice[]): void {
  const odd = quotes.filter(({ concern }) => concern !== null);
  if (odd.length === 0) return;
  throw new AppError("price.needs_confirmation", {
    prices: odd.map((one) => ({ ...detailOf(one), concern: one.concern! })),
  });
}

/** A price in the details of a refusal, in cedis. */
function detailOf({ wanted, product, beforePesewas, afterPesewas }: QuotedPrice) {
  return {
    productId: product.id,
    ...("tierId" in wanted ? { tierId: wanted.tierId } : { userId: wanted.userId }),
    oldPrice: toCedis(beforePesewas),
    newPrice: toCedis(afterPesewas),
  };
}

type RowOfChange = { productId: number; tierId: number | null; userId: number | null };

/** Takes a planned change back: its prices never begin. From a second before it begins on, it stays. */
export const takeBack = command({
  name: "price.take_back",
  right: "catalog.manage",
  about: "Take back a planned change, up to a second before it begins",
  subject: "price",
  input: { changeId: Id },
  errors: ["auth.own_account", "price.change_not_found", "price.change_begun"],
  constraints: { prices_begun_stay: "price.change_begun" },
  run: async ({ tx, by, audit }, { changeId }) => {
    await lockCosts(tx);
    const { since, note } = await changeOf(tx, changeId);
    const rows = await rowsOf(tx, changeId);
    await requireRightOverAll(tx, by, rows);
    await audit(changeId, { before: { since, note, prices: rows.length } });
    // Last, because the database refuses it by the time that is left.
    for (const table of ["prices", "account_prices"])
      await tx.execute(sql`delete from ${sql.identifier(table)} where change_id = ${changeId}`);
    await tx.execute(sql`delete from price_changes where id = ${changeId}`);
  },
});

/** `left`: the prices that were left, because something newer has been set. */
export type Undone = ChangeMade & { left: RowOfChange[] };

/**
 * Undoes a change that has begun: from now on its prices are what they were before it, apart from those that something
 * newer has replaced. An undo is a change and can be undone as well. Takes a second person for prices that are too low
 * for one.
 */
export const undo = command({
  name: "price.undo",
  right: "catalog.manage",
  about: "Undo a change that has begun: its prices are again what they were, unless something newer replaced them",
  subject: "price",
  input: { changeId: Id },
  errors: [
    ...(["auth.own_account", "price.change_not_found", "price.change_planned", "price.undone_already"] as const),
    "price.nothing_to_undo",
  ],
  asks,
  run: async (work, { changeId }): Promise<Undone> => {
    const { tx, by, agree } = work;
    await lockCosts(tx);
    const change = await changeOf(tx, changeId);
    if (!change.hasBegun) throw new AppError("price.change_planned");
    if (change.isUndone) throw new AppError("price.undone_already");
    const rows = await rowsOf(tx, changeId);
    await requireRightOverAll(tx, by, rows);
    const left = rows.filter(({ isReplaced }) => isReplaced);
    const wanted = rows
      .filter(({ isReplaced }) => !isReplaced)
      .map(({ productId, tierId, userId, beforePesewas }): WantedPrice => {
        const price = { productId, pricePesewas: beforePesewas };
        return userId === null ? { ...price, tierId: tierId! } : { ...price, userId };
      });
    const quotes = await quote(tx, wanted, prices.SOON);
    if (quotes.length === 0) throw new AppError("price.nothing_to_undo");
    await agree(await askForLow(tx, by, { quotes, at: prices.SOON }));
    const note = `Undo of ${change.note || `change ${changeId}`}`.slice(0, NOTE_CHARS_MAX);
    const written = await write(work, quotes, { since: null, note, undoesId: changeId });
    return { ...written, left: left.map(({ productId, tierId, userId }) => ({ productId, tierId, userId })) };
  },
  afterwards: (db, { beginsAt }) => prices.begun(db, beginsAt),
});

type StoredChange = { since: string; note: string; hasBegun: boolean; isUndone: boolean };

async function changeOf(tx: Tx, changeId: number): Promise<StoredChange> {
  const [change] = await tx.execute<StoredChange>(sql`
    select c.since, c.note, c.since <= clock_timestamp() as "hasBegun",
           exists (select from price_changes u where u.undoes_id = c.id) as "isUndone"
    from price_changes c where c.id = ${changeId}`);
  if (!change) throw new AppError("price.change_not_found");
  return change;
}

/** The prices that a change has set, with what was before them, and whether a newer one begins soon or has begun. */
async function rowsOf(
  tx: Reads,
  changeId: number,
): Promise<(RowOfChange & { beforePesewas: number | null; isReplaced: boolean })[]> {
  const part = (table: string, tier: string, user: string, whose: string) =>
    sql.raw(`
    select r.product_id as "productId", ${tier} as "tierId", ${user} as "userId",
           (select x.price_pesewas from ${table} x where x.product_id = r.product_id and ${whose}
              and x.since < r.since order by x.since desc limit 1) as "beforePesewas",
           exists (select from ${table} x where x.product_id = r.product_id and ${whose}
              and x.since > r.since and x.since <= clock_timestamp() + interval '2 seconds') as "isReplaced"
    from ${table} r where r.change_id = `);
  return tx.execute(sql`
    ${part("prices", "r.tier_id", "null::bigint", "x.tier_id = r.tier_id")}${changeId}
    union all
    ${part("account_prices", "null::bigint", "r.user_id", "x.user_id = r.user_id")}${changeId}
    order by 1, 2, 3`);
}
