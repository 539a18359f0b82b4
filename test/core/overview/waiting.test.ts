// Waiting work: each kind with its number, age, money and deadline, in an order by urgency, and as each role may see
// it.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { COUNT_MAX, WAITING, type WaitingName } from "../../../src/core/overview/kinds.ts";
import { isUrgent, seenBy, sharesOf, type Waiting, waiting } from "../../../src/core/overview/waiting.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
const kojo = await world.person("kojo", undefined, ["SUPPORT"]);
const left = await world.person("left", undefined, ["SUPPORT"]);
await db.execute(sql`update users set status = 'BANNED' where id = ${left.id}`);

/** The transaction of a test, which is rolled back: what is planted by hand would not be in the books. */
let tx: Tx;
let numbers = 0;
const placed: number[] = [];
for (let i = 0; i < 6; i++) {
  const line = { productId: bundle.id, msisdn: `024110000${i}`, quantity: 1 };
  placed.push((await orders.buy(db, { by: ama.by(), key: null, line })).answer.order.id);
}
let used = 0;
/** A paid order that nobody has taken. */
const ordered = () => placed[used++]!;

/** An attempt at a new order in this state, with the order's deadline. */
async function attempt(vendor: string, state: string, more = sql`null`, deliverBy = "3 hours"): Promise<number> {
  const id = ordered();
  await tx.execute(sql`
    update orders set deliver_by = now() + ${deliverBy}::interval, paid_at = now() - interval '20 minutes'
    where id = ${id}`);
  const isEnded = ["delivered", "failed"].includes(state);
  await tx.execute(sql`
    insert into attempts (order_id, user_id, vendor, reference, state, sent_at, ended_at, concern)
    values (${id}, ${ama.id}, ${vendor}, ${`ref-${id}`}, ${state}, now() - interval '20 minutes',
            ${isEnded ? sql`now()` : sql`null`}, ${more})`);
  return id;
}
const payment = (state: string) => sql`
  insert into payments (user_id, amount_pesewas, paid_pesewas, state, reference, paid_at)
  values (${ama.id}, 5000, 4000, ${state}, ${`pay-${++numbers}`}, ${
    state === "paid" ? sql`now()` : sql`null`
  }) returning id`;

