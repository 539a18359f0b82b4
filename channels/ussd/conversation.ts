// The kinds of things that a conversation is made of: screens, the ways between them, and what is known on the way.
import type { Db } from "../../db/connect.ts";
import type { KnownPin, PinKeys } from "../../src/core/identity/pins.ts";
import type { Unfinished } from "../../src/core/orders/unfinished-purchases.ts";
import type { By, Network, Operator, OrderStatus } from "../../src/shared/domain.ts";

export const SCREEN_NAMES = [
  "home",
  "operator",
  "bundles",
  "number",
  "recent",
  "other_network",
  "duplicate",
  "pay",
  "quantity",
  "not_on_sale",
  "bought",
  "short",
  "locked",
  "balance",
  "orders",
  "order",
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
  "account",
  "statement",
  "old_pin",
  "new_pin",
  "new_pin_again",
  "pin_changed",
  "help",
  "goodbye",
  "stranger",
  "no_pin",
  "banned",
  "wait",
  "busy",
  "failure",
] as const;
export type ScreenName = (typeof SCREEN_NAMES)[number];

/** A bundle as it was shown in this session, whatever becomes of it in the shop. */
export type Bundle = { id: number; operator: Operator; label: string; pricePesewas: number };
/** One in a list, under the number that it has on every day. */
export type Listed = Bundle & {
  number: number;
  /** "paused", "paused until 14:30"; null: it can be bought. */
  paused: string | null;
};

/** What somebody is about to buy. */
export type Buying = {
  bundle: Bundle;
  /** What it cost when it was chosen, where that has changed since. */
  wasPesewas: number | null;
  msisdn: string | null;
  quantity: number;
  /** Why it cannot be bought, where it is paused: "paused until 14:30". */
  paused?: string;
  /** They were told that the number looks like another network's, and that the same was bought a moment ago. */
  knowsNetwork: boolean;
  knowsDuplicate: boolean;
};

/** What somebody was about to buy when an earlier session ended, with a name for it. */
export type Offer = Unfinished & { name: string };

export type OrderShown = {
  id: number;
  status: OrderStatus;
  isPaid: boolean;
  isRefunded: boolean;
  operator: Operator;
  /** "iShare 1GB": without its network. */
  label: string;
  productId: number;
  msisdn: string;
  quantity: number;
  amountPesewas: number;
  at: string;
};

export type TopUp = { amountPesewas: number; network: Network | null; msisdn: string };

/** What a session knows. It is kept with the session, so no PIN is in it, and it is one row's JSON. */
export type Context = {
  /** Which page of a list is shown, from 0. */
  page?: number;
  operator?: Operator;
  shelves?: Partial<Record<Operator, Listed[]>>;
  buying?: Buying;
  offer?: Offer;
  recipients?: string[];
  orders?: OrderShown[];
  /** The order that is looked at, by its place in the list. */
  order?: number;
  topUp?: TopUp;
  /** A top-up that waits for its payer. */
  waiting?: { paymentId: number; amountPesewas: number; msisdn: string };
  /** Which words of the session's text were the old PIN and the new one. */
  pinWords?: { old?: number; new?: number };
  /** Until when a dispute is decided, and until when PINs are locked. */
  until?: string;
  lockedUntil?: string;
  /** Of a purchase or a balance that was asked for. */
  balancePesewas?: number;
  /** What of the balance is held, and what is owed. */
  heldPesewas?: number;
  owedPesewas?: number;
  orderId?: number;
  neededPesewas?: number;
  /** Where help is. */
  support?: string;
};

/** Where the shop is in the browser. */
export type ShopFacts = { host: string };

/** What a screen is made from. */
export type Facts = {
  context: Context;
  msisdn: string;
  /** What was dialled: *920*55#. */
  serviceCode: string;
  shop: ShopFacts;
};

/** A conversation in the middle of a request. */
export type Talk = Facts & {
  db: Db;
  pinKeys: PinKeys;
  by: By;
  userId: number;
  /** Their PIN, as it was read with the session. */
  pin: KnownPin | null;
  networkCode: string;
  /** Everything that was typed in the session, and the place of what is being answered; for this request only. */
  words: readonly string[];
  at: number;
  /** Whether the screen that is answered was shown: of what is typed ahead, only the first word answers such a screen. */
  isSeen: boolean;
  /** The key of what is done in answer to this word, the same however often the request comes. */
  key: { scope: "ussd"; key: string };
  /** To be called before anything is changed: keeps every other request of the session waiting. */
  hold: () => Promise<void>;
};

/** Where an answer leads. `say` goes above the screen, when an answer was not understood or refused. */
export type Step = {
  to: ScreenName;
  say?: string;
  /** It asks something that nobody could expect, so that what was typed ahead is no answer to it. */
  isDetour?: boolean;
  /** What is told by SMS as well. */
  receipt?: string;
};

/** What an answer does; named functions, because the map of all screens names them. */
export type Act = (talk: Talk, answer: string) => Promise<Step> | Step;

/**
 * Straight to a screen, or by an act to one of these: the first is where it leads as a rule, and what was typed ahead goes on
 * there alone. Anywhere else is a detour.
 */
export type Way = ScreenName | { act: Act; to: readonly ScreenName[] };

export type Choice = {
  digit: string;
  label: string | ((facts: Facts) => string);
  way: Way;
  when?: (facts: Facts) => boolean;
  /** Only whoever has seen the screen can choose it: typed ahead, it means something else another time. */
  onlySeen?: boolean;
};

export type Line = { number: string; words: string };

export type Screen = {
  /** What it is for, in a few words. */
  about: string;
  text: (facts: Facts) => string;
  choices?: readonly Choice[];
  /** Lines to choose from, on as many pages as they need; the act gets the place of the chosen one. */
  list?: { what: string; lines: (facts: Facts) => Line[]; way: Way };
  /** What is typed that is no choice; a PIN (`onlySeen`) is taken from whoever has seen what it is asked for. */
  typed?: { what: string; way: Way; onlySeen?: boolean };
};

/** The way back or out, which every screen has under the same digit. */
export function back(way: Way, label = "Back"): Choice {
  return { digit: "0", label, way };
}

/** A screen that waits for nothing is the last one. */
export function isLast({ choices, list, typed }: Screen): boolean {
  return !choices && !list && !typed;
}
