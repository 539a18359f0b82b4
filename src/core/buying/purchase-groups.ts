// Lines of a purchase as received, requests to the purchase statement, and its verdicts, read from the rows that it
// returns.
import type { Tx } from "../../../db/connect.ts";
import { type Channel, type Family, limits, type Operator } from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import type { OwnReference } from "../../shared/orders/own-reference.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";

export type PurchaseLine = {
  productId: number;
  /** Stored form, 233541234567. */
  msisdn: string;
  quantity: number;
  /** When given, the product must belong to it. */
  operator?: Operator | undefined;
  /** The amount the buyer was shown; when given and different, the line is refused. */
  expectedPesewas?: number | undefined;
} & OwnReference;

/** A line as received, of the same fields: the number as typed, the quantity as sent. */
export type LineRequest = PurchaseLine;

/** Parses a line, with its number in stored form. Throws msisdn.invalid, order.quantity_invalid. */
export function readLine(line: LineRequest): PurchaseLine {
  const msisdn = parseMsisdn(line.msisdn);
  if (!msisdn) throw new AppError("msisdn.invalid", { fields: { msisdn: errors["msisdn.invalid"].message } });
  if (!isValidQuantity(line.quantity)) throw new AppError("order.quantity_invalid");
  return { ...line, msisdn };
}

/** As `readLine`, but null instead of an error. */
export function tryReadLine(line: LineRequest): PurchaseLine | null {
  const msisdn = parseMsisdn(line.msisdn);
  return msisdn && isValidQuantity(line.quantity) ? { ...line, msisdn } : null;
}

export function isValidQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= limits.quantityMax;
}

export type PurchaseGroup = {
  userId: number;
  channel: Channel;
  /** The API key that buys. */
  keyId?: number | undefined;
  bulk: boolean;
  allowDuplicate: boolean;
  key: { scope: string; key: string; fingerprint: string } | null;
  lines: PurchaseLine[];
  /** No earlier order of this account may have the references of this group and its lines. */
  isReferenceUnique?: boolean | undefined;
  /** Runs in the same transaction when this group is placed; if it throws, nothing is placed. */
  alongside?: ((tx: Tx, placed: Placed) => Promise<void>) | undefined;
  /** `reference` and `metadata` are those of the bulk order; a line has its own. */
} & OwnReference;

export type PlacedLine = {
  orderId: number;
  operator: Operator;
  family: Family | null;
  productName: string;
  productSize: string;
  volumeMb: number | null;
  unitPricePesewas: number;
  amountPesewas: number;
  tierId: number;
  /** What it is expected to cost the shop; null while not known. */
  costPesewas: number | null;
  balanceAfterPesewas: number;
};

export type Placed = {
  kind: "placed";
  bulkOrderId: number | null;
  placedAt: Date;
  deliverBy: Date | null;
  /** The part of the wallet that cannot be spent. */
  heldPesewas: number;
  lines: PlacedLine[];
};

/**
 * The statement's verdict on a group.
 * `known`: its idempotency key already has an answer. `again`: another group of the same statement was in its way; try
 * again. `stale`: the wallet is locked by others, or the statement began before another purchase of the same wallet was
 * committed, so that its view of earlier orders and keys is too old; try again with the wallet locked first.
 */
export type Verdict =
  | Placed
  | {
      kind: "refused";
      code: ErrorCode;
      lines: { index: number; code: ErrorCode }[];
      totalPesewas: number;
      balancePesewas: number;
      heldPesewas: number;
      /** What may still be spent today; null without a limit. */
      dayLeftPesewas: number | null;
      /** What its API key may still spend today; null without a key or a limit of its own. */
      keyLeftPesewas: number | null;
      /** The orders that can still be paid in this hour; null without a limit. */
      hourLeft: number | null;
    }
  | { kind: "known" }
  | { kind: "again" }
  | { kind: "stale" };

/** What a verdict has in common for all lines of its group. */
type Head = {
  verdict: string | null;
  total: number;
  balance_left: number;
  held: number;
  /** What may still be spent today, after the groups placed; null without a limit. */
  day_left: number | null;
  /** What its API key may still spend today, likewise; not there when no purchase of the statement is by key. */
  key_left?: number | null;
  /** The orders that could still be paid in this hour, before the groups placed; null without a limit. */
  hour_left: number | null;
  placed_at: string;
  deliver_by: string | null;
};

