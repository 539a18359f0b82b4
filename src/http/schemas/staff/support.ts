// Schemas of support: requests, replies, and orders reported as not received.

import { z } from "zod";
import type { KeptAnswer as Kept } from "../../../core/support/kept-answers.ts";
import {
  type Message,
  type SupportRequest as StoredRequest,
  type SupportRow,
  stateOf,
} from "../../../core/support/requests.ts";
import { DISPUTE_OUTCOMES, limits, REQUEST_STATES } from "../../../shared/domain.ts";
import { Email, Id, requiredText, text } from "../../../shared/inputs.ts";
import { Moment, view } from "../../view.ts";
import { Page, SentId } from "../common.ts";

export const SupportMessage = z.object({
  fullName: requiredText(100, "Enter your full name"),
  email: Email,
  subject: requiredText(150, "Enter a subject"),
  message: requiredText(2000, "Say what happened"),
});

const Text = requiredText(limits.messageChars, "Say what happened");

export const NewRequest = z.object({
  subject: requiredText(150, "Enter a subject"),
  message: Text,
  orderId: SentId.optional().describe("One of your orders, if the request is about one"),
});
const RequestState = z.enum(REQUEST_STATES);
export const RequestQuery = Page.extend({
  state: RequestState.optional().describe("open: support's turn; answered: the user's turn"),
});
export const AdminRequestQuery = RequestQuery.extend({
  kind: z.enum(["request", "not_received"]).optional(),
  assignedTo: SentId.optional().describe("The id of whoever of staff looks after it"),
  search: text(100).optional().describe("The id of a request, an order or a user; a name; words of the text"),
});

const request = {
  id: Id,
  kind: z.enum(["request", "not_received"]),
  status: RequestState,
  orderId: Id.nullable(),
  claimId: Id.nullable(),
  subject: z.string().nullable(),
  message: z.string(),
  dueAt: Moment.nullable().describe(
    "When it is to be decided; without a decision the order is refunded, up to the shop's limits",
  ),
  outcome: z.enum(DISPUTE_OUTCOMES).nullable(),
  proof: z.string().nullable().describe("The proof of delivery"),
  createdAt: Moment,
};
const requestOf = <R extends StoredRequest>(row: R) => ({
  ...row,
  status: stateOf(row),
  orderId: row.subjectType === "order" ? row.subjectId : null,
  claimId: row.subjectType === "claim" ? row.subjectId : null,
});
export const SupportRequest = view(request, requestOf<StoredRequest>);
export const AdminSupportRequest = view(
  {
    ...request,
    userId: Id,
    username: z.string(),
    fullName: z.string().nullable(),
    email: z.string().nullable(),
    assignee: z.string().nullable().describe("Who of staff looks after it; null for nobody"),
  },
  requestOf<SupportRow>,
);
const reply = {
  id: Id,
  from: z.enum(["support", "user"]),
  message: z.string(),
  createdAt: Moment,
};
const replyOf = (row: Message) => ({ ...row, from: row.isSupport ? ("support" as const) : ("user" as const) });
export const Reply = view(reply, replyOf);
export const AdminReply = view(
  { ...reply, username: z.string().nullable().describe("The author; null for the shop itself") },
  replyOf,
);
export const KeptAnswer = view({ id: Id, name: z.string(), message: z.string() }, (row: Kept) => row);
