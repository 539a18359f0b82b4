// Agents' cancellations, and an admin's failing of recent orders.
import { begin, type Hand } from "./hand.ts";
import { perform } from "./requests.ts";
import type { Agent } from "./rig.ts";

export async function cancel(hand: Hand, agent: Agent): Promise<void> {
  const orderId = recentOrder(hand, agent.id);
  if (!orderId) return;
  const told = begin(hand, "cancel", agent, []);
  told.orderIds = [orderId];
  await perform(hand, told, agent.id, "POST", `/orders/${orderId}/cancel`, undefined);
}

export async function failAsAdmin(hand: Hand, agent: Agent): Promise<void> {
  const orderId = recentOrder(hand, agent.id);
  if (!orderId) return;
  const told = begin(hand, "fail", agent, []);
  told.orderIds = [orderId];
  const ask = { status: "FAILED", reason: "The network refused it" };
  await perform(hand, told, hand.rig.admin.id, "PATCH", `/admin/orders/${orderId}/status`, ask);
}

export function recentOrder({ clients, random }: Hand, agentId: number): number | undefined {
  for (let tries = 0; tries < 20; tries++) {
    const told = clients.told[clients.told.length - 1 - random(Math.min(200, clients.told.length || 1))];
    if (told?.agentId === agentId && told.lines.length > 0 && told.orderIds.length > 0)
      return told.orderIds[random(told.orderIds.length)];
  }
  return undefined;
}
