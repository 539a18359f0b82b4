// A short run of the torture, and proof that the checker would tell: it is shown evidence that was tampered with.
import { expect, test } from "bun:test";
import { seed } from "../core/asking.ts";
import { check, type Evidence } from "./check.ts";
import { BUGS, plant } from "./planted.ts";
import { torture } from "./run.ts";

const SECONDS = Number(process.env.TORTURE_SECONDS ?? 12);

const run = torture({ seed, seconds: SECONDS, agents: 6, clients: 10, doneMin: 40, pauseMs: 1_500 });

test(`nobody is lied to and no money is lost while everything breaks (seed ${seed})`, async () => {
  const { violations, operations, blows } = await run;
  expect(violations).toEqual([]);
  expect(operations.done).toBeGreaterThanOrEqual(40);
  expect(Object.keys(blows).length).toBeGreaterThan(0);
});

/** The rules that are broken once the evidence has been changed like this. */
async function brokenBy(tamper: (evidence: Evidence) => void): Promise<string[]> {
  const evidence = structuredClone((await run).evidence);
  tamper(evidence);
  return [...new Set(check(evidence).map(({ rule }) => rule))].sort();
}
const acknowledged = ({ told, books }: Evidence) => {
  const one = told.find(({ what, state }) => what === "purchase" && state === "done")!;
  return { one, order: books.orders.find(({ id }) => id === one.orderIds[0])! };
};

test.each<[string, string, (evidence: Evidence) => void]>([
  [
    "an acknowledged order is not there",
    "no acknowledged operation is missing",
    (evidence) => {
      const { order } = acknowledged(evidence);
      evidence.books.orders = evidence.books.orders.filter(({ id }) => id !== order.id);
    },
  ],
  [
    "an order is there twice",
    "nothing is done twice",
    (evidence) => {
      const { order } = acknowledged(evidence);
      evidence.books.orders.push({ ...order, id: 99_999_999 });
    },
  ],
  [
    "a bulk order whose answer was lost is half there",
    "nothing unacknowledged is half done",
    (evidence) => {
      const { one } = acknowledged(evidence);
      one.lines.push({ ...one.lines[0]!, msisdn: "0540000000" });
      Object.assign(one, { what: "bulk", state: "unknown", answers: [], orderIds: [] });
    },
  ],
  [
    "two answers name two orders",
    "retries with one key agree",
    (evidence) => {
      const { one } = acknowledged(evidence);
      const [answer] = one.answers;
      one.answers.push({ ...answer!, body: { ...answer!.body, id: 99_999_999 } });
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
      const parcel = { vendor: "datamart", number, reference: "1-1", volumeMb: 1000, count: 2 } as const;
      evidence.outside.arrived.push(parcel);
    },
  ],
  [
    "a payment was not credited",
    "a payment is credited once",
    (evidence) => {
      evidence.outside.paid.set("tp-nobody-knows", 500);
    },
  ],
  [
    "a bundle arrived and was paid back in silence",
    "what arrived and was paid back is pointed out",
    ({ books, outside, ...evidence }) => {
      const { order } = acknowledged({ books, outside, ...evidence });
      Object.assign(order, { status: "FAILED", isRefunded: true });
      const about = { orderId: order.id, reference: "1-1" };
      books.attempts = [{ ...about, state: "delivered", concern: null }];
      books.failures = [{ ...about, fromStatus: "PROCESSING" }];
      outside.arrived = [
        { vendor: "datamart", number: order.msisdn, reference: "1-1", volumeMb: 1000, count: 1 },
      ];
    },
  ],
  [
    "a receipt was sent for nothing",
    "a receipt tells of an order that is there",
    (evidence) => {
      evidence.outside.texts.push("DataFie: order 99999999 is paid: 1GB MTN to 0541234567");
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
])("the checker tells when %s: %s", async (_, rule, tamper) => {
  expect(await brokenBy(tamper)).toContain(rule);
});

test("each bug can still be planted", async () => {
  for (const bug of BUGS) (await plant(bug)).remove();
});
