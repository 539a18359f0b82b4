// Repeated requests for old answers, requests by a name that is not the shop's, and checks that what clients see is
// consistent.
import { type Hand, inputOf, lineFor, serverFor } from "./hand.ts";
import { isSuccess, pesewasOf } from "./operations.ts";
import { insist, PATIENCE_MS, tokenOf } from "./requests.ts";
import type { Agent } from "./rig.ts";

/** At every moment, what can be spent is what is not held, and only an empty wallet owes. */
export async function readBalance(hand: Hand, agent: Agent): Promise<void> {
  const answer = await insist(hand, agent.id, "GET", "/wallet/balance", undefined);
  if (!answer || !isSuccess(answer)) return;
  const { balance, held, owed, available } = answer.body as Record<string, number>;
  const isFitting = pesewasOf(available!) === Math.max(0, pesewasOf(balance!) - pesewasOf(held!));
  if (!isFitting || (owed! > 0 && balance! > 0))
    hand.clients.seen.push({ rule: "a balance is consistent", detail: JSON.stringify(answer.body) });
}

/** By the shop's clock a key is kept for two days; an older one must not be repeated. */
const REPEAT_MS = 60_000;
/** An agent's program repeats a request that was answered long ago. */
export async function repeat(hand: Hand): Promise<void> {
  const one = hand.repeatable[hand.random(hand.repeatable.length || 1)];
  if (!one || performance.now() - one.atMs > REPEAT_MS) return;
  const answer = await one.again();
  if (answer) one.operation.answers.push(answer);
}

/** At every moment a page of a wallet's history is consistent: each balance follows from the one before. */
export async function readHistory(hand: Hand, agent: Agent): Promise<void> {
  const answer = await insist(hand, agent.id, "GET", "/wallet/transactions?limit=50", undefined);
  if (!answer || !isSuccess(answer)) return;
  const entries = answer.body as { id: number; change: number; balanceAfter: number }[];
  for (const [n, entry] of entries.entries()) {
    const before = entries[n + 1];
    const follows =
      !before || pesewasOf(entry.balanceAfter) - pesewasOf(entry.change) === pesewasOf(before.balanceAfter);
    if (!follows || entry.balanceAfter < 0)
      hand.clients.seen.push({ rule: "a history is consistent", detail: `entry ${entry.id}` });
  }
}

const FOREIGN_HOSTS = ["x", "web", "shop.example", "127.0.0.1.example", "shop.example:443", "api"];

/**
 * A purchase with everything right but the name in its Host header. It is refused before anything is done, so that
 * nobody asked for the order that it would make.
 */
export async function askElsewhere(hand: Hand, agent: Agent): Promise<void> {
  const caller = hand.callers.get(agent.id)!;
  const token = await tokenOf(hand, caller);
  if (!token) return;
  hand.sent.count += 1;
  const host = FOREIGN_HOSTS[hand.random(FOREIGN_HOSTS.length)]!;
  const headers = { host, authorization: `Bearer ${token}`, "idempotency-key": crypto.randomUUID() };
  const status = await fetch(`${serverFor(hand).url}/api/v1/orders`, {
    method: "POST",
    headers: { ...headers, "x-forwarded-for": caller.address, "content-type": "application/json" },
    body: JSON.stringify({ ...inputOf(lineFor(hand)), pay: "wallet" }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => null,
  );
  if (status !== null && status !== 421)
    hand.clients.seen.push({ rule: "the shop answers to its own name alone", detail: `${host}: ${status}` });
}
