// What may come in and what goes out about support, beside schemas.ts: requests, replies, and what has not arrived.
import { z } from "zod";
import { CASE_OUTCOMES, limits, REQUEST_STATES } from "../../shared/domain.ts";
import { Id, moment, Page, requiredText, text } from "./index.ts";

const Message = requiredText(limits.messageChars, "Say what happened");

export const NewRequest = z.object({
  subject: requiredText(150, "Enter a subject"),
  message: Message,
  orderId: Id.optional().describe("One of your orders, when it is about one"),
});
export const NewReply = z.object({ message: requiredText(limits.messageChars, "Write an answer") });
export const NotReceived = z.object({
  message: text(limits.messageChars).trim().default("").describe("What you or your customer saw"),
});
export const Verdict = z.object({
  outcome: z.enum(["delivered", "refunded"]),
  proof: text(1000).trim().default("").describe("What shows that it was delivered; the agent reads it"),
  freesRegistration: z
    .boolean()
    .optional()
    .describe("With a refunded AFA registration: MTN has none, so card and number are free again"),
});

const RequestState = z.enum(REQUEST_STATES);
export const RequestQuery = Page.extend({
  state: RequestState.optional().describe("Open waits for support, answered for whoever asked"),
});
export const AdminRequestQuery = RequestQuery.extend({
  kind: z.enum(["request", "not_received"]).optional(),
  search: text(100).optional().describe("An id of a request, an order or a user; a name; words"),
});

export const SupportRequest = z.object({
  id: Id,
  kind: z.enum(["request", "not_received"]),
  status: RequestState,
  orderId: Id.nullable(),
  claimId: Id.nullable(),
  subject: z.string().nullable(),
  message: z.string(),
  dueAt: moment.nullable().describe("Not decided by then, the money goes back by itself"),
  outcome: z.enum(CASE_OUTCOMES).nullable(),
  proof: z.string().nullable().describe("What shows that it was delivered"),
  createdAt: moment,
});
export const AdminSupportRequest = SupportRequest.extend({
  userId: Id,
  username: z.string(),
  fullName: z.string().nullable(),
  email: z.string().nullable(),
});
export const Reply = z.object({
  id: Id,
  from: z.enum(["support", "user"]),
  message: z.string(),
  createdAt: moment,
});
export const AdminReply = Reply.extend({
  username: z.string().nullable().describe("Who wrote it; null when the shop itself did"),
});
