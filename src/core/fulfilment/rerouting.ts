// Moves of orders that wait for a vendor: by a person, all or some, to the next of their route or to the desk, in one
// commit. Only what was seen is moved, and only what the vendor certainly never had. Deadlines stay as they are.
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads } from "../../../db/connect.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { At, Id, VendorCode } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import { requireRight } from "../../shared/rights.ts";
import type { Order } from "../orders/order.ts";
import { command, type Question, type Work } from "../platform/commands.ts";
import { fingerprint } from "../platform/idempotency.ts";
import { isAmong } from "../platform/sql.ts";
import {
  figuresForRoutes,
  lockWaiting,
  MOVE_TARGETS,
  type MoveTarget,
  nameOf,
  type Placing,
  reassign,
  route,
} from "./routing.ts";
import type { BundleVendor } from "./vendor.ts";
import type { VendorFigures } from "./vendor-figures.ts";
import { IS_OPEN, IS_OVERDUE, IS_UNSENT } from "./vendor-waiting.ts";
import * as vendors from "./vendors.ts";

/** The most orders in one move, so that its commit takes a moment and locks little: the oldest go first. */
export const MOVED_MAX = 2_000;
const PRODUCTS_MAX = 500;

/** Which of the orders that wait for a vendor are to move, and where. */
export type Wanted = {
  /** The vendor that they leave. */
  code: string;
  to: MoveTarget;
  /** Only orders of these bundles; null for all. */
  productIds: readonly number[] | null;
  /** Only orders paid before this moment; null for all. */
  paidBefore: Date | null;
};

export type Part = { orders: number; pesewas: number };
export type MovedBundle = Part & Pick<Order, "productId" | "operator" | "family" | "productSize">;

export type Move = Part & {
  /** Who gets them: a vendor's code, or the desk. */
  receivers: (Part & { vendor: string })[];
  bundles: MovedBundle[];
  /** Orders that nobody else sends now. */
  staying: number;
  /** Orders that the vendor may have, because they were sent there: they stay with it. */
  unclear: number;
  /** Orders past their deadline, which nobody sends any more. */
  overdue: number;
};

export type MovePreview = Move & {
  /** The newest attempt that was seen: `move` takes nothing that came later. Null when nothing waits. */
  throughAttemptId: number | null;
  /** More match than go in one move. */
  isMore: boolean;
};

/** What `move` would do now, without changing anything. Throws auth.forbidden, vendor.not_found. */
export async function preview(
  db: Db,
  known: readonly BundleVendor[],
  { by, ...wanted }: Wanted & { by: ByUser },
): Promise<MovePreview> {
  requireRight(by, "delivery.manage");
  await leavingVendor(db, known, wanted.code);
  const found = await select(db, wanted, null);
  const shown = found.slice(0, MOVED_MAX);
  const ids = shown.map(({ orderId }) => orderId);
  const waiting = await db.select().from(orderTable).where(isAmong(orderTable.id, ids)).orderBy(orderTable.id);
  const figures = await figuresForRoutes(db);
  const planned = await plan(db, known, waiting, { ...wanted, figures });
  const throughAttemptId = shown.at(-1)?.attemptId ?? null;
  return {
    ...planned.move,
    ...(await notMovable(db, wanted, throughAttemptId)),
    throughAttemptId,
    isMore: found.length > MOVED_MAX,
  };
}

/**
 * Moves orders that wait for a vendor, up to the newest attempt that was seen. What the vendor may have stays, as do
 * orders past their deadline and those that nobody else sends now.
 */
export const move = command({
  name: "vendor.move",
  right: "delivery.manage",
  about: "Move what waits for a supplier, and was never sent, to the next of its route or to the desk",
  subject: "vendor",
  isConfirmed: true,
  input: {
    code: VendorCode,
    to: z.enum(MOVE_TARGETS).describe("The next of their route that sends now, or the desk"),
    productIds: z.array(Id).min(1).max(PRODUCTS_MAX).nullable().default(null).describe("Only these bundles; null: all"),
    paidBefore: At.nullable().default(null).describe("Only orders that were paid before"),
    throughAttemptId: Id.describe("As it was read with the supplier: nothing that came later is moved"),
  },
  errors: ["vendor.not_found"],
  asks: "Orders moved to other suppliers",
  run: async (
    { tx, by, agree, vendors: known }: Work & { vendors: readonly BundleVendor[] },
    { throughAttemptId, ...wanted },
  ): Promise<Move> => {
    const from = await leavingVendor(tx, known, wanted.code);
    // Before any lock: they are measured over thousands of attempts.
    const figures = await figuresForRoutes(tx);
    const found = await select(tx, wanted, throughAttemptId);
    const ids = found.slice(0, MOVED_MAX).map(({ orderId }) => orderId);
    // Their attempts are read again under the lock: a worker may have sent one, or somebody else moved it, meanwhile.
    const waiting = await lockWaiting(tx, ids);
    const { move, placings } = await plan(tx, known, waiting, { ...wanted, figures });
    await agree(placings.length > 0 ? askFor(from, known, placings) : null);
    await reassign(tx, known, placings, { from, by, reason: "not sent before" });
    return { ...move, ...(await notMovable(tx, wanted, throughAttemptId)) };
  },
});

