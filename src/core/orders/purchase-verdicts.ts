// The rows that the purchase statement returns, read as the verdicts on its groups.
import type { Family, Operator } from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import type { Placed, PurchaseGroup, Verdict } from "./purchase-groups.ts";

/** A line; with its product where it is no line of a bulk order. */
export type Row = Sold & {
  g: number;
  refusal: ErrorCode | null;
  order_id: number | null;
  balance_after: number | null;
  /** With the first row of all, if there is a bulk order: the products by buyer. */
  offers: (Sold & { user_id: number; product_id: number })[] | null;
} & Head;

/** What a group's lines have in common, on the first of them. */
type Head = {
  verdict: string | null;
  bulk_order_id: number | null;
  total: number;
  balance_left: number;
  held: number;
  /** What a new account may still spend today; null without that limit. */
  day_left: number | null;
  placed_at: string;
  deliver_by: string | null;
};

type Sold = {
  operator: Operator;
  family: Family | null;
  name: string;
  size: string;
  volume_mb: number | null;
  price_pesewas: number;
  tier_id: number;
  cost_pesewas: number | null;
};

type Offers = Map<string, Sold>;

/** The key of a product for a buyer. */
export const keyOf = (userId: number, productId: number) => `${userId} ${productId}`;

/** The products that a statement's bulk orders name. */
export function offersIn([first]: Row[]): Offers {
  return new Map((first?.offers ?? []).map((offer) => [keyOf(offer.user_id, offer.product_id), offer]));
}

/** The verdict on a group: its rows in the order of its lines. */
export function verdictOf(rows: Row[], group: PurchaseGroup, offers: Offers): Verdict {
  return rows[0]!.order_id === null ? refusalOf(rows) : placedOf(rows, group, offers);
}

function placedOf(rows: Row[], { userId, bulk, lines }: PurchaseGroup, offers: Offers): Placed {
  const head: Head = rows[0]!;
  return {
    kind: "placed",
    bulkOrderId: head.bulk_order_id,
    placedAt: new Date(head.placed_at),
    deliverBy: head.deliver_by === null ? null : new Date(head.deliver_by),
    heldPesewas: head.held,
    lines: rows.map((row, index) => {
      const { productId, quantity } = lines[index]!;
      const sold = bulk ? offers.get(keyOf(userId, productId))! : row;
      return {
        orderId: row.order_id!,
        operator: sold.operator,
        family: sold.family,
        productName: sold.name,
        productSize: sold.size,
        volumeMb: sold.volume_mb,
        unitPricePesewas: sold.price_pesewas,
        amountPesewas: sold.price_pesewas * quantity,
        tierId: sold.tier_id,
        costPesewas: sold.cost_pesewas === null ? null : sold.cost_pesewas * quantity,
        balanceAfterPesewas: row.balance_after!,
      };
    }),
  };
}

function refusalOf(rows: Row[]): Exclude<Verdict, Placed> {
  const head: Head = rows[0]!;
  const isShort = head.total > head.balance_left - head.held;
  const isBeyondDay = head.day_left !== null && head.total > head.day_left;
  const verdict =
    head.verdict ?? (isShort ? "wallet.insufficient_balance" : isBeyondDay ? "order.daily_limit" : "again");
  if (verdict === "known" || verdict === "again" || verdict === "stale") return { kind: verdict };
  const refused = rows.flatMap((row, index) => (row.refusal ? [{ index, code: row.refusal }] : []));
  return {
    kind: "refused",
    code: verdict === "lines" ? refused[0]!.code : (verdict as ErrorCode),
    lines: refused,
    totalPesewas: head.total,
    balancePesewas: head.balance_left,
    heldPesewas: head.held,
    dayLeftPesewas: head.day_left,
  };
}
