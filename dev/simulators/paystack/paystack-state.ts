// The state of the Paystack simulator: transactions, refunds and disputes, and their transitions.
import { createHash } from "node:crypto";
import type { Json } from "../json.ts";
import { amountOf, type Dispute, showDispute, showRefundEvent, showSuccess } from "./paystack-present.ts";
import type { Announce, BookSettings, Opening, Refund, RefundStatus, Steering, Transaction } from "./paystack-types.ts";

/** The one-time code of a payer, on Paystack's test data page and on the simulator's phone. */
export const RIGHT_OTP = "123456";
/** How long the networks give a payer (docs, Payment Channels: Mobile Money). */
const APPROVAL_WINDOW_SECONDS = 180;
const NOT_COMPLETED = "The transaction was not completed";

/** What outlives a restart. */
export type KeptBook = { transactions: Transaction[]; refunds: Refund[]; disputes: [string, Dispute][] };

/** The simulator's books, and every change of them. */
export class Book {
  readonly transactions = new Map<string, Transaction>();
  readonly refunds = new Map<bigint, Refund>();
  readonly #disputes = new Map<string, Dispute>();
  readonly #customers = new Map<string, Transaction["customer"]>();
  readonly #plans = new Map<string, Steering>();
  readonly #waiting = new Map<string, { dueAt: number; timer: Timer; act: () => Promise<void> }>();
  #count = 0;

  constructor(
    readonly settings: BookSettings,
    readonly announce: Announce,
  ) {}

  /** Opens a transaction; the caller has checked that its reference is new. */
  async open(opening: Opening): Promise<Transaction> {
    const id = this.#nextId();
    const reference = opening.reference ?? code("reference", id);
    const transaction: Transaction = {
      ...opening,
      id,
      reference,
      accessCode: code("access", id),
      customer: this.#customerOf(opening.email),
      domain: this.settings.domain,
      cancelUrl: cancelActionIn(opening.metadata),
      // Verify says "abandoned" from the first moment, as observed on the test API.
      status: "abandoned",
      message: null,
      gatewayResponse: NOT_COMPLETED,
      channel: opening.kind === "mobile_money" ? "mobile_money" : null,
      charge: null,
      createdAt: this.settings.clock(),
      paidAt: null,
      steering: this.#takePlans(reference),
    };
    this.transactions.set(reference, transaction);
    if (transaction.kind === "mobile_money") await this.#startCharge(transaction);
    else if (transaction.steering.payAtOnce) await this.pay(transaction, "card");
    return transaction;
  }

  /** Steers one payment or, with "next", the next one to be opened. A reference may be steered before it exists. */
  steer(reference: string, steering: Steering): void {
    const transaction = this.transactions.get(reference);
    if (transaction) Object.assign(transaction.steering, steering);
    else this.#plans.set(reference, { ...this.#plans.get(reference), ...steering });
  }

  /** Makes the payer pay; does nothing if they already have. */
  async pay(transaction: Transaction, channel = transaction.channel ?? "card"): Promise<void> {
    if (transaction.paidAt) return;
    this.#stopWaiting(transaction);
    const isWallet = channel === "mobile_money";
    Object.assign(transaction, {
      status: "success",
      charge: transaction.charge && "success",
      channel,
      paidAt: this.settings.clock(),
      // The docs' mobile money sample has "Approved" and "madePayment"; card payments were observed with
      // "Successful".
      gatewayResponse: isWallet ? "Approved" : "Successful",
      message: isWallet ? "madePayment" : null,
    } satisfies Partial<Transaction>);
    await this.announce(transaction, "charge.success", showSuccess(transaction));
  }

  /** Declines a card at the first step; the page stays open, and verify keeps saying "abandoned" (observed). */
  decline(transaction: Transaction): void {
    if (transaction.status === "abandoned") transaction.gatewayResponse = "Declined";
  }

  /** Fails the payment. Nobody is notified: Paystack has no event for it (docs, Webhooks). */
  fail(transaction: Transaction, message: string, gatewayResponse = "Declined"): void {
    if (transaction.paidAt) return;
    this.#stopWaiting(transaction);
    Object.assign(transaction, {
      status: "failed",
      charge: transaction.charge && "failed",
      message,
      gatewayResponse,
    } satisfies Partial<Transaction>);
  }

