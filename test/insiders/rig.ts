// The shop that its own people try to rob: one database with a clock that can be moved, a whole staff and some agents.
// Everybody has connections of their own, so that the database can tell who did what.
import { setSystemTime } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { sessions, users as userTable } from "../../db/schema/identity.ts";
import { type PaystackSimulator, startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import type { App } from "../../src/app/server.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import type { PaymentGateway } from "../../src/core/payments/gateway.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import type { Role } from "../../src/shared/domain.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { randomFrom } from "../support/asking.ts";
import { ownClock } from "../support/clock.ts";
import { freshDatabase } from "../support/database.ts";
import { fillShop, type Used } from "../support/pages.ts";
import { guard, populate, testApp, type World } from "../support/world.ts";
import { WITNESSED } from "./families.ts";
import * as witness from "./witness.ts";

export type Random = (below: number) => number;

/** Somebody with an account. */
export type Insider = {
  id: number;
  username: string;
  email: string;
  password: string;
  /** What the shop's owners gave them; they get it back now and then. */
  role: Role;
  app: App;
  /** Tokens of logins, the newest last: one that has proved lately who it is, and one that has not. */
  proven: string[];
  unproven: string[];
};

export type Rig = {
  world: World;
  /** The run's own connections. */
  db: Db;
  used: Used;
  random: Random;
  people: Insider[];
  paystack: PaystackSimulator;
  gateway: PaymentGateway;
  /** Errors that the shop has logged. */
  logged: string[];
  /** Lets everybody's time pass. */
  advance: (seconds: number) => Promise<void>;
  /** The time of the shop. */
  now: () => Date;
  /** An account that was created since joins the others. */
  join: (account: Pick<Insider, "id" | "username" | "email" | "password" | "role">) => Insider;
  close: () => Promise<void>;
};

export const PASSWORD = "correct horse battery";
const REAL_NOW = Date.now;

/** Opens a shop in use with its people; two or three owners, by the seed. */
export async function openRig(seed: number): Promise<Rig> {
  const random = randomFrom(seed);
  const database = await freshDatabase();
  const ofClock = connect(database.url, { max: 1 });
  const clock = await ownClock(ofClock, { datesPayments: true });
  const db = connect(database.url, { max: 4 });
  const world = await populate(db, database.url);
  const paystack = await startPaystack({ approveSeconds: 86_400, autoDeliverMs: null });
  const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
  const used = await fillShop(world, paystack);
  await vendors.enrol(db, [{ code: "hubnet" }, { code: "datamart" }]);
  const logged: string[] = [];
  const log = createLog("error", { write: (line) => void logged.push(line) });
  const pools: Db[] = [];
  const people: Insider[] = [];
  let aheadMs = 0;
  const offset = REAL_NOW() - Date.now();
  const now = () => new Date(realNow() + aheadMs - offset);
  const rig: Rig = {
    ...{ world, db, used, random, people, paystack, gateway, logged, now },
    advance: async (seconds) => {
      await clock.advance(seconds);
      aheadMs += seconds * 1000;
      setSystemTime(now());
    },
    join: (account) => {
      const own = connect(`${database.url}?application_name=${witness.connectionOf(account.id)}`, { max: 2 });
      pools.push(own);
      const joined = { ...account, app: testApp(own, { gateway, log }), proven: [], unproven: [] };
      people.push(joined);
      return joined;
    },
    close: async () => {
      setSystemTime();
      await Promise.all([...pools, db, ofClock].map(disconnect));
      await paystack.stop();
      await database.drop();
    },
  };
  await appoint(rig);
  await guard(db);
  await witness.install(db, WITNESSED);
  return rig;
}

/** Real milliseconds, whatever the run's own time is. */
const realNow = () => performance.timeOrigin + performance.now();

/** The staff, whom nobody of the shop has made what they are, and three agents with money. */
async function appoint(rig: Rig): Promise<void> {
  const { world, random } = rig;
  const owners = 1 + random(2);
  const roles: Role[] = [
    ...Array<Role>(owners).fill("ADMIN"),
    ...(["MANAGER", "MANAGER", "DESK", "DESK", "SUPPORT", "ACCOUNTS", "ACCOUNTS"] as const),
    ...(["USER", "USER"] as const),
  ];
  rig.join({ ...world.yaw, role: "ADMIN" });
  rig.join({ ...rig.used.agent, role: "USER" });
  for (const [n, role] of roles.entries()) await hire(rig, role, `${role.toLowerCase()}-${n}`);
}

/** A new account with a role. */
export async function hire(rig: Rig, role: Role, name: string): Promise<Insider> {
  const { world, db } = rig;
  const person = await world.person(name, role === "USER" ? "GH₵ 900.00" : undefined);
  await db
    .update(userTable)
    .set({ roles: [role], createdAt: sql`now() - interval '60 days'` })
    .where(sql`id = ${person.id}`);
  return rig.join({ ...person, role });
}

/** Logs somebody in anew, with an account that may. */
export async function logIn({ db }: Rig, person: Insider): Promise<void> {
  const [fresh, old] = [crypto.randomUUID(), crypto.randomUUID()];
  const expiresAt = sql`now() + interval '6 days'`;
  await db.insert(sessions).values([
    { id: fresh, userId: person.id, expiresAt, userAgent: "proven" },
    {
      ...{ id: old, userId: person.id, expiresAt, userAgent: "unproven" },
      confirmedAt: sql`now() - interval '1 hour'`,
    },
  ]);
  person.proven.push(await person.app.sign(fresh));
  person.unproven.push(await person.app.sign(old));
}
