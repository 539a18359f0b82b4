// Agents' cancellations, and an admin's failing of recent orders.
import { begin, type Hand } from "./hand.ts";
import { perform } from "./requests.ts";
import type { Agent } from "./rig.ts";

export async function cancel(hand: Hand, agent: Agent): Promise<void> {
  const orderId = recentOrder(hand, agent.id);
  if (!orderId) return;
  const operation = begin(hand, "cancel", agent, []);
  operation.orderIds = [orderId];
  await perform(hand, operation, agent.id, "POST", `/orders/${orderId}/cancel`, undefined);
}

export async function failAsAdmin(hand: Hand, agent: Agent): Promise<void> {
  const orderId = recentOrder(hand, agent.id);
  if (!orderId) return;
  const operation = begin(hand, "fail", agent, []);
  operation.orderIds = [orderId];
  const ask = { status: "FAILED", reason: "The network refused it" };
  await perform(hand, operation, hand.rig.admin.id, "PATCH", `/admin/orders/${orderId}/status`, ask);
}

export function recentOrder({ clients, random }: Hand, agentId: number): number | undefined {
  for (let tries = 0; tries < 20; tries++) {
    const operation =
      clients.operations[clients.operations.length - 1 - random(Math.min(200, clients.operations.length || 1))];
    if (operation?.agentId === agentId && operation.lines.length > 0 && operation.orderIds.length > 0)
      return operation.orderIds[random(operation.orderIds.length)];
  }
  return undefined;
}
