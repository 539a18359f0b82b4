// Work that waits for a person: the number, age, money and deadline of each kind, the most urgent first.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { By, ByUser } from "../../shared/domain.ts";
import { hasRight } from "../../shared/rights.ts";
import * as approvals from "../approvals/queries.ts";
import { keptFor } from "../platform/kept.ts";
import { COUNT_MAX, WAITING, type WaitingKind, type WaitingName } from "./kinds.ts";

export type Waiting = {
  kind: WaitingName;
  count: number;
  /** There are more than `count`. */
  isMore: boolean;
  /** When the oldest began to wait; null where it is not known. */
  since: Date | null;
  /** The money that depends on it; null where it is none, or not for the viewer. */
  pesewas: number | null;
  /** The nearest deadline. */
  deadline: Date | null;
  /** Orders that depend on it, where that is another number. */
  orders: number | null;
  /** What all of them are about, where that is one thing with a page of its own. */
  subject: string | null;
  /** Who has taken them: an id for each that somebody has; the others are anybody's. */
  holders: readonly number[];
};

type KindWithSubjects = {
  [Name in WaitingName]: (typeof WAITING)[Name] extends { toOne: unknown } ? Name : never;
}[WaitingName];

/** A deadline this near, or past, makes any kind urgent. */
const NEAR_MS = 2 * 3_600_000;
const SLOW_KEPT_MS = 60_000;
/** The rest of a kind of which only the number is known. */
const ONLY_COUNTED = {
  isMore: false,
  since: null,
  pesewas: null,
  deadline: null,
  orders: null,
  subject: null,
  holders: [],
} as const;

/**
 * Everything that waits now, the most urgent first; kinds of which nothing waits are left out. What takes long to count
 * may be a minute old, unless `isFresh`.
 */
export async function waiting(db: Reads, { isFresh = false } = {}): Promise<Waiting[]> {
  const [counted, slow] = await Promise.all([db.execute<Row>(statement()), slowCounts(db, { isFresh })]);
  const now = Date.now();
  return [...counted.map(asWaiting), ...slow]
    .filter(({ count }) => count > 0)
    .sort((a, b) => rankOf(a, now) - rankOf(b, now) || dueMs(a) - dueMs(b) || orderOf(a.kind) - orderOf(b.kind));
}

/** What waits for this viewer alone: requests of others that they may decide. */
export async function waitingFor(tx: Reads, by: ByUser): Promise<Waiting[]> {
  const { count, since } = await approvals.toDecide(tx, by);
  return count > 0 ? [{ kind: "approvals", count, ...ONLY_COUNTED, since }] : [];
}

/** How many of these somebody has taken, and how many are with others. */
export function sharesOf({ holders }: Pick<Waiting, "holders">, userId: number): { own: number; others: number } {
  const own = holders.filter((id) => id === userId).length;
  return { own, others: holders.length - own };
}

/** Of what waits, what somebody has the right to see; money only for those who see the books or the profit. */
export function seenBy(by: Pick<By, "roles">, all: readonly Waiting[]): Waiting[] {
  const isShownMoney = seesMoney(by);
  return all
    .filter(({ kind }) => hasRight(by, WAITING[kind].right))
    .map((one) => (isShownMoney ? one : { ...one, pesewas: null }));
}

/** Whether somebody sees totals of money: the books or the profit. */
export function seesMoney(by: Pick<By, "roles">): boolean {
  return hasRight(by, "books.see") || hasRight(by, "profit.see");
}

/** Whether it costs money or trust by the hour: by its kind, or because its deadline is near or past. */
export function isUrgent({ kind, deadline }: Pick<Waiting, "kind" | "deadline">, now = Date.now()): boolean {
  return WAITING[kind].urgency === 0 || (deadline !== null && deadline.getTime() - now <= NEAR_MS);
}

/** The label of what waits, as it follows its number: "dispute to answer", "disputes to answer". */
export function labelOf({ kind, count, isMore }: Pick<Waiting, "kind" | "count" | "isMore">): string {
  const { one, many } = WAITING[kind];
  return count === 1 && !isMore ? one : many;
}

/** Where the work is done: the list on its page, or the own page of the one thing that all are about. */
export function pageOf({ kind, subject }: Pick<Waiting, "kind" | "subject">): string {
  const { to, toOne }: WaitingKind = WAITING[kind];
  return toOne && subject !== null ? toOne(subject) : `${to}#${kind}`;
}

/** The subjects of a kind, as they are counted. */
export async function subjectsOf(tx: Reads, kind: KindWithSubjects): Promise<string[]> {
  const rows = await tx.execute<{ subject: string }>(sql`select subject from (${WAITING[kind].rows}) r`);
  return rows.map(({ subject }) => subject);
}

/** A number as it is shown: 12, or 500+. */
export function countText({ count, isMore }: { count: number; isMore: boolean }): string {
  return `${count.toLocaleString("en")}${isMore ? "+" : ""}`;
}

type Row = {
  kind: WaitingName;
  count: number;
  since: string | null;
  pesewas: number | null;
  deadline: string | null;
  orders: number | null;
  subject: string | null;
  holders: number[] | null;
};

const kinds = Object.entries(WAITING) as [WaitingName, WaitingKind][];

/** One statement for all kinds: each reads an index, and at most as many rows as are counted. */
function statement(): SQL {
  const parts = kinds.flatMap(([kind, { rows, hasOrders, hasHolder, toOne }]) => {
    if (!rows) return [];
    const orders = hasOrders ? sql`sum(orders)::int` : sql`null::int`;
    const subject = toOne ? sql`case when count(distinct subject) = 1 then min(subject) end` : sql`null::text`;
    const holders = hasHolder ? sql`array_agg(holder::int) filter (where holder is not null)` : sql`null::int[]`;
    return sql`
      select ${sql.raw(`'${kind}'`)} as kind, count(*)::int as count, min(since)::text as since,
             sum(pesewas)::bigint as pesewas, min(deadline)::text as deadline, ${orders} as orders,
             ${subject} as subject, ${holders} as holders
      from (${rows} limit ${sql.raw(String(COUNT_MAX + 1))}) r`;
  });
  return sql.join(parts, sql` union all `);
}

function asWaiting({ since, pesewas, deadline, holders, ...row }: Row): Waiting {
  return {
    ...row,
    holders: holders ?? [],
    count: Math.min(row.count, COUNT_MAX),
    isMore: row.count > COUNT_MAX,
    since: since ? new Date(since) : null,
    pesewas: pesewas === null ? null : Number(pesewas),
    deadline: deadline ? new Date(deadline) : null,
  };
}

/** The kinds that take long to count, at most once a minute per process. */
const slowCounts = keptFor(SLOW_KEPT_MS, countSlow);

async function countSlow(tx: Reads): Promise<Waiting[]> {
  const slow = kinds.flatMap(([kind, { slowCount }]) => (slowCount ? [{ kind, slowCount }] : []));
  return Promise.all(
    slow.map(async ({ kind, slowCount }) => {
      const [row] = await tx.execute<{ count: number }>(slowCount());
      return { kind, count: row!.count, ...ONLY_COUNTED };
    }),
  );
}

const rankOf = (one: Waiting, now: number) => (isUrgent(one, now) ? 0 : WAITING[one.kind].urgency);
const dueMs = ({ deadline }: Waiting) => deadline?.getTime() ?? Number.POSITIVE_INFINITY;
const orderOf = (kind: WaitingName) => kinds.findIndex(([name]) => name === kind);
