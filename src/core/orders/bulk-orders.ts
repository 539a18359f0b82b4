// Previews of bulk orders, and the refusals of those that could not be placed.
import type { Db } from "../../../db/connect.ts";
import type { ByUser, Operator } from "../../shared/domain.ts";
import { AppError, type ErrorCode, type LineError, lineError } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import { guessOperator } from "../../shared/operators.ts";
import { type Pause, pauseJson } from "../../shared/pause.ts";
import { priceNow } from "../catalog/prices.ts";
import { pausedRefusal } from "../catalog/sale-pauses.ts";
import * as limits from "../ledger/limits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as keyCaps from "./key-caps.ts";
import {
  isValidQuantity,
  type LineRequest,
  lineProblem,
  productsForLines,
  recentOrders,
} from "./order-lines.ts";
import type { FinalVerdict } from "./purchase.ts";

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

/** Checks a bulk order line by line without placing it. The total is that of the good lines. */
export async function preview(
  db: Db,
  request: { by: ByUser; lines: LineRequest[]; allowDuplicate?: boolean | undefined },
): Promise<Preview> {
  const userId = request.by.userId;
  const numbers = request.lines.map((line) => parseMsisdn(line.msisdn));
  const [onSale, recent, { balancePesewas, availablePesewas }, left, keyLeft] = await Promise.all([
    productsForLines(db, userId, request.lines),
    request.allowDuplicate ? new Set<string>() : recentOrders(db, userId, numbers),
    wallet.standing(db, userId),
    limits.left(db, userId),
    keyCaps.left(db, request.by),
  ]);
  const firstLineOf = new Map<string, number>();
  const lines = request.lines.map((line, index): PreviewLine => {
    const msisdn = numbers[index]!;
    const product = onSale.get(line.productId) ?? null;
    const same = `${msisdn} ${line.productId}`;
    const sameAsLine = msisdn ? (firstLineOf.get(same) ?? null) : null;
    if (msisdn && sameAsLine === null) firstLineOf.set(same, index + 1);
    const isDuplicate = !request.allowDuplicate && (sameAsLine !== null || recent.has(same));
    const problem = lineProblem(line, msisdn, product) ?? (isDuplicate ? "order.duplicate" : null);
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
  for (const { productId, quantity } of lines)
    quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
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
  request: { by: ByUser; lines: LineRequest[]; allowDuplicate?: boolean | undefined },
  verdict?: Refused,
): Promise<AppError> {
  const checked = await preview(db, request);
  const bad: LineError[] = checked.lines.flatMap((line) =>
    line.problem ? [refusalOf(line, line.problem)] : [],
  );
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

function refusalOf({ line, paused }: PreviewLine, problem: ErrorCode): LineError {
  const message = problemMessage(problem, paused);
  return { ...lineError(line, problem, message), ...(paused && { paused: pauseJson(paused) }) };
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
