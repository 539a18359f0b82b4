// The cells of the price table as forms send them: one field each while they are typed, and one compact text for all of
// them from the preview on, so that a thousand prices are a small form.

import { PRICES_MAX } from "../../../../core/catalog/price-changes.ts";
import type { WantedPrice } from "../../../../core/catalog/price-quotes.ts";
import { type PricedProduct, STANDARD_TIER_ID } from "../../../../core/catalog/price-table.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { parseCedis } from "../../../../shared/money.ts";

/** A form with a thousand cells and what they were. */
export const CELLS_BYTES_MAX = 131_072;

/** The field of a cell: "price.12.1". */
export function fieldOf(productId: number, tierId: number): string {
  return `price.${productId}.${tierId}`;
}

/** Changes as one text: "12.1=390>420 12.u7=>400", in pesewas; nothing stands for no price. */
export function packed(prices: readonly WantedPrice[]): string {
  return prices
    .map((price) => {
      const whose = "tierId" in price ? price.tierId : `u${price.userId}`;
      return `${price.productId}.${whose}=${price.wasPesewas ?? ""}>${price.pricePesewas ?? ""}`;
    })
    .join(" ");
}

/** The changes of `packed`. Throws request.invalid for another text. */
export function unpacked(text: string): WantedPrice[] {
  const parts = text.split(" ").filter(Boolean);
  if (parts.length > PRICES_MAX) throw new AppError("request.too_large");
  return parts.map((part) => {
    const match = /^(\d{1,15})\.(u?)(\d{1,15})=(\d{0,10})>(\d{0,10})$/.exec(part);
    if (!match) throw new AppError("request.invalid");
    const [, productId, isUser, id, was, price] = match;
    const pesewasOf = (digits: string) => (digits === "" ? null : Number(digits));
    const set = {
      productId: Number(productId),
      pricePesewas: pesewasOf(price!),
      wasPesewas: pesewasOf(was!),
    };
    if (set.pricePesewas === 0) throw new AppError("request.invalid");
    return isUser ? { ...set, userId: Number(id) } : { ...set, tierId: Number(id) };
  });
}

/** What the admin saw in each cell: "12.1=390 12.2=". */
export function seenOf(products: readonly PricedProduct[], tierIds: readonly number[]): string {
  return products
    .flatMap(({ id, own }) => tierIds.map((tierId) => `${id}.${tierId}=${own.get(tierId) ?? ""}`))
    .join(" ");
}

/**
 * The cells that were typed differently from what was seen. Throws request.invalid with a message for each cell that is
 * no price; what was typed is shown again.
 */
export function typedChanges(form: URLSearchParams): WantedPrice[] {
  const fields: Record<string, string> = {};
  const changes: WantedPrice[] = [];
  for (const part of (form.get("seen") ?? "").split(" ").slice(0, PRICES_MAX)) {
    const match = /^(\d{1,15})\.(\d{1,15})=(\d{0,10})$/.exec(part);
    if (!match) continue;
    const [productId, tierId] = [Number(match[1]), Number(match[2])];
    const field = fieldOf(productId, tierId);
    const typed = form.get(field)?.trim();
    if (typed === undefined) continue;
    const wasPesewas = match[3] === "" ? null : Number(match[3]);
    const read = readCell(typed, tierId);
    if ("problem" in read) fields[field] = read.problem;
    else if (read.pricePesewas !== wasPesewas) changes.push({ productId, tierId, ...read, wasPesewas });
  }
  const count = Object.keys(fields).length;
  if (count === 0) return changes;
  const message = count === 1 ? "One price is not an amount." : `${count} prices are not amounts.`;
  throw new AppError("request.invalid", { fields }, message);
}

/** A typed price; an empty cell has none. */
function readCell(typed: string, tierId: number): { pricePesewas: number | null } | { problem: string } {
  if (typed === "")
    return tierId === STANDARD_TIER_ID ? { problem: "Every product needs this price" } : { pricePesewas: null };
  const pricePesewas = parseCedis(typed);
  return pricePesewas !== null && pricePesewas > 0 ? { pricePesewas } : { problem: "Enter an amount like 4.50" };
}
