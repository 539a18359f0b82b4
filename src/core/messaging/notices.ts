// Notices, queued in the commit of the change they report: SMS to agents with a confirmed phone who chose them, and
// e-mail to agents. staff-notices.ts has those for staff.
import { and, eq, lt, lte, max, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import { transfers, wallets } from "../../../db/schema/ledger.ts";
import { bulkOrders, orders } from "../../../db/schema/orders.ts";
import { prompts } from "../../../db/schema/payments.ts";
import type { By, HookPause, OrderStatus } from "../../shared/domain.ts";
import { availableOf } from "../../shared/funds.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import * as jobs from "../platform/jobs.ts";
import { isAmong } from "../platform/sql.ts";
import * as customerNotices from "./customer-notices.ts";
import { type Translate, translatorOf } from "./languages/translate.ts";
import * as lowBalanceWebhooks from "./low-balance-webhooks.ts";
import * as messages from "./messages.ts";
import * as push from "./push.ts";
import * as smsTexts from "./texts/sms-texts.ts";
import * as texts from "./texts/texts.ts";
import * as wordings from "./texts/wordings.ts";

type Order = typeof orders.$inferSelect;

/**
 * Refunds of failed orders, by SMS and push: one SMS per owner, however many orders. None to an agent who cancelled
 * their own.
 */
export async function ordersRefunded(tx: Tx, by: By, refunded: Order[]): Promise<void> {
  const byOwner = Map.groupBy(
    refunded.filter((order) => order.userId !== by.userId),
    (order) => order.userId,
  );
  await push.ordersChanged(tx, "order_refunded", byOwner);
  await notify(tx, "order_refunded", eq(phones.wantsRefunds, true), [...byOwner.keys()], (reader) =>
    smsTexts.ordersRefunded(reader.t, byOwner.get(reader.userId)!, reader),
  );
}

/** A payment that went into the wallet instead of buying its order, with the reason. */
export async function orderNotPaid(
  tx: Tx,
  { userId, amountPesewas }: { userId: number; amountPesewas: number },
  orderId: number,
  reason: string,
): Promise<void> {
  await notify(tx, "wallet_topped_up", eq(phones.wantsTopUps, true), [userId], (reader) =>
    smsTexts.orderNotPaid(reader.t, orderId, amountPesewas, reason, reader),
  );
}

/**
 * Money that has come into a wallet, with how to continue the purchase that waits for it if the balance now suffices.
 * Call it after the money is posted.
 */
export async function walletToppedUp(
  tx: Tx,
  { userId, amountPesewas }: { userId: number; amountPesewas: number },
  waiting: (smsTexts.Waiting & { neededPesewas: number }) | null,
): Promise<void> {
  const isEnough = (pesewas: number) => waiting !== null && waiting.neededPesewas <= pesewas;
  await notify(tx, "wallet_topped_up", eq(phones.wantsTopUps, true), [userId], (reader) =>
    smsTexts.walletToppedUp(reader.t, amountPesewas, reader, isEnough(availableOf(reader)) ? waiting : null),
  );
}

/** A failed payment by prompt, to agents who started it on their phone; others see it in the browser. */
export async function topUpFailed(
  tx: Tx,
  { id, userId, amountPesewas, orderId }: { id: number; userId: number; amountPesewas: number; orderId: number | null },
  reason: string,
): Promise<void> {
  const [prompt] = await tx.select({ id: prompts.paymentId }).from(prompts).where(eq(prompts.paymentId, id));
  if (!prompt) return;
  const clause = reason.replace(/\.$/, "").slice(0, 60);
  await messages.queueToPhone(tx, {
    userId,
    kind: "top_up_failed",
    textFor: (t) =>
      orderId === null
        ? smsTexts.topUpFailed(t, amountPesewas, clause)
        : smsTexts.orderPaymentFailed(t, orderId, amountPesewas, clause),
  });
}

/** Deliveries, to those who sold them and to their customers. `fromOf` has the orders' statuses before. */
export async function ordersMoved(tx: Tx, moved: Order[], fromOf: ReadonlyMap<number, OrderStatus>): Promise<void> {
  const delivered = moved.filter(({ status }) => status === "DELIVERED");
  if (delivered.length > 0) await ordersDelivered(tx, delivered);
  await customerNotices.ordersMoved(tx, moved, fromOf);
}

/** By SMS and push: one SMS per owner, however many orders. */
async function ordersDelivered(tx: Tx, delivered: Order[]): Promise<void> {
  const byOwner = Map.groupBy(delivered, (order) => order.userId);
  await push.ordersChanged(tx, "order_delivered", byOwner);
  await notify(tx, "order_delivered", eq(phones.wantsDeliveries, true), [...byOwner.keys()], ({ t, userId }) =>
    smsTexts.ordersDelivered(t, byOwner.get(userId)!),
  );
}

/** A purchase, and the balance right after it. */
type Bought = smsTexts.Accepted & { balancePesewas: number };

/** A paid purchase: one SMS, however many orders. `isPromised`: also to agents who did not choose these notices. */
export async function ordersAccepted(
  tx: Tx,
  userId: number,
  { balancePesewas, ...accepted }: Bought,
  isPromised = false,
): Promise<void> {
  const wants = isPromised ? sql`true` : eq(wallets.notifyPurchases, true);
  await notify(tx, "order_accepted", wants, [userId], ({ t, heldPesewas }) =>
    smsTexts.ordersAccepted(t, accepted, { balancePesewas, heldPesewas }),
  );
}

/**
 * A purchase that took the available funds below the agent's threshold; nothing when they were below it before. Both
 * amounts are what could be spent, in pesewas.
 */
export async function balanceLow(
  tx: Tx,
  userId: number,
  { beforePesewas, afterPesewas }: { beforePesewas: number; afterPesewas: number },
): Promise<void> {
  const { lowBalancePesewas } = wallets;
  const isCrossed = sql`${lowBalancePesewas} > ${afterPesewas} and ${lte(lowBalancePesewas, beforePesewas)}`;
  await notifyLow(tx, userId, isCrossed);
}

/**
 * Sends the notices that the purchase statement only queued, to save its time: up to `countMax` of each kind. The job
 * is deleted in the commit that queues the message, so that a worker which dies neither repeats nor loses one.
 */
export async function sendDue(db: Db, countMax: number): Promise<number> {
  const due = [
    ...(await jobs.claim(db, "tell_accepted", countMax)),
    ...(await jobs.claim(db, "tell_balance_low", countMax)),
  ];
  for (const job of due) {
    await db.transaction(async (tx) => {
      if (!(await jobs.take(tx, job.id))) return;
      const [order] = await tx.select().from(orders).where(eq(orders.id, job.subjectId));
      if (job.kind === "tell_accepted") await ordersAccepted(tx, order!.userId, await purchaseOf(tx, order!));
      // Not to an agent who has topped up meanwhile.
      else await notifyLow(tx, order!.userId, lt(AVAILABLE, wallets.lowBalancePesewas));
    });
  }
  return due.length;
}

/** E-mail to a webhook's owner that it is paused. */
export async function webhookPaused(
  tx: Tx,
  { userId, url }: { userId: number; url: string },
  reason: Exclude<HookPause, "owner" | "unproven">,
): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  if (owner?.status !== "ACTIVE") return;
  await messages.queueMail(tx, owner, texts.webhookPaused(owner.username, url, reason));
}

