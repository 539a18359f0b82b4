// The types of a USSD conversation: screens, the ways between them, and the context that a session carries along.
import type { Db } from "../../db/connect.ts";
import type { Unfinished } from "../../src/core/buying/unfinished-purchases.ts";
import type { CodeKeys } from "../../src/core/identity/logins/codes.ts";
import type { PinChange } from "../../src/core/identity/phones/pin-change.ts";
import type { KnownPin, PinKeys } from "../../src/core/identity/phones/pins.ts";
import type { DayLimit, HourLimit } from "../../src/core/ledger/limits.ts";
import type { PlainKey, Translate } from "../../src/core/messaging/languages/translate.ts";
import type { NoSms } from "../../src/core/messaging/sms-expected.ts";
import type { ByUser, Language, Network, Operator, OrderStatus } from "../../src/shared/domain.ts";

export const SCREEN_NAMES = [
  "home",
  "operator",
  "bundles",
  "bundles_for",
  "number",
  "recent",
  "other_network",
  "duplicate",
  "pay",
  "quantity",
  "not_on_sale",
  "bought",
  "bought_another",
  "short",
  "short_momo",
  "momo_prompted",
  "day_limit",
  "hour_limit",
  "frozen",
  "closed",
  "locked",
  "phone_waits",
  "balance",
  "orders",
  "order",
  "cancel_order",
  "cancelled",
  "pay_order",
  "order_paid",
  "not_received",
  "filed",
  "top_up",
  "top_up_from",
  "top_up_network",
  "top_up_number",
  "top_up_pin",
  "asked",
  "top_up_waiting",
  "voucher",
  "handed_in",
  "look_pin",
  "account",
  "pin_to_look",
  "customer_sms",
  "shop_name",
  "shop_name_pin",
  "statement",
  "old_pin",
  "new_pin",
  "new_pin_again",
  "pin_changed",
  "forgot_pin",
  "reset_code",
  "reset_question",
  "pin_reset",
  "language",
  "help",
  "goodbye",
  "welcome",
  "welcome_help",
  "register_name",
  "register_pin",
  "register_pin_again",
  "register_taken",
  "register_failed",
  "confirm_phone",
  "stranger",
  "no_pin",
  "banned",
  "wait",
  "busy",
  "failure",
] as const;
export type ScreenName = (typeof SCREEN_NAMES)[number];

/** A bundle as this session showed it, even if the shop has changed it since. */
export type Bundle = { id: number; operator: Operator; label: string; pricePesewas: number };
/** A list entry; its `number` stays the same from day to day, so that agents can learn it by heart. */
export type Listed = Bundle & {
  number: number;
  /** In MB, 1 GB = 1000 MB. */
  volumeMb: number | null;
  /** "paused" or "paused until 14:30"; null when it can be bought. */
  paused: string | null;
};

/** The purchase in progress. Part of the stored session, like everything in `Context`. */
export type Buying = {
  bundle: Bundle;
  /** The unit price when the bundle was chosen, if it has changed since. */
  wasPesewas: number | null;
  msisdn: string | null;
  quantity: number;
  /** How many of it were bought for the number a moment ago, if any were. */
  boughtQuantity?: number;
  /** "paused until 14:30", if that is why it cannot be bought. */
  paused?: string;
  /**
   * The buyer has confirmed, despite the warning, a number of another network and a repeated purchase, respectively.
   */
  knowsNetwork: boolean;
  knowsDuplicate: boolean;
};

/** A purchase that an earlier session left unfinished, with a name for it. */
export type Offer = Unfinished & { name: string };

export type OrderShown = {
  id: number;
  status: OrderStatus;
  isPaid: boolean;
  isRefunded: boolean;
  /** Its buyer ended it. */
  isCancelled: boolean;
  operator: Operator;
  /** "iShare 1GB": without its network. */
  label: string;
  productId: number;
  msisdn: string;
  quantity: number;
  amountPesewas: number;
  at: string;
  canCancel: boolean;
};

/** In place of the end of a lock that only a new PIN ends. */
export const FOR_GOOD = "for good";

/** What the PIN is asked for before it is shown. */
export type Protected = "balance" | "orders" | "statement";

export type TopUp = { amountPesewas: number; network: Network | null; msisdn: string };

