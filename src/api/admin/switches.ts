// Admin API routes for kill switches. A network's is its pause: see PATCH /api/v1/admin/operators/:operator.
import * as switches from "../../core/overview/switches.ts";
import { SwitchParams, SwitchState, SwitchToClose } from "../../http/schemas/switches.ts";
import { SWITCHES } from "../../shared/switches.ts";
import { type Route, route } from "../route.ts";

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
    answer: { status: 200, schema: SwitchState.array(), example: [example] },
    errors: [],
    handle: async ({ db }) => ({ body: (await switches.list(db)).map(present) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/switches/:name",
    right: "switches.throw",
    summary: "Close a switch, with words for people and an end if it should open by itself",
    params: SwitchParams,
    body: SwitchToClose,
    example: { message: closedExample.message, reason: closedExample.reason, until: closedExample.until },
    answer: { status: 200, schema: SwitchState, example },
    errors: ["auth.confirm_needed", "pause.end_invalid"],
    handle: async ({ db, by, params, body }) => ({
      body: present(await switches.close(db, { by, ...params, ...body })),
    }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/admin/switches/:name",
    right: "switches.throw",
    summary: "Open a switch; no effect on one that is open",
    params: SwitchParams,
    answer: { status: 200, schema: SwitchState, example: { ...example, closed: null } },
    errors: ["auth.confirm_needed"],
    handle: async ({ db, by, params }) => ({ body: present(await switches.open(db, { by, ...params })) }),
  }),
];

function present({ name, closed }: switches.Switch) {
  return {
    ...{ name, label: SWITCHES[name].label },
    closed: closed && {
      ...closed,
      until: closed.until?.toISOString() ?? null,
      since: closed.since.toISOString(),
    },
  };
}
