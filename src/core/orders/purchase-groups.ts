// Requests to the purchase statement, and its verdicts.
import type { Tx } from "../../../db/connect.ts";
import type { Channel, Family, Operator } from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import type { OwnReference } from "../../shared/own-reference.ts";

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
