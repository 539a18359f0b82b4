// Agents' purchases: one bundle, a basket, bulk orders, and by phone.
import { openPhone, type Phone } from "../../dev/simulators/phone.ts";
import { begin, type Hand, inputOf, lineFor, serverFor } from "./hand.ts";
import { isSuccess, type Operation, stateOf } from "./operations.ts";
import { perform } from "./requests.ts";
import { type Agent, PIN } from "./rig.ts";

export async function buy(hand: Hand, agent: Agent): Promise<void> {
  const line = lineFor(hand, 1 + hand.random(2));
  const operation = begin(hand, "purchase", agent, [line]);
  await perform(hand, operation, agent.id, "POST", "/orders", { ...inputOf(line), pay: "wallet" });
  operation.orderIds = operation.answers.filter(isSuccess).map(({ body }) => body.id);
}

/** The two steps of a basket: an order is created, and another request pays it. */
export async function createAndSpend(hand: Hand, agent: Agent): Promise<void> {
  const line = lineFor(hand);
  const created = begin(hand, "order", agent, [line]);
  const order = await perform(hand, created, agent.id, "POST", "/orders", inputOf(line));
  if (!order) return;
  created.orderIds = [order.body.id];
  const paid = begin(hand, "spend", agent, []);
  paid.orderIds = [order.body.id];
  await perform(hand, paid, agent.id, "POST", "/wallet/spend", { orderId: order.body.id });
}

export async function buyInBulk(hand: Hand, agent: Agent): Promise<void> {
  const length = hand.random(20) === 0 ? 200 + hand.random(200) : 2 + hand.random(25);
  const lines = Array.from({ length }, () => lineFor(hand));
  const operation = begin(hand, "bulk", agent, lines);
  await perform(hand, operation, agent.id, "POST", "/orders/bulk", { orders: lines.map(inputOf) });
  const placed = operation.answers.find(isSuccess);
  if (placed) operation.orderIds = placed.body.orders.map(({ id }: { id: number }) => id);
}

export async function dial(hand: Hand, agent: Agent): Promise<void> {
  if (hand.onPhone.has(agent.id)) return;
  hand.onPhone.add(agent.id);
  const line = { ...lineFor(hand), productId: hand.rig.bundles[0]!.id };
  line.amountPesewas = hand.rig.bundles[0]!.pricePesewas;
  const phone = openPhone({ msisdn: agent.msisdn, ussdUrl: hand.rig.ussdUrl(serverFor(hand)) });
  try {
    hand.sent.count += 1;
    const screen = await phone.dial(`1*1*1*${line.msisdn}`).catch(() => null);
    if (!screen?.text.includes("Enter PIN")) return;
    await payByPhone(hand, phone, begin(hand, "ussd", agent, [line]));
  } finally {
    hand.onPhone.delete(agent.id);
  }
}

/** The gateway repeats the request with the PIN until it gets an answer; sometimes nobody ever does. */
export async function payByPhone(hand: Hand, phone: Phone, operation: Operation): Promise<void> {
  const tries = hand.random(5) === 0 ? 1 : 40;
  for (let n = 0; n < tries; n++) {
    hand.sent.count += 1;
    const sentAtMs = performance.now();
    const screen = await (n === 0 ? phone.reply(PIN) : phone.redeliver()).catch(() => null);
    if (!screen) {
      operation.lost += 1;
      await Bun.sleep(100 + hand.random(200));
      continue;
    }
    const accepted = /Order (\d+) paid/.exec(screen.text);
    if (accepted) operation.orderIds.push(Number(accepted[1]));
    const isNo = screen.text.startsWith("Not enough money");
    const status = accepted ? 201 : isNo ? 422 : 503;
    operation.answers.push({ sentAtMs, atMs: performance.now(), status, code: null, body: screen.text });
    if (accepted || isNo) break;
    await Bun.sleep(100 + hand.random(200));
  }
  operation.state = stateOf(operation);
}
