// Schemas of what waits for a person.
import { z } from "zod";
import { moment, money } from "../common.ts";

export const Waiting = z.object({
  kind: z.string().describe("deposits, support, desk_orders …; there may be new ones"),
  label: z.string().describe("As people read it, after the number"),
  count: z.int(),
  isMore: z.boolean().describe("There are more than `count`"),
  isUrgent: z.boolean().describe("By its kind, or because its deadline is near or past"),
  since: moment.nullable().describe("When the oldest began to wait; null where that is not known"),
  amount: money.nullable().describe("The money that depends on it; null for none, and for who sees no totals"),
  deadline: moment.nullable().describe("The nearest one"),
  page: z.string().describe("Where the work is done"),
});
