// The checker's rules of money: wallets, orders and payments.
import { GOING_BACK_RULES } from "./check-going-back.ts";
import type { Evidence, Order } from "./evidence.ts";
import type { Flag, Index, Rule } from "./index-of.ts";

export const MONEY_RULES: Rule[] = [
  paymentsAreCredited,
  noUnpaidCredits,
  eachOrderEndsOnce,
  walletsAreTheirTransfers,
  walletsMatchClients,
  ...GOING_BACK_RULES,
];

/** What a payer paid is credited once, in that amount, unless all of it was returned before and an admin noted so. */
function paymentsAreCredited({ books, providers }: Evidence, { transfersOf }: Index, flag: Flag): void {
  const payments = new Map(books.payments.map((payment) => [payment.reference, payment]));
  for (const [reference, pesewas] of providers.paid) {
    const payment = payments.get(reference);
    const credits = payment ? (transfersOf.get(`topup ${payment.id}`) ?? []) : [];
    const isGone = payment?.state === "closed" && (providers.wentBack.get(reference) ?? 0) >= pesewas;
    if (isGone && credits.length === 0) continue;
    const isOnce = credits.length === 1 && credits[0]!.amountPesewas === pesewas;
    if (!isOnce || credits[0]!.userId !== payment!.userId)
      flag("a payment is credited once", `${reference}: ${credits.length} credits, ${payment?.state}`);
  }
}

/** Nothing is credited that nobody paid. */
function noUnpaidCredits({ operations, books, providers }: Evidence, { transfersOf }: Index, flag: Flag): void {
  for (const { payment } of operations)
    if (payment?.isPaid && !providers.paid.has(payment.reference))
      flag("providers remember what they reported", payment.reference);
  for (const { id, reference } of books.payments)
    if (!providers.paid.has(reference) && transfersOf.has(`topup ${id}`)) flag("nothing unpaid is credited", reference);
}

/** A paid order was charged once; it has ended; and it was refunded, once, if and only if it failed. */
function eachOrderEndsOnce({ books }: Evidence, { transfersOf }: Index, flag: Flag): void {
  for (const { id, userId, amountPesewas, status, isPaid } of books.orders) {
    const count = (reason: string) =>
      (transfersOf.get(`${reason} ${id}`) ?? []).filter(
        (transfer) => transfer.userId === userId && transfer.amountPesewas === amountPesewas,
      ).length;
    if (count("charge") !== (isPaid ? 1 : 0)) flag("a paid order is charged once", `order ${id}`);
    const refunds = count("refund");
    if (refunds > 1) flag("no order is refunded twice", `order ${id}`);
    if ((refunds === 1) !== (isPaid && status === "FAILED"))
      flag("a failed order is refunded, and no other", `order ${id} is ${status}`);
    if (isPaid && status !== "FAILED" && status !== "COMPLETED")
      flag("every paid order ends", `order ${id} is ${status}`);
  }
}

/** Each wallet is the sum of its transfers, at every step of its history; all accounts together sum to zero. */
function walletsAreTheirTransfers({ books }: Evidence, _: Index, flag: Flag): void {
  const running = new Map<number, number>();
  const accounts = new Map<string, number>();
  const add = (account: string, pesewas: number) => accounts.set(account, (accounts.get(account) ?? 0) + pesewas);
  for (const { id, userId, debit, credit, amountPesewas, balanceAfterPesewas } of books.transfers) {
    add(debit === "wallet" ? `wallet ${userId}` : debit, -amountPesewas);
    add(credit === "wallet" ? `wallet ${userId}` : credit, amountPesewas);
    if (debit !== "wallet" && credit !== "wallet") continue;
    const after = (running.get(userId) ?? 0) + (credit === "wallet" ? amountPesewas : -amountPesewas);
    running.set(userId, after);
    if (after !== balanceAfterPesewas || after < 0)
      flag("a history is consistent", `transfer ${id}: ${balanceAfterPesewas}, not ${after}`);
  }
  for (const { userId, balancePesewas } of books.wallets)
    if (balancePesewas !== (accounts.get(`wallet ${userId}`) ?? 0))
      flag("every account equals its transfers", `wallet ${userId}`);
  const sum = [...accounts.values()].reduce((total, pesewas) => total + pesewas, 0);
  if (sum !== 0) flag("all accounts sum to zero", `${sum} pesewas`);
}

/**
 * A wallet holds what its owner can calculate: opening balance and deposits, less returns and purchases, plus debts.
 */
function walletsMatchClients({ operations, books, providers, openings }: Evidence, index: Index, flag: Flag): void {
  const wallets = new Map(books.wallets.map((wallet) => [wallet.userId, wallet]));
  const payments = new Map(books.payments.map((payment) => [payment.reference, payment]));
  const byAgent = Map.groupBy(operations, ({ agentId }) => agentId);
  for (const [agentId, openingPesewas] of openings) {
    const own = byAgent.get(agentId) ?? [];
    const paidIn = own.reduce((sum, { payment }) => {
      const pesewas = payment && providers.paid.get(payment.reference);
      if (!pesewas) return sum;
      const back = Math.min(pesewas, providers.wentBack.get(payment.reference) ?? 0);
      const isGift = payments.get(payment.reference)?.decision === "credit_asked";
      return sum + pesewas - back + (isGift ? payment.amountPesewas - pesewas : 0);
    }, 0);
    const spent = own
      .flatMap(({ lines }) => lines)
      .filter(({ msisdn }) => isPaidFor(index.ordersOf.get(msisdn)?.[0]))
      .reduce((sum, { amountPesewas }) => sum + amountPesewas, 0);
    const { balancePesewas, debtPesewas } = wallets.get(agentId)!;
    const expected = openingPesewas + paidIn - spent;
    if (balancePesewas - debtPesewas !== expected)
      flag(
        "a wallet holds what its owner can calculate",
        `${agentId}: ${balancePesewas} less ${debtPesewas} owed, not ${expected}`,
      );
  }
}

function isPaidFor(order: Order | undefined): boolean {
  return order?.isPaid === true && order.status !== "FAILED";
}
