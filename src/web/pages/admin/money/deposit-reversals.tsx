// Credited deposits that the network took back: their money is held until somebody decides here.
import type { ReversalRow } from "../../../../core/payments/deposits/deposit-reversals.ts";
import { decimal, show } from "../../../../shared/money.ts";
import type { Refused } from "../../../page.tsx";
import { account } from "../../../ui/columns.tsx";
import { Form } from "../../../ui/form.tsx";
import { Moment, Money } from "../../../ui/parts.tsx";
import { ReasonFold } from "../../../ui/staff/reason-fold.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import type { DepositAction } from "./deposits.tsx";

const PATH = "/admin/claims";

/** Nothing where none is open. */
export function ReversalTable({
  rows,
  refused,
  mayDecide,
}: {
  rows: ReversalRow[];
  refused: Refused | undefined;
  mayDecide: boolean;
}) {
  if (rows.length === 0) return null;
  return (
    <section className="card" id="deposits_taken_back">
      <h2>Taken back by the network</h2>
      <p className="soft">
        These transfers went back to their senders after they were credited. The money is held in the wallet until you
        decide, but for those marked “Not held”; what is spent already becomes a debt.
      </p>
      <Table rows={rows} columns={mayDecide ? [...COLUMNS, decisionColumn(refused)] : COLUMNS} />
    </section>
  );
}

const decisionColumn = (refused: Refused | undefined): Column<ReversalRow> => ({
  head: "Actions",
  className: "full",
  cell: (row) => <Decision row={row} refused={refused} />,
});

const COLUMNS: Column<ReversalRow>[] = [
  account("Agent"),
  {
    head: "Amount",
    isNumber: true,
    cell: ({ amountPesewas, heldPesewas }) => (
      <>
        <strong>
          <Money pesewas={amountPesewas} />
        </strong>
        {heldPesewas === 0 && <span className="chip warn">Not held</span>}
      </>
    ),
  },
  { head: "Transaction ID", className: "money", cell: ({ deposit }) => deposit.transactionId },
  {
    head: "Taken back",
    className: "small soft",
    cell: ({ line, createdAt }) => <Moment at={line.at ?? createdAt} />,
  },
];

function Decision({ row, refused }: { row: ReversalRow; refused: Refused | undefined }) {
  const sends = { reversalId: row.id, amount: decimal(row.amountPesewas) };
  return (
    <div className="actions">
      <Form<DepositAction> to={PATH} does="takeBack" sends={sends} isOnce>
        <button className="tiny danger" type="submit">
          Take {show(row.amountPesewas)} back
        </button>
      </Form>
      <ReasonFold<DepositAction>
        to={PATH}
        does="dismiss"
        sends={sends}
        row="reversalId"
        idPrefix={`reversal-${row.id}`}
        refused={refused}
        button="Dismiss"
        label="Why nothing is taken"
        placeholder="The sender has paid again"
      />
    </div>
  );
}
