// Cash in the safe, as it gets there: a clerk takes it for an order, and hands it in.

import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as cash from "../../src/core/payments/cash/cash.ts";
import { staff } from "./approvals.ts";
import { lineFor } from "./asking.ts";
import type { Person, World } from "./world.ts";

/** Puts the price of a product into the safe, for an order of `buyer`: `world.yaw` counts it. */
export async function fillSafe(
  world: World,
  buyer: Person,
  product: { id: number; pricePesewas: number },
): Promise<void> {
  const { db, yaw } = world;
  const clerk = (await staff(world, "DESK")).by("admin");
  const sold = { by: buyer.by(), key: null, line: lineFor(product), allowDuplicate: true };
  const { answer } = await unpaidOrders.create(db, sold);
  const paid = { by: clerk, key: null, orderId: answer.id, to: "COMPLETED", paidInCash: true } as const;
  await statusChanges.moveOne(db, paid);
  const { pricePesewas } = product;
  const amounts = { expectedPesewas: pricePesewas, countedPesewas: pricePesewas };
  const { closeId } = (await cash.handIn(db, { by: clerk, key: null, toUserId: yaw.id, ...amounts })).answer;
  await cash.decide(db, { by: yaw.by("admin"), key: null, closeId, ...amounts, decision: "accept" });
}
