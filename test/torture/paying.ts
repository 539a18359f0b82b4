// Payments at Paystack, and some of their returns.
import { begin, type Hand, inputOf, lineFor } from "./hand.ts";
import { isSuccess, type Operation } from "./operations.ts";
import { insist, perform } from "./requests.ts";
import type { Agent } from "./rig.ts";

/** One payer in this many pays another amount than requested: an admin decides about it. */
const ODD = 25;

export async function topUp(hand: Hand, agent: Agent): Promise<void> {
  const amountPesewas = 500 + hand.random(4_000);
  const operation = begin(hand, "top-up", agent, []);
  const ask = { amount: amountPesewas / 100 };
  const started = await perform(hand, operation, agent.id, "POST", "/wallet/topup/init", ask);
  if (!started) return;
  const id = started.body.transactionId as number;
  operation.payment = { id, reference: "", amountPesewas, isPaid: false };
  await payAtPaystack(hand, agent, operation, { transactionId: id }, amountPesewas);
}

export async function checkOut(hand: Hand, agent: Agent): Promise<void> {
  const line = lineFor(hand);
  const operation = begin(hand, "checkout", agent, [line]);
  const order = await perform(hand, operation, agent.id, "POST", "/orders", inputOf(line));
  if (!order) return;
  operation.orderIds = [order.body.id];
  await payAtPaystack(hand, agent, operation, { orderId: order.body.id }, line.amountPesewas);
}

/**
 * Opens Paystack's page and pays there; of three payers, one returns, one closes the page, and one is reported by a
 * webhook.
 */
export async function payAtPaystack(
  hand: Hand,
  agent: Agent,
  operation: Operation,
  subject: { transactionId: number } | { orderId: number },
  amountPesewas: number,
): Promise<void> {
  const { random, rig } = hand;
  const email = agent.email;
  const opened = await insist(hand, agent.id, "POST", "/paystack/init", {
    ...subject,
    email,
    amount: amountPesewas / 100,
  });
  if (!opened || !isSuccess(opened)) return;
  const { reference, transactionId } = opened.body as { reference: string; transactionId: number };
  operation.payment = { id: transactionId, reference, amountPesewas, isPaid: false };
  if (random(8) === 0) return;
  const way = random(3);
  const delivery = random(4) === 0 ? { copies: 3, parallel: random(2) === 0 } : {};
  rig.paystack.steer(reference, way === 0 ? { webhook: "auto", delivery } : { webhook: "lost" });
  const isOdd = random(ODD) === 0;
  if (isOdd) rig.paystack.steer(reference, { amount: amountPesewas - 100 });
  await rig.paystack.pay(reference);
  operation.payment.isPaid = true;
  hand.paid.push(reference);
  if (way !== 1 || isOdd) return;
  await returnToShop(hand, agent, reference);
}

/** A payer who checks too often is answered from the database; later the shop asks Paystack again. */
const COME_BACKS = 20;

/** The payer is back, and checks until the payment is there. */
async function returnToShop(hand: Hand, agent: Agent, reference: string): Promise<void> {
  let status = "";
  for (let tries = 0; tries < COME_BACKS; tries++) {
    const verified = await insist(hand, agent.id, "POST", "/paystack/verify", { reference });
    if (!verified || !isSuccess(verified)) return;
    status = verified.body.status;
    if (["paid", "reversed"].includes(status) || isReturned(hand, reference)) return;
    await Bun.sleep(300);
  }
  hand.clients.seen.push({ rule: "a verified payment is paid", detail: `${reference}: ${status}` });
}

/** It was refunded or disputed while its payer was on the way back. */
function isReturned({ rig }: Hand, reference: string): boolean {
  return rig.paystack.refunds().some((refund) => refund.reference === reference);
}
