// Views of signals, their rules, and the record of an account. Amounts are in GH₵, under names without "Pesewas".
import { z } from "zod";
import { isMoney } from "../../../core/signals/rules.ts";
import { as } from "../../../shared/fields.ts";
import { Id, requiredText } from "../../../shared/inputs.ts";
import { toCedis } from "../../../shared/money.ts";
import { SIGNAL_EFFECTS, SIGNAL_KINDS } from "../../../shared/signals.ts";
import { Moment, many, money, one, view } from "../../view.ts";
import { Page } from "../common.ts";

const Kind = z.enum(SIGNAL_KINDS);
const Effect = z
  .enum(SIGNAL_EFFECTS)
  .describe(
    "note: a row for a person; hold: besides, orders that were not dispatched wait ten minutes; stop: besides, the " +
      "account is frozen",
  );
const text = z.string();
const Figures = z.record(text.max(40), z.number()).describe("Amounts in GH₵");

/** Figures as the core has them, whose names say which are money. */
function inCedis<S extends z.ZodType>(shown: S) {
  const encode = (figures: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(figures).map(([name, value]) =>
        isMoney(name) ? [shortOf(name), toCedis(Number(value))] : [name, value],
      ),
    ) as never;
  const decode = (figures: unknown) => figures as never;
  return z.codec(shown, z.custom<Record<string, unknown>>(), { decode, encode }).describe("Amounts in GH₵");
}

/** The name of a figure outside. */
export function shortOf(name: string): string {
  return name.replace(/Pesewas$/, "");
}

export const Signal = view({
  id: Id,
  kind: Kind,
  label: text,
  userId: Id,
  username: text,
  effect: Effect,
  sentence: text.describe("The evidence in words"),
  evidence: inCedis(z.record(text, z.union([text, z.number(), z.array(Id)]))),
  happenedAt: Moment,
  createdAt: as("raisedAt", Moment),
  closedAt: Moment.nullable(),
  closedBy: text.nullable(),
  note: text.nullable(),
});

export const SignalQuery = Page.extend({
  state: z.enum(["open", "closed", "all"]).default("open"),
  kind: Kind.optional(),
  effect: Effect.optional(),
  userId: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

export const RuleParams = z.object({ kind: Kind });

export const RuleToSet = z.object({
  isOn: z.boolean(),
  effect: Effect,
  parameters: Figures,
  message: requiredText(200, "Tell the agent why").describe("What the agent reads when the account is frozen"),
});

export const SignalRule = view({
  kind: Kind,
  label: text,
  about: text,
  isOn: z.boolean(),
  effect: Effect,
  parameters: inCedis(z.record(text.max(40), z.number())),
  bounds: z
    .record(text, z.object({ label: text, unit: text, min: z.number(), max: z.number() }))
    .describe("Of each parameter"),
  message: text,
});

export const RuleToTry = z.object({ parameters: Figures });

export const Preview = view({
  count: z.int(),
  isPart: z.boolean().describe("There was more than is looked at: these are the oldest of the 30 days"),
  examples: many(view({ userId: Id, username: text, at: as("happenedAt", Moment), sentence: text })),
});

export const AgentNote = view({ id: Id, note: text, by: text.nullable(), createdAt: Moment });

export const NoteAdded = view({ noteId: Id });

const Total = one(view({ count: z.int(), pesewas: money("amount") }));

export const AccountRecord = view({
  userId: Id,
  username: text,
  totals: one(
    view({
      bought: Total.describe("Paid and not failed"),
      failed: Total.describe("Failed after payment, among the newest 10,000 orders"),
      notReceived: Total,
      toppedUp: Total,
      disputed: Total,
      lost: Total.describe("Delivered after a refund"),
    }),
  ),
  sessions: z.int().describe("Open now"),
  logins: many(view({ at: Moment, address: text.nullable(), userAgent: text.nullable(), isNewDevice: z.boolean() })),
  heldUntil: Moment.nullable().describe("Its orders are held until then"),
  isHeld: z.boolean(),
  signals: many(Signal),
  notes: many(AgentNote),
});
