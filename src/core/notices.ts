// Notices, written in the commit of what they tell of: by SMS to agents with a proved phone who want them, and by e-mail
// what support wrote.
import { and, eq } from "drizzle-orm";
import type { Tx } from "../../db/connect.ts";
import { type orders, users, wallets } from "../../db/schema.ts";
import { phones } from "../../db/schema-messages.ts";
import { prompts } from "../../db/schema-ussd.ts";
import type { By } from "../shared/domain.ts";
import { isAmong } from "./conditions.ts";
import * as texts from "./message-texts.ts";
import * as messages from "./messages.ts";

type Order = typeof orders.$inferSelect;

/** Tells the owners of failed orders that their money is back: one SMS each, however many orders. Who failed their own knows. */
export async function ordersRefunded(tx: Tx, by: By, refunded: Order[]): Promise<void> {
  const byOwner = Map.groupBy(
    refunded.filter((order) => order.userId !== by.userId),
    (order) => order.userId,
  );
  await tell(tx, "order_refunded", "wantsRefunds", [...byOwner.keys()], ({ userId, balancePesewas }) =>
    texts.ordersRefunded(byOwner.get(userId)!, balancePesewas),
  );
}

/** Tells somebody that money has come into their wallet. To be called after it is booked. */
export async function walletToppedUp(
  tx: Tx,
  { userId, amountPesewas }: { userId: number; amountPesewas: number },
): Promise<void> {
  await tell(tx, "wallet_topped_up", "wantsTopUps", [userId], ({ balancePesewas }) =>
    texts.walletToppedUp(amountPesewas, balancePesewas),
  );
}

/** Tells whoever asked for a top-up on their phone that it came to nothing; who asked in a browser sees it there. */
export async function topUpFailed(
  tx: Tx,
  { id, userId, amountPesewas }: { id: number; userId: number; amountPesewas: number },
  reason: string,
): Promise<void> {
  const [prompt] = await tx.select({ id: prompts.paymentId }).from(prompts).where(eq(prompts.paymentId, id));
  if (!prompt) return;
  const body = texts.topUpFailed(amountPesewas, reason.replace(/\.$/, "").slice(0, 60));
  await messages.queueToPhone(tx, { userId, kind: "top_up_failed", body });
}

/** Tells the owners of orders that they have arrived: one SMS each, however many orders. */
export async function ordersDelivered(tx: Tx, delivered: Order[]): Promise<void> {
  const byOwner = Map.groupBy(delivered, (order) => order.userId);
  await tell(tx, "order_delivered", "wantsDeliveries", [...byOwner.keys()], ({ userId }) =>
    texts.ordersDelivered(byOwner.get(userId)!),
  );
}

/** Tells whoever asked support, by e-mail, what it wrote. */
export async function supportAnswered(
  tx: Tx,
  { userId, subject }: { userId: number; subject: string | null },
  message: string,
): Promise<void> {
  const [asker] = await tx.select().from(users).where(eq(users.id, userId));
  if (asker?.status !== "ACTIVE") return;
  const text = texts.supportAnswered(asker.username, subject, message);
  await messages.queue(tx, {
    userId,
    kind: text.kind,
    channel: "email",
    recipient: asker.email,
    subject: text.subject,
    body: text.mail,
  });
}

type Reader = { userId: number; msisdn: string; balancePesewas: number };

async function tell(
  tx: Tx,
  kind: string,
  choice: "wantsRefunds" | "wantsTopUps" | "wantsDeliveries",
  userIds: number[],
  textFor: (reader: Reader) => string,
): Promise<void> {
  if (userIds.length === 0) return;
  const readers = await tx
    .select({ userId: phones.userId, msisdn: phones.msisdn, balancePesewas: wallets.balancePesewas })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.userId))
    .innerJoin(wallets, eq(wallets.userId, phones.userId))
    .where(and(isAmong(phones.userId, userIds), eq(phones[choice], true), eq(users.status, "ACTIVE")))
    .orderBy(phones.userId);
  await messages.queueAll(
    tx,
    readers.map((reader) => ({
      userId: reader.userId,
      kind,
      channel: "sms",
      recipient: reader.msisdn,
      subject: "",
      body: textFor(reader),
    })),
  );
}