type Expected = Partial<Waiting>;
/** Makes something wait, and gives what is then said of it. */
const PLANTED: Record<Exclude<WaitingName, "approvals">, () => Promise<Expected>> = {
  books_wrong: async () => {
    await tx.execute(sql`
      insert into audit_runs (kind, begun, started_at, ended_at, ok, findings, checked, accounts, checkpoint)
      values
        ('full', 1, now(), now() - interval '1 day', true, '[]', '{}', '[]', '{}'),
        ('new', 1, now(), now() - interval '2 hours', false, '[{}, {}]', '{}', '[]', '{}')`);
    return { count: 2, since: hoursFromNow(-2) };
  },
  switches_closed: async () => {
    await tx.execute(sql`
      insert into switches (name, message, reason, until, closed_by_user_id, closed_at) values
        ('sales', 'Closed', 'A test', now() + interval '3 hours', ${world.yaw.id}, now() - interval '1 hour'),
        ('web', 'Closed', 'A test', now(), ${world.yaw.id}, now() - interval '2 hours')`);
    await tx.execute(sql`
      update operators set paused_message = 'Slow', paused_at = now() - interval '2 hours' where code = 'MTN'`);
    // One has opened by itself, and a paused network is closed, too.
    return { count: 2, since: hoursFromNow(-2), deadline: hoursFromNow(3) };
  },
  vendors_paused: async () => {
    await tx.execute(sql`
      insert into vendors (code, paused_for, paused_at) values
        ('hubnet', 'float_empty', now() - interval '1 hour'), ('idle', 'admin', now())
      on conflict (code) do update set paused_for = excluded.paused_for, paused_at = excluded.paused_at`);
    await attempt("hubnet", "queued");
    await attempt("hubnet", "queued", undefined, "1 hour");
    // What an admin paused, and nobody waits for, is as it should be.
    return { count: 1, orders: 2, pesewas: 780, since: hoursFromNow(-1), deadline: hoursFromNow(1) };
  },
  disputes: async () => {
    const [paid] = await tx.execute<{ id: number }>(payment("paid"));
    await tx.execute(sql`
      insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, state, due_at)
      values (${paid!.id}, ${ama.id}, 'chargeback', 'dispute-1', 5000, 'open', now() + interval '5 hours'),
             (${paid!.id}, ${ama.id}, 'refund', 'refund-1', 1000, 'open', null)`);
    return { count: 1, pesewas: 5000, deadline: hoursFromNow(5) };
  },
  signals: async () => {
    const raise = (cause: string, isClosed: boolean) =>
      tx.execute<{ id: number }>(sql`
      insert into signals (kind, cause, user_id, effect, evidence, happened_at, closed_at, closed_by_user_id, note)
      values ('losses', ${cause}, ${ama.id}, 'hold', '{}', now(), ${isClosed ? sql`now()` : sql`null`},
        ${isClosed ? world.yaw.id : null}, ${isClosed ? "Fine" : null}) returning id`);
    await raise("1", true);
    const [open] = await raise("2", false);
    await tx.execute(sql`
      insert into order_holds (user_id, signal_id, until) values (${ama.id}, ${open!.id}, now() + interval '1 hour')`);
    return { count: 1, pesewas: null, deadline: hoursFromNow(1) };
  },
  orders_overdue: async () => {
    const id = await attempt("datamart", "accepted");
    await tx.execute(sql`update attempts set hold_until = now() - interval '1 minute' where order_id = ${id}`);
    return { count: 1, pesewas: 390, deadline: hoursFromNow(3) };
  },
  payments_in_review: async () => {
    await tx.execute(payment("review"));
    return { count: 1, pesewas: 4000 };
  },
  desk_batches: async () => {
    await attempt("desk", "processing");
    await tx.execute(sql`
      with batch as (
        insert into desk_batches (orders, taken_by_user_id, deadline)
        values (1, ${world.yaw.id}, now() + interval '1 hour') returning id)
      update attempts set desk_batch_id = batch.id from batch where state = 'processing' and vendor = 'desk'`);
    return { count: 1, pesewas: 390, deadline: hoursFromNow(1) };
  },
  desk_orders: async () => {
    await attempt("desk", "queued", undefined, "2 hours");
    await attempt("desk", "queued", undefined, "4 hours");
    return { count: 2, pesewas: 780, since: hoursFromNow(-1 / 3), deadline: hoursFromNow(2) };
  },
  deposits: async () => {
    await tx.execute(
      sql`insert into deposits (user_id, transaction_id, amount_pesewas) values (${ama.id}, '123456', 2500)`,
    );
    return { count: 1, pesewas: 2500, deadline: null };
  },
  deposits_taken_back: async () => {
    await tx.execute(sql`
      insert into statement_imports (id, network, source, by_user_id, imported_at)
      values (8000, 'mtn', 'api', ${world.yaw.id}, now())`);
    await tx.execute(sql`
      insert into statement_lines (id, import_id, network, direction, transaction_id, original_id, amount_pesewas)
      select n, 8000, 'mtn', 'reversal', (400000 + n)::text, '123456', 3000 from generate_series(8001, 8002) n`);
    await tx.execute(sql`
      insert into deposits (id, user_id, transaction_id, amount_pesewas, state, decided_by_user_id, decided_at)
      values (8000, ${ama.id}, '123456', 6000, 'approved', ${world.yaw.id}, now())`);
    await tx.execute(sql`
      insert into deposit_reversals (deposit_id, user_id, line_id, amount_pesewas, state, created_at,
                                     decided_by_user_id, decided_at) values
        (8000, ${ama.id}, 8001, 3000, 'open', now() - interval '1 hour', null, null),
        (8000, ${ama.id}, 8002, 3000, 'booked', now(), ${world.yaw.id}, now())`);
    return { count: 1, pesewas: 3000, since: hoursFromNow(-1) };
  },
  cash_to_accept: async () => {
    await tx.execute(sql`
      insert into cash_closes (user_id, to_user_id, day, expected_pesewas, counted_pesewas, reason, state,
                               decided_by_user_id, decided_at, created_at) values
        (${ama.id}, ${world.yaw.id}, '2026-11-20', 500, 480, 'Coin', 'waiting', null, null, now() - interval '1 hour'),
        (${ama.id}, ${world.yaw.id}, '2026-11-19', 700, 700, null, 'accepted', ${world.yaw.id}, now(), now())`);
    return { count: 1, pesewas: 480, since: hoursFromNow(-1) };
  },
  not_received: async () => {
    const id = ordered();
    await tx.execute(sql`
      insert into support_requests (user_id, kind, subject_type, subject_id, message, due_at)
      values (${ama.id}, 'not_received', 'order', ${id}, 'It is not there', now() + interval '6 hours')`);
    return { count: 1, pesewas: 390, deadline: hoursFromNow(6) };
  },
  orders_late: async () => {
    const id = await attempt("datamart", "accepted");
    await tx.execute(sql`update orders set paid_at = now() - interval '4 hours' where id = ${id}`);
    return { count: 1, since: hoursFromNow(-4), pesewas: 390 };
  },
  afa: async () => {
    const id = ordered();
    await tx.execute(sql`
      insert into afa_registrations
        (order_id, user_id, full_name, msisdn, location, card_sealed, card_digest, card_last4)
      values (${id}, ${ama.id}, 'Esi Owusu', '233241234567', 'Accra',
              ${`1.abcdef.${"a".repeat(40)}`}, 'digest', '1234')`);
    return { count: 1, pesewas: 390 };
  },
  support: async () => {
    await tx.execute(sql`
      insert into support_requests (user_id, subject_type, message, answered_at)
      values (${ama.id}, 'general', 'Where is it?', null), (${ama.id}, 'general', 'Thanks', now())`);
    return { count: 1, pesewas: null };
  },
  outcomes_unknown: async () => {
    await attempt("datamart", "unknown");
    return { count: 1, pesewas: 390 };
  },
  differences: async () => {
    await tx.execute(sql`
      insert into reconciliation_differences (reference, kind, amount_pesewas) values ('ref', 'not_ours', 700)`);
    return { count: 1, pesewas: 700 };
  },
  cash_at_bank: async () => {
    await tx.execute(sql`
      insert into bank_deposits (amount_pesewas, slip, by_user_id, seen_pesewas, seen_by_user_id, seen_at) values
        (390, 'S 1', ${ama.id}, null, null, null), (400, 'S 2', ${ama.id}, 400, ${world.yaw.id}, now())`);
    return { count: 1, pesewas: 390 };
  },
  losses: async () => {
    const id = await attempt("datamart", "delivered", sql`'Delivered after the money went back'`);
    await tx.execute(sql`
      insert into losses (order_id, user_id, attempt_id, vendor, amount_pesewas)
      select order_id, user_id, id, vendor, 390 from attempts where order_id = ${id}`);
    // Its concern is the same matter, and is not counted again.
    return { count: 1, pesewas: 390 };
  },
  concerns: async () => {
    await attempt("datamart", "delivered", sql`'Reported twice'`);
    return { count: 1, pesewas: 390 };
  },
  thin_prices: async () => {
    await tx.execute(sql`update products set cost_pesewas = 500, lowest_price_pesewas = 500 where id = ${bundle.id}`);
    return { count: 1 };
  },
  cost_rises: async () => {
    await tx.execute(sql`
      insert into product_costs (product_id, vendor, source, cost_pesewas, seen_at) values
        (${bundle.id}, 'datamart', 'admin', 300, now() - interval '1 hour'),
        (${bundle.id}, 'datamart', 'admin', 320, now())`);
    return { count: 1 };
  },
  dead_jobs: async () => {
    await tx.execute(sql`insert into jobs (kind, subject_id, dead_at) values ('send_message', 1, now())`);
    return { count: 1 };
  },
};

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const isNear = (one: Date | null | undefined, other: Date) =>
  Math.abs((one?.getTime() ?? 0) - other.getTime()) < 60_000;

