// The judgement: what people changed, by the connection that changed it, against what they might at that moment. A
// round is some acts at the same time; who had a right at its start or gained it within might use it.
import type { Db } from "../../db/connect.ts";
import { isStaff, type Right } from "../../src/shared/rights.ts";
import type { Act } from "./acts.ts";
import { type Counted, countedIn } from "./counting.ts";
import { FAMILIES } from "./families.ts";
import {
  depend,
  dependsOn,
  follow,
  isAlone,
  isFrozen,
  type Law,
  may,
  type Order,
  readLaw,
  type Standing,
  settingOf,
} from "./law.ts";
import { needsTwo } from "./two.ts";
import type { Change, Row } from "./witness.ts";

export type Violation = { rule: string; detail: string; acts: string[] };

export type Judge = {
  law: Law;
  violations: Violation[];
  /** Judges what a round has changed. */
  judge: (acts: readonly Act[], changes: readonly Change[]) => void;
  /** How much was moved, by whom alone and by two, for the report. */
  figures: { moved: number; alone: number; byTwo: number; agreements: number; rows: number };
};

/** What one person moved alone, or an account got so. */
type Alone = Counted & { actorId: number; at: Date };

type Round = {
  acts: readonly Act[];
  standings: Map<number, Standing[]>;
  costs: Map<number, number | null>;
  isRuleOff: boolean;
  /** The order of things when it began. */
  before: Order;
};

export async function openJudge(db: Db): Promise<Judge> {
  const law = await readLaw(db);
  const state: State = { law, violations: [], alone: [], agreedResults: new Set(), figures: noFigures() };
  return {
    law,
    violations: state.violations,
    figures: state.figures,
    judge: (acts, changes) => {
      const round = beginRound(law, acts, changes);
      for (const changesOfOne of Map.groupBy(changes, ({ txid }) => txid).values())
        judgeCommit(state, round, changesOfOne);
    },
  };
}

export type State = {
  law: Law;
  violations: Violation[];
  alone: Alone[];
  /** Results of the desk that two people entered. */
  agreedResults: Set<number>;
  figures: Judge["figures"];
};

const noFigures = () => ({ moved: 0, alone: 0, byTwo: 0, agreements: 0, rows: 0 });

/** Everybody as they were at its start, and as they became within it. */
function beginRound(law: Law, acts: readonly Act[], changes: readonly Change[]): Round {
  const standings = new Map([...law.people].map(([id, one]) => [id, [one]]));
  for (const { table, after } of changes)
    if (table === "users" && after) {
      const one = { roles: after.roles, status: String(after.status), email: after.email } as Standing;
      standings.set(Number(after.id), [...(standings.get(Number(after.id)) ?? []), one]);
    }
  const { people, dependences, frozen } = law;
  const before = { people: new Map(people), dependences: [...dependences], frozen: new Map(frozen) };
  const isRuleOff = settingOf(law, "second_person") === false;
  return { acts, standings, costs: new Map(law.costs), isRuleOff, before };
}

/** What was committed together, which is one act. */
type Commit = {
  actorId: number;
  changes: Change[];
  at: Date;
  /** The request for a second person that was agreed to in it. */
  agreement: { askerId: number; row: Row } | null;
};

function judgeCommit(state: State, round: Round, changes: Change[]): void {
  const { law } = state;
  const { actorId, at } = changes[0]!;
  if (actorId === null) judgeOwnWork(state, round, changes);
  else {
    state.figures.rows += changes.length;
    const agreed = changes.find(isAgreement);
    const agreement = agreed ? { askerId: law.askers.get(Number(agreed.after!.id)) ?? -1, row: agreed.after! } : null;
    const commit: Commit = { actorId, changes, at, agreement };
    const blame = (rule: string, detail: string) =>
      state.violations.push({ rule, detail, acts: actsOf(round, commit) });
    judgePresence(law, round, commit, blame);
    judgeRights(law, round, commit, blame);
    judgeSelf(commit, blame);
    if (agreement) judgeAgreement(state, round, commit, blame);
    judgeMoney(state, round, commit, blame);
    judgeTwo(law, round, commit, blame);
  }
  for (const change of changes) {
    if (isOfStaff(change) && actorId !== null) depend(law, change, askerOf(law, changes) ?? actorId);
    follow(law, change);
  }
}

