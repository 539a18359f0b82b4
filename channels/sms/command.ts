// What an SMS to us asks for. People type it on keypads: case, spaces and points do not matter, and nothing is guessed.
import type { ProductOnSale } from "../../src/core/catalog/products.ts";
import { FAMILIES, familiesOf, familyOf, type Operator } from "../../src/shared/domain.ts";
import { parseMsisdn } from "../../src/shared/msisdn.ts";

export type Buy = {
  /** What was typed for the network or the kind of bundle, without spaces: MTN, AT, BIGTIME. */
  what: string;
  volumeMb: number;
  msisdn: string;
  pin: string;
  /** They were asked about something, such as that they bought the same a moment ago, and say YES. */
  isSure: boolean;
};
export type Command =
  | { name: "BAL" }
  | { name: "HELP" }
  /** Null: of the newest order. */
  | { name: "STATUS"; orderId: number | null }
  | { name: "BUY"; buy: Buy | null }
  | { name: "OTHER" };

/** Longer than any command; what comes after is not looked at. */
const CHARS_MAX = 320;

/** Reads a message; `buy` is null when it is a purchase that cannot be read in one way only. */
export function readCommand(text: string): Command {
  const typed = text
    .slice(0, CHARS_MAX)
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toUpperCase()
    .replace(/\s+/g, " ")
    .replace(/[\s.!?]+$/, "")
    .trimStart();
  if (/^B ?A ?L(?: ?A ?N ?C ?E)?$/.test(typed)) return { name: "BAL" };
  if (/^(?:HELP|MENU|INFO)$/.test(typed)) return { name: "HELP" };
  if (typed === "STATUS") return { name: "STATUS", orderId: null };
  const order = /^STATUS ?(?:OF )?(?:ORDER )?#?(\d{1,15})$/.exec(typed)?.[1];
  if (order) return { name: "STATUS", orderId: Number(order) };
  if (/^BUY/.test(typed)) return { name: "BUY", buy: readBuy(withoutFillers(typed.slice(3).trimStart())) };
  return { name: "OTHER" };
}

/** What people write around a number and a PIN, where nothing else can be meant: "to 0541234567 and my PIN is 4071". */
function withoutFillers(typed: string): string {
  return typed
    .replace(/ (?:TO|FOR) (?=[+\d])/, " ")
    .replace(/[ ,](?:AND |WITH )?(?:(?:MY |YOUR )?PIN(?: IS)?[ :]*|AND )(?=\d{4,6}(?:[ ,]*YES)?$)/, " ");
}

/** MTN 5GB 0541234567 4071, and YES behind it: the typed for what, the size, and the rest. */
const BUY = /^([A-Z][A-Z0-9 &-]{0,20}?) ?(\d{1,4}(?:\.\d{1,2})?) ?(?:(GB|MB|G|M)[ ,]*|[ ,]+)([^A-Z].*)$/;
/** 5GB MTN 0541234567 4071, where only a unit tells a size from any other number. */
const BUY_SIZE_FIRST =
  /^(\d{1,4}(?:\.\d{1,2})?) ?(GB|MB|G|M)(?: OF)?[ ,]+([A-Z][A-Z0-9 &-]{0,20}?)[ ,]+([^A-Z].*)$/;

function readBuy(typed: string): Buy | null {
  const first = BUY_SIZE_FIRST.exec(typed);
  const parts = first ? [first[0], first[3], first[1], first[2], first[4]] : BUY.exec(typed);
  if (!parts) return null;
  const [, what, size, unit = "GB", rest] = parts as unknown as [string, string, string, string?, string?];
  const recipient = readRecipient(rest!.replace(/(?<![A-Z])YES(?![A-Z])/, " ").trim());
  const volumeMb = Math.round(Number(size) * (unit.startsWith("G") ? 1000 : 1));
  if (!recipient || volumeMb === 0) return null;
  return { what: squeezed(what), volumeMb, ...recipient, isSure: /(?<![A-Z])YES(?![A-Z])/.test(rest!) };
}

/** A number and a PIN, in this order: with a space between them, or written together with all of the number's digits. */
function readRecipient(text: string): { msisdn: string; pin: string } | null {
  const spaced = /^(.+)[ ,]([0-9]{4,6})$/.exec(text);
  const together = /^\+?(0[25][0-9]{8}|233[25][0-9]{8})([0-9]{4,6})$/;
  const [, number, pin] = spaced ?? together.exec(text.replace(/[ ,.-]/g, "")) ?? [];
  const msisdn = parseMsisdn(number?.replaceAll(",", " ") ?? "");
  return msisdn && pin !== undefined ? { msisdn, pin } : null;
}

/** What people call the operators. */
const OPERATOR_OF: Record<string, Operator> = {
  MTN: "MTN",
  TELECEL: "TELECEL",
  VODAFONE: "TELECEL",
  VODA: "TELECEL",
  AT: "AIRTELTIGO",
  AIRTELTIGO: "AIRTELTIGO",
  AIRTEL: "AIRTELTIGO",
  TIGO: "AIRTELTIGO",
};

/** The bundles that typed mean: all of an operator, or those of a kind, by its name with or without the operator's, or by its family. */
export function bundlesFor(what: string, onSale: ProductOnSale[]): ProductOnSale[] {
  const operator = OPERATOR_OF[what];
  return onSale.filter((product) => product.operator === operator || kindsOf(product).includes(what));
}

/** How a kind of bundle is named in a message: BIGTIME for "AT Big Time". */
export function kindOf(product: ProductOnSale): string {
  return kindsOf(product).at(-1)!;
}

function kindsOf(product: ProductOnSale): string[] {
  const named = kindsByName(product);
  if (familiesOf(product.operator).length === 1) return named;
  const family = FAMILIES[familyOf(product)].name;
  return [...named, squeezed(family), squeezed(family.split(" ").slice(1).join(""))];
}

function kindsByName({ name }: ProductOnSale): string[] {
  const [first, ...more] = name.toUpperCase().split(/\s+/);
  const isNamed = first !== undefined && OPERATOR_OF[first] !== undefined && more.length > 0;
  return isNamed ? [squeezed(name), squeezed(more.join(""))] : [squeezed(name)];
}

function squeezed(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
