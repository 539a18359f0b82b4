// Quote of a bulk list: its parsed lines, each with its bundle, price and problem.

import { countChecked } from "../../core/buying/bulk-budget.ts";
import type { Draft } from "../../core/buying/bulk-drafts.ts";
import * as bulk from "../../core/buying/bulk-orders.ts";
import type { LineRequest } from "../../core/buying/purchase-groups.ts";
import * as products from "../../core/catalog/products.ts";
import * as contacts from "../../core/identity/contacts.ts";
import { limits } from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import { type AssignedLine, assignBundles, LIST_QUESTIONS, type Offer } from "../../shared/lists/bulk-bundles.ts";
import type { BulkLine } from "../../shared/lists/bulk-lines.ts";
import { familyOf } from "../../shared/operators.ts";
import type { Pause } from "../../shared/pause.ts";
import type { Context } from "../page.tsx";
import { nameIn } from "./line-names.ts";
import { bulkLinesOf } from "./reading.ts";

/** `index` counts the rows from 0; `sameAsLine` is an earlier line of the text with the same number and bundle. */
export type Row = AssignedLine & {
  index: number;
  amountPesewas: number | null;
  sameAsLine: number | null;
  problem: ErrorCode | null;
  /** Set when the problem is that the bundle is paused. */
  paused: Pause | null;
  /** What the agent calls this number, by the line or else the customers; empty where neither says it. */
  name: string;
};

export type BulkList = {
  draft: Draft;
  /** The bundles that can be bought now. */
  offers: Offer[];
  rows: Row[];
  good: Row[];
  /** The first good rows that the available balance covers and the limits on spending let through. */
  affordable: Row[];
  /** Rows to fix one by one; repeated in this list or recently; waiting for an answer about the whole list. */
  toFix: Row[];
  repeated: Row[];
  unanswered: Row[];
  totalPesewas: number;
  affordablePesewas: number;
  /** The people of good rows that are no customers yet. */
  newPeople: { msisdn: string; name: string }[];
  balancePesewas: number;
  /** The part of the balance that can be spent. */
  availablePesewas: number;
  /** The limit that would refuse all good rows. */
  limit: AppError | null;
};

/**
 * The effect that placing this draft would have now, without placing it. Throws bulk.reader_busy, and
 * request.rate_limited.
 */
export async function quoteList({ db, by }: Context, draft: Draft): Promise<BulkList> {
  await countChecked(db, by.userId, draft.lines.split("\n").length);
  const [read, onSale] = await Promise.all([readLines(draft.lines, by.userId), products.listFor(db, by.userId)]);
  const lines = assignBundles(read, offersIn(onSale), draft);
  const requests = lines.map(lineRequest);
  const quote = await bulk.preview(db, { by, lines: requests, allowDuplicate: draft.allowsRepeats });
  const numbers = lines.flatMap(({ msisdn }) => msisdn ?? []);
  const known = await contacts.namesOf(db, by.userId, numbers);
  const rows = lines.map((line, index): Row => {
    const { amountPesewas, sameAsLine, problem, paused } = quote.lines[index]!;
    return {
      ...line,
      index,
      amountPesewas,
      sameAsLine: sameAsLine && lines[sameAsLine - 1]!.line,
      problem: line.problem ?? problem,
      paused,
      name: nameIn(line.text).slice(0, contacts.NAME_CHARS_MAX) || (known.get(line.msisdn ?? "") ?? ""),
    };
  });
  const good = rows.filter(({ problem }) => problem === null);
  const affordable = good.slice(0, quote.placeableCount);
  return {
    draft,
    offers: offersIn(onSale.filter(({ paused }) => paused === null)),
    rows,
    good,
    affordable,
    repeated: rows.filter(({ problem }) => problem === "order.duplicate"),
    unanswered: rows.filter(({ problem }) => LIST_QUESTIONS.has(problem)),
    toFix: rows.filter(({ problem }) => problem && problem !== "order.duplicate" && !LIST_QUESTIONS.has(problem)),
    newPeople: good.flatMap(({ msisdn, name }) =>
      msisdn && name !== "" && !known.has(msisdn) ? [{ msisdn, name }] : [],
    ),
    totalPesewas: quote.totalPesewas,
    affordablePesewas: sumOf(affordable),
    balancePesewas: quote.balancePesewas,
    availablePesewas: quote.availablePesewas,
    limit: quote.limit,
  };
}

/** The bundles on sale, as the lines of a list refer to them. */
export function offersIn(onSale: products.ProductOnSale[]): Offer[] {
  return onSale.map(({ id, operator, family, name, size, volumeMb, pricePesewas }) => ({
    id,
    operator,
    family: familyOf({ operator, family }),
    name,
    size,
    sizeMb: volumeMb,
    pricePesewas,
  }));
}

/** Parses the lines of a text. Throws request.invalid when there are none or too many, and bulk.reader_busy. */
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

/** The line as a request to the core. One with a problem gets no quantity, so that the core refuses it as well. */
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
