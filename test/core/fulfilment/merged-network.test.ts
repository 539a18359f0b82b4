// Orders of a network that is merged while they are open: delivered by their line's route, under the name they were
// sold as.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { merge } from "../../../src/core/catalog/operators/operator-merger.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { orderedBundle } from "../../../src/shared/operators.ts";
import { openDelivering } from "./delivering.ts";

const delivering = await openDelivering();
const { world } = delivering;
const by = world.yaw.by("admin");

test("an open order of a merged network is delivered by its line", async () => {
  const product = await world.product("AIRTELTIGO", "1GB", "4.00");
  await settings.change(world.db, { by, values: { route_at_ishare: "hubnet" } });
  const orderId = await delivering.buy("0000", { product, msisdn: "0261230000" });
  await merge(world.db, { by, from: "AIRTELTIGO", into: "TELECEL" });
  await delivering.work();
  await delivering.pass(600);
  const [order] = await world.db.execute<{
    operator: string;
    family: string;
    size: string;
    vendor: string;
  }>(sql`
    select o.operator, o.family, o.product_size as size, a.vendor
    from orders o join attempts a on a.order_id = o.id where o.id = ${orderId}`);
  expect(order).toMatchObject({ operator: "AIRTELTIGO", family: "AT_ISHARE", vendor: "hubnet" });
  expect(orderedBundle({ ...order!, productSize: order!.size })).toBe("AT iShare 1GB");
  expect((await delivering.story(orderId)).status).toBe("DELIVERED");
});
