// What purchases ask for, and what becomes of them.
import type { Sql } from "../../../db/connect.ts";
import type { Channel, Family, Operator } from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";

export type PurchaseLine = {
  productId: number;
  /** Stored form, 233541234567. */
  msisdn: string;
  quantity: number;
  /** When given, the product must belong to it. */
  operator?: Operator | undefined;
  /** What the buyer was shown; when given and different, the line is refused. */
  expectedPesewas?: number | undefined;
};

export type PurchaseGroup = {
  userId: number;
  channel: Channel;
  bulk: boolean;
  allowDuplicate: boolean;
  key: { scope: string; key: string; fingerprint: string } | null;
  lines: PurchaseLine[];
  /** Written in the same commit, when this group is placed; what it throws leaves nothing placed. */
  alongside?: ((sql: Sql, placed: Placed) => Promise<void>) | undefined;
};

export type PlacedLine = {
  orderId: number;
  operator: Operator;
  family: Family | null;
  productName: string;
  productSize: string;
  volumeMb: number | null;
  unitPricePesewas: number;
  amountPesewas: number;
  balanceAfterPesewas: number;
};

export type Placed = {
  kind: "placed";
  bulkOrderId: number | null;
  placedAt: Date;
  deliverBy: Date | null;
  /** What of the wallet cannot be spent. */
  heldPesewas: number;
  lines: PlacedLine[];
};

/**
 * What became of a group.
 * `known`: its idempotency key has an answer already. `again`: another group of the same statement stood in its way;
 * ask again. `stale`: somebody else holds the wallet, or the statement began before another purchase of the same wallet was
 * committed, so that its view of earlier orders and keys is too old; ask again with the wallet locked first.
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
    }
  | { kind: "known" }
  | { kind: "again" }
  | { kind: "stale" };
