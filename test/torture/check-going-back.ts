// The checker's rules of money that Paystack returns: what is booked, owed and held.
import type { Evidence, Reversal, Transfer } from "./evidence.ts";
import type { Flag, Index, Rule } from "./index-of.ts";

export const GOING_BACK_RULES: Rule[] = [
  reversalsAreBooked,
  bookingsAreTransfers,
  debtsAreTheirTransfers,
  creditsPayDebtsFirst,
  holdsAreOpenChargebacks,
  heldMoneyIsNotSpent,
];

const sumOf = (pesewas: number[]) => pesewas.reduce((sum, one) => sum + one, 0);
const amountsOf = (transfers: Transfer[] | undefined) =>
  sumOf((transfers ?? []).map(({ amountPesewas }) => amountPesewas));
const bookedOf = (reversals: Reversal[] | undefined) =>
  sumOf((reversals ?? []).filter(({ state }) => state === "booked").map(({ amountPesewas }) => amountPesewas));

/** What was returned of a credited payment is booked exactly, and is never more than was credited. */
function reversalsAreBooked({ books, providers }: Evidence, index: Index, flag: Flag): void {
  for (const { id, reference, state } of books.payments) {
    const credited = amountsOf(index.transfersOf.get(`topup ${id}`));
    const expected = Math.min(credited, providers.wentBack.get(reference) ?? 0);
    const booked = bookedOf(index.reversalsOf.get(id));
    if (booked !== expected) flag("a reversal is booked once", `${reference} (${state}): ${booked}, not ${expected}`);
  }
}

/** Each booked reversal was taken from the wallet, and the shortfall from receivables; no other was. */
function bookingsAreTransfers({ books }: Evidence, { transfersOf }: Index, flag: Flag): void {
  for (const { id, userId, state, amountPesewas } of books.reversals) {
    const parts = [...(transfersOf.get(`reversal ${id}`) ?? []), ...(transfersOf.get(`debt ${id}`) ?? [])];
    const expected = state === "booked" ? amountPesewas : 0;
    if (amountsOf(parts) !== expected || parts.some((part) => part.userId !== userId))
      flag("a booking is its transfers", `reversal ${id}: ${amountsOf(parts)}, not ${expected}`);
  }
  const known = new Set(books.reversals.map(({ id }) => id));
  for (const { id, reason, subjectId } of books.transfers)
    if ((reason === "reversal" || reason === "debt") && !known.has(subjectId))
      flag("a booking is its transfers", `transfer ${id} is about no reversal`);
}

/** An account owes its balance in receivables, and only an empty wallet owes. */
function debtsAreTheirTransfers({ books }: Evidence, _: Index, flag: Flag): void {
  const owed = new Map<number, number>();
  for (const { userId, debit, credit, amountPesewas } of books.transfers) {
    const change = debit === "receivables" ? amountPesewas : credit === "receivables" ? -amountPesewas : 0;
    if (change !== 0) owed.set(userId, (owed.get(userId) ?? 0) + change);
  }
  for (const { userId, balancePesewas, debtPesewas } of books.wallets) {
    const expected = owed.get(userId) ?? 0;
    if (debtPesewas !== expected)
      flag("a debt equals its transfers", `wallet ${userId}: ${debtPesewas}, not ${expected}`);
    if (debtPesewas > 0 && balancePesewas > 0) flag("only an empty wallet owes", `wallet ${userId}`);
  }
}

/** Whatever comes into a wallet that owes pays the debt, by the very next transfer. */
function creditsPayDebtsFirst({ books }: Evidence, _: Index, flag: Flag): void {
  for (const [userId, transfers] of Map.groupBy(books.transfers, (transfer) => transfer.userId)) {
    let owed = 0;
    for (const [n, transfer] of transfers.entries()) {
      if (transfer.debit === "receivables") owed += transfer.amountPesewas;
      if (transfer.reason === "debt_paid") owed -= transfer.amountPesewas;
      if (owed < 0) flag("a debt is paid once", `wallet ${userId}, transfer ${transfer.id}`);
      if (transfer.credit === "wallet" && owed > 0 && !isPayment(transfers[n + 1], transfer, owed))
        flag("a credit pays a debt first", `wallet ${userId}, transfer ${transfer.id}`);
    }
  }
}