/** E-mail with support's reply, to the author of the request. */
export async function supportAnswered(
  tx: Tx,
  { userId, subject }: { userId: number; subject: string | null },
  message: string,
): Promise<void> {
  const [author] = await tx.select().from(users).where(eq(users.id, userId));
  if (author?.status !== "ACTIVE") return;
  await messages.queueMail(tx, author, texts.supportAnswered(author.username, subject, message));
}

/** E-mail to an account's previous mailbox that its address has changed. */
export async function emailChanged(
  tx: Tx,
  before: { id: number; username: string; email: string | null },
  email: string,
): Promise<void> {
  await messages.queueMail(tx, before, texts.emailChanged(before.username, email));
}

/** E-mail to an account's mailbox that its phone gets no more notices. */
export async function smsStopped(tx: Tx, userId: number, msisdn: string): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  if (owner?.status === "ACTIVE") await messages.queueMail(tx, owner, texts.smsStopped(owner.username, msisdn));
}

/** SQL for what a wallet can spend, in pesewas. */
const AVAILABLE = sql`${wallets.balancePesewas} - ${wallets.heldPesewas}`;

/** The total of an order, or of the bulk order whose first line it is, and the balance right after it. */
async function purchaseOf(tx: Reads, first: Order): Promise<Bought> {
  const [bulk] =
    first.bulkOrderId === null ? [] : await tx.select().from(bulkOrders).where(eq(bulkOrders.id, first.bulkOrderId));
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

/** By SMS, and to the account's webhooks. */
async function notifyLow(tx: Tx, userId: number, isLow: SQL): Promise<void> {
  await lowBalanceWebhooks.queueIfLow(tx, userId, isLow);
  await notify(tx, "balance_low", isLow, [userId], (reader) =>
    smsTexts.balanceLow(reader.t, reader, reader.lowBalancePesewas!),
  );
}

type Reader = {
  /** Renders texts in the reader's language. */
  t: Translate;
  userId: number;
  msisdn: string;
  balancePesewas: number;
  heldPesewas: number;
  lowBalancePesewas: number | null;
};

/** Notices that purchases cause, on a budget of their own: buying and cancelling must not send SMS without end. */
const OF_PURCHASES = ["order_accepted", "order_delivered", "balance_low"] as const;
const OF_MONEY = ["order_refunded", "wallet_topped_up"] as const;
type Kind = (typeof OF_PURCHASES | typeof OF_MONEY)[number];

/**
 * Queues an SMS to those of these users who have a phone and chose the notice (`wants`, a condition on phone or
 * wallet), within their hourly budget; beyond it they still see everything in the app.
 */
export async function notify(
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
      language: users.language,
      msisdn: phones.msisdn,
      balancePesewas: wallets.balancePesewas,
      heldPesewas: wallets.heldPesewas,
      lowBalancePesewas: wallets.lowBalancePesewas,
    })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.userId))
    .innerJoin(wallets, eq(wallets.userId, phones.userId))
    .where(and(isAmong(phones.userId, userIds), wants, eq(users.status, "ACTIVE")))
    .orderBy(phones.userId);
  const budget = OF_PURCHASES.some((purchaseKind) => purchaseKind === kind) ? "sms.purchases" : "sms.money";
  const withinBudget = await budgets.trySpendAll(
    tx,
    budget,
    readers.map(({ userId }) => userId),
  );
  const current = await wordings.current(tx);
  const recipients = readers.filter(({ userId }) => withinBudget.has(userId));
  await messages.queueAll(
    tx,
    recipients.map((reader) => ({
      userId: reader.userId,
      kind,
      channel: "sms",
      recipient: reader.msisdn,
      subject: "",
      body: textFor({ ...reader, t: translatorOf(current, reader.language ?? "en") }),
    })),
  );
}
