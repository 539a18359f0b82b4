// Addresses of pages that open with something filled in.
import type { Role } from "../shared/domain.ts";
import { localMsisdn, parseMsisdn } from "../shared/phones/msisdn.ts";
import { type Holder, isStaff } from "../shared/rights.ts";

/** A sale to fill in: its number (233541234567), bundle and quantity. */
type Sale = {
  msisdn?: string;
  productId?: number;
  quantity?: number;
  /** The same sale is wanted again on purpose. */
  again?: boolean;
};

/** The buying page with these values filled in: /buy?msisdn=0541234567&product=12 */
export function buyPath({ msisdn, productId, quantity, again }: Sale = {}): string {
  // Written out: the rows of a list have one each, and URLSearchParams would take longer than the rest of the row.
  const query = [
    msisdn && `msisdn=${encodeURIComponent(localMsisdn(msisdn))}`,
    productId && `product=${productId}`,
    quantity && quantity > 1 && `quantity=${quantity}`,
    again && "again=1",
  ].filter(Boolean);
  return query.length > 0 ? `/buy?${query.join("&")}` : "/buy";
}

/** An agent's page of one customer. The number is in the query, which no log keeps. */
export function customerPath(msisdn: string): string {
  return `/customer?number=${localMsisdn(msisdn)}`;
}

/** An agent's notes on an order: its customer, profit, and whether it is owing. */
export function notebookPath(orderId: number): string {
  return `/orders/${orderId}/notebook`;
}

/** A message for WhatsApp to this number (233541234567). */
export function whatsAppTo(msisdn: string, message: string): string {
  return `https://wa.me/${msisdn}?text=${encodeURIComponent(message)}`;
}

/** A message for WhatsApp, to whomever the sender chooses (WhatsApp's help centre, "How to use click to chat"). */
export function whatsAppPath(message: string): string {
  return `https://wa.me/?text=${encodeURIComponent(message)}`;
}

/** A chat on WhatsApp with this number, as people write it: 054 123 4567, or +233… */
export function whatsAppChatPath(number: string): string {
  return `https://wa.me/${parseMsisdn(number) ?? number.replace(/\D/g, "")}`;
}

/** Where somebody arrives who logs in: the desk and support at their work. */
export function homePath(person: Holder): string {
  if (!isStaff(person)) return "/dashboard";
  return HOMES.find(([role]) => person.roles.includes(role))?.[1] ?? "/admin";
}

const HOMES = [
  ["DESK", "/admin/desk"],
  ["SUPPORT", "/admin/support"],
] as const satisfies [Role, string][];
