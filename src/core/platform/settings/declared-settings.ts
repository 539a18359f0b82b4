// All settings with their defaults, limits and wording.

import { NETWORKS, type Network, SMS_GATEWAY_NAMES, SMS_GATEWAYS } from "../../../shared/domain.ts";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../../shared/phones/ussd-gateways.ts";
import { lines, money, onOff, option, percent, type Text, text, whole } from "./setting-kinds.ts";

const GATEWAY_OPTIONS = SMS_GATEWAYS.map((code) => [code, SMS_GATEWAY_NAMES[code]] as const);

const NETWORK_OPTIONS = (Object.keys(NETWORKS) as Network[]).map((code) => [code, NETWORKS[code]] as const);

type Name = `gateway_addresses_${UssdGatewayName}`;

/** Where each gateway calls from. None of them signs its requests: this is a second lock beside the secret address. */
const GATEWAY_ADDRESSES = Object.fromEntries(
  Object.entries(USSD_GATEWAYS).map(([code, name]) => [
    `gateway_addresses_${code}`,
    text({
      group: "gateways",
      label: `Addresses of ${name}`,
      charsMax: 400,
      is: "addresses",
      placeholder: "41.66.0.0/16, 154.160.1.2",
      hint: "Nobody else may bring its USSD and SMS. Empty: anybody who knows the secret. Ask the gateway for them",
    }),
  ]),
) as Record<Name, Text>;

/** What one person may do alone, by kind of act and in any 24 hours. */
export const SECOND_PERSON_SETTINGS = {
  second_person: onOff({
    group: "secondPerson",
    default: true,
    label: "Acts of money and staff above these limits need a second person",
  }),
  alone_corrections_pesewas: money({
    group: "secondPerson",
    default: 20_000,
    mayBeZero: true,
    label: "Corrections of wallets (GH₵)",
  }),
  alone_deposits_pesewas: money({
    group: "secondPerson",
    default: 200_000,
    mayBeZero: true,
    label: "Manual deposits approved (GH₵)",
    hint: "What an import of the statement credits counts as approved by whoever imported it",
  }),
  alone_holds_pesewas: money({
    group: "secondPerson",
    default: 500_000,
    mayBeZero: true,
    label: "Deposits held as taken back by the network (GH₵)",
    hint: "Above it, an import holds nothing until somebody decides",
  }),
  alone_reviews_pesewas: money({
    group: "secondPerson",
    default: 100_000,
    mayBeZero: true,
    label: "Payments in review decided (GH₵)",
  }),
  alone_refunds_pesewas: money({
    group: "secondPerson",
    default: 500_000,
    mayBeZero: true,
    label: "Refunds of orders under way (GH₵)",
  }),
  unproven_refunds_pesewas: money({
    group: "secondPerson",
    default: 20_000,
    mayBeZero: true,
    label: "Of these by results of the desk, without the password again (GH₵)",
  }),
  alone_late_refunds_pesewas: money({
    group: "secondPerson",
    default: 20_000,
    mayBeZero: true,
    label: "Refunds of completed orders (GH₵)",
  }),
  alone_rerouted_pesewas: money({
    group: "secondPerson",
    default: 1_000_000,
    mayBeZero: true,
    label: "Waiting orders moved to other suppliers (GH₵)",
  }),
  alone_sole_pesewas: money({
    group: "secondPerson",
    default: 500_000,
    mayBeZero: true,
    label: "Each of them, when nobody else could agree (GH₵)",
    hint: "Every owner gets an email, and it is shown on the first page for a week",
  }),
  approval_hours: whole({
    group: "secondPerson",
    default: 24,
    min: 1,
    max: 168,
    label: "Hours until a request expires",
  }),
};

