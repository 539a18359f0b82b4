// The law of the shop at a moment, as the witness saw it: who has which role, what one person may do alone, and who has
// changed whose place among the staff. Of the shop's own rules it uses the table of rights alone.
import type { Db } from "../../db/connect.ts";
import { SETTINGS } from "../../src/core/platform/settings/declared-settings.ts";
import type { Role } from "../../src/shared/domain.ts";
import { hasRight, isStaff, type Right } from "../../src/shared/rights.ts";
import type { Change, Row } from "./witness.ts";

export type Standing = { roles: Role[]; status: string; email: string | null };

/** Somebody gave an account its place among the staff, or changed it. */
type Dependence = { byId: number; userId: number; rolesBefore: Role[]; at: Date };

export type Law = {
  people: Map<number, Standing>;
  settings: Map<string, unknown>;
  dependences: Dependence[];
  /** Who asked, on whose connection. */
  askers: Map<number, number>;
  /** Owner and status of orders. */
  orders: Map<number, { userId: number; status: string }>;
  /** Who imported a line of the statement. */
  importers: Map<number, number>;
  lines: Map<number, number>;
  costs: Map<number, number | null>;
  /** The rows of what is on sale. */
  bundles: Map<number, Row>;
  /** Costs by product and vendor, and who has entered others in place of which. */
  vendorCosts: Map<string, number>;
  entered: { key: string; productId: number; byId: number; formerPesewas: number; at: Date }[];
  /** The lowest price that a bundle ever had in a tier or for an account. */
  lowest: Map<string, number>;
  /** Accounts that are frozen, with the end of it if that is set. */
  frozen: Map<number, Date | null>;
};

const DEPENDENT_MS = 7 * 86_400_000;

/** Reads what holds when a run begins. */
export async function readLaw(db: Db): Promise<Law> {
  const law: Law = {
    ...{ people: new Map(), settings: new Map(), dependences: [], askers: new Map(), orders: new Map() },
    ...{ importers: new Map(), lines: new Map(), costs: new Map(), lowest: new Map(), frozen: new Map() },
    ...{ bundles: new Map(), vendorCosts: new Map(), entered: [] },
  };
  const tables = [
    ...["users", "settings", "approvals", "orders", "statement_imports", "statement_lines", "products"],
    ...["product_costs", "prices", "account_prices", "freezes"],
  ];
  for (const table of tables) {
    const rows = await db.$client<{ row: Row }[]>`
      select to_jsonb(t) as row from ${db.$client(table)} t
      ${table === "product_costs" ? db.$client`order by seen_at` : db.$client``}`;
    for (const { row } of rows) follow(law, { ...FIRST, table, after: row });
  }
  law.dependences = (
    await db.$client<{ by: number; user: number; roles: Role[]; at: Date }[]>`
      select by_user_id as by, user_id as user, roles, created_at as at from staff_changes order by id`
  ).map(({ by, user, roles, at }) => ({ byId: by, userId: user, rolesBefore: roles, at: new Date(at) }));
  return law;
}

const FIRST: Omit<Change, "table" | "after"> = {
  id: 0,
  txid: "0",
  actorId: null,
  before: null,
  at: new Date(0),
};

/** Takes a change into account. */
export function follow(law: Law, change: Change): void {
  const { table, before, after, actorId } = change;
  const row = (after ?? before)!;
  const id = Number(row.id);
  switch (table) {
    case "users":
      law.people.set(id, standingOf(row));
      break;
    case "settings":
      if (after) law.settings.set(String(row.key), row.value);
      else law.settings.delete(String(row.key));
      break;
    case "approvals":
      if (!before) law.askers.set(id, actorId ?? Number(row.requested_by_user_id));
      break;
    case "orders":
      law.orders.set(id, { userId: Number(row.user_id), status: String(row.status) });
      break;
    case "statement_imports":
      law.importers.set(id, actorId ?? law.importers.get(id) ?? Number(row.by_user_id));
      break;
    case "statement_lines":
      law.lines.set(id, Number(row.import_id));
      break;
    case "products":
      law.costs.set(id, row.cost_pesewas === null ? null : Number(row.cost_pesewas));
      law.bundles.set(id, row);
      break;
    case "product_costs":
      noteCost(law, change);
      break;
    case "freezes":
      noteFreeze(law, row);
      break;
    case "prices":
    case "account_prices":
      if (after) notePrice(law, table, row);
      break;
  }
}

