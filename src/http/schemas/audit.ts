// The audit of the books, as the API speaks of it.
import { z } from "zod";
import { Id, moment } from "./index.ts";

const AuditKind = z.enum(["full", "new"]).describe("Everything, or what has come since the run before");
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
  last: AuditRun.nullable().describe("The newest run that came to a result"),
  open: z
    .object({ id: Id, kind: AuditKind, askedAt: moment, startedAt: moment.nullable() })
    .nullable()
    .describe("The run that waits for the worker, or is being carried out"),
  error: z.string().nullable().describe("Why the newest run could not be carried out"),
});
