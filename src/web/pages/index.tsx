// List of all pages. The links of the drawer and the tabs of each section follow its order.
import { isStaff } from "../../shared/rights.ts";
import type { Context, Leave, Page, View } from "../page.tsx";
import { placesIn } from "../places.ts";
import { alertPages } from "./account/alerts.tsx";
import { apiRequestPage } from "./account/api-request.tsx";
import { apiRequestPages } from "./account/api-requests.tsx";
import { dashboardPages, showDashboard } from "./account/dashboard.tsx";
import { developerKeyPages } from "./account/developer-key.tsx";
import { developerPages } from "./account/developers.tsx";
import { languagePages } from "./account/language.tsx";
import { loginsPages } from "./account/logins.tsx";
import { namePages } from "./account/name.tsx";
import { noticesPages } from "./account/notices.tsx";
import { ownDataPages } from "./account/own-data.tsx";
import { passwordPages } from "./account/password.tsx";
import { phonePages } from "./account/phone.tsx";
import { pinPages } from "./account/pin.tsx";
import { profilePages } from "./account/profile.tsx";
import { secondFactorPages } from "./account/second-factor.tsx";
import { supportPages } from "./account/support.tsx";
import { threadPages } from "./account/support-thread.tsx";
import { waitingNoticePages } from "./account/waiting-notices.tsx";
import { hookPage } from "./account/webhook.tsx";
import { hookPages } from "./account/webhooks.tsx";
import { accountingPages } from "./admin/accounting.tsx";
import { adminAfaPages } from "./admin/afa.tsx";
import { adminAfaPage } from "./admin/afa-one.tsx";
import { approvalPages } from "./admin/approvals.tsx";
import { attentionPages } from "./admin/attention.tsx";
import { auditPages } from "./admin/audit-log.tsx";
import { batchPages } from "./admin/batch.tsx";
import { bookPages } from "./admin/books.tsx";
import { cashPages } from "./admin/cash.tsx";
import { chargebackPages } from "./admin/chargebacks.tsx";
import { confirmPages } from "./admin/confirm.tsx";
import { costFilePages } from "./admin/cost-file.tsx";
import { adminDepositPages } from "./admin/deposits.tsx";
import { deskPages } from "./admin/desk.tsx";
import { findPages } from "./admin/find.tsx";
import { limitPages } from "./admin/limits.tsx";
import { lossPages } from "./admin/losses.tsx";
import { messagePages } from "./admin/messages.tsx";
import { networkPages } from "./admin/network.tsx";
import { networkEndPages } from "./admin/network-end.tsx";
import { networkListPages } from "./admin/networks.tsx";
import { newOrderPages } from "./admin/new-orders.tsx";
import { adminPaymentPages } from "./admin/payment.tsx";
import { adminMoneyPages, walletFinderPages } from "./admin/payments.tsx";
import { payoutPages } from "./admin/payouts.tsx";
import { priceChangePages } from "./admin/price-changes.tsx";
import { priceFilePages } from "./admin/price-file.tsx";
import { priceRaisePages } from "./admin/price-raise.tsx";
import { shopPricePages } from "./admin/prices.tsx";
import { adminPrivacyPages } from "./admin/privacy.tsx";
import { productPage } from "./admin/product.tsx";
import { productPages } from "./admin/products.tsx";
import { profitPages } from "./admin/profit.tsx";
import { reconciliationPages } from "./admin/reconciliation.tsx";
import { requestPages } from "./admin/request.tsx";
import { settingsPages } from "./admin/settings.tsx";
import { signalPages } from "./admin/signal.tsx";
import { signalRulePages } from "./admin/signal-rules.tsx";
import { signalListPages } from "./admin/signals.tsx";
import { staffPages } from "./admin/staff.tsx";
import { statementPages } from "./admin/statement.tsx";
import { inboxPages } from "./admin/support.tsx";
import { switchPages } from "./admin/switches.tsx";
import { textPage } from "./admin/text.tsx";
import { textPages } from "./admin/texts.tsx";
import { tierPages } from "./admin/tiers.tsx";
import { adminPages, showAdmin } from "./admin/today.tsx";
import { movePages } from "./admin/transitions.tsx";
import { userPages } from "./admin/user.tsx";
import { userBookPages } from "./admin/user-books.tsx";
import { userEditPages } from "./admin/user-edit.tsx";
import { userLimitPages } from "./admin/user-limits.tsx";
import { userPayoutPages } from "./admin/user-payout.tsx";
import { userPricePages } from "./admin/user-prices.tsx";
import { userRecordPages } from "./admin/user-record.tsx";
import { userListPages } from "./admin/users.tsx";
import { ussdPages } from "./admin/ussd.tsx";
import { vendorOnePages } from "./admin/vendor.tsx";
import { vendorPages } from "./admin/vendors.tsx";
import { viewPages } from "./admin/views.tsx";
import { waitingPages } from "./admin/waiting.ts";
import { closingPages } from "./books/closing.tsx";
import { customerPages } from "./books/customer.tsx";
import { customersPages } from "./books/customers.tsx";
import { notebookPages } from "./books/notebook.tsx";
import { priceListPages } from "./books/price-list.tsx";
import { pricesPages } from "./books/prices.tsx";
import { afaPages } from "./buy/afa.tsx";
import { bulkPages } from "./buy/bulk.tsx";
import { checkPages } from "./buy/bulk-check.tsx";
import { draftPages } from "./buy/bulk-drafts.tsx";
import { bulkResultPages } from "./buy/bulk-result.tsx";
import { bundlePages, networkPage } from "./buy/bundles.tsx";
import { checkoutPages } from "./buy/checkout.tsx";
import { guidePages } from "./developers/guide.tsx";
import { exportPages } from "./orders/exports.tsx";
import { notReceivedPages } from "./orders/not-received.tsx";
import { orderPages } from "./orders/order.tsx";
import { orderListPages } from "./orders/orders.tsx";
import { receiptPages } from "./orders/receipt.tsx";
import { salesReceiptPages } from "./orders/sales-receipt.tsx";
import { statisticsPages } from "./orders/statistics.tsx";
import { claimPages } from "./public/claim.tsx";
import { forgottenPages } from "./public/forgotten-password.tsx";
import { landing } from "./public/landing.tsx";
import { accountPages } from "./public/login.tsx";
import { offlinePages } from "./public/offline.tsx";
import { privacyPages } from "./public/privacy.tsx";
import { secondStepPages } from "./public/second-factor-step.tsx";
import { statusPages } from "./public/status.tsx";
import { yourNumberPages } from "./public/your-number.tsx";
import { depositPages } from "./wallet/deposits.tsx";
import { paymentPages } from "./wallet/payment.tsx";
import { topUpPages } from "./wallet/top-up.tsx";
import { walletPages } from "./wallet/wallet.tsx";

