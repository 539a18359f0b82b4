// Balances that were paid out to the owners of wallets: as a list of one wallet, and as a table of all.
import type { PayoutRow } from "../../../core/payments/wallet-payouts.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { moment } from "../columns.tsx";
import { PageLink } from "../frame/permitted.tsx";
import { Moment, Money } from "../parts.tsx";
import { type Column, Table } from "../table.tsx";

/** The payouts of one wallet. */
export function PayoutList({ payouts }: { payouts: PayoutRow[] }) {
  return (
    <ul className="rows small">
      {payouts.map((payout) => (
        <li key={payout.id}>
          Paid out <Money pesewas={payout.amountPesewas} />, <Moment at={payout.createdAt} />: <How payout={payout} />.{" "}
          <span className="soft">{people(payout)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The latest payouts of all wallets. */
export function PayoutTable({ payouts }: { payouts: PayoutRow[] }) {
  return (
    <section className="card" id="payouts">
      <h2>Paid out of wallets</h2>
      <p className="soft">Balances of banned and deleted accounts that their owners got back, newest first.</p>
      <Table rows={payouts} columns={COLUMNS} />
    </section>
  );
}

const COLUMNS: Column<PayoutRow>[] = [
  {
    head: "Agent",
    cell: ({ userId, username }) => (
      <PageLink isName href={`/admin/users/${userId}`}>
        <bdi>{username}</bdi>
      </PageLink>
    ),
  },
  {
    head: "Amount",
    isNumber: true,
    cell: ({ amountPesewas }) => (
      <strong>
        <Money pesewas={amountPesewas} />
      </strong>
    ),
  },
  { head: "Paid", className: "full", cell: (payout) => <How payout={payout} /> },
  { head: "By", className: "small soft", cell: people },
  moment("Date", "createdAt", { className: "small soft" }),
];

function How({ payout: { msisdn, name, reference } }: { payout: PayoutRow }) {
  return (
    <>
      {msisdn ? <span className="money">{spacedMsisdn(msisdn)}</span> : "cash"} <bdi>{name}</bdi>,{" "}
      {msisdn ? "transaction" : "receipt"} <bdi>{reference}</bdi>
    </>
  );
}

function people({ by, agreedBy }: PayoutRow) {
  return (
    <>
      by <bdi>{by}</bdi>
      {agreedBy ? (
        <>
          , agreed by <bdi>{agreedBy}</bdi>
        </>
      ) : (
        ", alone"
      )}
    </>
  );
}