/** A session's memory, stored as JSON in its row; so it holds no PIN. */
export type Context = {
  /** The page of the list on the screen, from 0. */
  page?: number;
  operator?: Operator;
  shelves?: Partial<Record<Operator, Listed[]>>;
  /** The recipient, where the number was typed first. */
  recipient?: string;
  /** The ids of the only bundles that are listed for this recipient: several are of the size typed. */
  only?: number[];
  buying?: Buying;
  /** The purchase on the payment screen that was shown last: its PIN buys this or nothing. */
  shown?: Unfinished;
  offer?: Offer;
  recipients?: string[];
  orders?: OrderShown[];
  /** The order on the screen, as an index into `orders`. */
  order?: number;
  topUp?: TopUp;
  /** A top-up that is waiting for its payer. */
  waiting?: { paymentId: number; amountPesewas: number; msisdn: string };
  /** The last wrong PIN, as a keyed digest of this session, and what was said of it at the screen that asked. */
  wrongPin?: { digest: string; asking: ScreenName; notice: string };
  /** What is shown after the PIN, and whether the PIN was right in this session. */
  looking?: Protected;
  hasProvedPin?: boolean;
  /** The choices under "My account". */
  choices?: { requiresPin: boolean; notifyCustomers: boolean; shopName: string };
  /** The shop's name as typed, until the PIN. */
  newShopName?: string;
  /** A change of PIN between its screens: a digest of the new PIN at most. */
  pinChange?: PinChange;
  /** A registration between its screens: a digest of the PIN at most. */
  registering?: { username?: string; proposal?: string; digest?: string };
  /** The caller's mobile money network, if it is known. */
  momo?: Network;
  /** How long an account waits after its forgotten PIN was replaced, in hours. */
  hours?: number;
  /** What can be spent in a day, and still today; orders in an hour, and still in this one. */
  dayLimit?: DayLimit;
  hourLimit?: HourLimit;
  /**
   * The deadline of a dispute, or the end of a wait after a new phone or PIN; and the end of a PIN lock, or `FOR_GOOD`;
   * as shown.
   */
  until?: string;
  lockedUntil?: string;
  /** The balance: after a purchase, or as asked for. */
  balancePesewas?: number;
  /** How much of the balance is held, and how much is owed. */
  heldPesewas?: number;
  owedPesewas?: number;
  orderId?: number;
  neededPesewas?: number;
  /** What a closed switch says, and when it opens, if that is known. */
  closed?: { message: string; end: string | null };
  /** Why the SMS that would confirm this does not come; null or left out: it comes. */
  noSms?: NoSms;
  /** How to reach support. */
  support?: string;
};

/** The shop's website, as a host name. */
export type ShopFacts = { host: string };

/** Everything a screen is rendered from. */
export type Facts = {
  /** Renders a text by its key, in the caller's language. */
  t: Translate;
  /** The languages that the shop has turned on. */
  languages: readonly Language[];
  context: Context;
  msisdn: string;
  /** The code to dial, by the setting: *920*55#. */
  serviceCode: string;
  shop: ShopFacts;
};

/** A conversation during one request. */
export type Dialog = Facts & {
  db: Db;
  pinKeys: PinKeys;
  codeKeys: CodeKeys;
  by: ByUser;
  /** 0 on the screens of an unknown phone, until it is registered. */
  userId: number;
  /** The account may not spend yet: the code that confirms its phone was not typed. */
  awaitsCode: boolean;
  /** The user's PIN record, as read with the session. */
  pin: KnownPin | null;
  /** The account wants to be asked for its PIN before its balance or orders are shown. */
  requiresPin: boolean;
  /** The shop offers another purchase after one. */
  offersAnother: boolean;
  /** The caller's network, if the gateway names it. */
  network: Network | null;
  /** Whether the caller saw the screen that this input answers. Of inputs typed ahead, that is only the first. */
  isSeen: boolean;
  /** The idempotency key for this input: the same however often the request is sent. */
  key: { scope: "ussd"; key: string };
  /** A keyed digest of what was typed, which no other session has. */
  digestOf: (text: string) => string;
  /** Locks the session against its other requests. Call it before changing anything. */
  hold: () => Promise<void>;
};

/** Where an input leads. `notice` is shown above the screen, when an input was not understood or was refused. */
export type Step = {
  to: ScreenName;
  notice?: string;
  /** The screen asks something unexpected, so inputs typed ahead must not answer it. */
  isDetour?: boolean;
  /** A text to send by SMS as well. */
  receipt?: string;
};

/** What an input does. A named function, because the map of screens lists it by name. */
export type Action = (dialog: Dialog, answer: string) => Promise<Step> | Step;

/**
 * A way out of a screen: straight to another, or through an action to one of several. The first of these is the usual
 * one; only there do inputs typed ahead go on. Any other is a detour.
 */
export type Way = ScreenName | { action: Action; to: readonly ScreenName[] };

export type Choice = {
  digit: string;
  /** The key of a text, or the label itself. */
  label: PlainKey | ((facts: Facts) => string);
  way: Way;
  when?: (facts: Facts) => boolean;
  /** Not to be typed ahead: the same digit means something else at other times. */
  onlySeen?: boolean;
  /** It does something at once: the input that led to its screen is a copy, not an answer, when it comes again soon. */
  onlyRead?: boolean;
};

export type Line = { number: string; label: string };

export type Screen = {
  /** Its purpose, in a few words. */
  about: string;
  text: (facts: Facts) => string;
  choices?: readonly Choice[];
  /** Lines to choose from, on as many pages as they need; the action receives the index of the chosen one. */
  list?: { input: string; lines: (facts: Facts) => Line[]; way: Way };
  /** Free input. A PIN is `onlySeen`: it is accepted only from a caller who saw what it pays for. */
  typed?: { input: string; way: Way; onlySeen?: boolean; onlyRead?: boolean };
};

/** The way back or out: 0 on every screen. */
export function back(way: Way, label: PlainKey = "ussd.option.back"): Choice {
  return { digit: "0", label, way };
}

/** Whether a screen ends the session: it expects no input. */
export function isLast({ choices, list, typed }: Screen): boolean {
  return !choices && !list && !typed;
}
