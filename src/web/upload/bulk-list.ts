// A bulk list as it is looked at: its lines as they were understood, each with its bundle, its price and what is wrong.

import * as products from "../../core/catalog/products.ts";
import type { Draft } from "../../core/orders/bulk-drafts.ts";
import * as bulk from "../../core/orders/bulk-orders.ts";
import type { LineRequest } from "../../core/orders/order-lines.ts";
import { type AssignedLine, assignBundles, LIST_QUESTIONS, type Offer } from "../../shared/bulk-bundles.ts";
import type { BulkLine } from "../../shared/bulk-lines.ts";
import { limits } from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import type { Pause } from "../../shared/pause.ts";
import type { Context } from "../page.tsx";
import { bulkLinesOf } from "./reading.ts";

/** `index` is its place among the lines; `sameAsLine` the line of the text with the same number and bundle before it. */
export type Row = AssignedLine & {
  index: number;
  amountPesewas: number | null;
  sameAsLine: number | null;
  problem: ErrorCode | null;
  /** Of a line whose problem is that its bundle is paused. */
  paused: Pause | null;
};

export type BulkList = {
  draft: Draft;
  offers: Offer[];
  rows: Row[];
  good: Row[];
  /** The good ones, from the top, that the wallet pays for. */
  affordable: Row[];
  /** To be fixed one by one; repeated in this list or a moment ago; waiting for an answer about the whole list. */
  toFix: Row[];
  repeated: Row[];
  unanswered: Row[];
  totalPesewas: number;
  affordablePesewas: number;
  balancePesewas: number;
  /** What of the balance can be spent. */
  availablePesewas: number;
};

/** What placing this draft would do now, without doing it. Throws bulk.reader_busy. */
export async function quoteList({ db, by }: Context, draft: Draft): Promise<BulkList> {
  const [read, offers] = await Promise.all([readLines(draft.lines, by.userId!), offersOf(db)]);
  const lines = assignBundles(read, offers, draft);
  const requests = lines.map(lineRequest);
  const quote = await bulk.preview(db, { by, lines: requests, allowDuplicate: draft.allowsRepeats });
  const rows = lines.map((line, index): Row => {
    const { amountPesewas, sameAsLine, problem, paused } = quote.lines[index]!;
    return {
      ...line,
      index,
      amountPesewas,
      sameAsLine: sameAsLine && lines[sameAsLine - 1]!.line,
      problem: line.problem ?? problem,
      paused,
    };
  });
  const good = rows.filter(({ problem }) => problem === null);
  const affordable = good.slice(0, quote.affordableCount);
  return {
    draft,
    offers,
    rows,
    good,
    affordable,
    repeated: rows.filter(({ problem }) => problem === "order.duplicate"),
    unanswered: rows.filter(({ problem }) => LIST_QUESTIONS.has(problem)),
    toFix: rows.filter(
      ({ problem }) => problem && problem !== "order.duplicate" && !LIST_QUESTIONS.has(problem),
    ),
    totalPesewas: quote.totalPesewas,
    affordablePesewas: sumOf(affordable),
    balancePesewas: quote.balancePesewas,
    availablePesewas: quote.availablePesewas,
  };
}

/** Everything that is on sale, as lists name it. */
export async function offersOf(db: Context["db"]): Promise<Offer[]> {
  const onSale = await products.list(db);
  return onSale.map(({ id, operator, name, size, volumeMb, pricePesewas }) => ({
    id,
    operator,
    name,
    size,
    sizeMb: volumeMb,
    pricePesewas,
  }));
}

/** A text's lines. Throws request.invalid when there are none or too many, and bulk.reader_busy. */
export async function readLines(text: string, userId: number): Promise<BulkLine[]> {
  const lines = await bulkLinesOf(text, userId);
  const problem =
    lines.length === 0
      ? "Add at least one number"
      : lines.length > limits.bulkLines
        ? `At most ${limits.bulkLines.toLocaleString("en")} lines at once`
        : null;
  if (problem) throw new AppError("request.invalid", { fields: {} }, problem);
  return lines;
}

/** The line as the core takes it; one that has a problem has no quantity, so that the core refuses it as well. */
export function lineRequest({ msisdn, quantity, offer, problem }: AssignedLine): LineRequest {
  const accepted = problem ? Number.NaN : quantity;
  return {
    productId: offer?.id ?? 0,
    operator: offer?.operator,
    msisdn: msisdn ?? "",
    quantity: accepted,
    expectedPesewas: offer ? offer.pricePesewas * accepted : undefined,
  };
}

const sumOf = (rows: Row[]) => rows.reduce((sum, { amountPesewas }) => sum + (amountPesewas ?? 0), 0);
