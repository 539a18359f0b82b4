// Preparation of routes that accept their good request only after something else was done, by the API itself; and the
// subjects of these requests.
import { RIGHT_OTP } from "../../dev/simulators/paystack/paystack-state.ts";
import type { Route } from "../../src/api/route.ts";
import * as codes from "../../src/core/identity/logins/codes.ts";
import { goodBodies } from "../api/bodies.ts";
import { type SubjectOfRoute, subjectsOfRoutes } from "../api/subjects.ts";
import { staff } from "../support/approvals.ts";
import { codeNow, enrol } from "../support/factor.ts";
import { guard, type Person, TEST_JWT_SECRET } from "../support/world.ts";
import type { Shop, Stand } from "./stand.ts";

type Done = {
  id: number;
  changeId: number;
  transactionId: number;
  reference: string;
  approval: { id: number };
  details: { token: string };
};

/** Prepares a copy for the good request of a route, and returns what it is about. */
export async function prepared(stand: Stand, shop: Shop, route: Route): Promise<SubjectOfRoute> {
  const more = await preparations(stand, shop)[`${route.method} ${route.path}`]?.();
  return { ...(await subjectsOfRoutes(shop.world, stand.used, stand.bundleId)(route)), ...more };
}

type Preparations = Record<string, () => Promise<Partial<SubjectOfRoute>>>;

function preparations({ used, bundleId }: Stand, { world, client }: Shop): Preparations {
  const { db, yaw } = world;
  const { agent } = used;
  const good = goodBodies(bundleId);
  const done = async (by: Person | null, method: string, path: string, body?: unknown): Promise<Done> => {
    const { status, body: answer } = await client.call(by, method, `/api/v1${path}`, body);
    if (status >= 400 && answer.details?.token === undefined) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const glo = async () => {
    await done(yaw, "POST", "/admin/networks", good["POST /api/v1/admin/networks"]);
    return {};
  };
  const setPrice = async (from: string | null) => {
    const prices = [{ productId: bundleId, tierId: 1, price: 4.1 }];
    return { id: (await done(yaw, "PUT", "/admin/prices", { prices, from, confirm: true })).changeId };
  };
  return {
    "POST /api/v1/auth/login": async () => ({ fields: { email: agent.email, password: agent.password } }),
    "POST /api/v1/auth/second-factor": async () => {
      const { secret } = await enrol(world, agent);
      const { details } = await done(null, "POST", "/auth/login", { email: agent.email, password: agent.password });
      return { fields: { token: details.token, code: codeNow(secret, 1) } };
    },
    "POST /api/v1/auth/password/reset": async () => {
      const { id: userId, email } = agent;
      const subject = { userId, purpose: "reset", recipient: email } as const;
      const code = await db.transaction((tx) => codes.issue(tx, { key: codes.codeKey(TEST_JWT_SECRET) }, subject));
      return { fields: { login: email, code } };
    },
    "POST /api/v1/paystack/otp": async () => {
      const { transactionId } = await done(agent, "POST", "/wallet/topup/init", { amount: 20 });
      const ask = { transactionId, network: "vod", phone: "0201234567" };
      return { fields: { reference: (await done(agent, "POST", "/paystack/charge", ask)).reference, code: RIGHT_OTP } };
    },
    "POST /api/v1/orders/:id/cancel": async () => {
      const line = { productId: bundleId, msisdn: "0541999999", quantity: 1, pay: "wallet" };
      return { id: (await done(agent, "POST", "/orders", line)).id };
    },
    "DELETE /api/v1/orders/:id/not-received": async () => {
      const path = "/orders/:id/not-received";
      await done(agent, "POST", path.replace(":id", String(used.delivered)), good[`POST /api/v1${path}`]);
      return { id: used.delivered };
    },
    "POST /api/v1/admin/prices/changes/:id/undo": () => setPrice(null),
    "DELETE /api/v1/admin/prices/changes/:id": () => setPrice("2026-12-01T00:00:00Z"),
    "POST /api/v1/admin/users/:id/unfreeze": async () => {
      const path = "/admin/users/:id/freeze";
      await done(yaw, "POST", path.replace(":id", String(agent.id)), good[`POST /api/v1${path}`]);
      return {};
    },
    "POST /api/v1/admin/signals/:id/end-hold": async () => {
      await done(yaw, "POST", `/admin/signals/${used.signal}/stop`);
      return { id: used.signal };
    },
    "PATCH /api/v1/admin/networks/:operator": glo,
    "POST /api/v1/admin/networks/:operator/lines": glo,
    "PATCH /api/v1/admin/networks/:operator/lines/:line": glo,
    "POST /api/v1/admin/networks/:operator/retire": glo,
    "POST /api/v1/admin/networks/:operator/merge": glo,
    "GET /api/v1/admin/networks/:operator/merge": glo,
    "POST /api/v1/admin/networks/:operator/restore": async () => {
      await glo();
      await done(yaw, "POST", "/admin/networks/GLO/retire", {});
      return {};
    },
    "DELETE /api/v1/admin/users/:id": async () => ({ id: (await world.person("leaver")).id }),
    "POST /api/v1/admin/approvals/:id/agree": async () => {
      const [manager, kofi] = [await staff(world, "MANAGER"), await world.person("kofi")];
      await guard(db);
      const ask = { amount: 5_000, reason: "A deposit that was missed" };
      return { id: (await done(manager, "POST", `/admin/users/${kofi.id}/wallet`, ask)).approval.id };
    },
  };
}
