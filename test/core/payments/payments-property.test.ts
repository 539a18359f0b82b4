// Hundreds of payments, with everything going wrong that can: in the end our books agree with Paystack's records.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Fault } from "../../../dev/simulators/paystack/paystack.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as ledgerAudit from "../../../src/core/ledger/audit.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import type { Order } from "../../../src/core/orders/order.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import { reconcile } from "../../../src/core/payments/reconciliation.ts";
import { pollDue } from "../../../src/core/payments/settlement.ts";
import { outcome, randomFrom, seed, sized, tally, times } from "../../support/asking.ts";
import type { Person } from "../../support/world.ts";
import { inTurns, openPaying, SECRET_KEY, withoutAnyBudget } from "./paying.ts";

const PAYMENTS = sized(400);
const shop = await openPaying();
const { world, db, paystack } = shop;
await withoutAnyBudget(db);
const crowd = await Promise.all(times(20, (i) => world.person(`payer${i}`, "10.00")));

const FAULTS: Fault[] = [
  "http500",
  "html502",
  "429",
  "dropBefore",
  "dropAfter",
  "emptyBody",
  { kind: "delay", ms: 60 },
];
const FATES = ["paid", "paid", "paid", "paid", "paid", "paid twice", "failed", "late", "abandoned", "wrong"] as const;
type Fate = (typeof FATES)[number];
type Plan = { person: Person; amountPesewas: number; fate: Fate; isOrder: boolean; isPhone: boolean };
type Random = (below: number) => number;

/** A client with a short timeout, so that slow answers are lost. */
const hasty = shop.gatewayWith({ timeoutMs: 40 });
const patient = shop.gatewayWith({ timeoutMs: 5000 });
const REFUSALS = ["payment.gateway_down", "payment.in_progress", "payment.not_payable", "order.already_paid"];
const allowed = ["done", ...REFUSALS, "order.not_payable", "order.not_cancellable", "wallet.insufficient_balance"];

const plansOf = (random: Random): Plan[] =>
  times(PAYMENTS, () => ({
    person: crowd[random(crowd.length)]!,
    amountPesewas: 1000 + random(4000),
    fate: FATES[random(FATES.length)]!,
    isOrder: random(4) === 0,
    isPhone: random(5) === 0,
  }));
const lastHours = () => ({ from: new Date(Date.now() - 7_200_000), to: new Date(Date.now() + 7_200_000) });

/** Makes a few checks due early, and runs them. */
async function pollSome(howMany: number): Promise<void> {
  await db.execute(sql`
    update payments set poll_at = now() where id in (
      select id from payments where poll_at is not null order by random() limit ${howMany} for update skip locked)`);
  await pollDue(db, patient, howMany);
}

async function tried(work: Promise<unknown>): Promise<void> {
  expect(allowed).toContain(await outcome(work));
}

/** Starts a payment, with retries, and returns all references that it has had at Paystack. */
async function start(random: Random, { person, amountPesewas, isOrder, isPhone, fate }: Plan) {
  const by = person.by();
  const order = isOrder ? await shop.order(person) : null;
  const subject = order
    ? { orderId: order.id }
    : { paymentId: (await payments.startTopUp(db, { by, key: null, amountPesewas })).answer.id };
  if (fate === "wrong") paystack.steer("next", { currency: "NGN" });
  if (random(10) === 0) paystack.steer("next", { webhook: "beforeReply" });
  if (random(10) === 0) paystack.steer("next", { payAtOnce: true });
  if (random(10) === 0) paystack.steer("next", { fees: null });
  const momo = { by, subject, network: "mtn" as const, msisdn: "233541000000" };
  for (const _ of times(1 + random(3), (i) => i)) {
    const gateway = random(4) ? patient : hasty;
    await tried(isPhone ? payments.charge(db, gateway, momo) : shop.checkOut(person, subject, gateway));
  }
  const rows = await db.execute<{ reference: string }>(
    "orderId" in subject
      ? sql`select reference from payments where order_id = ${subject.orderId}`
      : sql`with recursive chain as (
              select id, reference from payments where id = ${subject.paymentId}
              union all select p.id, p.reference from payments p join chain c on p.supersedes_id = c.id)
            select reference from chain`,
  );
  return { order, references: rows.map(({ reference }) => reference) };
}

