// Cash that was brought to the bank: the form to book it, and what a colleague has to find on the bank's statement.
import type { BankDeposit } from "../../../../core/payments/cash/cash-bank.ts";
import { decimal, show } from "../../../../shared/money.ts";
import type { Refused } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { moment, money, typed } from "../../../ui/columns.tsx";
import { Field } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import type { CashAction } from "./cash.tsx";

const PATH = "/admin/cash";

type Props = {
  /** Those that nobody has ticked off. */
  unseen: BankDeposit[];
  latest: BankDeposit[];
  ownId: number;
  refused: Refused | undefined;
};

export function BankCard({ unseen, latest, ownId, refused }: Props) {
  return (
    <section className="card" id="bank">
      <h2>Brought to the bank</h2>
      <Form<CashAction> to={PATH} does="bank" refused={refused} isOnce>
        <div className="row">
          <Field label="Amount in GH₵" name="amount" inputMode="decimal" autoComplete="off" />
          <Field label="Number on the slip" name="slip" autoComplete="off" />
          <button type="submit">Book it</button>
        </div>
      </Form>
      {unseen.length > 0 && (
        <div id="cash_at_bank">
          <h3>To find on the bank's statement</h3>
          <p className="small soft">By somebody else than the person who brought it.</p>
          <Table rows={unseen} columns={[...COLUMNS, tickOffColumn(ownId, refused)]} className="lines" />
        </div>
      )}
      {latest.length > 0 && <Table rows={latest} columns={[...COLUMNS, SEEN]} className="lines" />}
    </section>
  );
}

const COLUMNS: Column<BankDeposit>[] = [
  typed("Slip", "slip"),
  money("Amount", "amountPesewas", { className: "end", isPlainInCards: true }),
  typed("By", "username", { className: "below small" }),
  moment("At", "createdAt", { className: "below small soft", isPlainInCards: true }),
];

const SEEN: Column<BankDeposit> = {
  head: "On the statement",
  className: "below full small name",
  cell: ({ seenBy, seenAt, seenPesewas, seenReason, amountPesewas }) => {
    if (!seenAt) return <span className="chip warn">Not seen yet</span>;
    return (
      <>
        {seenPesewas !== amountPesewas && <span className="chip bad">{show(seenPesewas!)}</span>} seen by{" "}
        <bdi>{seenBy}</bdi>, <Moment at={seenAt} /> {seenReason && <bdi>“{seenReason}”</bdi>}
      </>
    );
  },
};

const tickOffColumn = (ownId: number, refused: Refused | undefined): Column<BankDeposit> => ({
  head: "Actions",
  className: "last full",
  cell: (deposit) =>
    deposit.byUserId === ownId ? (
      <span className="small soft">A colleague has to find yours.</span>
    ) : (
      <TickOff deposit={deposit} refused={refused} />
    ),
});

function TickOff({ deposit, refused }: { deposit: BankDeposit; refused: Refused | undefined }) {
  const { id: bankDepositId, amountPesewas } = deposit;
  const amount = decimal(amountPesewas);
  const isRefused = refusedFor<CashAction>("tickOff", refused, { bankDepositId }) !== undefined;
  return (
    <div className="actions">
      <Form<CashAction> to={PATH} does="tickOff" sends={{ bankDepositId, amount, seen: amount }} isOnce>
        <button className="tiny" type="submit">
          I have seen {show(amountPesewas)}
        </button>
      </Form>
      <details className="sure" open={isRefused}>
        <summary className="tiny">Another amount …</summary>
        <Form<CashAction>
          to={PATH}
          does="tickOff"
          refused={refused}
          sends={{ bankDepositId, amount }}
          row="bankDepositId"
          idPrefix={`bank-${bankDepositId}`}
          isOnce
          className="fields"
        >
          <Field
            label="On the statement, in GH₵"
            name="seen"
            inputMode="decimal"
            autoComplete="off"
            hint="0 when it is not there"
            value={amount}
          />
          <Field label="Why it differs" name="reason" />
          <button className="tiny" type="submit">
            Book the difference
          </button>
        </Form>
      </details>
    </div>
  );
}
