// The evidence: the clients' answers, the database as a read-only user sees it, and the events at the providers.
import postgres from "postgres";
import type { Delivery } from "../../dev/simulators/vendors/vendors.ts";
import type { Operation } from "./operations.ts";

export type Order = {
  id: number;
  userId: number;
  msisdn: string;
  productId: number;
  quantity: number;
  amountPesewas: number;
  status: string;
  isPaid: boolean;
  /** When it was paid, in milliseconds by the shop's clock; null while it is unpaid. */
  paidAtMs: number | null;
  isRefunded: boolean;
  bulkOrderId: number | null;
};
export type Transfer = {
  id: number;
  userId: number;
  debit: string;
  credit: string;
  amountPesewas: number;
  reason: string;
  subjectId: number;
  balanceAfterPesewas: number | null;
};
/** The content of the database. */
export type Books = {
  orders: Order[];
  transfers: Transfer[];
  wallets: { userId: number; balancePesewas: number; heldPesewas: number; debtPesewas: number }[];
  payments: Payment[];
  reversals: Reversal[];
  /** Delivery attempts by vendors and the desk, and concerns for an admin. */
  attempts: Attempt[];
  /** The status before each order failed, and who failed it. */
  failures: Failure[];
  /** Orders that were delivered after they were refunded. */
  losses: { orderId: number; userId: number; amountPesewas: number }[];
};
export type Payment = {
  id: number;
  userId: number;
  amountPesewas: number;
  state: string;
  reference: string;
  /** The credited amount, if it differs from the requested one. */
  creditedPesewas: number | null;
  decision: string | null;
};
/**
 * Money that Paystack returned, or may return: a refund or a chargeback. Times are milliseconds by the shop's clock.
 */
export type Reversal = {
  id: number;
  paymentId: number;
  userId: number;
  kind: string;
  state: string;
  amountPesewas: number;
  heldPesewas: number;
  createdAtMs: number;
  endedAtMs: number | null;
};
/** A delivery attempt. Times are milliseconds by the shop's clock. */
export type Attempt = {
  orderId: number;
  vendor: string;
  state: string;
  concern: string | null;
  reference: string;
  batchId: number | null;
  sentAtMs: number | null;
  endedAtMs: number | null;
  /** Until when its vendor may hold it. */
  holdUntilMs: number | null;
};
export type Failure = { orderId: number; fromStatus: string; atMs: number; isByClock: boolean };
/**
 * What happened at the providers: the money that Paystack received and returned, the bundles that arrived on phones
 * from vendors or by hand, and the messages that arrived there.
 */
export type ProviderEvidence = {
  paid: Map<string, number>;
  wentBack: Map<string, number>;
  arrived: Delivery[];
  byHand: string[];
  texts: string[];
};
export type Evidence = {
  operations: Operation[];
  books: Books;
  providers: ProviderEvidence;
  openings: Map<number, number>;
};

/** Reads everything that the checker needs, in one snapshot, on a read-only connection. */
export async function readBooks(url: string): Promise<Books> {
  const sql = postgres(url, {
    max: 1,
    connection: { default_transaction_read_only: true },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  });
  try {
    return await sql.begin("isolation level repeatable read read only", async (tx) => ({
      orders: await tx<Order[]>`
        select id, user_id as "userId", '0' || substr(msisdn, 4) as msisdn, product_id as "productId", quantity,
               amount_pesewas as "amountPesewas", status, paid_at is not null as "isPaid",
               extract(epoch from paid_at)::float8 * 1000 as "paidAtMs",
               refunded_at is not null as "isRefunded", bulk_order_id as "bulkOrderId" from orders`,
      transfers: await tx<Transfer[]>`
        select id, user_id as "userId", debit, credit, amount_pesewas as "amountPesewas", reason,
               subject_id as "subjectId", balance_after_pesewas as "balanceAfterPesewas" from transfers order by id`,
      wallets: await tx<Books["wallets"]>`
        select user_id as "userId", balance_pesewas as "balancePesewas", held_pesewas as "heldPesewas",
               debt_pesewas as "debtPesewas" from wallets`,
      payments: await tx<Payment[]>`
        select id, user_id as "userId", amount_pesewas as "amountPesewas", state, reference,
               credited_pesewas as "creditedPesewas", decision from payments`,
      reversals: await tx<Reversal[]>`
        select id, payment_id as "paymentId", user_id as "userId", kind, state, amount_pesewas as "amountPesewas",
               held_pesewas as "heldPesewas", extract(epoch from created_at)::float8 * 1000 as "createdAtMs",
               extract(epoch from ended_at)::float8 * 1000 as "endedAtMs" from payment_reversals`,
      attempts: await tx<Attempt[]>`
        select order_id as "orderId", vendor, state, concern, reference, desk_batch_id as "batchId",
               extract(epoch from sent_at)::float8 * 1000 as "sentAtMs",
               extract(epoch from ended_at)::float8 * 1000 as "endedAtMs",
               extract(epoch from hold_until)::float8 * 1000 as "holdUntilMs" from attempts`,
      // The system has no name: what it fails without a report, it fails by a deadline.
      failures: await tx<Failure[]>`
        select order_id as "orderId", from_status as "fromStatus",
               extract(epoch from created_at)::float8 * 1000 as "atMs",
               by_user_id is null and kind is null as "isByClock" from order_events where to_status = 'FAILED'`,
      losses: await tx<Books["losses"]>`
        select order_id as "orderId", user_id as "userId", amount_pesewas as "amountPesewas" from losses`,
    }));
  } finally {
    await sql.end({ timeout: 5 });
  }
}
