// The wallet on a user's page.
import { Fragment } from "react";
import type * as users from "../../../../core/identity/users.ts";
import type * as ledger from "../../../../core/ledger/ledger.ts";
import type * as wallet from "../../../../core/ledger/wallet.ts";
import type * as walletPayouts from "../../../../core/payments/wallet-payouts.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import { show } from "../../../../shared/money.ts";
import type { Refused } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink, Permit } from "../../../ui/frame/permitted.tsx";
import { PayoutList } from "../../../ui/orders/wallet-payouts.tsx";
import { Money } from "../../../ui/parts.tsx";
import type { UserAction } from "./user.tsx";

type WalletProps = {
  user: users.User;
  standing: wallet.Standing;
  holds: ledger.Hold[];
  payouts: walletPayouts.PayoutRow[];
  by: ByUser;
  refused: Refused | undefined;
  /** A correction that was typed into the search: "50.00". */
  correction: string | null;
};

/** The wallet, with the form for a correction: of somebody else's, and of staff's for owners only. */
export function WalletCard({ user, standing, holds, payouts, by, refused, correction }: WalletProps) {
  const { balancePesewas, availablePesewas } = standing;
  return (
    <section className="card" id="wallet">
      <h2>Wallet</h2>
      <p className="figure before">
        <Money pesewas={balancePesewas} />
      </p>
      <StandingFacts standing={standing} holds={holds} />
      {user.status !== "ACTIVE" && availablePesewas > 0 && user.id !== by.userId && (
        <Permit right="wallet.pay_out" over={user}>
          <p>
            <a className="button quiet" href={`/admin/users/${user.id}/payout`}>
              Pay out {show(availablePesewas)}
            </a>
          </p>
        </Permit>
      )}
      {payouts.length > 0 && <PayoutList payouts={payouts} />}
      {user.id !== by.userId && (
        <Permit right="wallet.correct" over={user}>
          <details open={correction !== null || refused !== undefined || undefined}>
            <summary>Add or take money …</summary>
            <CorrectionForm userId={user.id} amount={correction} refused={refused} />
          </details>
        </Permit>
      )}
      <p className="small links">
        <PageLink href={`/admin/audit?type=wallet&id=${user.id}`}>Wallet corrections</PageLink>
      </p>
    </section>
  );
}

/** What of it cannot be spent, and what it owes; nothing where all of it can. */
function StandingFacts({ standing, holds }: Pick<WalletProps, "standing" | "holds">) {
  const { availablePesewas, heldPesewas, owedPesewas } = standing;
  if (heldPesewas + owedPesewas === 0) return null;
  return (
    <dl className="facts before">
      <dt>Available</dt>
      <dd>
        <Money pesewas={availablePesewas} />
      </dd>
      {holds.map(({ kind, id, pesewas }) => (
        <Fragment key={`${kind} ${id}`}>
          <dt>{kind === "chargeback" ? "Held for a dispute" : "Held: deposit taken back"}</dt>
          <dd>
            <PageLink
              isName
              href={kind === "chargeback" ? `/admin/chargebacks/${id}` : "/admin/claims#deposits_taken_back"}
            >
              <Money pesewas={pesewas} />
            </PageLink>
          </dd>
        </Fragment>
      ))}
      {owedPesewas > 0 && (
        <>
          <dt>Owed</dt>
          <dd>
            <Money pesewas={owedPesewas} />
          </dd>
        </>
      )}
    </dl>
  );
}

type CorrectionProps = { userId: number; amount: string | null; refused: Refused | undefined };

function CorrectionForm({ userId, amount, refused }: CorrectionProps) {
  return (
    <Form<UserAction> to={`/admin/users/${userId}`} does="adjust" refused={refused} idPrefix="adjust" isOnce>
      <RefusalNote />
      <div className="fields">
        <Field
          label="Correct by GH₵"
          name="amount"
          {...(amount !== null && { value: amount })}
          required
          placeholder="50.00 or -50.00"
          hint="A minus takes money out"
        />
        <Field
          label="Reason"
          name="reason"
          required
          placeholder="Cash paid at the office, receipt 118"
          hint="The agent can read it in the wallet's history"
        />
        <button type="submit">Correct the wallet</button>
      </div>
    </Form>
  );
}
