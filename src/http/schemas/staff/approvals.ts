// API schemas of requests for a second person.
import { z } from "zod";
import type { Approval as StoredApproval } from "../../../core/approvals/queries.ts";
import { APPROVAL_STATES } from "../../../shared/domain.ts";
import { as } from "../../../shared/fields.ts";
import { Id, requiredText } from "../../../shared/inputs.ts";
import { Moment, money, view } from "../../view.ts";
import { Page } from "../common.ts";

const State = z.enum(APPROVAL_STATES);
const Facts = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const Approval = view(
  {
    id: Id,
    kind: z.string().describe("The act, as in wallet.adjust"),
    label: z.string(),
    summary: z.string().describe("What it does, after “asks to”"),
    reason: z.string().nullable(),
    amountPesewas: money("amount")
      .nullable()
      .describe("Null where it is not about an amount; negative for money taken out"),
    state: State.describe("outdated: what it was about had changed, and nothing was done"),
    requestedBy: z.string(),
    createdAt: as("requestedAt", Moment),
    expiresAt: Moment,
    seen: Facts.describe("What whoever asked saw; agreeing is refused when it has changed"),
    decidedBy: z.string().nullable(),
    decidedAt: Moment.nullable(),
    note: z.string().nullable().describe("Why it was refused, or was not done"),
  },
  (approval: StoredApproval) => ({ ...approval, seen: { ...approval.seen.state, ...approval.seen.facts } }),
);

/** The answer when nothing is done yet, because somebody else must agree. */
export const Requested = z.object({
  message: z.string().describe("That nothing is done yet, and who has to agree"),
  approval: Approval.schema,
});

export const ApprovalQuery = Page.extend({
  state: z.enum(["open", "closed"]).default("open").describe("open: oldest first; closed: newest first"),
});

export const RefusedApproval = z.object({ reason: requiredText(300, "Say why, for whoever asked") });
