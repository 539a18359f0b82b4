// Signals, their rules and the record of an account as JSON. Amounts are in GH₵, under names without "Pesewas".
import type { AgentNote } from "../core/signals/agent-notes.ts";
import { KINDS } from "../core/signals/kinds.ts";
import type { Record as AccountRecord, Total } from "../core/signals/record.ts";
import { isMoney, type Preview, type Rule } from "../core/signals/rules.ts";
import type { Signal } from "../core/signals/signals.ts";
import { parseCedis, toCedis } from "../shared/money.ts";
import type { SignalKind } from "../shared/signals.ts";

export function presentSignal(signal: Signal) {
  const { id, kind, label, userId, username, effect, sentence, closedBy, note } = signal;
  return {
    ...{ id, kind, label, userId, username, effect, sentence, closedBy, note },
    evidence: inCedis(signal.evidence),
    happenedAt: signal.happenedAt.toISOString(),
    raisedAt: signal.createdAt.toISOString(),
    closedAt: signal.closedAt?.toISOString() ?? null,
  };
}

export function presentRule({ kind, isOn, effect, parameters, message }: Rule) {
  const { label, about, parameters: bounds } = KINDS[kind];
  const shownBounds = Object.entries(bounds).map(([name, { min, max, ...words }]) => {
    const [lowest, highest] = isMoney(name) ? [toCedis(min), toCedis(max)] : [min, max];
    return [shortOf(name), { ...words, min: lowest, max: highest }] as const;
  });
  return {
    ...{ kind, label, about, isOn, effect, message },
    parameters: inCedis(parameters) as Record<string, number>,
    bounds: Object.fromEntries(shownBounds),
  };
}

/** A rule's parameters from the API; what is unknown or no amount stays as it is, for the core to refuse. */
export function parametersIn(kind: SignalKind, given: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.keys(KINDS[kind].parameters).flatMap((name) => {
      const value = given[shortOf(name)];
      if (value === undefined) return [];
      return [[name, isMoney(name) ? (parseCedis(value) ?? Number.NaN) : value]];
    }),
  );
}

export function presentPreview({ count, isPart, examples }: Preview) {
  return {
    ...{ count, isPart },
    examples: examples.map(({ userId, username, at, sentence }) => ({
      ...{ userId, username, sentence },
      happenedAt: at.toISOString(),
    })),
  };
}

export function presentNote({ id, note, by, createdAt }: AgentNote) {
  return { id, note, by, createdAt: createdAt.toISOString() };
}

export function presentRecord(record: AccountRecord) {
  const { user, totals, logins, sessions, signals, notes, hold } = record;
  const shown = ({ count, pesewas }: Total) => ({ count, amount: toCedis(pesewas) });
  return {
    userId: user.id,
    username: user.username,
    totals: {
      bought: shown(totals.bought),
      failed: shown(totals.failed),
      notReceived: shown(totals.notReceived),
      toppedUp: shown(totals.toppedUp),
      disputed: shown(totals.disputed),
      lost: shown(totals.lost),
    },
    sessions,
    logins: logins.map(({ at, address, userAgent, isNewDevice }) => ({
      ...{ address, userAgent, isNewDevice },
      at: at.toISOString(),
    })),
    isHeld: hold !== null,
    heldUntil: hold?.until?.toISOString() ?? null,
    signals: signals.map(presentSignal),
    notes: notes.map(presentNote),
  };
}

function inCedis<Value>(figures: Record<string, Value>): Record<string, Value | number> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) =>
      isMoney(name) ? [shortOf(name), toCedis(Number(value))] : [name, value],
    ),
  );
}

function shortOf(name: string): string {
  return name.replace(/Pesewas$/, "");
}

export const signalExample: ReturnType<typeof presentSignal> = {
  id: 31,
  kind: "takeover",
  label: "New device, new PIN, bulk order",
  userId: 12,
  username: "ama",
  effect: "hold",
  sentence:
    "A bulk order of 40 lines for GH₵ 334.00, 12 minutes after a login from a new device and " +
    "9 minutes after a new PIN.",
  evidence: { bulkOrderId: 88, lines: 40, amount: 334, loginId: 5021, loginMinutes: 12, pinMinutes: 9 },
  happenedAt: "2026-11-21T15:13:52.617Z",
  raisedAt: "2026-11-21T15:13:54.002Z",
  closedAt: null,
  closedBy: null,
  note: null,
};

export const ruleExample: ReturnType<typeof presentRule> = {
  kind: "losses",
  label: "Losses",
  about: "Orders of an agent were delivered after their refund.",
  isOn: true,
  effect: "note",
  parameters: { count: 2, days: 30 },
  bounds: {
    count: { label: "How many", unit: "times", min: 1, max: 50 },
    days: { label: "Within", unit: "days", min: 1, max: 90 },
  },
  message: "We are checking orders of yours that were refunded",
};

const { userId, username, happenedAt, sentence } = signalExample;
export const previewExample: ReturnType<typeof presentPreview> = {
  count: 1,
  isPart: false,
  examples: [{ userId, username, happenedAt, sentence }],
};

export const noteExample: ReturnType<typeof presentNote> = {
  id: 4,
  note: "Called her: she sells for a school",
  by: "adwoa",
  createdAt: "2026-11-21T16:02:11.000Z",
};

const none = { count: 0, amount: 0 };
export const recordExample: ReturnType<typeof presentRecord> = {
  userId: 12,
  username: "ama",
  totals: {
    bought: { count: 412, amount: 5120.4 },
    failed: { count: 9, amount: 81 },
    notReceived: { count: 2, amount: 12.3 },
    toppedUp: { count: 31, amount: 5400 },
    disputed: none,
    lost: none,
  },
  sessions: 1,
  logins: [{ address: "198.51.100.7", userAgent: "curl/8.5.0", isNewDevice: true, at: "2026-11-21T15:01:40.000Z" }],
  isHeld: true,
  heldUntil: "2026-11-21T15:23:54.002Z",
  signals: [signalExample],
  notes: [noteExample],
};