/** The payer's actions at Paystack; a page that was never opened cannot be paid. */
async function meetFate(random: Random, fate: Fate, references: string[]): Promise<void> {
  const attempt = async (deed: () => unknown) => {
    try {
      await deed();
    } catch (error) {
      expect(String(error)).toContain("Paystack does not know");
    }
  };
  const last = references[random(references.length)]!;
  if (fate === "failed" || fate === "late") await attempt(() => paystack.fail(last, "Insufficient funds"));
  const paid = fate === "paid twice" ? references : ["paid", "late", "wrong"].includes(fate) ? [last] : [];
  for (const reference of paid) await attempt(() => paystack.pay(reference));
}

/** Webhooks, returning browsers, checks, cancellations and reconciliations, some doubled and some left out. */
function events(random: Random, { person }: Plan, order: Order | null, references: string[]) {
  const reference = references[random(references.length)]!;
  const by = person.by();
  const cancelled = { by, key: null, orderId: order?.id ?? 0 };
  const deeds: (() => Promise<unknown>)[] = [
    ...times(random(3), () => () => shop.settle(reference, random(5) ? patient : hasty)),
    ...times(random(3), () => async () => {
      const options = { copies: 1 + random(3), parallel: random(2) === 0 };
      await paystack.deliver(reference, options).catch((error) => expect(String(error)).toContain("has no charge"));
    }),
  ];
  if (random(15) === 0) deeds.push(() => pollSome(10));
  if (random(24) === 0) deeds.push(() => shop.workOff());
  if (random(200) === 0) deeds.push(() => tried(reconcile(db, patient, { ...lastHours(), fix: true })));
  if (order && random(6) === 0) deeds.push(() => tried(cancelling.cancel(db, cancelled)));
  if (order && random(6) === 0) deeds.push(() => tried(unpaidOrders.spend(db, cancelled)));
  return deeds;
}

async function live(random: Random, plan: Plan): Promise<void> {
  if (random(4) === 0) paystack.fault("*", FAULTS[random(FAULTS.length)]!);
  const { order, references } = await start(random, plan);
  // Some events come before the payments that they are about.
  const early = events(random, plan, order, references).slice(0, 1);
  await Promise.all([...early.map((deed) => deed()), meetFate(random, plan.fate, references)]);
  if (random(4) === 0) paystack.fault("*", FAULTS[random(FAULTS.length)]!);
  await Promise.all(events(random, plan, order, references).map((deed) => deed()));
}

/** Ends the disturbances: Paystack repeats refused webhooks, the worker goes on, and the books are reconciled. */
async function calmDown(): Promise<void> {
  shop.answerWebhooksWith(() => null);
  await paystack.retryWebhooksNow();
  const waiting = sql`select 1 from jobs where kind = 'process_webhook' and dead_at is null limit 1`;
  while ((await db.execute(waiting)).length > 0) await shop.workOff();
  // Uses up the remaining faults: a reconciliation that fails is repeated.
  for (const _ of times(20, (i) => i)) {
    const { differences } = await reconcile(db, patient, { ...lastHours(), fix: true }).catch(() => ({
      differences: null,
    }));
    const taken = takenAtPaystack();
    if (differences?.every(({ kind, reference }) => kind === "not_credited" && !taken.has(reference))) return;
  }
  throw new Error("our books and Paystack's list never agreed");
}

/** The balance of Paystack's account: credits less refunds and fees. */
async function onAccount(): Promise<number> {
  const [row] = await db.execute<{ sum: number }>(sql`
    select coalesce(sum(case when debit = 'paystack' then amount_pesewas else -amount_pesewas end), 0)::bigint as sum
    from transfers where 'paystack' in (debit, credit)`);
  return row!.sum;
}