  refuse(transaction: Transaction): void {
    this.fail(transaction, "The payer refused the payment on the phone");
  }

  timeOut(transaction: Transaction): void {
    this.fail(transaction, "The payer did not approve the payment in time", "Timeout");
  }

  /** A single wrong code fails the charge for good, as observed on the test API; after the right one it continues. */
  async answerOtp(transaction: Transaction, otp: string): Promise<void> {
    if (transaction.charge !== "send_otp") return;
    if (otp !== RIGHT_OTP) {
      const message = "Token Authorization Not Successful. The one-time code was wrong";
      return this.fail(transaction, message, "Token Authorization Not Successful");
    }
    if (endingOf(transaction) === "05") return this.pay(transaction);
    this.#prompt(transaction);
  }

  refund(transaction: Transaction, ask: Pick<Refund, "amount" | "customerNote" | "merchantNote">): Refund {
    const refund: Refund = {
      ...ask,
      id: this.#nextId(),
      reference: transaction.reference,
      status: "pending",
      disputeId: null,
      createdAt: this.settings.clock(),
      refundedAt: null,
    };
    this.refunds.set(refund.id, refund);
    transaction.status = "reversal-pending";
    void this.announce(transaction, "refund.pending", showRefundEvent(refund, transaction, "pending"));
    if (this.settings.refundStepMs !== null) this.#walkRefund(refund, this.settings.refundStepMs);
    return refund;
  }

  /** Moves a refund on and sends its event. Its effect on the payment's own status is undocumented. */
  async moveRefund(refund: Refund, status: RefundStatus): Promise<void> {
    const transaction = this.transactions.get(refund.reference)!;
    refund.status = status;
    if (status === "processed") refund.refundedAt = this.settings.clock();
    const open = this.refundsOf(transaction).filter((r) => r.status !== "failed");
    const settled = open.filter((r) => r.status === "processed").reduce((sum, r) => sum + r.amount, 0);
    if (settled >= amountOf(transaction)) transaction.status = "reversed";
    else transaction.status = open.every((r) => r.status === "processed") ? "success" : "reversal-pending";
    await this.announce(transaction, `refund.${status}`, showRefundEvent(refund, transaction, status));
  }

  refundsOf(transaction: Transaction): Refund[] {
    return [...this.refunds.values()].filter((refund) => refund.reference === transaction.reference);
  }

