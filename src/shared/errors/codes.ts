// All errors that a caller can get, a line each. A code never changes; its message may be reworded.
import { limits } from "../domain.ts";

/** Whether a retry can help: never, after the caller has changed something, or later without a change. */
type Retry = "never" | "after_change" | "later";
type Refusal = { status: number; message: string; retry: Retry };

const refusal =
  (retry: Retry) =>
  (status: number, message: string): Refusal => ({ status, message, retry });
const final = refusal("never");
const fixable = refusal("after_change");
const later = refusal("later");

const { apiKeyOverlapHours: overlapHours, requestLogDays: logDays } = limits;

export const errors = {
  "request.malformed": fixable(400, "The request is not valid JSON"),
  "request.key_invalid": fixable(400, "The idempotency key must have 1 to 255 printable characters"),
  "request.invalid": fixable(422, "Check the fields and try again"),
  "request.content_type": fixable(415, "Send the body as application/json"),
  "request.too_large": fixable(413, "The request is too large"),
  "request.address_long": fixable(
    414,
    "This address is too long. Leave out parameters, or send fewer of them at a time.",
  ),
  "request.method": final(405, "Nothing happens here with this method. The Allow header names those that work."),
  "request.not_found": final(404, "There is nothing at this address"),
  "request.key_reused": fixable(422, "This idempotency key was already used for a different request"),
  "request.foreign_origin": final(403, "This request did not come from our own pages"),

  // Months and receipts
  "month.not_over": later(409, "This month is not over yet"),
  "month.earlier_open": fixable(409, "Close the months before it first"),
  "receipt.unpaid": fixable(409, "An order has a receipt once it is paid"),
  "receipt.refunded": final(
    409,
    "This order was refunded, so there is no receipt. Your wallet's statement shows the payment and the refund.",
  ),
  "receipt.no_legal_name": later(409, "The shop does not issue receipts yet. Ask support."),

  // Logins and rights
  "auth.required": fixable(401, "Log in to continue"),
  "auth.session_ended": fixable(401, "Your session has ended. Log in again."),
  "auth.bad_credentials": fixable(401, "Invalid credentials"),
  "auth.banned": final(403, "This account has been banned. Contact support."),
  "auth.password_outgrown": fixable(
    403,
    "Staff need a password of at least 12 characters. Set a new one by “Forgot password?”.",
  ),
  "auth.forbidden": final(403, "Your account may not do this"),
  "auth.own_account": final(403, "You cannot decide about your own account. Ask somebody else with this right."),
  "auth.confirm_needed": fixable(
    403,
    "Confirm that it is you: send the code of your authenticator app, or without one your password, " +
      "in the header x-confirm with the same request",
  ),
  "auth.second_factor_required": fixable(401, "Enter the code from your authenticator app"),
  "auth.second_step_ended": fixable(401, "This login took too long or too many tries. Log in again."),
  "auth.second_factor_missing": fixable(
    403,
    "Staff need an extra login code here. Set yours up in your profile first.",
  ),
  "owner.exists": final(409, "This shop already has an owner. Log in, or ask them for an account."),
  "owner.code_wrong": fixable(422, "This is not the code. It is in the output of the shop's start."),
  "factor.wrong": fixable(422, "This code is wrong or already used. Wait for the next one."),
  "factor.exists": final(409, "Your extra login code is already set up"),
  "factor.none": final(409, "This account has no extra login code"),
  "factor.own": final(409, "Turn off your own extra login code in your profile, or ask another owner to reset it."),

  // A second person
  "approval.needed": final(409, "Somebody else with the same right must agree to this first"),
  "approval.nobody": fixable(
    409,
    "This is above what one person may do, and nobody else can agree to it. Add a second owner.",
  ),
  "approval.open_already": fixable(
    409,
    "Somebody has asked for a change of the same thing. Decide or withdraw that request first.",
  ),
  "approval.not_found": final(404, "There is no such request"),
  "approval.decided": final(409, "This request has been decided already"),
  "approval.expired": final(409, "This request has expired. Ask again if it is still wanted."),
  "approval.outdated": final(
    409,
    "What this request was about has changed since. Nothing was done; ask again if it is still wanted.",
  ),
  "approval.own": final(403, "You asked for this yourself: somebody else must decide it"),
  "approval.not_own": final(403, "Only whoever asked can withdraw a request"),
  "approval.concerns_you": final(403, "This concerns your own account: somebody else must decide it"),
  "approval.too_new": later(403, "Whoever asks gave you your role, or changed your account, within the last 7 days"),

  "user.not_found": final(404, "User not found"),
  "user.username_taken": fixable(409, "This username is already taken"),
  "user.username_refused": fixable(422, "A username has letters from A to Z, digits, dots, hyphens and underscores"),
  "user.own_account": final(409, "You cannot ban or delete your own account. Ask an owner."),
  "user.email_taken": fixable(409, "An account with this email already exists"),
  "user.current_password_wrong": fixable(422, "The current password is wrong"),
  "user.password_common": fixable(422, "This password is too easy to guess. Choose another."),
  "user.password_short": fixable(422, "Password must be at least 6 characters"),
  "user.admin_password_short": fixable(422, "Staff need a password of at least 12 characters"),
  "user.one_role": fixable(422, "Choose one role: an account is an agent's, or of staff in one role"),
  "user.last_admin": fixable(409, "This is the last active owner. Make somebody else an owner first."),
  "user.own_admin": final(409, "You cannot give up your own role. Ask another owner."),
  "user.has_balance": fixable(
    409,
    "There is still money in this wallet. It has to be spent or paid out before the account is deleted.",
  ),
  "user.owes": fixable(409, "This account owes money, or a chargeback is open. Settle that first."),
  "user.has_open_orders": fixable(409, "This user still has open orders. Finish or fail them first."),
  "user.closed": final(409, "This account has been deleted"),
  "code.wrong": fixable(422, "This code is wrong or has expired. Check it, or request a new one."),
  "account.claimed": fixable(409, "This account already has an email. Use Forgot Password on the login page."),
  "account.unclaimed": fixable(
    409,
    "This account was opened by USSD. Choose “I registered by USSD” to set its email and password.",
  ),
  "code.no_channel": later(409, "Codes cannot be sent this way at the moment. Contact support."),
  "phone.taken": fixable(409, "This number belongs to another account. Contact support."),
  "pin.invalid": fixable(422, "A PIN has 4 to 6 digits"),
  "pin.wrong": fixable(422, "This is not your PIN, or it is locked. Leave it empty to go on without it."),
  "pin.trivial": fixable(422, "This PIN is too easy to guess. Choose another."),
  "pin.no_phone": fixable(409, "Confirm your phone first, then set a PIN for it"),

  // Products, and pauses of their sale
  "product.not_found": fixable(404, "Invalid package selected"),
  "product.paused": later(409, "This bundle is paused at the moment"),
  "pause.message_missing": fixable(422, "Enter a message for buyers: why is it paused?"),
  "pause.end_invalid": fixable(422, "A pause ends in the future, at most 90 days ahead. Choose another end."),
  "product.exists": fixable(409, "This network already has a product with this name and size"),
  "product.fixed": final(409, "Only the name, price and pause of the AFA registration can be changed"),
  "product.size_invalid": fixable(422, "Write the size like 5GB or 500MB"),
  "product.family_wrong": fixable(422, "This kind of bundle belongs to another network. Choose one of this network's."),
  "product.ussd_number_invalid": fixable(
    422,
    "Choose the bundle's size in whole GB, or a number from 51 to 9999. 9 and 99 mean other things",
  ),
  "product.ussd_number_taken": fixable(
    409,
    "Another bundle of this network has this number, or had it in the last 90 days",
  ),
  "product.price_needs_confirmation": fixable(409, "This price is unusual. Check it, then confirm it."),
  "cost.vendor_unknown": fixable(
    422,
    "There is no such supplier. Use the desk, or the name that a supplier has in routes.",
  ),
  "cost.twice": fixable(422, "A cost is given twice for the same bundle and supplier"),
  "cost.changed_meanwhile": fixable(409, "Some of these costs have changed meanwhile. Check the difference again."),
  "cost.reason_missing": fixable(422, "Say why it may be sold below cost"),
  "cost.raise_changed": fixable(409, "Prices or costs have changed since. Check the new list, then confirm it."),

  // Tiers and prices
  "tier.not_found": fixable(404, "There is no such group"),
  "tier.exists": fixable(409, "There is a group with this name already"),
  "tier.too_many": fixable(409, "There are 20 groups, which is the most. Delete one first."),
  "tier.standard_stays": final(409, "The Standard group cannot be deleted: every new account begins in it"),
  "tier.has_accounts": fixable(409, "Accounts have this group. Check where they go."),
  "price.needs_confirmation": fixable(
    409,
    "Some of these prices are unusual or below cost. Check them, then confirm them.",
  ),
  "price.changed_meanwhile": fixable(
    409,
    "Somebody has changed some of these prices meanwhile. Check the difference again.",
  ),
  "price.standard_needed": fixable(422, "Every product needs a Standard price"),
  "price.from_invalid": fixable(422, "Choose a moment in the future, at most 366 days ahead"),
  "price.repeated": fixable(422, "A price is set twice in this change"),
  "price.change_not_found": fixable(404, "There is no such change of prices"),
  "price.change_begun": fixable(409, "This change has begun, so that it cannot be taken back. Undo it instead."),
  "price.change_planned": fixable(409, "This change has not begun yet. Take it back instead."),
  "price.undone_already": final(409, "This change has been undone already"),
  "price.nothing_to_undo": final(409, "Nothing of this change is left to undo: newer prices have replaced all of it"),

  // Undoing from a notice
  "undo.not_found": final(404, "There is nothing to undo here"),
  "undo.too_late": final(409, "The time to undo this is over. Change it back where you changed it."),
  "undo.changed": final(409, "Somebody has changed this since; nothing was undone"),

  // People's data
  "privacy.notice_invalid": fixable(422, "Write the notice, in at most 20,000 characters"),
  "privacy.notice_changed": fixable(409, "A newer privacy notice has been published. Read it, then agree to that one."),

  // Networks and their families of bundles
  "operator.not_found": fixable(404, "There is no such network or line"),
  "operator.exists": fixable(409, "A network or line with this code exists already"),
  "operator.name_taken": fixable(
    409,
    "Another network or line is called this. Lists and SMS could not tell them apart.",
  ),
  "operator.path_taken": fixable(409, "This address belongs to another page"),
  "operator.color_unreadable": fixable(
    422,
    "Neither dark nor white letters can be read on this colour. Choose a lighter or a darker one.",
  ),
  "operator.prefix_taken": fixable(409, "This prefix belongs to another network. Move it from there."),
  "operator.ussd_number_taken": fixable(409, "Another network has this number in the USSD menu"),
  "operator.retired": fixable(409, "This network or line is no longer on sale"),
  "operator.last": fixable(
    409,
    "A network on sale needs a line on sale. Add another line first, or retire the network.",
  ),
  "operator.has_afa": final(409, "This network registers people for AFA, so it stays"),
  "operator.merge_into_itself": fixable(422, "Choose another network to merge it into"),
  "operator.merge_same_bundle": fixable(
    409,
    "Both networks sell a bundle with the same name and size. Rename one or take it off sale first.",
  ),

  "msisdn.invalid": fixable(422, "Enter a valid Ghana number, such as 0541234567"),
  "order.quantity_invalid": fixable(422, "Quantity must be a whole number from 1 to 100"),
  "order.price_changed": fixable(409, "The price has changed. Check it and try again."),
  "order.operator_mismatch": fixable(422, "This bundle is for another network. Choose the right network."),
  "order.duplicate": fixable(
    409,
    "You ordered this bundle for this number within the last ten minutes. Confirm to order it again.",
  ),
  "order.reference_used": fixable(409, "You have used this reference before. Give another one, or allow it again."),
  "order.daily_limit": fixable(
    409,
    "You have spent as much as you can in a day. It renews at midnight; ask support if you need more.",
  ),
  "order.not_found": final(404, "Order not found"),
  "order.unpaid": fixable(409, "This order has not been paid yet"),
  "order.below_cost": fixable(
    409,
    "This bundle is no longer sold at that price. Cancel the order and place it at the price of now.",
  ),
  "order.already_paid": final(409, "This order is already paid"),
  "order.not_payable": final(409, "This order can no longer be paid. Place a new one."),
  "order.not_cancellable": final(409, "This order can no longer be cancelled"),
  "order.move_not_allowed": final(409, "That status change is not allowed"),
  "order.case_open": fixable(409, "The agent reported this order as not received. Decide that dispute first."),
  "order.not_refunded": final(409, "This order has no refund that could be taken back"),
  "order.refund_changed": fixable(409, "This order was changed meanwhile. Look at it again, then decide."),
  "order.refund_too_old": final(409, "This refund is older than 30 days. Correct the wallet instead, with a reason."),
  "order.refund_final": final(409, "A refund of this order was taken back before, so the second one is final"),
  "order.refund_spent": later(409, "The refund is no longer in the wallet. Try again after the agent's next top-up."),
  "order.evidence_missing": fixable(422, "Say what shows that it was delivered: the agent reads it"),
  "order.handed_over": final(409, "A supplier already has this order. Check it before you send it yourself."),

  // Delivery: the desk, vendors, orders that need attention
  "desk.nothing_waiting": later(409, "No orders are waiting to be sent by hand. Check again in a moment."),
  "desk.batch_not_found": final(404, "There is no such batch"),
  "desk.batch_changed": fixable(409, "This batch has changed. Check what is still open, then confirm again."),
  "desk.batch_touched": final(
    409,
    "Some of this batch may have been sent. Ask whoever has it to enter the results, or to pass it on.",
  ),
  "desk.nobody_to_take_it": fixable(422, "Choose somebody who works at the desk"),
  "desk.result_not_found": final(404, "There are no such results"),
  "desk.result_applied": final(409, "These results are applied already. Correct single orders on their pages."),
  "vendor.not_found": final(404, "There is no such supplier"),

  // Signals, and what they hold
  "order.held": later(409, "This account’s orders are held while a signal is looked into. End the hold first."),
  "signal.not_found": final(404, "There is no such signal"),
  "signal.closed": final(409, "Somebody has closed this signal already"),
  "signal.not_held": final(409, "Nothing is held any more"),
  "signal.note_missing": fixable(422, "Write a note first"),
  "signal.rule_not_found": final(404, "There is no such rule"),
  "signal.rule_changed": fixable(409, "Somebody has changed this rule meanwhile. Check it, then save again."),
  "signal.preview_too_long": later(503, "This takes too long to try on the past. Narrow the rule, or try again later."),

  // Bulk lists, line by line and as a whole
  "bulk.lines_refused": fixable(422, "Nothing was placed: some lines need fixing"),
  "bulk.line_unclear": fixable(422, "This can be read in two ways. Write it like 0241234567,2"),
  "bulk.remark_unclear": fixable(422, "Is this an order? Keep only its number and size, or remove it."),
  "bulk.cell_without_value": fixable(422, "A cell of this row has no clear value. Write the line like 0241234567 5GB."),
  "bulk.number_rounded": fixable(422, "The sheet has rounded this number. Type it in full."),
  "bulk.figure_unclear": fixable(422, "Is this figure GB or bundles? Answer the question about the figures."),
  "bulk.size_missing": fixable(422, "Which size? Write it like 0241234567 5GB, or choose a package."),
  "bulk.size_not_sold": fixable(422, "No bundle of this size is on sale for this network. Choose another size."),
  "bulk.bundle_unclear": fixable(
    422,
    "Two kinds of bundle have this size. Choose one, or write it like 0271234567 15GB BigTime.",
  ),
  "bulk.network_missing": fixable(422, "Which network? Write it like 0241234567 5GB MTN."),
  "bulk.network_unconfirmed": fixable(
    422,
    "This number looks like another network. Answer the question about networks.",
  ),
  "bulk.list_changed": fixable(409, "The list or a price has changed since you looked. Check it and place it again."),
  "bulk.reader_busy": later(503, "Too many lists are being read right now. Nothing is lost; try again in a minute."),
  "bulk.not_found": final(404, "Bulk order not found"),
  "draft.not_found": final(404, "This list no longer exists: it was placed, deleted or has expired"),
  "draft.too_many": fixable(409, "You already have 20 drafts. Delete one you no longer need."),

  "wallet.insufficient_balance": fixable(422, "Insufficient wallet balance"),
  "wallet.statement_too_long": fixable(422, "There are too many entries for one statement. Choose a shorter period."),

  // Payments and deposits
  "payment.below_minimum": fixable(422, "The amount is below the minimum top-up"),
  "payment.not_found": final(404, "Payment not found"),
  "payment.not_payable": fixable(409, "This payment has ended. Start a new one."),
  "payment.in_progress": later(409, "This payment is already waiting for approval"),
  "payment.not_in_review": final(409, "This payment no longer needs a decision: it was decided or settled"),
  "payment.choice_missing": fixable(
    422,
    "This choice is not possible for this payment. Check what was paid, and choose again.",
  ),
  "payment.email_missing": fixable(422, "User email is required for payment processing"),
  "payment.refused": fixable(422, "Failed to initialize payment"),
  "payment.gateway_down": later(
    503,
    "Failed to start payment. The payment service is not answering; nothing was charged. Try again later.",
  ),
  "payment.unverified": later(
    503,
    "Failed to verify payment. If you paid, the money will come into your wallet automatically.",
  ),
  "claim.not_found": final(404, "Deposit not found"),
  "claim.below_minimum": fixable(422, "The amount is below the minimum deposit"),
  "claim.transaction_id_invalid": fixable(422, "Enter the transaction ID from the mobile money message, digits only"),
  "claim.filed_already": final(409, "You have already reported this transaction"),
  "claim.decided": final(409, "This deposit has already been decided"),
  "claim.credited_already": final(409, "This transaction has already been credited to a wallet"),
  "claim.amount_differs": fixable(
    409,
    "The statement says another amount. Credit what the statement says, or refuse the deposit.",
  ),
  "claim.not_in_statement": fixable(
    409,
    "No line of the statement has this transaction ID. Import the statement first.",
  ),
  "claim.moved": fixable(409, "This deposit has changed since you opened the page. Look at it again, then decide."),
  "claim.reversed": final(409, "The statement says that this transfer was taken back, so it cannot be credited"),
  "claim.reversal_not_found": final(404, "Reversal not found"),
  "claim.reversal_decided": final(409, "Somebody has already decided this reversal"),
  "statement.not_found": fixable(404, "This import is over or has been deleted. Choose the file again."),
  "statement.empty": fixable(422, "No line of this statement can be imported. Check the columns below."),
  "statement.too_long": fixable(
    413,
    "This statement is too long: up to 5,000 lines can be imported at once. Split it by day.",
  ),
  "statement.line_invalid": fixable(422, "A line has no valid transaction ID or amount"),

  // Cash: handing it in, accepting it, bringing it to the bank
  "cash.not_found": final(404, "This hand-in does not exist"),
  "cash.to_whom": fixable(422, "Choose a colleague who may see the books"),
  "cash.nothing": final(409, "There is no cash to hand in"),
  "cash.moved": fixable(409, "The cash has changed since you opened the page. Look at it again, then decide."),
  "cash.reason_missing": fixable(422, "Say why the counted cash differs"),
  "cash.closed_today": later(409, "You have handed in your cash of today. What came since counts for tomorrow."),
  "cash.decided": final(409, "Somebody has already decided this hand-in"),
  "cash.safe_short": fixable(409, "The safe holds less than that. Accept the cash that was handed in first."),
  "cash.bank_not_found": final(404, "This deposit at the bank does not exist"),
  "cash.bank_own": final(403, "You brought this cash to the bank. A colleague has to find it on the bank's statement."),
  "cash.bank_seen": final(409, "Somebody has already ticked off this deposit at the bank"),
  "cash.slip_known": fixable(409, "A deposit with this slip is booked already"),

  // Payouts to the shop's bank, and to owners of wallets
  "payout.not_found": final(404, "Payout not found"),
  "payout.known": final(409, "A payout with this number is booked or listed already"),
  "payout.too_much": fixable(409, "Paystack does not hold so much by the books"),
  "payout.moved": fixable(
    409,
    "What Paystack holds has changed since you opened the page. Look at it again, then book.",
  ),
  "wallet.in_use": fixable(
    409,
    "Only the wallet of a banned or deleted account is paid out. If its owner leaves, ban it first.",
  ),
  "wallet.nothing_to_pay_out": final(409, "Nothing can be paid out of this wallet"),
  "wallet.moved": fixable(409, "What can be paid out has changed. Look at it again."),
  "wallet.payout_known": final(409, "A wallet was paid out with this reference already"),

  "afa.people_refused": fixable(422, "Nobody was registered: some details need to be fixed"),
  "afa.card_invalid": fixable(422, "Enter the Ghana Card number as shown on the card, such as GHA-123456789-0"),
  "afa.card_registered": fixable(409, "This Ghana Card is already registered or waiting"),
  "afa.number_registered": fixable(409, "This number is already registered or waiting"),
  "afa.number_not_mtn": fixable(422, "This number looks like another network's. Confirm that it was moved to MTN."),
  "afa.person_repeated": fixable(422, "Another person in this list has the same card or number"),
  "afa.not_found": final(404, "Registration not found"),
  "afa.reason_missing": fixable(422, "An AFA registration needs a reason to be refused. Refuse it on the AFA page."),
  "support.not_found": final(404, "There is no such request"),
  "support.is_case": fixable(409, "A dispute is closed by deciding it"),
  "support.assignee": fixable(422, "Choose somebody of staff who answers requests"),
  "answer.not_found": final(404, "There is no such kept answer"),
  "answer.exists": fixable(409, "There is a kept answer with this name already. Choose another name."),
  "answer.too_many": fixable(409, "There are 100 kept answers, which is the most. Delete one first."),
  "message.not_found": final(404, "There is no such message"),
  "message.not_again": final(409, "This message cannot be sent again"),
  "message.no_phone": fixable(409, "You have no phone here yet. Add it under Profile, Phone."),

  // Orders reported as not received
  "case.not_found": final(404, "There is no such dispute"),
  "case.filed_already": final(409, "This order has already been reported as not received"),
  "case.not_delivered": later(409, "Only a delivered order can be reported as not received"),
  "case.too_late": final(409, "It is too late to report this order as not received. Report an issue instead."),
  "case.decided": final(409, "This dispute has already been decided"),
  "case.proof_missing": fixable(422, "Enter the proof of delivery"),

  // The sandbox, what is only there, and fields that nothing reads
  "request.unknown_field": fixable(422, "There is no such field here"),
  "sandbox.only": fixable(404, "This is only in the sandbox. Call it with a test key (dfk_test_…)."),
  "sandbox.too_much_money": fixable(422, "A sandbox account cannot hold so much money"),

  // The service itself: timeouts, overload, closed switches, faults; and its texts
  "request.timeout": later(408, "Your request did not arrive in time. Check your connection and send it again."),
  "service.unavailable": later(503, "The service is briefly unavailable. Try again in a moment."),
  "service.busy": later(503, "We are busy: nothing was placed or charged. Try again in a few seconds."),
  "service.closed": later(409, "This is closed for the moment. Try again later."),
  "service.failed": later(500, "Something went wrong on our side"),
  "text.not_found": final(404, "There is no such text"),
  "text.invalid": fixable(422, "This text cannot be used"),
  "text.changed": fixable(409, "Somebody changed this text meanwhile. Look at it, then save yours again."),

  // Views of lists that staff keep
  "view.not_found": final(404, "There is no such view of yours"),
  "view.empty": fixable(422, "Filter the list first, then keep the view"),
  "view.exists": fixable(409, "You have a view of this list with this name already. Choose another name."),
  "view.too_many": fixable(409, "There are 20 views, which is the most. Delete one first."),

  // Developers' webhooks
  "webhook.not_found": final(404, "This webhook does not exist"),
  "webhook.delivery_not_found": final(404, "This delivery does not exist"),
  "webhook.url_refused": fixable(422, "Nothing can be sent to this address"),
  "webhook.exists": final(409, "You already have a webhook at this address"),
  "webhook.too_many": fixable(409, "You already have 5 webhooks. Remove one you no longer need."),
  "webhook.replay_too_many": fixable(
    422,
    "There are more than 10,000 messages in this span. Choose a shorter one, or fewer events.",
  ),
  "webhook.paused": fixable(409, "This webhook is paused. Turn it on first."),

  // API keys, and the log of their requests
  "key.malformed": fixable(401, "This API key is mistyped or cut short. Copy it again as a whole, or make a new one."),
  "key.unknown": fixable(401, "There is no such API key in this shop. Make one in your profile under Developers."),
  "key.wrong_mode": fixable(
    401,
    "This API key is for the other mode. Use a live key in the shop, and a test key in the sandbox.",
  ),
  "key.revoked": fixable(401, "This API key was revoked. Make a new one in your profile under Developers."),
  "key.replaced": fixable(
    401,
    `This API key was replaced more than ${overlapHours} hours ago. Use the key that replaced it.`,
  ),
  "key.expired": fixable(
    401,
    "This API key has reached its end date. Make a new one in your profile under Developers.",
  ),
  "key.address_refused": fixable(
    403,
    "This API key may not be used from this address. Add the address to it under Profile, Developers.",
  ),
  "key.scope_missing": fixable(
    403,
    "This API key lacks the scope for this call. Add the scope to the key under Profile, Developers.",
  ),
  "key.people_only": fixable(403, "No API key can do this. Log in, and use the token of the login or our pages."),
  "key.daily_limit": fixable(
    409,
    "This API key has spent its limit for today. It renews at midnight; raise it under Profile, Developers.",
  ),
  "key.not_found": final(404, "This API key does not exist"),
  "key.ended": final(
    409,
    "This API key has ended or was replaced. Change the one that replaced it, or make a new one.",
  ),
  "key.too_many": fixable(409, `You already have ${limits.apiKeys} API keys. Revoke one you no longer need.`),
  "key.end_past": fixable(422, "The end must be in the future. Choose another, or leave it empty."),
  "key.factor_missing": fixable(
    403,
    "API keys can spend your money. First set up your extra login code under Profile, Security.",
  ),
  "key.no_sandbox": final(
    409,
    "The sandbox is not set up in this shop, so there are no test keys. Make a live key instead.",
  ),
  "log.request_not_found": final(
    404,
    `This request is not in your log, which has those of your API keys of the last ${logDays} days`,
  ),

  // Limits
  "request.in_progress": later(409, "The same request is still being processed. Try again in a moment."),
  "request.rate_limited": later(429, "Too many attempts. Wait and try again."),
  "account.frozen": later(403, "Your account is frozen for now, and your money is safe. Ask support what to do."),
  "account.waits": later(403, "For your safety, this works again later: wait, or ask support. Your money is safe."),
  "freeze.none": final(409, "This account is not frozen"),
  "freeze.end_invalid": fixable(422, "The end must be in the future. Choose another, or leave it empty."),
  "wait.none": final(409, "This account does not wait: it can buy already"),
  "order.hourly_limit": later(
    409,
    "You have placed as many orders as you can in an hour. Ask support if you need more.",
  ),
  "payment.daily_limit": later(
    409,
    "A new account can pay in only so often a day, by top-ups and for orders. Ask support if you need more.",
  ),
  "payment.balance_limit": fixable(
    409,
    "This payment would pass the most that your wallet can hold. Pay in less, or ask support.",
  ),
  "order.unpaid_too_many": fixable(409, "You have 20 unpaid orders. Pay or cancel some of them first."),
} satisfies Record<string, Refusal>;
