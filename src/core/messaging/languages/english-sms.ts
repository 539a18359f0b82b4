// The English texts of SMS, by key, and the parts that SMS and USSD share. Names in braces are placeholders.
import { joined } from "./joined.ts";

export const ENGLISH_SMS = {
  "sms.reset_code":
    "DataFie: {code} is your code to set a new password, valid for 10 minutes. DataFie will never ask you for it.",
  "sms.phone_code": joined(
    "DataFie: {code} is your code to confirm this phone number, valid for 10 minutes. ",
    "DataFie will never ask you for it.",
  ),
  "sms.pin_code":
    "DataFie: {code} is your code to set a new PIN, valid for 10 minutes. DataFie will never ask you for it.",
  "sms.number_code":
    "DataFie: {code} is your code to see what we keep about this number. Nobody else needs it. Valid for 10 minutes.",
  "sms.password_set": joined(
    "DataFie: a new password was set with a code sent to this phone. ",
    "Not you? Call support now.",
  ),
  "sms.password_set.waits": joined(
    "DataFie: a new password was set with a code sent to this phone. Nothing can be bought before {until}. ",
    "Not you? Call support now.",
  ),
  "sms.claimed": joined(
    "DataFie: your account has an email and a password now, by a code sent to this phone. ",
    "Not you? Call support now.",
  ),
  "sms.claimed.waits": joined(
    "DataFie: your account has an email and a password now. Nothing can be bought before {until}. ",
    "Not you? Call support now.",
  ),
  "sms.pin_forgotten": joined(
    "DataFie: a new PIN was set with a code sent to this phone. You can buy with it from {until}. ",
    "Not you? Log in and remove it under Profile, or call support.",
  ),
  "sms.phone_replaced": joined(
    "DataFie: your account has a new phone now. Nobody can buy by phone until {until}. ",
    "Not you? Set a new password and call support now.",
  ),
  "sms.phone_new":
    "DataFie: this phone is confirmed. You can buy by USSD and SMS from {until}. Until then, buy on our website.",
  "sms.phone_removed": joined(
    "DataFie: this phone was removed from your account. ",
    "Not you? Set a new password and call support now.",
  ),
  "sms.pin_changed": joined(
    "DataFie: Your PIN for buying by phone was changed. ",
    "If it was not you, contact support at once.",
  ),
  "sms.pin_removed": joined(
    "DataFie: Your PIN for buying by phone was removed. To buy by phone again, set a new one. ",
    "If it was not you, contact support at once.",
  ),
  "sms.pin_reset": joined(
    "DataFie: Support removed your PIN for buying by phone. Set a new one under Profile, Phone. ",
    "If it was not you, contact support at once.",
  ),
  "sms.pin_locked.ussd": joined(
    "DataFie: wrong PIN three times. Buying by phone is locked until {end}. ",
    "Not you? Contact support. Forgot it? {where}",
  ),
  "sms.pin_locked.ussd.for_good": joined(
    "DataFie: too many wrong PINs. Buying by phone is locked until you have a new PIN. ",
    "Not you? Contact support. New PIN: {where}",
  ),
  "sms.pin_locked.sms": joined(
    "DataFie: wrong PIN three times. Buying by SMS is locked until {end}. ",
    "Not you? Contact support. Forgot it? {where}",
  ),
  "sms.pin_locked.sms.for_good": joined(
    "DataFie: too many wrong PINs. Buying by SMS is locked until you change your PIN. ",
    "Not you? Contact support. New PIN: {where}",
  ),

  "sms.order_paid": "DataFie: order {order} is paid: {bundle} to {number}, {amount}. {funds}.",
  "sms.orders_paid": "DataFie: {count} orders are paid ({order} and others), {amount}. {funds}.",
  "sms.order_delivered": "DataFie: order {order} is delivered: {bundle} to {number}.",
  "sms.orders_delivered": "DataFie: {count} orders are delivered ({order} and others).",
  "sms.customer_delivered": "{shop}: {bundle} of data for {number} is delivered. Order {order}. Thank you.",
  "sms.customer_delivered.several":
    "{shop}: {count} bundles for {number} are delivered. Order {order} and others. Thank you.",
  "sms.order_refunded":
    "DataFie: order {order} failed: {bundle} to {number}. {amount} is back in your wallet. {funds}.",
  "sms.orders_refunded": "DataFie: {count} orders failed. {amount} is back in your wallet. {funds}.",
  "sms.refund_taken_back":
    "DataFie: order {order} to {number} was delivered: {reason}. We took back its refund of {amount}.",
  "sms.order_not_paid": "DataFie: order {order} was not bought: {reason}. Your {amount} is in your wallet. {funds}.",
  "sms.balance_low": "DataFie: your balance is {balance}, below {limit}. Top up to keep selling.",
  "sms.balance_low.held":
    "DataFie: {available} is available, below {limit}. {held} is held until the bank decides. Top up to keep selling.",
  "sms.topped_up": "DataFie: {amount} is in your wallet. {funds}.",
  "sms.topped_up.resume": "Dial {dial} to buy {bundle} for {number}.",
  "sms.deposit_corrected": "DataFie: transfer {transaction} brought {amount}, not {reported}. It is in your wallet.",
  "sms.deposit_not_found": joined(
    "DataFie: transfer {transaction} of {amount} has not reached us. ",
    "Compare ID, amount and number with your mobile money SMS, then write to support.",
  ),
  "sms.top_up_failed": "DataFie: your top-up of {amount} failed: {reason}. Nothing was added to your wallet.",
  "sms.order_payment_failed":
    "DataFie: your payment of {amount} for order {order} failed: {reason}. The order is not paid.",
  "sms.voucher_wanted.web":
    "DataFie: to pay {amount} dial *110# for a voucher, then enter it on our website within 5 minutes.",
  "sms.voucher_wanted":
    "DataFie: to pay {amount} dial *110# for a voucher, then dial {dial} and enter it within 5 minutes.",
  "sms.paid_out": joined(
    "DataFie: we paid {amount} from your wallet to {number} by mobile money, transaction {transaction}. ",
    "Not you? Contact support.",
  ),
  "sms.paid_out.cash": joined(
    "DataFie: we paid {amount} from your wallet in cash, receipt {transaction}. ",
    "Not you? Contact support.",
  ),
  "sms.statement": "DataFie {day}: {funds}.",

  "sms.help": joined(
    "DataFie: BUY MTN 5GB 0541234567 and your PIN buys a bundle (MTN, TELECEL, AT). ",
    "BAL: balance. STATUS: your last order, STATUS 403: order 403. STOP: no notices.",
  ),
  "sms.stopped": joined(
    "DataFie: no more notices by SMS. Codes, replies and notices that protect your account still come. ",
    "Text START to get notices again.",
  ),
  "sms.started": "DataFie: you get notices by SMS again. Text STOP to end them.",
  "sms.not_understood":
    "DataFie: nothing was bought. Text BUY MTN 5GB 0541234567 and your PIN, with spaces in between.",
  "sms.no_pin": "DataFie: nothing was bought: you have no PIN yet. To set one: {where}",
  "sms.banned": "DataFie: your account cannot place orders. Contact support.",
  "sms.failed": "DataFie: nothing was bought. Text HELP to see how, or contact support.",
  "sms.sign_up.dial": "DataFie: this number has no account yet. Dial {dial} to register.",
  "sms.sign_up": "DataFie: this number has no account yet. Sign up at {host} and confirm your phone under Profile.",
  "sms.sign_up.no_host":
    "DataFie: this number has no account yet. Sign up on our website and confirm your phone under Profile.",
  "sms.wrong_pin": joined(
    "DataFie: wrong PIN, nothing was bought. You have {count} tries left. ",
    "Forgot it? {where}",
  ),
  "sms.wrong_pin_last": joined("DataFie: wrong PIN, nothing was bought. You have 1 try left. ", "Forgot it? {where}"),
  "sms.locked": "DataFie: nothing was bought: your PIN is locked until {end}. Forgot it? {where}",
  "sms.locked.for_good": "DataFie: nothing was bought: your PIN is locked. For a new one: {where}",
  "sms.locked.over": "DataFie: nothing was bought: your PIN was locked. Send it again. Forgot it? {where}",
  "sms.phone_waits": joined(
    "DataFie: nothing was bought. Your phone or PIN is new: you can buy by phone from {until}. ",
    "Until then, buy on our website.",
  ),
  "sms.unconfirmed.web":
    "DataFie: nothing was bought: this phone is not confirmed yet. Confirm it on our website first.",
  "sms.unconfirmed":
    "DataFie: nothing was bought: this phone is not confirmed yet. Dial {dial} and type the code from our SMS.",
  "sms.closed": "DataFie: nothing was bought. {message}",
  "sms.closed.until": "DataFie: nothing was bought. {message} Open again from {end}.",
  "sms.frozen":
    "DataFie: nothing was bought. Your account is frozen for now, and your money is safe. Please ask support.",
  "sms.frozen.support": joined(
    "DataFie: nothing was bought. Your account is frozen for now, and your money is safe. ",
    "Support: {support}",
  ),
  "sms.daily_limit.any": joined(
    "DataFie: nothing was bought. You can spend {limit} a day, and {available} is left until midnight. ",
    "Need more? Ask support.",
  ),
  "sms.hourly_limit": joined(
    "DataFie: nothing was bought. You can place {max} orders an hour, {count} left until {time}. ",
    "Need more? Ask support.",
  ),
  "sms.daily_limit": joined(
    "DataFie: nothing was bought: a new account can spend {limit} a day, {available} is left. ",
    "To lift that, add money from this phone.",
  ),
  "sms.balance": "DataFie: your balance is {balance}.",
  "sms.balance.held": "DataFie: {available} is available. {held} is held until the bank decides.",
  "sms.balance.owed": "You owe {owed}: your next top-up pays it first.",
  "sms.no_orders": "DataFie: you have no orders yet.",
  "sms.no_order": "DataFie: you have no order {order}.",
  "sms.status": "DataFie: order {order} {state}: {bundle} to {number}.",
  "sms.status.refunded": "DataFie: order {order} {state}: {bundle} to {number}, {amount} is back in your wallet.",
  "sms.state.failed": "failed",
  "sms.state.cancelled": "was cancelled",
  "sms.state.closed": "was not paid and is closed",
  "sms.state.delivered": "is delivered",
  "sms.state.sent": "is sent to {network}",
  "sms.state.waiting": "is waiting",
  "sms.state.not_paid": "is not paid",
  "sms.other_network": joined(
    "DataFie: nothing was bought. {number} looks like {guess}, but you wrote {network}. ",
    "If that is right, send it again and add YES.",
  ),
  "sms.other_network.unknown": joined(
    "DataFie: nothing was bought. {number} is not a number we know, but you wrote {network}. ",
    "If that is right, send it again and add YES.",
  ),
  "sms.duplicate": joined(
    "DataFie: nothing was bought. You ordered {bundle} for {number} within the last {minutes} minutes. ",
    "Add YES to buy again.",
  ),
  "sms.short": "DataFie: not enough money for {bundle} for {number}. It costs {price}, you have {balance}.",
  "sms.short.held": "DataFie: not enough money for {bundle} for {number}. It costs {price}, {funds}.",
  "sms.paused": "DataFie: nothing was bought. {bundle} for {number} is paused at the moment.",
  "sms.paused.until": "DataFie: nothing was bought. {bundle} for {number} is paused until {end}.",
  "sms.repricing": joined(
    "DataFie: nothing was bought. The price of {bundle} for {number} is being updated. ",
    "Please try another bundle or come back later.",
  ),
  "sms.no_such_size": "DataFie: nothing was bought. {network} has no {size}. Choose from {sizes}",
  "sms.which_kind": "DataFie: nothing was bought. Which one? {choices}",

  "part.funds": "balance {balance}",
  "part.funds.held": "available {available}, held {held}",
  "part.paused": "paused",
  "part.paused.until": "paused until {end}",
  "part.repricing": "waiting for a new price",
  "part.status.waiting": "waiting",
  "part.status.sent": "sent",
  "part.status.sent_to": "sent to {network}",
  "part.status.delivered": "delivered",
  "part.status.not_paid": "not paid",
  "part.status.closed": "not paid, closed",
  "part.status.failed": "failed",
  "part.status.refunded": "failed, money back",
  "part.status.cancelled": "cancelled",
  "part.status.cancelled.refunded": "cancelled, money back",
  "part.on": "on",
  "part.off": "off",
  "part.website": "Our website",
  "part.sms_confirms": "SMS will confirm.",
  "part.no_sms": "No SMS: you sent STOP",
  "part.no_sms.off": "No SMS: turned off",
  "part.no_sms.today": "No more SMS today",
  "part.pin_by_phone": "Dial {dial}",
  "part.pin_on_web": "{host}, Profile",
  "part.your_seller": "Your data seller",
  "part.or": "or",
} as const;
