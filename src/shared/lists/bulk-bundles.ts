// The choice of a bundle for each line of a bulk list: the chosen package, or the one of the size and network that the
// line names. Server and page share it, so that both agree while a list is typed and when it is checked.

import { type Family, type Operator, QUANTITY_MAX } from "../domain.ts";
import type { ErrorCode } from "../errors/app-error.ts";
import type { BulkLine } from "./bulk-lines.ts";

/** A bundle on sale, as a list may name it. */
export type Offer = {
  id: number;
  operator: Operator;
  family: Family;
  /** The name of its kind, such as "AT Big Time". */
  name: string;
  size: string;
  sizeMb: number | null;
  pricePesewas: number;
};

/** The possible meanings of a bare figure behind the numbers of a list. */
export const FIGURE_MEANINGS = ["size", "quantity", "nothing"] as const;
export type FigureMeaning = (typeof FIGURE_MEANINGS)[number];
/**
 * The possible meanings of a number with another network's prefix: send by that network, or ported to the list's own.
 */
export const OTHER_NETWORK_MEANINGS = ["own", "moved"] as const;
export type OtherNetworkMeaning = (typeof OTHER_NETWORK_MEANINGS)[number];

/** The choices and answers for a whole list; null: not answered yet. */
export type ListChoices = {
  /** The network of its numbers, whatever their prefixes; null: each number's own, by its prefix. */
  operator: Operator | null;
  /** The package for lines that name no size; null: every line must name one. */
  productId: number | null;
  figures: FigureMeaning | null;
  otherNetworks: OtherNetworkMeaning | null;
};

export type AssignedLine = BulkLine & { offer: Offer | null };

/** Problems that a single answer for the whole list resolves. */
export const LIST_QUESTIONS: ReadonlySet<ErrorCode | null> = new Set([
  "bulk.figure_unclear",
  "bulk.network_unconfirmed",
]);

/** Gives each line its bundle or a problem. Nothing is guessed: an open question is a problem. */
export function assignBundles(lines: BulkLine[], offers: readonly Offer[], choices: ListChoices): AssignedLine[] {
  const chosen = offers.find(({ id }) => id === choices.productId) ?? null;
  const bySize = Map.groupBy(offers, ({ operator, sizeMb }) => `${operator} ${sizeMb}`);
  return lines.map((line) => {
    if (line.msisdn === null) return { ...line, offer: null };
    const { quantity, sizeMb, problem: figureProblem } = interpretFigure(line, choices.figures);
    const { network, problem: networkProblem } = networkOf(line, choices);
    const offer = network
      ? offerFor(bySize, chosen, { network, family: line.family, sizeMb })
      : ("bulk.network_missing" as const);
    const offerProblem = typeof offer === "string" ? offer : null;
    return {
      ...line,
      quantity,
      sizeMb,
      offer: typeof offer === "string" ? null : offer,
      problem: line.problem ?? figureProblem ?? offerProblem ?? networkProblem,
    };
  });
}

/** The bundles that can be chosen for a line: those of its network that a line can name by size and family. */
export function offersFor(line: BulkLine, offers: readonly Offer[], choices: ListChoices): Offer[] {
  const { network } = networkOf(line, choices);
  const named = offers.filter(({ sizeMb }) => sizeMb !== null);
  const kinds = Map.groupBy(named, ({ family, sizeMb }) => `${family} ${sizeMb}`);
  const single = [...kinds.values()].flatMap((some) => (some.length === 1 ? some : []));
  return network === null ? single : single.filter(({ operator }) => operator === network);
}

type Interpreted = { quantity: number; sizeMb: number | null; problem: ErrorCode | null };

function interpretFigure(line: BulkLine, figures: FigureMeaning | null): Interpreted {
  const { figure, quantity, hasQuantity, sizeMb } = line;
  if (figure === null || figures === "nothing") return { quantity, sizeMb, problem: null };
  if (figures === null) return { quantity, sizeMb, problem: "bulk.figure_unclear" };
  if (figures === "size") {
    const figureMb = Math.round(figure * 1000);
    const problem = sizeMb === null || sizeMb === figureMb ? null : "bulk.line_unclear";
    return { quantity, sizeMb: figureMb, problem };
  }
  if (hasQuantity) return { quantity, sizeMb, problem: "bulk.line_unclear" };
  const isFine = Number.isInteger(figure) && figure <= QUANTITY_MAX;
  return isFine ? { quantity: figure, sizeMb, problem: null } : { quantity, sizeMb, problem: "order.quantity_invalid" };
}

function networkOf(
  { network, operatorGuess }: BulkLine,
  { operator, otherNetworks }: ListChoices,
): { network: Operator | null; problem: ErrorCode | null } {
  if (network) return { network, problem: null };
  if (operator === null) return { network: operatorGuess, problem: null };
  if (operatorGuess === null || operatorGuess === operator) return { network: operator, problem: null };
  if (otherNetworks === "own") return { network: operatorGuess, problem: null };
  return { network: operator, problem: otherNetworks === null ? "bulk.network_unconfirmed" : null };
}

type Wanted = { network: Operator; family: Family | null; sizeMb: number | null };

function offerFor(bySize: Map<string, Offer[]>, chosen: Offer | null, wanted: Wanted): Offer | ErrorCode {
  const { network, family, sizeMb: named } = wanted;
  const isChosens = chosen?.operator === network && (family === null || family === chosen.family);
  if (chosen && isChosens && (named === null || named === chosen.sizeMb)) return chosen;
  const sizeMb = named ?? chosen?.sizeMb ?? null;
  if (sizeMb === null) return "bulk.size_missing";
  const ofSize = bySize.get(`${network} ${sizeMb}`) ?? [];
  const fitting = family === null ? ofSize : ofSize.filter((offer) => offer.family === family);
  // Among several kinds of that size, the chosen package's kind wins.
  const ofKind = isChosens ? fitting.filter(({ name }) => name === chosen?.name) : [];
  const [offer, another] = ofKind.length > 0 ? ofKind : fitting;
  if (!offer) return "bulk.size_not_sold";
  return another ? "bulk.bundle_unclear" : offer;
}
