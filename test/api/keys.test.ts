// Tests of Idempotency-Key: a repeated request has one effect and one answer, on every route that moves money.

import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { routes } from "../../src/api/index.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as margins from "../../src/core/catalog/margins.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as desk from "../../src/core/fulfilment/desk/desk.ts";
import * as routing from "../../src/core/fulfilment/routing.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import * as users from "../../src/core/identity/users.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { longTest } from "../support/long.ts";
import { dispatchNow } from "../support/pages.ts";
import { haveAnswered } from "../support/webhook.ts";
import { openApp, openWorld, type Person, type Reply } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const { db, yaw } = world;
const ama = await world.person("ama", "GH₵ 900.00");
const abena = await world.person("abena", undefined, ["MANAGER"]);
const bundle = await world.product("MTN", "1GB", "3.90");
const dear = await world.product("MTN", "10GB", "40.00");
const thin = await world.product("MTN", "20GB", "80.00");

let numbers = 0;
const number = () => `055${String(2_000_000 + ++numbers)}`;
const order = async (pay?: "wallet") => {
  const { body } = await call(ama, "POST", "/api/v1/orders", {
    productId: bundle.id,
    msisdn: number(),
    ...(pay && { pay }),
  });
  return body.id as number;
};
const claim = async () => {
  const body = { transactionId: `40${++numbers}00000000`, amount: 20 };
  return (await call(ama, "POST", "/api/v1/wallet/claims", body)).body.id as number;
};

/** A payment of GH₵ 20.00 of which Paystack has GH₵ 15.00. */
const reviewed = async () => {
  const [payment] = await world.db.execute<{ id: number }>(sql`
    insert into payments (user_id, amount_pesewas, paid_pesewas, reference, state, reason)
    values (${ama.id}, 2000, 1500, ${`tp-short-${++numbers}`}, 'review', 'Paid GH₵ 15.00') returning id`);
  return payment!.id;
};

const delivered = async () => {
  const id = await order("wallet");
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [id], to });
  return id;
};
/** An order that waits at the desk. */
const atDesk = async () => {
  await settings.change(db, { by: yaw.by("admin"), values: { dispatch_hold_seconds: 0 } });
  const id = await order("wallet");
  await db.execute(sql`update jobs set run_at = now() where kind = 'dispatch_order'`);
  await routing.routeDue(db, [], 100);
  return id;
};
const batch = async () => {
  const id = await atDesk();
  const ask = { by: yaw.by("admin"), key: null, operator: "MTN", countMax: 500 };
  const { batchId, orders } = (await desk.take(db, ask)).answer;
  const [sold] = await db.execute<{ msisdn: string }>(sql`select msisdn from orders where id = ${id}`);
  return { batchId, count: orders, msisdn: sold!.msisdn };
};
const openDispute = async () =>
  (await call(ama, "POST", `/api/v1/orders/${await delivered()}/not-received`, {})).body.id as number;
const hook = async () => {
  await db.execute(sql`delete from rate_limits where bucket like 'webhook.%'`);
  await db.execute(sql`delete from hooks`);
  const { body } = await call(ama, "POST", "/api/v1/webhooks", { url: "http://hook.example:8080/" });
  await haveAnswered(db, body.id);
  return body.id as number;
};
/** An order paid in cash to somebody, whose earlier hand-ins are of earlier days. */
const takeCash = async (to: Person) => {
  await db.execute(sql`alter table cash_closes disable trigger cash_closes_stay`);
  await db.execute(sql`update cash_closes set day = day - 1000 where user_id = ${to.id}`);
  await db.execute(sql`update cash_closes set day = day + 999 where user_id = ${to.id}`);
  await db.execute(sql`alter table cash_closes enable trigger cash_closes_stay`);
  const paid = { by: to.by("admin"), key: null, orderId: await order(), to: "COMPLETED" } as const;
  await statusChanges.moveOne(db, { ...paid, paidInCash: true });
};
const handedIn = async () => {
  await takeCash(abena);
  const { open } = (await call(abena, "GET", "/api/v1/admin/cash/mine")).body;
  const body = { to: yaw.id, expected: open, counted: open };
  const { closeId: id } = (await call(abena, "POST", "/api/v1/admin/cash/hand-ins", body)).body;
  return { id, open };
};
const letter = { subject: "My wallet", message: "Where is my money?" };
const { body: request } = await call(ama, "POST", "/api/v1/support", letter);
await products.ensureAfa(db);
let people = 0;
const someone = () => ({
  fullName: "Akosua",
  phone: `0545${100_000 + ++people}`,
  ghCardId: `GHA-${100_000_000 + people}-1`,
  location: "Kumasi",
});

