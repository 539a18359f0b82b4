// Every act that can need a second person: asked for, agreed to and done; and not done when something has moved.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { users as userTable } from "../../../db/schema/identity.ts";
import { ACTS, actOf } from "../../../src/core/approvals/acts.ts";
import * as queries from "../../../src/core/approvals/queries.ts";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as deskResults from "../../../src/core/fulfilment/desk/desk-results.ts";
import * as newOrders from "../../../src/core/fulfilment/desk/new-orders.ts";
import * as rerouting from "../../../src/core/fulfilment/rerouting.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as secondFactor from "../../../src/core/identity/logins/second-factor.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as takenBackRefunds from "../../../src/core/orders/taken-back-refunds.ts";
import * as cash from "../../../src/core/payments/cash/cash.ts";
import * as cashBank from "../../../src/core/payments/cash/cash-bank.ts";
import * as cashBooks from "../../../src/core/payments/cash/cash-books.ts";
import * as depositReversals from "../../../src/core/payments/deposits/deposit-reversals.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../../src/core/payments/deposits/statements.ts";
import * as reviews from "../../../src/core/payments/reviews.ts";
import * as walletPayouts from "../../../src/core/payments/wallet-payouts.ts";
import * as providerKeys from "../../../src/core/platform/provider-keys.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { AdminTarget, ByUser, PaymentDecision } from "../../../src/shared/domain.ts";
import { agent, ask, codeOf, staff } from "../../support/approvals.ts";
import { deskTakes } from "../../support/costs.ts";
import { reportNow } from "../../support/desk.ts";
import { enrol } from "../../support/factor.ts";
import { dispatchNow } from "../../support/pages.ts";
import { guard, type Person, TEST_JWT_SECRET } from "../../support/world.ts";
import { openPaying } from "../payments/paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const { yaw } = world;
const kofi = await staff(world, "ADMIN");
const bundle = await world.product("MTN", "7GB", "3.90");
await deskTakes(db, bundle.id, 350);

/** With these, nothing with an amount is done alone. */
const NOTHING_ALONE = ["corrections", "deposits", "reviews", "refunds", "late_refunds", "rerouted", "sole"];

/** An act that `kofi` wants, whether it has been done, and something that moves what he saw. */
type Wish = {
  act: () => Promise<unknown>;
  isDone: () => Promise<boolean>;
  move: () => Promise<unknown>;
};

const by = kofi.by();
const other = yaw.by("admin");

async function funded(pesewas = 2_000): Promise<Person> {
  const person = await agent(world);
  await db.transaction((tx) =>
    wallet.correct(tx, other, { userId: person.id, amountPesewas: pesewas, reason: "premise" }),
  );
  return person;
}
async function bought(person: Person, statuses: AdminTarget[] = [], msisdn = "0541234567"): Promise<number> {
  const line = { productId: bundle.id, msisdn, quantity: 1 };
  const { answer } = await orders.buy(db, { by: person.by("web"), key: null, line });
  for (const to of statuses) await statusChanges.moveOne(db, { by: other, key: null, orderId: answer.order.id, to });
  return answer.order.id;
}
const statusOf = async (orderId: number) => {
  const [row] = await db.execute<{ status: string }>(sql`select status from orders where id = ${orderId}`);
  return row!.status;
};
async function costly(price: string, costPesewas: number): Promise<products.Product> {
  const product = await world.product("TELECEL", `${++sizes}GB`, price);
  await deskTakes(db, product.id, costPesewas);
  return product;
}
let sizes = 100;
const priceOf = async (productId: number) => (await products.get(db, productId)).pricePesewas;

/** A batch at the desk with one order, which nothing else has. */
async function atDesk(): Promise<{ batchId: number; msisdn: string }> {
  const msisdn = `05412${++sizes}00`.padEnd(10, "0");
  await bought(await funded(), [], msisdn);
  const { answer } = await newOrders.take(db, { by: other, key: null, operator: null });
  return { batchId: answer.batchId!, msisdn: `233${msisdn.slice(1)}` };
}
/** Whether a failure waits to be applied to a batch. */
async function hasResult(batchId: number): Promise<boolean> {
  const [found] = await db.execute(
    sql`select 1 from desk_results where desk_batch_id = ${batchId} and orders -> 'failed' <> '[]'`,
  );
  return found !== undefined;
}