/** Plants something in a shop without work, and returns what waits then. */
async function planted(plant: () => Promise<Expected>): Promise<{ expected: Expected; found: Waiting[] }> {
  let outcome: { expected: Expected; found: Waiting[] } | null = null;
  const rollBack = new Error("rolled back");
  const done = db.transaction(async (own) => {
    [tx, used] = [own, 0];
    outcome = { expected: await plant(), found: await waiting(own) };
    throw rollBack;
  });
  await done.catch((error) => {
    if (error !== rollBack) throw error;
  });
  return outcome!;
}

test("nothing waits in a shop without work", async () => {
  expect((await planted(async () => ({}))).found).toEqual([]);
});

for (const kind of Object.keys(PLANTED) as (keyof typeof PLANTED)[])
  test(`${kind}: what waits is counted, with its age, money and deadline, and as no other kind`, async () => {
    const { expected, found } = await planted(PLANTED[kind]);
    // What is unknown or with a vendor may be late as well.
    expect(found.map((one) => one.kind)).toEqual([kind]);
    const { since, deadline, ...plain } = expected;
    expect(found[0]).toMatchObject({ kind, isMore: false, ...plain });
    if (since) expect(isNear(found[0]!.since, since)).toBe(true);
    if (deadline !== undefined)
      expect(deadline === null ? found[0]!.deadline === null : isNear(found[0]!.deadline, deadline)).toBe(true);
  });

