// Admin API route for what waits, as the caller has the right to see it.
import { z } from "zod";
import { isUrgent, labelOf, pageOf, seenBy, waiting } from "../../core/overview/waiting.ts";
import { Waiting } from "../../http/schemas/staff/waiting.ts";
import { toCedis } from "../../shared/money.ts";
import { type Route, route } from "../route.ts";

export const adminWaiting: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/waiting",
    right: "shop.see",
    summary: "What waits for a person, the most urgent first",
    answer: {
      status: 200,
      schema: z.array(Waiting),
      example: [
        {
          ...{ kind: "deposits", label: "deposits to decide", count: 2, isMore: false, isUrgent: false },
          ...{ since: "2026-11-21T09:30:00.000Z", amount: 120, deadline: null, page: "/admin/claims#deposits" },
        },
      ],
    },
    errors: [],
    handle: async ({ db, by }) => ({
      body: seenBy(by, await waiting(db)).map((one) => ({
        ...{
          kind: one.kind,
          label: labelOf(one),
          count: one.count,
          isMore: one.isMore,
          isUrgent: isUrgent(one),
        },
        since: one.since?.toISOString() ?? null,
        amount: one.pesewas === null ? null : toCedis(one.pesewas),
        deadline: one.deadline?.toISOString() ?? null,
        page: pageOf(one),
      })),
    }),
  }),
];
