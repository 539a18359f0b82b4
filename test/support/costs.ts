// Costs of bundles at the desk, for tests of prices and margins.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";

/** Says what the desk takes for a bundle from now on. */
export async function deskTakes(db: Db, productId: number, costPesewas: number): Promise<void> {
  await db.execute(sql`
    insert into product_costs (product_id, vendor, seen_at, cost_pesewas, source)
    values (${productId}, 'desk', clock_timestamp(), ${costPesewas}, 'admin')`);
}