/** All settings. An entry here is all that a setting needs: its default, check and field follow from it. */
export const SETTINGS = {
  top_up_minimum_pesewas: money({ default: 500, group: "money", label: "Minimum top-up (GH₵)" }),
  manual_top_up_minimum_pesewas: money({
    default: 1000,
    group: "money",
    label: "Minimum manual deposit (GH₵)",
  }),
  margin_floor_percent: whole({
    group: "margins",
    default: 0,
    max: 100,
    label: "Smallest margin above cost",
    unit: "%",
  }),
  margin_floor_pesewas: money({
    default: 0,
    mayBeZero: true,
    group: "margins",
    label: "Smallest margin above cost (GH₵)",
    hint: "The larger of the two counts",
  }),
  margin_guard: option({
    default: "warn",
    options: [
      ["warn", "Sell it, and warn"],
      ["pause", "Do not sell it"],
    ],
    group: "margins",
    label: "A price above cost with less than that",
    hint: "It is shown under Problems either way",
  }),
  cost_rise_percent: whole({
    group: "margins",
    default: 3,
    max: 100,
    label: "Rise of a cost that needs attention",
    unit: "%",
    hint: "More than this since the price was set",
  }),
  slow_delivery_minutes: whole({
    group: "margins",
    default: 60,
    min: 1,
    max: 10_080,
    label: "Slowest delivery on routes by cost",
    unit: "minutes",
    hint: "A supplier must have delivered nine of ten within it",
  }),
  unknown_results_percent: whole({
    group: "margins",
    default: 5,
    max: 100,
    label: "Most unknown results on routes by cost",
    unit: "%",
  }),
  manual_payment_number: text({
    group: "deposits",
    label: "Mobile money number",
    charsMax: 40,
    is: "digits",
    hint: "Without one, manual deposits are not offered",
  }),
  manual_payment_name: text({ group: "deposits", label: "Account name", charsMax: 80 }),
  manual_payment_network: option({
    default: "mtn",
    options: NETWORK_OPTIONS,
    group: "deposits",
    label: "Network of the mobile money number",
    hint: "Deposits are looked for in the statement of this network",
  }),
  statement_deposit_max_pesewas: money({
    default: 20_000,
    group: "deposits",
    label: "Credited without a person: a deposit up to (GH₵)",
    hint: "When the statement has its transaction ID and amount; 0 for none",
    mayBeZero: true,
  }),
  statement_import_max_pesewas: money({
    default: 200_000,
    group: "deposits",
    label: "All of one import, up to (GH₵)",
    mayBeZero: true,
  }),
  statement_day_max_pesewas: money({
    default: 500_000,
    group: "deposits",
    label: "All that one person's imports credit in a day, up to (GH₵)",
    hint: "It also counts towards the manual deposits that one person may approve alone",
    mayBeZero: true,
  }),
  statement_account_days: whole({
    default: 7,
    max: 365,
    group: "deposits",
    label: "Only for accounts older than",
    unit: "days",
  }),
  legal_name: text({ group: "legal", label: "Legal name", charsMax: 120 }),
  legal_address: text({ group: "legal", label: "Address", charsMax: 200 }),
  legal_tin: text({ group: "legal", label: "TIN", charsMax: 20 }),
  vat_rate: percent({
    group: "legal",
    default: 0,
    max: 5_000,
    label: "VAT (%)",
    hint: "Such as 15, included in the price; 0 prints “Not a VAT invoice”",
  }),
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
  sends_by_hand: onOff({
    default: false,
    group: "orders",
    label: "Orders are sent by hand, without a supplier",
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
    label: "Time to undo",
    unit: "seconds",
    hint: "Results of the desk wait so long before anything moves; other changes can be undone from their notice",
  }),
  stuck_after_minutes: whole({
    default: 120,
    max: 10_080,
    group: "orders",
    label: "Minutes until an order counts as stuck",
    hint: "It is then shown under Stuck, or earlier when most of its promised time has passed",
  }),
  waiting_again_minutes: whole({
    default: 60,
    min: 10,
    max: 1440,
    group: "orders",
    label: "Minutes until staff are notified again",
    hint: "Of what still waits, by the e-mail or SMS that each of them chose in their profile",
  }),
  summary_by: option({
    default: "email",
    group: "orders",
    label: "Summary of the day, to owners by",
    options: [
      ["", "Not sent"],
      ["email", "E-mail"],
      ["sms", "SMS"],
    ],
    hint: "What was sold and earned, and what waits. None comes of a day without orders",
  }),
  summary_hour: whole({
    default: 20,
    max: 23,
    unit: "o'clock",
    group: "orders",
    label: "Closing time, when the summary is sent",
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
