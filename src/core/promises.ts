// What the clock does with orders: delivered ones are completed, and promises that were not kept are paid back.
import { and, asc, inArray, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { orders as orderTable } from "../../db/schema.ts";
import { attempts as attemptTable } from "../../db/schema-fulfilment.ts";
import { isOpen, OPEN_STATUSES, SYSTEM } from "../shared/domain.ts";
import * as attempts from "./attempts.ts";
import { isAmong } from "./conditions.ts";
import * as jobs from "./jobs.ts";
import * as moves from "./moves.ts";
import * as openCases from "./open-cases.ts";
import type { Order } from "./orders.ts";
import { DESK } from "./vendor.ts";

const PROMISES_AT_ONCE = 500;
/** How long after its deadline an order may wait for a last question to its vendor. */
const LAST_QUESTION_SECONDS = 120;

/** Completes delivered orders, but for those that are said not to have arrived; returns how many jobs were worked off. */
export async function completeDue(db: Db, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "complete_order", countMax);
  if (due.length === 0) return 0;
  await jobs.workOff(db, due, (some) => complete(db, some));
  return due.length;
}

async function complete(db: Db, due: jobs.Job[]): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await moves.lockOrders(
      tx,
      due.map((job) => job.subjectId),
    );
    const held = await openCases.among(tx, [...found.keys()]);
    const delivered = [...found.values()].filter(
      (order) => order.status === "DELIVERED" && !held.has(order.id),
    );
    await moves.apply(tx, SYSTEM, delivered, "COMPLETED", null);
    await jobs.finish(
      tx,
      due.map((job) => job.id),
    );
  });
}

/**
 * Gives the money of paid orders back that were promised for a moment that has passed; returns how many. A vendor that
 * holds one is asked a last time first. What is delivered nevertheless is then the shop's loss, and shown to its admins.
 */
export async function keepPromises(db: Db): Promise<number> {
  const late = await db
    .select({
      id: orderTable.id,
      lateSeconds: sql<number>`extract(epoch from now() - ${orderTable.deliverBy})::float8`,
    })
    .from(orderTable)
    .where(and(inArray(orderTable.status, [...OPEN_STATUSES]), sql`${orderTable.deliverBy} <= now()`))
    .orderBy(asc(orderTable.id))
    .limit(PROMISES_AT_ONCE);
  if (late.length === 0) return 0;
  return db.transaction(async (tx) => {
    const lateSeconds = new Map(late.map((order) => [order.id, order.lateSeconds]));
    const ids = [...lateSeconds.keys()];
    const found = await moves.lockOrders(tx, ids);
    const tried = await attempts.ofOrders(tx, ids);
    const broken = [...found.values()].filter((order) => {
      if (!isOpen(order.status) || !order.deliverBy) return false;
      const alive = tried.get(order.id)?.find(attempts.isAlive);
      const canBeAsked = alive && alive.vendor !== DESK && alive.state !== "queued";
      const wasAsked = alive?.lookedUpAt && alive.lookedUpAt >= order.deliverBy;
      return !canBeAsked || wasAsked || lateSeconds.get(order.id)! > LAST_QUESTION_SECONDS;
    });
    const asking = ids.filter((id) => found.has(id) && !broken.some((order) => order.id === id));
    await tx
      .update(attemptTable)
      // Before all others that wait to be asked about.
      .set({ dueAt: sql`now() - interval '1 day'` })
      .where(
        and(
          isAmong(attemptTable.orderId, asking),
          inArray(attemptTable.state, ["unknown", "accepted", "processing", "held"]),
        ),
      );
    for (const [words, orders] of Map.groupBy(broken, brokenPromise)) {
      await moves.apply(tx, SYSTEM, orders, "FAILED", words);
    }
    return broken.length;
  });
}

function brokenPromise({ deliverBy }: Order): string {
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Africa/Accra" });
  return `Not delivered by ${clock.format(deliverBy!)}, as promised`;
}