type Blame = (rule: string, detail: string) => void;

const isAgreement = ({ table, before, after }: Change) =>
  table === "approvals" && before?.state === "open" && after?.state === "agreed";

function askerOf({ askers }: Law, changes: Change[]): number | null {
  const agreed = changes.find(isAgreement);
  return agreed ? (askers.get(Number(agreed.after!.id)) ?? null) : null;
}

/** A change of an account that makes its owner dependent, if they are staff. */
function isOfStaff({ table, before, after }: Change): boolean {
  if (table === "second_factors") return after === null;
  if (table === "freezes") return before === null || before.ended_at !== after?.ended_at;
  if (table !== "users") return false;
  return (
    before === null ||
    after === null ||
    ["roles", "status", "email"].some((name) => !Bun.deepEquals(before[name], after[name]))
  );
}

const stood = (round: Round, userId: number) => round.standings.get(userId) ?? [];

/** Whether somebody might use one of these rights at some moment of the round. */
function might(round: Round, userId: number, rights: readonly Right[]): boolean {
  return stood(round, userId).some((one) =>
    rights.some((right) => may({ people: new Map([[userId, one]]) }, userId, right)),
  );
}

function judgePresence(law: Law, round: Round, { actorId, changes, at }: Commit, blame: Blame): void {
  const standings = stood(round, actorId);
  if (standings.length > 0 && standings.every(({ status }) => status !== "ACTIVE"))
    blame("nobody acts who is banned or gone", `account ${actorId} changed ${changes[0]!.table}`);
  if (!standings.some(isStaff) || !isFrozen(round.before, actorId, at) || !isFrozen(law, actorId, at)) return;
  const work = changes.find(({ table, before, after }) => ownerOf(law, table, (after ?? before)!) !== actorId);
  if (work) blame("nobody of the staff works while frozen", `account ${actorId} changed ${work.table}`);
}

/** The parties of an act: whoever did it, and whoever asked for it. */
const partiesOf = ({ actorId, agreement }: Commit) => [actorId, ...(agreement ? [agreement.askerId] : [])];

function judgeRights(law: Law, round: Round, commit: Commit, blame: Blame): void {
  for (const { table, before, after } of commit.changes) {
    const family = FAMILIES[table];
    if (!family) {
      blame("every table has its place", table);
      continue;
    }
    if (isNoted(table, before, after)) continue;
    const ownerId = ownerOf(law, table, (after ?? before)!);
    for (const userId of table === "approvals" ? [commit.actorId] : partiesOf(commit)) {
      if (ownerId === userId && !family.neverOwn) continue;
      if (!might(round, userId, family.rights))
        blame(
          "rows change by those with the right",
          `account ${userId} (${rolesOf(round, userId)}) changed ${table} ${describe(before, after)}`,
        );
    }
  }
}

/** A deposit that somebody else reports too waits for a person. */
function isNoted(table: string, before: Row | null, after: Row | null): boolean {
  return table === "deposits" && Bun.deepEquals({ ...before, held_back: null }, { ...after, held_back: null });
}

const OWNERS = ["user_id", "taken_by_user_id", "requested_by_user_id", "by_user_id"];

function ownerOf({ orders }: Law, table: string, row: Row): number | null {
  if (table === "users") return Number(row.id);
  const name = OWNERS.find((one) => row[one] !== undefined && row[one] !== null);
  if (name) return Number(row[name]);
  return row.order_id ? (orders.get(Number(row.order_id))?.userId ?? null) : null;
}

/** What nobody does to themselves, not even together with somebody else. */
function judgeSelf(commit: Commit, blame: Blame): void {
  for (const { table, before, after } of commit.changes) {
    const row = (after ?? before)!;
    const ownerId = Number(table === "users" ? row.id : row.user_id);
    if (!partiesOf(commit).includes(ownerId)) continue;
    const isOwn =
      table === "users"
        ? before !== null &&
          after !== null &&
          (!Bun.deepEquals(before.roles, after.roles) || (before.status !== after.status && after.status !== "CLOSED"))
        : FAMILIES[table]?.neverOwn === true;
    if (isOwn) blame("nobody acts on themselves", `account ${ownerId}: ${table} ${describe(before, after)}`);
  }
}

