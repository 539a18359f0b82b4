// Room for translated texts: the widest value of each placeholder, and the lines that share one screen. A line may use
// the room that the others on its screen leave; an SMS has one part.
import { gsm7Length, gsm7Text, SMS_CHARS } from "../../../shared/phones/sms-text.ts";
import { SWITCH_MESSAGE_SEPTETS } from "../../../shared/switches.ts";
import { fill, type Placeholder, TEXT_KEYS, type TextKey } from "./translate.ts";

const AMOUNT = "GHS 9999999.99";
const ENGLISH_FUNDS = `available ${AMOUNT}, held ${AMOUNT}`;

/** The widest value of each placeholder; the screens and messages cut what may be wider still. */
export const WIDEST: Record<Placeholder, string> = {
  ...{ amount: AMOUNT, balance: AMOUNT, available: AMOUNT, held: AMOUNT, owed: AMOUNT },
  ...{ transaction: "99999999999999999999", reported: AMOUNT },
  ...{ price: AMOUNT, limit: AMOUNT, funds: ENGLISH_FUNDS },
  before: "9999999.99",
  bundle: "100 x AT BigTime 100.5GB",
  offer: "100 x 100.5GB",
  label: "BigTime 100.5GB",
  ...{ size: "1000.5GB", sizes: "500MB, 1GB, 1.5GB, 2GB, 3GB, 4GB, 5GB, 6GB, 8GB, 10GB" },
  choices: "BUY ISHARE 100.5GB (GHS 9999.99) or BUY BIGTIME 100.5GB (GHS 9999.99)",
  ...{ number: "054 123 4567", payer: "054 123 4567 (AirtelTigo Money)" },
  ...{ network: "AirtelTigo", guess: "AirtelTigo" },
  ...{ order: "99999999", count: "10000", max: "100", minutes: "15", code: "123456" },
  ...{ time: "15:20", day: "22 Nov", until: "22 Nov 15:10", when: "22 Nov 15:10", end: "24 Nov, 14:30" },
  paused: "paused until 24 Nov, 14:30",
  ...{ status: "cancelled, money back", state: "was not paid and is closed" },
  sms: "No SMS: you sent STOP",
  // The shop's website and "Profile" are wider than any code.
  where: "datafie.example.com.gh, Profile",
  ...{ dial: "*920*1234*7#", approvals: "*170#, My Wallet, My Approvals" },
  ...{ host: "datafie.example.com.gh", support: "0300000000, 0200000000, Mon-Fri 9AM-5PM" },
  // A full stop may be added.
  message: `${"Sales are closed until the prices are right. ".repeat(3).slice(0, SWITCH_MESSAGE_SEPTETS)}.`,
  reason: "the bundle is no longer sold",
  language: "English",
  ...{ name: "nana-ama.sells.data5", hours: "336" },
  shop: "Adwoa Data & Airtime",
  onoff: "not on",
};

/** Parts that fill a placeholder: they may be as long as its widest value. */
const FILLS: Partial<Record<TextKey, Placeholder>> = {
  "part.funds": "funds",
  "part.funds.held": "funds",
  "part.paused": "paused",
  "part.paused.until": "paused",
  "part.repricing": "paused",
  ...{ "part.on": "onoff", "part.off": "onoff" },
  "part.website": "host",
  ...{
    "part.sms_confirms": "sms",
    "part.no_sms": "sms",
    "part.no_sms.off": "sms",
    "part.no_sms.today": "sms",
  },
  ...{ "part.pin_by_phone": "where", "part.pin_on_web": "where" },
  "part.your_seller": "shop",
  ...filling("part.status.", "status"),
  ...filling("sms.state.", "state"),
};

/** In septets. A message stands above a screen, whose own text is cut to make room for it. */
const NOTICE_SEPTETS = 64;
/** In septets. Networks take 160 to 182, none guarantees more than 160, and whether "CON " counts is undocumented. */
export const SCREEN_SEPTETS = 150;

/** Texts with a limit of their own, because another text joins them in one SMS, in septets. */
const OWN_LIMITS: Partial<Record<TextKey, number>> = {
  "part.or": 8,
  "ussd.option.more": 12,
  // Titles of lists, and of networks and languages, whose names stay as they are.
  ...{
    "ussd.bundles": 32,
    "ussd.bundles_for": 32,
    "ussd.yours_first": 11,
    "ussd.orders": 44,
    "ussd.recent": 44,
  },
  ...{ "ussd.operator": 60, "ussd.top_up_network": 60, "ussd.language": 60 },
  "sms.topped_up": 90,
  "sms.topped_up.resume": 69,
  "sms.balance": 94,
  "sms.balance.held": 94,
  "sms.balance.owed": 65,
};