/** A product as it was offered to a buyer. */
type Offer = {
  operator: Operator;
  family: Family | null;
  name: string;
  size: string;
  volume_mb: number | null;
  price_pesewas: number;
  tier_id: number;
  cost_pesewas: number | null;
};

/** The row of a group of one line. */
export type PurchaseRow = Head &
  Offer & { refusal: ErrorCode | null; order_id: number | null; balance_after: number | null };

/** The row of a bulk order. */
export type BulkRow = Head & {
  bulk_order_id: number | null;
  /** "17,18,19", in the sequence of its lines; null where it is not placed. */
  order_ids: string | null;
  refusals: [index: number, code: ErrorCode][] | null;
  offers: (Offer & { n: number })[] | null;
};

/** The verdict on a purchase. */
export function verdictOf(row: PurchaseRow, { lines }: PurchaseGroup): Verdict {
  if (row.order_id === null) return refusalOf(row, 1, row.refusal ? [{ index: 0, code: row.refusal }] : []);
  const line = placedLine(row.order_id, row, lines[0]!, row.balance_after!);
  return { kind: "placed", bulkOrderId: null, ...placedAt(row), lines: [line] };
}

/** The verdict on a bulk order; `offerOfLine` is the number of each line's offer. */
export function bulkVerdictOf(row: BulkRow, { lines }: PurchaseGroup, offerOfLine: number[]): Verdict {
  if (row.order_ids === null)
    return refusalOf(
      row,
      lines.length,
      (row.refusals ?? []).map(([index, code]) => ({ index, code })),
    );
  const offers = new Map(row.offers!.map((offer) => [offer.n, offer]));
  let balancePesewas = row.balance_left + row.total;
  const placed = row.order_ids.split(",").map((orderId, index) => {
    const [offer, line] = [offers.get(offerOfLine[index]!)!, lines[index]!];
    balancePesewas -= offer.price_pesewas * line.quantity;
    return placedLine(Number(orderId), offer, line, balancePesewas);
  });
  return { kind: "placed", bulkOrderId: row.bulk_order_id, ...placedAt(row), lines: placed };
}

function placedAt({ placed_at, deliver_by, held }: Head) {
  return {
    placedAt: new Date(placed_at),
    deliverBy: deliver_by === null ? null : new Date(deliver_by),
    heldPesewas: held,
  };
}

function placedLine(
  orderId: number,
  offer: Offer,
  { quantity }: PurchaseLine,
  balanceAfterPesewas: number,
): PlacedLine {
  return {
    orderId,
    operator: offer.operator,
    family: offer.family,
    productName: offer.name,
    productSize: offer.size,
    volumeMb: offer.volume_mb,
    unitPricePesewas: offer.price_pesewas,
    amountPesewas: offer.price_pesewas * quantity,
    tierId: offer.tier_id,
    costPesewas: offer.cost_pesewas === null ? null : offer.cost_pesewas * quantity,
    balanceAfterPesewas,
  };
}

type Refusal = { index: number; code: ErrorCode };

function refusalOf(head: Head, lines: number, refused: Refusal[]): Exclude<Verdict, Placed> {
  const verdict = head.verdict ?? shortageOf(head, lines);
  if (verdict === "known" || verdict === "again" || verdict === "stale") return { kind: verdict };
  return {
    kind: "refused",
    code: verdict === "lines" ? refused[0]!.code : (verdict as ErrorCode),
    lines: refused,
    totalPesewas: head.total,
    balancePesewas: head.balance_left,
    heldPesewas: head.held,
    dayLeftPesewas: head.day_left,
    keyLeftPesewas: head.key_left ?? null,
    hourLeft: head.hour_left,
  };
}

/** What a group lacks; "again" when only the groups before it in this statement were in its way. */
function shortageOf(head: Head, lines: number): ErrorCode | "again" {
  if (head.total > head.balance_left - head.held) return "wallet.insufficient_balance";
  if (head.day_left !== null && head.total > head.day_left) return "order.daily_limit";
  if (head.total > (head.key_left ?? Infinity)) return "key.daily_limit";
  return head.hour_left !== null && lines > head.hour_left ? "order.hourly_limit" : "again";
}
