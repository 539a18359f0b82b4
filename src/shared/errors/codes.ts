// All errors that a caller can get, by code. A code never changes; its message may be reworded.

import { accountingErrors } from "./accounting.ts";
import { approvalErrors } from "./approvals.ts";
import { authErrors } from "./auth.ts";
import { bulkErrors } from "./bulk.ts";
import { cashErrors } from "./cash.ts";
import { deliveryErrors } from "./delivery.ts";
import { disputeErrors } from "./disputes.ts";
import { keyErrors } from "./keys.ts";
import { limitErrors } from "./limits.ts";
import { operatorErrors } from "./operators.ts";
import { paymentErrors } from "./payments.ts";
import { payoutErrors } from "./payouts.ts";
import { priceErrors } from "./prices.ts";
import { privacyErrors } from "./privacy.ts";
import { productErrors } from "./products.ts";
import { sandboxErrors } from "./sandbox.ts";
import { serviceErrors } from "./service.ts";
import { signalErrors } from "./signals.ts";
import { viewErrors } from "./views.ts";
import { webhookErrors } from "./webhooks.ts";

/** Whether a retry can help: never, after the caller has changed something, or later without a change. */
type Retry = "never" | "after_change" | "later";
type ErrorEntry = { status: number; message: string; retry: Retry };

