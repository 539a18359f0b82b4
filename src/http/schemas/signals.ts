// Schemas of signals, their rules, and the record of an account.
import { z } from "zod";
import { limits } from "../../shared/domain.ts";
import { Id, requiredText } from "../../shared/inputs.ts";
import { SIGNAL_EFFECTS, SIGNAL_KINDS } from "../../shared/signals.ts";
import { moment, money, Page } from "./common.ts";

const Kind = z.enum(SIGNAL_KINDS);
const Effect = z
  .enum(SIGNAL_EFFECTS)
  .describe(
    "note: a row for a person; hold: besides, orders that were not dispatched wait ten minutes; stop: besides, the " +
      "account is frozen",
  );
const Figures = z.record(z.string().max(40), z.number()).describe("Amounts in GH₵");

export const Signal = z.object({
  id: Id,
  kind: Kind,
  label: z.string(),
  userId: Id,
  username: z.string(),
  effect: Effect,
  sentence: z.string().describe("The evidence in words"),
  evidence: z.record(z.string(), z.union([z.string(), z.number(), z.array(Id)])).describe("Amounts in GH₵"),
  happenedAt: moment,
  raisedAt: moment,
  closedAt: moment.nullable(),
  closedBy: z.string().nullable(),
  note: z.string().nullable(),
});

export const SignalQuery = Page.extend({
  state: z.enum(["open", "closed", "all"]).default("open"),
  kind: Kind.optional(),
  effect: Effect.optional(),
  userId: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

const Note = requiredText(limits.noteChars, "signal.note_missing");
export const ClosedSignal = z.object({ note: Note.describe("What came out") });

const Message = requiredText(200, "Tell the agent why");

export const RuleParams = z.object({ kind: Kind });

export const RuleToSet = z.object({
  isOn: z.boolean(),
  effect: Effect,
  parameters: Figures,
  message: Message.describe("What the agent reads when the account is frozen"),
});

export const SignalRule = z.object({
  kind: Kind,
  label: z.string(),
  about: z.string(),
  isOn: z.boolean(),
  effect: Effect,
  parameters: Figures,
  bounds: z
    .record(z.string(), z.object({ label: z.string(), unit: z.string(), min: z.number(), max: z.number() }))
    .describe("Of each parameter"),
  message: z.string(),
});

export const RuleToTry = z.object({ parameters: Figures });

export const Preview = z.object({
  count: z.int(),
  isPart: z.boolean().describe("There was more than is looked at: these are the oldest of the 30 days"),
  examples: z.array(z.object({ userId: Id, username: z.string(), happenedAt: moment, sentence: z.string() })),
});

const Total = z.object({ count: z.int(), amount: money });

export const AgentNote = z.object({ id: Id, note: z.string(), by: z.string().nullable(), createdAt: moment });

export const AgentNoteToAdd = z.object({ note: Note });

export const NoteAdded = z.object({ noteId: Id });

export const AccountRecord = z.object({
  userId: Id,
  username: z.string(),
  totals: z.object({
    bought: Total.describe("Paid and not failed"),
    failed: Total.describe("Failed after payment, among the newest 10,000 orders"),
    notReceived: Total,
    toppedUp: Total,
    disputed: Total,
    lost: Total.describe("Delivered after a refund"),
  }),
  sessions: z.int().describe("Open now"),
  logins: z.array(
    z.object({
      at: moment,
      address: z.string().nullable(),
      userAgent: z.string().nullable(),
      isNewDevice: z.boolean(),
    }),
  ),
  heldUntil: moment.nullable().describe("Its orders are held until then"),
  isHeld: z.boolean(),
  signals: Signal.array(),
  notes: AgentNote.array(),
});