export { networkPage };

export const pages: Page[] = [
  // Entry points.
  { path: "/", role: "anyone", show: showHome, menu: { agent: "Dashboard", bar: "Home", icon: "home" } },
  { path: "/dashboard", role: "user", under: "/", show: showHome },
  ...dashboardPages,
  ...adminPages,
  ...waitingPages,
  // For everybody.
  ...accountPages,
  ...secondStepPages,
  ...forgottenPages,
  ...claimPages,
  ...statusPages,
  ...guidePages,
  ...privacyPages,
  ...yourNumberPages,
  ...receiptPages,
  ...salesReceiptPages,
  ...offlinePages,
  // For agents; staff may open them, too.
  ...bundlePages,
  ...afaPages,
  ...bulkPages,
  ...checkPages,
  ...draftPages,
  ...bulkResultPages,
  ...orderListPages,
  ...exportPages,
  ...orderPages,
  ...notReceivedPages,
  ...notebookPages,
  ...customersPages,
  ...customerPages,
  ...pricesPages,
  ...priceListPages,
  ...closingPages,
  ...walletPages,
  ...topUpPages,
  ...depositPages,
  ...paymentPages,
  ...checkoutPages,
  ...supportPages,
  ...threadPages,
  ...profilePages,
  ...namePages,
  ...alertPages,
  ...phonePages,
  ...noticesPages,
  ...waitingNoticePages,
  ...languagePages,
  ...passwordPages,
  ...pinPages,
  ...loginsPages,
  ...ownDataPages,
  ...secondFactorPages,
  ...developerPages,
  ...developerKeyPages,
  ...hookPages,
  ...hookPage,
  ...apiRequestPages,
  ...apiRequestPage,
  // For staff.
  ...findPages((by) => placesIn(pages, by)),
  ...viewPages,
  ...attentionPages,
  ...deskPages,
  ...newOrderPages,
  ...batchPages,
  ...lossPages,
  ...movePages,
  ...adminAfaPages,
  ...adminAfaPage,
  ...productPages,
  ...productPage,
  ...shopPricePages,
  ...priceChangePages,
  ...priceRaisePages,
  ...priceFilePages,
  ...costFilePages,
  ...tierPages,
  ...switchPages,
  ...networkListPages,
  ...networkPages,
  ...networkEndPages,
  ...vendorPages,
  ...vendorOnePages,
  ...userListPages,
  ...userPages,
  ...userEditPages,
  ...userBookPages,
  ...userPricePages,
  ...signalListPages,
  ...signalRulePages,
  ...signalPages,
  ...userRecordPages,
  ...staffPages,
  ...userLimitPages,
  ...userPayoutPages,
  ...adminMoneyPages,
  ...adminDepositPages,
  ...statementPages,
  ...adminPaymentPages,
  ...chargebackPages,
  ...limitPages,
  ...cashPages,
  ...payoutPages,
  ...reconciliationPages,
  ...walletFinderPages,
  ...bookPages,
  ...accountingPages,
  ...statisticsPages,
  ...profitPages,
  ...settingsPages,
  ...textPages,
  ...textPage,
  ...ussdPages,
  ...auditPages,
  ...adminPrivacyPages,
  ...messagePages,
  ...inboxPages,
  ...requestPages,
  ...approvalPages,
  ...confirmPages,
];

async function showHome(context: Context): Promise<View | Leave> {
  if (!context.viewer) return landing(context);
  return isStaff(context.by) ? showAdmin(context) : showDashboard(context);
}
