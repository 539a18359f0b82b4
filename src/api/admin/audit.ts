// Admin API routes for the audit of the books: the latest result, and requesting a run, which a worker carries out.
import * as auditRuns from "../../core/ledger/audit-runs.ts";
import * as schemas from "../../http/schemas/staff/audit.ts";
import { type Route, route } from "../route.ts";

const example = {
  last: {
    id: 12,
    kind: "new" as const,
    startedAt: "2026-11-22T02:00:31.000Z",
    endedAt: "2026-11-22T02:00:33.000Z",
    ok: true,
    findings: [],
    checked: { transfers: 90, wallets: 4, orders: 88 },
  },
  open: null,
  error: null,
};

export const adminAudit: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/audit",
    right: "books.see",
    summary: "The latest audit of the books, and whether another is queued or running",
    answer: { status: 200, schema: schemas.AuditState.schema, example },
    errors: [],
    handle: async ({ db }) => ({ body: schemas.AuditState.present(await auditRuns.state(db)) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/audit",
    right: "books.see",
    summary: "Request an audit of the books; the worker runs one at a time",
    body: schemas.AuditAsk,
    example: { kind: "full" },
    answer: {
      status: 202,
      schema: schemas.AuditState.schema,
      example: {
        ...example,
        open: { id: 13, kind: "full" as const, askedAt: "2026-11-22T09:12:05.000Z", startedAt: null },
      },
    },
    errors: [],
    handle: async ({ db, by, body }) => ({
      body: schemas.AuditState.present(await auditRuns.request(db, { by, kind: body.kind })),
    }),
  }),
];
