// The demonstration shop's money from Paystack: what agents paid within two weeks, two payouts to the bank, one of
// which differs from the books, and a dispute that waits for evidence. It is paid at the simulated Paystack, whose file
// the shop's own one continues, so that its lists and its balance are about the same payments.
import { rmSync } from "node:fs";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { webhookEvents } from "../../db/schema/payments.ts";
import * as payments from "../../src/core/payments/payments.ts";
import * as payouts from "../../src/core/payments/payouts.ts";
import * as webhooks from "../../src/core/payments/paystack-webhooks.ts";
import { syncRefunds } from "../../src/core/payments/refunds.ts";
import * as settlement from "../../src/core/payments/settlement.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { type PaystackSimulator, startPaystack } from "../simulators/paystack/paystack.ts";
import type { Scene, Step } from "./demo.ts";

const DAY_MS = 86_400_000;
/** What a payment link made on Paystack's own site brought: money that no payment of the shop is about. */
const BY_LINK = { reference: "payment-link-0417", amountPesewas: 5_000, email: "kwesi@example.com" };
const RETURN = { callbackUrl: "http://localhost/", cancelUrl: "http://localhost/" };

/** `keptIn`: the file of the shop's simulated Paystack; null: nobody goes on with it. */
export async function openPaystack({ db, by, now }: Scene, keptIn: string | null) {
  if (keptIn) rmSync(keptIn, { force: true });
  let at = now;
  const firstId = BigInt(now) * 1000n;
  const paystack = await startPaystack({ clock: () => new Date(at), firstId, ...(keptIn && { keepIn: keptIn }) });
  const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
  const server = receive(db, gateway);
  paystack.sendWebhooksTo(server.url.href);
  const topUp = (username: string, cedis: number) => paid(db, { paystack, gateway }, by(username), cedis * 100);
  const pay = (username: string, cedis: number) => async () => void (await topUp(username, cedis));
  const payOut = async () => {
    paystack.settle();
    await payouts.sync(db, gateway);
  };
  const on = (daysAgo: number, act: () => Promise<void>): Step => ({
    at: now - daysAgo * DAY_MS,
    act: async () => {
      at = now - daysAgo * DAY_MS;
      await act();
    },
  });
  let returned = "";
  let disputed = "";
  const steps = [
    on(12.3, pay("ama", 200)),
    on(11.6, pay("esi", 120)),
    on(10.4, payOut),
    on(7.2, async () => {
      returned = await topUp("esi", 40);
    }),
    on(6.8, pay("ama", 150)),
    on(6.1, async () => {
      await gateway.initialize({ ...BY_LINK, ...RETURN });
      await paystack.pay(BY_LINK.reference, "mobile_money");
    }),
    on(5.2, async () => {
      await refund(paystack, returned, 40_00);
      await syncRefunds(db, gateway, returned);
    }),
    on(3.4, payOut),
    on(1.7, async () => {
      disputed = await topUp("esi", 90);
    }),
    on(0.6, pay("ama", 60)),
    on(0.2, async () => {
      await paystack.dispute(disputed, "create");
      await paystack.deliver(disputed, { event: "charge.dispute.create" });
      await processed(db, gateway);
    }),
    on(0.1, () => payouts.sync(db, gateway)),
  ];
  const close = async () => {
    await server.stop(true);
    await paystack.stop();
  };
  return { steps, close };
}

type Connected = { paystack: PaystackSimulator; gateway: ReturnType<typeof createPaystack> };

/** A top-up that its payer made by mobile money; returns its reference. */
async function paid(db: Db, { paystack, gateway }: Connected, by: ByUser, amountPesewas: number): Promise<string> {
  const { answer } = await payments.startTopUp(db, { by, key: null, amountPesewas });
  const { reference } = await payments.checkOut(db, gateway, {
    ...{ by, subject: { paymentId: answer.id }, email: null, ...RETURN },
  });
  await paystack.pay(reference, "mobile_money");
  await settlement.settle(db, gateway, reference);
  return reference;
}

/** A refund that somebody made on Paystack's own site, and that has reached the payer. */
async function refund({ url, secretKey, ...paystack }: PaystackSimulator, transaction: string, amount: number) {
  const answer = await fetch(`${url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction, amount }),
  });
  if (!answer.ok) throw new Error(`the simulated Paystack answered ${answer.status} to a refund`);
  await paystack.moveRefund(paystack.refunds().at(-1)!.id, "processed");
}

function receive(db: Db, gateway: Connected["gateway"]) {
  return Bun.serve({
    port: 0,
    fetch: async (request) => {
      const raw = new Uint8Array(await request.arrayBuffer());
      await webhooks.receive(db, gateway, raw, request.headers.get("x-paystack-signature"));
      return new Response();
    },
  });
}

/** Does with the webhooks what the worker does, which does not run yet. */
async function processed(db: Db, gateway: Connected["gateway"]): Promise<void> {
  const waiting = and(eq(webhookEvents.provider, "paystack"), isNull(webhookEvents.processedAt));
  for (const { id } of await db.select({ id: webhookEvents.id }).from(webhookEvents).where(waiting))
    await webhooks.process(db, gateway, id);
}
