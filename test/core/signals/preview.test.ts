// The preview of a rule equals what the rule raises over the same past, however its rounds are cut; and both equal what
// the rule says in words, by a model that reads all rows.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../../db/connect.ts";
import { randomFrom } from "../../../dev/seed/draws.ts";
import * as raising from "../../../src/core/signals/raising.ts";
import * as rules from "../../../src/core/signals/rules.ts";
import { statementOf } from "../../../src/core/signals/statements.ts";
import { SIGNAL_KINDS, type SignalKind } from "../../../src/shared/signals.ts";
import { outcome } from "../../support/asking.ts";
import { freshDatabase } from "../../support/database.ts";
import { longTest } from "../../support/long.ts";
import { populate } from "../../support/world.ts";

// A database of its own, because invented rows have no books behind them.
const database = await freshDatabase();
const db = connect(database.url, { max: 5 });
const { yaw } = await populate(db, database.url);
const by = yaw.by("admin");
afterAll(async () => {
  await disconnect(db);
  await database.drop();
});

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const EVENTS = 160;
const USERS = 4;
const HISTORIES = 6;
/** Few, so that rounds are cut anywhere. */
const AT_ONCE = 7;

type Event = { at: number; user: number; type: (typeof TYPES)[number]; n: number; id: number };
const TYPES = [
  "topUp",
  "charge",
  "login",
  "pin",
  "bulk",
  "wrong",
  "wrongSms",
  "refused",
  "filed",
  "loss",
  "dispute",
] as const;

/** What was done about the PIN, by the number of the event: the first two set none. */
const PIN_ACTS = ["remove", "reset", "forgotten", "forgotten", "", "", "", ""].map((act) =>
  act ? `user.pin_${act}` : "user.pin",
);

/** Parameters that a small history meets often. */
const PARAMETERS: Record<SignalKind, Record<string, number>> = {
  young_top_up: { accountDays: 20, topUpPesewas: 2_000, minutes: 600, percent: 60 },
  takeover: { hours: 48, lines: 4 },
  wrong_pins: { count: 3, minutes: 1440 },
  deposits_refused: { count: 3, days: 4 },
  deposit_repeated: { days: 3 },
  losses: { count: 2, days: 4 },
  disputes: { count: 2, days: 5 },
};

longTest("a preview is what rounds raise, for random histories and rules", async () => {
  let raisedInAll = 0;
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { events, opened } = await invent(seed);
    await db.execute(
      sql`update signal_rules set since = now() - interval '31 days', mark = now() - interval '31 days'`,
    );
    const previews = new Map<SignalKind, string[]>();
    for (const kind of SIGNAL_KINDS) {
      const parameters = PARAMETERS[kind];
      await db.execute(sql`update signal_rules set effect = 'note',
        parameters = ${JSON.stringify(parameters)}::text::jsonb where kind = ${kind}`);
      const { count, examples, isPart } = await rules.preview(db, { by, kind, parameters });
      expect(isPart).toBe(false);
      expect(examples).toHaveLength(Math.min(count, rules.EXAMPLES_MAX));
      previews.set(kind, [String(count), ...examples.map(({ cause, userId }) => `${cause} ${userId}`)]);
    }
    while ((await raising.raiseDue(db, { eventsMax: AT_ONCE })).isBehind);
    for (const kind of SIGNAL_KINDS) {
      const raised = await db.execute<{ cause: string; user_id: number }>(sql`
        select cause, user_id from signals where kind = ${kind} order by happened_at, cause`);
      const found = raised.map(({ cause, user_id }) => `${cause} ${user_id}`);
      const expected = [String(found.length), ...found.slice(0, rules.EXAMPLES_MAX)];
      expect({ seed, kind, found: previews.get(kind)! }).toEqual({ seed, kind, found: expected });
      expect({ seed, kind, found: found.sort() }).toEqual({
        seed,
        kind,
        found: model(kind, events, opened).sort(),
      });
      raisedInAll += found.length;
    }
  }
  expect(raisedInAll).toBeGreaterThan(HISTORIES * SIGNAL_KINDS.length);
});