  /** Opens a chargeback by the payer's bank; "merchant-accepted" means that the money goes back. */
  async dispute(
    transaction: Transaction,
    step: "create" | "remind" | "resolve",
    resolution: "merchant-accepted" | "declined" = "merchant-accepted",
  ): Promise<void> {
    const dispute = this.#disputes.get(transaction.reference) ?? {
      id: this.#nextId(),
      resolution: null,
      openedAt: this.settings.clock(),
    };
    this.#disputes.set(transaction.reference, dispute);
    if (step === "resolve") dispute.resolution = resolution;
    if (dispute.resolution === "merchant-accepted") this.#giveBack(transaction, dispute);
    await this.announce(transaction, `charge.dispute.${step}`, showDispute(dispute, transaction));
  }

  /**
   * The list of refunds also has the money of a lost dispute, with the dispute's id (docs, Refunds: the field
   * dispute).
   */
  #giveBack(transaction: Transaction, dispute: Dispute): void {
    transaction.status = "reversed";
    if ([...this.refunds.values()].some((refund) => refund.disputeId === dispute.id)) return;
    const now = this.settings.clock();
    const id = this.#nextId();
    this.refunds.set(id, {
      id,
      reference: transaction.reference,
      amount: amountOf(transaction),
      status: "processed",
      customerNote: null,
      merchantNote: null,
      disputeId: dispute.id,
      createdAt: now,
      refundedAt: now,
    });
  }

  /** Does whatever is due, for tests that move the clock instead of waiting. */
  async settleDue(): Promise<void> {
    const now = this.settings.clock().getTime();
    const due = [...this.#waiting.values()].filter((wait) => wait.dueAt <= now);
    for (const { act } of due) await act();
  }

  toKeep(): KeptBook {
    const [transactions, refunds] = [[...this.transactions.values()], [...this.refunds.values()]];
    return { transactions, refunds, disputes: [...this.#disputes] };
  }

  recall({ transactions, refunds, disputes }: KeptBook): void {
    for (const transaction of transactions) this.transactions.set(transaction.reference, transaction);
    for (const refund of refunds) this.refunds.set(refund.id, refund);
    for (const [reference, dispute] of disputes) this.#disputes.set(reference, dispute);
  }

  reset(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    for (const memory of [this.transactions, this.refunds, this.#disputes, this.#customers]) memory.clear();
    this.#plans.clear();
    this.#waiting.clear();
    this.#count = 0;
  }

  /**
   * The last two digits of the number decide. Paystack's own test mode approves every number at once, so these
   * numbers are the simulator's; the answers are those of the docs (Payment Channels: Mobile Money).
   */
  async #startCharge(transaction: Transaction): Promise<void> {
    const ending = endingOf(transaction);
    const isTelecelVoucher = transaction.provider === "vod" && this.settings.otpForTelecel;
    transaction.charge = "pending";
    if (transaction.phone!.length < 9) this.fail(transaction, "Invalid phone number", "Failed");
    else if (ending === "03" || transaction.steering.payAtOnce) await this.pay(transaction);
    else if (ending === "04") transaction.status = "pending";
    else if (ending === "05" || isTelecelVoucher)
      Object.assign(transaction, { charge: "send_otp", status: "ongoing" } satisfies Partial<Transaction>);
    else this.#prompt(transaction);
  }

  #prompt(transaction: Transaction): void {
    transaction.charge = "pay_offline";
    transaction.status = "ongoing";
    const ending = endingOf(transaction);
    const seconds = ending === "02" ? APPROVAL_WINDOW_SECONDS : this.settings.approveSeconds;
    this.#wait(transaction.reference, (seconds * 1000) / this.settings.speed, async () => {
      if (ending === "02") this.timeOut(transaction);
      else if (ending === "01") this.refuse(transaction);
      else await this.pay(transaction);
    });
  }

  #walkRefund(refund: Refund, stepMs: number): void {
    const key = `refund ${refund.id}`;
    this.#wait(key, stepMs, async () => {
      if (refund.status === "pending") {
        await this.moveRefund(refund, "processing");
        this.#walkRefund(refund, stepMs);
      } else if (refund.status === "processing") await this.moveRefund(refund, "processed");
    });
  }

  #wait(key: string, ms: number, act: () => Promise<void>): void {
    const once = async () => {
      if (this.#waiting.get(key) !== wait) return;
      clearTimeout(wait.timer);
      this.#waiting.delete(key);
      await act();
    };
    const wait = {
      dueAt: this.settings.clock().getTime() + ms,
      timer: setTimeout(() => void once(), ms),
      act: once,
    };
    wait.timer.unref();
    this.#waiting.set(key, wait);
  }

  #stopWaiting(transaction: Transaction): void {
    const wait = this.#waiting.get(transaction.reference);
    if (wait) clearTimeout(wait.timer);
    this.#waiting.delete(transaction.reference);
  }

  #takePlans(reference: string): Steering {
    const steering = { ...this.#plans.get("next"), ...this.#plans.get(reference) };
    this.#plans.delete("next");
    this.#plans.delete(reference);
    return steering;
  }

  #customerOf(email: string): Transaction["customer"] {
    const known = this.#customers.get(email.toLowerCase());
    if (known) return known;
    const number = this.#customers.size + 1;
    const customer = { id: 181_873_700 + number, code: `CUS_${code("customer", BigInt(number))}` };
    this.#customers.set(email.toLowerCase(), customer);
    return customer;
  }

  #nextId(): bigint {
    this.#count += 1;
    return this.settings.firstId + BigInt(this.#count);
  }
}

/** Letters and digits that look random but are the same in every run. */
function code(kind: string, number: bigint): string {
  return createHash("sha256").update(`${kind} ${number}`).digest("hex").slice(0, 15);
}

function endingOf(transaction: Transaction): string {
  return transaction.phone!.slice(-2);
}

/** The return address of a payer who cancels (docs, Metadata: cancel_action). */
function cancelActionIn(metadata: Json): string | null {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return null;
  return typeof metadata.cancel_action === "string" ? metadata.cancel_action : null;
}
