// Signals and their rules for the API: what their rows leave open, and examples.
import { KINDS } from "../core/signals/kinds.ts";
import { isMoney, type Rule } from "../core/signals/rules.ts";
import { shortOf } from "../http/schemas/staff/signals.ts";
import { parseCedis, toCedis } from "../shared/money.ts";
import type { SignalKind } from "../shared/signals.ts";

/** A rule with the words and bounds of its kind. */
export function withBounds(rule: Rule) {
  const { label, about, parameters } = KINDS[rule.kind];
  const bounds = Object.entries(parameters).map(([name, { min, max, ...words }]) => {
    const [lowest, highest] = isMoney(name) ? [toCedis(min), toCedis(max)] : [min, max];
    return [shortOf(name), { ...words, min: lowest, max: highest }] as const;
  });
  return { ...rule, label, about, bounds: Object.fromEntries(bounds) };
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

export const signalExample = {
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

export const ruleExample = {
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
export const previewExample = {
  count: 1,
  isPart: false,
  examples: [{ userId, username, happenedAt, sentence }],
};

export const noteExample = {
  id: 4,
  note: "Called her: she sells for a school",
  by: "adwoa",
  createdAt: "2026-11-21T16:02:11.000Z",
};

const none = { count: 0, amount: 0 };
export const recordExample = {
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
