// The parser of SMS commands. People type on keypads, so case, spaces and full stops do not matter; nothing is guessed.
import type { ProductOnSale } from "../../src/core/catalog/products.ts";
import {
  familiesOf,
  familyName,
  familyOf,
  findFamily,
  guessOperator,
  lettersAndDigits,
  operatorCalled,
  operatorName,
} from "../../src/shared/operators.ts";
import { parseMsisdn } from "../../src/shared/phones/msisdn.ts";

export type PurchaseCommand = {
  /** What was typed for the network or the kind of bundle, without spaces: MTN, AT, BIGTIME. */
  bundleName: string;
  volumeMb: number;
  msisdn: string;
  pin: string;
  /** The message says YES, in reply to a warning such as "you bought the same a moment ago". */
  isConfirmed: boolean;
};
export type Command =
  | { name: "BAL" }
  | { name: "HELP" }
  /** No more notices by SMS, and notices again. */
  | { name: "STOP" }
  | { name: "START" }
  /** `orderId` null: the newest order. */
  | { name: "STATUS"; orderId: number | null }
  | { name: "BUY"; buy: PurchaseCommand | null }
  | { name: "OTHER" };

/** Longer than any command; the rest is ignored. */
const CHARS_MAX = 320;

/**
 * Parses a message. `buy` is null for a purchase that is incomplete or ambiguous. What a phone adds around a command is
 * left out: quotes, emoji, "Fwd:", and a signature below it.
 */
export function readCommand(text: string): Command {
  const lines = linesIn(text);
  const whole = commandIn(lines.join(" "));
  const [first, ...below] = lines;
  return isUnclear(whole) && isSignature(below.join(" ")) ? commandIn(first!) : whole;
}

/** The lines in capitals, without what phones and people put around them. */
function linesIn(text: string): string[] {
  return text
    .slice(0, CHARS_MAX)
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Mn}\p{Me}]/gu, "")
    .replace(/[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu, " ")
    .replace(/["'`´*_~\p{Pi}\p{Pf}\p{Ps}\p{Pe}]/gu, " ")
    .replace(/\p{Pd}/gu, "-")
    .toUpperCase()
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) =>
      line
        .replace(/\s+/g, " ")
        .replace(/^(?:[\s>•·-]|(?:FWD?|RE|TR) ?: ?)+/, "")
        .replace(/[\s.!?]+$/, ""),
    )
    .filter((line) => line !== "");
}

function commandIn(typed: string): Command {
  if (/^B ?A ?L(?: ?A ?N ?C ?E)?$/.test(typed)) return { name: "BAL" };
  if (/^(?:HELP|MENU|INFO)$/.test(typed)) return { name: "HELP" };
  if (/^(?:STOP(?: ?ALL)?|UNSUBSCRIBE)$/.test(typed)) return { name: "STOP" };
  if (/^(?:START|UNSTOP)$/.test(typed)) return { name: "START" };
  if (typed === "STATUS") return { name: "STATUS", orderId: null };
  const order = /^STATUS ?(?:OF )?(?:ORDER )?#?(\d{1,15})$/.exec(typed)?.[1];
  if (order) return { name: "STATUS", orderId: Number(order) };
  if (/^BUY/.test(typed)) return { name: "BUY", buy: readBuy(withoutFillers(typed.slice(3).trimStart())) };
  // A network, a size, a number and a PIN are a purchase, though BUY was forgotten.
  const buy = readBuy(withoutFillers(typed));
  return buy && operatorCalled(buy.bundleName) ? { name: "BUY", buy } : { name: "OTHER" };
}

function isUnclear(command: Command): boolean {
  return command.name === "OTHER" || (command.name === "BUY" && command.buy === null);
}

/** Whether the lines below a command can only be a signature or thanks: no figures, and nothing that takes it back. */
function isSignature(below: string): boolean {
  if (below === "") return false;
  if (/^SENT (?:FROM|VIA|WITH|BY) |^GET OUTLOOK /.test(below)) return true;
  return (
    !/\d/.test(below) &&
    !/(?<![A-Z])(?:NOT?|DON ?T|STOP|CANCEL|WRONG|IGNORE|WAIT|SORRY|NEVER|MISTAKE|BUY|YES)(?![A-Z])/.test(below)
  );
}

/** Drops the filler around a number and a PIN where it is unambiguous: "to 0541234567 and my PIN is 4071". */
function withoutFillers(typed: string): string {
  return typed
    .replace(/ (?:TO|FOR) (?=[+\d])/, " ")
    .replace(/[ ,](?:AND |WITH )?(?:(?:MY |YOUR )?PIN(?: IS)?[ :]*|AND )(?=\d{4,6}(?:[ ,]*YES)?$)/, " ");
}

