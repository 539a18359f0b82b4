// The pages: a door to the core for people with a browser. Each page declares who may see it; all of them work without
// a script.

import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import { isAdmin } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { builtFile } from "./island.tsx";
import { type Context, type Leave, type Page, takesForms, type View, type WebDeps } from "./page.tsx";
import { showDashboard } from "./pages/account/dashboard.tsx";
import { phonePages } from "./pages/account/phone.tsx";
import { profilePages } from "./pages/account/profile.tsx";
import { secondFactorPages } from "./pages/account/second-factor.tsx";
import { supportPages } from "./pages/account/support.tsx";
import { threadPages } from "./pages/account/support-thread.tsx";
import { hookPage } from "./pages/account/webhook.tsx";
import { hookPages } from "./pages/account/webhooks.tsx";
import { adminAfaPages } from "./pages/admin/afa.tsx";
import { adminAfaPage } from "./pages/admin/afa-one.tsx";
import { attentionPages } from "./pages/admin/attention.tsx";
import { auditPages } from "./pages/admin/audit-log.tsx";
import { batchPages } from "./pages/admin/batch.tsx";
import { bookPages } from "./pages/admin/books.tsx";
import { chargebackPages } from "./pages/admin/chargebacks.tsx";
import { adminPages, showAdmin } from "./pages/admin/dashboard.tsx";
import { deskPages } from "./pages/admin/desk.tsx";
import { lossPages } from "./pages/admin/losses.tsx";
import { messagePages } from "./pages/admin/messages.tsx";
import { newOrderPages } from "./pages/admin/new-orders.tsx";
import { adminPaymentPages } from "./pages/admin/payment.tsx";
import { adminMoneyPages } from "./pages/admin/payments.tsx";
import { productPage } from "./pages/admin/product.tsx";
import { productPages } from "./pages/admin/products.tsx";
import { reconciliationPages } from "./pages/admin/reconciliation.tsx";
import { requestPages } from "./pages/admin/request.tsx";
import { settingsPages } from "./pages/admin/settings.tsx";
import { inboxPages } from "./pages/admin/support.tsx";
import { movePages } from "./pages/admin/transitions.tsx";
import { userPages } from "./pages/admin/user.tsx";
import { userBookPages } from "./pages/admin/user-books.tsx";
import { userEditPages } from "./pages/admin/user-edit.tsx";
import { userListPages } from "./pages/admin/users.tsx";
import { ussdPages } from "./pages/admin/ussd.tsx";
import { vendorPages } from "./pages/admin/vendors.tsx";
import { afaPages } from "./pages/buy/afa.tsx";
import { bulkPages } from "./pages/buy/bulk.tsx";
import { checkPages } from "./pages/buy/bulk-check.tsx";
import { draftPages } from "./pages/buy/bulk-drafts.tsx";
import { bulkResultPages } from "./pages/buy/bulk-result.tsx";
import { bundlePages } from "./pages/buy/bundles.tsx";
import { checkoutPages } from "./pages/buy/checkout.tsx";
import { exportPages } from "./pages/orders/exports.tsx";
import { notReceivedPages } from "./pages/orders/not-received.tsx";
import { orderPages } from "./pages/orders/order.tsx";
import { orderListPages } from "./pages/orders/orders.tsx";
import { statisticsPages } from "./pages/orders/statistics.tsx";
import { forgottenPages } from "./pages/public/forgotten-password.tsx";
import { landing } from "./pages/public/landing.tsx";
import { accountPages } from "./pages/public/login.tsx";
import { secondStepPages } from "./pages/public/second-factor-step.tsx";
import { statusPages } from "./pages/public/status.tsx";
import { claimPages } from "./pages/wallet/deposits.tsx";
import { paymentPages } from "./pages/wallet/payment.tsx";
import { topUpPages } from "./pages/wallet/top-up.tsx";
import { walletPages } from "./pages/wallet/wallet.tsx";
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
  ...userEditPages,
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
    if (takesForms(page)) routes.post(page.path, serve, { parse: "none" });
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
