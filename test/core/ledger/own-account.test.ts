// Separation of duties: an admin decides about money only on somebody else's account.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import type { ByUser } from "../../../src/shared/domain.ts";
import { lineFor, outcome, refusal } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const esi = await world.person("esi", "GH₵ 100.00", ["ADMIN"]);
const own = esi.by("admin");
const another = yaw.by("admin");

const bought = async () =>
  (await orders.buy(db, { by: esi.by("web"), key: null, line: lineFor(bundle) })).answer.order.id;

/** Runs the same as the account's owner, who is refused, and as another admin, who is not. */
async function onlyByAnother(act: (by: ByUser) => Promise<unknown>): Promise<void> {
  const before = await world.balanceOf(esi);
  const refused = await refusal(act(own));
  expect(refused.code).toBe("auth.own_account");
  expect(refused.message).toBe("You cannot decide about your own account. Ask somebody else with this right.");
  expect(await world.balanceOf(esi)).toBe(before);
  expect(await outcome(act(another))).toBe("done");
}

test("a deposit is approved, or refused, by another admin", async () => {
  const file = (transactionId: string) =>
    deposits.file(db, { by: esi.by("web"), transactionId, amountPesewas: 100_000_000 });
  const { id } = await file("40125566001");
  await onlyByAnother((by) => deposits.approve(db, { by, key: null, depositId: id }));
  const second = await file("40125566002");
  await onlyByAnother((by) => deposits.refuse(db, { by, key: null, depositId: second.id, reason: "No such transfer" }));
});

test("a wallet is corrected by another admin, in both directions", async () => {
  for (const amountPesewas of [5000, -5000])
    await onlyByAnother((by) =>
      wallet.adjust(db, { by, key: null, userId: esi.id, amountPesewas, reason: "Counted again" }),
    );
});

test("a paid order is failed and refunded by another admin, also a completed one", async () => {
  for (const first of [null, "COMPLETED"] as const) {
    const orderId = await bought();
    if (first) await statusChanges.moveOne(db, { by: own, key: null, orderId, to: first });
    await onlyByAnother((by) =>
      statusChanges.moveOne(db, { by, key: null, orderId, to: "FAILED", reason: "Not sent" }),
    );
  }
});

test("among many orders, only their own are refused, and the preview says so", async () => {
  const ama = await world.person("ama", "GH₵ 10.00");
  const hers = (await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer.order.id;
  const ids = [await bought(), hers];
  const seen = await statusChanges.preview(db, { by: own, ids, to: "FAILED" });
  expect(seen).toMatchObject({ movingCount: 1, refused: [{ code: "auth.own_account", ids: [ids[0]!] }] });
  const { answer } = await statusChanges.move(db, {
    by: own,
    key: null,
    ids,
    to: "FAILED",
    reason: "Not sent",
  });
  expect(answer.map(({ refusal }) => refusal)).toEqual(["auth.own_account", null]);
});

test("nobody takes the cash for their own order", async () => {
  const { answer } = await unpaidOrders.create(db, { by: esi.by("web"), key: null, line: lineFor(bundle) });
  await onlyByAnother((by) =>
    statusChanges.moveOne(db, { by, key: null, orderId: answer.id, to: "COMPLETED", paidInCash: true }),
  );
});

test("an order that was not received is refunded by another admin", async () => {
  const orderId = await bought();
  await statusChanges.moveOne(db, { by: another, key: null, orderId, to: "PROCESSING" });
  await statusChanges.moveOne(db, { by: another, key: null, orderId, to: "DELIVERED" });
  await disputes.open(db, { by: esi.by("web"), key: null, orderId, message: "Nothing came" });
  const [request] = await db.execute<{ id: number }>(sql`
    select id from support_requests where subject_id = ${orderId} and kind = 'not_received'`);
  const verdict = { outcome: "refunded" } as const;
  await onlyByAnother((by) => disputes.decide(db, { by, key: null, requestId: request!.id, ...verdict }));
});

test("as a buyer, an admin can cancel an order that was not dispatched", async () => {
  const before = await world.balanceOf(esi);
  const orderId = await bought();
  expect(await outcome(cancelling.cancel(db, { by: esi.by("web"), key: null, orderId }))).toBe("done");
  expect(await world.balanceOf(esi)).toBe(before);
});

test("transitions without money are open to every admin", async () => {
  const orderId = await bought();
  expect(await outcome(statusChanges.moveOne(db, { by: own, key: null, orderId, to: "COMPLETED" }))).toBe("done");
});
