// Payments into wallets: starts them and takes the payer to the provider. Only settlement.ts decides whether one was
// paid. Every row is written before the provider is called, so that no payment can be made that we do not know of.
import { and, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx, TxOrDb } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { payments } from "../../../db/schema/payments.ts";
import { type ByUser, limits, type Network } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/phones/msisdn.ts";
import { refuseStale } from "../buying/line-refusals.ts";
import * as freezing from "../ledger/freezing.ts";
import * as ledger from "../ledger/ledger.ts";
import * as spendingLimits from "../ledger/limits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { inFlight } from "../platform/in-flight.ts";
import * as settings from "../platform/settings/settings.ts";
import * as switches from "../platform/switches.ts";
import type { Charged, PaymentGateway } from "./gateway.ts";
import * as promptLimits from "./prompt-limits.ts";
import * as settlement from "./settlement.ts";
import { successors } from "./successors.ts";
import * as topUpLimits from "./top-up-limits.ts";

export { messageOf } from "./messages.ts";
export type Payment = typeof payments.$inferSelect;
/** The provider's page for a payment. */
export type Opened = {
  authorizationUrl: string;
  reference: string;
  paymentId: number;
  amountPesewas: number;
};
/** The subject of a payment: a top-up that was started before, or an unpaid order. */
export type Subject = { paymentId: number } | { orderId: number };

/**
 * Starts a top-up; nothing is paid yet. Throws payment.below_minimum, payment.daily_limit, payment.balance_limit,
 * account.frozen, service.closed.
 */
export async function startTopUp(
  db: Db,
  command: { by: ByUser; key: Key | null; amountPesewas: number },
): Promise<Answered<{ id: number; amountPesewas: number; reference: string }>> {
  const { by, key, amountPesewas } = command;
  const begin = async (tx: Tx) => {
    const { id, reference } = await openTopUp(tx, by, amountPesewas);
    return { id, amountPesewas, reference };
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, by.userId);
  return once(db, by.userId, key, ["top-up", amountPesewas], begin, lockFirst);
}

/**
 * As `startTopUp`, in the caller's transaction, which has locked the wallet. Throws payment.below_minimum,
 * payment.daily_limit, payment.balance_limit, service.closed.
 */
export async function openTopUp(tx: Tx, by: ByUser, amountPesewas: number): Promise<Payment> {
  const { userId } = by;
  await switches.requireOpenFor(tx, by, "top_ups");
  const minimumPesewas = await settings.get(tx, "top_up_minimum_pesewas");
  if (amountPesewas < minimumPesewas) {
    const message = `The minimum top-up is ${show(minimumPesewas)}`;
    throw new AppError("payment.below_minimum", { fields: { amount: message } }, message);
  }
  await topUpLimits.refuseBeyond(tx, { userId, amountPesewas });
  return create(tx, { userId, amountPesewas });
}

/**
 * Opens the provider's page for a top-up or an order; returns the same page while it is open.
 * Throws payment.not_found, payment.not_payable, order.not_found, order.already_paid, order.not_payable,
 * product.not_found, product.paused, order.price_changed, order.daily_limit, order.hourly_limit, payment.daily_limit,
 * payment.balance_limit, account.frozen, service.closed, payment.gateway_down, payment.refused.
 */
export async function checkOut(
  db: Db,
  gateway: PaymentGateway,
  command: { by: ByUser; subject: Subject; email: string | null; callbackUrl: string; cancelUrl: string },
): Promise<Opened> {
  const { id } = await prepare(db, command.by, command.subject);
  // An impatient payer sends several requests at once: all get the same page.
  return openingOnce(db, id, () => openPage(db, gateway, id, command));
}

const openingOnce = inFlight<number, Opened>();
const checkingOnce = inFlight<string, settlement.Settled>();

type PageRequest = { email: string | null; callbackUrl: string; cancelUrl: string };
/** How often another process may have used the same reference first. */
const ATTEMPTS_MAX = 5;

async function openPage(db: Db, gateway: PaymentGateway, id: number, command: PageRequest): Promise<Opened> {
  const { callbackUrl, cancelUrl } = command;
  let payment = await byId(db, id);
  const email = command.email ?? (await emailOf(db, gateway, payment.userId));
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    if (payment.authorizationUrl) return opened(payment, payment.authorizationUrl);
    if (attempt === 1) await budgets.spend(db, "checkout.account", payment.userId);
    // Polled from before the call, so that its outcome is found even if our process ends now.
    await db.transaction((tx) => watch(tx, payment, gateway));
    const { reference, amountPesewas } = payment;
    const answer = await gateway.initialize({ reference, amountPesewas, email, callbackUrl, cancelUrl });
    if (answer.kind === "started") {
      const { authorizationUrl } = answer;
      await db.update(payments).set({ authorizationUrl, updatedAt: sql`now()` }).where(eq(payments.id, payment.id));
      return opened(payment, authorizationUrl);
    }
    if (answer.kind === "refused") {
      await settlement.markFailed(db, payment.id, answer.message);
      throw new AppError("payment.refused", { reason: answer.message });
    }
    // There may or may not be a page now: the payer tries again, and the poller checks.
    if (answer.kind === "unclear") break;
    // There is a page. If its address was lost, a new reference gets a new one; both can still be credited.
    payment = await byId(db, payment.id);
    if (!payment.authorizationUrl) payment = await supersede(db, payment);
  }
  throw new AppError("payment.gateway_down");
}

