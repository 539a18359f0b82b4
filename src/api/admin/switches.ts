// Admin API routes for kill switches. A network's is its pause: see PATCH /api/v1/admin/operators/:operator.
import * as switches from "../../core/overview/switches.ts";
import { SwitchState } from "../../http/schemas/staff/switches.ts";
import { type Route, route } from "../route.ts";
import { run } from "../run.ts";

const closedExample = {
  ...{ message: "Sales are closed until our prices are right.", until: "2026-11-21T14:30:00.000Z" },
  ...{ reason: "Wrong prices for MTN", by: "yaw", since: "2026-11-21T09:30:00.000Z" },
};
const example = { name: "sales" as const, label: "Sales", closed: closedExample };

export const switchRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/switches",
    right: "switches.throw",
    summary: "The kill switches, and which of them are closed; networks are paused as operators",
    answer: { status: 200, schema: SwitchState.schema.array(), example: [example] },
    errors: [],
    handle: async ({ db }) => ({ body: (await switches.list(db)).map(SwitchState.present) }),
  }),
  run("PUT /admin/switches/:name", switches.close, SwitchState, {
    example: { message: closedExample.message, reason: closedExample.reason, until: closedExample.until },
    gives: example,
  }),
  run("DELETE /admin/switches/:name", switches.open, SwitchState, { gives: { ...example, closed: null } }),
];
