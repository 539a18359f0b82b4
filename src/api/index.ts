// The JSON API at /api/v1: all its routes, and their OpenAPI description.
import { Elysia } from "elysia";
import type { Guide } from "../http/guide.ts";
import { accountPriceRoutes } from "./admin/account-prices.ts";
import { adminApprovals } from "./admin/approvals.ts";
import { adminAudit } from "./admin/audit.ts";
import { adminCash } from "./admin/cash.ts";
import { costRoutes } from "./admin/costs.ts";
import { deskRoutes } from "./admin/desk.ts";
import { findRoutes } from "./admin/finding.ts";
import { limitRoutes } from "./admin/limits.ts";
import { marginRoutes } from "./admin/margins.ts";
import { adminNetworks } from "./admin/networks.ts";
import { adminOrders } from "./admin/orders.ts";
import { adminPayments } from "./admin/payments.ts";
import { priceRoutes } from "./admin/prices.ts";
import { adminProducts } from "./admin/products.ts";
import { adminReports } from "./admin/reports.ts";
import { signalRoutes } from "./admin/signals.ts";
import { adminStatements } from "./admin/statements.ts";
import { adminSupport } from "./admin/support.ts";
import { switchRoutes } from "./admin/switches.ts";
import { tierRoutes } from "./admin/tiers.ts";
import { adminUsers } from "./admin/users.ts";
import { vendorRoutes } from "./admin/vendors.ts";
import { adminWaiting } from "./admin/waiting.ts";
import { walletPayoutRoutes } from "./admin/wallet-payouts.ts";
import { adminAfa, afaRoutes } from "./afa.ts";
import { requestRoutes } from "./api-requests.ts";
import { auth } from "./auth.ts";
import { bulkOrderRoutes } from "./bulk-orders.ts";
import { guideTo } from "./description/guide.ts";
import { openApi } from "./description/openapi.ts";
import { keyRoutes } from "./keys.ts";
import { orderRoutes } from "./orders.ts";
import { paymentRoutes } from "./payments.ts";
import { type ApiDeps, type Route, serve } from "./route.ts";
import { refusedSandboxRoutes, sandboxRoutes } from "./sandbox.ts";
import { shop } from "./shop.ts";
import { notReceivedRoutes, supportRoutes } from "./support.ts";
import { walletRoutes } from "./wallet.ts";
import { hookRoutes } from "./webhooks.ts";

export { farewells } from "./farewells.ts";
export { webhooks } from "./provider-callbacks.ts";
export type { ApiDeps, Caller } from "./route.ts";

export const routes: Route[] = [
  ...auth,
  ...shop,
  ...walletRoutes,
  ...orderRoutes,
  ...bulkOrderRoutes,
  ...notReceivedRoutes,
  ...paymentRoutes,
  ...afaRoutes,
  ...supportRoutes,
  ...hookRoutes,
  ...requestRoutes,
  ...keyRoutes,
  ...adminOrders,
  ...deskRoutes,
  ...vendorRoutes,
  ...adminProducts,
  ...priceRoutes,
  ...costRoutes,
  ...marginRoutes,
  ...tierRoutes,
  ...switchRoutes,
  ...accountPriceRoutes,
  ...limitRoutes,
  ...signalRoutes,
  ...walletPayoutRoutes,
  ...adminNetworks,
  ...adminUsers,
  ...adminApprovals,
  ...adminPayments,
  ...adminStatements,
  ...adminCash,
  ...adminAfa,
  ...adminSupport,
  ...adminReports,
  ...adminWaiting,
  ...adminAudit,
  ...findRoutes,
];

export { sandboxRoutes };

/** What the shop and its sandbox have together: programs call both with the same code. */
export const allRoutes: Route[] = [...routes, ...sandboxRoutes];

/** Whether a route takes an Idempotency-Key. */
export function takesKey(method: string, path: string): boolean {
  return allRoutes.some((route) => route.method === method && route.path === path && route.takesKey);
}

let madeGuide: Guide | undefined;

/** The guide for programs, made for its first reader. */
export function guide(): Guide {
  madeGuide ??= guideTo(allRoutes);
  return madeGuide;
}

/** Mounts every route. Each declares who may call it, and `serve` checks that. */
export function api(deps: ApiDeps) {
  const app = new Elysia();
  // A sandbox has no logins: programs call it with keys, and owners through their live shop.
  const isSandbox = deps.keyMode === "test";
  const mounted = isSandbox
    ? [...routes.filter(({ role }) => role !== "anyone"), ...sandboxRoutes]
    : [...routes, ...refusedSandboxRoutes];
  for (const route of mounted) {
    app.route(route.method, route.path, ({ request, params }) => serve(deps, route, request, params), {
      parse: "none",
    });
  }
  // Made for the first reader: a restart, above all after a crash, waits for none of it.
  let document: unknown;
  return app.get("/openapi.json", () => (document ??= openApi(allRoutes, deps.baseUrl)));
}
