// Schemas of the audit of the books.
import { z } from "zod";
import { as } from "../../../shared/fields.ts";
import { Id } from "../../../shared/inputs.ts";
import { Moment, one, view } from "../../view.ts";

const AuditKind = z.enum(["full", "new"]).describe("Everything, or only what is new since the previous run");
export const AuditAsk = z.object({ kind: AuditKind.default("new") });
export const AuditRun = view({
  id: Id,
  kind: AuditKind,
  startedAt: Moment,
  endedAt: Moment,
  ok: z.boolean(),
  findings: z.array(z.object({ rule: z.string(), subject: z.string(), detail: z.string() })),
  checked: z.record(z.string(), z.int()),
});
export const AuditState = view({
  last: one(AuditRun).nullable().describe("The latest run with a result"),
  open: one(view({ id: Id, kind: AuditKind, requestedAt: as("askedAt", Moment), startedAt: Moment.nullable() }))
    .nullable()
    .describe("The run that is waiting for the worker or in progress"),
  error: z.string().nullable().describe("Why the latest run failed to complete"),
});
