// Notices, written in the commit of what they tell of: by SMS to agents with a proved phone who want them, and by e-mail
// what support wrote, and that the mailbox is no longer the account's.
import { and, arrayContains, eq, lt, lte, max, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import { transfers, wallets } from "../../../db/schema/ledger.ts";
import { bulkOrders, orders } from "../../../db/schema/orders.ts";
import { prompts } from "../../../db/schema/payments.ts";
import type { By, HookPause } from "../../shared/domain.ts";
import { availableOf } from "../../shared/funds.ts";
import * as budgets from "../platform/budgets.ts";
import * as jobs from "../platform/jobs.ts";
import * as rateLimits from "../platform/rate-limits.ts";
import { isAmong } from "../platform/sql.ts";
import * as messages from "./messages.ts";
import * as texts from "./texts.ts";

type Order = typeof orders.$inferSelect;

/** Tells the owners of failed orders that their money is back: one SMS each, however many orders. Who failed their own knows. */
export async function ordersRefunded(tx: Tx, by: By, refunded: Order[]): Promise<void> {
  const byOwner = Map.groupBy(
    refunded.filter((order) => order.userId !== by.userId),
    (order) => order.userId,
  );
  await tell(tx, "order_refunded", eq(phones.wantsRefunds, true), [...byOwner.keys()], (reader) =>
    texts.ordersRefunded(byOwner.get(reader.userId)!, reader),
  );
}

/** Tells a payer that their money is in the wallet, and why the order that it was for was not bought with it. */
export async function orderNotPaid(
  tx: Tx,
  { userId, amountPesewas }: { userId: number; amountPesewas: number },
  orderId: number,
  reason: string,
): Promise<void> {
  await tell(tx, "wallet_topped_up", eq(phones.wantsTopUps, true), [userId], (reader) =>
    texts.orderNotPaid(orderId, amountPesewas, reason, reader),
  );
}

/**
 * Tells somebody that money has come into their wallet, and how to go on with the purchase that waits for it, if it reaches
 * now. To be called after the money is booked.
 */
export async function walletToppedUp(
  tx: Tx,
  { userId, amountPesewas }: { userId: number; amountPesewas: number },
  waiting: (texts.Waiting & { neededPesewas: number }) | null,
): Promise<void> {
  const isEnough = (pesewas: number) => waiting !== null && waiting.neededPesewas <= pesewas;
  await tell(tx, "wallet_topped_up", eq(phones.wantsTopUps, true), [userId], (reader) =>
    texts.walletToppedUp(amountPesewas, reader, isEnough(availableOf(reader)) ? waiting : null),
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
  await tell(tx, "order_delivered", eq(phones.wantsDeliveries, true), [...byOwner.keys()], ({ userId }) =>
    texts.ordersDelivered(byOwner.get(userId)!),
  );
}

/** What was bought at once, and the balance right after it. */
type Bought = texts.Accepted & { balancePesewas: number };

/** Tells a buyer that what they bought is paid and on its way: one SMS a purchase, however many orders. */
export async function ordersAccepted(
  tx: Tx,
  userId: number,
  { balancePesewas, ...accepted }: Bought,
): Promise<void> {
  await tell(tx, "order_accepted", eq(wallets.tellsPurchases, true), [userId], ({ heldPesewas }) =>
    texts.ordersAccepted(accepted, { balancePesewas, heldPesewas }),
  );
}

/**
 * Tells a buyer that a purchase has taken what they can spend below what they chose; it says nothing when it was there
 * before. Both are what could be spent, in pesewas.
 */
export async function balanceLow(
  tx: Tx,
  userId: number,
  { beforePesewas, afterPesewas }: { beforePesewas: number; afterPesewas: number },
): Promise<void> {
  const isCrossed = sql`${wallets.tellBelowPesewas} > ${afterPesewas} and ${lte(wallets.tellBelowPesewas, beforePesewas)}`;
  await tellLow(tx, userId, isCrossed);
}

/**
 * Puts into words what the purchase statement only noted, because it has no time for it: up to `countMax` of each kind.
 * The note goes in the commit that writes the message, so that a worker which dies tells nothing twice and forgets nothing.
 */
export async function tellDue(db: Db, countMax: number): Promise<number> {
  const due = [
    ...(await jobs.claim(db, "tell_accepted", countMax)),
    ...(await jobs.claim(db, "tell_balance_low", countMax)),
  ];
  for (const job of due) {
    await db.transaction(async (tx) => {
      if (!(await jobs.take(tx, job.id))) return;
      const [order] = await tx.select().from(orders).where(eq(orders.id, job.subjectId));
      if (job.kind === "tell_accepted") await ordersAccepted(tx, order!.userId, await purchaseOf(tx, order!));
      // Whoever topped up in the meantime knows.
      else await tellLow(tx, order!.userId, lt(AVAILABLE, wallets.tellBelowPesewas));
    });
  }
  return due.length;
}

/** Tells all admins by e-mail that SMS are dropped from now on: once in a day for each step. */
export async function smsBudgetUsed(
  tx: Tx,
  { share, perDay }: { share: number; perDay: number },
): Promise<void> {
  const bucket = `told of the SMS budget: ${share}`;
  if (!(await rateLimits.isWithin(tx, { bucket, countMax: 1, windowSeconds: 86_400 }))) return;
  await mailAdmins(tx, (username) => texts.smsBudgetUsed(username, share, perDay));
}

const VENDOR_PAUSE_SECONDS = 3 * 3600;

/** Tells all admins by e-mail that a vendor is paused: once in three hours, because an empty float is tried now and then. */
export async function vendorPaused(
  tx: Tx,
  { code, name }: { code: string; name: string },
  why: texts.PauseReason,
  words: string | null,
): Promise<void> {
  const bucket = `told of a pause: ${code} ${why}`;
  if (!(await rateLimits.isWithin(tx, { bucket, countMax: 1, windowSeconds: VENDOR_PAUSE_SECONDS }))) return;
  await mailAdmins(tx, (username) => texts.vendorPaused(username, name, why, words));
}

/** Tells all admins by e-mail that a bank asks a payment back, and until when they can say something against it. */
export async function chargebackOpened(
  tx: Tx,
  payment: { userId: number; reference: string },
  chargeback: { id: number; amountPesewas: number; dueAt: Date | null },
): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, payment.userId));
  const agent = owner?.username ?? `account ${payment.userId}`;
  await mailAdmins(tx, (username) => texts.chargebackOpened(username, { ...payment, ...chargeback, agent }));
}

