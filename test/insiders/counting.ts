// The money that an act moves into and out of wallets, from the ledger's transfers, with the limit of what one person
// may do alone that it counts towards.
import type { Right } from "../../src/shared/rights.ts";
import type { Law } from "./law.ts";
import type { Change, Row } from "./witness.ts";

export type Counted = {
  /** The setting with the limit. */
  limit: string;
  /** The account that the money moved for. */
  userId: number;
  pesewas: number;
  /** Rights of which one lets somebody else decide. */
  rights: readonly Right[];
  /** Whoever it counts for, if that is not who acts. */
  byId?: number;
  /** The shop's own cash, which moves for no account: the transfer names whoever brought it to the bank. */
  isOfShop?: true;
  /** A limit of what imports credit by themselves that it counts towards as well. */
  importLimit?: string;
};

const REFUNDS: readonly Right[] = ["orders.refund", "cases.decide"];
const PAYMENTS: readonly Right[] = ["payments.decide"];

/** What a commit moves by somebody's decision; not what an agent spends or cancels, nor what Paystack confirms. */
export function countedIn(law: Law, changes: readonly Change[], actorId: number): Counted[] {
  const transfers = changes.flatMap(({ table, before, after }) =>
    table === "transfers" && before === null && after ? [after] : [],
  );
  const moved = transfers.flatMap((transfer) => {
    const one = countedOf(law, changes, transfer, actorId);
    return one ? [{ ...one, userId: Number(transfer.user_id), pesewas: Number(transfer.amount_pesewas) }] : [];
  });
  return [...moved, ...changes.flatMap(forgone), ...changes.flatMap(held)];
}

/** Money of a deposit that is held because a line of the statement says that the network took it back. */
function held({ table, before, after }: Change): Counted[] {
  if (table !== "deposit_reversals" || before || !after || Number(after.held_pesewas) === 0) return [];
  const [userId, pesewas] = [Number(after.user_id), Number(after.held_pesewas)];
  return [{ limit: "alone_holds_pesewas", rights: PAYMENTS, userId, pesewas }];
}

/** A deposit that the network took back, and that somebody leaves to its agent. */
function forgone({ table, before, after }: Change): Counted[] {
  if (table !== "deposit_reversals" || before?.state !== "open" || after?.state !== "dismissed") return [];
  const { user_id, amount_pesewas } = after;
  const limit = "alone_deposits_pesewas";
  return [{ limit, rights: PAYMENTS, userId: Number(user_id), pesewas: Number(amount_pesewas) }];
}

type Kind = Omit<Counted, "userId" | "pesewas">;

function countedOf(law: Law, changes: readonly Change[], transfer: Row, actorId: number): Kind | null {
  const isReview = changes.some(({ table, before }) => table === "payments" && before?.state === "review");
  const review: Kind = { limit: "alone_reviews_pesewas", rights: PAYMENTS };
  switch (transfer.reason) {
    case "adjustment":
      return isReview ? review : { limit: "alone_corrections_pesewas", rights: ["wallet.correct"] };
    case "topup":
      return isReview ? review : null;
    case "claim":
      return claimOf(law, changes, transfer);
    case "claim_reversal":
    case "claim_debt":
      return { limit: "alone_deposits_pesewas", rights: PAYMENTS };
    case "refund":
    case "refund_again": {
      const order = law.orders.get(Number(transfer.subject_id));
      // Its buyer cancels it.
      if (order?.userId === actorId && Number(transfer.user_id) === actorId) return null;
      const limit = order?.status === "COMPLETED" ? "alone_late_refunds_pesewas" : "alone_refunds_pesewas";
      return { limit, rights: REFUNDS };
    }
    case "cash_banked":
    case "bank_difference":
      return { limit: "alone_corrections_pesewas", rights: ["books.see"], isOfShop: true };
    case "refund_taken_back":
      return { limit: "alone_late_refunds_pesewas", rights: REFUNDS };
    default:
      return null;
  }
}

/** A deposit: by the statement, for whoever imported its line, or by a person. */
function claimOf(law: Law, changes: readonly Change[], { subject_id }: Row): Kind {
  const claim = changes.find(({ table, after }) => table === "deposits" && Number(after?.id) === Number(subject_id));
  if (!claim?.after?.is_automatic) return { limit: "alone_deposits_pesewas", rights: PAYMENTS };
  const lineId = Number(claim.after.line_id);
  const imported = changes.find(({ table, after }) => table === "statement_lines" && Number(after?.id) === lineId);
  const importId = imported ? Number(imported.after!.import_id) : law.lines.get(lineId);
  const importing = changes.find(({ table, after }) => table === "statement_imports" && Number(after?.id) === importId);
  const byId = importing?.actorId ?? law.importers.get(importId ?? 0) ?? -1;
  const importLimit = "statement_day_max_pesewas";
  return { limit: "alone_deposits_pesewas", rights: PAYMENTS, byId, importLimit };
}
