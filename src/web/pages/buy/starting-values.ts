// The starting values of the buying page: from a refused form, from its address, or from the agent's usual sales.
import type { Db } from "../../../../db/connect.ts";
import { type Habits, soldAt } from "../../../core/buying/recipients.ts";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import type { Operator } from "../../../shared/domain.ts";
import { bundleName, currentOperator, guessOperator, operatorCodes } from "../../../shared/operators.ts";
import { pausedText } from "../../../shared/pause.ts";
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";
import { type Refused, readId } from "../../page.tsx";
import { expectedNetwork, findBundle, optionOf, saleName } from "./sale.ts";

/** The fields of the form, and what is to be said about them. */
export type Filled = {
  msisdn: string;
  /** The same number as it is stored, if it is one. */
  recipient: string | null;
  /** The option of a bundle on sale, "12@390"; "" for none. */
  productId: string;
  quantity: string;
  operator: Operator;
  /** Why the bundle of the address cannot be chosen. */
  problem?: string | undefined;
  /** When the wanted repetition was last sold, if a moment ago. */
  soldAt?: Date | undefined;
  /** The confirmation that goes along with that repetition, and with no other sale. */
  allowDuplicate?: string | undefined;
};

type Request = {
  bundles: ProductOnSale[];
  habits: Habits;
  /** The network of the page's address. */
  own: Operator | null;
  refused: Refused | undefined;
  query: URLSearchParams;
};

/** Fills in the form. What was refused comes before the address. */
export async function fillIn(db: Db, userId: number, request: Request): Promise<Filled> {
  const { bundles, refused } = request;
  if (!refused) return fromAddress(db, userId, request);
  const { values } = refused;
  const sent = findBundle(bundles, values.get("productId"));
  const allowed = values.get("allowDuplicate") ?? undefined;
  return {
    msisdn: values.get("msisdn") ?? "",
    recipient: parseMsisdn(values.get("msisdn") ?? ""),
    productId: sent?.paused ? "" : optionOf(sent),
    quantity: values.get("quantity") ?? "1",
    operator: expectedNetwork(values, request.own) ?? networkFor(request, sent, values.get("msisdn")),
    problem: refused.isKept && values.get("productId") ? problemOf(sent) : undefined,
    // A plain "yes" was for the refused sale, which is not what is sent next.
    allowDuplicate: allowed === "yes" ? undefined : allowed,
  };
}

async function fromAddress(db: Db, userId: number, request: Request): Promise<Filled> {
  const { bundles, query } = request;
  // A form that was sent here, and a way back to it, name an option: "12@390".
  const wanted = query.get("product") ?? query.get("productId");
  const found = findBundle(bundles, wanted);
  const msisdn = query.get("msisdn")?.slice(0, 40) ?? "";
  const recipient = parseMsisdn(msisdn);
  const filled: Filled = {
    msisdn,
    recipient,
    productId: found?.paused ? "" : optionOf(found),
    quantity: query.get("quantity")?.slice(0, 6) || "1",
    operator: networkFor(request, found, msisdn),
    problem: readId(wanted?.split("@")[0]) ? problemOf(found) : undefined,
  };
  if (query.get("again") !== "1" || !recipient || !found) return filled;
  const sold = await soldAt(db, { userId, msisdn: recipient, productId: found.id });
  return sold ? { ...filled, soldAt: sold, allowDuplicate: saleName(recipient, found.id) } : filled;
}

function networkFor(
  { own, habits, bundles }: Request,
  chosen: ProductOnSale | undefined,
  typed: string | null,
): Operator {
  const msisdn = parseMsisdn(typed ?? "");
  const guess = msisdn ? guessOperator(msisdn) : null;
  const onSale = operatorCodes().find((it) => bundles.some(({ operator, paused }) => operator === it && !paused));
  const last = habits.lastOperator && currentOperator(habits.lastOperator);
  const usual = chosen?.operator ?? own ?? guess ?? last;
  // A form with a network that sells no more would show no bundles.
  return usual && operatorCodes().includes(usual) ? usual : (onSale ?? operatorCodes()[0] ?? "");
}

function problemOf(bundle: ProductOnSale | undefined): string | undefined {
  if (!bundle) return "That bundle is no longer on sale. Choose another one.";
  if (!bundle.paused) return undefined;
  return `${bundleName(bundle)} is ${pausedText(bundle.paused)}. Choose another bundle.`;
}