export const errors = {
  "request.malformed": { status: 400, message: "The request is not valid JSON", retry: "after_change" },
  "request.key_invalid": {
    status: 400,
    message: "The idempotency key must have 1 to 255 printable characters",
    retry: "after_change",
  },
  "request.invalid": { status: 422, message: "Check the fields and try again", retry: "after_change" },
  "request.content_type": {
    status: 415,
    message: "Send the body as application/json",
    retry: "after_change",
  },
  "request.too_large": { status: 413, message: "The request is too large", retry: "after_change" },
  "request.address_long": {
    status: 414,
    message: "This address is too long. Leave out parameters, or send fewer of them at a time.",
    retry: "after_change",
  },
  "request.method": {
    status: 405,
    message: "Nothing happens here with this method. The Allow header names those that work.",
    retry: "never",
  },
  "request.not_found": { status: 404, message: "There is nothing at this address", retry: "never" },
  "request.key_reused": {
    status: 422,
    message: "This idempotency key was already used for a different request",
    retry: "after_change",
  },
  "request.foreign_origin": {
    status: 403,
    message: "This request did not come from our own pages",
    retry: "never",
  },
  ...accountingErrors,
  ...authErrors,
  ...approvalErrors,
  "user.not_found": { status: 404, message: "User not found", retry: "never" },
  "user.username_taken": { status: 409, message: "This username is already taken", retry: "after_change" },
  "user.username_refused": {
    status: 422,
    message: "A username has letters from A to Z, digits, dots, hyphens and underscores",
    retry: "after_change",
  },
  "user.own_account": {
    status: 409,
    message: "You cannot ban or delete your own account. Ask an owner.",
    retry: "never",
  },
  "user.email_taken": {
    status: 409,
    message: "An account with this email already exists",
    retry: "after_change",
  },
  "user.current_password_wrong": {
    status: 422,
    message: "The current password is wrong",
    retry: "after_change",
  },
  "user.password_common": {
    status: 422,
    message: "This password is too easy to guess. Choose another.",
    retry: "after_change",
  },
  "user.password_short": {
    status: 422,
    message: "Password must be at least 6 characters",
    retry: "after_change",
  },
  "user.admin_password_short": {
    status: 422,
    message: "Staff need a password of at least 12 characters",
    retry: "after_change",
  },
  "user.one_role": {
    status: 422,
    message: "Choose one role: an account is an agent's, or of staff in one role",
    retry: "after_change",
  },
  "user.last_admin": {
    status: 409,
    message: "This is the last active owner. Make somebody else an owner first.",
    retry: "after_change",
  },
  "user.own_admin": {
    status: 409,
    message: "You cannot give up your own role. Ask another owner.",
    retry: "never",
  },
  "user.has_balance": {
    status: 409,
    message:
      "There is still money in this wallet: spend it, or ask support to pay it out, before the account is deleted.",
    retry: "after_change",
  },
  "user.owes": {
    status: 409,
    message: "This account owes money, or a chargeback is open. Settle that first.",
    retry: "after_change",
  },
  "user.has_open_orders": {
    status: 409,
    message: "This user still has open orders. Finish or fail them first.",
    retry: "after_change",
  },
  "user.closed": { status: 409, message: "This account has been deleted", retry: "never" },
  "code.wrong": {
    status: 422,
    message: "This code is wrong or has expired. Check it, or request a new one.",
    retry: "after_change",
  },
  "account.claimed": {
    status: 409,
    message: "This account already has an email. Use Forgot Password on the login page.",
    retry: "after_change",
  },
  "account.unclaimed": {
    status: 409,
    message: "This account was opened by USSD. Choose “I registered by USSD” to set its email and password.",
    retry: "after_change",
  },
  "code.no_channel": {
    status: 409,
    message: "Codes cannot be sent this way at the moment. Contact support.",
    retry: "later",
  },
  "phone.taken": {
    status: 409,
    message: "This number belongs to another account. Contact support.",
    retry: "after_change",
  },
  "pin.invalid": { status: 422, message: "A PIN has 4 to 6 digits", retry: "after_change" },
  "pin.wrong": {
    status: 422,
    message: "This is not your PIN, or it is locked. Leave it empty to go on without it.",
    retry: "after_change",
  },
  "pin.trivial": {
    status: 422,
    message: "This PIN is too easy to guess. Choose another.",
    retry: "after_change",
  },
  "pin.no_phone": {
    status: 409,
    message: "Confirm your phone first, then set a PIN for it",
    retry: "after_change",
  },
  ...productErrors,
  ...priceErrors,
  ...privacyErrors,
  ...operatorErrors,
  "msisdn.invalid": {
    status: 422,
    message: "Enter a valid Ghana number, such as 0541234567",
    retry: "after_change",
  },
  "order.quantity_invalid": {
    status: 422,
    message: "Quantity must be a whole number from 1 to 100",
    retry: "after_change",
  },
  "order.price_changed": {
    status: 409,
    message: "The price has changed. Check it and try again.",
    retry: "after_change",
  },
  "order.operator_mismatch": {
    status: 422,
    message: "This bundle is for another network. Choose the right network.",
    retry: "after_change",
  },
  "order.duplicate": {
    status: 409,
    message: "You ordered this bundle for this number within the last ten minutes. Confirm to order it again.",
    retry: "after_change",
  },
  "order.reference_used": {
    status: 409,
    message: "You have used this reference before. Give another one, or allow it again.",
    retry: "after_change",
  },
  "order.daily_limit": {
    status: 409,
    message: "You have spent as much as you can in a day. It renews at midnight; ask support if you need more.",
    retry: "after_change",
  },
  "order.not_found": { status: 404, message: "Order not found", retry: "never" },
  "order.unpaid": { status: 409, message: "This order has not been paid yet", retry: "after_change" },
  "order.below_cost": {
    status: 409,
    message: "This bundle is no longer sold at that price. Cancel the order and place it at the price of now.",
    retry: "after_change",
  },
  "order.already_paid": { status: 409, message: "This order is already paid", retry: "never" },
  "order.not_payable": {
    status: 409,
    message: "This order can no longer be paid. Place a new one.",
    retry: "never",
  },
  "order.not_cancellable": {
    status: 409,
    message: "This order can no longer be cancelled",
    retry: "never",
  },
  "order.move_not_allowed": {
    status: 409,
    message: "That status change is not allowed",
    retry: "never",
  },
  "order.case_open": {
    status: 409,
    message: "The agent reported this order as not received. Decide that dispute first.",
    retry: "after_change",
  },
  "order.not_refunded": {
    status: 409,
    message: "This order has no refund that could be taken back",
    retry: "never",
  },
  "order.refund_changed": {
    status: 409,
    message: "This order was changed meanwhile. Look at it again, then decide.",
    retry: "after_change",
  },
  "order.refund_too_old": {
    status: 409,
    message: "This refund is older than 30 days. Correct the wallet instead, with a reason.",
    retry: "never",
  },
  "order.refund_final": {
    status: 409,
    message: "A refund of this order was taken back before, so the second one is final",
    retry: "never",
  },
  "order.refund_spent": {
    status: 409,
    message: "The refund is no longer in the wallet. Try again after the agent's next top-up.",
    retry: "later",
  },
  "order.evidence_missing": {
    status: 422,
    message: "Say what shows that it was delivered: the agent reads it",
    retry: "after_change",
  },
  "order.handed_over": {
    status: 409,
    message: "A vendor already has this order. Check it before you send it yourself.",
    retry: "never",
  },
  ...deliveryErrors,
  ...signalErrors,
  ...bulkErrors,
  "wallet.insufficient_balance": {
    status: 422,
    message: "Insufficient wallet balance",
    retry: "after_change",
  },
  "wallet.statement_too_long": {
    status: 422,
    message: "There are too many entries for one statement. Choose a shorter period.",
    retry: "after_change",
  },
  ...paymentErrors,
  ...cashErrors,
  ...payoutErrors,
  "afa.people_refused": {
    status: 422,
    message: "Nobody was registered: some details need to be fixed",
    retry: "after_change",
  },
  "afa.card_invalid": {
    status: 422,
    message: "Enter the Ghana Card number as shown on the card, such as GHA-123456789-0",
    retry: "after_change",
  },
  "afa.card_registered": {
    status: 409,
    message: "This Ghana Card is already registered or waiting",
    retry: "after_change",
  },
  "afa.number_registered": {
    status: 409,
    message: "This number is already registered or waiting",
    retry: "after_change",
  },
  "afa.number_not_mtn": {
    status: 422,
    message: "This number looks like another network's. Confirm that it was moved to MTN.",
    retry: "after_change",
  },
  "afa.person_repeated": {
    status: 422,
    message: "Another person in this list has the same card or number",
    retry: "after_change",
  },
  "afa.not_found": { status: 404, message: "Registration not found", retry: "never" },
  "afa.reason_missing": {
    status: 422,
    message: "An AFA registration needs a reason to be refused. Refuse it on the AFA page.",
    retry: "after_change",
  },
  "support.not_found": { status: 404, message: "There is no such request", retry: "never" },
  "support.is_case": {
    status: 409,
    message: "A dispute is closed by deciding it",
    retry: "after_change",
  },
  "message.not_found": { status: 404, message: "There is no such message", retry: "never" },
  "message.not_again": { status: 409, message: "This message cannot be sent again", retry: "never" },
  ...disputeErrors,
  ...sandboxErrors,
  ...serviceErrors,
  ...viewErrors,
  ...webhookErrors,
  ...keyErrors,
  ...limitErrors,
} as const satisfies Record<string, ErrorEntry>;
