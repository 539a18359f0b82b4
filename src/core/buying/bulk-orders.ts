// Previews of bulk orders, and the refusals of those that could not be placed.
import type { Db } from "../../../db/connect.ts";
import type { ByUser, Operator } from "../../shared/domain.ts";
import { AppError, type ErrorCode, type LineError, lineError } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { toCedis } from "../../shared/money.ts";
import { guessOperator } from "../../shared/operators.ts";
import { type Pause, pauseJson } from "../../shared/pause.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { priceNow } from "../catalog/prices.ts";
import { pausedRefusal } from "../catalog/sale-pauses.ts";
import * as limits from "../ledger/limits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as keyCaps from "../orders/key-caps.ts";
import { oneByOne } from "./bulk-budget.ts";
import { lineProblem, productsForLines, recentOrders } from "./order-lines.ts";
import { type Earlier, earlierJson, ordersWith, refusalOfBulk } from "./own-references.ts";
import type { FinalVerdict } from "./purchase.ts";
import { isValidQuantity, type LineRequest } from "./purchase-groups.ts";

export type PreviewLine = {
  line: number;
  msisdn: string | null;
  operatorGuess: Operator | null;
  productId: number;
  operator: Operator | null;
  quantity: number;
  amountPesewas: number | null;
  /** Why the line cannot be placed. */
  problem: ErrorCode | null;
  /** The pause, when the problem is that the bundle is paused. */
  paused: Pause | null;
  /** An earlier line of this bulk order (counted from 1) with the same bundle and number. */
  sameAsLine: number | null;
  /** The earlier order with the same bundle and number, or the same reference, when that is the problem. */
  earlier: Earlier | null;
};
export type Preview = {
  lines: PreviewLine[];
  goodCount: number;
  totalPesewas: number;
  balancePesewas: number;
  /** The balance less held money. */
  availablePesewas: number;
  /** How many of the good lines, from the top, the wallet can pay. */
  affordableCount: number;
  /** How many of those the limits on spending let through. */
  placeableCount: number;
  /** The limit that would refuse all of the good lines, with what is left of it; null when none does. */
  limit: AppError | null;
};

/** A bulk order as it was asked for. */
type BulkLines = {
  by: ByUser;
  lines: LineRequest[];
  allowDuplicate?: boolean | undefined;
  isReferenceUnique?: boolean | undefined;
};

/**
 * Checks a bulk order line by line without placing it, one of an account at a time. The total is that of the good
 * lines. The caller counts the lines before it reads them; see bulk-budget.ts.
 */
export function preview(db: Db, request: BulkLines): Promise<Preview> {
  return oneByOne(request.by.userId, request.lines.length, () => check(db, request));
}

async function check(db: Db, request: BulkLines): Promise<Preview> {
  const userId = request.by.userId;
  const numbers = request.lines.map((line) => parseMsisdn(line.msisdn));
  const [onSale, recent, used, { balancePesewas, availablePesewas }, left, keyLeft] = await Promise.all([
    productsForLines(db, userId, request.lines),
    request.allowDuplicate ? new Map<string, never>() : recentOrders(db, userId, numbers),
    ordersWith(db, userId, referencesOf(request)),
    wallet.standing(db, userId),
    limits.left(db, userId),
    keyCaps.left(db, request.by),
  ]);
  const repeats = repeatsIn(request, recent, used);
  const lines = request.lines.map((line, index): PreviewLine => {
    const msisdn = numbers[index]!;
    const product = onSale.get(line.productId) ?? null;
    const { sameAsLine, again, earlier } = repeats(line, msisdn, index);
    const problem = lineProblem(line, msisdn, product) ?? again;
    return {
      line: index + 1,
      msisdn,
      operatorGuess: msisdn ? guessOperator(msisdn) : null,
      productId: line.productId,
      operator: product?.operator ?? null,
      quantity: line.quantity,
      amountPesewas: product && isValidQuantity(line.quantity) ? product.pricePesewas * line.quantity : null,
      problem,
      paused: problem === "product.paused" ? product!.paused : null,
      sameAsLine,
      earlier: problem === again ? earlier : null,
    };
  });
  const reached = reach(lines, availablePesewas, { ...left, keyLeft });
  const spending = { amountPesewas: reached.totalPesewas, orders: reached.goodCount };
  const isBeyondKey = reached.totalPesewas > (keyLeft ?? Infinity);
  const limit =
    (await limits.hindrance(db, userId, spending, left)) ??
    (isBeyondKey ? await keyCaps.refusal(db, request.by, keyLeft!) : null);
  return { lines, ...reached, limit, balancePesewas, availablePesewas };
}

type Repeat = Pick<PreviewLine, "sameAsLine" | "earlier"> & { again: ErrorCode | null };

/**
 * Returns a function that gives for each line in turn what it repeats: the reference of an earlier order or line, where
 * that is wanted once, or the bundle and number of one.
 */
