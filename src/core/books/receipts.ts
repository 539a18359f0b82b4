// Receipts for an agent's customers: whoever has the link of an order's receipt sees its state, with no account. The
// token in the link is the order's id with a keyed digest of it, so that there is no table of links, and every link of
// an order is the same one.
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { CANCELLED } from "../../shared/orders/order-states.ts";
import type { Order } from "../orders/order.ts";
import { shopNameOf } from "../platform/sql.ts";
import { IS_REPORTED } from "../support/disputed-orders.ts";

/** The keys of the digests, newest first: the first makes links, and all verify them. */
export type ReceiptKeys = { signing: readonly string[] };

/** How long after its order a receipt can be read. */
export const RECEIPT_DAYS = 30;

const DIGEST_BYTES = 16;
/** The digest's length in base 36, which has no character that a messenger would leave out of a link. */
const DIGEST_CHARS = 25;
const TOKEN = new RegExp(`^[0-9a-z]{${DIGEST_CHARS}}[1-9a-z][0-9a-z]{0,9}$`);

/** The keys, derived from the secret that signs sessions and the previous one. */
export function receiptKeysOf(secret: string, previous: string | null = null): ReceiptKeys {
  const keyOf = (from: string) => createHmac("sha256", from).update("receipts").digest("base64url");
  return { signing: [secret, previous].filter((from) => from !== null).map(keyOf) };
}

/** The token of an order's receipt. */
export function tokenOf({ signing }: ReceiptKeys, orderId: number): string {
  return digestOf(signing[0]!, orderId) + orderId.toString(36);
}

/** What a receipt shows of an order: nothing of its price, of notes about it, or of its agent but their shop's name. */
export type Receipt = Pick<
  Order,
  "operator" | "family" | "productSize" | "quantity" | "msisdn" | "status" | "paidAt" | "createdAt"
> & {
  isCancelled: boolean;
  /** Its agent has reported that it has not arrived, and nobody has decided yet. */
  isReported: boolean;
  /** The name of its agent's shop, or null. */
  seller: string | null;
  deliveredAt: Date | null;
  expiresAt: Date;
};

/**
 * The receipt with this token; null for a token that is not ours, and for one older than RECEIPT_DAYS. Both take the
 * same work, so that neither the answer nor its time reveals which orders exist.
 */
export async function find(db: Db, keys: ReceiptKeys, token: string): Promise<Receipt | null> {
  const [row] = await db
    .select(FIELDS)
    .from(orders)
    .where(and(eq(orders.id, orderIdIn(keys, token)), gt(EXPIRES_AT, sql`now()`)));
  if (!row) return null;
  const { deliveredAt, expiresAt, ...order } = row;
  return {
    ...order,
    deliveredAt: deliveredAt === null ? null : new Date(deliveredAt),
    expiresAt: new Date(expiresAt),
  };
}

const EXPIRES_AT = sql<string>`${orders.createdAt} + make_interval(days => ${RECEIPT_DAYS})`;

const FIELDS = {
  operator: orders.operator,
  family: orders.family,
  productSize: orders.productSize,
  quantity: orders.quantity,
  msisdn: orders.msisdn,
  status: orders.status,
  paidAt: orders.paidAt,
  createdAt: orders.createdAt,
  isCancelled: sql<boolean>`coalesce(${orders.note} = ${CANCELLED}, false)`,
  isReported: IS_REPORTED,
  seller: shopNameOf(sql`orders.user_id`),
  deliveredAt: sql<string | null>`(
    select min(e.created_at) from order_events e
    where e.order_id = orders.id and e.to_status in ('DELIVERED', 'COMPLETED'))`,
  expiresAt: EXPIRES_AT,
};

/** The id of no order. */
const NOBODYS = 0;

/** The order's id in a token that one of the keys has made, else that of no order. Compares in constant time. */
function orderIdIn({ signing }: ReceiptKeys, token: string): number {
  const isWhole = TOKEN.test(token);
  const id = isWhole ? Number.parseInt(token.slice(DIGEST_CHARS), 36) : NOBODYS;
  const given = Buffer.from(isWhole ? token.slice(0, DIGEST_CHARS) : "0".repeat(DIGEST_CHARS));
  const matches = signing.map((key) => timingSafeEqual(given, Buffer.from(digestOf(key, id))));
  return isWhole && matches.includes(true) ? id : NOBODYS;
}

function digestOf(key: string, orderId: number): string {
  const digest = createHmac("sha256", key).update(String(orderId)).digest().subarray(0, DIGEST_BYTES);
  return BigInt(`0x${digest.toString("hex")}`)
    .toString(36)
    .padStart(DIGEST_CHARS, "0");
}
