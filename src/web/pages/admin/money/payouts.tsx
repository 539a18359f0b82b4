// Paystack's payouts to the shop's bank, each with its payments, and what Paystack holds by its own balance and by the
// books.
import * as accounts from "../../../../core/ledger/accounts.ts";
import * as payouts from "../../../../core/payments/payouts.ts";
import { accraDay } from "../../../../shared/accra.ts";
import { decimal, show } from "../../../../shared/money.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { payoutOnePages } from "./payout.tsx";
import { BalanceFigures, PayoutDifference, StatusChip } from "./payout-state.tsx";

const PATH = "/admin/payouts";

const actions = {
  read: {
    run: async ({ db, gateway }: Context) => {
      await payouts.syncDue(db, gateway);
      return redirect(PATH, "Paystack's list has been read.");
    },
  },
  book: does(
    payouts.bookByHand,
    ({ amountPesewas }) => redirect(PATH, `${show(amountPesewas)} is booked from Paystack to the bank.`),
    { domain: ({ gateway }) => gateway.domain },
  ),
};
type PayoutAction = keyof typeof actions;

export const payoutPages: Page[] = [
  {
    path: PATH,
    right: "books.see",
    tab: { section: "Money", label: "Bank", part: "Payouts" },
    show: showPayouts,
    actions,
  },
  ...payoutOnePages,
];

async function showPayouts({ db, gateway, url, by }: Context, refused?: Refused): Promise<View> {
  const [{ shown, links }, check, heldPesewas] = await Promise.all([
    paged(url, (span) => payouts.list(db, span)),
    payouts.latestCheck(db, gateway.domain),
    accounts.heldByPaystack(db),
  ]);
  return {
    body: (
      <>
        <RefusalNote refused={refused} />
        <BalanceFigures check={check} heldPesewas={heldPesewas} />
        <section className="card">
          <p className="soft">
            What Paystack paid to the shop's bank, by its own list, which is read four times an hour.
          </p>
          <Form<PayoutAction> to={PATH} does="read">
            <button className="tiny quiet" type="submit">
              Read the list now
            </button>
          </Form>
          <Table rows={shown} columns={COLUMNS} className="lines" empty="Paystack has paid nothing out yet." />
        </section>
        {links}
        {hasRight(by, "payments.decide") && (
          <HandForm heldPesewas={heldPesewas} refused={refusedFor<PayoutAction>("book", refused)} />
        )}
      </>
    ),
  };
}

const COLUMNS: Column<payouts.PayoutRow>[] = [
  {
    head: "Payout",
    cell: ({ id, providerId, settledAt }) => (
      <a href={`${PATH}/${id}`}>{settledAt ? accraDay(settledAt) : providerId}</a>
    ),
  },
  {
    head: "To the bank",
    isNumber: true,
    className: "end",
    isPlainInCards: true,
    cell: ({ amountPesewas }) => (
      <strong>
        <Money pesewas={amountPesewas} />
      </strong>
    ),
  },
  { head: "State", isPlainInCards: true, cell: ({ status }) => <StatusChip status={status} /> },
  {
    head: "Fees",
    isNumber: true,
    className: "below small",
    cell: ({ feesPesewas }) => <Money pesewas={feesPesewas} />,
  },
  {
    head: "Payments",
    isNumber: "wide",
    className: "below small soft",
    isPlainInCards: true,
    cell: ({ payments, isListed }) =>
      isListed ? (payments === 1 ? "1 payment" : `${payments} payments`) : "Being read",
  },
  {
    head: "Difference",
    className: "below small",
    isPlainInCards: true,
    cell: (payout) => <PayoutDifference payout={payout} />,
  },
];

function HandForm({ heldPesewas, refused }: { heldPesewas: number; refused: Refused | undefined }) {
  return (
    <details className="card" open={refused !== undefined}>
      <summary>
        <strong>Book a payout by hand</strong>
      </summary>
      <Form<PayoutAction>
        to={PATH}
        does="book"
        refused={refused}
        sends={{ held: decimal(heldPesewas) }}
        isOnce
        className="after"
      >
        <p className="soft">
          Only where Paystack's list does not show it. With its number it is not booked again when it appears.
        </p>
        <div className="row">
          <Field label="Number of the settlement" name="settlement" inputMode="numeric" autoComplete="off" />
          <Field label="Amount in GH₵" name="amount" inputMode="decimal" autoComplete="off" />
          <button type="submit">Book it</button>
        </div>
      </Form>
    </details>
  );
}
