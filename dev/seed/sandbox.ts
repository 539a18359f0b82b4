// The contents of a new sandbox: the bundles of the demonstration shop, routes to the simulated vendors, and short
// waits, so that an order goes through in a minute.

import type { Db } from "../../db/connect.ts";
import { users as userTable } from "../../db/schema/identity.ts";
import { settings as settingTable } from "../../db/schema/platform.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as users from "../../src/core/identity/users.ts";
import * as operatorRegistry from "../../src/core/platform/operator-registry.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { parseCedis } from "../../src/shared/money.ts";
import { BUNDLES_ON_SALE } from "./bundles.ts";

/** Has a mailbox that nobody reads, and a password that nobody knows. */
const KEEPER = "sandbox@example.com";

/** DataMart where it sells them: its status checks make the ends of magic numbers alike for all networks. */
const SETTINGS = {
  dispatch_hold_seconds: 5,
  complete_after_seconds: 60,
  refund_promise_minutes: 60,
  route_mtn: "datamart",
  route_telecel: "datamart",
  route_at_ishare: "datamart",
  route_at_bigtime: "hubnet",
};

/** Fills a sandbox's database; what is there already stays, so that an interrupted start is continued by the next. */
export async function seedSandbox(db: Db): Promise<void> {
  if (await isFull(db)) return;
  await operatorRegistry.renew(db);
  await users.ensureAdmin(db, { email: KEEPER, password: crypto.randomUUID() });
  const [keeper] = await db.select({ id: userTable.id, roles: userTable.roles }).from(userTable).limit(1);
  const by: ByUser = { userId: keeper!.id, roles: keeper!.roles, channel: "admin" };
  // Nobody is there who could agree.
  await db.insert(settingTable).values({ key: "second_person", value: false }).onConflictDoNothing();
  await addBundles(db, by);
  // The mark of a full sandbox, so last.
  await settings.change(db, { by, values: SETTINGS });
}

async function isFull(db: Db): Promise<boolean> {
  return (await settings.get(db, "route_mtn")) === SETTINGS.route_mtn;
}

async function addBundles(db: Db, by: ByUser): Promise<void> {
  const nameOf = ({ operator, name, size }: { operator: string; name: string; size: string }) =>
    `${operator} ${name} ${size}`;
  const known = new Set((await products.list(db)).map(nameOf));
  for (const { operator, family, name, sizes } of BUNDLES_ON_SALE) {
    for (const [size, price] of Object.entries(sizes)) {
      const product = { operator, family, name, size, pricePesewas: parseCedis(price)! };
      if (!known.has(nameOf(product))) await products.add(db, { by, ...product, confirmPrice: true });
    }
  }
}
