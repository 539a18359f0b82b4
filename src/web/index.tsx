// The pages: a door to the core for people with a browser. Each page declares who may see it; all of them work without
// a script.

import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import { isAdmin } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import { builtFile } from "./island.tsx";
import type { Context, Leave, Page, View, WebDeps } from "./page.tsx";
import { accountPages } from "./pages/account.tsx";
import { adminPages, showAdmin } from "./pages/admin.tsx";
import { adminAfaPages } from "./pages/admin-afa.tsx";
import { adminAfaPage } from "./pages/admin-afa-one.tsx";
import { attentionPages } from "./pages/admin-attention.tsx";
import { auditPages } from "./pages/admin-audit.tsx";
import { batchPages } from "./pages/admin-batch.tsx";
import { bookPages } from "./pages/admin-books.tsx";
import { chargebackPages } from "./pages/admin-chargebacks.tsx";
import { deskPages } from "./pages/admin-desk.tsx";
import { lossPages } from "./pages/admin-losses.tsx";
import { messagePages } from "./pages/admin-messages.tsx";
import { adminMoneyPages } from "./pages/admin-money.tsx";
import { movePages } from "./pages/admin-moves.tsx";
import { newOrderPages } from "./pages/admin-new-orders.tsx";
import { adminPaymentPages } from "./pages/admin-payment.tsx";
import { productPage } from "./pages/admin-product.tsx";
import { productPages } from "./pages/admin-products.tsx";
import { reconciliationPages } from "./pages/admin-reconciliation.tsx";
import { requestPages } from "./pages/admin-request.tsx";
import { settingsPages } from "./pages/admin-settings.tsx";
import { inboxPages } from "./pages/admin-support.tsx";
import { userPages } from "./pages/admin-user.tsx";
import { userBookPages } from "./pages/admin-user-books.tsx";
import { userListPages } from "./pages/admin-users.tsx";
import { ussdPages } from "./pages/admin-ussd.tsx";
import { vendorPages } from "./pages/admin-vendors.tsx";
import { afaPages } from "./pages/afa.tsx";
import { bulkPages } from "./pages/bulk.tsx";
import { checkPages } from "./pages/bulk-check.tsx";
import { draftPages } from "./pages/bulk-drafts.tsx";
import { bulkResultPages } from "./pages/bulk-result.tsx";
import { bundlePages } from "./pages/bundles.tsx";
import { checkoutPages } from "./pages/checkout.tsx";
import { claimPages } from "./pages/claims.tsx";
import { showDashboard } from "./pages/dashboard.tsx";
import { exportPages } from "./pages/exports.tsx";
import { forgottenPages } from "./pages/forgotten.tsx";
import { hookPage } from "./pages/hook.tsx";
import { hookPages } from "./pages/hooks.tsx";
import { landing } from "./pages/landing.tsx";
import { notReceivedPages } from "./pages/not-received.tsx";
import { orderPages } from "./pages/order.tsx";
import { orderListPages } from "./pages/orders.tsx";
import { paymentPages } from "./pages/payment.tsx";
import { phonePages } from "./pages/phone.tsx";
import { profilePages } from "./pages/profile.tsx";
import { secondFactorPages } from "./pages/second-factor.tsx";
import { secondStepPages } from "./pages/second-step.tsx";
import { statisticsPages } from "./pages/statistics.tsx";
import { statusPages } from "./pages/status.tsx";
import { supportPages } from "./pages/support.tsx";
import { threadPages } from "./pages/support-thread.tsx";
import { topUpPages } from "./pages/top-up.tsx";
import { walletPages } from "./pages/wallet.tsx";
import { refusalPage, servePage, unknownPage } from "./serve.tsx";

export type { WebDeps } from "./page.tsx";

export const pages: Page[] = [
  { path: "/", role: "anyone", show: showHome },
  { path: "/dashboard", role: "user", show: showHome },
  ...walletPages,
  ...topUpPages,
  ...claimPages,
  ...paymentPages,
  ...checkoutPages,
  ...accountPages,
  ...secondStepPages,
  ...forgottenPages,
  ...bundlePages,
  ...bulkPages,
  ...checkPages,
  ...draftPages,
  ...bulkResultPages,
  ...afaPages,
  ...orderListPages,
  ...exportPages,
  ...supportPages,
  ...threadPages,
  ...notReceivedPages,
  ...inboxPages,
  ...requestPages,
  ...messagePages,
  ...statusPages,
  ...attentionPages,
  ...vendorPages,
  ...deskPages,
  ...newOrderPages,
  ...batchPages,
  ...lossPages,
  ...profilePages,
  ...phonePages,
  ...secondFactorPages,
  ...hookPages,
  ...hookPage,
  ...orderPages,
  ...adminPages,
  ...movePages,
  ...adminAfaPages,
  ...adminAfaPage,
  ...adminMoneyPages,
  ...adminPaymentPages,
  ...chargebackPages,
  ...reconciliationPages,
  ...productPages,
  ...productPage,
  ...userListPages,
  ...userPages,
  ...userBookPages,
  ...settingsPages,
  ...auditPages,
  ...bookPages,
  ...statisticsPages,
  ...ussdPages,
];

/** Awaited here: a plugin that is still being made when it is used has no routes yet, and they come too late for the server. */
const publicFiles = await staticPlugin({
  assets: join(import.meta.dir, "../../public"),
  prefix: "/",
  indexHTML: false,
  alwaysStatic: true,
});

/** The door: its routes, and what it says to a refusal and to an address that it does not know. */
export function web(deps: WebDeps) {
  const routes = new Elysia().use(publicFiles);
  routes.get("/built/:name", ({ request }) => {
    const file = builtFile(request);
    if (!file) throw new AppError("request.not_found");
    return file;
  });
  for (const page of pages) {
    const serve = ({ request, params }: { request: Request; params: Record<string, string> }) =>
      servePage(deps, page, request, params);
    if (page.show) routes.get(page.path, serve, { parse: "none" });
    if (page.submit) routes.post(page.path, serve, { parse: "none" });
  }
  return {
    routes,
    refuse: (request: Request, refusal: AppError): Response => refusalPage(deps, request, refusal),
    unknown: (request: Request): Promise<Response> => unknownPage(deps, request),
  };
}

async function showHome(context: Context): Promise<View | Leave> {
  if (!context.viewer) return landing(context);
  return isAdmin(context.by) ? showAdmin(context) : showDashboard(context);
}