async function mailAdmins(tx: Tx, textFor: (username: string) => texts.Text): Promise<void> {
  const isActiveAdmin = and(eq(users.status, "ACTIVE"), arrayContains(users.roles, ["ADMIN"]));
  const admins = await tx.select().from(users).where(isActiveAdmin).orderBy(users.id);
  await messages.queueAll(
    tx,
    admins.map(({ id, username, email }) => {
      const { kind, subject, mail } = textFor(username);
      return { userId: id, kind, channel: "email", recipient: email, subject, body: mail };
    }),
  );
}

/** Tells a webhook's owner, by e-mail, that nothing is sent to it any more. */
export async function hookPaused(
  tx: Tx,
  { userId, url }: { userId: number; url: string },
  why: Exclude<HookPause, "owner" | "unproven">,
): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  if (owner?.status !== "ACTIVE") return;
  const { kind, subject, mail } = texts.hookPaused(owner.username, url, why);
  await messages.queue(tx, { userId, kind, channel: "email", recipient: owner.email, subject, body: mail });
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

/** Tells the mailbox that was the account's until this commit that it is no longer. */
export async function emailChanged(
  tx: Tx,
  before: { id: number; username: string; email: string },
  email: string,
): Promise<void> {
  const { kind, subject, mail } = texts.emailChanged(before.username, email);
  const recipient = before.email;
  await messages.queue(tx, { userId: before.id, kind, channel: "email", recipient, subject, body: mail });
}

/** SQL: what of a wallet can be spent, in pesewas. */
const AVAILABLE = sql`${wallets.balancePesewas} - ${wallets.heldPesewas}`;

/** What an order, or the bulk order that it began, came to, and the balance right after it. */
async function purchaseOf(tx: Tx, first: Order): Promise<Bought> {
  const [bulk] =
    first.bulkOrderId === null
      ? []
      : await tx.select().from(bulkOrders).where(eq(bulkOrders.id, first.bulkOrderId));
  const last = bulk
    ? tx
        .select({ id: max(orders.id) })
        .from(orders)
        .where(eq(orders.bulkOrderId, bulk.id))
    : sql`(${first.id})`;
  const [charge] = await tx
    .select({ balancePesewas: transfers.balanceAfterPesewas })
    .from(transfers)
    .where(and(eq(transfers.reason, "charge"), eq(transfers.subjectId, last)));
  return {
    first,
    orders: bulk?.lines ?? 1,
    amountPesewas: bulk?.amountPesewas ?? first.amountPesewas,
    balancePesewas: charge!.balancePesewas!,
  };
}

async function tellLow(tx: Tx, userId: number, isLow: SQL): Promise<void> {
  await tell(tx, "balance_low", isLow, [userId], (reader) =>
    texts.balanceLow(reader, reader.tellBelowPesewas!),
  );
}

type Reader = {
  userId: number;
  msisdn: string;
  balancePesewas: number;
  heldPesewas: number;
  tellBelowPesewas: number | null;
};

/** Those that a buyer brings about by buying: nobody is to have the shop write without end by buying and cancelling. */
const OF_PURCHASES = ["order_accepted", "order_delivered", "balance_low"] as const;
const OF_MONEY = ["order_refunded", "wallet_topped_up"] as const;
type Kind = (typeof OF_PURCHASES | typeof OF_MONEY)[number];

/**
 * Writes to those of these users who can be reached and chose to hear it (`wants`, of their phone or their wallet), as far
 * as their budget of the hour goes: what is over it stands in the app all the same.
 */
async function tell(
  tx: Tx,
  kind: Kind,
  wants: SQL,
  userIds: number[],
  textFor: (reader: Reader) => string,
): Promise<void> {
  if (userIds.length === 0) return;
  const readers = await tx
    .select({
      userId: phones.userId,
      msisdn: phones.msisdn,
      balancePesewas: wallets.balancePesewas,
      heldPesewas: wallets.heldPesewas,
      tellBelowPesewas: wallets.tellBelowPesewas,
    })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.userId))
    .innerJoin(wallets, eq(wallets.userId, phones.userId))
    .where(and(isAmong(phones.userId, userIds), wants, eq(users.status, "ACTIVE")))
    .orderBy(phones.userId);
  const budget = OF_PURCHASES.some((one) => one === kind) ? "sms.purchases" : "sms.money";
  const fit = await budgets.fitting(
    tx,
    budget,
    readers.map(({ userId }) => userId),
  );
  const told = readers.filter(({ userId }) => fit.has(userId));
  await messages.queueAll(
    tx,
    told.map((reader) => ({
      userId: reader.userId,
      kind,
      channel: "sms",
      recipient: reader.msisdn,
      subject: "",
      body: textFor(reader),
    })),
  );
}
