// The subject of each route's good request in a shop in use: the id in its path, and fields of its body that must name
// something that exists. Made anew for one request each.
import { sql } from "drizzle-orm";
import type { Route } from "../../src/api/route.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as margins from "../../src/core/catalog/margins.ts";
import * as payments from "../../src/core/payments/payments.ts";
import { freshNumber } from "../support/asking.ts";
import { IDS, type Used } from "../support/pages.ts";
import type { World } from "../support/world.ts";
import { deskSubjects, type SubjectOfRoute } from "./desk-subjects.ts";

export type { SubjectOfRoute };

/** Makes the subject of a route, for its caller: the agent of the filled shop, or `world.yaw`. */
export function subjectsOfRoutes(
  world: World,
  used: Used,
  productId: number,
): (route: Route) => Promise<SubjectOfRoute> {
  const made = { ...agentSubjects(world, used, productId), ...deskSubjects(world, used, productId) };
  return async (route) => {
    await allowFor(world, used, route);
    const make = made[`${route.method} ${route.path}`];
    if (make) return make();
    const id = route.subject && IDS[route.subject](used)[0];
    return { ...(id && { id }), fields: {} };
  };
}

/** The address of a route about this id, or about what the good bodies and the filled shop have. */
export function addressOf({ path }: Route, id: SubjectOfRoute["id"]): string {
  return (
    path
      .replace(/:(id|kind|code|reference)\b/, String(id))
      // The network of the good body, which its own routes retire and merge.
      .replace(":operator", path.includes("/networks/") ? "GLO" : "TELECEL")
      .replace(":line", "GLO")
      // Nothing else buys by SMS.
      .replace(":name", "sms")
  );
}

/** Making keys takes a second factor, and a webhook whose address another request has changed is paused. */
async function allowFor({ db }: World, used: Used, { path }: Route): Promise<void> {
  await db.execute(sql`delete from second_factors where sealed_secret = 'planted'`);
  if (path.startsWith("/api/v1/keys"))
    await db.execute(sql`
      insert into second_factors (user_id, sealed_secret, last_step, confirmed_at)
      values (${used.agent.id}, 'planted', 0, now())`);
  if (path.startsWith("/api/v1/webhooks/:id/")) await db.execute(sql`update hooks set paused_for = null`);
}

function agentSubjects(world: World, used: Used, productId: number): Record<string, () => Promise<SubjectOfRoute>> {
  const { db } = world;
  const ask = () => ({
    ...{ by: used.agent.by("api"), key: null },
    line: { productId, msisdn: freshNumber(), quantity: 1 },
  });
  const buy = async () => (await orders.buy(db, ask())).answer.order.id;
  const topUp = async () => {
    const { by, key } = ask();
    const { answer } = await payments.startTopUp(db, { by, key, amountPesewas: 500 });
    return { fields: { transactionId: answer.id } };
  };
  return {
    "POST /api/v1/orders": async () => ({ fields: { msisdn: freshNumber() } }),
    "POST /api/v1/orders/bulk": async () => ({ fields: { orders: [ask().line] } }),
    "POST /api/v1/wallet/spend": async () => {
      const { id } = (await unpaidOrders.create(db, ask())).answer;
      return { id, fields: { orderId: id } };
    },
    "POST /api/v1/wallet/claims": async () => ({ fields: { transactionId: `4${freshNumber()}` } }),
    "POST /api/v1/paystack/init": topUp,
    "POST /api/v1/paystack/charge": topUp,
    "POST /api/v1/paystack/verify": async () => ({ fields: { reference: used.paid, transactionId: undefined } }),
    "POST /api/v1/support": async () => ({ fields: { orderId: used.order } }),
    "PATCH /api/v1/admin/orders/:id/status": async () => ({ id: await buy(), fields: {} }),
    "POST /api/v1/admin/orders/status/bulk": async () => ({ fields: { ids: [await buy()] } }),
    "PATCH /api/v1/products/:id": async () => ({
      id: (await world.product("TELECEL", "6GB", "5.00")).id,
      fields: {},
    }),
    "POST /api/v1/admin/margins/raise": async () => {
      const { fingerprint } = await margins.planRaise(db, "desk");
      return { fields: { vendor: "desk", fingerprint } };
    },
  };
}
