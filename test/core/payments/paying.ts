// The world of the payment tests: a shop with a simulated Paystack, and the invariants after every test.
import { afterAll, afterEach, expect } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { payments as table } from "../../../db/schema/payments.ts";
import {
  type PaystackOptions,
  type PaystackSimulator,
  startPaystack,
  type Transaction,
} from "../../../dev/simulators/paystack/paystack.ts";
import { processWebhooks } from "../../../src/app/worker.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import type { Order } from "../../../src/core/orders/order.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import type { PaymentGateway } from "../../../src/core/payments/gateway.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import { type Difference, type Reconciliation, reconcile } from "../../../src/core/payments/reconciliation.ts";
import * as settlement from "../../../src/core/payments/settlement.ts";
import { createPaystack } from "../../../src/gateways/paystack.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { count, lineFor, times } from "../../support/asking.ts";
import { openWorld, type Person, testApp, type World } from "../../support/world.ts";

export const SECRET_KEY = "sk_test_51_a_secret_key_that_no_log_may_show";
export const PREVIOUS_KEY = "sk_test_50_the_secret_key_before_it";

export type Paying = {
  world: World;
  db: Db;
  paystack: PaystackSimulator;
  gateway: PaymentGateway;
  /** A client with another key or other timeouts. */
  gatewayWith: (options: { secretKey?: string; timeoutMs?: number }) => PaymentGateway;
  /** Everything that the application and the worker have logged so far. */
  logged: () => string;
  /** Makes the application answer webhooks with this function's response, until it returns null. */
  answerWebhooksWith: (answer: () => Response | null) => void;
  /** Advances Paystack's clock by this many seconds. */
  pass: (seconds: number) => void;
  /** A top-up that has been started and led to Paystack's page. */
  topUp: (person: Person, amountPesewas?: number) => Promise<payments.Opened>;
  /** A payment whose page was paid, without a webhook. */
  paidTopUp: (person: Person, amountPesewas?: number) => Promise<payments.Opened>;
  /** An order that is not paid. */
  order: (person: Person) => Promise<Order>;
  /** The same with its page at Paystack. */
  orderPage: (person: Person) => Promise<{ order: Order; page: payments.Opened }>;
  checkOut: (person: Person, subject: payments.Subject, gateway?: PaymentGateway) => Promise<payments.Opened>;
  settle: (reference: string, gateway?: PaymentGateway) => Promise<settlement.Settled>;
  /** Refunds as an admin on Paystack's dashboard; the refund is pending there, and its id is returned. */
  refundAtPaystack: (reference: string, amountPesewas: number) => Promise<bigint>;
  /** Processes all stored webhooks, including those that wait for another attempt. */
  workOff: () => Promise<void>;
  /** Makes every open payment due, and polls. */
  poll: (gateway?: PaymentGateway) => Promise<number>;
  row: (reference: string) => Promise<payments.Payment>;
  orderNow: (id: number) => Promise<Order>;
};