/** The simulator's fee: 1.95 %. */
const feeOn = (pesewas: number) => Math.round((pesewas * 195) / 10_000);

/** Paystack knows the fees by now that it did not report with the payments. */
function reportFees(): void {
  for (const { reference, amount, steering } of paystack.transactions())
    if (steering.fees === null) paystack.steer(reference, { fees: feeOn(amount) });
}

/** The amounts in cedis that Paystack has on record, payment by payment. */
function takenAtPaystack(): Map<string, number> {
  const isCedis = new Set(
    paystack.transactions().flatMap((one) => (one.steering.currency === "NGN" ? [] : [one.reference])),
  );
  return new Map([...paystack.successes()].filter(([reference]) => isCedis.has(reference)));
}

test(`a thousand payments with faults end as Paystack records them (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  shop.answerWebhooksWith(() => (random(12) === 0 ? new Response("fault", { status: 500 }) : null));
  await inTurns(plansOf(random), (plan) => live(random, plan));
  reportFees();
  await calmDown();
  const taken = takenAtPaystack();
  const credited = await db.execute<{ reference: string; pesewas: number }>(sql`
    select p.reference, t.amount_pesewas as pesewas from transfers t join payments p on p.id = t.subject_id
    where t.reason = 'topup' order by 1`);
  expect(credited.map(({ reference, pesewas }) => [reference, pesewas])).toEqual(
    [...taken].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  const keptPesewas = taken.values().reduce((sum, pesewas) => sum + pesewas - feeOn(pesewas), 0);
  expect(await onAccount()).toBe(keptPesewas);
  // Every kind of fault has occurred.
  const states = await db.execute<{ state: string }>(sql`select state from payments`);
  const counts = tally(states.map(({ state }) => state));
  for (const state of ["paid", "pending", "failed", "review"]) expect(counts[state]).toBeGreaterThan(0);
  expect(new Set(paystack.requests().map(({ fault }) => fault)).size).toBe(FAULTS.length + 1);
  expect((await ledgerAudit.audit(db)).findings).toEqual([]);
  expect(credited.length).toBeGreaterThan(PAYMENTS / 3);
});

test(`refunds of sixty of them, reported in any order during payments, are booked once (seed ${seed})`, async () => {
  const random = randomFrom(seed + 1);
  const before = await onAccount();
  const paid = [...takenAtPaystack()].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, 60);
  let refundedPesewas = 0;
  await inTurns(paid, async ([transaction, pesewas]) => {
    const amount = random(2) ? pesewas : 100 + random(pesewas - 100);
    const isProcessed = random(4) > 0;
    const response = await fetch(`${paystack.url}/refund`, {
      method: "POST",
      headers: { authorization: `Bearer ${SECRET_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ transaction, amount }),
    });
    const { data } = (await response.json()) as { data: { id: number } };
    const steps = ["processing", isProcessed ? "processed" : "failed"] as const;
    for (const step of steps) await paystack.moveRefund(BigInt(data.id), step);
    if (isProcessed) refundedPesewas += amount;
    const deeds = ["pending", ...steps, "pending"]
      .map((step) => () => paystack.deliver(transaction, { event: `refund.${step}`, copies: 2, parallel: true }))
      .map((deed) => ({ deed: deed as () => Promise<unknown>, at: random(100) }));
    deeds.push({ deed: () => shop.settle(transaction), at: random(100) });
    if (random(10) === 0) deeds.push({ deed: () => shop.workOff(), at: random(100) });
    if (random(20) === 0) deeds.push({ deed: () => pollSome(20), at: random(100) });
    await Promise.all(deeds.toSorted((a, b) => a.at - b.at).map(({ deed }) => deed()));
  });
  await calmDown();
  expect(await onAccount()).toBe(before - refundedPesewas);
  for (const person of crowd) expect(await world.balanceOf(person)).toBeGreaterThanOrEqual(0);
});
