// Search of orders by free text: part of the phone number, bundle, network, status, id or a reference; for agents also
// their names of customers, for admins the agent.
import { and, between, desc, eq, ilike, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { attempts, vendors } from "../../../db/schema/fulfilment.ts";
import { contacts, users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { payments } from "../../../db/schema/payments.ts";
import { STATUSES } from "../../shared/domain.ts";
import { allFamilies, allOperators, lettersAndDigits } from "../../shared/operators.ts";
import { REFERENCE } from "../../shared/orders/own-reference.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { isAmong } from "../platform/sql.ts";
import { digitsSought, hasDigits, type Ids } from "./number-search.ts";

/** Whose orders are searched: everybody's by an admin, or one user's own. */
export type Searcher = { isAdmin: true } | { isAdmin: false; userId: number };

/** Each word costs queries of its own; beyond this the text is read as one name. */
const WORDS_MAX = 6;
/** The most users, products or references that part of one can match. */
const MATCHES_MAX = 200;

/** How many digits of a number were typed; 0 for a whole number and for other searches. */
export function digitsTyped(typed: string): number {
  if (parseMsisdn(typed.trim())) return 0;
  const parts = termsOf(typed.trim())
    .map(digitsOf)
    .filter((term) => DIGITS.test(term));
  return Math.max(0, ...parts.map(digitsSought));
}

/** The condition on the orders with these ids. */
export type ConditionOn = (ids: Ids) => SQL | undefined;

/**
 * The condition for what was typed, all words of which must match; undefined for blanks. Agents, products and
 * references are looked up once, for as many ranges of orders as are searched.
 */
export async function searchCondition(tx: Reads, typed: string, searcher: Searcher): Promise<ConditionOn | undefined> {
  const text = typed.trim();
  if (text === "") return undefined;
  const msisdn = parseMsisdn(text);
  const byReference = await ordersReferenced(tx, text, searcher);
  if (msisdn) return () => or(eq(orders.msisdn, msisdn), byReference);
  const terms = termsOf(text);
  const conditions = await Promise.all(terms.slice(0, WORDS_MAX).map((term) => termCondition(tx, term, searcher)));
  const matchesName = terms.length > 1 && searcher.isAdmin ? await ownedBy(tx, text) : undefined;
  return (ids) => {
    const matchesAll =
      terms.length <= WORDS_MAX ? and(...conditions.map((conditionOn) => conditionOn(ids))) : undefined;
    return or(matchesAll, matchesName, byReference, sql`false`);
  };
}

const PRICE = /₵|\bghs?\b|\bcedis?\b|^\d+\.\d{2}$/i;
const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const DAY = new RegExp(`^\\d{1,2}/\\d{1,2}|\\d{1,2} ?(?:${MONTHS})|\\b(?:today|yesterday)\\b`, "i");

/** Why a text finds nothing, or less than it seems to ask for, with what to do instead; null for others. */
export function searchHint(typed: string): string | null {
  const text = typed.trim();
  const terms = termsOf(text);
  if (PRICE.test(text)) return "Prices cannot be searched. Try the number or the bundle, such as 1GB.";
  if (DAY.test(text)) return "For the orders of a day, choose dates under More.";
  if (terms.length > WORDS_MAX) return `Search for at most ${WORDS_MAX} words at once.`;
  if (terms.some((term) => /^\d{1,2}$/.test(term))) return "To find a phone number, type at least three of its digits.";
  return null;
}

/** "024 555 0012 1 gb mtn" as 0245550012, 1gb, mtn. */
function termsOf(text: string): string[] {
  return (
    text
      .replace(/(?<=\d)\s+(?=[gm]b\b)/gi, "")
      // Not "1.5GB", whose point is a part of it.
      .replace(/(?<![\w-])[+(]*\d[\d\s\-().]*(?![\w.-])/g, (number) => `${number.replace(/[\s\-().]/g, "")} `)
      .trim()
      .split(/\s+/)
  );
}

const DIGITS = /^\d+$/;
const digitsOf = (term: string) => term.replace(/[-()+#]/g, "");

async function termCondition(tx: Reads, term: string, searcher: Searcher): Promise<(ids: Ids) => SQL> {
  const digits = digitsOf(term);
  const byReference = await ordersByReference(tx, term, searcher);
  if (DIGITS.test(digits))
    return (ids) => or(...numberConditions(term, digits, searcher, ids), byReference, sql`false`)!;
  const condition = or(
    ...labelConditions(term),
    // Not for sizes: "1GB" must not match a name with "11GB".
    SIZE.test(term) ? undefined : await ofProductNamed(tx, term),
    searcher.isAdmin ? await ownedBy(tx, term) : await ofCustomerCalled(tx, searcher.userId, term),
    byReference,
    sql`false`,
  )!;
  return () => condition;
}

/** Digits: part of a phone number or an order's id; for admins also a user's id. */
function numberConditions(term: string, digits: string, searcher: Searcher, ids: Ids): (SQL | undefined)[] {
  const isId = digits.length <= 15 && !/^[0+]/.test(term);
  const isAnywhere = between(orders.id, ids.from, ids.to);
  return [
    isId ? eq(orders.id, Number(digits)) : undefined,
    isId && searcher.isAdmin ? and(eq(orders.userId, Number(digits)), isAnywhere) : undefined,
    hasDigits(digits, ids),
  ];
}

const SIZE = /^(\d{1,6}(?:\.\d{1,3})?)([GM])B$/i;

/** A size, a network or a status, as people type them. */
function labelConditions(term: string): (SQL | undefined)[] {
  const upper = term.toUpperCase();
  const plain = upper.replace(/[\s-]/g, "");
  // From three letters on, the middle of a name matches too: "tigo".
  const fits = (name: string) => name.startsWith(plain) || (plain.length >= 3 && name.includes(plain));
  const operator = allOperators()
    .filter(
      ({ code, name, aliases }) =>
        fits(code) || fits(name.toUpperCase()) || aliases.some((alias) => lettersAndDigits(alias) === plain),
    )
    .map(({ code }) => code);
  const status = STATUSES.filter(fits);
  const [, figure, unit] = SIZE.exec(upper) ?? [];
  const volumeMb = Math.round(Number(figure) * (unit === "G" ? 1000 : 1));
  return [
    figure ? eq(orders.volumeMb, volumeMb) : undefined,
    operator.length > 0 ? inArray(orders.operator, operator) : undefined,
    status.length > 0 ? inArray(orders.status, status) : undefined,
    upper === "UNPAID" ? and(isNull(orders.paidAt), eq(orders.status, "PENDING")) : undefined,
  ];
}

const contains = (text: string) => `%${text.replace(/[%_\\]/g, "\\$&")}%`;

/** By the bundle's own name, or that of its family, as screens call it: "AT BigTime". */
async function ofProductNamed(tx: Reads, term: string): Promise<SQL | undefined> {
  const plain = lettersAndDigits(term);
  const families = allFamilies().filter(({ name }) => plain.length >= 3 && lettersAndDigits(name).includes(plain));
  const named = await tx
    .select({ id: products.id })
    .from(products)
    .where(
      or(
        ilike(products.name, contains(term)),
        inArray(
          products.family,
          families.map(({ code }) => code),
        ),
      ),
    )
    .limit(MATCHES_MAX);
  return oneOfThese(orders.productId, named);
}

/** Orders for numbers with this text in the agent's name or note for them. */
async function ofCustomerCalled(tx: Reads, userId: number, term: string): Promise<SQL | undefined> {
  const pattern = contains(term);
  const called = await tx
    .select({ msisdn: contacts.msisdn })
    .from(contacts)
    .where(
      and(
        eq(contacts.userId, userId),
        isNull(contacts.removedAt),
        or(ilike(contacts.name, pattern), ilike(contacts.note, pattern)),
      ),
    )
    .limit(MATCHES_MAX);
  if (called.length === 0) return undefined;
  return sql`${orders.msisdn} = any(${sql.param(called.map(({ msisdn }) => msisdn))}::text[])`;
}

/** Orders of users with this text in their username or e-mail address. */
async function ownedBy(tx: Reads, text: string): Promise<SQL | undefined> {
  const pattern = contains(text);
  const named = await tx
    .select({ id: users.id })
    .from(users)
    .where(or(ilike(users.username, pattern), ilike(users.email, pattern)))
    .orderBy(users.id)
    .limit(MATCHES_MAX);
  return oneOfThese(orders.userId, named);
}

/** Orders to which a program gave exactly this reference: the agent's own, or anybody's for an admin. */
async function ordersReferenced(tx: Reads, text: string, searcher: Searcher): Promise<SQL | undefined> {
  if (!REFERENCE.test(text)) return undefined;
  const { id, reference, userId } = orders;
  const referenced = await tx
    .select({ id })
    .from(orders)
    .where(and(eq(reference, text), searcher.isAdmin ? undefined : eq(userId, searcher.userId)))
    .orderBy(desc(reference), desc(userId), desc(id))
    .limit(MATCHES_MAX);
  return oneOfThese(id, referenced);
}

/** References are read out by at least four characters. */
const REFERENCE_CHARS_MIN = 4;

/**
 * The orders of a payment or delivery with this reference. Admins find a payment by the end of its reference, whose
 * last four characters are what people read out; agents find their own payments by any part, and never a vendor's
 * reference.
 */
async function ordersByReference(tx: Reads, term: string, searcher: Searcher): Promise<SQL | undefined> {
  if (term.length < REFERENCE_CHARS_MIN || !/^[\w.-]+$/.test(term)) return undefined;
  const paid = await tx
    .select({ id: payments.orderId })
    .from(payments)
    .where(and(sql`${payments.orderId} is not null`, matchesReference(term, searcher)))
    .limit(MATCHES_MAX);
  const sent = searcher.isAdmin
    ? await tx
        .select({ id: attempts.orderId })
        .from(attempts)
        .where(
          or(
            eq(attempts.reference, term),
            and(
              // Listing the vendors makes the index by vendor and reference usable.
              sql`${attempts.vendor} = any(array(select ${vendors.code} from ${vendors}))`,
              inArray(attempts.vendorReference, [...new Set([term, term.toUpperCase(), term.toLowerCase()])]),
            ),
          ),
        )
        .limit(MATCHES_MAX)
    : [];
  return oneOfThese(orders.id, [...paid, ...sent] as { id: number }[]);
}

/** Whether a payment's reference matches a word; see `ordersByReference`. */
export function matchesReference(term: string, searcher: Searcher): SQL | undefined {
  // Our references are lower-case, whatever the keyboard capitalised.
  const text = term.toLowerCase();
  if (!searcher.isAdmin)
    return and(eq(payments.userId, searcher.userId), sql`strpos(${payments.reference}, ${text}) > 0`);
  return and(
    sql`right(${payments.reference}, 4) = ${text.slice(-REFERENCE_CHARS_MIN)}`,
    sql`right(${payments.reference}, ${text.length}) = ${text}`,
  );
}

function oneOfThese(
  column: typeof orders.id | typeof orders.userId | typeof orders.productId,
  rows: { id: number }[],
): SQL | undefined {
  if (rows.length === 0) return undefined;
  return isAmong(
    column,
    rows.map(({ id }) => id),
  );
}
