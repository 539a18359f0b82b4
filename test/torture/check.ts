// The checker. It knows what the clients were told, what the simulated payers and phones saw, and what a read-only
// user of the database can see. It shares no code with the shop.
import { DELIVERY_RULES } from "./check-delivery.ts";
import { MONEY_RULES } from "./check-money.ts";
import type { Evidence } from "./evidence.ts";
import { type Index, indexOf, type Rule, type Say } from "./index-of.ts";
import { isRefusal, isSuccess, type Operation, type Violation } from "./operations.ts";

/**
 * Checks the evidence for contradictions; an empty list means that nobody was misinformed and no money was lost or
 * created.
 */
export function check(evidence: Evidence): Violation[] {
  const seen: Violation[] = [];
  const say = (rule: string, detail: string) => void seen.push({ rule, detail });
  const index = indexOf(evidence.books);
  for (const rule of RULES) rule(evidence, index, say);
  return seen;
}

const RULES: Rule[] = [
  acknowledgedIsThere,
  nothingElseIsThere,
  retriesAgree,
  takenBackIsBack,
  receiptsAreTrue,
  ...MONEY_RULES,
  ...DELIVERY_RULES,
];

/** An acknowledged purchase exists, as requested; a refused one does not; a lost one is whole or absent. */
function acknowledgedIsThere({ operations }: Evidence, { ordersOf, orderById }: Index, say: Say): void {
  for (const one of operations) {
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
      say("no acknowledged operation is missing", `${name}: recorded as ${one.orderIds}`);
  }
}

/** Each order was requested by somebody, as it is, once. */
function nothingElseIsThere({ operations }: Evidence, { ordersOf }: Index, say: Say): void {
  const asked = new Map(
    operations.flatMap((one) => one.lines.map((line) => [line.msisdn, { ...line, one }] as const)),
  );
  const paysAtOnce = new Set<Operation["what"]>(["purchase", "bulk", "upload", "ussd"]);
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
        (order.bulkOrderId !== null) === ["bulk", "upload"].includes(line.one.what);
      if (!isAsAsked) say("an order is what was asked for", `order ${order.id}`);
      if (paysAtOnce.has(line.one.what) && !order.isPaid)
        say("nothing is half done", `order ${order.id} is not paid`);
    }
  }
}

/** All acknowledgements of an operation agree, and nothing else follows the first. */
function retriesAgree({ operations }: Evidence, _: Index, say: Say): void {
  for (const { what, answers } of operations) {
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
function essenceOf(what: Operation["what"], body: any): string {
  if (what === "ussd") return /Order (\d+)/.exec(body)?.[1] ?? body;
  if (what === "upload") return body;
  if (what === "bulk") return `${body.bulkOrderId} ${body.orders.map(({ id }: { id: number }) => id)}`;
  return String(body.transactionId ?? body.orderId ?? body.id);
}

/** What was cancelled or failed has failed, and was refunded. */
function takenBackIsBack({ operations }: Evidence, { orderById }: Index, say: Say): void {
  for (const { what, state, orderIds } of operations) {
    if (state !== "done" || (what !== "cancel" && what !== "fail")) continue;
    const order = orderById.get(orderIds[0]!);
    if (order?.status !== "FAILED" || order.isPaid !== order.isRefunded)
      say("no acknowledged operation is missing", `${what} of order ${orderIds[0]}`);
  }
}

/** Nobody gets a receipt for an order that does not exist. */
function receiptsAreTrue({ providers }: Evidence, { orderById }: Index, say: Say): void {
  for (const text of providers.texts) {
    const id = /order (\d+) is paid/.exec(text)?.[1];
    if (id && !orderById.get(Number(id))?.isPaid) say("a receipt tells of an order that is there", text);
  }
}
