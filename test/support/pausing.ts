// Pauses of sale in tests: of a product, and of a network.
import type { Db } from "../../db/connect.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as switches from "../../src/core/overview/switches.ts";
import type { ByUser, Operator } from "../../src/shared/domain.ts";

type Pause = { by: ByUser; operator: Operator; message: string | null; until?: Date | null };

/** Pauses a network's sale until `until`, or until it is resumed; a null message resumes it. */
export async function pauseNetwork(db: Db, { message: pausedMessage, until = null, ...rest }: Pause): Promise<void> {
  const pausedUntil = pausedMessage === null ? null : until;
  await switches.pauseNetwork(db, { ...rest, pausedMessage, pausedUntil });
}

type ProductPause = Omit<Pause, "operator"> & { productId: number };

/** As `pauseNetwork`, of one product, which is returned. */
export async function pauseProduct(
  db: Db,
  { message: pausedMessage, until = null, ...rest }: ProductPause,
): Promise<products.ProductOnSale> {
  const pausedUntil = pausedMessage === null ? null : until;
  await products.edit(db, { ...rest, pausedMessage, pausedUntil });
  return products.get(db, rest.productId);
}
