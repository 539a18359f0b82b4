// Chips that show a state by a word and a colour.

import type * as pins from "../../core/identity/phones/pins.ts";
import type { Deposit } from "../../core/payments/deposits/deposits.ts";
import type * as payments from "../../core/payments/payments.ts";

export type Payment = payments.Payment;

export const PAYMENT_CHIPS: Record<Payment["state"], [tone: string, label: string]> = {
  created: ["", "Not started"],
  pending: ["warn", "Waiting"],
  paid: ["good", "Paid"],
  failed: ["bad", "Failed"],
  expired: ["bad", "Expired"],
  review: ["warn", "Being checked"],
  reversed: ["bad", "Reversed"],
  closed: ["", "Decided"],
};

export function PaymentChip({ payment }: { payment: Pick<Payment, "state"> }) {
  const [tone, label] = PAYMENT_CHIPS[payment.state];
  return <span className={`chip ${tone}`}>{label}</span>;
}

const DEPOSIT_CHIPS: Record<Deposit["state"], [tone: string, label: string]> = {
  open: ["warn", "Waiting"],
  approved: ["good", "In your wallet"],
  refused: ["bad", "Refused"],
};

export function DepositChip({ deposit }: { deposit: Pick<Deposit, "state"> }) {
  const [tone, label] = DEPOSIT_CHIPS[deposit.state];
  return <span className={`chip ${tone}`}>{label}</span>;
}

/** Whether the PIN can be used now. */
export function PinChip({ pin }: { pin: pins.PinState }) {
  return pin.lockedUntil ? <span className="chip bad">Locked</span> : <span className="chip good">Set</span>;
}
