// A screen as a person reads it: the answers it lists, what a PIN would pay for, and the numbers on it. It reads digits
// and names alone, so that neither another wording nor another order of the menus matters.
import type { Screen } from "../../dev/simulators/ussd-wires.ts";

/** What a right PIN on a screen agrees to, or a choice that leaves the payment to mobile money. */
export type Offer = {
  /** A new order of a bundle, an earlier order that is not paid yet, a top-up, or an order that a prompt is to pay. */
  kind: "bundle" | "order" | "top_up" | "prompt";
  orderId: number | null;
  bundle: Bundle | null;
  /** 233541234567: the recipient of a bundle, or the payer of a top-up. */
  msisdn: string | null;
  amountPesewas: number;
};
/** "MTN 1GB", and how many of it. */
export type Bundle = { name: string; quantity: number };

export type Reading = {
  screen: Screen;
  /** The digits before the listed answers. */
  options: string[];
  /** Whether it requests a PIN. */
  requestsPin: boolean;
  offer: Offer | null;
  bundle: Bundle | null;
  /** 233541234567. */
  numbers: string[];
  orderIds: number[];
  amountsPesewas: number[];
};

/** Orders are numbered from here, so that no other number on a screen looks like an order's. */
export const FIRST_ORDER_ID = 3_000_001;

/** Reads a screen. */
export function readScreen(screen: Screen): Reading {
  const { text } = screen;
  const numbers = numbersIn(text);
  const reading = {
    screen,
    numbers,
    options: screen.isOpen ? [...text.matchAll(/^(\d{1,3}) (?!\d{3} \d{4})\S/gm)].map(([, digits]) => digits!) : [],
    requestsPin: screen.isOpen && /\bPIN\b/.test(text),
    bundle: bundleIn(text),
    orderIds: [...text.matchAll(/\b3\d{6}\b/g)].map(([id]) => Number(id)),
    amountsPesewas: [...text.matchAll(/GHS (\d+)\.(\d\d)/g)].map(([, whole, rest]) => Number(`${whole}${rest}`)),
  };
  return { ...reading, offer: offerOn(reading) };
}

function offerOn(reading: Omit<Reading, "offer">): Offer | null {
  const { requestsPin, bundle, orderIds, amountsPesewas, numbers } = reading;
  const [amountPesewas] = amountsPesewas;
  if (!requestsPin || amountPesewas === undefined) return null;
  const [orderId = null] = orderIds;
  const kind = orderId !== null ? "order" : bundle ? "bundle" : "top_up";
  return { kind, orderId, bundle, msisdn: numbers[0] ?? null, amountPesewas };
}

/** The same format as in the lists: "2 x AT 1GB" is two of AT's 1GB. */
function bundleIn(text: string): Bundle | null {
  const found = /(?:\b(\d{1,3}) x )?\b(MTN|Telecel|AT) (\d+(?:\.\d+)?[GM]B)\b/.exec(text);
  return found && { name: `${found[2]} ${found[3]}`, quantity: Number(found[1] ?? 1) };
}

function numbersIn(text: string): string[] {
  return [...text.matchAll(/\b0\d{2} \d{3} \d{4}\b|\b0[25]\d{8}\b/g)].map(
    ([number]) => `233${number.replaceAll(" ", "").slice(1)}`,
  );
}