test("more than the most that are counted are shown as such, with no more work", async () => {
  const { found } = await planted(async () => {
    await tx.execute(sql`
      insert into deposits (user_id, transaction_id, amount_pesewas)
      select ${ama.id}, 100000 + n, 1000 from generate_series(1, ${COUNT_MAX + 5}) n`);
    return {};
  });
  expect(found).toMatchObject([{ kind: "deposits", count: COUNT_MAX, isMore: true }]);
});

test("what is urgent is first: by its kind, or because its deadline is near; then the nearest deadline", async () => {
  const { found } = await planted(async () => {
    await PLANTED.thin_prices();
    await PLANTED.deposits();
    await PLANTED.not_received();
    await PLANTED.desk_batches();
    await PLANTED.payments_in_review();
    return {};
  });
  expect(found.map(({ kind }) => kind)).toEqual([
    "desk_batches",
    "payments_in_review",
    "not_received",
    "deposits",
    "thin_prices",
  ]);
  expect(found.map((one) => isUrgent(one))).toEqual([true, true, false, false, false]);
});

test("work that somebody has taken is theirs, unless they can no longer do it; the rest is anybody's", async () => {
  const { found } = await planted(async () => {
    await PLANTED.desk_batches();
    await tx.execute(sql`
      insert into support_requests (user_id, subject_type, message, assigned_to_user_id)
      select ${ama.id}, 'general', 'Where?', unnest(${sql.param([kojo.id, world.yaw.id, left.id, null])}::bigint[])`);
    await PLANTED.deposits();
    return {};
  });
  const sharesFor = (userId: number) =>
    Object.fromEntries(found.map((one) => [one.kind, { count: one.count, ...sharesOf(one, userId) }]));
  expect(sharesFor(kojo.id)).toEqual({
    desk_batches: { count: 1, own: 0, others: 1 },
    deposits: { count: 1, own: 0, others: 0 },
    support: { count: 4, own: 1, others: 1 },
  });
  expect(sharesFor(world.yaw.id).desk_batches).toEqual({ count: 1, own: 1, others: 0 });
});

test("each role sees what it has the right to, and money only who sees the books or the profit", async () => {
  const { found } = await planted(async () => {
    await PLANTED.desk_orders();
    await PLANTED.deposits();
    await PLANTED.support();
    await PLANTED.differences();
    return {};
  });
  const seenAs = (role: string) =>
    seenBy({ roles: [role as "ADMIN"] }, found)
      .map(({ kind, pesewas }) => `${kind} ${pesewas}`)
      .sort();
  expect(seenAs("ADMIN")).toEqual(["deposits 2500", "desk_orders 780", "differences 700", "support null"]);
  expect(seenAs("DESK")).toEqual(["desk_orders null"]);
  expect(seenAs("SUPPORT")).toEqual(["deposits null", "support null"]);
  expect(seenAs("ACCOUNTS")).toEqual(["deposits 2500", "differences 700"]);
  expect(seenAs("USER")).toEqual([]);
});

test("each kind has a right, a page and labels", () => {
  for (const { one, many, to, right } of Object.values(WAITING)) {
    expect([one, many, to, right].every((text) => text.length > 3)).toBe(true);
    expect(one).not.toBe(many as string);
  }
});
