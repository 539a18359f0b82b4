// The choice of a bundle for each line of a bulk list: the chosen package, or the one of the size and network that the
// line names. Server and page share it, so that both agree while a list is typed and when it is checked.
import type { BulkLine } from "./bulk-lines.ts";
import { type Operator, QUANTITY_MAX } from "./domain.ts";
import type { ErrorCode } from "./errors/app-error.ts";

/** A bundle on sale, as a list may name it. */
export type Offer = {
  id: number;
  operator: Operator;
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
  operator: Operator;
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
export function assignBundles(
  lines: BulkLine[],
  offers: readonly Offer[],
  choices: ListChoices,
): AssignedLine[] {
  const chosen = offers.find(({ id }) => id === choices.productId) ?? null;
  const bySize = Map.groupBy(offers, ({ operator, sizeMb }) => `${operator} ${sizeMb}`);
  return lines.map((line) => {
    if (line.msisdn === null) return { ...line, offer: null };
    const { quantity, sizeMb, problem: figureProblem } = interpretFigure(line, choices.figures);
    const { network, problem: networkProblem } = networkOf(line, choices);
    const offer = offerFor(bySize, chosen, network, sizeMb);
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
  return isFine
    ? { quantity: figure, sizeMb, problem: null }
    : { quantity, sizeMb, problem: "order.quantity_invalid" };
}

function networkOf(
  { network, operatorGuess }: BulkLine,
  { operator, otherNetworks }: ListChoices,
): { network: Operator; problem: ErrorCode | null } {
  if (network) return { network, problem: null };
  if (operatorGuess === null || operatorGuess === operator) return { network: operator, problem: null };
  if (otherNetworks === "own") return { network: operatorGuess, problem: null };
  return { network: operator, problem: otherNetworks === null ? "bulk.network_unconfirmed" : null };
}

function offerFor(
  bySize: Map<string, Offer[]>,
  chosen: Offer | null,
  network: Operator,
  named: number | null,
): Offer | ErrorCode {
  const isChosens = chosen?.operator === network;
  if (chosen && isChosens && (named === null || named === chosen.sizeMb)) return chosen;
  const sizeMb = named ?? chosen?.sizeMb ?? null;
  if (sizeMb === null) return "bulk.size_missing";
  const fitting = bySize.get(`${network} ${sizeMb}`) ?? [];
  // Among several kinds of that size, the chosen package's kind wins.
  const ofKind = isChosens ? fitting.filter(({ name }) => name === chosen?.name) : [];
  const [offer, another] = ofKind.length > 0 ? ofKind : fitting;
  if (!offer) return "bulk.size_not_sold";
  return another ? "bulk.bundle_unclear" : offer;
}