/** A vendor that is no longer configured still gives up its orders. */
async function leavingVendor(
  tx: Reads,
  known: readonly BundleVendor[],
  code: string,
): Promise<Pick<BundleVendor, "code" | "name">> {
  const found = known.find((vendor) => vendor.code === code);
  if (found) return found;
  if ((await vendors.states(tx)).has(code)) return { code, name: code };
  throw new AppError("vendor.not_found");
}

/** What another person agrees to above the limit: to whom exactly these orders go. */
function askFor(
  { code, name }: Pick<BundleVendor, "code" | "name">,
  known: readonly BundleVendor[],
  placings: readonly Placing[],
): Question {
  const { orders, pesewas } = partOf(placings);
  const receivers = [...Map.groupBy(placings, ({ vendor }) => vendor)];
  const whereTo = receivers.map(([vendor, own]) => `${own.length} to ${nameOf(known, vendor)}`).join(", ");
  return {
    subject: `vendor ${code}`,
    seen: {
      state: { Orders: orders, "Who gets them": whereTo, Amount: show(pesewas) },
      version: fingerprint(placings.map(({ order, vendor }) => [order.id, vendor])),
    },
    summary: `move ${orders === 1 ? "1 order" : `${orders} orders`} that wait for ${name}: ${whereTo}`,
    counts: placings.map(({ order }) => ({
      ...{ limit: "alone_rerouted_pesewas", userId: order.userId, pesewas: order.amountPesewas },
    })),
    amountPesewas: pesewas,
  };
}

/** The oldest matching attempts, and one more than a move takes. */
async function select(
  tx: Reads,
  wanted: Wanted,
  throughAttemptId: number | null,
): Promise<{ attemptId: number; orderId: number }[]> {
  return tx.execute<{ attemptId: number; orderId: number }>(sql`
    select a.id as "attemptId", a.order_id as "orderId" ${fromWanted(wanted, throughAttemptId)}
      and ${IS_UNSENT} and not ${IS_OVERDUE}
    order by a.id limit ${MOVED_MAX + 1}`);
}

/** How many of the matching orders no move takes, and why. */
async function notMovable(
  tx: Reads,
  wanted: Wanted,
  throughAttemptId: number | null,
): Promise<Pick<Move, "unclear" | "overdue">> {
  const [row] = await tx.execute<Pick<Move, "unclear" | "overdue">>(sql`
    select count(*) filter (where not ${IS_UNSENT})::int as unclear,
           count(*) filter (where ${IS_UNSENT} and ${IS_OVERDUE})::int as overdue
    ${fromWanted(wanted, throughAttemptId)}`);
  return row!;
}

/** SQL: the matching orders that the vendor has not confirmed. */
function fromWanted({ code, productIds, paidBefore }: Wanted, throughAttemptId: number | null): SQL {
  const only = (condition: SQL | null) => (condition ? sql` and ${condition}` : sql``);
  return sql`
    from attempts a join orders o on o.id = a.order_id
    where a.vendor = ${code} and a.state in ('queued', 'sending', 'unknown') and ${IS_OPEN}
      ${only(productIds && sql`${isAmong(sql`o.product_id`, productIds)}`)}
      ${only(paidBefore && sql`o.paid_at < ${paidBefore.toISOString()}::timestamptz`)}
      ${only(throughAttemptId === null ? null : sql`a.id <= ${throughAttemptId}`)}`;
}

/** Who gets each of these orders, and the sums. */
async function plan(
  tx: Reads,
  known: readonly BundleVendor[],
  waiting: Order[],
  { code, to, figures }: Pick<Wanted, "code" | "to"> & { figures: readonly VendorFigures[] },
): Promise<{ move: Omit<Move, "unclear" | "overdue">; placings: Placing[] }> {
  const routed = await route(tx, known, waiting, { leaving: code, to, figures });
  const placings = routed.flatMap(({ vendor, ...one }) => (vendor === null ? [] : [{ ...one, vendor }]));
  const byVendor = Map.groupBy(placings, ({ vendor }) => vendor);
  const byBundle = Map.groupBy(placings, ({ order }) => order.productId);
  return {
    placings,
    move: {
      ...partOf(placings),
      receivers: [...byVendor].map(([vendor, own]) => ({ vendor, ...partOf(own) })),
      bundles: [...byBundle.values()].map((own) => {
        const { productId, operator, family, productSize } = own[0]!.order;
        return { productId, operator, family, productSize, ...partOf(own) };
      }),
      staying: routed.length - placings.length,
    },
  };
}

function partOf(placings: readonly Placing[]): Part {
  return {
    orders: placings.length,
    pesewas: placings.reduce((sum, { order }) => sum + order.amountPesewas, 0),
  };
}