function judgeAgreement(state: State, round: Round, commit: Commit, blame: Blame): void {
  const { law, figures } = state;
  const { actorId, at } = commit;
  const { askerId, row } = commit.agreement!;
  figures.agreements += 1;
  const about = `request ${row.id} (${row.kind}: ${row.summary}), asked by ${askerId}, agreed by ${actorId}`;
  if (actorId === askerId) blame("nobody agrees to their own request", about);
  for (const userId of [actorId, askerId])
    if (!might(round, userId, [row.right as Right])) blame("both have the right", `${about}: not ${userId}`);
  if ((row.concerns as number[]).map(Number).includes(actorId)) blame("nobody decides about themselves", about);
  if (dependsOn(law, actorId, askerId, at)) blame("nobody agrees who owes their place to the asker", about);
  if (new Date(String(row.expires_at)) < at) blame("what has expired is not done", about);
  if (Number(row.decided_by_user_id) !== actorId || Number(row.requested_by_user_id) !== askerId)
    blame("the names on a request are true", about);
  const moved = countedIn(law, commit.changes, actorId).reduce((sum, { pesewas }) => sum + pesewas, 0);
  if (moved > 0 && row.amount_pesewas !== null && moved !== Math.abs(Number(row.amount_pesewas)))
    blame("what was agreed to is what is done", `${about}: moved ${moved} instead of ${row.amount_pesewas}`);
}

function judgeMoney(state: State, round: Round, commit: Commit, blame: Blame): void {
  const { law, figures } = state;
  const { actorId, at, agreement } = commit;
  const counted = countedIn(law, commit.changes, actorId);
  const results = commit.changes.filter(({ table, before }) => table === "desk_results" && before === null);
  if (agreement) for (const { after } of results) state.agreedResults.add(Number(after!.id));
  if (counted.length === 0) return;
  const pesewas = counted.reduce((sum, one) => sum + one.pesewas, 0);
  figures.moved += 1;
  for (const one of counted)
    if (!one.isOfShop && partiesOf(commit).includes(one.userId))
      blame("nobody acts on themselves", `account ${one.userId}: ${one.limit} of ${one.pesewas}`);
  // A deposit that its agent reports is credited by the statement that somebody has imported.
  const isOfStaffs = stood(round, actorId).some(isStaff);
  if (isOfStaffs && !round.acts.some((act) => act.person?.id === actorId && act.isProven))
    blame("money moves only after a proof of who it is", `account ${actorId} moved ${pesewas}`);
  if (agreement) {
    figures.byTwo += pesewas;
    return;
  }
  figures.alone += pesewas;
  count(state, round, counted, actorId, at, blame);
}

/** Adds what somebody did alone, and compares the sums of a day with the limits. */
function count(state: State, round: Round, counted: Counted[], actorId: number, at: Date, blame: Blame): void {
  const { law } = state;
  const all = counted.flatMap((one) => (one.importLimit ? [one, { ...one, limit: one.importLimit }] : [one]));
  state.alone = state.alone.filter((one) => at.getTime() - one.at.getTime() < 86_400_000);
  for (const one of all) state.alone.push({ ...one, actorId: one.byId ?? actorId, at });
  if (isRuleOff(round, law)) return;
  for (const [limit, own] of Map.groupBy(all, (one) => one.limit)) {
    const whose = own[0]!.byId ?? actorId;
    const concerns = own.map(({ userId }) => userId);
    const isSole = own[0]!.rights.some((right) =>
      [round.before, law].some((order) => isAlone(order, whose, right, concerns, at)),
    );
    const limitPesewas = Math.max(
      Number(settingOf(law, limit)),
      isSole && !limit.startsWith("statement") ? Number(settingOf(law, "alone_sole_pesewas")) : 0,
    );
    const ofLimit = state.alone.filter((one) => one.limit === limit);
    const byThem = sum(ofLimit.filter((one) => one.actorId === whose));
    if (byThem > limitPesewas)
      blame("nobody moves more than the limit alone", `account ${whose}: ${byThem} of ${limit} ${limitPesewas}`);
    if (limit.startsWith("statement")) continue;
    for (const userId of new Set(concerns)) {
      const toThem = sum(ofLimit.filter((one) => one.userId === userId));
      if (toThem > limitPesewas)
        blame("no account gets more than the limit", `account ${userId}: ${toThem} of ${limit} ${limitPesewas}`);
    }
  }
}

