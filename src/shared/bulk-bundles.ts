// Which bundle each line of a bulk list gets: the chosen package, or the one of the size and network that the line names.
// The server and the page decide by this, so that both say the same while a list is typed and when it is checked.
import type { BulkLine } from "./bulk-lines.ts";
import { type Operator, QUANTITY_MAX } from "./domain.ts";
import type { ErrorCode } from "./errors/app-error.ts";

/** A bundle on sale, as a list may name it. */
export type Offer = {
  id: number;
  operator: Operator;
  /** Of its kind, such as "AT Big Time". */
  name: string;
  size: string;
  sizeMb: number | null;
  pricePesewas: number;
};

/** What a bare figure behind the numbers of this list means. */
export const FIGURE_MEANINGS = ["size", "quantity", "nothing"] as const;
export type FigureMeaning = (typeof FIGURE_MEANINGS)[number];
/** Numbers that look like another network's: sent by that network, or moved to the list's own. */
export const OTHER_NETWORK_MEANINGS = ["own", "moved"] as const;
export type OtherNetworkMeaning = (typeof OTHER_NETWORK_MEANINGS)[number];

/** What was chosen and answered for a whole list; null is not answered yet. */
export type ListChoices = {
  operator: Operator;
  /** The package for lines that name no size; null when every line has to. */
  productId: number | null;
  figures: FigureMeaning | null;
  otherNetworks: OtherNetworkMeaning | null;
};

export type AssignedLine = BulkLine & { offer: Offer | null };

/** Problems that one answer for the whole list takes away. */
export const ASKED_ONCE: ReadonlySet<ErrorCode | null> = new Set([
  "bulk.figure_unclear",
  "bulk.network_unconfirmed",
]);

/** Each line with its bundle, or with why it has none. Nothing is guessed: what the list has not answered is a problem. */
export function assignBundles(
  lines: BulkLine[],
  offers: readonly Offer[],
  choices: ListChoices,
): AssignedLine[] {
  const chosen = offers.find(({ id }) => id === choices.productId) ?? null;
  const bySize = Map.groupBy(offers, ({ operator, sizeMb }) => `${operator} ${sizeMb}`);
  return lines.map((line) => {
    if (line.msisdn === null) return { ...line, offer: null };
    const { quantity, sizeMb, problem: figureProblem } = meant(line, choices.figures);
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

type Meant = { quantity: number; sizeMb: number | null; problem: ErrorCode | null };

function meant(line: BulkLine, figures: FigureMeaning | null): Meant {
  const { figure, quantity, saysQuantity, sizeMb } = line;
  if (figure === null || figures === "nothing") return { quantity, sizeMb, problem: null };
  if (figures === null) return { quantity, sizeMb, problem: "bulk.figure_unclear" };
  if (figures === "size") {
    const figureMb = Math.round(figure * 1000);
    const problem = sizeMb === null || sizeMb === figureMb ? null : "bulk.line_unclear";
    return { quantity, sizeMb: figureMb, problem };
  }
  if (saysQuantity) return { quantity, sizeMb, problem: "bulk.line_unclear" };
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
  // Of several kinds it is the chosen one's.
  const ofKind = isChosens ? fitting.filter(({ name }) => name === chosen?.name) : [];
  const [offer, another] = ofKind.length > 0 ? ofKind : fitting;
  if (!offer) return "bulk.size_not_sold";
  return another ? "bulk.bundle_unclear" : offer;
}
