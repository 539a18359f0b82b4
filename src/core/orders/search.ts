// What the words of a search mean for a list of orders. Whatever an order is known by finds it: a part of its number, its
// bundle, its network, its status, its id, a reference; for admins also whose it is.
import { and, eq, ilike, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { attempts, vendors } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { payments } from "../../../db/schema/payments.ts";
import { OPERATORS, type Operator, STATUSES } from "../../shared/domain.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import { containsDigits, isAmong } from "../platform/sql.ts";

/** Whose orders are searched: everybody's by an admin, or one user's own. */
export type Searcher = { isAdmin: boolean; userId: number | undefined };

/** Each word costs look-ups of its own; more than these are read as one name. */
const WORDS_MAX = 6;
/** So many users, products or references at most are meant by a part of one. */
const MEANT_MAX = 200;

/** The condition on `orders` for what somebody typed; undefined for nothing but spaces. All words must fit. */
export async function searchCondition(tx: Tx, typed: string, who: Searcher): Promise<SQL | undefined> {
  const words = typed.trim();
  if (words === "") return undefined;
  const whole = parseMsisdn(words);
  if (whole) return eq(orders.msisdn, whole);
  const parts = wordsOf(words);
  const each = await Promise.all(parts.slice(0, WORDS_MAX).map((part) => wordCondition(tx, part, who)));
  const all = parts.length <= WORDS_MAX ? and(...each) : undefined;
  const phrase = parts.length > 1 && who.isAdmin ? await ownedBy(tx, words) : undefined;
  return or(all, phrase, sql`false`);
}

/** "024 555 0012 mtn 1 gb" as 0245550012, mtn, 1gb. */
function wordsOf(words: string): string[] {
  return words
    .replace(/(?<![\w-])[+(]*\d[\d\s\-().]*(?![\w-])/g, (number) => `${number.replace(/[\s\-().]/g, "")} `)
    .replace(/(?<=\d)\s+(?=[gm]b\b)/gi, "")
    .trim()
    .split(/\s+/);
}

async function wordCondition(tx: Tx, word: string, who: Searcher): Promise<SQL> {
  const digits = word.replace(/[-()+#]/g, "");
  const byReference = await ordersByReference(tx, word, who);
  const meanings = /^\d+$/.test(digits)
    ? numberMeanings(word, digits, who)
    : [
        ...tradeMeanings(word),
        // "11GB" may be a part of a name, and is not what "1GB" means.
        SIZE.test(word) ? undefined : await ofProductNamed(tx, word),
        who.isAdmin ? await ownedBy(tx, word) : undefined,
      ];
  return or(...meanings, byReference, sql`false`)!;
}

/** Digits are a part of a number, or an id; an admin may mean a user's id. */
function numberMeanings(word: string, digits: string, who: Searcher): (SQL | undefined)[] {
  const isId = digits.length <= 15 && !/^[0+]/.test(word);
  return [
    isId ? eq(orders.id, Number(digits)) : undefined,
    isId && who.isAdmin ? eq(orders.userId, Number(digits)) : undefined,
    ...containsDigits(orders.msisdn, digits),
  ];
}

const SIZE = /^(\d{1,6}(?:\.\d{1,3})?)([GM])B$/i;
const ALSO_CALLED: Record<string, Operator> = { AT: "AIRTELTIGO", VODAFONE: "TELECEL" };

/** A size, a network or a status, as people write them. */
function tradeMeanings(word: string): (SQL | undefined)[] {
  const upper = word.toUpperCase();
  const plain = upper.replace(/[\s-]/g, "");
  // From three letters on the middle of a word is enough: "tigo".
  const fits = (known: string) => known.startsWith(plain) || (plain.length >= 3 && known.includes(plain));
  const operator = OPERATORS.filter((known) => fits(known) || ALSO_CALLED[plain] === known);
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

const contains = (words: string) => `%${words.replace(/[%_\\]/g, "\\$&")}%`;

async function ofProductNamed(tx: Tx, word: string): Promise<SQL | undefined> {
  const named = await tx
    .select({ id: products.id })
    .from(products)
    .where(ilike(products.name, contains(word)))
    .limit(MEANT_MAX);
  return oneOfThese(orders.productId, named);
}

/** A part of a username or of an e-mail address. */
async function ownedBy(tx: Tx, words: string): Promise<SQL | undefined> {
  const pattern = contains(words);
  const named = await tx
    .select({ id: users.id })
    .from(users)
    .where(or(ilike(users.username, pattern), ilike(users.email, pattern)))
    .orderBy(users.id)
    .limit(MEANT_MAX);
  return oneOfThese(orders.userId, named);
}

/** Shorter ones are no reference that anybody reads out. */
const REFERENCE_CHARS_MIN = 4;

/**
 * The orders that a payment or a delivery was for. An admin finds a payment by how its reference ends, because its last
 * four are what people read out; agents find their own payments by any part, and never a vendor's reference.
 */
async function ordersByReference(tx: Tx, word: string, who: Searcher): Promise<SQL | undefined> {
  if (word.length < REFERENCE_CHARS_MIN || !/^[\w.-]+$/.test(word)) return undefined;
  const paid = await tx
    .select({ id: payments.orderId })
    .from(payments)
    .where(and(sql`${payments.orderId} is not null`, referenceFits(word, who)))
    .limit(MEANT_MAX);
  const sent = who.isAdmin
    ? await tx
        .select({ id: attempts.orderId })
        .from(attempts)
        .where(
          or(
            eq(attempts.reference, word),
            and(
              // Named one by one, the index by vendor and reference is used.
              sql`${attempts.vendor} = any(array(select ${vendors.code} from ${vendors}))`,
              inArray(attempts.vendorReference, [...new Set([word, word.toUpperCase(), word.toLowerCase()])]),
            ),
          ),
        )
        .limit(MEANT_MAX)
    : [];
  return oneOfThese(orders.id, [...paid, ...sent] as { id: number }[]);
}

/** Whether a payment's reference is meant by a word; see `ordersByReference`. */
export function referenceFits(word: string, who: Searcher): SQL | undefined {
  // Ours are lower-case, whatever the keyboard made of them.
  const text = word.toLowerCase();
  if (!who.isAdmin)
    return and(eq(payments.userId, who.userId!), sql`strpos(${payments.reference}, ${text}) > 0`);
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
