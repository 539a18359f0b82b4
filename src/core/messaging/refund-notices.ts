// Notices of a refund that was taken back. Every agent gets them, whatever they chose: it is their money.
import { eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import type { orders } from "../../../db/schema/orders.ts";
import * as messages from "./messages.ts";
import * as smsTexts from "./texts/sms-texts.ts";
import * as texts from "./texts/texts.ts";

type Order = typeof orders.$inferSelect;

/** Tells the owner of an order by SMS and e-mail that its refund was taken back, and why. */
export async function refundTakenBack(tx: Tx, order: Order, reason: string): Promise<void> {
  const { userId } = order;
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  if (owner?.status !== "ACTIVE") return;
  await messages.queueToPhone(tx, {
    userId,
    kind: "refund_taken_back",
    passesOptOut: true,
    textFor: (t) => smsTexts.refundTakenBack(t, order, reason),
  });
  await messages.queueMail(tx, owner, texts.refundTakenBack(owner.username, order, reason));
}