/**
 * Sends a mobile money prompt to the payer's phone. The call is made once and never repeated: when its outcome is
 * unclear, the payment stays pending and is polled. Throws as checkOut, and payment.in_progress.
 */
export async function charge(
  db: Db,
  gateway: PaymentGateway,
  command: {
    by: ByUser;
    subject: Subject;
    network: Network;
    msisdn: string;
    email?: string | null;
    /** Set for prompts requested by USSD, which were counted then. */
    isCounted?: boolean;
  },
): Promise<Payment> {
  const payer = { network: command.network, payerMsisdn: command.msisdn };
  const payment = await prepare(db, command.by, command.subject, payer);
  const email = command.email ?? (await emailOf(db, gateway, payment.userId));
  // One commit: a form sent twice counts once, and a refused one was never started.
  const begin = async (tx: Tx) => {
    const isFirst = payment.state === "created" && (await watch(tx, payment, gateway, payer));
    if (isFirst && !command.isCounted) await promptLimits.count(tx, payment.userId, command.msisdn);
    return isFirst;
  };
  if (!(await db.transaction(begin))) {
    // Requested twice, the phone is prompted once.
    const current = await get(db, command.by, payment.reference);
    if (current.network === command.network && current.payerMsisdn === command.msisdn) return current;
    throw new AppError("payment.in_progress");
  }
  const { reference, amountPesewas } = payment;
  const phone = localMsisdn(command.msisdn);
  const answer = await gateway.charge({ reference, amountPesewas, email, network: command.network, phone });
  return absorb(db, gateway, payment, answer);
}

/** Submits the one-time code that the network gave the payer. A wrong one ends the charge. Throws payment.not_found. */
export async function submitCode(
  db: Db,
  gateway: PaymentGateway,
  command: { by: ByUser; reference: string; code: string },
): Promise<Payment> {
  const payment = await get(db, command.by, command.reference);
  if (payment.state !== "pending" || !payment.needsCode) throw new AppError("payment.not_payable");
  await budgets.spend(db, "code.account", payment.userId);
  const answer = await gateway.submitCode({ reference: payment.reference, code: command.code });
  return absorb(db, gateway, payment, answer);
}

/**
 * Checks the caller's own payment with the provider, or returns the stored state when it was checked a moment ago.
 * Throws payment.not_found, request.rate_limited, and payment.unverified when the provider does not answer: the poller
 * keeps checking.
 */
export async function check(db: Db, gateway: PaymentGateway, by: ByUser, reference: string): Promise<Payment> {
  const known = await get(db, by, reference);
  // Every request counts, also one answered from our row: nobody needs many a minute.
  await budgets.spend(db, "verify.account", known.userId);
  const settled = await checkingOnce(db, reference, async () => {
    if (!(await budgets.trySpend(db, "verify.payment", known.id))) return null;
    return settlement.settle(db, gateway, reference);
  });
  if (!settled) return get(db, by, reference);
  if (settled.verdict === "unclear") throw new AppError("payment.unverified");
  return settled.payment;
}

/** The caller's own payment by reference; throws payment.not_found, also for somebody else's. */
export async function get(db: Db, by: ByUser, reference: string): Promise<Payment> {
  const [payment] = await db.select().from(payments).where(eq(payments.reference, reference));
  if (!payment || payment.userId !== by.userId) throw new AppError("payment.not_found");
  return payment;
}

/** A user's payments, newest first, those before the id `cursor`; without those that never reached the provider. */
export async function list(
  db: Db,
  userId: number,
  page: { cursor?: number | undefined; limit: number },
): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.userId, userId),
        sql`${payments.state} <> 'created'`,
        page.cursor ? lt(payments.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
}

/** The payer of a prompt; none for a payment page. */
type Payer = { network: Network; payerMsisdn: string };

async function prepare(db: Db, by: ByUser, subject: Subject, phone?: Payer): Promise<Payment> {
  await freezing.refuse(db, by.userId);
  if ("orderId" in subject) return forOrder(db, by, subject.orderId, phone);
  const [payment] = await db.select().from(payments).where(eq(payments.id, subject.paymentId));
  if (!payment || payment.userId !== by.userId) throw new AppError("payment.not_found");
  const newest = (await successors(db, payment)).at(-1) ?? payment;
  if (newest.state !== "created" && newest.state !== "pending") throw new AppError("payment.not_payable");
  // What has begun goes on: its payer may be approving it.
  if (newest.state === "created") await switches.requireOpenFor(db, by, "top_ups");
  return newest;
}

