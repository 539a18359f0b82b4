// The shop's profit by day, as the worker counts it.
import { boolean, date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Operator } from "../../src/shared/domain.ts";
import { id, identity, instant, pesewas } from "./columns.ts";

/** What a day's paid orders that are not FAILED brought in and cost the shop, by the day they were paid. */
const profitOfDay = () => ({
  orders: integer().notNull(),
  amountPesewas: pesewas().notNull(),
  /** Of the orders whose cost is known. */
  costPesewas: pesewas().notNull(),
  /** Orders, and what they were sold for, whose cost is not known: they have no profit. */
  uncostedOrders: integer().notNull(),
  uncostedPesewas: pesewas().notNull(),
});

/** The shop's profit, counted from the orders by the worker. A day is counted again when one of its orders changes. */
export const profitDays = pgTable(
  "profit_days",
  {
    day: date({ mode: "string" }).notNull(),
    productId: id().notNull(),
    operator: text().$type<Operator>().notNull(),
    tierId: id().notNull(),
    /** Who delivers or delivered it: a vendor's code, the desk, or "" while nobody does. */
    vendor: text().notNull(),
    ...profitOfDay(),
  },
  (t) => [primaryKey({ name: "profit_days_pkey", columns: [t.day, t.productId, t.operator, t.tierId, t.vendor] })],
);

/** The same by agent: together they would be almost as many rows as there are orders. */
export const profitAgentDays = pgTable(
  "profit_agent_days",
  {
    day: date({ mode: "string" }).notNull(),
    userId: id().notNull(),
    operator: text().$type<Operator>().notNull(),
    ...profitOfDay(),
  },
  (t) => [primaryKey({ name: "profit_agent_days_pkey", columns: [t.day, t.userId, t.operator] })],
);

/** Days whose profit must be counted again. Appended by triggers, so that no change waits for a count. */
export const profitDaysStale = pgTable("profit_days_stale", {
  id: identity(),
  day: date({ mode: "string" }).notNull(),
  /** The mark of a day that is not over, which stays until it is counted after its end; and its last count. */
  isOpen: boolean().notNull().default(false),
  countedAt: instant(),
});