/** Two people may agree that from now on one is enough. */
const isRuleOff = (round: Round, law: Law) => round.isRuleOff || settingOf(law, "second_person") === false;

const sum = (all: Alone[]) => all.reduce((total, { pesewas }) => total + pesewas, 0);

/** What workers did in somebody's name: results of the desk, which were entered some seconds before. */
function judgeOwnWork(state: State, round: Round, changes: Change[]): void {
  const agreed = changes.some(
    ({ table, before, after }) => table === "desk_results" && state.agreedResults.has(Number((after ?? before)!.id)),
  );
  if (agreed) return;
  const blame: Blame = (rule, detail) => state.violations.push({ rule, detail, acts: ["(a worker)"] });
  const named = changes.filter(({ table, after }) => table === "transfers" && after?.by_user_id);
  for (const [byId, own] of Map.groupBy(named, ({ after }) => Number(after!.by_user_id))) {
    if (!stood(round, byId).some(isStaff)) continue;
    const all = [...changes.filter(({ table }) => table !== "transfers"), ...own];
    count(state, round, countedIn(state.law, all, byId), byId, changes[0]!.at, blame);
  }
}

/** What nobody does alone, whatever the amount. */
function judgeTwo(law: Law, round: Round, { actorId, changes, at, agreement }: Commit, blame: Blame): void {
  if (agreement || isRuleOff(round, law)) return;
  for (const change of changes) {
    const guarded = needsTwo(law, round.costs, change, actorId);
    if (!guarded) continue;
    const isSole = [round.before, law].some((order) => isAlone(order, actorId, guarded.right, guarded.concerns, at));
    if (!isSole || guarded.isRule)
      blame(
        "what takes two is not done by one",
        `account ${actorId}: ${guarded.name} ${describe(change.before, change.after)}; ${othersIn(law, actorId, at)}`,
      );
    else if (!round.acts.some((act) => act.person?.id === actorId && act.isProven))
      blame("staff change only after a proof of who it is", `account ${actorId}: ${guarded.name}`);
  }
}

/** The others, for whoever reads why somebody was not alone. */
function othersIn({ people, dependences, frozen }: Law, actorId: number, at: Date): string {
  const staff = [...people].filter(([, one]) => isStaff(one));
  const changed = dependences.filter((one) => one.byId === actorId && at.getTime() - one.at.getTime() < 7 * 86_400_000);
  const names = staff.map(([id, { roles, status }]) => `${id} ${roles} ${status}`).join(", ");
  const states = { frozen: [...frozen], changed, at };
  return `staff ${names}; ${JSON.stringify(states)}`;
}

function rolesOf(round: Round, userId: number): string {
  return stood(round, userId)
    .map(({ roles, status }) => `${roles.join("+")} ${status}`)
    .join(", then ");
}

function describe(before: Row | null, after: Row | null): string {
  const row = (after ?? before)!;
  const names = Object.keys(row).filter((name) => !before || !after || !Bun.deepEquals(before[name], after[name]));
  const shown = names.slice(0, 12).map((name) => `${name}: ${before?.[name] ?? "-"} > ${after?.[name] ?? "-"}`);
  return `${row.id ?? row.key ?? ""} {${shown.join(", ")}}`.slice(0, 600);
}

function actsOf({ acts }: Round, { actorId, agreement }: Commit): string[] {
  return acts
    .filter(({ person }) => person && [actorId, agreement?.askerId].includes(person.id))
    .map(({ person, method, address, body, entry }) =>
      `${person?.username} (${person?.role}): ${method} ${address} [${entry.name}] ${body ?? ""}`.slice(0, 700),
    );
}
