// The orders that wait for a vendor, by bundle: how many, how much money, since when and until when; and those that it
// may have, or has confirmed, which stay with it.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { DESK, type Family, type Operator } from "../../shared/domain.ts";
import { isAfterRestore } from "./restore.ts";

export type WaitingBundle = {
  productId: number;
  operator: Operator;
  family: Family | null;
  productSize: string;
  count: number;
  pesewas: number;
  /** When the first of these was paid. */
  since: Date;
  /** The nearest delivery deadline; null without a promise. */
  deadline: Date | null;
};

export type Sum = { count: number; pesewas: number };

export type VendorWaiting = Sum & {
  /** The bundles of the orders that were certainly never sent and can be given to others; most orders first. */
  bundles: WaitingBundle[];
  /** Of all bundles; null while nothing waits. */
  since: Date | null;
  deadline: Date | null;
  /** The newest attempt among these, so that a move takes what was seen. */
  throughAttemptId: number | null;
  /** Certainly never sent either, but past their deadline: nobody sends these any more. */
  overdue: Sum;
  /** Sent without a clear answer: the vendor may have these. */
  unclear: Sum;
};

/** SQL on an attempt `a`: it waits, and its vendor has certainly never had its order. */
export const IS_UNSENT = sql`(a.state = 'queued' and a.sends = 0 and ${isAfterRestore(sql`a.order_id`)})`;
/** SQL on an attempt's order `o`: it is still to be delivered. */
export const IS_OPEN = sql`(o.status in ('PENDING', 'PAID', 'PROCESSING') and o.paid_at is not null)`;
/** SQL, likewise: nobody sends it any more. */
export const IS_OVERDUE = sql`(o.deliver_by is not null and o.deliver_by <= now())`;

/** What waits for every vendor for which anything does, by its code. */
export async function waitingByVendor(tx: Reads): Promise<Map<string, VendorWaiting>> {
  const rows = await select(tx, sql`a.vendor <> ${DESK}`);
  return new Map([...Map.groupBy(rows, ({ vendor }) => vendor)].map(([code, own]) => [code, summed(own)]));
}

/** What waits for one vendor. */
export async function waitingFor(tx: Reads, code: string): Promise<VendorWaiting> {
  return summed(await select(tx, sql`a.vendor = ${code}`));
}

/** Orders that a vendor has confirmed and not delivered yet. */
export async function confirmedBy(tx: Reads, code: string): Promise<Sum> {
  const [row] = await tx.execute<Sum>(sql`
    select count(*)::int as count, coalesce(sum(o.amount_pesewas), 0)::bigint as pesewas
    from attempts a join orders o on o.id = a.order_id
    where a.vendor = ${code} and a.state in ('accepted', 'processing', 'held') and ${IS_OPEN}`);
  return row!;
}

export type UnclearOrder = { orderId: number; reference: string; sentAt: Date | null };

/** The oldest orders that a vendor may have, at most `limit`. */
export async function unclearAt(tx: Reads, code: string, limit: number): Promise<UnclearOrder[]> {
  const rows = await tx.execute<{ order_id: number; reference: string; sent_at: string | null }>(sql`
    select a.order_id, a.reference, a.sent_at from attempts a join orders o on o.id = a.order_id
    where a.vendor = ${code} and a.state in ('queued', 'sending', 'unknown') and not ${IS_UNSENT} and ${IS_OPEN}
    order by a.id limit ${limit}`);
  return rows.map(({ order_id: orderId, reference, sent_at: sentAt }) => ({
    ...{ orderId, reference },
    sentAt: sentAt ? new Date(sentAt) : null,
  }));
}

type Row = {
  vendor: string;
  kind: "waiting" | "overdue" | "unclear";
  productId: number;
  operator: Operator;
  family: Family | null;
  productSize: string;
  count: number;
  pesewas: number;
  since: string;
  deadline: string | null;
  newest: number;
};

async function select(tx: Reads, vendors: SQL): Promise<Row[]> {
  return tx.execute<Row>(sql`
    select a.vendor, case when not ${IS_UNSENT} then 'unclear' when ${IS_OVERDUE} then 'overdue' else 'waiting'
             end as kind,
           o.product_id as "productId", o.operator, o.family, o.product_size as "productSize",
           count(*)::int as count, sum(o.amount_pesewas)::bigint as pesewas,
           min(o.paid_at)::text as since, min(o.deliver_by)::text as deadline, max(a.id) as newest
    from attempts a join orders o on o.id = a.order_id
    where ${vendors} and a.state in ('queued', 'sending', 'unknown') and ${IS_OPEN}
    group by 1, 2, 3, 4, 5, 6 order by count(*) desc, 3, 6`);
}

function summed(rows: readonly Row[]): VendorWaiting {
  const of = (kind: Row["kind"]) => rows.filter((row) => row.kind === kind);
  const sum = (some: readonly Row[]): Sum => ({
    count: some.reduce((total, { count }) => total + count, 0),
    pesewas: some.reduce((total, { pesewas }) => total + pesewas, 0),
  });
  const waiting = of("waiting");
  const bundles = waiting.map(({ productId, operator, family, productSize, count, pesewas, ...times }) => ({
    ...{ productId, operator, family, productSize, count, pesewas },
    since: new Date(times.since),
    deadline: times.deadline ? new Date(times.deadline) : null,
  }));
  return {
    ...sum(waiting),
    bundles,
    since: earliest(bundles.map(({ since }) => since)),
    deadline: earliest(bundles.flatMap(({ deadline }) => deadline ?? [])),
    throughAttemptId: waiting.length > 0 ? Math.max(...waiting.map(({ newest }) => newest)) : null,
    overdue: sum(of("overdue")),
    unclear: sum(of("unclear")),
  };
}

function earliest(moments: readonly Date[]): Date | null {
  return moments.length === 0 ? null : new Date(Math.min(...moments.map((moment) => moment.getTime())));
}
