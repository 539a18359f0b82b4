// Staff's page to pay the balance of a banned or deleted account out to its owner.
import * as approvals from "../../../../core/approvals/queries.ts";
import * as users from "../../../../core/identity/users.ts";
import * as wallet from "../../../../core/ledger/wallet.ts";
import * as walletPayouts from "../../../../core/payments/wallet-payouts.ts";
import { errors } from "../../../../shared/errors/codes.ts";
import { decimal, show } from "../../../../shared/money.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PayoutList } from "../../../ui/orders/wallet-payouts.tsx";
import { Empty, Money } from "../../../ui/parts.tsx";
import { UserFrame, userIdOf } from "./user-frame.tsx";

const PAYOUTS_SHOWN = 20;

const actions = {
  payOut: does(
    walletPayouts.payOut,
    ({ userId, amountPesewas }) =>
      redirect(`/admin/users/${userId}`, `${show(amountPesewas)} is booked as paid out. A receipt goes to its owner.`),
    { userId: ({ params }) => userIdOf(params) },
  ),
};
type PayoutAction = keyof typeof actions;

export const userPayoutPages: Page[] = [
  { path: "/admin/users/:id/payout", right: "wallet.pay_out", subject: "user", show: showPayout, actions },
];

async function showPayout({ db, params, by }: Context, refused?: Refused): Promise<View> {
  const userId = userIdOf(params);
  const user = await users.get(db, userId);
  const [standing, payouts, requests] = await Promise.all([
    wallet.standing(db, userId),
    walletPayouts.list(db, { userId }, PAYOUTS_SHOWN),
    approvals.listOpen(db, by),
  ]);
  const isOfWallet = ({ kind, subject }: approvals.Approval) =>
    kind === walletPayouts.payOut.declared.name && subject === walletPayouts.subjectOf(userId);
  const pending = requests.find(isOfWallet);
  const why = hindrance(user, standing, by.userId);
  return {
    title: `Pay out ${user.username}`,
    body: (
      <UserFrame user={user} current="">
        <section className="card">
          <h2>Pay the balance out</h2>
          <p className="figure before">
            <Money pesewas={standing.availablePesewas} />
          </p>
          <Staying standing={standing} />
          {pending ? (
            <p className="note info">
              <bdi>{pending.requestedBy}</bdi> has entered this payout: {pending.summary}. It is booked when a colleague
              agrees; do not pay it again. <a href={`/admin/approvals#approval-${pending.id}`}>See the request</a>
            </p>
          ) : why ? (
            <>
              <RefusalNote refused={refused} />
              <Empty>{why}</Empty>
            </>
          ) : (
            <PayoutForm userId={userId} availablePesewas={standing.availablePesewas} refused={refused} />
          )}
        </section>
        {payouts.length > 0 && (
          <section className="card">
            <h2>Paid out before</h2>
            <PayoutList payouts={payouts} />
          </section>
        )}
      </UserFrame>
    ),
  };
}

/** Why nothing is paid out now; null when it may be. */
function hindrance(user: users.User, { availablePesewas }: wallet.Standing, viewerId: number): string | null {
  if (user.id === viewerId) return errors["auth.own_account"].message;
  if (user.status === "ACTIVE") return errors["wallet.in_use"].message;
  return availablePesewas === 0 ? errors["wallet.nothing_to_pay_out"].message : null;
}

function Staying({ standing: { heldPesewas, owedPesewas } }: { standing: wallet.Standing }) {
  if (heldPesewas + owedPesewas === 0) return null;
  return (
    <p>
      Held until the bank or the network decides: <Money pesewas={heldPesewas} />. Owed: <Money pesewas={owedPesewas} />
      . Both stay.
    </p>
  );
}

type FormProps = { userId: number; availablePesewas: number; refused: Refused | undefined };

function PayoutForm({ userId, availablePesewas, refused }: FormProps) {
  return (
    <Form<PayoutAction>
      to={`/admin/users/${userId}/payout`}
      does="payOut"
      refused={refused}
      sends={{ amount: decimal(availablePesewas) }}
      idPrefix="payout"
      isOnce
      className="pausing"
    >
      <RefusalNote />
      <p className="small soft">
        Pay all of it, to its owner and nobody else, then enter how. A colleague has to agree before it is booked.
      </p>
      <div className="fields">
        <Field label="Paid by" name="method" value="momo">
          <option value="momo">Mobile money</option>
          <option value="cash">Cash</option>
        </Field>
        <Field
          label="Mobile money number"
          name="msisdn"
          inputMode="tel"
          placeholder="0541234567"
          hint="Empty for cash"
        />
        <Field label="Name" name="name" required placeholder="As on the Ghana Card" />
        <Field
          label="Transaction ID or receipt"
          name="reference"
          required
          placeholder="40125560001"
          hint="For cash, which comes out of the safe, the number of the receipt that its owner signed"
        />
        <Field label="Reason" name="reason" required placeholder="Deleted the account, asked for the rest" />
        <button type="submit">Pay out {show(availablePesewas)}</button>
      </div>
    </Form>
  );
}