/** Cash that a clerk took for an order of GH₵ 3.90, and handed in to `kofi`. */
async function handedIn(amounts: { expectedPesewas: number; countedPesewas: number }, reason?: string) {
  const clerk = await staff(world, "DESK");
  const ama = await agent(world);
  const line = { productId: bundle.id, msisdn: `05413${++sizes}00`.padEnd(10, "0"), quantity: 1 };
  const { answer } = await unpaidOrders.create(db, { by: ama.by("web"), key: null, line });
  await statusChanges.moveOne(db, {
    ...{ by: clerk.by("admin"), key: null, orderId: answer.id, to: "COMPLETED", paidInCash: true },
  });
  const given = { by: clerk.by("admin"), key: null, toUserId: kofi.id, ...amounts, reason };
  return { clerk, closeId: (await cash.handIn(db, given)).answer.closeId };
}
/** So much, and no more, in the safe. */
async function inSafe(): Promise<number> {
  const amounts = { expectedPesewas: 390, countedPesewas: 390 };
  const { closeId } = await handedIn(amounts);
  await cash.decide(db, { by: other, key: null, closeId, ...amounts, decision: "accept" });
  return cashBooks.inSafe(db);
}

const WISHES: Record<string, () => Promise<Wish>> = {
  "wallet.adjust": async () => {
    const ama = await funded();
    return {
      act: () => wallet.adjust(db, { by, key: null, userId: ama.id, amountPesewas: -500, reason: "paid out in cash" }),
      isDone: async () => (await world.balanceOf(ama)) === 1_500,
      move: () => bought(ama),
    };
  },
  "wallet.pay_out": async () => {
    const ama = await funded();
    await users.ban(db, { by: other, userId: ama.id });
    const reference = `PO${ama.id}`;
    const paid = { method: "momo", msisdn: "233541234567", name: "Ama", reference, reason: "left" } as const;
    return {
      act: () => walletPayouts.payOut(db, { by, key: null, userId: ama.id, amountPesewas: 2_000, ...paid }),
      isDone: async () => (await world.balanceOf(ama)) === 0,
      move: () => users.unban(db, { by: other, userId: ama.id }),
    };
  },
  "deposit.approve": async () => {
    const ama = await agent(world);
    const transactionId = String(1_000_000 + ama.id);
    const { id } = await deposits.file(db, { by: ama.by("web"), transactionId, amountPesewas: 5_000 });
    return {
      act: () => deposits.approve(db, { by, key: null, depositId: id }),
      isDone: async () => (await world.balanceOf(ama)) === 5_000,
      move: () => deposits.refuse(db, { by: other, key: null, depositId: id, reason: "not there" }),
    };
  },
  "deposit.correct": async () => {
    const ama = await agent(world);
    const transactionId = String(1_000_000 + ama.id);
    const { id } = await deposits.file(db, { by: ama.by("web"), transactionId, amountPesewas: 5_000 });
    const line = { direction: "in", transactionId, originalId: null, amountPesewas: 4_000, at: null } as const;
    const lines = [{ ...line, senderName: null, senderMsisdn: null }];
    await statements.importLines(db, { by: other, key: null, network: "mtn", source: "api", lines });
    const seen = { depositId: id, amountPesewas: 4_000, reason: "the statement has 40.00" };
    return {
      act: () => deposits.correct(db, { by, key: null, ...seen }),
      isDone: async () => (await world.balanceOf(ama)) === 4_000,
      move: () => deposits.refuse(db, { by: other, key: null, depositId: id, reason: "not there" }),
    };
  },
  "deposit.reverse": async () => {
    const ama = await agent(world);
    const transactionId = String(1_000_000 + ama.id);
    const { id: depositId } = await deposits.file(db, {
      ...{ by: ama.by("web"), transactionId, amountPesewas: 5_000 },
    });
    await deposits.approve(db, { by: other, key: null, depositId });
    const line = { amountPesewas: 5_000, senderName: null, senderMsisdn: null, at: null };
    const taken = { ...line, direction: "reversal", transactionId: `9${transactionId}` } as const;
    const lines = [{ ...taken, originalId: transactionId }];
    await statements.importLines(db, { by: other, key: null, network: "mtn", source: "api", lines });
    const open = (await depositReversals.listOpen(db)).find((row) => row.depositId === depositId)!;
    const reversal = { key: null, reversalId: open.id, amountPesewas: 5_000 };
    return {
      act: () => depositReversals.decide(db, { ...reversal, by, decision: "book" }),
      isDone: async () => (await world.balanceOf(ama)) === 0,
      move: () => depositReversals.decide(db, { ...reversal, by: other, decision: "dismiss", reason: "It came again" }),
    };
  },
  "cash.decide": async () => {
    const amounts = { expectedPesewas: 390, countedPesewas: 350 };
    const { clerk, closeId } = await handedIn(amounts, "40 are missing");
    return {
      act: () => cash.decide(db, { by, key: null, closeId, ...amounts, decision: "accept" }),
      isDone: async () => (await cash.standing(db, clerk.id)).today?.state === "accepted",
      move: () => cash.decide(db, { by: other, key: null, closeId, ...amounts, decision: "refuse", reason: "again" }),
    };
  },
  "cash.bank": async () => {
    const amountPesewas = await inSafe();
    const slip = `slip ${++sizes}`;
    return {
      act: () => cashBank.bring(db, { by, key: null, amountPesewas, slip }),
      isDone: async () => (await cashBank.list(db, {}, 1))[0]?.slip === slip,
      move: () => cashBank.bring(db, { by: other, key: null, amountPesewas, slip: `${slip}, too` }),
    };
  },
  "cash.bank_seen": async () => {
    const amountPesewas = await inSafe();
    const keeper = await staff(world, "ACCOUNTS");
    const brought = { by: keeper.by("admin"), key: null, amountPesewas, slip: `slip ${++sizes}` };
    const { bankDepositId } = (await cashBank.bring(db, brought)).answer;
    const found = { bankDepositId, amountPesewas, seenPesewas: amountPesewas - 40, reason: "40 are missing" };
    return {
      act: () => cashBank.tickOff(db, { by, key: null, ...found }),
      isDone: async () => (await cashBank.list(db, {}, 1))[0]?.seenPesewas === amountPesewas - 40,
      move: () =>
        cashBank.tickOff(db, { by: other, key: null, ...found, seenPesewas: amountPesewas, reason: undefined }),
    };
  },
  "payment.decide": async () => {
    const ama = await agent(world);
    const { reference } = await shop.paidTopUp(ama, 5_000);
    paystack.steer(reference, { amount: 4_000 });
    await shop.settle(reference);
    const { id: paymentId } = await shop.row(reference);
    const decide = (admin: ByUser, decision: PaymentDecision) =>
      reviews.decide(db, { by: admin, key: null, paymentId, decision, reason: "The payer was called" });
    return {
      act: () => decide(by, "credit_asked"),
      isDone: async () => (await world.balanceOf(ama)) === 5_000,
      move: () => decide(other, "refunded"),
    };
  },
  "order.refund": async () => {
    const orderId = await bought(await funded(), ["PROCESSING"]);
    const moveTo = (admin: ByUser, to: AdminTarget) =>
      statusChanges.moveOne(db, { by: admin, key: null, orderId, to, reason: "did not arrive" });
    return {
      act: () => moveTo(by, "FAILED"),
      isDone: async () => (await statusOf(orderId)) === "FAILED",
      move: () => moveTo(other, "DELIVERED"),
    };
  },
  "order.refund_many": async () => {
    const ama = await funded();
    const ids = [await bought(ama), await bought(ama, ["COMPLETED"], "0541234568")];
    return {
      act: () => statusChanges.move(db, { by, key: null, ids, to: "FAILED", reason: "did not arrive" }),
      isDone: async () => (await statusOf(ids[0]!)) === "FAILED" && (await statusOf(ids[1]!)) === "FAILED",
      move: () => cancelling.cancel(db, { by: ama.by("web"), key: null, orderId: ids[0]! }),
    };
  },
  "batch.report": async () => {
    const { batchId, msisdn } = await atDesk();
    const line = { line: 1, msisdn, volumeMb: null, outcome: "failed", message: null } as const;
    return {
      act: () => deskResults.report(db, { by, key: null, batchId, lines: [line] }),
      isDone: () => hasResult(batchId),
      move: () => deskResults.report(db, { by: other, key: null, batchId, lines: [{ ...line, outcome: "delivered" }] }),
    };
  },
  "batch.close_rest": async () => {
    const { batchId, msisdn } = await atDesk();
    const lines = [{ line: 1, msisdn, volumeMb: null, outcome: "delivered" as const, message: null }];
    return {
      act: () => deskResults.closeRest(db, { by, key: null, batchId, to: "FAILED", reason: "SIM" }),
      isDone: () => hasResult(batchId),
      move: () => reportNow(db, { by: other, batchId, lines }),
    };
  },
  "order.take_back_refund": async () => {
    const ama = await funded();
    const orderId = await bought(ama, ["PROCESSING"]);
    const reason = "the supplier shows delivery at 10:04";
    await statusChanges.moveOne(db, { by: other, key: null, orderId, to: "FAILED", reason });
    const { refundedAt, amountPesewas } = await orderQueries.get(db, by, orderId);
    const seen = { refundedAt: refundedAt!, amountPesewas };
    const takeBack = (admin: ByUser, to: "DELIVERED" | "COMPLETED") =>
      takenBackRefunds.takeBack(db, { by: admin, key: null, orderId, to, reason, ...seen });
    return {
      act: () => takeBack(by, "DELIVERED"),
      isDone: async () => (await statusOf(orderId)) === "DELIVERED",
      move: () => takeBack(other, "COMPLETED"),
    };
  },
  "case.decide": async () => {
    const ama = await funded();
    const orderId = await bought(ama, ["PROCESSING", "DELIVERED"]);
    const opened = await disputes.open(db, { by: ama.by("web"), key: null, orderId, message: "no data" });
    const verdict = { outcome: "refunded" } as const;
    return {
      act: () => disputes.decide(db, { by, key: null, requestId: opened.answer.id, ...verdict }),
      isDone: async () => (await statusOf(orderId)) === "FAILED",
      move: () => disputes.withdraw(db, { by: ama.by("web"), orderId }),
    };
  },
  "vendor.move": async () => {
    const code = `vendor${++sizes}`;
    await vendors.enrol(db, [{ code }]);
    const orderId = await bought(await funded(), [], `05412${sizes}00`.padEnd(10, "0"));
    await dispatchNow(world, [orderId], code);
    const attempts = async () => {
      const rows = await db.execute<{ one: string }>(
        sql`select vendor || ' ' || state as one from attempts where order_id = ${orderId} order by id`,
      );
      return rows.map(({ one }) => one);
    };
    return {
      act: () =>
        rerouting.move(db, {
          ...{ by, key: null, vendors: [], code, to: "desk", productIds: null, paidBefore: new Date() },
          throughAttemptId: Number.MAX_SAFE_INTEGER,
        }),
      isDone: async () => (await attempts()).at(-1) === "desk queued",
      move: () => statusChanges.moveOne(db, { by: other, key: null, orderId, to: "PROCESSING" }),
    };
  },
  "user.create": async () => {
    const username = `clerk-${++sizes}`;
    const row = { username, email: `${username}@example.com`, password: "correct horse battery" };
    const find = () => db.select().from(userTable).where(eq(userTable.email, row.email));
    return {
      act: () => users.create(db, { by, ...row, roles: ["DESK"] }),
      isDone: async () => (await find())[0]?.roles.includes("DESK") === true,
      move: () => users.create(db, { by: other, ...row, roles: ["USER"] }),
    };
  },
  "user.edit": async () => {
    const clerk = await staff(world, "DESK");
    return {
      act: () => users.edit(db, { by, userId: clerk.id, roles: ["MANAGER"] }),
      isDone: async () => (await users.get(db, clerk.id)).roles.includes("MANAGER"),
      move: () => users.ban(db, { by: other, userId: clerk.id }),
    };
  },
  "factor.reset": async () => {
    const clerk = await staff(world, "DESK");
    await enrol(world, clerk);
    return {
      act: () => secondFactor.reset(db, { by, userId: clerk.id }),
      isDone: async () => (await secondFactor.stateOf(db, clerk.id)) === null,
      move: () => users.edit(db, { by: other, userId: clerk.id, username: `${clerk.username}-x` }),
    };
  },
  "settings.change": async () => {
    const number = `024000${++sizes}`;
    return {
      act: () => settings.change(db, { by, values: { manual_payment_number: number } }),
      isDone: async () => (await settings.get(db, "manual_payment_number")) === number,
      move: () =>
        db.execute(sql`
          insert into settings (key, value) values ('manual_payment_number', '"0200000000"')
          on conflict (key) do update set value = excluded.value`),
    };
  },
  "provider.set_keys": async () => {
    const keys = providerKeys.keysOf(TEST_JWT_SECRET);
    const set = (secret: string) => ({
      provider: "hubnet",
      values: providerKeys.seal(keys, { HUBNET_API_KEY: secret }),
    });
    return {
      act: () => providerKeys.setKeys(db, { by, ...set("wanted") }),
      isDone: async () => (await providerKeys.read(db, keys)).HUBNET_API_KEY === "wanted",
      move: () => providerKeys.setKeys(db, { by: other, ...set("another") }),
    };
  },
  "routes.set": async () => {
    const code = (await settings.get(db, "route_at_bigtime")) === "hubnet" ? "datamart" : "hubnet";
    return {
      act: () => settings.setRoutes(db, { by, values: { route_at_bigtime: code } }),
      isDone: async () => (await settings.get(db, "route_at_bigtime")) === code,
      move: () =>
        db.execute(sql`
          insert into settings (key, value) values ('route_at_bigtime', '"hubnet,datamart"')
          on conflict (key) do update set value = excluded.value`),
    };
  },
  "product.below_cost": async () => {
    const product = await costly("3.00", 400);
    return {
      act: () => costs.allow(db, { by, productId: product.id, reason: "opening week" }),
      isDone: async () => {
        const [row] = await db.execute<{ reason: string | null }>(
          sql`select below_cost_reason as reason from products where id = ${product.id}`,
        );
        return row!.reason === "opening week";
      },
      move: () => deskTakes(db, product.id, 900),
    };
  },
  "product.add": async () => {
    const { id, size } = await costly("5.00", 400);
    const name = `Again ${sizes}`;
    return {
      act: () => products.add(db, { by, operator: "TELECEL", name, size, pricePesewas: 390, confirmPrice: true }),
      isDone: async () => (await products.list(db)).some((product) => product.name === name),
      move: () => deskTakes(db, id, 10_000 + sizes),
    };
  },
  "product.add_many": async () => {
    const { id, size } = await costly("5.00", 400);
    const name = `Many ${sizes}`;
    const bundles = [{ operator: "TELECEL", name, size, pricePesewas: 390 }];
    return {
      act: () => products.addMany(db, { by, vendors: [], vendor: "desk", bundles }),
      isDone: async () => (await products.list(db)).some((product) => product.name === name),
      move: () => deskTakes(db, id, 10_000 + sizes),
    };
  },
  "product.edit": async () => {
    const product = await costly("5.00", 400);
    return {
      act: () =>
        products.edit(db, {
          by,
          productId: product.id,
          pricePesewas: 390,
          pausedUntil: null,
          confirmPrice: true,
        }),
      isDone: async () => (await priceOf(product.id)) === 390,
      move: () => deskTakes(db, product.id, 450),
    };
  },
  "price.set": async () => {
    const product = await costly("5.00", 400);
    const prices = [{ productId: product.id, tierId: 1, pricePesewas: 390 }];
    return {
      act: () => priceChanges.set(db, { by, key: null, prices, since: null, note: "", isConfirmed: true }),
      isDone: async () => (await priceOf(product.id)) === 390,
      move: () => deskTakes(db, product.id, 450),
    };
  },
  "price.undo": async () => {
    const product = await costly("3.80", 300);
    const prices = [{ productId: product.id, tierId: 1, pricePesewas: 500 }];
    const made = await priceChanges.set(db, {
      ...{ by: other, key: null, prices, since: null, note: "", isConfirmed: true },
    });
    await deskTakes(db, product.id, 400);
    return {
      act: () => priceChanges.undo(db, { by, key: null, changeId: made.answer.changeId! }),
      isDone: async () => (await priceOf(product.id)) === 380,
      move: () => deskTakes(db, product.id, 450),
    };
  },
};