test("a preview is for those who work with signals, within bounds, and so often an hour", async () => {
  const parameters = PARAMETERS.losses;
  const ofRole = (roles: ["DESK"] | ["SUPPORT"]) => ({ ...by, roles });
  expect(await outcome(rules.preview(db, { by: ofRole(["DESK"]), kind: "losses", parameters }))).toBe("auth.forbidden");
  expect(await outcome(rules.preview(db, { by, kind: "lossess", parameters }))).toBe("signal.rule_not_found");
  for (const bad of [{ count: 0, days: 5 }, { count: 51, days: 5 }, { count: 2 }, { count: 2, days: 1.5 }])
    expect(await outcome(rules.preview(db, { by, kind: "losses", parameters: bad as never }))).toBe("request.invalid");
  await db.execute(sql`delete from rate_limits`);
  const answers: string[] = [];
  for (let n = 0; n < 61; n++) answers.push(await outcome(rules.preview(db, { by, kind: "losses", parameters })));
  expect(answers.slice(59)).toEqual(["done", "request.rate_limited"]);
});

longTest("a preview that takes too long is refused, and says what to do", async () => {
  await db.execute(sql`delete from rate_limits`);
  const hasty = connect(database.url, { max: 1, statementTimeoutMs: 1_000 });
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table losses in access exclusive mode`);
    const late = rules.preview(hasty, { by, kind: "losses", parameters: PARAMETERS.losses });
    expect(await outcome(late)).toBe("signal.preview_too_long");
  });
  await disconnect(hasty);
});

test("no rule reads a whole table: each finds its events, and their accounts' rows, by indexes", async () => {
  const span = { from: sql`now() - interval '30 days'`, eventsMax: 2_000 };
  for (const kind of SIGNAL_KINDS) {
    const statement = statementOf(kind, PARAMETERS[kind], span, { isNew: true });
    const plan = await db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return tx.execute<{ "QUERY PLAN": string }>(sql`explain ${statement}`);
    });
    const lines = plan.map((row) => row["QUERY PLAN"]);
    expect([kind, lines.filter((line) => line.includes("Seq Scan"))]).toEqual([kind, []]);
  }
});

/** Writes a random history of the last 25 days, in the order of time. */
async function invent(seed: number): Promise<{ events: Event[]; opened: Map<number, number> }> {
  const random = randomFrom(seed);
  const now = Date.now();
  await db.execute(sql`alter table transfers disable trigger all`);
  await db.execute(sql`alter table signals disable trigger all`);
  await db.execute(sql`truncate transfers, bulk_orders, logins, audit_log, wrong_pins, losses, signals, deposits,
    payment_reversals, payments, rate_limits cascade`);
  await db.execute(sql`delete from users where username like 'invented%'`);
  const opened = Array.from({ length: USERS }, () => now - Math.floor(random() * 50) * DAY);
  const ids: number[] = [];
  for (const [n, at] of opened.entries()) {
    const [row] = await db.execute<{ id: number }>(sql`
      insert into users (username, email, password_hash, created_at)
      values (${`invented${seed}-${n}`}, ${`invented${seed}-${n}@example.com`}, 'x', ${moment(at)}) returning id`);
    ids.push(row!.id);
  }
  const times = Array.from({ length: EVENTS }, () => now - Math.floor(random() * 25 * DAY) - MINUTE).sort(
    (a, b) => a - b,
  );
  const events: Event[] = [];
  for (const at of times) {
    const user = ids[Math.floor(random() * USERS)]!;
    const type = TYPES[Math.floor(random() * TYPES.length)]!;
    const event = { at, user, type, n: 1 + Math.floor(random() * 8), id: 0 };
    event.id = await write(event);
    events.push(event);
  }
  await db.execute(sql`alter table transfers enable trigger all`);
  await db.execute(sql`alter table signals enable trigger all`);
  return { events, opened: new Map(ids.map((id, n) => [id, opened[n]!])) };
}

const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`;

async function write({ at, user, type, n }: Event): Promise<number> {
  const when = moment(at);
  const transfer = (reason: string, debit: string, credit: string) => sql`
    insert into transfers
      (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas, created_at)
    values (${user}, ${debit}, ${credit}, ${n * 1_000}, ${reason}, nextval('orders_id_seq'), 0, ${when}) returning id`;
  const statements: Record<Event["type"], ReturnType<typeof sql>> = {
    topUp: transfer("topup", "paystack", "wallet"),
    charge: transfer("charge", "wallet", "sales"),
    login: sql`insert into logins (user_id, is_new_device, at) values (${user}, ${n > 3}, ${when}) returning id`,
    pin: sql`insert into audit_log (action, subject_type, subject_id, created_at)
      values (${PIN_ACTS[n - 1]!}, 'user', ${String(user)}, ${when})
      returning id`,
    bulk: sql`insert into bulk_orders (user_id, lines, amount_pesewas, channel, created_at)
      values (${user}, ${n}, 1000, 'web', ${when}) returning id`,
    wrong: sql`insert into wrong_pins (user_id, channel, at) values (${user}, 'ussd', ${when}) returning id`,
    wrongSms: sql`insert into wrong_pins (user_id, channel, at) values (${user}, 'sms', ${when}) returning id`,
    refused: sql`insert into deposits (user_id, transaction_id, amount_pesewas, state, decided_at, created_at)
      values (${user}, ${`7000000${n}`}, 5000, 'refused', ${when}, ${when}) returning id`,
    filed: sql`insert into deposits (user_id, transaction_id, amount_pesewas, created_at)
      values (${user}, ${`7000000${n}`}, 5000, ${when})
      on conflict (user_id, transaction_id) where state <> 'refused'
      do update set amount_pesewas = 5000 returning case when xmax = 0 then id else 0 end as id`,
    loss: sql`insert into losses (order_id, user_id, attempt_id, vendor, amount_pesewas, created_at)
      values (nextval('orders_id_seq'), ${user}, 1, 'datamart', 1000, ${when}) returning id`,
    dispute: sql`
      with paid as (insert into payments (user_id, amount_pesewas, reference)
        values (${user}, 1000, gen_random_uuid()::text) returning id)
      insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, created_at)
      select id, ${user}, ${n > 4 ? "refund" : "chargeback"}, gen_random_uuid()::text, 1000, ${when} from paid
      returning id`,
  };
  const [row] = await db.execute<{ id: number }>(statements[type]);
  return row!.id;
}

/** "cause user" of everything that a rule should raise, by its words. */
function model(kind: SignalKind, all: Event[], opened: Map<number, number>): string[] {
  const events = all.filter(({ id }) => id !== 0);
  const p = PARAMETERS[kind];
  const openedAt = (user: number) => opened.get(user)!;
  const named = (some: Event[]) => some.map(({ id, user }) => `${id} ${user}`);
  const before = (event: Event, some: Event[], spanMs: number) =>
    some.filter((one) => one.user === event.user && one.at > event.at - spanMs && one.at <= event.at);
  const countedOf = (some: Event[]) =>
    named(some.filter((event) => before(event, some, p.days! * DAY).length >= p.count!));
  switch (kind) {
    case "young_top_up":
      return named(
        events.filter((event) => {
          if (event.type !== "topUp" || event.n * 1_000 < p.topUpPesewas!) return false;
          if (openedAt(event.user) <= event.at - p.accountDays! * DAY) return false;
          const spent = events
            .filter(({ type, user, at }) => type === "charge" && user === event.user && at >= event.at)
            .filter(({ at }) => at <= event.at + p.minutes! * MINUTE)
            .reduce((sum, { n }) => sum + n, 0);
          return spent * 100 >= event.n * p.percent!;
        }),
      );
    case "takeover":
      return named(
        events.filter((event) => {
          if (event.type !== "bulk" || event.n < p.lines!) return false;
          const near = events.filter(
            ({ user, at }) => user === event.user && at >= event.at - p.hours! * 60 * MINUTE && at <= event.at,
          );
          return (
            near.some(({ type, n }) => type === "login" && n > 3) && near.some(({ type, n }) => type === "pin" && n > 2)
          );
        }),
      );
    case "wrong_pins":
      return (["wrong", "wrongSms"] as const).flatMap((type) => {
        const wrong = events.filter((event) => event.type === type);
        const isBurst = (event: Event | undefined) =>
          event !== undefined && before(event, wrong, p.minutes! * MINUTE).length >= p.count!;
        const previous = (event: Event) => wrong.filter(({ user, at }) => user === event.user && at < event.at).at(-1);
        return named(wrong.filter((event) => isBurst(event) && !isBurst(previous(event))));
      });
    case "deposits_refused":
      return countedOf(events.filter(({ type }) => type === "refused"));
    case "deposit_repeated": {
      const filed = events.filter(({ type }) => type === "refused" || type === "filed");
      return named(
        filed.filter((event) =>
          filed.some(
            (one) =>
              one.n === event.n &&
              one.id < event.id &&
              one.at > event.at - p.days! * DAY &&
              (one.user !== event.user || one.type === "refused"),
          ),
        ),
      );
    }
    case "losses":
      return countedOf(events.filter(({ type }) => type === "loss"));
    case "disputes":
      return countedOf(events.filter(({ type, n }) => type === "dispute" && n <= 4));
  }
}
