// Payouts in words and figures: their state, their difference, and what Paystack holds.
import type * as payouts from "../../../../core/payments/payouts.ts";
import { show } from "../../../../shared/money.ts";
import { Figure, Moment, Money } from "../../../ui/parts.tsx";

type BalanceProps = { check: payouts.BalanceCheck | null; heldPesewas: number };

/** What Paystack holds, by itself and by the books; the difference is of the moment of the comparison. */
export function BalanceFigures({ check, heldPesewas }: BalanceProps) {
  const difference = check && check.providerPesewas - check.booksPesewas;
  return (
    <div className="grid sums">
      <Figure name="Held by Paystack" note={<span className="soft small">by our books</span>}>
        <Money pesewas={heldPesewas} />
      </Figure>
      {check && (
        <>
          <Figure
            name="Paystack's balance"
            note={
              <span className="soft small">
                compared <Moment at={check.createdAt} />
              </span>
            }
          >
            <Money pesewas={check.providerPesewas} />
          </Figure>
          <Figure
            name="Difference"
            note={
              difference === 0 ? (
                <span className="chip good">Agrees</span>
              ) : (
                <a className="small" href="/admin/reconciliation">
                  Compare payments
                </a>
              )
            }
          >
            <Money pesewas={difference!} />
          </Figure>
        </>
      )}
    </div>
  );
}

/** What to do about money that no payment of the shop is about. */
export const NOT_OURS =
  "Somebody paid by a link or page that was made at Paystack, so no wallet was credited. Find out who and what for " +
  "on Paystack's dashboard. A refund there ends the difference.";

const TONES: Record<string, string> = { success: "good", failed: "bad" };
const LABELS: Record<string, string> = {
  success: "At the bank",
  failed: "Failed",
  processing: "On its way",
  pending: "Planned",
};

export function StatusChip({ status }: { status: string }) {
  return <span className={`chip ${TONES[status] ?? "warn"}`}>{LABELS[status] ?? status}</span>;
}

/** What the payments brought beyond the payout: refunds that Paystack kept back, or a payment that is missing. */
export const keptBackOf = ({ amountPesewas, listedPesewas }: payouts.PayoutRow) => listedPesewas - amountPesewas;

export function PayoutDifference({ payout }: { payout: payouts.PayoutRow }) {
  if (!payout.isListed) return null;
  const keptBack = keptBackOf(payout);
  return (
    <>
      {keptBack > 0 && <span className="chip">{show(keptBack)} kept back</span>}
      {keptBack < 0 && <span className="chip warn">{show(-keptBack)} more than its payments</span>}{" "}
      {payout.unknown > 0 && (
        <span className="chip warn">
          {payout.unknown === 1 ? "1 payment is not ours" : `${payout.unknown} payments are not ours`}
        </span>
      )}
    </>
  );
}
