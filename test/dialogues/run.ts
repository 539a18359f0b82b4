// One run: agents dial by each gateway in turn, many at once, while an operator changes everything; then it is judged.
import { WIRES } from "../../dev/simulators/ussd-wires.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { randomFrom, times } from "../support/asking.ts";
import { check } from "./check.ts";
import type { Counts, Line, Violation } from "./line.ts";
import { checkLocks, type Locks } from "./locks.ts";
import { checkNotices, type Notices } from "./notices.ts";
import { startOperator } from "./operator.ts";
import { openRig, type Rig } from "./rig.ts";
import { startTexting } from "./texting.ts";
import { type Consent, walk } from "./walk.ts";

export type DialogueOptions = {
  seed: number;
  /** Requests by each gateway. */
  requests: number;
  gateways: UssdGatewayName[];
  /** Sessions at the same moment. */
  concurrency?: number;
  /** The folder of the program; this project, unless it is a copy. */
  root?: string;
  progress?: (line: string) => void;
};

export type GatewayFigures = {
  gateway: UssdGatewayName;
  counts: Counts;
  seconds: number;
  /** Right PINs by what became of them. */
  outcomes: Record<Consent["outcome"], number>;
  /** How often each screen was shown. */
  screens: Record<string, number>;
};

export type DialogueResult = {
  violations: Violation[];
  gateways: GatewayFigures[];
  /** Paid orders, and requested top-ups. */
  orders: number;
  topUps: number;
  /** The operator's acts. */
  acts: Record<string, number>;
  /** SMS of phones, by their outcome. */
  texts: Record<string, number>;
  locks: Locks;
  notices: Notices;
};

/** A rule that is broken once is broken often: enough has been seen. */
const VIOLATIONS_MAX = 20;

/** Runs random dialogues, everything drawn from the seed, and compares the books with the screens. */
export async function runDialogues(ask: DialogueOptions): Promise<DialogueResult> {
  const { seed, requests, gateways, progress = () => {} } = ask;
  const agents = Math.max(12, Math.ceil(requests / 400));
  const rig = await openRig({ agents, seed, ...(ask.root && { root: ask.root }) });
  try {
    const operator = startOperator(rig, randomFrom(seed), Math.max(8, 500 / agents));
    const texting = startTexting(rig, randomFrom(seed), Math.max(20, 800 / agents));
    const consents: Consent[] = [];
    const violations: Violation[] = [];
    const shownOrders = new Set<string>();
    const figures: GatewayFigures[] = [];
    for (const [i, gateway] of gateways.entries()) {
      const random = randomFrom(seed + 1 + i);
      const failures = await failureTexts(rig, gateway);
      const line = { rig, gateway, random, counts: noCounts(), violations, failures, shownOrders };
      figures.push(await dial(line, ask, consents));
      progress(`  ${gateway}: ${summary(figures.at(-1)!)}`);
      await letDialsExpire(rig);
    }
    await Promise.all([operator.finish(), texting.finish()]);
    await settle(rig);
    const findings = await check(rig, { consents, unpaidIds: operator.unpaidIds, shownOrders });
    const { locks, ...onLocks } = await checkLocks(
      rig.db,
      rig.texters.map(({ id }) => id),
    );
    const { notices, ...onNotices } = await checkNotices(rig.db, texting.stopped);
    const all = [{ violations }, texting, findings, onLocks, onNotices];
    return {
      ...findings,
      violations: all.flatMap((one) => one.violations),
      ...{ gateways: figures, acts: operator.acts, texts: texting.outcomes, locks, notices },
    };
  } finally {
    await rig.close();
  }
}

async function dial(line: Line, ask: DialogueOptions, consents: Consent[]): Promise<GatewayFigures> {
  const { rig, gateway, counts, violations, random } = line;
  const { requests, concurrency = 48 } = ask;
  const startedAt = performance.now();
  const from = consents.length;
  const pathsBefore = await screensShown(rig);
  await Promise.all(
    times(concurrency, async () => {
      while (counts.requests < requests && violations.length < VIOLATIONS_MAX)
        await walk(line, rig.agents[random(rig.agents.length)]!, consents);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const mine = consents.slice(from);
  const outcomes = { done: 0, "not done": 0, unclear: 0 };
  for (const { outcome } of mine) outcomes[outcome] += 1;
  const screens = await screensShown(rig);
  for (const [name, count] of Object.entries(pathsBefore)) screens[name]! -= count;
  return { gateway, counts, seconds, outcomes, screens };
}

function summary({ counts, seconds, outcomes }: GatewayFigures): string {
  const perSecond = Math.round(counts.requests / seconds);
  return `${counts.requests} requests, ${perSecond} a second, ${outcomes.done} right PINs that paid`;
}

function noCounts(): Counts {
  return {
    requests: 0,
    sessions: 0,
    repeats: 0,
    "lost answers": 0,
    "abandoned requests": 0,
    "cut reports": 0,
    "requests of another phone": 0,
    apologies: 0,
    "right PINs on payment screens": 0,
    "of these at the same moment as another of the same agent": 0,
  };
}

/** How the shop apologises at this gateway: its answer to a request that makes no sense. */
async function failureTexts(rig: Rig, gateway: UssdGatewayName): Promise<Set<string>> {
  const agent = rig.agents[0]!;
  const hop = {
    ...{ sessionId: "nonsense", msisdn: agent.msisdn, serviceCode: "*920*55#", network: "MTN" as const },
    ...{ networkCode: "62001", text: "", input: "", number: 1, label: null },
  };
  const wire = WIRES[gateway];
  // Half a number, which is nobody's phone.
  const other = { phoneNumber: "+2332", Mobile: "2332", msisdn: "2332", MSISDN: "2332" };
  const response = await fetch(rig.hopUrl(gateway, 0), { method: "POST", ...wire.request(hop, other) });
  const body = await response.text();
  const text = body.startsWith("END ") ? body.slice(4) : textIn(JSON.parse(body));
  return new Set([text]);
}

function textIn(fields: Record<string, unknown>): string {
  return String(fields.Message ?? fields.message ?? fields.MSG);
}

async function screensShown({ db }: Rig): Promise<Record<string, number>> {
  const rows = await db.$client<{ screen: string; count: number }[]>`
    select screen, count(*)::int as count from ussd_sessions, unnest(path) screen group by screen order by 2 desc`;
  return Object.fromEntries(rows.map(({ screen, count }) => [screen, count]));
}

/** Ten minutes pass, so that nobody has dialled too often. */
async function letDialsExpire({ db }: Rig): Promise<void> {
  await db.$client`update ussd_sessions set started_at = started_at - interval '11 minutes'`;
}

/** Waits until no request is held any more: some were abandoned by their phones. */
async function settle({ db }: Rig): Promise<void> {
  for (;;) {
    const [row] = await db.$client`
      select count(*)::int as count from ussd_sessions where busy_until > now()`;
    if (row!.count === 0) break;
    await Bun.sleep(50);
  }
}
