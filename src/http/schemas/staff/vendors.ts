// API schemas of vendors: what waits for one, and moves of that to others.
import { z } from "zod";
import type { VendorOverview } from "../../../core/fulfilment/vendor-overview.ts";
import { as } from "../../../shared/fields.ts";
import { Id, Operator, VendorCode } from "../../../shared/inputs.ts";
import { Moment, many, money, one, view } from "../../view.ts";

export const VendorParams = z.object({ code: VendorCode });

const sum = { count: as("orders", z.int()), pesewas: money("amount") };
const Sum = view(sum);

const times = {
  since: as("oldestAt", Moment.describe("When the first of these was paid")),
  deadline: as("dueAt", Moment.nullable().describe("The nearest delivery deadline")),
};
const Bundle = view({
  ...sum,
  productId: Id,
  operator: Operator,
  productSize: as("size", z.string()),
  ...times,
});

export const Vendor = view(
  {
    code: z.string(),
    name: z.string(),
    pausedFor: z.enum(["float_empty", "key_refused", "admin"]).nullable().describe("null: orders are sent there"),
    pausedAt: Moment.nullable(),
    pausedBy: z.string().nullable().describe("null: it paused itself"),
    pausedMessage: as("message", z.string().nullable().describe("Why it is paused, in the words of whoever paused it")),
    waiting: one(
      view({
        ...sum,
        bundles: many(Bundle),
        since: as("oldestAt", Moment.nullable()),
        deadline: times.deadline,
        throughAttemptId: Id.nullable().describe("For a move of what is shown here"),
      }),
    ).describe("Never sent: a move can give these to others"),
    overdue: one(Sum).describe("Never sent, and past their deadline: nobody sends these any more"),
    unclear: one(Sum).describe("Sent without a clear answer: the supplier may have these, and they stay with it"),
    confirmed: one(Sum).describe("Confirmed by the supplier, and not delivered yet"),
  },
  ({ state, waiting, ...vendor }: VendorOverview) => ({
    ...vendor,
    ...state,
    waiting,
    overdue: waiting.overdue,
    unclear: waiting.unclear,
  }),
);

const moved = { orders: z.int(), pesewas: money("amount") };

export const VendorMoved = view({
  ...moved,
  receivers: many(view({ vendor: z.string().describe("A supplier's name in routes, or desk"), ...moved })),
  staying: z.int().describe("Orders that nobody else can send now"),
  unclear: z.int().describe("Orders that stay because they were sent there: the supplier may have them"),
  overdue: z.int().describe("Orders past their deadline, which nobody sends any more"),
});