test("every act that is carried out has its premise here", () => {
  expect(Object.keys(WISHES).toSorted()).toEqual(Object.keys(ACTS).toSorted());
  expect(() => actOf("nothing.like_it")).toThrow("add it to core/approvals/acts.ts");
});

describe.each(Object.keys(WISHES))("%s", (kind) => {
  /** Prepares with the rule off, and lets it hold for the rest. */
  async function prepare(): Promise<Wish> {
    await db.execute(sql`
      insert into settings (key, value) values ('second_person', 'false')
      on conflict (key) do update set value = excluded.value`);
    const wish = await WISHES[kind]!();
    await guard(db);
    for (const name of NOTHING_ALONE)
      await db.execute(sql`
        insert into settings (key, value) values (${`alone_${name}_pesewas`}, '0') on conflict do nothing`);
    return wish;
  }
  async function unguarded<T>(work: () => Promise<T>): Promise<T> {
    await db.execute(sql`insert into settings (key, value) values ('second_person', 'false')`);
    try {
      return await work();
    } finally {
      await guard(db);
    }
  }

  test("is asked for, and done when another agrees", async () => {
    const wish = await prepare();
    const approval = await ask(world, kofi, wish.act());
    expect([approval.kind, await wish.isDone()]).toEqual([kind, false]);
    expect(await requests.now(db, approval.id)).toMatchObject({ seen: { state: approval.seen.state } });
    expect(await wish.isDone()).toBe(false);
    expect(await requests.agree(db, { by: other, approvalId: approval.id })).toMatchObject({
      state: "agreed",
      decidedBy: yaw.username,
    });
    expect(await wish.isDone()).toBe(true);
  });

  test("is not done when what was seen has moved", async () => {
    const wish = await prepare();
    const approval = await ask(world, kofi, wish.act());
    await unguarded(wish.move);
    expect(await codeOf(requests.agree(db, { by: other, approvalId: approval.id }))).toBe("approval.outdated");
    expect(await wish.isDone()).toBe(false);
    expect((await queries.get(db, approval.id)).state).toBe("outdated");
  });

  test("is not done when it is refused", async () => {
    const wish = await prepare();
    const approval = await ask(world, kofi, wish.act());
    await requests.refuse(db, { by: other, approvalId: approval.id, reason: "no" });
    expect(await wish.isDone()).toBe(false);
  });

  test("takes a proof of who it is, where it is about money or staff", async () => {
    const wish = await prepare();
    const isOfPrices = /^(product|price)\./.test(kind);
    by.isUnconfirmed = true;
    const code = await codeOf(wish.act());
    delete by.isUnconfirmed;
    expect(code).toBe(isOfPrices ? "approval.needed" : "auth.confirm_needed");
  });
});
