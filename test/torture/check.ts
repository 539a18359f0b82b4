// The checker. It knows what the clients were told, what the payers and the phones outside have seen, and what anybody can
// read in the database who may only look. It shares no code with the shop.
import postgres from "postgres";
import type { Delivery } from "../simulators/vendors.ts";
import { isRefusal, isSuccess, type Told, type Violation } from "./told.ts";

export type Order = {
  id: number;
  userId: number;
  msisdn: string;
  productId: number;
  quantity: number;
  amountPesewas: number;
  status: string;
  isPaid: boolean;
  isRefunded: boolean;
  bulkOrderId: number | null;
};
export type Transfer = {
  id: number;
  userId: number;
  debit: string;
  credit: string;
  amountPesewas: number;
  reason: string;
  subjectId: number;
  balanceAfterPesewas: number | null;
};
/** What the database holds. */
export type Books = {
  orders: Order[];
  transfers: Transfer[];
  wallets: { userId: number; balancePesewas: number }[];
  payments: { id: number; userId: number; amountPesewas: number; state: string; reference: string }[];
  /** What was handed to vendors, and what an admin was asked to look at. */
  attempts: { orderId: number; state: string; concern: string | null; reference: string }[];
  /** Where each failed order came from. */
  failures: { orderId: number; fromStatus: string }[];
};
/** What happened outside: the money that Paystack took, and the bundles and the words that arrived on phones. */
export type Outside = { paid: Map<string, number>; arrived: Delivery[]; texts: string[] };
export type Evidence = {
  told: Told[];
  books: Books;
  outside: Outside;
  openings: Map<number, number>;
};

