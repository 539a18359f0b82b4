// API schemas of the desk: what waits to be sent by hand, batches, and their results.
import { z } from "zod";
import type { Checked, Waiting } from "../../../core/fulfilment/desk/desk-results.ts";
import type { Order } from "../../../core/orders/order.ts";
import { limits } from "../../../shared/domain.ts";
import { as } from "../../../shared/fields.ts";
import { Id, Operator, requiredText, text } from "../../../shared/inputs.ts";
import { localMsisdn, parseMsisdn } from "../../../shared/phones/msisdn.ts";
import { Moment, many, money, view } from "../../view.ts";
import { moment } from "../common.ts";

const WaitingSize = view({
  key: z.string().describe("What a batch takes it by"),
  productSize: as("size", z.string()),
  count: as("orders", z.int()),
});
export const DeskWaiting = view({
  operator: Operator,
  count: as("orders", z.int()),
  since: as("oldestAt", Moment),
  deadline: as("dueAt", Moment.nullable().describe("The nearest delivery deadline")),
  sizes: many(WaitingSize),
});

const batch = {
  id: Id,
  operator: Operator.nullable().describe("null: several networks"),
  orders: z.int(),
  openCount: as("open", z.int().describe("Orders without a result")),
  takenByUserId: Id,
  deadline: as("dueAt", Moment.describe("When its results are due")),
  createdAt: Moment,
  exportedAt: Moment.nullable().describe("When its orders were first read to be sent"),
  releasedAt: Moment.nullable(),
};
export const DeskBatch = view(batch);

export const TakenBatch = view({ batchId: as("id", Id), orders: z.int() });

const DeskOrder = view(
  {
    id: Id,
    operator: Operator,
    productSize: as("size", z.string()),
    volumeMb: z.int().nullable(),
    quantity: z.int(),
    msisdn: z.string(),
    amountPesewas: money("amount"),
  },
  (order: Order) => ({ ...order, msisdn: localMsisdn(order.msisdn) }),
);
export const BatchToSend = view({
  ...batch,
  toSend: many(DeskOrder).describe("Its orders without a result, oldest first"),
});

const Result = z.object({
  msisdn: text(30).refine((value) => parseMsisdn(value) !== null, "must be a Ghanaian phone number"),
  volumeMb: z.int().positive().max(10_000_000).optional().describe("Tells two orders for a number apart"),
  outcome: z.enum(["delivered", "failed", "pending"]),
  message: text(200).optional().describe("Why it failed; for admins"),
});
export const BatchResults = z.object({
  results: z.array(Result).min(1).max(limits.bulkLines),
});
export const BatchRest = z.object({
  to: z.enum(["DELIVERED", "FAILED"]),
  reason: requiredText(200, "Tell the buyers why they failed").optional(),
  expectedCount: z.int().describe("The number of open orders that you saw"),
});

const Unused = z.object({
  index: z.int().describe("Its place in the request, from 0"),
  reason: z
    .enum(["not_in_batch", "ambiguous", "partly", "conflict", "entered"])
    .describe("conflict: another line has a different outcome for the same order"),
});
const appliedOf = (waiting: Waiting) => ({
  resultId: waiting?.resultId ?? null,
  appliedAt: waiting?.dueAt ?? null,
});
export const BatchResultsTaken = view(
  {
    resultId: Id.nullable().describe("null: they concern no order"),
    appliedAt: Moment.nullable().describe("When they are applied, unless they are undone"),
    delivered: z.int(),
    failed: z.int(),
    pending: z.int(),
    deliveredAfterRefund: z.int(),
    refundPesewas: money("refund"),
    unused: Unused.array(),
  },
  ({ delivered, failed, pending, lost, refundPesewas, unmatched, waiting }: Checked & { waiting: Waiting }) => ({
    ...appliedOf(waiting),
    ...{ delivered: delivered.length, failed: failed.length, pending: pending.length },
    ...{ deliveredAfterRefund: lost.length, refundPesewas },
    unused: unmatched.map(({ line: index, reason }) => ({ index, reason })),
  }),
);
export const BatchRestTaken = view(
  {
    resultId: Id.nullable(),
    appliedAt: Moment.nullable().describe("When it is applied, unless it is undone"),
    orders: z.int(),
  },
  ({ waiting, count }: { waiting: Waiting; count: number }) => ({ ...appliedOf(waiting), orders: count }),
);

export const ResultUndo = z.object({ resultId: Id });
export const ResultUndone = z.object({ resultId: Id, undoneAt: moment });

export const BatchReleased = view({ batchId: as("id", Id), returned: z.int() });
