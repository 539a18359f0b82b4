// The files of orders that are to be sent by hand, line by line.
import type { ExportedOrder } from "../../core/orders/queries.ts";
import { localMsisdn } from "../../shared/msisdn.ts";

/** What a file for whoever sends bundles is made of. */
export const SEND_TITLES = ["OPERATOR", "NUMBER", "GIGs"];

export type Cells = (string | number | null)[];

type ToSend = Pick<ExportedOrder, "operator" | "msisdn" | "volumeMb" | "quantity" | "productSize">;

/**
 * A line for each bundle: whoever sends them sells sizes, and two of 1 GB are not one of 2 GB. A size that is not in GB
 * stands there as it is called, so that nobody takes it for none.
 */
export function linesToSend({ operator, msisdn, volumeMb, quantity, productSize }: ToSend): Cells[] {
  const line = [operator, localMsisdn(msisdn), volumeMb === null ? productSize : volumeMb / 1000];
  return Array.from({ length: quantity }, () => line);
}
