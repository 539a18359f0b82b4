// Table of a wallet's entries.
import type * as wallet from "../../core/ledger/wallet.ts";
import { Moment, Money } from "./parts.tsx";
import { type Column, Table } from "./table.tsx";

const TYPE_LABELS: Record<wallet.WalletEntry["type"], string> = {
  TOPUP: "Top-up",
  SPEND: "Order",
  REFUND: "Refund",
  ADJUST: "Correction",
  REVERSAL: "Reversal",
};

const COLUMNS: Column<wallet.WalletEntry>[] = [
  { head: "Type", cell: ({ type }) => TYPE_LABELS[type] },
  {
    head: "Amount",
    isNumber: true,
    cell: ({ changePesewas }) => (
      <strong>
        {changePesewas > 0 && "+"}
        <Money pesewas={changePesewas} />
      </strong>
    ),
  },
  {
    head: "For",
    cell: ({ orderId, description }) =>
      orderId ? <a href={`/orders/${orderId}`}>{description}</a> : <bdi>{description}</bdi>,
  },
  {
    head: "Balance after",
    isNumber: true,
    className: "soft",
    cell: ({ balanceAfterPesewas }) => <Money pesewas={balanceAfterPesewas} />,
  },
  { head: "Date", className: "small soft", cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function WalletTable({ entries }: { entries: wallet.WalletEntry[] }) {
  return <Table rows={entries} columns={COLUMNS} />;
}
