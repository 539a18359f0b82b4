// The operator's day while agents dial: prices change, bundles are paused and resumed, agents are banned and unbanned,
// wallets filled and emptied, and unpaid orders come in by the website.
import { sql } from "drizzle-orm";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as users from "../../src/core/identity/users.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { pauseProduct } from "../support/pausing.ts";
import { TEST_JWT_SECRET } from "../support/world.ts";
import { passLocks } from "./locks.ts";
import type { Agent, Random, Rig } from "./rig.ts";

export type Operator = {
  /** How often each act succeeded. */
  acts: Record<string, number>;
  /** The unpaid orders, by id. */
  unpaidIds: Set<number>;
  /** Ends it; everything is on sale and nobody banned afterwards. */
  finish: () => Promise<void>;
};

/** Acts every `pauseMs` on average, until `finish`. */
export function startOperator(rig: Rig, random: Random, pauseMs: number): Operator {
  const acts: Record<string, number> = {};
  const unpaidIds = new Set<number>();
  let isOver = false;
  const act = async () => {
    const [name, work] = ACTS[random(ACTS.length)]!;
    const agent = rig.agents[random(rig.agents.length)]!;
    try {
      await work({ rig, random, agent, unpaidIds });
      acts[name] = (acts[name] ?? 0) + 1;
    } catch (error) {
      // A wallet that cannot be emptied because its owner has just spent the money, say; and on a busy computer a lock
      // that others have held for longer than an act waits, of which nothing was done.
      const isRefused = error instanceof AppError && (error.status < 500 || error.code === "service.busy");
      if (!isRefused) throw error;
    }
  };
  const day = (async () => {
    while (!isOver) {
      await act();
      await Bun.sleep(random(2 * pauseMs));
    }
  })();
  return {
    acts,
    unpaidIds,
    finish: async () => {
      isOver = true;
      await day;
      await restoreTimes(rig);
      for (const { id } of rig.agents) await users.unban(rig.db, { by: rig.admin.by("admin"), userId: id });
    },
  };
}

type Act = (scene: { rig: Rig; random: Random; agent: Agent; unpaidIds: Set<number> }) => Promise<unknown>;

const changePrice: Act = ({ rig: { db, admin, products: all }, random }) => {
  const product = all[random(all.length)]!;
  const pricePesewas = Math.round(product.pricePesewas * (0.8 + random(40) / 100));
  return products.edit(db, {
    by: admin.by("admin"),
    productId: product.id,
    pricePesewas,
    confirmPrice: true,
  });
};

const pauseOrResume: Act = async ({ rig: { db, admin, products: all }, random }) => {
  const { id: productId } = all[random(all.length)]!;
  // Two of three times on sale.
  const message = random(3) === 0 ? "Down" : null;
  await pauseProduct(db, { by: admin.by("admin"), productId, message, until: null });
};

const banAWhile: Act = async ({ rig: { db, admin }, random, agent }) => {
  const command = { by: admin.by("admin"), userId: agent.id };
  await users.ban(db, command);
  await Bun.sleep(random(60));
  await users.unban(db, command);
};

const fill: Act = ({ rig, random, agent }) => adjust(rig, agent, 1_000 + random(30_000));

const empty: Act = async ({ rig, random, agent }) => {
  const balancePesewas = await wallet.balance(rig.db, agent.id);
  if (balancePesewas > 0) await adjust(rig, agent, -Math.max(1, balancePesewas - random(800)));
};

async function adjust({ db, admin }: Rig, agent: Agent, amountPesewas: number): Promise<void> {
  const command = { by: admin.by("admin"), key: null, userId: agent.id, amountPesewas, reason: "a dialogue" };
  await wallet.adjust(db, command);
  agent.givenPesewas += amountPesewas;
}

const orderUnpaid: Act = async ({ rig: { db, products: all }, random, agent, unpaidIds }) => {
  const line = {
    productId: all[random(all.length)]!.id,
    msisdn: agent.numbers[random(agent.numbers.length)]!,
    quantity: 1 + random(2),
  };
  const { answer } = await unpaidOrders.create(db, {
    ...{ by: agent.by("web"), key: null, line, allowDuplicate: true },
  });
  unpaidIds.add(answer.id);
};

const OWN_TIMES = sql`
  create table if not exists own_times (order_id bigint primary key, at timestamptz not null)`;

const LEAPS_MINUTES = [15, 60, 24 * 60];

/** Some time passes for every lock, and ten minutes for every earlier purchase, whose own time is kept. */
const letTimePass: Act = async ({ rig: { db }, random }) => {
  await passLocks(db, LEAPS_MINUTES[random(LEAPS_MINUTES.length)]!);
  await db.execute(OWN_TIMES);
  await db.execute(sql`
    with passed as (
      update orders set created_at = created_at - interval '6 minutes'
      where created_at > now() - interval '10 minutes'
      returning id, created_at + interval '6 minutes' as at)
    insert into own_times select id, at from passed on conflict do nothing`);
};

/** Gives orders their own times back, so that the audit compares each with the prices that it could have. */
async function restoreTimes({ db }: Rig): Promise<void> {
  await db.execute(OWN_TIMES);
  await db.execute(sql`update orders set created_at = t.at from own_times t where t.order_id = orders.id`);
}

/** Somebody forgets their PIN, or has it before them again. */
const forget: Act = async ({ random, agent }) => {
  agent.isForgetful = random(2) === 0;
};

/** Whoever is locked out for good, or no longer knows which PIN is right, sets it in a browser. */
const setPin: Act = async ({ rig: { db, agents } }) => {
  const rows = await db.$client<{ userId: number }[]>`
    select user_id as "userId" from pins where greatest(locked_until, sms_locked_until) > now() + interval '1 year'`;
  for (const { userId } of rows) {
    const agent = agents.find(({ id }) => id === userId);
    if (!agent || agent.isChangingPin) continue;
    agent.isChangingPin = true;
    const { pin, password: currentPassword } = agent;
    await pins
      .set(db, pins.pinKeysOf(TEST_JWT_SECRET), { by: agent.by("web"), pin, currentPassword })
      .finally(() => (agent.isChangingPin = false));
  }
};

const ACTS: [string, Act][] = [
  ["price changed", changePrice],
  ["price changed", changePrice],
  ["paused or resumed", pauseOrResume],
  ["banned and unbanned", banAWhile],
  ["wallet filled", fill],
  ["wallet filled", fill],
  ["wallet emptied", empty],
  ["unpaid order", orderUnpaid],
  ["time passed", letTimePass],
  ["PIN forgotten or found", forget],
  ["PIN forgotten or found", forget],
  ["PIN set in a browser", setPin],
];
