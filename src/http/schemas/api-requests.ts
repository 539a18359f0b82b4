// Schemas of the log of requests that programs made with API keys.
import { z } from "zod";
import { as } from "../../shared/fields.ts";
import { Id, text } from "../../shared/inputs.ts";
import { Moment, view } from "../view.ts";
import { From, Page, To } from "./common.ts";

const IdText = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, "must be an id, such as 4711")
  .transform(Number);

/** A status, or its class as the first digit of it. */
const Status = z
  .string()
  .regex(/^[1-5](?:\d\d|xx)$/, "must be a status, such as 404, or a class of them, such as 4xx")
  .transform((value) => Number(value.replace("xx", "")))
  .describe("404, or 4xx for all of a class");

export const RequestQuery = Page.extend({
  keyId: IdText.optional().describe("Those with this API key"),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional().describe("Only requests by this method"),
  route: text(100).optional().describe("A route as this document has it, with :id for {id}: /api/v1/orders/:id"),
  status: Status.optional(),
  code: text(60).optional().describe("The code of an error, such as order.duplicate"),
  from: From.optional().describe("A day or a time"),
  to: To.optional().describe("A day, which is included, or the time before which"),
  requestId: text(40).optional().describe("The x-request-id of an answer"),
  orderId: IdText.optional().describe("Those about this order"),
});

const logged = {
  id: Id,
  at: Moment.describe("When it arrived"),
  keyId: Id.describe("The API key that it was made with, also if that was refused"),
  method: z.string(),
  route: z.string().describe("The route that served it; unknown: there is nothing at this address"),
  path: z.string().describe("The address with its query, without secrets"),
  status: z.int(),
  code: z.string().nullable().describe("The error code of a refusal"),
  ms: z.int().describe("How long the answer took"),
  requestId: z.string().describe("The answer's x-request-id"),
  orderId: Id.nullable(),
  bulkOrderId: Id.nullable(),
  idempotencyKey: z.string().nullable(),
  isReplayed: as(
    "replayed",
    z.boolean().describe("true: the answer of an earlier request with the same idempotency key"),
  ),
  address: z.string().describe("Where it came from"),
};
export const LoggedRequest = view(logged);

const LoggedBody = z.string().nullable();
const CUT_NOTE = "JSON, whose secrets are replaced by [removed]; longer than 4 kB, it is cut and ends with “…”";

export const WholeLoggedRequest = view({
  ...logged,
  requestBody: LoggedBody.describe(`${CUT_NOTE}. null: none, or it could not be read`),
  answerBody: LoggedBody.describe(`${CUT_NOTE}. null: a file`),
});
