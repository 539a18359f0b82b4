// Values that people type: plausible by the name of a field, right by its schema, or hostile.
import type { Subject } from "../../src/http/subject.ts";
import { ROLES } from "../../src/shared/domain.ts";
import type { JsonSchema } from "../api/generate.ts";
import { type Insider, PASSWORD, type Random } from "./rig.ts";
import type { Deposit, Ids } from "./subjects.ts";

/** What somebody knows who fills something in. */
export type Hand = { random: Random; ids: Ids; deposits: Deposit[]; me: Insider | null; people: Insider[] };

/** Amounts in GH₵ around the limits of what one person may do. */
const AMOUNTS = [
  ...[0.01, 1, 5, 40, 50, 99.99, 120, 150, 199.99, 200, 200.01, 450, 900, 999.99, 1000, 1000.01, 1900],
  ...[2000, 2000.01, 2500, 4999, 5000, 5000.01, 9000, 40_000, 1_000_000],
];

export const one = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

/** One of a list that begins with what matters most. */
export const early = <T>(random: Random, list: readonly T[]): T => list[random(random(list.length) + 1)]!;

const newId = ({ random }: Hand, n: number) => Array.from({ length: n }, () => random(10)).join("");

const idOf = (hand: Hand, subject: Subject) => Number(early(hand.random, hand.ids[subject]) ?? 1);

/** Anybody, and often oneself. */
function somebody(hand: Hand): number {
  const { random, me, people } = hand;
  if (me && random(5) === 0) return me.id;
  return random(2) === 0 ? one(random, people).id : idOf(hand, "user");
}

const TEXTS = [
  ...["Receipt 118", "The customer called and says that nothing came", "Agreed with the owner on the phone"],
  ...["ok", "x".repeat(280), "<b>now</b>'; drop table wallets; --", "Paid in cash at the office, 10:04"],
];

type Maker = (hand: Hand, schema: JsonSchema | undefined) => unknown;

/** Values by the names of fields, the first that fits. */
const BY_NAME: [name: RegExp, make: Maker][] = [
  [/^(userId|toUserId|fromUserId|user|ownerId|with)$/, somebody],
  [/^productId$/, (hand) => idOf(hand, "product")],
  [/^tierId$/, (hand) => Number(one(hand.random, ["1", ...hand.ids.tier]))],
  [/^ids$/, (hand) => Array.from({ length: 1 + hand.random(4) }, () => Number(one(hand.random, hand.ids.order)))],
  [/^orderId$/, (hand) => idOf(hand, "order")],
  [/^approvalId$/, (hand) => idOf(hand, "approval")],
  [/^(resultId|draftId|changeId|hookId)$/, (hand) => 1 + hand.random(20)],
  [/^(into|operator)$/, (hand) => one(hand.random, hand.ids.network)],
  [/^reference$/, (hand) => one(hand.random, hand.ids.paymentReference)],
  [
    /^(transactionId|originalId|reverses)$/,
    (hand) => early(hand.random, hand.deposits)?.transactionId ?? newId(hand, 11),
  ],
  [/^(amount|price|cost|expected|counted|perDay|balanceMax|moved)$/, money],
  [/pesewas$/i, (hand) => Math.round(one(hand.random, AMOUNTS) * 100)],
  [/^(reason|note|message|proof|summary|why|slip|description|pausedMessage)$/, ({ random }) => one(random, TEXTS)],
  [/^(password|confirmPassword|currentPassword|confirmation)$/, () => PASSWORD],
  [/^username$/, (hand) => `p-${newId(hand, 6)}`],
  [/^email$/, (hand) => `p-${newId(hand, 6)}@example.com`],
  [/^roles$/, ({ random }) => [one(random, ROLES)]],
  [/^role$/, ({ random }) => one(random, ROLES)],
  [/^msisdn$|^phone$/, ({ random }) => `054${1_000_000 + random(40)}`],
  [/^(until|pausedUntil|from|since)$/, ({ random }) => (random(2) ? null : "2027-11-21T14:30:00Z")],
  [/^confirm$|^isConfirmed$/, () => true],
  [
    /^pasted$/,
    (hand) => {
      const { transactionId = newId(hand, 11), amount = 50 } = early(hand.random, hand.deposits) ?? {};
      return (
        `Payment received for GHS ${amount.toFixed(2)} from KOFI MENSAH Current Balance: GHS 9,000.00 . ` +
        `Available Balance: GHS 9,000.00. Reference: data. Transaction ID: ${transactionId}. TRANSACTION FEE: 0.00`
      );
    },
  ],
  [/^quantity$/, ({ random }) => 1 + random(3)],
];

