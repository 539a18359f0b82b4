// SMS receipts of purchases by USSD whose process ended before it could send one.
import { inArray } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import * as wallet from "../ledger/wallet.ts";
import * as smsTexts from "../messaging/texts/sms-texts.ts";
import * as wordings from "../messaging/texts/wordings.ts";
import * as sessions from "./sessions.ts";

/** Finishes sessions whose process ended between placing an order and answering; any number of workers may do so. */
export async function finishOrphans(db: Db): Promise<void> {
  const found = await sessions.orphans(db);
  if (found.length === 0) return;
  const ids = found.map(({ orderId }) => orderId);
  const rows = await db.select().from(orders).where(inArray(orders.id, ids));
  const placed = new Map(rows.map((order) => [order.id, order]));
  for (const { sessionId, orderId } of found) {
    const order = placed.get(orderId)!;
    const t = await wordings.translateFor(db, order.userId);
    await sessions.adopt(db, sessionId, smsTexts.orderPaid(t, order, await wallet.standing(db, order.userId)));
  }
}
