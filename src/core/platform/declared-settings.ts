// All settings with their defaults, limits and wording.

import { SMS_GATEWAY_NAMES, SMS_GATEWAYS } from "../../shared/domain.ts";
import { GATEWAY_ADDRESSES } from "./gateway-address-settings.ts";
import { LEGAL_SETTINGS } from "./legal-settings.ts";
import { MARGIN_SETTINGS } from "./margin-settings.ts";
import { SECOND_PERSON_SETTINGS } from "./second-person-settings.ts";
import { lines, money, onOff, option, text, whole } from "./setting-kinds.ts";
import { STATEMENT_SETTINGS } from "./statement-settings.ts";

const GATEWAY_OPTIONS = SMS_GATEWAYS.map((code) => [code, SMS_GATEWAY_NAMES[code]] as const);

/** All settings. An entry here is all that a setting needs: its default, check and field follow from it. */
export const SETTINGS = {
  top_up_minimum_pesewas: money({ default: 500, group: "money", label: "Minimum top-up (GH₵)" }),
  manual_top_up_minimum_pesewas: money({
    default: 1000,
    group: "money",
    label: "Minimum manual deposit (GH₵)",
  }),
  ...MARGIN_SETTINGS,
  manual_payment_number: text({
    group: "deposits",
    label: "Mobile money number",
    charsMax: 40,
    is: "digits",
    hint: "Without one, manual deposits are not offered",
  }),
  manual_payment_name: text({ group: "deposits", label: "Account name", charsMax: 80 }),
  ...STATEMENT_SETTINGS,
  ...LEGAL_SETTINGS,
  dispatch_hold_seconds: whole({
    default: 45,
    max: 3600,
    group: "orders",
    label: "Cancellation window",
    unit: "seconds",
    hint: "How long a paid order waits before it is sent; until then its buyer can cancel it",
  }),
  refund_promise_minutes: whole({
    default: 1440,
    max: 10_080,
    group: "orders",
    label: "Delivery promise",
    unit: "minutes",
    hint: "After that, orders that nobody holds are refunded automatically; 0 for no promise",
  }),
  automatic_refunds_pesewas: money({
    default: 10_000,
    mayBeZero: true,
    group: "orders",
    label: "Automatic refunds for an agent in 24 hours (GH₵)",
    hint: "Of orders that may have been delivered: undecided reports, unknown outcomes. Above it, a person decides",
  }),
  automatic_refunds_percent: whole({
    default: 10,
    max: 100,
    group: "orders",
    label: "Automatic refunds in 30 days, of the agent's orders",
    unit: "%",
  }),
  automatic_refunds_orders: whole({
    default: 5,
    max: 1000,
    group: "orders",
    label: "Automatic refunds in 30 days, whatever that share is",
    unit: "orders",
  }),
  desk_batch_minutes: whole({
    default: 120,
    min: 5,
    max: 10_080,
    group: "orders",
    label: "Time for a desk batch",
    unit: "minutes",
    hint: "After that it moves to the top of Problems; its orders are not refunded meanwhile",
  }),
  desk_undo_seconds: whole({
    default: 60,
    max: 120,
    group: "orders",
    label: "Time to undo results of the desk",
    unit: "seconds",
    hint: "Until then no order moves, no money goes back, and no message is sent",
  }),
  stuck_after_minutes: whole({
    default: 120,
    max: 10_080,
    group: "orders",
    label: "Minutes until an order counts as stuck",
    hint: "It is then shown under Problems, or earlier when most of its promised time has passed",
  }),
  waiting_again_minutes: whole({
    default: 60,
    min: 10,
    max: 1440,
    group: "orders",
    label: "Minutes until staff are notified again",
    hint: "Of what still waits, by the e-mail or SMS that each of them chose in their profile",
  }),
  complete_after_seconds: whole({
    default: 86_400,
    max: 604_800,
    group: "orders",
    label: "Seconds until a delivered order is completed",
    hint: "Not while it is reported as not received",
  }),
  support_email: text({ group: "support", label: "Email", charsMax: 254, is: "email" }),
  support_phone: text({ group: "support", label: "Phone", charsMax: 40, is: "phone" }),
  support_whatsapp: text({
    group: "support",
    label: "WhatsApp number",
    charsMax: 40,
    is: "digits",
    hint: "Shown to agents and visitors; without one, WhatsApp is not offered",
  }),
  support_hours: text({
    default: "Mon-Fri 9AM-5PM",
    group: "support",
    label: "Hours",
    charsMax: 80,
    hint: "Shown with a contact",
  }),
  not_received_days: whole({
    default: 3,
    max: 30,
    group: "support",
    label: "Days to report an order as not received",
    hint: "Counted from its delivery; 0 for never",
  }),
  case_hours: whole({
    default: 24,
    min: 1,
    max: 168,
    group: "support",
    label: "Hours to decide a dispute",
    hint: "After that, the order is refunded automatically, within the limits under Orders",
  }),
  sms_gateway: option({
    default: "africastalking",
    options: GATEWAY_OPTIONS,
    group: "gateways",
    label: "SMS by",
    hint: "If it has no keys, another one that has",
  }),
  sms_fallback: option({
    default: "",
    options: [["", "None"], ...GATEWAY_OPTIONS],
    group: "gateways",
    label: "If that does not send it, SMS by",
    hint: "Only what the first has certainly not sent",
  }),
  /** The limit in any 24 hours. Notices stop earlier, so that codes can still be sent. */
  sms_day_max: whole({
    default: 5000,
    max: 999_999,
    group: "gateways",
    label: "SMS a day",
    hint: "Notices stop at 70% of it, codes last",
  }),
  /** Gateways name the code in three ways or not at all, so texts take it from here. */
  ussd_code: text({
    group: "gateways",
    label: "USSD code",
    charsMax: 20,
    is: "ussd",
    hint: "What agents dial, such as *920*55#; without one, nothing names it",
  }),
  /** Off, because gateways charge by the time that a session stays open. */
  ussd_another: onOff({
    default: false,
    group: "gateways",
    label: "After a purchase by USSD, offer another one instead of ending the session",
  }),
  ussd_registration: onOff({
    default: false,
    group: "gateways",
    label: "Unknown phones can open an account by USSD; each costs at least one SMS",
  }),
  new_account_day_max_pesewas: money({
    default: 10_000,
    group: "gateways",
    label: "What an account opened by USSD may spend a day (GH₵)",
    hint: "Until it has an email and password, or money from its own mobile money number",
  }),
  phone_wait_hours: whole({
    default: 48,
    min: 1,
    max: 168,
    group: "gateways",
    label: "Hours without spending after a changed phone, or a PIN or password set by SMS code",
    hint: "Its owner is notified at once and can act. Without an email twice as long; the web waits after a password",
  }),
  ...GATEWAY_ADDRESSES,
  gateway_unreadable_max: whole({
    default: 20,
    min: 1,
    max: 99_999,
    group: "gateways",
    label: "Unreadable requests in an hour",
    hint: "When a gateway sends more, admins get an e-mail, once an hour at most",
  }),
  gateway_failures_percent: whole({
    default: 20,
    min: 1,
    max: 100,
    group: "gateways",
    label: "Failures in an hour",
    unit: "%",
    hint: "When more of a gateway's requests or SMS fail, of at least 20, likewise",
  }),
  /** Off, because a customer who looks at the address of a receipt would see what their seller pays. */
  visitor_prices: onOff({
    default: false,
    group: "firstPage",
    label: "Visitors see today's prices on the first page; so can your agents' customers",
  }),
  landing_voices: lines({
    default: "",
    group: "firstPage",
    label: "Testimonials",
    linesMax: 6,
    charsMax: 400,
    format: "text | author",
    hint: "One per line: text | author. Ask people before you name them.",
  }),
  ...SECOND_PERSON_SETTINGS,
  admin_second_factor: onOff({
    default: false,
    group: "security",
    label: "Staff need an extra login code; without one they can only set it up",
  }),
};