/** The order's open payment by the same method, or a new one. */
async function forOrder(db: Db, by: ByUser, orderId: number, phone?: Payer): Promise<Payment> {
  return db.transaction(async (tx) => {
    // Wallet, payment, order: the lock order of the core.
    await ledger.lockWallets(tx, [by.userId]);
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
    if (!order || order.userId !== by.userId) throw new AppError("order.not_found");
    if (order.paidAt) throw new AppError("order.already_paid");
    if (order.status !== "PENDING") throw new AppError("order.not_payable");
    await refuseStale(tx, order);
    // Told before the payer pays: money that arrives for such an order stays in the wallet.
    await spendingLimits.refuseBeyond(tx, order.userId, { amountPesewas: order.amountPesewas, orders: 1 });
    const [open] = await tx
      .select()
      .from(payments)
      .where(
        and(
          eq(payments.orderId, orderId),
          inArray(payments.state, ["created", "pending"]),
          // A prompt cannot be continued as a page, nor a page as a prompt.
          phone
            ? or(
                and(eq(payments.network, phone.network), eq(payments.payerMsisdn, phone.payerMsisdn)),
                eq(payments.state, "created"),
              )
            : isNull(payments.network),
        ),
      )
      .orderBy(desc(payments.id))
      .limit(1);
    if (open?.state !== "pending") await switches.requireOpenFor(tx, by, "sales", "top_ups");
    if (open) return open;
    const { userId, amountPesewas } = order;
    await topUpLimits.refuseBeyond(tx, { userId, orderId, amountPesewas });
    return create(tx, { userId, orderId, amountPesewas });
  });
}

/** Records a payment. Paystack's references allow letters, digits and "-" (Paystack, "Initialize Transaction"). */
export async function create(
  tx: TxOrDb,
  row: { userId: number; amountPesewas: number; orderId?: number | null; supersedesId?: number },
): Promise<Payment> {
  const reference = `${row.orderId ? "or" : "tp"}-${crypto.randomUUID()}`;
  const [payment] = await tx
    .insert(payments)
    .values({ ...row, reference })
    .returning();
  return payment!;
}

async function supersede(db: Db, old: Payment): Promise<Payment> {
  const { userId, orderId, amountPesewas, id: supersedesId } = old;
  return create(db, { userId, orderId, amountPesewas, supersedesId });
}

/**
 * Marks a payment as pending and schedules its polling; false when another request was first. Asks about the limits of
 * top-ups again: it may have been started long ago. Throws payment.daily_limit, payment.balance_limit.
 */
async function watch(tx: Tx, payment: Payment, gateway: PaymentGateway, phone: Partial<Payer> = {}): Promise<boolean> {
  const { domain } = gateway;
  const { firstPoll: pollAt } = settlement;
  if (payment.state === "created") await topUpLimits.refuseBeyond(tx, payment);
  const isOpen = and(inArray(payments.state, ["created", "pending"]), isNull(payments.network));
  const changed = await tx
    .update(payments)
    .set({ state: "pending", domain, pollAt, updatedAt: sql`now()`, ...phone })
    .where(and(eq(payments.id, payment.id), isOpen))
    .returning({ id: payments.id });
  return changed.length === 1;
}

async function absorb(db: Db, gateway: PaymentGateway, payment: Payment, answer: Charged): Promise<Payment> {
  if (answer.kind === "waiting") {
    const { needsCode, message: providerMessage } = answer;
    await db
      .update(payments)
      .set({ needsCode, providerMessage, updatedAt: sql`now()` })
      .where(and(eq(payments.id, payment.id), eq(payments.state, "pending")));
  }
  if (answer.kind === "refused") await settlement.markFailed(db, payment.id, answer.message);
  // "paid", "failed" and "duplicate" are not trusted: as everywhere, verify decides.
  if (answer.kind === "paid" || answer.kind === "failed" || answer.kind === "duplicate") {
    await settlement.settle(db, gateway, payment.reference);
  }
  return byId(db, payment.id);
}

async function byId(db: Db, id: number): Promise<Payment> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id));
  return payment!;
}

async function emailOf(db: Db, gateway: PaymentGateway, userId: number): Promise<string> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user || user.email === "") throw new AppError("payment.email_missing");
  return user.email ?? gateway.addressFor(userId);
}

function opened({ reference, id, amountPesewas }: Payment, authorizationUrl: string): Opened {
  return { authorizationUrl, reference, paymentId: id, amountPesewas };
}