function isPayment(next: Transfer | undefined, credit: Transfer, owed: number): boolean {
  if (next?.reason !== "debt_paid" || next.subjectId !== credit.id) return false;
  return next.amountPesewas === Math.min(owed, credit.amountPesewas);
}

/** A wallet holds what its open chargebacks may still take; closed ones hold nothing. */
function holdsAreOpenChargebacks({ books }: Evidence, index: Index, flag: Flag): void {
  const held = new Map<number, number>();
  for (const [paymentId, reversals] of index.reversalsOf) {
    const open = reversals.filter(({ kind, state }) => kind === "chargeback" && state === "open");
    const left = amountsOf(index.transfersOf.get(`topup ${paymentId}`)) - bookedOf(reversals);
    const expected = Math.min(sumOf(open.map(({ amountPesewas }) => amountPesewas)), left);
    const holds = sumOf(reversals.map(({ heldPesewas }) => heldPesewas));
    if (holds !== expected || reversals.some((one) => one.heldPesewas > 0 && !open.includes(one)))
      flag("an open chargeback holds its amount", `payment ${paymentId}: ${holds}, not ${expected}`);
    for (const { userId, heldPesewas } of open) held.set(userId, (held.get(userId) ?? 0) + heldPesewas);
  }
  for (const { userId, heldPesewas } of books.wallets)
    if (heldPesewas !== (held.get(userId) ?? 0))
      flag("an open chargeback holds its amount", `wallet ${userId} holds ${heldPesewas}`);
}

/**
 * Times are those at which a transaction began, and it may have waited for the wallet: so close to the beginning or
 * the end of a hold, the order of events is unknown.
 */
const UNSURE_MS = 600_000;

/** No purchase left less in a wallet than was held at that moment, as far as the evidence shows. */
function heldMoneyIsNotSpent({ books }: Evidence, index: Index, flag: Flag): void {
  const holds = Map.groupBy(
    books.reversals.filter(({ kind }) => kind === "chargeback"),
    ({ userId }) => userId,
  );
  const creditOf = new Map(
    books.transfers.filter(({ reason }) => reason === "topup").map((transfer) => [transfer.subjectId, transfer]),
  );
  /** The minimum that the chargebacks of one payment held: other reversals of it may have come before. */
  const heldOf = (paymentId: number, inForce: Reversal[], beforeId: number) => {
    const credit = creditOf.get(paymentId);
    if (!credit || credit.id > beforeId) return 0;
    const others = (index.reversalsOf.get(paymentId) ?? []).filter((one) => !inForce.includes(one));
    return Math.max(
      0,
      Math.min(sumOf(inForce.map((one) => one.amountPesewas)), credit.amountPesewas - bookedOf(others)),
    );
  };
  for (const { id, userId, reason, subjectId, balanceAfterPesewas } of books.transfers) {
    const atMs = reason === "charge" ? index.orderById.get(subjectId)?.paidAtMs : null;
    if (!atMs) continue;
    const inForce = (holds.get(userId) ?? []).filter(
      ({ createdAtMs, endedAtMs }) =>
        createdAtMs + UNSURE_MS < atMs && (endedAtMs ?? Number.POSITIVE_INFINITY) - UNSURE_MS > atMs,
    );
    const byPayment = Map.groupBy(inForce, ({ paymentId }) => paymentId);
    const held = sumOf([...byPayment].map(([paymentId, all]) => heldOf(paymentId, all, id)));
    if (balanceAfterPesewas! < held)
      flag("held money is not spent", `order ${subjectId}: ${balanceAfterPesewas} left, ${held} held`);
  }
}
