// The admin's work: takes desk batches and delivers them by hand, submits their results, late or incomplete, and
// decides what no deadline decides.
import { sql } from "drizzle-orm";
import { hiddenIn, insistOn, visit } from "./browsing.ts";
import { begin, type Hand } from "./hand.ts";
import { isSuccess } from "./operations.ts";
import { perform, request } from "./requests.ts";
import type { Agent } from "./rig.ts";
import { recentOrder } from "./taking-back.ts";

/** How many numbers are reported at a time. */
const REPORTED = 25;
const REFUSED = "The network refused it";

/** "Process": makes an order the admin's own to deliver. */
export async function processOne(hand: Hand, agent: Agent): Promise<void> {
  const orderId = recentOrder(hand, agent.id);
  if (!orderId) return;
  const operation = begin(hand, "process", agent, []);
  operation.orderIds = [orderId];
  const ask = { status: "PROCESSING" };
  await perform(hand, operation, hand.rig.admin.id, "PATCH", `/admin/orders/${orderId}/status`, ask);
}

/** Takes everything new into one batch. */
export async function takeBatch(hand: Hand): Promise<void> {
  await insistOn(hand, hand.rig.admin.id, "/admin/desk/new", { key: crypto.randomUUID() });
}

/** Submits the results of part of a batch; an admin may have refunded one of its orders before. */
export async function workOnBatch(hand: Hand): Promise<void> {
  const desk = await insistOn(hand, hand.rig.admin.id, "/admin/desk");
  const ids = batchesIn(desk?.text ?? "");
  const batchId = ids[hand.random(ids.length || 1)];
  if (!batchId || hand.inWork.has(batchId)) return;
  hand.inWork.add(batchId);
  try {
    const open = await openNumbers(hand, batchId);
    // Some of it stays open for long.
    const part = open.filter(() => hand.random(3) > 0).slice(0, REPORTED);
    const late = hand.random(2) === 0 ? await refundFirst(hand, part) : null;
    const reported = await report(hand, batchId, part, insistOn);
    if (late && reported) late.state = "done";
  } finally {
    hand.inWork.delete(batchId);
  }
}

const batchesIn = (page: string) => [
  ...new Set([...page.matchAll(/href="\/admin\/desk\/(\d+)"/g)].map(([, id]) => Number(id))),
];

async function openNumbers(hand: Hand, batchId: number): Promise<string[]> {
  const file = await visit(hand, hand.rig.admin.id, `/admin/desk/${batchId}/file`);
  if (file?.status !== 200) return [];
  return [...new Set(file.text.match(/\b0\d{9}\b/g) ?? [])];
}

/** Refunds one of them as an admin, although it was sent: its result comes late. */
async function refundFirst(hand: Hand, numbers: string[]) {
  const number = numbers.find((one) => hand.results.get(one) !== "failed");
  const bought = hand.clients.operations.findLast(
    ({ lines, orderIds }) => lines.length === 1 && orderIds.length === 1 && lines[0]!.msisdn === number,
  );
  if (!number || !bought) return null;
  const agent = hand.rig.agents.find(({ id }) => id === bought.agentId)!;
  const operation = begin(hand, "fail", agent, []);
  operation.orderIds = bought.orderIds;
  const path = `/admin/orders/${bought.orderIds[0]}/status`;
  const ask = { status: "FAILED", reason: "The agent asked for it" };
  if (!(await perform(hand, operation, hand.rig.admin.id, "PATCH", path, ask))) return null;
  hand.results.set(number, "delivered");
  const late = begin(hand, "late", agent, []);
  late.orderIds = bought.orderIds;
  return late;
}

/** Sends what was not sent yet, and submits the results; returns whether they were accepted. */
async function report(hand: Hand, batchId: number, numbers: string[], send: typeof visit): Promise<boolean> {
  if (numbers.length === 0) return false;
  for (const number of numbers)
    if (!hand.results.has(number)) hand.results.set(number, hand.random(4) > 0 ? "delivered" : "failed");
  const lines = numbers.map((number) => `${number},${hand.results.get(number)}`);
  const path = `/admin/desk/${batchId}`;
  const form = { action: "report", results: lines.join("\n") };
  const preview = await send(hand, hand.rig.admin.id, path, form);
  if (preview?.status !== 200) return preview?.status === 303;
  // What the results would do is shown first, and saved as it was seen.
  const { key, seen } = hiddenIn(preview.text, path) ?? {};
  if (!key || !seen) return false;
  const saved = await send(hand, hand.rig.admin.id, path, { ...form, key, seen });
  return saved?.status === 303;
}

/** Decides once whatever needs an admin: payments in review, overdue batches, and orders without a deadline. */
export async function decideAll(hand: Hand): Promise<void> {
  await endReviews(hand);
  for (const batchId of await dueBatches(hand)) await report(hand, batchId, await openNumbers(hand, batchId), visit);
  await refundOverdue(hand);
}

/** Pages tell what is due by this computer's clock, and the shop's is days ahead. */
async function dueBatches({ rig }: Hand): Promise<number[]> {
  const rows = await rig.db.execute<{ id: number }>(sql`
    select id::int from desk_batches b where deadline <= now() + interval '30 minutes'
      and exists (select from attempts where desk_batch_id = b.id and state = 'processing') order by deadline`);
  return rows.map(({ id }) => id);
}

/** Refunds orders that no clock refunds, of those that are stuck; behind those that are decided others come up. */
export async function refundOverdue(hand: Hand): Promise<void> {
  let known: number[] = [];
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await visit(hand, hand.rig.admin.id, "/admin/delivery");
    const overdue = page?.status === 200 ? overdueIn(page.text) : [];
    if (overdue.every((id) => known.includes(id))) return;
    await refundSome(hand, overdue);
    known = overdue;
  }
}

/** How many pages of overdue orders are decided in a row. */
const PAGES_MAX = 20;

function overdueIn(html: string): number[] {
  const section = html.split("Overdue: decide now")[1]?.split("</section>")[0] ?? "";
  return [...new Set([...section.matchAll(/href="\/orders\/(\d+)"/g)].map(([, id]) => Number(id)))];
}

/** Refunds half of them; the status of the others is checked again. */
async function refundSome(hand: Hand, overdue: number[]): Promise<void> {
  const ids = overdue.filter(() => hand.random(2) === 0);
  if (ids.length === 0) return;
  const ask = { ids, status: "FAILED", reason: REFUSED };
  await request(hand, hand.rig.admin.id, "POST", "/admin/orders/status/bulk", ask, crypto.randomUUID());
}

/**
 * A payment whose money was returned is noted as refunded; for any other, what was paid or what was requested is
 * credited.
 */
export async function endReviews(hand: Hand): Promise<void> {
  const { rig, random } = hand;
  const answer = await request(hand, rig.admin.id, "GET", "/admin/payments?state=review", undefined);
  if (!answer || !isSuccess(answer)) return;
  for (const { id, reference } of answer.body as { id: number; reference: string }[]) {
    const isGone = rig.paystack.transactions().some((one) => one.reference === reference && one.status === "reversed");
    const decision = isGone ? "refunded" : random(2) === 0 ? "credit_paid" : "credit_asked";
    const ask = { decision, reason: "The payer says so" };
    await request(hand, rig.admin.id, "POST", `/admin/payments/${id}/decision`, ask, crypto.randomUUID());
  }
}
