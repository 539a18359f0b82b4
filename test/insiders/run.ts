// One run: shops, one after the other, whose people act at random, some at the same moment, and are judged after each
// round by what the database has seen.
import { REQUESTED, type Route } from "../../src/api/route.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import * as profitDays from "../../src/core/reports/profit-days.ts";
import { type Act, type Desk, draw, lookAround, type Outcome, openDesk, send } from "./acts.ts";
import { type Judge, openJudge, type Violation } from "./judge.ts";
import { follow } from "./law.ts";
import { type Insider, openRig } from "./rig.ts";
import { pass, renewProofs, restore, startShift, trade } from "./trade.ts";
import * as witness from "./witness.ts";

export type InsiderOptions = {
  seed: number;
  acts: number;
  /** Acts of one shop, before a new one opens. */
  shopActs?: number;
  /** After so many it ends: a rule that is broken once is broken often. */
  violationsMax?: number;
  progress?: (line: string) => void;
};

export type InsiderResult = {
  violations: Violation[];
  acts: number;
  looks: number;
  shops: number;
  seconds: number;
  /** By the entry: how often it was tried, done, asked for, and refused for want of a right. */
  entries: Map<string, EntryCounts>;
  statuses: Record<string, number>;
  figures: Judge["figures"];
  /** Faults of the shop's own. */
  faults: string[];
};

export type EntryCounts = { tried: number; done: number; refused: number };

const SHOP_ACTS = 4_000;
const SHIFT_ACTS = 120;
/** After so many shifts the first people are what they were. */
const SHIFTS_RESTORED = 2;
const AT_ONCE_MAX = 7;

/** Runs random acts, everything drawn from the seed. */
export async function runInsiders(options: InsiderOptions): Promise<InsiderResult> {
  const { seed, acts, shopActs = SHOP_ACTS, violationsMax = 10, progress = () => {} } = options;
  const result = noResult();
  const startedAt = performance.now();
  while (result.acts < acts && result.violations.length < violationsMax) {
    const ofShop = Math.min(shopActs, acts - result.acts);
    await runShop(result, { seed: seed + result.shops, acts: ofShop, violationsMax });
    result.shops += 1;
    result.seconds = (performance.now() - startedAt) / 1000;
    progress(`  ${result.acts} acts in ${Math.round(result.seconds)} s, ${result.violations.length} violations`);
  }
  return result;
}

/** The result of no acts. */
export function noResult(): InsiderResult {
  return {
    ...{ violations: [], acts: 0, looks: 0, shops: 0, seconds: 0, entries: new Map(), statuses: {} },
    ...{ figures: { moved: 0, alone: 0, byTwo: 0, agreements: 0, rows: 0 }, faults: [] },
  };
}

/** Adds the result of other shops. */
export function addResult(total: InsiderResult, part: InsiderResult): void {
  total.violations.push(...part.violations);
  total.faults.push(...part.faults);
  for (const name of ["acts", "looks", "shops"] as const) total[name] += part[name];
  for (const [status, times] of Object.entries(part.statuses))
    total.statuses[status] = (total.statuses[status] ?? 0) + times;
  for (const [name, { tried, done, refused }] of part.entries) {
    const counts = countsOf(total, name);
    counts.tried += tried;
    counts.done += done;
    counts.refused += refused;
  }
  add(total.figures, part.figures);
}

async function runShop(
  result: InsiderResult,
  { seed, acts, violationsMax }: { seed: number; acts: number; violationsMax: number },
): Promise<void> {
  const rig = await openRig(seed);
  try {
    const desk = await openDesk(rig);
    const judge = await openJudge(rig.db);
    const first = [...rig.people];
    const end = result.acts + acts;
    for (let shift = 0; result.acts < end && judge.violations.length < violationsMax; shift++) {
      if (shift % SHIFTS_RESTORED === 0) await beginAnew(desk, judge, first);
      await startShift(rig);
      await renewProofs(desk);
      await lookAround(desk);
      const shiftEnd = Math.min(end, result.acts + SHIFT_ACTS);
      while (result.acts < shiftEnd) await playRound(result, desk, judge, shiftEnd);
    }
    result.looks += desk.looks;
    result.faults.push(...rig.logged);
    await profitDays.countDue(rig.db);
    const { findings } = await ledgerAudit.audit(rig.db);
    for (const finding of findings)
      judge.violations.push({ rule: "the books balance", detail: JSON.stringify(finding), acts: [] });
    result.violations.push(...judge.violations.map((one) => ({ ...one, detail: `${one.detail} (seed ${seed})` })));
    add(result.figures, judge.figures);
  } finally {
    await rig.close();
  }
}

/** The first people become what they were. What the run itself changes is the state of things, and nobody's act. */
async function beginAnew({ rig }: Desk, judge: Judge, first: readonly Insider[]): Promise<void> {
  judge.judge([], await witness.take(rig.db));
  await restore(rig, first);
  for (const change of await witness.take(rig.db)) follow(judge.law, change);
}

/** Some acts at the same moment, now and then the same twice; and the day around them. */
async function playRound(result: InsiderResult, desk: Desk, judge: Judge, end: number): Promise<void> {
  const { rig } = desk;
  const { random } = rig;
  const count = Math.min(1 + random(AT_ONCE_MAX), end - result.acts);
  const acts: Act[] = [];
  for (let n = 0; n < count; n++) acts.push(n > 0 && random(10) === 0 ? acts[n - 1]! : await draw(desk));
  const trades = Array.from({ length: random(3) }, () => trade(desk));
  const outcomes = await Promise.all(acts.map((act) => send(desk, act)));
  await Promise.all(trades);
  judge.judge(acts, await witness.take(rig.db));
  result.acts += acts.length;
  for (const outcome of outcomes) note(result, outcome);
  await pass(desk);
  judge.judge([], await witness.take(rig.db));
  if (random(6) === 0) await lookAround(desk);
}

function countsOf({ entries }: InsiderResult, name: string): EntryCounts {
  const counts = entries.get(name) ?? { tried: 0, done: 0, refused: 0 };
  entries.set(name, counts);
  return counts;
}

function note(result: InsiderResult, { act, status, text }: Outcome): void {
  const { statuses, faults } = result;
  const { name } = act.entry;
  const counts = countsOf(result, name);
  counts.tried += 1;
  if (status < 400) counts.done += 1;
  if (status === 403) counts.refused += 1;
  statuses[status] = (statuses[status] ?? 0) + 1;
  const { route } = act.entry as { route?: Route };
  if (status === REQUESTED && route && !route.mayAsk && route.answer.status !== REQUESTED)
    faults.push(`${name} asks for a second person and does not say that it may`);
  if (status >= 500) faults.push(`${status} ${act.method} ${act.address} ${act.body} ${text.slice(0, 200)}`);
}

function add(total: Judge["figures"], own: Judge["figures"]): void {
  for (const name of Object.keys(own) as (keyof typeof own)[]) total[name] += own[name];
}