/** "MTN 5GB 0541234567 4071", perhaps with YES: the network or kind, the size, its unit, and the rest. */
const BUY = /^([A-Z][A-Z0-9 &-]{0,20}?) ?(\d{1,4}(?:\.\d{1,2})?) ?(?:(GB|MB|G|M)[ ,]*|[ ,]+)([^A-Z].*)$/;
/** "5GB MTN 0541234567 4071"; the unit is required, because only it marks the first number as a size. */
const BUY_SIZE_FIRST = /^(\d{1,4}(?:\.\d{1,2})?) ?(GB|MB|G|M)(?: OF)?[ ,]+([A-Z][A-Z0-9 &-]{0,20}?)[ ,]+([^A-Z].*)$/;

/** "0541234567 5GB 4071": the number's prefix names the network. */
const BUY_NUMBER_FIRST = /^(\+?\d[\d -]{7,14}\d)[ ,]+(\d{1,4}(?:\.\d{1,2})?) ?(GB|MB|G|M)[ ,]+([^A-Z].*)$/;

function readBuy(typed: string): PurchaseCommand | null {
  const [, number, size, unit, rest] = BUY_NUMBER_FIRST.exec(typed) ?? [];
  const operator = guessOperator(parseMsisdn(number ?? "") ?? "");
  return operator
    ? readOrdered(`${operatorName(operator).toUpperCase()} ${size}${unit} ${number} ${rest}`)
    : readOrdered(typed);
}

function readOrdered(typed: string): PurchaseCommand | null {
  const first = BUY_SIZE_FIRST.exec(typed);
  const parts = first ? [first[0], first[3], first[1], first[2], first[4]] : BUY.exec(typed);
  if (!parts) return null;
  const [, bundleName, size, unit = "GB", rest] = parts as unknown as [string, string, string, string?, string?];
  const recipient = readRecipient(rest!.replace(/(?<![A-Z])YES(?![A-Z])/, " ").trim());
  const volumeMb = Math.round(Number(size) * (unit.startsWith("G") ? 1000 : 1));
  if (!recipient || volumeMb === 0) return null;
  return {
    bundleName: lettersAndDigits(bundleName),
    volumeMb,
    ...recipient,
    isConfirmed: /(?<![A-Z])YES(?![A-Z])/.test(rest!),
  };
}

/** A phone number followed by a PIN, either separated by a space or run together after a full-length number. */
function readRecipient(text: string): { msisdn: string; pin: string } | null {
  const spaced = /^(.+)[ ,]([0-9]{4,6})$/.exec(text);
  const together = /^\+?(0[25][0-9]{8}|233[25][0-9]{8})([0-9]{4,6})$/;
  const [, number, pin] = spaced ?? together.exec(text.replace(/[ ,.-]/g, "")) ?? [];
  const msisdn = parseMsisdn(number?.replaceAll(",", " ") ?? "");
  return msisdn && pin !== undefined ? { msisdn, pin } : null;
}

/**
 * The bundles on sale that `bundleName` names: all of an operator's, or those of one kind, by the kind's name with or
 * without the operator's, or by its family. A name that an operator shares with one of its families means the family.
 */
export function bundlesFor(bundleName: string, onSale: ProductOnSale[]): ProductOnSale[] {
  const operator = operatorCalled(bundleName);
  const namesakes = onSale.filter(
    (product) => product.operator === operator && lettersAndDigits(familyName(familyOf(product))) === bundleName,
  );
  if (namesakes.length > 0) return namesakes;
  return onSale.filter((product) => product.operator === operator || kindsOf(product).includes(bundleName));
}

/** The name of a bundle's kind in a command: BIGTIME for "AT Big Time". */
export function kindOf(product: ProductOnSale): string {
  return kindsOf(product).at(-1)!;
}

function kindsOf(product: ProductOnSale): string[] {
  const named = kindsByName(product);
  if (familiesOf(product.operator).length === 1) return named;
  const { name, aliases } = findFamily(familyOf(product))!;
  const called = [name, ...aliases, name.split(" ").slice(1).join("")].map(lettersAndDigits).filter(Boolean);
  return [...named, ...called];
}

function kindsByName({ name }: ProductOnSale): string[] {
  const [first, ...more] = name.toUpperCase().split(/\s+/);
  const isNamed = first !== undefined && operatorCalled(first) !== null && more.length > 0;
  return isNamed ? [lettersAndDigits(name), lettersAndDigits(more.join(""))] : [lettersAndDigits(name)];
}