/** Reads everything that the checker looks at, in one snapshot, on a connection that may not write. */
export async function readBooks(url: string): Promise<Books> {
  const sql = postgres(url, {
    max: 1,
    connection: { default_transaction_read_only: true },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  });
  try {
    return await sql.begin("isolation level repeatable read read only", async (tx) => ({
      orders: await tx<Order[]>`
        select id, user_id as "userId", '0' || substr(msisdn, 4) as msisdn, product_id as "productId", quantity,
               amount_pesewas as "amountPesewas", status, paid_at is not null as "isPaid",
               refunded_at is not null as "isRefunded", bulk_order_id as "bulkOrderId" from orders`,
      transfers: await tx<Transfer[]>`
        select id, user_id as "userId", debit, credit, amount_pesewas as "amountPesewas", reason,
               subject_id as "subjectId", balance_after_pesewas as "balanceAfterPesewas" from transfers order by id`,
      wallets: await tx<Books["wallets"]>`
        select user_id as "userId", balance_pesewas as "balancePesewas" from wallets`,
      payments: await tx<Books["payments"]>`
        select id, user_id as "userId", amount_pesewas as "amountPesewas", state, reference from payments`,
      attempts: await tx<Books["attempts"]>`
        select order_id as "orderId", state, concern, reference from attempts`,
      failures: await tx<Books["failures"]>`
        select order_id as "orderId", from_status as "fromStatus" from order_events where to_status = 'FAILED'`,
    }));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Holds the evidence against itself; an empty list means that nobody was lied to and no money is lost or made. */
export function check(evidence: Evidence): Violation[] {
  const seen: Violation[] = [];
  const say = (rule: string, detail: string) => void seen.push({ rule, detail });
  const index = indexOf(evidence.books);
  for (const rule of RULES) rule(evidence, index, say);
  return seen;
}

type Say = (rule: string, detail: string) => void;
type Rule = (evidence: Evidence, index: Index, say: Say) => void;
type Index = {
  ordersOf: Map<string, Order[]>;
  orderById: Map<number, Order>;
  /** Transfers by what they are about: "refund 4711". */
  transfersOf: Map<string, Transfer[]>;
  attemptsOf: Map<number, Books["attempts"]>;
  /** Orders that were failed although everybody could see that they had been delivered: somebody decided so. */
  decided: Set<number>;
};

function indexOf({ orders, transfers, attempts, failures }: Books): Index {
  return {
    ordersOf: Map.groupBy(orders, ({ msisdn }) => msisdn),
    orderById: new Map(orders.map((order) => [order.id, order])),
    transfersOf: Map.groupBy(transfers, ({ reason, subjectId }) => `${reason} ${subjectId}`),
    attemptsOf: Map.groupBy(attempts, ({ orderId }) => orderId),
    decided: new Set(
      failures
        .filter(({ fromStatus }) => ["DELIVERED", "COMPLETED"].includes(fromStatus))
        .map(({ orderId }) => orderId),
    ),
  };
}

const RULES: Rule[] = [
  acknowledgedIsThere,
  nothingElseIsThere,
  retriesAgree,
  takenBackIsBack,
  paidInIsCredited,
  eachOrderEndsOnce,
  arrivesOnce,
  receiptsAreTrue,
  walletsAreTheirTransfers,
  moneyIsWhatClientsKnow,
];

/** An acknowledged purchase is there, with everything that was asked for; a refused one is not; a lost one is whole. */
function acknowledgedIsThere({ told }: Evidence, { ordersOf, orderById }: Index, say: Say): void {
  for (const one of told) {
    if (one.what === "spend" && one.state === "done" && !orderById.get(one.orderIds[0]!)?.isPaid)
      say("no acknowledged operation is missing", `order ${one.orderIds[0]} was paid`);
    const found = one.lines.map(({ msisdn }) => ordersOf.get(msisdn) ?? []);
    const there = found.filter((orders) => orders.length > 0).length;
    const whole = one.lines.length;
    if (whole === 0) continue;
    const name = `${one.what} for ${one.lines[0]!.msisdn}, ${there} of ${whole} lines`;
    if (one.state === "done" && there < whole) say("no acknowledged operation is missing", name);
    if (one.state === "refused" && there > 0) say("nothing refused is done", name);
    if (one.state === "unknown" && there > 0 && there < whole)
      say("nothing unacknowledged is half done", name);
    if (one.state === "done" && one.orderIds.some((id) => !orderById.has(id)))
      say("no acknowledged operation is missing", `${name}: told of ${one.orderIds}`);
  }
}

/** Each order is one that somebody asked for, as they asked, once. */
function nothingElseIsThere({ told }: Evidence, { ordersOf }: Index, say: Say): void {
  const asked = new Map(
    told.flatMap((one) => one.lines.map((line) => [line.msisdn, { ...line, one }] as const)),
  );
  const paysAtOnce = new Set<Told["what"]>(["purchase", "bulk", "ussd"]);
  for (const [msisdn, orders] of ordersOf) {
    const line = asked.get(msisdn);
    if (!line) {
      say("nobody's order is there", `order ${orders[0]!.id}`);
      continue;
    }
    if (orders.length > 1) say("nothing is done twice", `${orders.length} orders for ${msisdn}`);
    for (const order of orders) {
      const isAsAsked =
        order.userId === line.one.agentId &&
        order.productId === line.productId &&
        order.quantity === line.quantity &&
        order.amountPesewas === line.amountPesewas &&
        (order.bulkOrderId !== null) === (line.one.what === "bulk");
      if (!isAsAsked) say("an order is what was asked for", `order ${order.id}`);
      if (paysAtOnce.has(line.one.what) && !order.isPaid)
        say("nothing is half done", `order ${order.id} is not paid`);
    }
  }
}

/** Every acknowledgement of one operation says the same, and nothing but acknowledgements come after the first. */
function retriesAgree({ told }: Evidence, _: Index, say: Say): void {
  for (const { what, answers } of told) {
    const acknowledged = answers.filter(isSuccess);
    const first = acknowledged.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (!first) continue;
    const says = new Set(acknowledged.map(({ body }) => essenceOf(what, body)));
    if (says.size > 1) say("retries with one key agree", `${what}: ${[...says].join(" | ")}`);
    const turned = answers.find((answer) => isRefusal(answer) && answer.askedAtMs > first.atMs);
    if (turned) say("retries with one key agree", `${what}: acknowledged, and later ${turned.code}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the body of any answer.
function essenceOf(what: Told["what"], body: any): string {
  if (what === "ussd") return /Order (\d+)/.exec(body)?.[1] ?? body;
  if (what === "bulk") return `${body.bulkOrderId} ${body.orders.map(({ id }: { id: number }) => id)}`;
  return String(body.transactionId ?? body.orderId ?? body.id);
}

/** What was cancelled or failed has failed, and its money is back. */
function takenBackIsBack({ told }: Evidence, { orderById }: Index, say: Say): void {
  for (const { what, state, orderIds } of told) {
    if (state !== "done" || (what !== "cancel" && what !== "fail")) continue;
    const order = orderById.get(orderIds[0]!);
    if (order?.status !== "FAILED" || order.isPaid !== order.isRefunded)
      say("no acknowledged operation is missing", `${what} of order ${orderIds[0]}`);
  }
}

/** What a payer paid is credited once, with what they paid; what nobody paid is not credited. */
function paidInIsCredited({ told, books, outside }: Evidence, { transfersOf }: Index, say: Say): void {
  const payments = new Map(books.payments.map((payment) => [payment.reference, payment]));
  for (const { payment } of told) {
    if (!payment?.isPaid || outside.paid.has(payment.reference)) continue;
    say("the outside remembers what it told", payment.reference);
  }
  for (const [reference, pesewas] of outside.paid) {
    const payment = payments.get(reference);
    const credits = payment ? (transfersOf.get(`topup ${payment.id}`) ?? []) : [];
    const isOnce = credits.length === 1 && credits[0]!.amountPesewas === pesewas;
    if (!isOnce || credits[0]!.userId !== payment!.userId)
      say("a payment is credited once", `${reference}: ${credits.length} credits`);
  }
  const paid = new Set(outside.paid.keys());
  for (const { id, reference } of books.payments)
    if (!paid.has(reference) && transfersOf.has(`topup ${id}`)) say("nothing unpaid is credited", reference);
}

/** A paid order was charged once; it has ended; and it has its money back, once, when it failed, and only then. */
function eachOrderEndsOnce({ books }: Evidence, { transfersOf }: Index, say: Say): void {
  for (const { id, userId, amountPesewas, status, isPaid } of books.orders) {
    const count = (reason: string) =>
      (transfersOf.get(`${reason} ${id}`) ?? []).filter(
        (transfer) => transfer.userId === userId && transfer.amountPesewas === amountPesewas,
      ).length;
    if (count("charge") !== (isPaid ? 1 : 0)) say("a paid order is charged once", `order ${id}`);
    const refunds = count("refund");
    if (refunds > 1) say("no order is refunded twice", `order ${id}`);
    if ((refunds === 1) !== (isPaid && status === "FAILED"))
      say("a failed order has its money back, and no other", `order ${id} is ${status}`);
    if (isPaid && status !== "FAILED" && status !== "COMPLETED")
      say("every paid order comes to an end", `order ${id} is ${status}`);
  }
}

/** A bundle arrives on a phone once at most, where an order says so; one that arrived and was paid back is pointed out. */
function arrivesOnce({ outside }: Evidence, { ordersOf, attemptsOf, decided }: Index, say: Say): void {
  const arrivals = Map.groupBy(outside.arrived, ({ number }) => number);
  for (const [number, deliveries] of arrivals) {
    const times = deliveries.reduce((sum, { count }) => sum + count, 0);
    const [order] = ordersOf.get(number) ?? [];
    if (times > 1) say("no order is delivered twice", `order ${order?.id}: ${times} times`);
    if (!order?.isPaid) say("nothing unpaid is delivered", number);
    else if (order.status === "FAILED" && !decided.has(order.id)) {
      const attempts = attemptsOf.get(order.id) ?? [];
      const isOpen = attempts.every(({ state }) => state !== "delivered");
      if (!isOpen && attempts.every(({ concern }) => concern === null))
        say(
          "what arrived and was paid back is pointed out",
          `order ${order.id}: ${JSON.stringify(attempts)}`,
        );
    }
  }
  for (const [number, [order]] of ordersOf)
    if (order!.status === "COMPLETED" && !arrivals.has(number))
      say("what is completed has arrived", `order ${order!.id}`);
}

/** Nobody is sent a receipt for an order that is not there. */
function receiptsAreTrue({ outside }: Evidence, { orderById }: Index, say: Say): void {
  for (const text of outside.texts) {
    const id = /order (\d+) is paid/.exec(text)?.[1];
    if (id && !orderById.get(Number(id))?.isPaid) say("a receipt tells of an order that is there", text);
  }
}

/** Each wallet is the sum of its transfers, at every step of its history; all accounts together are nothing. */
function walletsAreTheirTransfers({ books }: Evidence, _: Index, say: Say): void {
  const running = new Map<number, number>();
  const accounts = new Map<string, number>();
  const add = (account: string, pesewas: number) =>
    accounts.set(account, (accounts.get(account) ?? 0) + pesewas);
  for (const { id, userId, debit, credit, amountPesewas, balanceAfterPesewas } of books.transfers) {
    add(debit === "wallet" ? `wallet ${userId}` : debit, -amountPesewas);
    add(credit === "wallet" ? `wallet ${userId}` : credit, amountPesewas);
    if (debit !== "wallet" && credit !== "wallet") continue;
    const after = (running.get(userId) ?? 0) + (credit === "wallet" ? amountPesewas : -amountPesewas);
    running.set(userId, after);
    if (after !== balanceAfterPesewas || after < 0)
      say("a history fits together", `transfer ${id}: ${balanceAfterPesewas}, not ${after}`);
  }
  for (const { userId, balancePesewas } of books.wallets)
    if (balancePesewas !== (accounts.get(`wallet ${userId}`) ?? 0))
      say("every account equals its transfers", `wallet ${userId}`);
  const sum = [...accounts.values()].reduce((total, pesewas) => total + pesewas, 0);
  if (sum !== 0) say("all accounts sum to zero", `${sum} pesewas`);
}

/** A wallet holds what its owner can work out: what they had and paid in, less what they bought and did not get back. */
function moneyIsWhatClientsKnow({ told, books, outside, openings }: Evidence, index: Index, say: Say): void {
  const balances = new Map(books.wallets.map(({ userId, balancePesewas }) => [userId, balancePesewas]));
  const byAgent = Map.groupBy(told, ({ agentId }) => agentId);
  for (const [agentId, openingPesewas] of openings) {
    const own = byAgent.get(agentId) ?? [];
    const paidIn = own.reduce((sum, { payment }) => sum + paidOf(payment, outside), 0);
    const spent = own
      .flatMap(({ lines }) => lines)
      .filter(({ msisdn }) => isPaidFor(index.ordersOf.get(msisdn)?.[0]))
      .reduce((sum, { amountPesewas }) => sum + amountPesewas, 0);
    const expected = openingPesewas + paidIn - spent;
    if (balances.get(agentId) !== expected)
      say("a wallet holds what its owner works out", `${agentId}: ${balances.get(agentId)}, not ${expected}`);
  }
}

function paidOf(payment: Told["payment"], { paid }: Outside): number {
  return payment && paid.has(payment.reference) ? payment.amountPesewas : 0;
}

function isPaidFor(order: Order | undefined): boolean {
  return order?.isPaid === true && order.status !== "FAILED";
}
