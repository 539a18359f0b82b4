// List of all pages. The links of the drawer and the tabs of each section follow its order.
import { isStaff } from "../../shared/rights.ts";
import type { Context, Leave, Page, View } from "../page.tsx";
import { placesIn } from "../places.ts";
import { alertPages } from "./account/alerts.tsx";
import { dashboardPages, showDashboard } from "./account/dashboard.tsx";
import { languagePages } from "./account/language.tsx";
import { loginsPages } from "./account/logins.tsx";
import { namePages } from "./account/name.tsx";
import { noticesPages } from "./account/notices.tsx";
import { ownDataPages } from "./account/own-data.tsx";
import { passwordPages } from "./account/password.tsx";
import { phonePages } from "./account/phone.tsx";
import { pinPages } from "./account/pin.tsx";
import { profilePages } from "./account/profile.tsx";
import { apiRequestPage } from "./account/programs/api-request.tsx";
import { apiRequestPages } from "./account/programs/api-requests.tsx";
import { developerKeyPages } from "./account/programs/developer-key.tsx";
import { developerPages } from "./account/programs/developers.tsx";
import { hookPage } from "./account/programs/webhook.tsx";
import { hookPages } from "./account/programs/webhooks.tsx";
import { secondFactorPages } from "./account/second-factor.tsx";
import { supportPages } from "./account/support.tsx";
import { threadPages } from "./account/support-thread.tsx";
import { waitingNoticePages } from "./account/waiting-notices.tsx";
import { lossPages } from "./admin/delivery/losses.tsx";
import { networkPages } from "./admin/delivery/network.tsx";
import { networkEndPages } from "./admin/delivery/network-end.tsx";
import { networkListPages } from "./admin/delivery/networks.tsx";
import { vendorOnePages } from "./admin/delivery/vendor.tsx";
import { vendorPages } from "./admin/delivery/vendors.tsx";
import { adminAfaPages } from "./admin/desk/afa.tsx";
import { adminAfaPage } from "./admin/desk/afa-one.tsx";
import { approvalPages } from "./admin/desk/approvals.tsx";
import { attentionPages } from "./admin/desk/attention.tsx";
import { batchPages } from "./admin/desk/batch.tsx";
import { confirmPages } from "./admin/desk/confirm.tsx";
import { deskPages } from "./admin/desk/desk.tsx";
import { findPages } from "./admin/desk/find.tsx";
import { keptAnswerPages } from "./admin/desk/kept-answers.tsx";
import { newOrderPages } from "./admin/desk/new-orders.tsx";
import { requestPages } from "./admin/desk/request.tsx";
import { inboxPages } from "./admin/desk/support.tsx";
import { adminPages, showAdmin } from "./admin/desk/today.tsx";
import { movePages } from "./admin/desk/transitions.tsx";
import { undoPages } from "./admin/desk/undo.tsx";
import { viewPages } from "./admin/desk/views.tsx";
import { waitingPages } from "./admin/desk/waiting.ts";
import { accountingPages } from "./admin/money/accounting.tsx";
import { bookPages } from "./admin/money/books.tsx";
import { cashPages } from "./admin/money/cash.tsx";
import { chargebackPages } from "./admin/money/chargebacks.tsx";
import { adminDepositPages } from "./admin/money/deposits.tsx";
import { adminPaymentPages } from "./admin/money/payment.tsx";
import { adminMoneyPages, walletFinderPages } from "./admin/money/payments.tsx";
import { payoutPages } from "./admin/money/payouts.tsx";
import { profitPages } from "./admin/money/profit.tsx";
import { reconciliationPages } from "./admin/money/reconciliation.tsx";
import { statementPages } from "./admin/money/statement.tsx";
import { limitPages } from "./admin/people/limits.tsx";
import { signalPages } from "./admin/people/signal.tsx";
import { signalRulePages } from "./admin/people/signal-rules.tsx";
import { signalListPages } from "./admin/people/signals.tsx";
import { staffPages } from "./admin/people/staff.tsx";
import { stoppedBuyingPages } from "./admin/people/stopped-buying.tsx";
import { userPages } from "./admin/people/user.tsx";
import { userBookPages } from "./admin/people/user-books.tsx";
import { userEditPages } from "./admin/people/user-edit.tsx";
import { userLimitPages } from "./admin/people/user-limits.tsx";
import { userPayoutPages } from "./admin/people/user-payout.tsx";
import { userPricePages } from "./admin/people/user-prices.tsx";
import { userRecordPages } from "./admin/people/user-record.tsx";
import { userListPages } from "./admin/people/users.tsx";
import { costFilePages } from "./admin/prices/cost-file.tsx";
import { newBundlePages } from "./admin/prices/new-bundles.tsx";
import { priceChangePages } from "./admin/prices/price-changes.tsx";
import { priceFilePages } from "./admin/prices/price-file.tsx";
import { priceRaisePages } from "./admin/prices/price-raise.tsx";
import { shopPricePages } from "./admin/prices/prices.tsx";
import { productPage } from "./admin/prices/product.tsx";
import { tierPages } from "./admin/prices/tiers.tsx";
import { auditPages } from "./admin/settings/audit-log.tsx";
import { messagePages } from "./admin/settings/messages.tsx";
import { adminPrivacyPages } from "./admin/settings/privacy.tsx";
import { providerPages } from "./admin/settings/provider.tsx";
import { settingsPages } from "./admin/settings/settings.tsx";
import { setupPages } from "./admin/settings/setup.tsx";
import { switchPages } from "./admin/settings/switches.tsx";
import { textPage } from "./admin/settings/text.tsx";
import { textPages } from "./admin/settings/texts.tsx";
import { ussdPages } from "./admin/settings/ussd.tsx";
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
import { firstOwnerPages } from "./public/first-owner.tsx";
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
  { path: "/", role: "anyone", show: showHome, menu: { agent: "Dashboard", inBar: true, icon: "home" } },
  { path: "/dashboard", role: "user", under: "/", show: showHome },
  ...dashboardPages,
  ...adminPages,
  ...waitingPages,
  // For everybody.
  ...accountPages,
  ...firstOwnerPages,
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
  ...undoPages,
  ...viewPages,
  ...deskPages,
  ...newOrderPages,
  ...batchPages,
  ...attentionPages,
  ...lossPages,
  ...movePages,
  ...adminAfaPages,
  ...adminAfaPage,
  ...shopPricePages,
  ...priceChangePages,
  ...priceRaisePages,
  ...priceFilePages,
  ...costFilePages,
  ...newBundlePages,
  ...productPage,
  ...vendorPages,
  ...vendorOnePages,
  ...userListPages,
  ...stoppedBuyingPages,
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
  ...tierPages,
  ...limitPages,
  ...cashPages,
  ...payoutPages,
  ...reconciliationPages,
  ...walletFinderPages,
  ...accountingPages,
  ...bookPages,
  ...statisticsPages,
  ...profitPages,
  ...settingsPages,
  ...setupPages,
  ...providerPages,
  ...switchPages,
  ...networkListPages,
  ...networkPages,
  ...networkEndPages,
  ...textPages,
  ...textPage,
  ...ussdPages,
  ...auditPages,
  ...adminPrivacyPages,
  ...messagePages,
  ...inboxPages,
  ...requestPages,
  ...approvalPages,
  ...keptAnswerPages,
  ...confirmPages,
];

async function showHome(context: Context): Promise<View | Leave> {
  if (!context.viewer) return landing(context);
  return isStaff(context.by) ? showAdmin(context) : showDashboard(context);
}
