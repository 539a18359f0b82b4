// Credited deposits that the network took back: their money is held until somebody decides here.
import type { ReversalRow } from "../../../../core/payments/deposits/deposit-reversals.ts";
import { decimal, show } from "../../../../shared/money.ts";
import type { Refused } from "../../../page.tsx";
import { account } from "../../../ui/columns.tsx";
import { Money } from "../../../ui/parts.tsx";
import { ReasonFold, SureFold } from "../../../ui/staff/reason-fold.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";
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
      <p className="small soft">
        These transfers went back to their senders after they were credited. The money is held in the wallet until you
        decide{rows.some(({ heldPesewas }) => heldPesewas === 0) && ", except where marked “Not held”"}. What was
        already spent becomes a debt.
      </p>
      <Table
        rows={rows}
        columns={mayDecide ? [...COLUMNS, decisionColumn(refused)] : COLUMNS}
        className="lines deposits"
      />
    </section>
  );
}

const decisionColumn = (refused: Refused | undefined): Column<ReversalRow> => ({
  head: "Actions",
  className: "full below last",
  cell: (row) => <Decision row={row} refused={refused} />,
});

const COLUMNS: Column<ReversalRow>[] = [
  account("Agent"),
  {
    head: "Amount",
    isPlainInCards: true,
    isNumber: true,
    className: "end",
    cell: ({ amountPesewas, heldPesewas }) => (
      <>
        <strong>
          <Money pesewas={amountPesewas} />
        </strong>
        {heldPesewas === 0 && <span className="chip warn">Not held</span>}
      </>
    ),
  },
  {
    head: "Transaction ID",
    isPlainInCards: true,
    className: "money below",
    cell: ({ deposit }) => deposit.transactionId,
  },
  {
    head: "Taken back",
    isPlainInCards: true,
    className: "money small soft below",
    cell: ({ line, createdAt }) => <When at={line.at ?? createdAt} />,
  },
];

function Decision({ row, refused }: { row: ReversalRow; refused: Refused | undefined }) {
  const fold = {
    to: PATH,
    sends: { reversalId: row.id, amount: decimal(row.amountPesewas) },
    row: "reversalId",
    refused,
  };
  return (
    <div className="actions">
      <SureFold<DepositAction>
        {...fold}
        does="takeBack"
        idPrefix={`take-${row.id}`}
        button={`Take ${show(row.amountPesewas)} back`}
        isDanger
        effect={
          <>
            It leaves the wallet of <bdi>{row.username}</bdi>.
          </>
        }
      />
      <ReasonFold<DepositAction>
        {...fold}
        does="dismiss"
        idPrefix={`reversal-${row.id}`}
        button="Dismiss"
        label="Why nothing is taken"
        placeholder="The sender has paid again"
      />
    </div>
  );
}
