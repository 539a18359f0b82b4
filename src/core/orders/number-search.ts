// Search of orders by part of the recipient's number. The index has each order under every four digits in a row of its
// number, together with the block of ids that it belongs to. So a search reads the newest blocks first, and a page of
// what it finds costs the same however many orders there are.
import { and, like, max, or, type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";

/** A range of orders, both ends included. */
export type Ids = { from: number; to: number };

/** Two digits occur in almost every number. */
const DIGITS_MIN = 3;
const PART_DIGITS = 4;
/** Those of a number after its network's prefix, which many numbers have. */
const OWN_DIGITS = 7;

/**
 * The condition on orders in `ids` whose number (233541234567) has these digits: anywhere in its national part, or at
 * its beginning in national or international notation (054, 23354, 0023354). Undefined for fewer than three digits,
 * which match nothing.
 */
export function hasDigits(digits: string, ids: Ids): SQL | undefined {
  if (digits.length < DIGITS_MIN) return undefined;
  const national = beginningOf(digits);
  const anywhere = like(NATIONAL, `%${digits}%`);
  const wanted: [matches: SQL, digits: string][] = [[anywhere, digits]];
  if (national) wanted.push([like(orders.msisdn, `233${national}%`), national]);
  return or(
    ...wanted.map(([matches, part]) => (isInMany(part.length, ids) ? matches : isFound(matches, partsOf(part), ids))),
  );
}

/** Without the country code, whose last digits and a network's first ones would be found together. */
const NATIONAL = sql`substr(${orders.msisdn}, 4)`;

/** How many digits narrow a search for these down: a 0 or 233 before a number does not. */
export function digitsSought(digits: string): number {
  return (beginningOf(digits) ?? digits).length;
}

/** The beginning of a national number (541) that is typed with 0 or 233 before it; every number begins with 2 or 5. */
function beginningOf(digits: string): string | undefined {
  return /^(?:00233|233|0)([25]\d*)$/.exec(digits)?.[1];
}

/** The newest block may only just have begun. */
const BLOCKS_READ_IN_ORDER = 2;

/** Whether as many digits are those of many of the newest orders, which are faster read one after the other. */
export function isInMany(digitCount: number, ids: Ids): boolean {
  return digitCount <= DIGITS_MIN && blocksOf(ids).length <= BLOCKS_READ_IN_ORDER;
}

/** All orders up to now, for searches that are not read page by page. */
export async function allIds(db: Reads): Promise<Ids> {
  return { from: 0, to: await newestId(db) };
}

async function newestId(db: Reads): Promise<number> {
  const [newest] = await db.select({ id: max(orders.id) }).from(orders);
  return newest?.id ?? 0;
}

/** The migration's function `number_keys` has the same figures. */
const ORDERS_IN_BLOCK = 524_288;
const KEYS_IN_BLOCK = 16_384;

/** Whether the index finds an order. */
function isFound(matches: SQL, parts: number[][], ids: Ids): SQL | undefined {
  const conditions = parts.map((alternatives) => {
    const keys = blocksOf(ids).flatMap((block) => alternatives.map((part) => block * KEYS_IN_BLOCK + part));
    return sql`number_keys(${orders.id}, ${orders.msisdn}) && ${sql.param(keys)}::int[]`;
  });
  return and(...conditions, matches);
}

/** The parts that a number with these digits has; of each list at least one. */
function partsOf(digits: string): number[][] {
  if (digits.length < DIGITS_MIN) return [];
  // Three digits are the beginning of a part, or the end of the number's last one.
  if (digits.length === DIGITS_MIN) {
    const ten = [...Array(10).keys()];
    return [ten.flatMap((digit) => [Number(`${digits}${digit}`), Number(`${digit}${digits}`)])];
  }
  // The first and the last one: hardly a number has both, and not what is between.
  const both = [digits.slice(0, PART_DIGITS), digits.slice(-PART_DIGITS)];
  return [...new Set(both)].map((part) => [Number(part)]);
}

function blocksOf({ from, to }: Ids): number[] {
  const [first, last] = [from, to].map((id) => Math.floor(Math.max(0, id) / ORDERS_IN_BLOCK)) as [number, number];
  return [...Array(last - first + 1).keys()].map((step) => last - step);
}

/**
 * Reads at most `limit` of the orders before `cursor` that a search by so many digits matches, newest first: `read` is
 * asked for those in the newest blocks, then in as many as should fill the page, and so on to the first order.
 */
export async function readNewest<Row>(
  db: Reads,
  digitCount: number,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
  read: (ids: Ids, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  let to = cursor ? cursor - 1 : await newestId(db);
  let blocks = blocksWith(limit, digitCount);
  while (to > 0 && found.length < limit) {
    const from = Math.max(0, (Math.floor(to / ORDERS_IN_BLOCK) - blocks + 1) * ORDERS_IN_BLOCK);
    found.push(...(await read({ from, to }, limit - found.length)));
    to = from - 1;
    // Twice what it took so far to find one, for each that is missing.
    blocks = Math.ceil((2 * blocks * limit) / found.length);
  }
  return found;
}

/** In how many of the newest blocks a third more orders than `limit` should have so many digits. */
function blocksWith(limit: number, digitCount: number): number {
  if (digitCount <= DIGITS_MIN) return BLOCKS_READ_IN_ORDER;
  const places = Math.max(0, OWN_DIGITS - digitCount + 1);
  const ordersInBlock = (ORDERS_IN_BLOCK * places) / 10 ** digitCount;
  // The newest block is half full on average.
  return Math.ceil((1.3 * limit) / ordersInBlock + 0.5);
}
