// Files of orders to be sent by hand, line by line.
import type { ExportedOrder } from "../../../core/orders/queries.ts";
import { localMsisdn } from "../../../shared/phones/msisdn.ts";

/** The columns of such a file. */
export const SEND_TITLES = ["OPERATOR", "NUMBER", "GIGs"];

export type Cells = (string | number | null)[];

type ToSend = Pick<ExportedOrder, "operator" | "msisdn" | "volumeMb" | "quantity" | "productSize">;

/**
 * One line for each bundle, because portals sell sizes, and two of 1 GB are not one of 2 GB. A size that is not in GB
 * keeps its name, so that it is not mistaken for a missing one.
 */
export function linesToSend({ operator, msisdn, volumeMb, quantity, productSize }: ToSend): Cells[] {
  const line = [operator, localMsisdn(msisdn), volumeMb === null ? productSize : volumeMb / 1000];
  return Array.from({ length: quantity }, () => line);
}
