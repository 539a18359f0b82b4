// An order, and an event of its timeline, as the database has them.
import type { orderEvents, orders } from "../../../db/schema/orders.ts";

export type Order = typeof orders.$inferSelect;
export type OrderEvent = typeof orderEvents.$inferSelect;
/** An order that was paid from the wallet, and what is left there. */
export type Spending = { order: Order; balancePesewas: number };
