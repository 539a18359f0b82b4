// Money on its way into a wallet, and what became of money that did not arrive.
import type { Deposit } from "../../../core/payments/deposits/deposits.ts";
import { isGivenUp } from "../../../core/payments/giving-up.ts";
import type { Payment } from "../../../core/payments/payments.ts";
import { NETWORKS } from "../../../shared/domain.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { DepositChip, PaymentChip } from "../../ui/chips.tsx";
import { Once } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/frame/icons.tsx";
import { Money } from "../../ui/parts.tsx";
import { Ago, RowLink, RowList } from "../../ui/rows.tsx";
import type { WalletAction } from "./wallet.tsx";

const DAY_MS = 86_400_000;
const isRecent = (at: Date, days: number) => Date.now() - at.getTime() < days * DAY_MS;

/** Unsuccessful payments are shown for a day. Should money still arrive for one, it is in the history. */
function isNotYetThere(payment: Payment): boolean {
  const { state, createdAt } = payment;
  if (state === "review") return true;
  const isUnpaid = state === "pending" || state === "failed" || state === "expired";
  return isUnpaid && !isGivenUp(payment) && isRecent(createdAt, 1);
}

/** A refusal with its reason stays for a week. */
function isUndecided({ state, decidedAt }: Deposit): boolean {
  return state === "open" || (state === "refused" && decidedAt !== null && isRecent(decidedAt, 7));
}

type Props = { payments: Payment[]; deposits: Deposit[] };

/** Payments and deposits that are not in the wallet; nothing when there are none. */
export function NotYetThere(props: Props) {
  const payments = props.payments.filter(isNotYetThere);
  const deposits = props.deposits.filter(isUndecided);
  if (payments.length + deposits.length === 0) return null;
  return (
    <section className="not-yet" aria-labelledby="not-yet">
      <h2 className="row-day" id="not-yet">
        Not in your wallet
      </h2>
      <RowList>
        {payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
        {deposits.map((deposit) => (
          <DepositRow key={deposit.id} deposit={deposit} />
        ))}
      </RowList>
      {payments.some(({ state }) => state === "pending") && <GiveUpForm />}
    </section>
  );
}

function PaymentRow({ payment }: { payment: Payment }) {
  const { reference, network, payerMsisdn, amountPesewas, createdAt } = payment;
  return (
    <RowLink
      href={`/payments/${reference}`}
      lead={<Icon name={network ? "phone" : "bank"} />}
      title={network ? NETWORKS[network] : "Card or bank"}
      line={payerMsisdn ? spacedMsisdn(payerMsisdn) : <Ago at={createdAt} hasDay />}
      amount={<Money pesewas={amountPesewas} />}
      state={<PaymentChip payment={payment} />}
    />
  );
}

function DepositRow({ deposit }: { deposit: Deposit }) {
  const { transactionId, amountPesewas, reason } = deposit;
  return (
    <RowLink
      href="/wallet/manual#deposits"
      lead={<Icon name="money" />}
      title="Sent by hand"
      line={<bdi>{reason ?? transactionId}</bdi>}
      amount={<Money pesewas={amountPesewas} />}
      state={<DepositChip deposit={deposit} />}
    />
  );
}

function GiveUpForm() {
  return (
    <Form<WalletAction> to="/wallet" does="giveUp" className="actions">
      <button className="quiet tiny" type="submit" data-sending="One moment…">
        I will not pay what waits here
      </button>
      <span className="small soft">If you approve one later, we still credit your wallet.</span>
      <Once />
    </Form>
  );
}
