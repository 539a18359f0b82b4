// A wallet's entries: as rows for its owner, as a table for admins.
import type * as wallet from "../../../core/ledger/wallet.ts";
import { accraTime } from "../../../shared/accra.ts";
import { show } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { when } from "../columns.tsx";
import { Icon, type IconName } from "../frame/icons.tsx";
import { Money } from "../parts.tsx";
import { RowLink, RowsByDay } from "../rows.tsx";
import { type Column, Table } from "../table.tsx";

/** Entries under the headings of their days, each with the balance after it. */
export function WalletRows({ entries }: { entries: wallet.WalletEntry[] }) {
  return (
    <RowsByDay
      items={entries}
      at={({ createdAt }) => createdAt}
      row={(entry) => <EntryRow key={entry.id} entry={entry} />}
    />
  );
}

const ICONS: Record<wallet.WalletEntry["type"], IconName> = {
  TOPUP: "incoming",
  SPEND: "outgoing",
  REFUND: "again",
  ADJUST: "settings",
  REVERSAL: "outgoing",
  PAYOUT: "outgoing",
};

function EntryRow({ entry }: { entry: wallet.WalletEntry }) {
  const { type, changePesewas, balanceAfterPesewas, sale, isTakenBack } = entry;
  const isIn = changePesewas > 0;
  return (
    <RowLink
      href={pathOf(entry)}
      lead={<Icon name={ICONS[type]} />}
      title={<bdi>{type === "SPEND" && sale && !isTakenBack ? shortBundle(sale) : labelOf(entry)}</bdi>}
      line={<EntryLine entry={entry} />}
      amount={
        <strong className={isIn ? "good-text" : undefined}>
          {isIn && "+"}
          <Money pesewas={changePesewas} />
        </strong>
      }
      state={
        <span className="after-it">
          Balance <span className="money">{show(balanceAfterPesewas).replace("GH₵ ", "")}</span>
        </span>
      }
    />
  );
}

/** What tells an entry from others of its type; on a phone, the last part may find no room. */
function EntryLine({ entry }: { entry: wallet.WalletEntry }) {
  const { type, sale, paymentReference, description, createdAt, isTakenBack } = entry;
  const time = <time dateTime={createdAt.toISOString()}>{accraTime(createdAt)}</time>;
  if (!sale)
    return (
      <>
        {time} <bdi>{paymentReference ? "mobile money or card" : description}</bdi>
      </>
    );
  const number = <span className="money">{spacedMsisdn(sale.msisdn)}</span>;
  if (type === "SPEND" && !isTakenBack)
    return (
      <>
        {time} {number}
      </>
    );
  return (
    <>
      <bdi>{shortBundle(sale)}</bdi> {number} {time}
    </>
  );
}

/** Fits into half of a line. */
function shortBundle({ bundle }: NonNullable<wallet.WalletEntry["sale"]>): string {
  return bundle.replace(" registration", "");
}

/** What an entry was for: its order, its payment, or the deposits. */
function pathOf({ orderId, paymentReference, type }: wallet.WalletEntry): string | undefined {
  if (orderId) return `/orders/${orderId}`;
  if (paymentReference) return `/payments/${paymentReference}`;
  return type === "TOPUP" ? "/wallet/manual#deposits" : undefined;
}

const TYPE_LABELS: Record<wallet.WalletEntry["type"], string> = {
  TOPUP: "Top-up",
  SPEND: "Order",
  REFUND: "Refund",
  ADJUST: "Correction",
  REVERSAL: "Reversal",
  PAYOUT: "Payout",
};

function labelOf({ type, isTakenBack }: wallet.WalletEntry): string {
  return isTakenBack ? "Refund taken back" : TYPE_LABELS[type];
}

const COLUMNS: Column<wallet.WalletEntry>[] = [
  { head: "Type", className: "below", cell: labelOf },
  {
    head: "Amount",
    isPlainInCards: true,
    isNumber: true,
    className: "end",
    cell: ({ changePesewas }) => (
      <strong>
        {changePesewas > 0 && "+"}
        <Money pesewas={changePesewas} />
      </strong>
    ),
  },
  {
    head: "For",
    isPlainInCards: true,
    className: "begin leads",
    cell: ({ orderId, description }) =>
      orderId ? <a href={`/orders/${orderId}`}>{description}</a> : <bdi>{description}</bdi>,
  },
  {
    head: "Balance after",
    isPlainInCards: true,
    isNumber: true,
    className: "soft below end last",
    cell: ({ balanceAfterPesewas }) => (
      <>
        <span className="in-cards">balance </span>
        <Money pesewas={balanceAfterPesewas} />
      </>
    ),
  },
  when("Date", "createdAt", { className: "small soft below", isPlainInCards: true }),
];

export function WalletTable({ entries }: { entries: wallet.WalletEntry[] }) {
  return <Table rows={entries} columns={COLUMNS} className="lines" />;
}