/**
 * Each route that takes a key: a request, another body or address under the same key, and what must not happen twice.
 */
type KeyedRequest = {
  premise: () => Promise<{ path: string; body?: object; other?: object }>;
  effects: () => Promise<number>;
};
const rows = async (query: ReturnType<typeof sql>) =>
  (await db.execute<{ count: number }>(sql`select count(*)::int as count ${query}`))[0]!.count;
const logged = (action: string) => rows(sql`from audit_log where action = ${action}`);
const KEYED: Record<string, KeyedRequest> = {
  "POST /api/v1/orders": {
    premise: async () => {
      const body = { productId: bundle.id, msisdn: number(), quantity: 2, pay: "wallet" };
      return { path: "/api/v1/orders", body, other: { ...body, quantity: 3 } };
    },
    effects: () => rows(sql`from orders`),
  },
  "POST /api/v1/orders/bulk": {
    premise: async () => {
      const orders = [{ productId: bundle.id, msisdn: number() }];
      return {
        path: "/api/v1/orders/bulk",
        body: { orders },
        other: { orders: [...orders, { productId: bundle.id, msisdn: number() }] },
      };
    },
    effects: () => rows(sql`from bulk_orders`),
  },
  "POST /api/v1/orders/:id/cancel": {
    premise: async () => ({ path: `/api/v1/orders/${await order("wallet")}/cancel` }),
    effects: () => rows(sql`from transfers where reason = 'refund'`),
  },
  "POST /api/v1/wallet/spend": {
    premise: async () => {
      const orderId = await order();
      return { path: "/api/v1/wallet/spend", body: { orderId, amount: 3.9 }, other: { orderId } };
    },
    effects: () => rows(sql`from transfers where reason = 'charge'`),
  },
  "POST /api/v1/wallet/topup/init": {
    premise: async () => ({ path: "/api/v1/wallet/topup/init", body: { amount: 20 }, other: { amount: 21 } }),
    effects: () => rows(sql`from payments`),
  },
  "POST /api/v1/afa": {
    premise: async () => ({
      path: "/api/v1/afa",
      body: { people: [someone()] },
      other: { people: [someone()] },
    }),
    effects: () => rows(sql`from afa_registrations`),
  },
  "PATCH /api/v1/admin/afa/:id/status": {
    premise: async () => {
      const { body } = await call(ama, "POST", "/api/v1/afa", { people: [someone()] });
      return {
        path: `/api/v1/admin/afa/${body.registrations[0].id}/status`,
        body: { status: "FAILED", reason: "The card has expired" },
        other: { status: "FAILED", reason: "Another reason" },
      };
    },
    effects: () => rows(sql`from afa_registrations where refused_at is not null`),
  },
  "PATCH /api/v1/admin/orders/:id/status": {
    premise: async () => ({
      path: `/api/v1/admin/orders/${await order("wallet")}/status`,
      body: { status: "FAILED" },
      other: { status: "COMPLETED" },
    }),
    effects: () => rows(sql`from transfers where reason = 'refund'`),
  },
  "POST /api/v1/admin/orders/status/bulk": {
    premise: async () => {
      const ids = [await order("wallet"), await order("wallet")];
      return {
        path: "/api/v1/admin/orders/status/bulk",
        body: { ids, status: "FAILED" },
        other: { ids, status: "COMPLETED" },
      };
    },
    effects: async () => (await rows(sql`from transfers where reason = 'refund'`)) / 2,
  },
  "POST /api/v1/admin/users/:id/wallet": {
    premise: async () => ({
      path: `/api/v1/admin/users/${ama.id}/wallet`,
      body: { amount: 5, reason: "receipt" },
      other: { amount: 6, reason: "receipt" },
    }),
    effects: () => rows(sql`from adjustments`),
  },
  "POST /api/v1/admin/payments/:id/decision": {
    premise: async () => ({
      path: `/api/v1/admin/payments/${await reviewed()}/decision`,
      body: { decision: "credit_paid", reason: "The payer was called" },
      other: { decision: "refunded", reason: "The payer was called" },
    }),
    effects: () => rows(sql`from transfers where reason = 'topup'`),
  },
  "POST /api/v1/admin/claims/:id/approve": {
    premise: async () => ({ path: `/api/v1/admin/claims/${await claim()}/approve` }),
    effects: () => rows(sql`from transfers where reason = 'claim'`),
  },
  "POST /api/v1/admin/claims/:id/refuse": {
    premise: async () => ({
      path: `/api/v1/admin/claims/${await claim()}/refuse`,
      body: { reason: "No such transaction" },
      other: { reason: "Another amount" },
    }),
    effects: () => rows(sql`from deposits where state = 'refused'`),
  },
  "POST /api/v1/admin/cash/hand-ins": {
    premise: async () => {
      await takeCash(yaw);
      const { open } = (await call(yaw, "GET", "/api/v1/admin/cash/mine")).body;
      const body = { to: abena.id, expected: open, counted: open };
      const other = { ...body, counted: open + 1, reason: "A tip" };
      return { path: "/api/v1/admin/cash/hand-ins", body, other };
    },
    effects: () => rows(sql`from cash_closes`),
  },
  "POST /api/v1/admin/cash/hand-ins/:id/decision": {
    premise: async () => {
      const { id, open } = await handedIn();
      const body = { decision: "accept", expected: open, counted: open };
      const path = `/api/v1/admin/cash/hand-ins/${id}/decision`;
      return { path, body, other: { ...body, decision: "refuse", reason: "Less" } };
    },
    effects: () => rows(sql`from transfers where reason = 'cash_handed_in'`),
  },
  "POST /api/v1/admin/cash/bank-deposits": {
    premise: async () => {
      const { id, open } = await handedIn();
      const body = { decision: "accept", expected: open, counted: open };
      await call(yaw, "POST", `/api/v1/admin/cash/hand-ins/${id}/decision`, body);
      const deposit = { amount: 1, slip: `slip ${++numbers}` };
      return {
        path: "/api/v1/admin/cash/bank-deposits",
        body: deposit,
        other: { ...deposit, slip: "another" },
      };
    },
    effects: () => rows(sql`from bank_deposits`),
  },
  "POST /api/v1/admin/cash/bank-deposits/:id/seen": {
    premise: async () => {
      const { id, open } = await handedIn();
      const body = { decision: "accept", expected: open, counted: open };
      await call(yaw, "POST", `/api/v1/admin/cash/hand-ins/${id}/decision`, body);
      const keeper = await world.person(`keeper${++numbers}`, undefined, ["ACCOUNTS"]);
      const brought = { amount: 1, slip: `slip ${++numbers}` };
      const { bankDepositId } = (await call(keeper, "POST", "/api/v1/admin/cash/bank-deposits", brought)).body;
      const seen = { amount: 1, seen: 1 };
      const other = { ...seen, seen: 0, reason: "Not there" };
      return { path: `/api/v1/admin/cash/bank-deposits/${bankDepositId}/seen`, body: seen, other };
    },
    effects: () => rows(sql`from bank_deposits where seen_at is not null`),
  },
  "POST /api/v1/admin/claims/:id/correct": {
    premise: async () => {
      const { id, transactionId } = (
        await call(ama, "POST", "/api/v1/wallet/claims", {
          transactionId: `40${++numbers}00000000`,
          amount: 20,
        })
      ).body;
      const lines = [{ transactionId, amount: 15 }];
      await call(yaw, "POST", "/api/v1/admin/statements", { network: "mtn", lines });
      return {
        path: `/api/v1/admin/claims/${id}/correct`,
        body: { amount: 15, reason: "The statement says so" },
        other: { amount: 15, reason: "Another reason" },
      };
    },
    effects: () => rows(sql`from transfers where reason = 'claim'`),
  },
  "POST /api/v1/admin/statements": {
    premise: async () => {
      const line = () => ({ transactionId: `41${++numbers}00000000`, amount: 20 });
      return {
        path: "/api/v1/admin/statements",
        body: { network: "mtn", lines: [line()] },
        other: { network: "mtn", lines: [line()] },
      };
    },
    effects: () => rows(sql`from statement_lines`),
  },
  "POST /api/v1/admin/claim-reversals/:id/decision": {
    premise: async () => {
      const { id, transactionId } = (
        await call(ama, "POST", "/api/v1/wallet/claims", {
          transactionId: `42${++numbers}00000000`,
          amount: 20,
        })
      ).body;
      await call(yaw, "POST", `/api/v1/admin/claims/${id}/approve`);
      const lines = [{ transactionId, amount: 20, direction: "reversal" }];
      await call(yaw, "POST", "/api/v1/admin/statements", { network: "mtn", lines });
      const reversal = (await call(yaw, "GET", "/api/v1/admin/claim-reversals")).body.at(-1).id;
      return {
        path: `/api/v1/admin/claim-reversals/${reversal}/decision`,
        body: { decision: "book", amount: 20 },
        other: { decision: "dismiss", amount: 20, reason: "Paid again" },
      };
    },
    effects: () => rows(sql`from transfers where reason = 'claim_reversal'`),
  },
  "POST /api/v1/support": {
    premise: async () => ({
      path: "/api/v1/support",
      body: letter,
      other: { ...letter, orderId: await order() },
    }),
    effects: () => rows(sql`from support_requests`),
  },
  "POST /api/v1/support/:id/replies": {
    premise: async () => ({
      path: `/api/v1/support/${request.id}/replies`,
      body: { message: "Still not there" },
      other: { message: "It is there" },
    }),
    effects: () => rows(sql`from support_messages`),
  },
  "POST /api/v1/orders/:id/not-received": {
    premise: async () => ({
      path: `/api/v1/orders/${await delivered()}/not-received`,
      body: {},
      other: { message: "The balance did not change" },
    }),
    effects: () => rows(sql`from support_requests where kind = 'not_received'`),
  },
  "POST /api/v1/admin/orders/:id/take-back-refund": {
    premise: async () => {
      const id = await order("wallet");
      const by = yaw.by("admin");
      const failed = await statusChanges.moveOne(db, { by, key: null, orderId: id, to: "FAILED", reason: "x" });
      const refundedAt = failed.answer.refundedAt!.toISOString();
      const body = { to: "COMPLETED", reason: "MTN shows it", refundedAt, amount: 3.9 };
      return {
        path: `/api/v1/admin/orders/${id}/take-back-refund`,
        body,
        other: { ...body, to: "DELIVERED" },
      };
    },
    effects: () => rows(sql`from transfers where reason = 'refund_taken_back'`),
  },
  "POST /api/v1/admin/users/:id/payouts": {
    premise: async () => {
      const { id } = await world.person(`left${++numbers}`, "GH₵ 5.00");
      await users.ban(db, { by: yaw.by("admin"), userId: id });
      const how = { method: "momo", msisdn: "0541234567", name: "Ama", reference: `R-${id}`, reason: "left" };
      const body = { amount: 5, ...how };
      return { path: `/api/v1/admin/users/${id}/payouts`, body, other: { ...body, reason: "banned" } };
    },
    effects: () => rows(sql`from wallet_payouts`),
  },
  "POST /api/v1/admin/desk/batches": {
    premise: async () => {
      await atDesk();
      const body = { operator: "MTN", countMax: 1 };
      return { path: "/api/v1/admin/desk/batches", body, other: { ...body, countMax: 2 } };
    },
    effects: () => rows(sql`from desk_batches`),
  },
  "POST /api/v1/admin/desk/batches/:id/results": {
    premise: async () => {
      const { batchId, msisdn } = await batch();
      return {
        path: `/api/v1/admin/desk/batches/${batchId}/results`,
        body: { results: [{ msisdn, outcome: "failed" }] },
        other: { results: [{ msisdn, outcome: "delivered" }] },
      };
    },
    effects: () => rows(sql`from desk_results`),
  },
  "POST /api/v1/admin/desk/batches/:id/rest": {
    premise: async () => {
      const { batchId, count } = await batch();
      return {
        path: `/api/v1/admin/desk/batches/${batchId}/rest`,
        body: { to: "DELIVERED", expectedCount: count },
        other: { to: "FAILED", reason: "No SIM", expectedCount: count },
      };
    },
    effects: () => rows(sql`from desk_results`),
  },
  "POST /api/v1/admin/vendors/:code/moves": {
    premise: async () => {
      await vendors.enrol(db, [{ code: "hubnet" }]);
      await dispatchNow(world, [await order("wallet")], "hubnet");
      const [newest] = await db.execute<{ id: number }>(sql`select max(id) as id from attempts`);
      const body = { to: "desk", throughAttemptId: newest!.id };
      return { path: "/api/v1/admin/vendors/hubnet/moves", body, other: { ...body, to: "next" } };
    },
    effects: () => rows(sql`from attempts where vendor = 'desk'`),
  },
  "POST /api/v1/admin/users/:id/notes": {
    premise: async () => ({
      path: `/api/v1/admin/users/${ama.id}/notes`,
      body: { note: "Sells at the market" },
      other: { note: "Sells at the station" },
    }),
    effects: () => rows(sql`from agent_notes`),
  },
  "POST /api/v1/admin/orders/:id/notes": {
    premise: async () => ({
      path: `/api/v1/admin/orders/${await order()}/notes`,
      body: { note: "The buyer called" },
      other: { note: "The buyer called twice" },
    }),
    effects: () => rows(sql`from order_events where note is not null and from_status is null and to_status is null`),
  },
  "POST /api/v1/admin/support/:id/replies": {
    premise: async () => ({
      path: `/api/v1/admin/support/${request.id}/replies`,
      body: { message: "We look" },
      other: { message: "We have looked" },
    }),
    effects: () => rows(sql`from support_messages`),
  },
  "POST /api/v1/admin/support/:id/decide": {
    premise: async () => ({
      path: `/api/v1/admin/support/${await openDispute()}/decide`,
      body: { outcome: "refunded" },
      other: { outcome: "delivered", proof: "MTN confirmed it" },
    }),
    effects: () => rows(sql`from transfers where reason = 'refund'`),
  },
  "POST /api/v1/webhooks": {
    premise: async () => {
      await db.execute(sql`delete from rate_limits where bucket like 'webhook.%'`);
      await db.execute(sql`delete from hooks`);
      const url = `http://hook.example:8080/${++numbers}`;
      return { path: "/api/v1/webhooks", body: { url }, other: { url: `${url}/other` } };
    },
    effects: () => rows(sql`from hooks`),
  },
  "POST /api/v1/webhooks/:id/secret": {
    premise: async () => ({ path: `/api/v1/webhooks/${await hook()}/secret` }),
    effects: () => rows(sql`from hooks where previous_until is not null`),
  },
  "POST /api/v1/webhooks/:id/test": {
    premise: async () => ({ path: `/api/v1/webhooks/${await hook()}/test` }),
    effects: () => rows(sql`from hook_deliveries`),
  },
  "POST /api/v1/webhooks/deliveries/:id/resend": {
    premise: async () => {
      const { body } = await call(ama, "POST", `/api/v1/webhooks/${await hook()}/test`);
      await db.execute(sql`update hook_deliveries set tries = 1, state = 'failed', ended_at = now()`);
      return { path: `/api/v1/webhooks/deliveries/${body.id}/resend` };
    },
    effects: () => rows(sql`from hook_deliveries where state = 'waiting'`),
  },
  "POST /api/v1/webhooks/:id/replay": {
    premise: async () => {
      const id = await hook();
      await call(ama, "POST", `/api/v1/webhooks/${id}/test`);
      await db.execute(sql`
        update hook_deliveries set event = 'wallet.balance_low', is_test = false, state = 'failed', ended_at = now()
        where hook_id = ${id}`);
      const since = new Date(Date.now() - 3_600_000).toISOString();
      return {
        path: `/api/v1/webhooks/${id}/replay`,
        body: { since },
        other: { since, events: ["wallet.balance_low"] },
      };
    },
    effects: () => rows(sql`from hook_deliveries where state = 'waiting' and not is_test`),
  },
  "POST /api/v1/keys": {
    premise: async () => {
      await readyForKeys();
      const body = { name: `Program ${++numbers}`, scopes: ["buy"] };
      return { path: "/api/v1/keys", body, other: { ...body, scopes: ["read"] } };
    },
    effects: () => rows(sql`from api_keys`),
  },
  "POST /api/v1/keys/:id/rotate": {
    premise: async () => {
      await readyForKeys();
      const { body } = await call(ama, "POST", "/api/v1/keys", { name: "Program", scopes: ["buy"] });
      return { path: `/api/v1/keys/${body.id}/rotate` };
    },
    effects: () => rows(sql`from api_keys where replaced_by_id is not null`),
  },
};
/** Room for one more API key, and the second factor that one takes. */
async function readyForKeys(): Promise<void> {
  await db.execute(sql`delete from rate_limits where bucket like 'key.made%'`);
  await db.execute(sql`update api_keys set revoked_at = now()`);
  await db.execute(sql`
    insert into second_factors (user_id, sealed_secret, last_step, confirmed_at)
    values (${ama.id}, 'planted', 0, now()) on conflict do nothing`);
}
/** A change of the Standard price, which the other requests expect to stay. */
const priced = async () => {
  const prices = [{ productId: dear.id, tierId: 1, price: 40 + ++numbers / 100 }];
  return { path: "/api/v1/admin/prices", body: { prices }, other: { prices, note: "Another" } };
};
Object.assign(KEYED, {
  "PUT /api/v1/admin/prices": { premise: priced, effects: () => rows(sql`from price_changes`) },
  "PUT /api/v1/admin/users/:id/prices": {
    premise: async () => {
      const exceptions = [{ productId: dear.id, price: 39 + ++numbers / 100 }];
      const path = `/api/v1/admin/users/${ama.id}/prices`;
      return { path, body: { exceptions }, other: { exceptions, note: "Another" } };
    },
    effects: () => rows(sql`from price_changes`),
  },
  "POST /api/v1/admin/prices/changes/:id/undo": {
    premise: async () => {
      const { path, body } = await priced();
      const { changeId } = (await call(yaw, "PUT", path, body)).body;
      return { path: `/api/v1/admin/prices/changes/${changeId}/undo` };
    },
    effects: () => rows(sql`from price_changes where undoes_id is not null`),
  },
  "POST /api/v1/admin/margins/raise": {
    premise: async () => {
      const cost = { productId: thin.id, vendor: "desk", costPesewas: 8000 + 100 * ++numbers };
      await costs.set(db, { by: yaw.by("admin"), costs: [cost], vendors: [] });
      const { fingerprint } = await margins.planRaise(db, "desk");
      return {
        path: "/api/v1/admin/margins/raise",
        body: { vendor: "desk", fingerprint },
        other: { vendor: "hubnet", fingerprint },
      };
    },
    effects: () => rows(sql`from price_changes`),
  },
  "PUT /api/v1/admin/switches/:name": {
    premise: async () => {
      const until = new Date(Date.now() + 3_600_000).toISOString();
      const body = { message: `Closed ${++numbers}`, reason: "A test", until };
      return { path: "/api/v1/admin/switches/sms", body, other: { ...body, reason: "Another" } };
    },
    effects: () => logged("switch.close"),
  },
  "DELETE /api/v1/admin/switches/:name": {
    premise: async () => {
      const path = "/api/v1/admin/switches/sms";
      await call(yaw, "PUT", path, { message: "Closed", reason: "A test" });
      return { path };
    },
    effects: () => logged("switch.open"),
  },
  "PATCH /api/v1/admin/operators/:operator": {
    premise: async () => {
      const body = { pausedMessage: `Slow ${++numbers}`, pausedUntil: new Date(Date.now() + 3_600_000).toISOString() };
      const other = { ...body, pausedMessage: "Slower" };
      return { path: "/api/v1/admin/operators/TELECEL", body, other };
    },
    effects: () => logged("operator.pause"),
  },
  "POST /api/v1/admin/desk/batches/:id/pass-on": {
    premise: async () => {
      const body = { fromUserId: yaw.id, toUserId: abena.id };
      return {
        path: `/api/v1/admin/desk/batches/${(await batch()).batchId}/pass-on`,
        body,
        other: { ...body, toUserId: 1 },
      };
    },
    effects: () => logged("batch.pass_on"),
  },
  "POST /api/v1/admin/desk/batches/:id/release": {
    premise: async () => ({ path: `/api/v1/admin/desk/batches/${(await batch()).batchId}/release` }),
    effects: () => logged("batch.release"),
  },
} satisfies typeof KEYED);
const keyed = routes.filter((route) => route.takesKey);

