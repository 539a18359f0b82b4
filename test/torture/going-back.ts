// Returns at Paystack: payers' banks dispute payments and decide, and somebody refunds in part or in full.
import type { Hand } from "./hand.ts";

/** How many disputes are open at a time; some stay open to the end. */
const OPEN_MAX = 12;

/** A payer's bank disputes a payment, disputes it again, or decides for the payer or the shop. */
export async function dispute({ rig, random, paid, disputed }: Hand): Promise<void> {
  const isNew = disputed.length < OPEN_MAX && random(3) > 0;
  const among = isNew ? paid : disputed;
  const reference = among[random(among.length || 1)];
  if (!reference) return;
  if (isNew) {
    if (disputed.includes(reference)) return;
    disputed.push(reference);
    return rig.paystack.dispute(reference, "create");
  }
  if (random(3) === 0) return rig.paystack.dispute(reference, "remind");
  disputed.splice(disputed.indexOf(reference), 1);
  await rig.paystack.dispute(reference, "resolve", random(2) === 0 ? "merchant-accepted" : "declined");
}

/** Somebody refunds a recent payment in Paystack's dashboard, in part or in full. */
export async function refund({ rig, random, paid }: Hand): Promise<void> {
  const reference = paid[paid.length - 1 - random(Math.min(100, paid.length || 1))];
  if (!reference) return;
  const amount = random(3) === 0 ? {} : { amount: 100 + random(900) };
  await fetch(`${rig.paystack.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${rig.paystack.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference, ...amount }),
    signal: AbortSignal.timeout(5_000),
    // Whatever the answer: Paystack's own list has the refund.
  }).catch(() => null);
}