/** An amount, taken away rather than given where that can be said. */
function money({ random }: Hand, schema: JsonSchema | undefined): number {
  const amount = one(random, AMOUNTS);
  const isSigned = schema?.minimum === undefined || schema.minimum < 0;
  return isSigned && schema && random(3) === 0 ? -amount : amount;
}

/** What somebody would plausibly type into a field; undefined for one that says nothing by its name. */
export function plausible(hand: Hand, name: string, schema?: JsonSchema): unknown {
  const allowed = choicesOf(schema);
  if (allowed) return one(hand.random, allowed);
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1](hand, schema);
}

function choicesOf(schema: JsonSchema | undefined): readonly unknown[] | null {
  if (!schema) return null;
  if ("const" in schema) return [schema.const];
  if (schema.enum) return schema.enum;
  const choices = schema.anyOf ?? schema.oneOf;
  const known = choices?.map(choicesOf);
  return known?.every((some) => some !== null) ? known.flat() : null;
}

const HOSTILE = [
  ...[null, "", 0, -1, 1.005, 1e308, 2 ** 53, true, [], {}, "0x10", "1e3", "-0", "NaN", " 5 ", "٥", "\u202e1"],
  ...["' or 1=1 --", "x".repeat(5_000), ["1", "2"], { $gt: 0 }],
];

/** What nobody types by mistake. */
export const hostile = ({ random }: Hand): unknown => one(random, HOSTILE);

/** A value for a schema, from an example where there is one. */
export function valueFor(hand: Hand, name: string, schema: JsonSchema, example?: unknown): unknown {
  const { random } = hand;
  const typed = plausible(hand, name, schema);
  if (typed !== undefined && (example === undefined || random(4) > 0)) return typed;
  const branch = schema.anyOf ?? schema.oneOf;
  if (branch && example === undefined) return valueFor(hand, name, one(random, branch));
  if (schema.properties && (example === undefined || isRecord(example)))
    return objectFor(hand, schema, example as Record<string, unknown> | undefined);
  if (schema.items) {
    const examples = Array.isArray(example) ? example : [undefined];
    const count = Math.max(schema.minItems ?? 0, 1 + random(2));
    return Array.from({ length: count }, () => valueFor(hand, "", schema.items!, one(random, examples)));
  }
  return example ?? bare(hand, schema);
}

/** An object with what it must have, what its example has, and sometimes more. */
export function objectFor(
  hand: Hand,
  { properties = {}, required = [] }: JsonSchema,
  example: Record<string, unknown> = {},
): Record<string, unknown> {
  const { random, deposits } = hand;
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || (name in example && random(8) > 0) || random(6) === 0,
  );
  const made = Object.fromEntries(names.map((name) => [name, valueFor(hand, name, properties[name]!, example[name])]));
  // A line of the statement that an agent has reported.
  const claim = deposits.length > 0 && random(3) > 0 ? early(random, deposits) : null;
  if (claim && "transactionId" in made && "amount" in made) return { ...made, ...claim };
  return made;
}

function bare({ random }: Hand, { type, minimum, minLength = 0, maxLength = 40 }: JsonSchema): unknown {
  switch (Array.isArray(type) ? type[0] : type) {
    case "integer":
      return (minimum ?? 0) + random(20);
    case "number":
      return one(random, AMOUNTS);
    case "boolean":
      return random(2) === 0;
    case "null":
      return null;
    default:
      return one(random, TEXTS).slice(0, maxLength).padEnd(minLength, "x");
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