function repeatsIn(
  { allowDuplicate, isReferenceUnique }: BulkLines,
  recent: ReadonlyMap<string, Earlier>,
  used: ReadonlyMap<string, Earlier>,
): (line: LineRequest, msisdn: string | null, index: number) => Repeat {
  const firstLineOf = new Map<string, number>();
  const references = new Set<string>();
  return ({ productId, reference = "" }, msisdn, index) => {
    const same = `${msisdn} ${productId}`;
    const sameAsLine = msisdn ? (firstLineOf.get(same) ?? null) : null;
    if (msisdn && sameAsLine === null) firstLineOf.set(same, index + 1);
    const isUsed = isReferenceUnique && (references.has(reference) || used.has(reference));
    if (reference !== "") references.add(reference);
    if (isUsed) return { sameAsLine, again: "order.reference_used", earlier: used.get(reference) ?? null };
    const isDuplicate = !allowDuplicate && (sameAsLine !== null || recent.has(same));
    if (isDuplicate) return { sameAsLine, again: "order.duplicate", earlier: recent.get(same) ?? null };
    return { sameAsLine, again: null, earlier: null };
  };
}

type Refused = Pick<Extract<FinalVerdict, { kind: "refused" }>, "code" | "lines"> & Shortfall;

const PRICE = priceNow({ product: "p.id", user: "u.id", tier: "u.tier_id" });

/** A wallet that cannot pay the lines, in pesewas. */
export type Shortfall = { totalPesewas: number; balancePesewas: number; heldPesewas: number };

/**
 * The shortfall when the wallet cannot pay the lines, in one query: the purchase statement would then place nothing,
 * and need not run. Null also when another rule refuses first.
 */
export async function shortfallOf(
  { $client: sql }: Db,
  userId: number,
  lines: LineRequest[],
): Promise<Shortfall | null> {
  const quantities = new Map<number, number>();
  for (const { productId, quantity } of lines) quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  const [row] = await sql<Shortfall[]>`
    select w.balance_pesewas as "balancePesewas", w.held_pesewas as "heldPesewas", (
        select coalesce(sum(${sql.unsafe(PRICE)} * a.quantity), 0)::bigint
        from unnest(${[...quantities.keys()]}::bigint[], ${[...quantities.values()]}::bigint[]) as a(id, quantity)
        join products p on p.id = a.id and p.line = 'bundle' and p.retired_at is null
      ) as "totalPesewas"
    from wallets w join users u on u.id = w.user_id
    where w.user_id = ${userId} and u.status = 'ACTIVE'`;
  return row && row.totalPesewas > row.balancePesewas - row.heldPesewas ? row : null;
}

/** The error for a bulk order, line by line. `verdict` is the purchase statement's, if it ran. */
export async function refusal(
  db: Db,
  request: BulkLines & { reference?: string | undefined },
  verdict?: Refused,
): Promise<AppError> {
  const { by, reference, isReferenceUnique } = request;
  const used = isReferenceUnique && reference ? await refusalOfBulk(db, by.userId, reference) : null;
  if (used) return used;
  const checked = await preview(db, request);
  const bad: LineError[] = checked.lines.flatMap((line) => (line.problem ? [refusalOf(line, line.problem)] : []));
  if (bad.length > 0) return new AppError("bulk.lines_refused", { lines: bad });
  if (verdict?.code === "wallet.insufficient_balance") {
    const beyond = checked.lines.slice(checked.affordableCount);
    const error = wallet.insufficient(verdict.totalPesewas, verdict);
    const details = {
      ...error.details,
      affordableCount: checked.affordableCount,
      lines: beyond.map((line) => lineError(line.line, "wallet.insufficient_balance")),
    };
    return new AppError(error.code, details, error.message);
  }
  // The statement refused something that has changed since (a pause that was lifted, say): its verdict counts.
  const lines = verdict?.lines.map(({ index, code }) => lineError(index + 1, code)) ?? [];
  return new AppError("bulk.lines_refused", { lines });
}

/** The message for a line's problem, with the end of a pause. */
export function problemMessage(problem: ErrorCode, paused: Pause | null): string {
  return paused ? pausedRefusal(paused).message : errors[problem].message;
}

function refusalOf(line: PreviewLine, problem: ErrorCode): LineError {
  const { paused, amountPesewas, quantity, earlier } = line;
  const message = problemMessage(problem, paused);
  return {
    ...lineError(line.line, problem, message),
    ...(paused && { paused: pauseJson(paused) }),
    ...(problem === "order.price_changed" && {
      currentPrice: toCedis(amountPesewas! / quantity),
      currentAmount: toCedis(amountPesewas!),
    }),
    ...(earlier && earlierJson(earlier)),
  };
}

/** The references of its lines, if they may not have been used before. */
function referencesOf({ lines, isReferenceUnique }: BulkLines): string[] {
  if (!isReferenceUnique) return [];
  return lines.flatMap(({ reference }) => (reference === undefined ? [] : [reference]));
}

type Left = limits.Left & { keyLeft: number | null };

function reach(lines: PreviewLine[], availablePesewas: number, { dayLeft, hourLeft, keyLeft }: Left) {
  const moneyLeft = Math.min(dayLeft ?? Infinity, keyLeft ?? Infinity);
  const good = lines.filter((line) => line.problem === null);
  let totalPesewas = 0;
  let affordableCount = 0;
  let placeableCount = 0;
  for (const line of good) {
    totalPesewas += line.amountPesewas!;
    if (totalPesewas > availablePesewas) continue;
    affordableCount += 1;
    if (totalPesewas <= moneyLeft && affordableCount <= (hourLeft ?? Infinity)) placeableCount += 1;
  }
  return { goodCount: good.length, totalPesewas, affordableCount, placeableCount };
}
