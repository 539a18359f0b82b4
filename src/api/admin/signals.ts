// Admin API routes for signals, their rules, and the record of an account with its notes.
import * as users from "../../core/identity/users.ts";
import * as agentNotes from "../../core/signals/agent-notes.ts";
import * as record from "../../core/signals/record.ts";
import * as rules from "../../core/signals/rules.ts";
import * as signals from "../../core/signals/signals.ts";
import { Done, IdParams, Page } from "../../http/schemas/common.ts";
import * as schemas from "../../http/schemas/signals.ts";
import { requireRightOver } from "../../shared/rights.ts";
import { keyErrors } from "../orders.ts";
import {
  noteExample,
  parametersIn,
  presentNote,
  presentPreview,
  presentRecord,
  presentRule,
  presentSignal,
  previewExample,
  recordExample,
  ruleExample,
  signalExample,
} from "../present-signal.ts";
import { page, type Route, route } from "../route.ts";

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
    answer: { status: 200, schema: schemas.SignalRule.array(), example: [ruleExample] },
    errors: [],
    handle: async ({ db }) => ({ body: (await rules.list(db)).map(presentRule) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/signal-rules/:kind",
    subject: "signalRule",
    right: "settings.change",
    summary: "Change a rule; it looks at what happens from then on",
    params: schemas.RuleParams,
    body: schemas.RuleToSet,
    example: { isOn, effect, parameters, message },
    answer: { status: 200, schema: schemas.SignalRule, example: ruleExample },
    errors: ["auth.confirm_needed"],
    handle: async ({ db, by, params: { kind }, body }) => {
      const terms = { ...body, parameters: parametersIn(kind, body.parameters) };
      return { body: presentRule(await rules.change(db, { by, kind, terms })) };
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
    answer: { status: 200, schema: schemas.Preview, example: previewExample },
    errors: ["request.rate_limited", "signal.preview_too_long"],
    handle: async ({ db, by, params: { kind }, body }) => {
      const tried = parametersIn(kind, body.parameters);
      return { body: presentPreview(await rules.preview(db, { by, kind, parameters: tried })) };
    },
  }),
];

export const signalRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/signals",
    right: "agents.note",
    summary: "Signals, newest first",
    query: schemas.SignalQuery,
    answer: { status: 200, schema: schemas.Signal.array(), example: [signalExample] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, ...filter } }) =>
      page(request, await signals.list(db, filter, { limit, cursor }), limit, presentSignal),
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/signals/:id",
    subject: "signal",
    right: "agents.note",
    summary: "One signal with its evidence",
    params: IdParams,
    answer: { status: 200, schema: schemas.Signal, example: signalExample },
    errors: ["signal.not_found"],
    handle: async ({ db, params }) => ({ body: presentSignal(await signals.get(db, params.id)) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/signals/:id/close",
    subject: "signal",
    right: "agents.note",
    summary: "Close a signal with a note of what came out",
    params: IdParams,
    body: schemas.ClosedSignal,
    example: { note: closedExample.note },
    answer: { status: 200, schema: schemas.Signal, example: closedExample },
    errors: ["signal.not_found", "signal.closed", "auth.own_account"],
    handle: async ({ db, by, params, body }) => ({
      body: presentSignal(await signals.close(db, { by, signalId: params.id, ...body })),
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/signals/:id/end-hold",
    subject: "signal",
    right: "agents.manage",
    summary: "End the hold of a signal's account: its orders go on at once",
    params: IdParams,
    answer: { status: 200, schema: Done, example: { ok: true } },
    errors: ["signal.not_found", "signal.not_held", "auth.own_account"],
    handle: async ({ db, by, params }) => {
      await signals.endHold(db, { by, signalId: params.id });
      return { body: { ok: true } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/signals/:id/stop",
    subject: "signal",
    right: "agents.manage",
    summary: "Freeze a signal's account, and hold its orders for as long",
    params: IdParams,
    answer: { status: 200, schema: Done, example: { ok: true } },
    errors: ["signal.not_found", "user.closed", "auth.own_account"],
    handle: async ({ db, by, params }) => {
      await signals.stop(db, { by, signalId: params.id });
      return { body: { ok: true } };
    },
  }),
  ...ruleRoutes,
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/record",
    subject: "user",
    right: "agents.note",
    summary: "The record of an account: totals, logins, signals and notes",
    params: IdParams,
    answer: { status: 200, schema: schemas.AccountRecord, example: recordExample },
    errors: ["user.not_found"],
    handle: async ({ db, by, params }) => ({
      body: presentRecord(await record.of(db, { by, userId: params.id })),
    }),
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/notes",
    subject: "user",
    right: "agents.note",
    summary: "Notes of staff about an account, newest first",
    params: IdParams,
    query: Page,
    answer: { status: 200, schema: schemas.AgentNote.array(), example: [noteExample] },
    errors: ["user.not_found"],
    handle: async ({ db, by, request, params, query }) => {
      requireRightOver(by, await users.get(db, params.id), "agents.note");
      return page(request, await agentNotes.list(db, params.id, query), query.limit, presentNote);
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/users/:id/notes",
    subject: "user",
    right: "agents.note",
    takesKey: true,
    summary: "Write a note about an account, for staff",
    params: IdParams,
    body: schemas.AgentNoteToAdd,
    example: { note: noteExample.note },
    answer: { status: 201, schema: schemas.NoteAdded, example: { noteId: noteExample.id } },
    errors: ["user.not_found", "user.closed", "auth.own_account", "signal.note_missing", ...keyErrors],
    handle: async ({ db, by, key, params, body }) => {
      const { answer, replayed } = await agentNotes.add(db, { by, key, userId: params.id, ...body });
      return { body: answer, replayed };
    },
  }),
];
