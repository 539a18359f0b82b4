// The checker. It has the clients' answers, the events at simulated payers and phones, and the database through a
// read-only user. It shares no code with the shop.
import { DELIVERY_RULES } from "./check-delivery.ts";
import { MONEY_RULES } from "./check-money.ts";
import type { Evidence } from "./evidence.ts";
import { type Flag, type Index, indexOf, type Rule } from "./index-of.ts";
import { isRefusal, isSuccess, type Operation, type Violation } from "./operations.ts";

/**
 * Checks the evidence for contradictions; an empty list means that nobody was misinformed and no money was lost or
 * created.
 */
export function check(evidence: Evidence): Violation[] {
  const seen: Violation[] = [];
  const flag = (rule: string, detail: string) => void seen.push({ rule, detail });
  const index = indexOf(evidence.books);
  for (const rule of RULES) rule(evidence, index, flag);
  return seen;
}

const RULES: Rule[] = [
  acknowledgedOrdersExist,
  noUnknownOrders,
  retriesAgree,
  cancelledOrdersAreRefunded,
  receiptsAreTrue,
  ...MONEY_RULES,
  ...DELIVERY_RULES,
];

/** An acknowledged purchase exists, as requested; a refused one does not; a lost one is whole or absent. */
function acknowledgedOrdersExist({ operations }: Evidence, { ordersOf, orderById }: Index, flag: Flag): void {
  for (const one of operations) {
    if (one.kind === "spend" && one.state === "done" && !orderById.get(one.orderIds[0]!)?.isPaid)
      flag("no acknowledged operation is missing", `order ${one.orderIds[0]} was paid`);
    const found = one.lines.map(({ msisdn }) => ordersOf.get(msisdn) ?? []);
    const there = found.filter((orders) => orders.length > 0).length;
    const whole = one.lines.length;
    if (whole === 0) continue;
    const name = `${one.kind} for ${one.lines[0]!.msisdn}, ${there} of ${whole} lines`;
    if (one.state === "done" && there < whole) flag("no acknowledged operation is missing", name);
    if (one.state === "refused" && there > 0) flag("nothing refused is done", name);
    if (one.state === "unknown" && there > 0 && there < whole) flag("nothing unacknowledged is half done", name);
    if (one.state === "done" && one.orderIds.some((id) => !orderById.has(id)))
      flag("no acknowledged operation is missing", `${name}: recorded as ${one.orderIds}`);
  }
}

/** Each order was requested by somebody, as it is, once. */
function noUnknownOrders({ operations }: Evidence, { ordersOf }: Index, flag: Flag): void {
  const requested = new Map(
    operations.flatMap((one) => one.lines.map((line) => [line.msisdn, { ...line, one }] as const)),
  );
  const paysAtOnce = new Set<Operation["kind"]>(["purchase", "bulk", "upload", "ussd"]);
  for (const [msisdn, orders] of ordersOf) {
    const line = requested.get(msisdn);
    if (!line) {
      flag("every order belongs to a client", `order ${orders[0]!.id}`);
      continue;
    }
    if (orders.length > 1) flag("nothing is done twice", `${orders.length} orders for ${msisdn}`);
    for (const order of orders) {
      const isAsRequested =
        order.userId === line.one.agentId &&
        order.productId === line.productId &&
        order.quantity === line.quantity &&
        order.amountPesewas === line.amountPesewas &&
        (order.bulkOrderId !== null) === ["bulk", "upload"].includes(line.one.kind);
      if (!isAsRequested) flag("an order is as requested", `order ${order.id}`);
      if (paysAtOnce.has(line.one.kind) && !order.isPaid) flag("nothing is half done", `order ${order.id} is not paid`);
    }
  }
}

/** All acknowledgements of an operation agree, and nothing else follows the first. */
function retriesAgree({ operations }: Evidence, _: Index, flag: Flag): void {
  for (const { kind, answers } of operations) {
    const acknowledged = answers.filter(isSuccess);
    const first = acknowledged.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (!first) continue;
    const essences = new Set(acknowledged.map(({ body }) => essenceOf(kind, body)));
    if (essences.size > 1) flag("retries with one key agree", `${kind}: ${[...essences].join(" | ")}`);
    const turned = answers.find((answer) => isRefusal(answer) && answer.sentAtMs > first.atMs);
    if (turned) flag("retries with one key agree", `${kind}: acknowledged, and later ${turned.code}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the body of any answer.
function essenceOf(kind: Operation["kind"], body: any): string {
  if (kind === "ussd") return /Order (\d+)/.exec(body)?.[1] ?? body;
  if (kind === "upload") return body;
  if (kind === "bulk") return `${body.bulkOrderId} ${body.orders.map(({ id }: { id: number }) => id)}`;
  return String(body.transactionId ?? body.orderId ?? body.id);
}

/** What was cancelled or failed has failed, and was refunded. */
function cancelledOrdersAreRefunded({ operations }: Evidence, { orderById }: Index, flag: Flag): void {
  for (const { kind, state, orderIds } of operations) {
    if (state !== "done" || (kind !== "cancel" && kind !== "fail")) continue;
    const order = orderById.get(orderIds[0]!);
    if (order?.status !== "FAILED" || order.isPaid !== order.isRefunded)
      flag("no acknowledged operation is missing", `${kind} of order ${orderIds[0]}`);
  }
}

/** Nobody gets a receipt for an order that does not exist. */
function receiptsAreTrue({ providers }: Evidence, { orderById }: Index, flag: Flag): void {
  for (const text of providers.texts) {
    const id = /order (\d+) is paid/.exec(text)?.[1];
    if (id && !orderById.get(Number(id))?.isPaid) flag("a receipt is about an existing order", text);
  }
}