test("every route that takes a key is tested here, or runs a command, as some of those do that are tested here", () => {
  const own = keyed.filter(({ command }) => !command).map(({ method, path }) => `${method} ${path}`);
  expect(own.filter((name) => !(name in KEYED))).toEqual([]);
  const known = keyed.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(KEYED).filter((name) => !known.includes(name))).toEqual([]);
});

for (const route of keyed) {
  const name = `${route.method} ${route.path}`;
  const known = KEYED[name];
  // The test above names what is missing.
  if (!known) continue;
  const { premise, effects } = known;
  const caller = route.right ? yaw : ama;
  const send = (path: string, body: object | undefined, key: string): Promise<Reply> =>
    call(caller, route.method, path, body, { "idempotency-key": key });
  const marks = (replies: Reply[]) =>
    replies.filter((reply) => reply.headers.get("idempotency-replayed") === "true").length;

  describe(name, () => {
    longTest("gives a repeated request the same answer, marked as a replay, and has one effect", async () => {
      const { path, body, other } = await premise();
      const before = await effects();
      const first = await send(path, body, `repeat ${name}`.replace(/\W/g, "-"));
      const again = await send(path, body, `repeat ${name}`.replace(/\W/g, "-"));
      expect(first.status).toBeLessThan(300);
      // A secret is only in the first answer: a key that leaks later must not reveal it.
      const isSecret = "secret" in first.body;
      expect([again.status, again.body]).toEqual([
        first.status,
        isSecret ? { ...first.body, secret: null } : first.body,
      ]);
      if (isSecret) expect(first.body.secret).toMatch(/^(whsec|dfk_live)_/);
      expect([marks([first]), marks([again])]).toEqual([0, 1]);
      expect((await effects()) - before).toBe(1);
      if (!other) return;
      const reused = await send(path, other, `repeat ${name}`.replace(/\W/g, "-"));
      expect([reused.status, reused.body.code]).toEqual([422, "request.key_reused"]);
      expect((await effects()) - before).toBe(1);
    });

    longTest("has one effect and one answer for forty requests at once", async () => {
      const { path, body } = await premise();
      const before = await effects();
      const replies = await Promise.all(
        Array.from({ length: 40 }, () => send(path, body, `forty-${before}-${keyed.indexOf(route)}`)),
      );
      const shown = (reply: Reply) => [reply.status, { ...reply.body, secret: null }];
      for (const reply of replies) expect(shown(reply)).toEqual(shown(replies[0]!));
      expect(replies[0]!.status).toBeLessThan(300);
      expect(marks(replies)).toBe(39);
      expect((await effects()) - before).toBe(1);
    });

    longTest("accepts a key of 255 characters, and refuses a longer, empty or unprintable one", async () => {
      const { path, body } = await premise();
      const before = await effects();
      for (const bad of ["k".repeat(256), "", "two words", "tab\there", "caf\u00e9"]) {
        const reply = await send(path, body, bad);
        expect([bad, reply.status, reply.body.code]).toEqual([bad, 400, "request.key_invalid"]);
      }
      expect(await effects()).toBe(before);
      expect((await send(path, body, `${before}-`.padEnd(255, "k"))).status).toBeLessThan(300);
    });
  });
}