const standingOf = (row: Row): Standing => ({
  ...{ roles: row.roles as Role[], status: String(row.status), email: row.email as string | null },
});

function noteFreeze({ frozen }: Law, { user_id, until, ended_at }: Row): void {
  if (ended_at) frozen.delete(Number(user_id));
  else frozen.set(Number(user_id), until ? new Date(String(until)) : null);
}

/** Whether an account may only look. */
export function isFrozen({ frozen }: Pick<Law, "frozen">, userId: number, at: Date): boolean {
  const until = frozen.get(userId);
  return until === null || (until !== undefined && until > at);
}

function noteCost(law: Law, { after, actorId, at }: Change): void {
  if (!after) return;
  const { vendorCosts, entered } = law;
  const productId = Number(after.product_id);
  const key = `${productId} ${after.vendor}`;
  const formerPesewas = vendorCosts.get(key) ?? 0;
  // What a vendor reports is nobody's word.
  if (after.source === "vendor") law.entered = entered.filter((one) => one.key !== key);
  else if (actorId !== null) entered.push({ key, productId, byId: actorId, formerPesewas, at });
  vendorCosts.set(key, Number(after.cost_pesewas));
}

function notePrice(law: Law, table: string, row: Row): void {
  if (row.price_pesewas === null) return;
  const key = priceKey(table, row);
  law.lowest.set(key, Math.min(law.lowest.get(key) ?? Number.MAX_SAFE_INTEGER, Number(row.price_pesewas)));
}

/** A bundle in a tier; for an account, whose exceptions replace its tier's prices, just the bundle. */
export const priceKey = (table: string, { product_id, tier_id, user_id }: Row) =>
  table === "prices" ? `${product_id} tier ${tier_id}` : `${product_id} account ${user_id}`;

/** Keeps who changed a member of the staff; `byId` asked for it, whoever agreed. */
export function depend(law: Law, change: Change, byId: number): void {
  const { table, before, after, at } = change;
  const row = (after ?? before)!;
  const userId = Number(table === "users" ? row.id : row.user_id);
  if (userId === byId) return;
  const was = table === "users" ? before && standingOf(before) : (law.people.get(userId) ?? null);
  const is = table === "users" ? after && standingOf(after) : was;
  const couldAct = was?.status === "ACTIVE" && !isFrozen(law, userId, at);
  const rolesBefore = couldAct ? was.roles : [];
  if (isStaff({ roles: was?.roles ?? [] }) || isStaff({ roles: is?.roles ?? [] }))
    law.dependences.push({ byId, userId, rolesBefore, at });
}

/** Whether somebody may act with a right. */
export function may(law: Pick<Law, "people">, userId: number, right: Right): boolean {
  const standing = law.people.get(userId);
  return standing?.status === "ACTIVE" && hasRight(standing, right);
}

/** Whether somebody owes their place to whoever asks. */
export function dependsOn({ dependences }: Law, userId: number, askerId: number, at: Date): boolean {
  return recent(dependences, askerId, at).some((one) => one.userId === userId);
}

function recent(all: Dependence[], byId: number, at: Date): Dependence[] {
  return all.filter((one) => one.byId === byId && at.getTime() - one.at.getTime() < DEPENDENT_MS);
}

/** What decides who may decide. */
export type Order = Pick<Law, "people" | "dependences" | "frozen">;

/** Whether nobody else could decide, by no doing of the asker's. */
export function isAlone(law: Order, askerId: number, right: Right, concerns: number[], at: Date): boolean {
  const mine = recent(law.dependences, askerId, at);
  const could = (one: Dependence) => hasRight({ roles: one.rolesBefore }, right);
  const firsts = [...new Map(mine.toReversed().map((one) => [one.userId, one])).values()];
  if (firsts.some(could)) return false;
  return ![...law.people.keys()].some(
    (id) =>
      id !== askerId &&
      may(law, id, right) &&
      !concerns.includes(id) &&
      !isFrozen(law, id, at) &&
      !mine.some(({ userId }) => userId === id),
  );
}

/** The value of a setting, also of one that nobody has changed. */
export function settingOf({ settings }: Law, name: string): unknown {
  if (settings.has(name)) return settings.get(name);
  return Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof typeof SETTINGS].default : "";
}