/** Lines that stand together on a screen; of those in brackets, one. */
type Together = readonly (TextKey | readonly TextKey[])[];
type Layout = { texts: Together; options?: Together };

type Option = TextKey extends infer Key ? (Key extends `ussd.option.${infer Name}` ? Name : never) : never;
const option = (name: Option): TextKey => `ussd.option.${name}`;
/** All keys with this prefix, each filling the placeholder. */
function filling(prefix: string, placeholder: Placeholder): Partial<Record<TextKey, Placeholder>> {
  return Object.fromEntries(TEXT_KEYS.filter((key) => key.startsWith(prefix)).map((key) => [key, placeholder]));
}

const BACK = "ussd.option.back";
const CANCEL = "ussd.option.cancel";
const BUY_AGAIN = "ussd.option.buy_again";
const CANCEL_ORDER = "ussd.option.cancel_order";

/** The screens with more than a text, by their own text's key. */
const LAYOUTS: Partial<Record<TextKey, Layout>> = {
  "ussd.home": {
    texts: ["ussd.home"],
    options: [
      ...(["buy_data", "balance", "last_orders", "add_money"] as const).map(option),
      ...(["repeat_last", "my_account", "resume", "exit"] as const).map(option),
    ],
  },
  "ussd.bought_another": layout("ussd.bought_another", ["another", "exit"]),
  "ussd.number": layout("ussd.number", ["my_number", "recent_numbers", "back"]),
  "ussd.other_network": {
    texts: [["ussd.other_network", "ussd.other_network.unknown"]],
    options: (["continue", "change_number", "cancel"] as const).map(option),
  },
  "ussd.duplicate": layout("ussd.duplicate", ["buy_again", "cancel"]),
  "ussd.pay": layout("ussd.pay", ["quantity", "use_momo", "forgot_pin", "cancel"]),
  "ussd.pay.price_changed": {
    texts: ["ussd.pay.price_changed", "ussd.pay"],
    options: ["ussd.option.quantity", CANCEL],
  },
  "ussd.short_momo": layout("ussd.short_momo", ["pay_momo", "add_money", "home"]),
  "ussd.welcome": layout("ussd.welcome", ["register", "help", "exit"]),
  "ussd.welcome_help": { texts: [["ussd.welcome_help", "ussd.welcome_help.no_phone"]], options: [BACK] },
  "ussd.register_name": {
    texts: [["ussd.register_name", "ussd.register_name.taken"]],
    options: ["ussd.option.use_name", CANCEL],
  },
  "ussd.register_pin": layout("ussd.register_pin", ["cancel"]),
  "ussd.register_pin_again": layout("ussd.register_pin_again", ["cancel"]),
  "ussd.confirm_phone": layout("ussd.confirm_phone", ["new_code", "home"]),
  "ussd.forgot_pin": layout("ussd.forgot_pin", ["send_code", "have_code", "cancel"]),
  "ussd.reset_code": layout("ussd.reset_code", ["new_code", "cancel"]),
  "ussd.reset_question": layout("ussd.reset_question", ["skip", "cancel"]),
  "ussd.quantity": layout("ussd.quantity", ["back"]),
  "ussd.not_on_sale": {
    texts: [["ussd.not_on_sale", "ussd.not_on_sale.paused"]],
    options: ["ussd.option.other_bundles", "ussd.option.home"],
  },
  "ussd.need_more": { texts: [["ussd.day_limit.any", "ussd.hour_limit"], "ussd.need_more"] },
  "ussd.balance": {
    texts: [["ussd.balance", "ussd.balance.available"], "ussd.balance.held", "ussd.balance.owed"],
    options: ["ussd.option.add_money", BACK],
  },
  "ussd.order": {
    texts: ["ussd.order"],
    options: [["ussd.option.not_received", "ussd.option.pay_now", BUY_AGAIN], BUY_AGAIN, BACK],
  },
  // The same until it is sent.
  "ussd.option.cancel_order": {
    texts: ["ussd.order"],
    options: [["ussd.option.pay_now", BUY_AGAIN], CANCEL_ORDER, BACK],
  },
  "ussd.cancel_order": {
    texts: [["ussd.cancel_order", "ussd.cancel_order.unpaid"]],
    options: [CANCEL_ORDER, BACK],
  },
  "ussd.pay_order": layout("ussd.pay_order", ["forgot_pin", "back"]),
  "ussd.not_received": layout("ussd.not_received", ["report_it", "back"]),
  "ussd.top_up": layout("ussd.top_up", ["back"]),
  "ussd.top_up_from": layout("ussd.top_up_from", ["yes", "other_number", "other_network", "back"]),
  "ussd.top_up_number": layout("ussd.top_up_number", ["back"]),
  "ussd.top_up_pin": layout("ussd.top_up_pin", ["cancel"]),
  "ussd.top_up_waiting": layout("ussd.top_up_waiting", ["start_again", "back"]),
  "ussd.voucher": layout("ussd.voucher", ["cancel_top_up", "back"]),
  "ussd.account": layout("ussd.account", [
    ...(["statement", "change_pin", "help", "language", "pin_to_look", "customer_sms", "back"] as const),
  ]),
  "ussd.look_pin": layout("ussd.look_pin", ["back"]),
  "ussd.pin_to_look": layout("ussd.pin_to_look", ["back"]),
  "ussd.customer_sms": {
    texts: ["ussd.customer_sms"],
    options: [["ussd.option.turn_on", "ussd.option.turn_off"], "ussd.option.shop_name", BACK],
  },
  "ussd.shop_name": layout("ussd.shop_name", ["back"]),
  "ussd.shop_name_pin": layout("ussd.shop_name_pin", ["cancel"]),
  "ussd.old_pin": layout("ussd.old_pin", ["forgot_pin", "cancel"]),
  "ussd.new_pin": layout("ussd.new_pin", ["cancel"]),
  "ussd.new_pin_again": layout("ussd.new_pin_again", ["cancel"]),
  "ussd.help": { texts: [["ussd.help", "ussd.help.no_phone"]], options: [BACK] },
};

