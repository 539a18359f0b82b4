// A short torture run, and proof that the checker works: it is given evidence that was tampered with.
import { expect, test } from "bun:test";
import { seed, sized } from "../support/asking.ts";
import { check } from "./check.ts";
import type { Attempt, Evidence, Payment, Reversal } from "./evidence.ts";
import { isSuccess } from "./operations.ts";
import { BUGS, plant } from "./planted.ts";
import { torture } from "./run.ts";

const SECONDS = sized(12);

const run = torture({ seed, seconds: SECONDS, agents: 6, clients: 10, doneMin: 40, pauseMs: 1_500 });

/**
 * It ends by itself, with what is still open: a hundred seconds on a quiet machine, and many times that on a busy
 * one.
 */
const PATIENCE_MS = 900_000;

test(
  `nobody is misinformed and no money is lost while everything breaks (seed ${seed})`,
  async () => {
    const { violations, operations, blows } = await run;
    expect(violations).toEqual([]);
    expect(operations.done).toBeGreaterThanOrEqual(40);
    expect(Object.keys(blows).length).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

/** The rules that are violated once the evidence has been changed like this. */
async function brokenBy(tamper: (evidence: Evidence) => void): Promise<string[]> {
  const evidence = structuredClone((await run).evidence);
  tamper(evidence);
  return [...new Set(check(evidence).map(({ rule }) => rule))].sort();
}
const acknowledged = ({ operations, books }: Evidence) => {
  const one = operations.find(({ kind, state }) => kind === "purchase" && state === "done")!;
  return { one, order: books.orders.find(({ id }) => id === one.orderIds[0])! };
};

/** A change of the evidence, and the rule that detects it. */
type Tampering = [string, string, (evidence: Evidence) => void];

const NOBODY_KNOWS = 99_999_999;

/** A user's credited payment, as it would appear in the final evidence. */
function credited({ books, providers, openings }: Evidence, amountPesewas: number) {
  const { userId } = books.wallets.find((wallet) => wallet.balancePesewas > 0 && openings.has(wallet.userId))!;
  const payment: Payment = {
    ...{ id: NOBODY_KNOWS, userId, amountPesewas, state: "paid", reference: "tp-tampered" },
    ...{ creditedPesewas: null, decision: null },
  };
  books.payments.push(payment);
  providers.paid.set(payment.reference, amountPesewas);
  const transfer = { userId, amountPesewas, subjectId: payment.id, balanceAfterPesewas: amountPesewas };
  books.transfers.push({ ...transfer, id: 1, debit: "paystack", credit: "wallet", reason: "topup" });
  const move = (id: number, debit: string, credit: string, reason: string, subjectId = payment.id) =>
    books.transfers.push({ ...transfer, id, debit, credit, reason, subjectId });
  return { userId, payment, move };
}

function reversalOf({ id: paymentId, userId, amountPesewas }: Payment): Reversal {
  return {
    ...{ id: NOBODY_KNOWS, paymentId, userId, amountPesewas, kind: "chargeback", state: "open" },
    ...{ heldPesewas: 0, createdAtMs: 0, endedAtMs: null },
  };
}

function attemptOf(orderId: number): Attempt {
  return {
    ...{ orderId, vendor: "datamart", state: "held", concern: null, reference: "1-1", batchId: null },
    ...{ sentAtMs: 0, endedAtMs: null, holdUntilMs: 9_000 },
  };
}

const GOING_BACK: Tampering[] = [
  [
    "returned money was not booked",
    "a reversal is booked once",
    (evidence) => {
      const { payment } = credited(evidence, 500);
      evidence.providers.wentBack.set(payment.reference, 200);
    },
  ],
  [
    "a reversal was booked without a transfer",
    "a booking is its transfers",
    (evidence) => {
      const { payment } = credited(evidence, 500);
      evidence.books.reversals.push({ ...reversalOf(payment), state: "booked" });
    },
  ],
  [
    "a debt is missing",
    "a debt equals its transfers",
    (evidence) => {
      const { move } = credited(evidence, 500);
      move(2, "receivables", "paystack", "debt", NOBODY_KNOWS);
    },
  ],
  [
    "a wallet with money owes",
    "only an empty wallet owes",
    (evidence) => {
      evidence.books.wallets.find(({ balancePesewas }) => balancePesewas > 0)!.debtPesewas = 1;
    },
  ],
  [
    "a credit leaves a debt unpaid",
    "a credit pays a debt first",
    (evidence) => {
      const { move } = credited(evidence, 500);
      move(2, "receivables", "paystack", "debt", NOBODY_KNOWS);
      move(3, "sales", "wallet", "refund");
    },
  ],
  [
    "a debt was paid twice",
    "a debt is paid once",
    (evidence) => {
      const { move } = credited(evidence, 500);
      move(2, "wallet", "receivables", "debt_paid", 1);
    },
  ],
  [
    "an open chargeback holds nothing",
    "an open chargeback holds its amount",
    (evidence) => {
      const { payment } = credited(evidence, 500);
      evidence.books.reversals.push(reversalOf(payment));
    },
  ],
  [
    "a wallet holds money without a chargeback",
    "an open chargeback holds its amount",
    (evidence) => {
      evidence.books.wallets[0]!.heldPesewas += 100;
    },
  ],
  [
    "held money was spent",
    "held money is not spent",
    (evidence) => {
      const { order } = acknowledged(evidence);
      const charge = evidence.books.transfers.find(
        ({ reason, subjectId }) => reason === "charge" && subjectId === order.id,
      )!;
      const { payment } = credited(evidence, charge.balanceAfterPesewas! + 1);
      evidence.books.reversals.push({ ...reversalOf(payment), userId: charge.userId });
    },
  ],
  [
    "returned money is still in the wallet",
    "a wallet holds what its owner can calculate",
    (evidence) => {
      const { operations, providers, openings } = evidence;
      const { payment, userId } = credited(evidence, 500);
      const { one } = acknowledged(evidence);
      const paid = { ...payment, isPaid: true };
      operations.push({ ...one, kind: "top-up", agentId: userId, lines: [], orderIds: [], payment: paid });
      openings.set(userId, openings.get(userId)! - 500);
      providers.wentBack.set(payment.reference, 200);
    },
  ],
];

/** Fails a delivered order by a deadline. */
function refundedByClock(evidence: Evidence, attempt: Partial<Attempt>): void {
  const { order } = acknowledged(evidence);
  const { books } = evidence;
  Object.assign(order, { status: "FAILED", isRefunded: true });
  // Whatever became of it in this run: a person may have decided about it, and its loss may be recorded.
  const ofOthers = ({ orderId }: { orderId: number }) => orderId !== order.id;
  books.losses = books.losses.filter(ofOthers);
  books.failures = books.failures.filter(ofOthers);
  books.failures.push({ orderId: order.id, fromStatus: "PAID", atMs: 5_000, isByClock: true });
  books.attempts = [{ ...attemptOf(order.id), ...attempt }];
}

const HELD: Tampering[] = [
  [
    "an order in an open batch was refunded automatically",
    "no held order is refunded automatically",
    (evidence) => refundedByClock(evidence, { vendor: "desk", batchId: 1, state: "failed", endedAtMs: 5_000 }),
  ],
  [
    "an order that a vendor held was refunded automatically",
    "no held order is refunded automatically",
    (evidence) => refundedByClock(evidence, {}),
  ],
  [
    "a delivery after a refund was not recorded",
    "a delivery after a refund is a loss",
    (evidence) => refundedByClock(evidence, { state: "delivered", endedAtMs: 6_000, concern: "Late" }),
  ],
  [
    "a loss is about an order that was not refunded",
    "a loss is a refunded order",
    (evidence) => {
      const { id: orderId, userId, amountPesewas } = acknowledged(evidence).order;
      evidence.books.orders.find(({ id }) => id === orderId)!.isRefunded = false;
      evidence.books.losses.push({ orderId, userId, amountPesewas });
    },
  ],
  [
    "a late result was acknowledged and lost",
    "a late result is a loss",
    (evidence) => {
      const { one } = acknowledged(evidence);
      evidence.operations.push({ ...one, kind: "late", lines: [] });
      evidence.books.losses = [];
    },
  ],
  [
    "an order is PROCESSING without a holder",
    "every open order has a holder",
    (evidence) => {
      const { order } = acknowledged(evidence);
      order.status = "PROCESSING";
      evidence.books.attempts = [];
    },
  ],
  [
    "a vendor and an admin sent the same order",
    "no order is delivered twice",
    ({ providers }) => {
      providers.byHand.push(providers.arrived[0]!.number);
    },
  ],
];

test.each<Tampering>([
  [
    "an acknowledged order is missing",
    "no acknowledged operation is missing",
    (evidence) => {
      const { order } = acknowledged(evidence);
      evidence.books.orders = evidence.books.orders.filter(({ id }) => id !== order.id);
    },
  ],
  [
    "an order exists twice",
    "nothing is done twice",
    (evidence) => {
      const { order } = acknowledged(evidence);
      evidence.books.orders.push({ ...order, id: 99_999_999 });
    },
  ],
  [
    "a bulk order with a lost answer is incomplete",
    "nothing unacknowledged is half done",
    (evidence) => {
      const { one } = acknowledged(evidence);
      one.lines.push({ ...one.lines[0]!, msisdn: "0540000000" });
      Object.assign(one, { kind: "bulk", state: "unknown", answers: [], orderIds: [] });
    },
  ],
  [
    "two answers name different orders",
    "retries with one key agree",
    (evidence) => {
      const { one } = acknowledged(evidence);
      // The first may have been lost on its way.
      const answer = one.answers.find(isSuccess)!;
      one.answers.push({ ...answer, body: { ...answer.body, id: 99_999_999 } });
    },
  ],
  [
    "a balance is a pesewa short",
    "every account equals its transfers",
    (evidence) => {
      evidence.books.wallets[0]!.balancePesewas -= 1;
    },
  ],
  [
    "a charge was never booked",
    "a paid order is charged once",
    (evidence) => {
      const { order } = acknowledged(evidence);
      evidence.books.transfers = evidence.books.transfers.filter(
        ({ reason, subjectId }) => reason !== "charge" || subjectId !== order.id,
      );
    },
  ],
  [
    "a bundle arrived twice",
    "no order is delivered twice",
    (evidence) => {
      const { msisdn: number } = acknowledged(evidence).order;
      const dispatch = { vendor: "datamart", number, reference: "1-1", volumeMb: 1000, count: 2 } as const;
      evidence.providers.arrived.push(dispatch);
    },
  ],
  [
    "a payment was not credited",
    "a payment is credited once",
    (evidence) => {
      evidence.providers.paid.set("tp-nobody-knows", 500);
    },
  ],
  [
    "a delivered bundle was refunded without a report",
    "a delivery beside a refund is reported",
    ({ books, providers, ...evidence }) => {
      const { order } = acknowledged({ books, providers, ...evidence });
      Object.assign(order, { status: "FAILED", isRefunded: true });
      books.attempts = [{ ...attemptOf(order.id), state: "delivered" }];
      books.failures = [{ orderId: order.id, fromStatus: "PROCESSING", atMs: 1_000, isByClock: false }];
      providers.arrived = [{ vendor: "datamart", number: order.msisdn, reference: "1-1", volumeMb: 1000, count: 1 }];
    },
  ],
  [
    "a receipt was sent without an order",
    "a receipt is about an existing order",
    (evidence) => {
      evidence.providers.texts.push("DataFie: order 99999999 is paid: MTN 1GB to 0541234567");
    },
  ],
  [
    "a refund was booked twice",
    "no order is refunded twice",
    (evidence) => {
      const charge = evidence.books.transfers.find(({ reason }) => reason === "charge")!;
      const refund = { ...charge, debit: "sales", credit: "wallet", reason: "refund" };
      evidence.books.transfers.push(refund, refund);
    },
  ],
  ...GOING_BACK,
  ...HELD,
])("the checker reports that %s: %s", async (_, rule, tamper) => {
  expect(await brokenBy(tamper)).toContain(rule);
});

test("each planted bug still fits the source", async () => {
  for (const bug of BUGS) (await plant(bug)).remove();
});
