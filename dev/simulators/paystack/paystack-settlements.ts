// Settlements of the simulated Paystack: payouts to the merchant's bank, and the balance until then, after the samples
// of the API reference (Settlements: "List Settlements", "List Settlement Transactions"; Transfers Control: "Check
// Balance"). There is no webhook about them.
import type { Call, Reply } from "../http.ts";
import { json } from "../http.ts";
import type { JsonObject } from "../json.ts";
import { amountOf, showTransaction } from "./paystack-present.ts";
import type { Book } from "./paystack-state.ts";
import type { Transaction } from "./paystack-types.ts";

export type SettlementStatus = "pending" | "processing" | "success" | "failed";
export type Settlement = {
  id: number;
  references: string[];
  status: SettlementStatus;
  /** Refunds since the last one, which Paystack keeps back. */
  deductions: number;
  createdAt: Date;
};

const FIRST_ID = 3_090_024;
const INTEGRATION = 463433;
const PAID = new Set(["success", "reversed", "reversal-pending"]);

export type KeptSettlements = { all: Settlement[]; deducted: number };

export class Settlements {
  readonly all: Settlement[] = [];
  #deducted = 0;

  constructor(readonly book: Book) {}

  /** Pays out everything that was paid since the last time, and returns the settlement's id. */
  settle(status: SettlementStatus = "success"): number {
    const settled = new Set(this.all.flatMap(({ references }) => references));
    const references = [...this.book.transactions.values()]
      .filter((one) => isPaid(one) && !settled.has(one.reference))
      .map(({ reference }) => reference);
    const deductions = this.#refunded() - this.#deducted;
    this.#deducted += deductions;
    const id = FIRST_ID + this.all.length;
    this.all.push({ id, references, status, deductions, createdAt: this.book.settings.clock() });
    return id;
  }

  move(id: number, status: SettlementStatus): void {
    this.all.find((one) => one.id === id)!.status = status;
  }

  toKeep(): KeptSettlements {
    return { all: this.all, deducted: this.#deducted };
  }

  recall({ all, deducted }: KeptSettlements): void {
    this.all.push(...all);
    this.#deducted = deducted;
  }

  reset(): void {
    this.all.length = 0;
    this.#deducted = 0;
  }

  /** GET /settlement, newest first. */
  list({ query }: Call): Reply {
    const status = query.get("status");
    const rows = this.all.filter((one) => status === null || one.status === status).reverse();
    return answer("Settlements retrieved", rows, query, (one) => this.#show(one));
  }

  /** GET /settlement/:id/transactions. */
  transactions({ params, query }: Call): Reply {
    const settlement = this.all.find(({ id }) => String(id) === params.id);
    if (!settlement)
      return json(404, {
        status: false,
        message: "Settlement not found",
        type: "validation_error",
        code: "not_found",
      });
    const rows = settlement.references.map((reference) => this.book.transactions.get(reference)!);
    return answer("Transactions retrieved", rows, query, showTransaction);
  }

  /** GET /balance: what was paid, less fees, refunds and successful settlements. */
  balance(): Reply {
    const paid = [...this.book.transactions.values()].filter(isPaid);
    const paidOut = this.all.filter(({ status }) => status === "success");
    const out = paidOut.reduce((sum, one) => sum + this.#sums(one).effective, 0);
    const balance = paid.reduce((sum, one) => sum + netOf(one), 0) - this.#refunded() - out;
    return json(200, { status: true, message: "Balances retrieved", data: [{ currency: "GHS", balance }] });
  }

  #refunded(): number {
    return [...this.book.refunds.values()]
      .filter(({ status }) => status === "processed")
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  #sums({ references, deductions }: Settlement): { processed: number; fees: number; effective: number } {
    const paid = references.map((reference) => this.book.transactions.get(reference)!);
    const processed = paid.reduce((sum, one) => sum + amountOf(one), 0);
    const fees = paid.reduce((sum, one) => sum + feesOf(one), 0);
    return { processed, fees, effective: Math.max(0, processed - fees - deductions) };
  }

  #show(settlement: Settlement): JsonObject {
    const { processed, fees, effective } = this.#sums(settlement);
    const { id, status, deductions, createdAt } = settlement;
    return {
      id,
      domain: this.book.settings.domain,
      status,
      currency: "GHS",
      integration: INTEGRATION,
      total_amount: processed - fees,
      effective_amount: effective,
      total_fees: fees,
      total_processed: processed,
      deductions: deductions === 0 ? null : deductions,
      settlement_date: `${createdAt.toISOString().slice(0, 10)}T00:00:00.000Z`,
      settled_by: null,
      createdAt: createdAt.toISOString(),
      updatedAt: createdAt.toISOString(),
    };
  }
}

function isPaid(transaction: Transaction): boolean {
  return transaction.paidAt !== null && PAID.has(String(showTransaction(transaction).status));
}

const feesOf = (transaction: Transaction) => Number(showTransaction(transaction).fees ?? 0);
const netOf = (transaction: Transaction) => amountOf(transaction) - feesOf(transaction);

function answer<T>(message: string, all: T[], query: URLSearchParams, show: (one: T) => JsonObject): Reply {
  const whole = (name: string, fallback: number) => {
    const text = query.get(name);
    return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fallback;
  };
  const [perPage, page] = [whole("perPage", 50), whole("page", 1)];
  const skipped = (page - 1) * perPage;
  const data = all.slice(skipped, skipped + perPage).map((one) => show(one));
  const meta = { total: all.length, skipped, perPage, page, pageCount: Math.ceil(all.length / perPage) };
  return json(200, { status: true, message, data, meta });
}
