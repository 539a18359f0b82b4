// API schemas of vendors: what waits for one, and moves of that to others.
import { z } from "zod";
import { Id, Operator, VendorCode } from "../../../shared/inputs.ts";
import { money as amount, many, view } from "../../view.ts";
import { moment, money } from "../common.ts";

export const VendorParams = z.object({ code: VendorCode });

const Sum = z.object({ orders: z.int(), amount: money });

const Bundle = Sum.extend({
  productId: Id,
  operator: Operator,
  size: z.string(),
  oldestAt: moment.describe("When the first of these was paid"),
  dueAt: moment.nullable().describe("The nearest delivery deadline"),
});

export const Vendor = z.object({
  code: z.string(),
  name: z.string(),
  pausedFor: z.enum(["float_empty", "key_refused", "admin"]).nullable().describe("null: orders are sent there"),
  pausedAt: moment.nullable(),
  pausedBy: z.string().nullable().describe("null: it paused itself"),
  message: z.string().nullable().describe("Why it is paused, in the words of whoever paused it"),
  waiting: Sum.extend({
    bundles: Bundle.array(),
    oldestAt: moment.nullable(),
    dueAt: moment.nullable().describe("The nearest delivery deadline"),
    throughAttemptId: Id.nullable().describe("For a move of what is shown here"),
  }).describe("Never sent: a move can give these to others"),
  overdue: Sum.describe("Never sent, and past their deadline: nobody sends these any more"),
  unclear: Sum.describe("Sent without a clear answer: the vendor may have these, and they stay with it"),
  confirmed: Sum.describe("Confirmed by the vendor, and not delivered yet"),
});

const sum = { orders: z.int(), pesewas: amount("amount") };

export const VendorMoved = view({
  ...sum,
  receivers: many(view({ vendor: z.string().describe("A vendor's name in routes, or desk"), ...sum })),
  staying: z.int().describe("Orders that nobody else can send now"),
  unclear: z.int().describe("Orders that stay because they were sent there: the vendor may have them"),
  overdue: z.int().describe("Orders past their deadline, which nobody sends any more"),
});