/** Where a line stands: on these screens, whose other lines take room, or alone with a limit. */
type Room = { layouts: Layout[] } | { septets: number };

/** The room of a text. */
function roomOf(key: TextKey): Room {
  const septets = limitOf(key);
  if (septets !== undefined) return { septets };
  const layouts = Object.values(LAYOUTS).filter(({ texts, options = [] }) =>
    [...texts, ...options].flat().includes(key),
  );
  return layouts.length > 0 ? { layouts } : { septets: SCREEN_SEPTETS - "END ".length };
}

/** A text as long as it can get, as it leaves the shop. */
export function widestOf(text: string): string {
  return gsm7Text(fill(text, WIDEST));
}

/** The septets that a line may take, beside the other lines of its screen as `textOf` gives them. */
export function allowedSeptets(key: TextKey, textOf: (key: TextKey) => string): number {
  const room = roomOf(key);
  if ("septets" in room) return room.septets;
  return Math.min(...room.layouts.map((layout) => leftBeside(key, layout, textOf)));
}

function leftBeside(key: TextKey, { texts, options = [] }: Layout, textOf: (key: TextKey) => string): number {
  const septetsOf = (line: TextKey) => gsm7Length(widestOf(textOf(line))) ?? 0;
  const beside = [...texts, ...options].filter((line) => ![line].flat().includes(key));
  const count = [...texts, ...options].length - beside.length;
  const lineFeeds = texts.length - 1 + options.length * "\n1 ".length;
  const taken = beside.reduce((sum, line) => sum + Math.max(...[line].flat().map(septetsOf)), lineFeeds);
  return Math.floor((SCREEN_SEPTETS - "CON ".length - taken) / count);
}

function layout(text: TextKey, options: Option[]): Layout {
  return { texts: [text], options: options.map(option) };
}

function limitOf(key: TextKey): number | undefined {
  const filled = FILLS[key];
  if (filled) return gsm7Length(WIDEST[filled])!;
  if (OWN_LIMITS[key] !== undefined) return OWN_LIMITS[key];
  if (key.startsWith("sms.")) return SMS_CHARS;
  return key.startsWith("ussd.notice.") ? NOTICE_SEPTETS : undefined;
}