test("a cancellation's key belongs to the order for which it was used", async () => {
  const headers = { "idempotency-key": "one-cancel" };
  await call(ama, "POST", `/api/v1/orders/${await order("wallet")}/cancel`, undefined, headers);
  const other = await call(ama, "POST", `/api/v1/orders/${await order("wallet")}/cancel`, undefined, headers);
  expect([other.status, other.body.code]).toEqual([422, "request.key_reused"]);
});

test("a request in another notation is the same request", async () => {
  const headers = { "idempotency-key": "notation" };
  const first = await call(
    ama,
    "POST",
    "/api/v1/orders",
    `{"productId":${bundle.id},"msisdn":"0559876543","quantity":1,"pay":"wallet"}`,
    headers,
  );
  const again = await call(
    ama,
    "POST",
    "/api/v1/orders",
    `{ "pay": "wallet", "quantity": 1.0, "msisdn": "+233 55 987 6543", "productId": ${bundle.id} }`,
    headers,
  );
  expect([again.status, again.body]).toEqual([first.status, first.body]);
});

test("a refused request leaves its key free", async () => {
  const poor = await world.person("poor", "GH₵ 1.00");
  const headers = { "idempotency-key": "poor" };
  const body = { productId: bundle.id, msisdn: number(), pay: "wallet" };
  expect((await call(poor, "POST", "/api/v1/orders", body, headers)).body.code).toBe("wallet.insufficient_balance");
  await call(yaw, "POST", `/api/v1/admin/users/${poor.id}/wallet`, { amount: 3, reason: "top-up" });
  const reply = await call(poor, "POST", "/api/v1/orders", body, headers);
  expect([reply.status, reply.headers.get("idempotency-replayed")]).toEqual([201, null]);
});
