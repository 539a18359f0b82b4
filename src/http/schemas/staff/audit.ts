// Schemas of the audit of the books.
import { z } from "zod";
import { Id } from "../../../shared/inputs.ts";
import { moment } from "../common.ts";

const AuditKind = z.enum(["full", "new"]).describe("Everything, or only what is new since the previous run");
export const AuditAsk = z.object({ kind: AuditKind.default("new") });
export const AuditRun = z.object({
  id: Id,
  kind: AuditKind,
  startedAt: moment,
  endedAt: moment,
  ok: z.boolean(),
  findings: z.array(z.object({ rule: z.string(), subject: z.string(), detail: z.string() })),
  checked: z.record(z.string(), z.int()),
});
export const AuditState = z.object({
  last: AuditRun.nullable().describe("The latest run with a result"),
  open: z
    .object({ id: Id, kind: AuditKind, askedAt: moment, startedAt: moment.nullable() })
    .nullable()
    .describe("The run that is waiting for the worker or in progress"),
  error: z.string().nullable().describe("Why the latest run failed to complete"),
});
