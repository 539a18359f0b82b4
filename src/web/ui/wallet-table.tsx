// The entries of a wallet in a table: rows where there is room, cards on a phone.
import type * as wallet from "../../core/ledger/wallet.ts";
import { Moment, Money } from "./parts.tsx";

const WORDS: Record<wallet.WalletEntry["type"], string> = {
  TOPUP: "Top-up",
  SPEND: "Order",
  REFUND: "Refund",
  ADJUST: "Correction",
  REVERSAL: "Reversal",
};

export function WalletTable({ entries }: { entries: wallet.WalletEntry[] }) {
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>What</th>
            <th className="num">Amount</th>
            <th>For</th>
            <th className="num">Balance after</th>
            <th>Date</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>{WORDS[entry.type]}</td>
              <td className="num">
                <strong>
                  {entry.changePesewas > 0 && "+"}
                  <Money pesewas={entry.changePesewas} />
                </strong>
              </td>
              <td>
                {entry.orderId ? (
                  <a href={`/orders/${entry.orderId}`}>{entry.description}</a>
                ) : (
                  <bdi>{entry.description}</bdi>
                )}
              </td>
              <td className="num soft">
                <Money pesewas={entry.balanceAfterPesewas} />
              </td>
              <td className="small soft">
                <Moment at={entry.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
