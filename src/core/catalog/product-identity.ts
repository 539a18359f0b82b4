// The identity of a product, besides its name: its size and data volume, its family, and its number by USSD.
import type { products } from "../../../db/schema/catalog.ts";
import type { Family, Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { familiesOf, findOperator } from "../../shared/operators.ts";

type Product = typeof products.$inferSelect;

/** A size as stored ("1.5gb " becomes "1.5GB"), with its volume. Throws product.size_invalid. */
export function sized(size: string): { size: string; volumeMb: number } {
  const volumeMb = volumeOf(size);
  if (volumeMb === null) throw new AppError("product.size_invalid");
  const [, count, unit] = /^([\d.]+)\s*(MB|GB)$/i.exec(size.trim())!;
  return { size: `${Number(count)}${unit!.toUpperCase()}`, volumeMb };
}

/** The family to sell it in; without one its operator's first. Throws operator.retired, product.family_wrong. */
export function familyFor(operator: Operator, family: Family | null | undefined): Family {
  const [usual] = familiesOf(operator);
  if (!usual || findOperator(operator)!.isRetired) throw new AppError("operator.retired");
  if (!family) return usual;
  if (!familiesOf(operator).includes(family)) throw new AppError("product.family_wrong");
  return family;
}

/** The numbers that agents can type: 0 is the way back, 9 the next page, 99 another network. */
const USSD_NUMBER_MAX = 9999;
/** Up to here a number is a size in GB, and that of its bundle; the other bundles have those above. */
export const SIZE_NUMBER_MAX = 50;
const isTypable = (number: number) =>
  Number.isInteger(number) && number > 0 && number <= USSD_NUMBER_MAX && number !== 9 && number !== 99;

/** The number of a size in MB: 5 for 5GB. Null for one that is not whole, and where agents type it for other things. */
export function numberOfSize(volumeMb: number | null): number | null {
  const number = (volumeMb ?? 0) / 1000;
  return isTypable(number) ? number : null;
}

/** Whether a bundle of this size in MB may have a number. */
export function fitsSize(number: number, volumeMb: number | null): boolean {
  return isTypable(number) && (number > SIZE_NUMBER_MAX || number === numberOfSize(volumeMb));
}

/**
 * Size, volume and family after a change; a size from before sizes were validated may stay. Throws product.fixed,
 * product.ussd_number_invalid, and as `sized` and `familyFor`.
 */
export function identityAfter(before: Product, { size, family, ussdNumber }: Partial<Product>): Partial<Product> {
  const isResized = size !== undefined && size !== before.size;
  if (before.line === "afa") {
    if (isResized || family || ussdNumber !== undefined) throw new AppError("product.fixed");
    return {};
  }
  const resized = isResized ? sized(size) : null;
  // An unchanged number may no longer fit: then the bundle gets another one.
  if (ussdNumber !== undefined && ussdNumber !== before.ussdNumber)
    if (!fitsSize(ussdNumber ?? 0, resized?.volumeMb ?? before.volumeMb))
      throw new AppError("product.ussd_number_invalid");
  return {
    ...resized,
    ...(family && { family: familyFor(before.operator, family) }),
  };
}

/** The data volume of a size in MB ("1.5GB" is 1500, 1 GB = 1000 MB); null when it is not a size. */
export function volumeOf(size: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(MB|GB)$/i.exec(size.trim());
  if (!match) return null;
  const volumeMb = Math.round(Number(match[1]) * (match[2]!.toUpperCase() === "GB" ? 1000 : 1));
  return volumeMb > 0 && volumeMb <= 2_000_000_000 ? volumeMb : null;
}