/** Opens a world with a Paystack, and checks the invariants of payments after each test. */
export async function openPaying(options: PaystackOptions = {}): Promise<Paying> {
  const world = await openWorld({ connections: 10 });
  let passedMs = 0;
  const clock = () => new Date(Date.now() + passedMs);
  // Prompts are not approved automatically: each test decides when.
  const approveSeconds = 86_400;
  const paystack = await startPaystack({ secretKey: SECRET_KEY, clock, approveSeconds, ...options });
  const gatewayWith: Paying["gatewayWith"] = (more) =>
    createPaystack({
      baseUrl: paystack.url,
      secretKey: paystack.secretKey,
      previousSecretKey: PREVIOUS_KEY,
      ...more,
    });
  const gateway = gatewayWith({});
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  const shop = listen(world, gateway, log);
  paystack.sendWebhooksTo(`${shop.url}/webhooks/paystack`);
  const bundle = await world.product("MTN", "1GB", "3.90");
  afterEach(async () => {
    await expectInvariants(world.db, paystack, gateway);
    const everything = lines.join("");
    for (const key of [paystack.secretKey, PREVIOUS_KEY]) expect(everything).not.toContain(key);
  });
  afterAll(async () => {
    await paystack.stop();
    await shop.stop();
  });
  const paying: Paying = {
    world,
    db: world.db,
    paystack,
    gateway,
    gatewayWith,
    logged: () => lines.join(""),
    answerWebhooksWith: shop.answerWith,
    pass: (seconds) => {
      passedMs += seconds * 1000;
    },
    topUp: async (person, amountPesewas = 2000) => {
      await withoutBudgets(world.db, person);
      const started = await payments.startTopUp(world.db, { by: person.by(), key: null, amountPesewas });
      return paying.checkOut(person, { paymentId: started.answer.id });
    },
    paidTopUp: async (person, amountPesewas) => {
      const page = await paying.topUp(person, amountPesewas);
      await paystack.pay(page.reference);
      return page;
    },
    order: async (person) => {
      await withoutBudgets(world.db, person);
      const ask = { by: person.by(), key: null, line: lineFor(bundle) };
      return (await unpaidOrders.create(world.db, ask)).answer;
    },
    orderPage: async (person) => {
      const order = await paying.order(person);
      return { order, page: await paying.checkOut(person, { orderId: order.id }) };
    },
    checkOut: (person, subject, by = gateway) =>
      payments.checkOut(world.db, by, {
        by: person.by(),
        subject,
        email: null,
        callbackUrl: "http://localhost/wallet/return",
        cancelUrl: "http://localhost/wallet",
      }),
    settle: (reference, by = gateway) => settlement.settle(world.db, by, reference),
    refundAtPaystack: async (transaction, amount) => {
      const response = await fetch(`${paystack.url}/refund`, {
        method: "POST",
        headers: { authorization: `Bearer ${SECRET_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ transaction, amount }),
      });
      if (!response.ok) throw new Error(`refund of ${transaction}: ${response.status}`);
      return paystack.refunds().at(-1)!.id;
    },
    workOff: async () => {
      await world.db.execute(sql`update jobs set run_at = now() where kind = 'process_webhook'`);
      await processWebhooks(world.db, gateway, log);
    },
    poll: async (by = gateway) => {
      await world.db.execute(sql`update payments set poll_at = now() where poll_at is not null`);
      return settlement.pollDue(world.db, by, 1000);
    },
    row: async (reference) => {
      const rows = await world.db.select().from(table).where(sql`reference = ${reference}`);
      return rows[0]!;
    },
    orderNow: (id) => orderQueries.get(world.db, world.yaw.by("admin"), id),
  };
  return paying;
}

/**
 * Tests pay at once what people pay in weeks, so limits on opening payments are reset; they have tests of their own.
 */
export async function withoutBudgets(db: Db, { id }: Person): Promise<void> {
  const ofAccount = ["checkout", "prompt", "code"].map((name) => `${name}.account:${id}`);
  await db.execute(sql`
    insert into rate_limits (bucket, count, resets_at)
    select bucket, -1000000, now() + interval '1 day'
    from unnest(${sql.param([...ofAccount, `order.unpaid:${id}`])}::text[]) bucket order by 1
    on conflict (bucket) do update set count = excluded.count, resets_at = excluded.resets_at`);
}

/**
 * As `withoutBudgets` for everybody, however many pay at once: an approved prompt that is given back would begin its
 * count anew.
 */
export async function withoutAnyBudget(db: Db): Promise<void> {
  await db.execute(sql`
    create function never_count() returns trigger language plpgsql as $$
      begin new.count := -1000000; return new; end $$;
    create trigger never_count before insert or update on rate_limits for each row
      when (new.bucket ~ '^((checkout|prompt|code)[.]|order[.]unpaid:)') execute function never_count()`);
}

/** The application on a port, for Paystack to call. */
function listen(world: World, gateway: PaymentGateway, log: ReturnType<typeof createLog>) {
  let answer: () => Response | null = () => null;
  const app = testApp(world.db, { gateway, log });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => answer() ?? app.fetch(request),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
    answerWith: (give: () => Response | null) => {
      answer = give;
    },
  };
}

/** Runs work on each, ten at a time. */
export async function inTurns<T>(all: T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(times(10, worker));
}

/** The number of credits of this payment in the books. */
export function creditsOf(db: Db, reference: string): Promise<number> {
  return count(
    db,
    sql`from transfers t join payments p on p.id = t.subject_id
        where t.reason = 'topup' and p.reference = ${reference}`,
  );
}

/** Whether Paystack's record of this payment obliges us to credit it. */
function isOwed({ steering, ...transaction }: Transaction, amountPesewas: number): boolean {
  const paid = steering.amount ?? transaction.amount;
  const requested = steering.requestedAmount === undefined ? transaction.amount : steering.requestedAmount;
  return (
    (steering.status ?? transaction.status) === "success" &&
    (steering.currency ?? transaction.currency) === "GHS" &&
    (steering.domain ?? transaction.domain) === "test" &&
    (requested ?? paid) === amountPesewas &&
    Number.isSafeInteger(paid) &&
    paid >= amountPesewas
  );
}

/**
 * The invariants of payments, however many events were lost: after another check of every uncredited payment, each has
 * the state of Paystack's record, exactly the paid ones are credited, nothing is credited or charged twice, and each
 * order is paid once.
 */
export async function expectInvariants(db: Db, paystack: PaystackSimulator, gateway: PaymentGateway): Promise<void> {
  const atPaystack = new Map(paystack.transactions().map((one) => [one.reference, one]));
  const before = await db.select().from(table);
  // Uses up the faults that a test has left over.
  for (const { reference } of before.filter((one) => atPaystack.has(one.reference)))
    while ((await settlement.settle(db, gateway, reference))?.verdict === "unclear");
  const successes = paystack.successes();
  for (const payment of await db.select().from(table)) {
    const transaction = atPaystack.get(payment.reference);
    const isCredited = payment.paidAt !== null;
    const story = { reference: payment.reference, state: payment.state };
    if (isCredited) expect({ ...story, paid: successes.has(payment.reference) }).toEqual({ ...story, paid: true });
    if (transaction && isOwed(transaction, payment.amountPesewas))
      expect({ ...story, isCredited }).toEqual({ ...story, isCredited: true });
  }
  const twice = await db.execute(sql`
    select reason, subject_id, count(*) from transfers
    where reason in ('topup', 'charge', 'refund', 'reversal', 'payment_fee') group by 1, 2 having count(*) > 1`);
  expect([...twice]).toEqual([]);
  const untrue = await db.execute(sql`
    select t.id from transfers t join payments p on p.id = t.subject_id
    where t.reason = 'topup'
      and (t.amount_pesewas <> coalesce(p.credited_pesewas, p.amount_pesewas) or t.user_id <> p.user_id)`);
  expect([...untrue]).toEqual([]);
}

export type Comparing = {
  compare: (fix: boolean) => Promise<Reconciliation>;
  /** The differences of one payment. */
  differencesOf: (reference: string, fix?: boolean) => Promise<Difference[]>;
};

/** Reconciles the payments of the last hour. */
export function comparing({ db, gateway }: Paying): Comparing {
  const compare = (fix: boolean) =>
    reconcile(db, gateway, {
      from: new Date(Date.now() - 3_600_000),
      to: new Date(Date.now() + 3_600_000),
      fix,
    });
  const differencesOf = async (reference: string, fix = false) =>
    (await compare(fix)).differences.filter((one) => one.reference === reference);
  return { compare, differencesOf };
}
