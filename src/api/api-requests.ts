// API routes for the log of the requests that programs made with API keys. A person sees those of all keys of the
// account; a program only those of its own key, as answers to another can have what this one's scopes do not reach.
import * as queries from "../core/requests/queries.ts";
import * as schemas from "../http/schemas/api-requests.ts";
import { IdParams } from "../http/schemas/common.ts";
import { limits } from "../shared/domain.ts";
import { type Caller, linkTo, type Route, route } from "./route.ts";

const example = {
  id: 90000,
  at: "2026-11-21T09:30:00.123Z",
  keyId: 3,
  method: "POST",
  route: "/api/v1/orders",
  path: "/api/v1/orders",
  status: 201,
  code: null,
  ms: 14,
  requestId: "mi8s3k2v-0x4f",
  orderId: 4711,
  bulkOrderId: null,
  idempotencyKey: "sale-20261121-17",
  replayed: false,
  address: "41.66.1.2",
};

export const requestRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/requests",
    role: "user",
    scope: "read",
    summary:
      `The requests of your programs in the last ${limits.requestLogDays} days, each within five seconds; ` +
      "a program sees only those of its own key. " +
      `A filter looks through ${queries.LOOKED_THROUGH.toLocaleString("en")} requests at a time: ` +
      "follow the Link even when a page is short",
    query: schemas.RequestQuery,
    answer: { status: 200, schema: schemas.LoggedRequest.schema.array(), example: [example] },
    errors: [],
    handle: async ({ db, caller, request, query: { cursor, limit, ...filter } }) => {
      const { rows, next } = await queries.list(db, readerOf(caller), filter, { cursor, limit });
      return { body: rows.map(schemas.LoggedRequest.present), headers: linkTo(request, next) };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/requests/:id",
    subject: "apiRequest",
    role: "user",
    scope: "read",
    summary: "One of these requests, with what was sent and answered",
    params: IdParams,
    answer: {
      status: 200,
      schema: schemas.WholeLoggedRequest.schema,
      example: {
        ...example,
        requestBody: '{"productId":12,"msisdn":"0541234567","quantity":1,"pay":"wallet"}',
        answerBody: '{"id":4711,"status":"PENDING"}',
      },
    },
    errors: ["log.request_not_found"],
    handle: async ({ db, caller, params }) => ({
      body: schemas.WholeLoggedRequest.present(await queries.get(db, readerOf(caller), params.id)),
    }),
  }),
];

function readerOf({ by, key }: Caller): queries.Reader {
  return { userId: by.userId, keyId: key?.id };
}
