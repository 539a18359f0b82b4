// Subjects of the desk's routes in a shop in use, made anew for one request each: an order that was refunded, a batch
// with results that wait, a colleague's request, cash of the day. The good body of a route is refused without it.
import { sql } from "drizzle-orm";
import * as approvals from "../../src/core/approvals/requests.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as desk from "../../src/core/fulfilment/desk/desk.ts";
import * as deskResults from "../../src/core/fulfilment/desk/desk-results.ts";
import * as users from "../../src/core/identity/users.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as cash from "../../src/core/payments/cash/cash.ts";
import * as cashBank from "../../src/core/payments/cash/cash-bank.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../src/core/payments/deposits/statements.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { toCedis } from "../../src/shared/money.ts";
import * as staff from "../support/approvals.ts";
import { freshNumber } from "../support/asking.ts";
import { dispatchNow, type Used } from "../support/pages.ts";
import type { World } from "../support/world.ts";

/** The id in the path, and fields of the body. */
export type SubjectOfRoute = { id?: number | string; fields: Record<string, unknown> };

/** By method and path, for `world.yaw`, who sends the request. */
export function deskSubjects(
  world: World,
  used: Used,
  productId: number,
): Record<string, () => Promise<SubjectOfRoute>> {
  const { db, yaw } = world;
  const by = yaw.by("admin");
  const freshLine = () => ({ productId, msisdn: freshNumber(), quantity: 1 });
  const buy = async () =>
    (await orders.buy(db, { by: used.agent.by("api"), key: null, line: freshLine() })).answer.order;
  const batchOfOne = async () => {
    const { id, msisdn } = await buy();
    await dispatchNow(world, [id], "desk");
    const { answer } = await desk.take(db, { by, key: null, operator: "MTN", countMax: 500 });
    return { ...answer, msisdn };
  };
  const cashOf = async (taker: ByUser) => {
    const ask = { by: used.agent.by("web"), key: null, line: freshLine() };
    const { answer } = await unpaidOrders.create(db, ask);
    const paid = { by: taker, key: null, orderId: answer.id, to: "COMPLETED", paidInCash: true } as const;
    await statusChanges.moveOne(db, paid);
    return (await cash.standing(db, taker.userId)).openPesewas;
  };
  const personOf = async (name: string, balance?: string) =>
    (await world.person(`${name}${freshNumber()}`, balance)).id;
  const handInToYaw = async () => {
    const taker = (await staff.staff(world, "DESK")).by();
    const pesewas = await cashOf(taker);
    const counted = { expectedPesewas: pesewas, countedPesewas: pesewas };
    const ask = { by: taker, key: null, toUserId: yaw.id, ...counted };
    return { ...counted, ...(await cash.handIn(db, ask)).answer };
  };
  return {
    "POST /api/v1/admin/orders/:id/take-back-refund": async () => {
      const { id } = await buy();
      const ask = { by, key: null, orderId: id, to: "FAILED", reason: "It never came" } as const;
      const { answer } = await statusChanges.moveOne(db, ask);
      const { refundedAt, amountPesewas } = answer;
      // Delivered, not completed: the test counts who completes what.
      const seen = { refundedAt: refundedAt!.toISOString(), amount: toCedis(amountPesewas) };
      return { id, fields: { to: "DELIVERED", ...seen } };
    },
    "POST /api/v1/admin/desk/batches/:id/rest": async () => {
      const { batchId, orders: expectedCount } = await batchOfOne();
      return { id: batchId, fields: { expectedCount } };
    },
    "POST /api/v1/admin/desk/batches/:id/undo": async () => {
      const { batchId, msisdn } = await batchOfOne();
      const lines = [{ line: 1, msisdn, volumeMb: null, outcome: "delivered" as const, message: null }];
      const { answer } = await deskResults.report(db, { by, key: null, batchId, lines });
      return { id: batchId, fields: { resultId: answer.waiting!.resultId } };
    },
    // Nothing moves: that would write internal events, as it should.
    "POST /api/v1/admin/vendors/:code/moves": async () => ({ id: "hubnet", fields: { throughAttemptId: 1 } }),
    "PATCH /api/v1/admin/users/:id": async () => ({ id: await personOf("edited"), fields: {} }),
    "POST /api/v1/admin/users/:id/payouts": async () => {
      const id = await personOf("leaves", "GH₵ 12.50");
      await users.ban(db, { by, userId: id });
      return { id, fields: {} };
    },
    "POST /api/v1/admin/users/:id/phone-wait/lift": async () => {
      const id = await personOf("waits");
      await db.execute(sql`
        insert into phone_waits (user_id, cause, until) values (${id}, 'phone', now() + interval '1 hour')`);
      return { id, fields: {} };
    },
    "POST /api/v1/admin/approvals/:id/refuse": async () => {
      const manager = await staff.staff(world, "MANAGER");
      const ask = staff.correctionOf(used.agent, `wallet ${used.agent.id} again`, "A deposit that was missed");
      return { id: (await approvals.ask(db, manager.by(), ask, null)).id, fields: {} };
    },
    "POST /api/v1/admin/claims/:id/correct": async () => {
      const transactionId = `4${freshNumber()}`;
      const ask = { by: used.agent.by("web"), transactionId, amountPesewas: 5_000 };
      const { id } = await deposits.file(db, ask);
      const line: statements.NewLine = {
        ...{ direction: "in" as const, transactionId, originalId: null, amountPesewas: 4_000 },
        ...{ senderName: "AMA MENSAH", senderMsisdn: "233240000001", at: null },
      };
      await statements.importLines(db, { by, key: null, network: "mtn", source: "api", lines: [line] });
      return { id, fields: {} };
    },
    "POST /api/v1/admin/cash/hand-ins": async () => {
      const keeper = await staff.staff(world, "ACCOUNTS");
      const open = toCedis(await cashOf(by));
      return { fields: { to: keeper.id, expected: open, counted: open } };
    },
    "POST /api/v1/admin/cash/hand-ins/:id/decision": async () => {
      const { closeId, expectedPesewas } = await handInToYaw();
      const amount = toCedis(expectedPesewas);
      return { id: closeId, fields: { expected: amount, counted: amount } };
    },
    "POST /api/v1/admin/cash/bank-deposits": async () => {
      const { closeId, ...counted } = await handInToYaw();
      await cash.decide(db, { by, key: null, closeId, ...counted, decision: "accept" });
      return { fields: { amount: toCedis(counted.countedPesewas), slip: freshNumber() } };
    },
    "POST /api/v1/admin/cash/bank-deposits/:id/seen": async () => {
      const { closeId, ...counted } = await handInToYaw();
      await cash.decide(db, { by, key: null, closeId, ...counted, decision: "accept" });
      const keeper = await staff.staff(world, "ACCOUNTS");
      const { countedPesewas: amountPesewas } = counted;
      const brought = { by: keeper.by(), key: null, amountPesewas, slip: freshNumber() };
      const { bankDepositId } = (await cashBank.bring(db, brought)).answer;
      const amount = toCedis(amountPesewas);
      return { id: bankDepositId, fields: { amount, seen: amount } };
    },
  };
}
