// The day of the shop around its staff: agents buy, pay, report and complain, Paystack pays, workers work, and time
// passes. Now and then the owners' first people are what they were again, so that there is somebody left to act.
import { eq, sql } from "drizzle-orm";
import { users as userTable } from "../../db/schema/identity.ts";
import { sweep } from "../../src/app/sweeps.ts";
import * as deadlines from "../../src/core/fulfilment/deadlines.ts";
import * as routing from "../../src/core/fulfilment/routing.ts";
import * as payments from "../../src/core/payments/payments.ts";
import * as settlement from "../../src/core/payments/settlement.ts";
import type { ByUser, Role } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { applyResults } from "../support/desk.ts";
import type { Desk } from "./acts.ts";
import { hire, type Insider, logIn, PASSWORD, type Rig } from "./rig.ts";
import { one } from "./values.ts";

const ORIGIN = "http://localhost";

async function post(person: Insider, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await person.app.fetch(
    new Request(`${ORIGIN}/api/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${person.proven.at(-1) ?? "none"}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, body: await response.json() };
}

type Trade = (desk: Desk, agent: Insider) => Promise<unknown>;

const buy: Trade = ({ rig: { random }, ids }, agent) =>
  post(agent, "/orders", {
    productId: Number(one(random, ids.product)),
    msisdn: `054${1_000_000 + random(400)}`,
    quantity: 1 + random(20),
    ...(random(5) > 0 && { pay: "wallet" }),
    allowDuplicate: true,
  });

const report: Trade = ({ rig: { random } }, agent) =>
  post(agent, "/wallet/claims", {
    transactionId: String(40_000_000_000 + random(1_000_000_000)),
    amount: one(random, [20, 50, 120, 199, 450, 999, 1500, 2500]),
  });

const complain: Trade = ({ rig: { random }, ids }, agent) =>
  post(agent, `/orders/${one(random, ids.deliveredOrder)}/not-received`, { message: "Nothing came" });

const write: Trade = (_, agent) => post(agent, "/support", { message: "Where is my order?" });

/** A top-up that is paid in full, in part, or not. */
const topUp: Trade = async ({ rig }, agent) => {
  const { random, paystack, gateway, db } = rig;
  const by: ByUser = { userId: agent.id, roles: ["USER"], channel: "web" };
  const amountPesewas = one(random, [2_000, 30_000, 90_000, 150_000]);
  const { answer } = await payments.startTopUp(db, { by, key: null, amountPesewas });
  const back = { callbackUrl: `${ORIGIN}/payments/return`, cancelUrl: `${ORIGIN}/wallet` };
  const checkout = { by, subject: { paymentId: answer.id }, email: null, ...back };
  const { reference } = await payments.checkOut(db, gateway, checkout);
  await paystack.pay(reference);
  if (random(2) === 0) paystack.steer(reference, { amount: amountPesewas - 500 });
  await settlement.settle(db, gateway, reference);
};

const TRADES: readonly Trade[] = [buy, buy, buy, buy, report, report, complain, write, topUp];

/** Something that an agent does. */
export async function trade(desk: Desk): Promise<void> {
  const { random, people } = desk.rig;
  const agent = one(
    random,
    people.filter(({ role }) => role === "USER"),
  );
  try {
    await one(random, TRADES)(desk, agent);
  } catch (error) {
    // One who is banned or frozen, say.
    if (!(error instanceof AppError)) throw error;
  }
}

/** Lets some time pass: mostly a minute, sometimes hours or a day, in which the workers work. */
export async function pass(desk: Desk): Promise<void> {
  const { rig } = desk;
  const { random, db } = rig;
  if (random(60) > 0) {
    await rig.advance(5 + random(60));
    if (random(3) === 0) await renewProofs(desk);
    return;
  }
  // What was entered is applied while it is still of this hour.
  await applyResults(db);
  await rig.advance(one(random, [1800, 3600, 7200, 18_000, 43_000, 86_000]));
  await work(rig);
  await renewProofs(desk);
}

/** What the workers do. */
async function work({ db, gateway }: Rig): Promise<void> {
  await routing.routeDue(db, [], 500);
  await deadlines.completeDue(db, 500);
  await applyResults(db);
  await db.execute(sql`update payments set poll_at = now() where poll_at is not null`);
  await settlement.pollDue(db, gateway, 20);
  await sweep(db, () => {});
  // Budgets of a day, which tests use up in a minute.
  await db.execute(sql`delete from rate_limits`);
}

/** A login proves who it is for ten minutes; one of each person's has just done so, the other has not. */
export async function renewProofs({ rig, shown }: Desk): Promise<void> {
  shown.clear();
  await rig.db.execute(sql`
    update sessions set expires_at = greatest(expires_at, now() + interval '1 day'),
      confirmed_at = case user_agent when 'proven' then now() else now() - interval '1 hour' end
    where user_agent in ('proven', 'unproven')`);
}

const PEOPLE_MAX = 26;

/** New logins for everybody who may, and accounts that somebody has created join. */
export async function startShift(rig: Rig): Promise<void> {
  const { db, people } = rig;
  await adopt(rig);
  const rows = await db.select().from(userTable).where(eq(userTable.status, "ACTIVE"));
  const active = new Map(rows.map((row) => [row.id, row]));
  for (const person of people) if (active.has(person.id)) await logIn(rig, person);
}

async function adopt(rig: Rig): Promise<void> {
  const { db, people } = rig;
  const known = new Set(people.map(({ id }) => id));
  const rows = await db.select().from(userTable).where(eq(userTable.status, "ACTIVE")).orderBy(userTable.id);
  for (const { id, username, email, roles } of rows) {
    if (known.has(id) || people.length >= PEOPLE_MAX || !email) continue;
    rig.join({ id, username, email, password: PASSWORD, role: roles[0] as Role });
  }
}

/** The first people are what they were, and the settings, too. */
export async function restore(rig: Rig, first: readonly Insider[]): Promise<void> {
  const { db } = rig;
  const rows = await db.select().from(userTable);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const person of first) {
    const row = byId.get(person.id);
    if (!row || row.status === "CLOSED") {
      const made = await hire(rig, person.role, `${person.role.toLowerCase()}-${person.id}-${rig.people.length}`);
      Object.assign(person, { ...made });
      continue;
    }
    await db
      .update(userTable)
      .set({ roles: [person.role], status: "ACTIVE" })
      .where(eq(userTable.id, person.id));
  }
  await db.execute(sql`update freezes set ended_at = now() where ended_at is null`);
  await db.execute(sql`update wallets set is_frozen = false, frozen_until = null where is_frozen`);
  await db.execute(sql`delete from settings where key ~ '^(second_person|alone_|statement_|admin_second|approval)'`);
  await stock(rig);
}

/** Something to sell, however much was deleted. */
async function stock({ db, world, random }: Rig): Promise<void> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from products where retired_at is null and line = 'bundle'`,
  );
  for (let n = row!.count; n < 4; n++)
    await world.product("MTN", `${1 + random(900)}GB`, one(random, ["3.90", "45.00", "180.00"])).catch(() => {});
}
