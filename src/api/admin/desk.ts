// Admin API routes for the desk: batches of orders that are sent by hand, and their results.

import * as desk from "../../core/fulfilment/desk/desk.ts";
import * as passing from "../../core/fulfilment/desk/desk-passing.ts";
import * as deskResults from "../../core/fulfilment/desk/desk-results.ts";
import { IdParams } from "../../http/schemas/common.ts";
import * as schemas from "../../http/schemas/staff/desk.ts";
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { type Route, route } from "../route.ts";
import { run } from "../run.ts";

const batchExample = {
  id: 7,
  operator: "MTN",
  orders: 300,
  open: 300,
  takenByUserId: 1,
  dueAt: "2026-11-21T12:00:00.000Z",
  createdAt: "2026-11-21T10:00:00.000Z",
  exportedAt: null,
  releasedAt: null,
};

export const deskRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/desk",
    right: "orders.work",
    summary: "The orders that wait to be sent by hand, by network and size",
    answer: {
      status: 200,
      schema: schemas.DeskWaiting.schema.array(),
      example: [
        {
          operator: "MTN",
          orders: 300,
          oldestAt: "2026-11-21T09:30:00.000Z",
          dueAt: "2026-11-21T10:30:00.000Z",
          sizes: [{ key: "MTN 1GB", size: "1GB", orders: 300 }],
        },
      ],
    },
    errors: [],
    handle: async ({ db }) => ({ body: (await desk.waiting(db)).map(schemas.DeskWaiting.present) }),
  }),
  run("POST /admin/desk/batches", desk.take, schemas.TakenBatch, {
    example: { operator: "MTN", countMax: 300, sizes: ["MTN 1GB"] },
    ...{ gives: { id: 7, orders: 300 }, status: 201 },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/desk/batches/:id",
    subject: "batch",
    right: "orders.work",
    summary: "A batch with its orders that are still to be sent; that they were read is noted",
    params: IdParams,
    answer: {
      status: 200,
      schema: schemas.BatchToSend.schema,
      example: {
        ...batchExample,
        exportedAt: "2026-11-21T10:01:00.000Z",
        toSend: [
          {
            id: 4711,
            operator: "MTN",
            size: "1GB",
            volumeMb: 1000,
            quantity: 1,
            msisdn: "0541234567",
            amount: 3.9,
          },
        ],
      },
    },
    errors: ["desk.batch_not_found"],
    handle: async ({ db, by, params }) => {
      const toSend = await desk.download(db, { by, batchId: params.id });
      const { batch } = await desk.batch(db, params.id);
      return { body: schemas.BatchToSend.present({ ...batch, toSend }) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/desk/batches/:id/results",
    subject: "batch",
    right: "orders.work",
    summary: "Hand in results of a batch; they are applied some seconds later, unless they are undone",
    takesKey: true,
    command: "batch.report",
    params: IdParams,
    body: schemas.BatchResults,
    bodyBytesMax: limits.bulkBodyBytes,
    example: { results: [{ msisdn: "0541234567", outcome: "delivered" }] },
    answer: {
      status: 202,
      schema: schemas.BatchResultsTaken.schema,
      example: {
        resultId: 12,
        appliedAt: "2026-11-21T10:20:10.000Z",
        delivered: 1,
        failed: 0,
        pending: 0,
        deliveredAfterRefund: 0,
        refund: 0,
        unused: [],
      },
    },
    errors: ["desk.batch_not_found", "service.closed"],
    handle: async ({ db, by, key, params, body: { results } }) => {
      const lines = results.map(({ msisdn, volumeMb = null, outcome, message = null }, index) => ({
        ...{ line: index, msisdn: parseMsisdn(msisdn)!, volumeMb, outcome, message },
      }));
      const { answer, replayed } = await deskResults.report(db, { by, key, batchId: params.id, lines });
      return { body: schemas.BatchResultsTaken.present(answer), replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/desk/batches/:id/rest",
    subject: "batch",
    right: "orders.work",
    summary: "Set all remaining orders of a batch to one result; it is applied some seconds later",
    takesKey: true,
    command: "batch.close_rest",
    params: IdParams,
    body: schemas.BatchRest,
    example: { to: "DELIVERED", expectedCount: 4 },
    answer: {
      status: 202,
      schema: schemas.BatchRestTaken.schema,
      example: { resultId: 13, appliedAt: "2026-11-21T10:20:10.000Z", orders: 4 },
    },
    errors: ["desk.batch_not_found", "desk.batch_changed", "service.closed"],
    handle: async ({ db, by, key, params, body: { to, reason, expectedCount } }) => {
      if (to === "FAILED" && reason === undefined) {
        const message = "Tell the buyers why they failed";
        throw new AppError("request.invalid", { fields: { reason: message } }, message);
      }
      const command = { by, key, batchId: params.id, to, reason, expectedCount };
      const { answer, replayed } = await deskResults.closeRest(db, command);
      return { body: schemas.BatchRestTaken.present(answer), replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/desk/batches/:id/undo",
    subject: "batch",
    right: "orders.work",
    summary: "Undo results of a batch that are not applied yet",
    command: "batch.undo_results",
    params: IdParams,
    body: schemas.ResultUndo,
    example: { resultId: 12 },
    answer: {
      status: 200,
      schema: schemas.ResultUndone,
      example: { resultId: 12, undoneAt: "2026-11-21T10:20:04.000Z" },
    },
    errors: ["desk.result_not_found", "desk.result_applied"],
    handle: async ({ db, by, params, body: { resultId } }) => {
      const found = await deskResults.get(db, resultId);
      if (found.deskBatchId !== params.id) throw new AppError("desk.result_not_found");
      const { answer } = await deskResults.undo(db, { by, resultId });
      return { body: { resultId, undoneAt: answer.undoneAt!.toISOString() } };
    },
  }),
  run("POST /admin/desk/batches/:id/pass-on", passing.passOn, schemas.DeskBatch, {
    ...{ subject: "batch", idOf: "batchId" },
    example: { fromUserId: 1, toUserId: 4 },
    gives: { ...batchExample, takenByUserId: 4 },
  }),
  run("POST /admin/desk/batches/:id/release", desk.release, schemas.BatchReleased, {
    ...{ subject: "batch", idOf: "batchId" },
    gives: { id: 7, returned: 4 },
  }),
];
