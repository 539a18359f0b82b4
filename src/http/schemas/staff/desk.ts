// API schemas of the desk: what waits to be sent by hand, batches, and their results.
import { z } from "zod";
import { limits } from "../../../shared/domain.ts";
import { as } from "../../../shared/fields.ts";
import { Id, Operator, requiredText, text } from "../../../shared/inputs.ts";
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";
import { Moment, view } from "../../view.ts";
import { moment, money } from "../common.ts";

const WaitingSize = z.object({
  key: z.string().describe("What a batch takes it by"),
  size: z.string(),
  orders: z.int(),
});
export const DeskWaiting = z.object({
  operator: Operator,
  orders: z.int(),
  oldestAt: moment,
  dueAt: moment.nullable().describe("The nearest delivery deadline"),
  sizes: WaitingSize.array(),
});

export const DeskBatch = view({
  id: Id,
  operator: Operator.nullable().describe("null: several networks"),
  orders: z.int(),
  openCount: as("open", z.int().describe("Orders without a result")),
  takenByUserId: Id,
  deadline: as("dueAt", Moment.describe("When its results are due")),
  createdAt: Moment,
  exportedAt: Moment.nullable().describe("When its orders were first read to be sent"),
  releasedAt: Moment.nullable(),
});

export const TakenBatch = view({ batchId: as("id", Id), orders: z.int() });

const DeskOrder = z.object({
  id: Id,
  operator: Operator,
  size: z.string(),
  volumeMb: z.int().nullable(),
  quantity: z.int(),
  msisdn: z.string(),
  amount: money,
});
export const BatchToSend = DeskBatch.schema.extend({
  toSend: DeskOrder.array().describe("Its orders without a result, oldest first"),
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
export const BatchResultsTaken = z.object({
  resultId: Id.nullable().describe("null: they concern no order"),
  appliedAt: moment.nullable().describe("When they are applied, unless they are undone"),
  delivered: z.int(),
  failed: z.int(),
  pending: z.int(),
  deliveredAfterRefund: z.int(),
  refund: money,
  unused: Unused.array(),
});
export const BatchRestTaken = z.object({
  resultId: Id.nullable(),
  appliedAt: moment.nullable().describe("When it is applied, unless it is undone"),
  orders: z.int(),
});

export const ResultUndo = z.object({ resultId: Id });
export const ResultUndone = z.object({ resultId: Id, undoneAt: moment });

export const BatchReleased = view({ batchId: as("id", Id), returned: z.int() });
