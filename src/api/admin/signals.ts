// Admin API routes for signals, their rules, and the record of an account with its notes.
import * as users from "../../core/identity/users.ts";
import * as agentNotes from "../../core/signals/agent-notes.ts";
import * as record from "../../core/signals/record.ts";
import * as rules from "../../core/signals/rules.ts";
import * as signals from "../../core/signals/signals.ts";
import { IdParams, Page } from "../../http/schemas/common.ts";
import * as schemas from "../../http/schemas/staff/signals.ts";
import { requireRightOver } from "../../shared/rights.ts";
import {
  noteExample,
  parametersIn,
  previewExample,
  recordExample,
  ruleExample,
  signalExample,
  withBounds,
} from "../present-signal.ts";
import { page, type Route, route } from "../route.ts";
import { done, run } from "../run.ts";

const { isOn, effect, parameters, message } = ruleExample;
const closedExample = {
  ...signalExample,
  closedAt: "2026-11-21T15:20:11.004Z",
  closedBy: "akua",
  note: "Her new phone; she confirmed the order",
};

const ruleRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/signal-rules",
    right: "agents.note",
    summary: "The rules by which signals are raised, with their bounds",
    answer: { status: 200, schema: schemas.SignalRule.schema.array(), example: [ruleExample] },
    errors: [],
    handle: async ({ db }) => ({
      body: (await rules.list(db)).map((rule) => schemas.SignalRule.present(withBounds(rule))),
    }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/signal-rules/:kind",
    subject: "signalRule",
    right: "settings.change",
    summary: "Change a rule; it looks at what happens from then on",
    command: "signal.rule",
    params: schemas.RuleParams,
    body: schemas.RuleToSet,
    example: { isOn, effect, parameters, message },
    answer: { status: 200, schema: schemas.SignalRule.schema, example: ruleExample },
    errors: ["auth.confirm_needed"],
    handle: async ({ db, by, params: { kind }, body }) => {
      const parameters = parametersIn(kind, body.parameters);
      const { answer } = await rules.change(db, { by, kind, ...body, parameters });
      return { body: schemas.SignalRule.present(withBounds(answer)) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/signal-rules/:kind/preview",
    subject: "signalRule",
    right: "agents.note",
    summary: "What a rule with these parameters would have raised in the last 30 days; nothing is changed",
    params: schemas.RuleParams,
    body: schemas.RuleToTry,
    example: { parameters },
    answer: { status: 200, schema: schemas.Preview.schema, example: previewExample },
    errors: ["request.rate_limited", "signal.preview_too_long"],
    handle: async ({ db, by, params: { kind }, body }) => {
      const tried = parametersIn(kind, body.parameters);
      return { body: schemas.Preview.present(await rules.preview(db, { by, kind, parameters: tried })) };
    },
  }),
];

const ofSignal = { subject: "signal", idOf: "signalId" } as const;

export const signalRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/signals",
    right: "agents.note",
    summary: "Signals, newest first",
    query: schemas.SignalQuery,
    answer: { status: 200, schema: schemas.Signal.schema.array(), example: [signalExample] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, ...filter } }) =>
      page(request, await signals.list(db, filter, { limit, cursor }), limit, schemas.Signal.present),
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/signals/:id",
    subject: "signal",
    right: "agents.note",
    summary: "One signal with its evidence",
    params: IdParams,
    answer: { status: 200, schema: schemas.Signal.schema, example: signalExample },
    errors: ["signal.not_found"],
    handle: async ({ db, params }) => ({ body: schemas.Signal.present(await signals.get(db, params.id)) }),
  }),
  run("POST /admin/signals/:id/close", signals.close, schemas.Signal, {
    ...ofSignal,
    example: { note: closedExample.note },
    gives: closedExample,
  }),
  run("POST /admin/signals/:id/end-hold", signals.endHold, done, { ...ofSignal, gives: { ok: true } }),
  run("POST /admin/signals/:id/stop", signals.stop, done, { ...ofSignal, gives: { ok: true } }),
  ...ruleRoutes,
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/record",
    subject: "user",
    right: "agents.note",
    summary: "The record of an account: totals, logins, signals and notes",
    params: IdParams,
    answer: { status: 200, schema: schemas.AccountRecord.schema, example: recordExample },
    errors: ["user.not_found"],
    handle: async ({ db, by, params }) => {
      const { user, hold, ...found } = await record.of(db, { by, userId: params.id });
      const held = { isHeld: hold !== null, heldUntil: hold?.until ?? null };
      return { body: schemas.AccountRecord.present({ ...found, ...held, userId: user.id, username: user.username }) };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/notes",
    subject: "user",
    right: "agents.note",
    summary: "Notes of staff about an account, newest first",
    params: IdParams,
    query: Page,
    answer: { status: 200, schema: schemas.AgentNote.schema.array(), example: [noteExample] },
    errors: ["user.not_found"],
    handle: async ({ db, by, request, params, query }) => {
      requireRightOver(by, await users.get(db, params.id), "agents.note");
      return page(request, await agentNotes.list(db, params.id, query), query.limit, schemas.AgentNote.present);
    },
  }),
  run("POST /admin/users/:id/notes", agentNotes.add, schemas.NoteAdded, {
    ...{ subject: "user", idOf: "userId", status: 201 },
    example: { note: noteExample.note },
    gives: { noteId: noteExample.id },
  }),
];
