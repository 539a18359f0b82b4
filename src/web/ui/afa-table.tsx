// AFA registrations in tables: an agent's own, and the admins' queue. Of a card only the end is shown.
import type { Registration } from "../../core/afa/registrations.ts";
import { AFA_STATES, type AfaState, afaStateOf, type OrderStatus } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { Moment, Money } from "./parts.tsx";

const CHIP_OF_STATE: Record<AfaState, string> = {
  submitted: "warn",
  sent: "info",
  registered: "good",
  refused: "bad",
};

export function AfaChip({ status }: { status: OrderStatus }) {
  const state = afaStateOf(status);
  return <span className={`chip ${CHIP_OF_STATE[state]}`}>{AFA_STATES[state].label}</span>;
}

export function OwnTable({ rows }: { rows: Registration[] }) {
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>Name</th>
            <th>Status</th>
            <th>Number</th>
            <th className="num">Paid</th>
            <th>Ghana Card</th>
            <th>Order</th>
            <th>Location</th>
            <th>Date</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="name">
                <bdi>{row.fullName}</bdi>
                <Outcome row={row} />
              </td>
              <td className="end">
                <AfaChip status={row.status} />
              </td>
              <td className="money">{spacedMsisdn(row.msisdn)}</td>
              <td className="num">
                <Money pesewas={row.amountPesewas} />
              </td>
              <td className="small money">{row.card}</td>
              <td className="small end">
                <a href={`/orders/${row.id}`}>#{row.id}</a>
              </td>
              <td className="small soft name">
                <bdi>{row.location}</bdi>
              </td>
              <td className="small soft end">
                <Moment at={row.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Why somebody was refused, and where the money is. */
function Outcome({ row }: { row: Registration }) {
  if (row.status !== "FAILED") return null;
  return (
    <div className="small">
      {row.note && <bdi className="words">{row.note}</bdi>}
      {row.refundedAt && <div className="soft">{show(row.amountPesewas)} is back in your wallet</div>}
    </div>
  );
}

/** The admins' queue, with a box for each row of the form that moves them. */
export function QueueTable({ rows, selectForm }: { rows: Registration[]; selectForm: string }) {
  return (
    <div className="scroll">
      <table className="cards queue">
        <thead>
          <tr>
            <th>
              <span className="sr">Select</span>
            </th>
            <th>Name</th>
            <th>Status</th>
            <th>Number</th>
            <th>Ghana Card</th>
            <th>Location</th>
            <th>Agent</th>
            <th>Date</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="at-select">
                <label className="check">
                  <input type="checkbox" name="ids" value={row.id} form={selectForm} />
                  <span className="sr">Select registration {row.id}</span>
                </label>
              </td>
              <td className="at-title name">
                <a href={`/admin/afa/${row.id}`}>
                  <bdi>{row.fullName}</bdi>
                </a>
              </td>
              <td className="at-state">
                <AfaChip status={row.status} />
              </td>
              <td className="at-what money">{spacedMsisdn(row.msisdn)}</td>
              <td className="at-card small money">{row.card}</td>
              <td className="at-place small name">
                <bdi>{row.location}</bdi>
              </td>
              <td className="at-owner small">
                <a href={`/admin/users/${row.userId}`}>
                  <bdi>{row.username}</bdi>
                </a>
              </td>
              <td className="at-date small soft">
                <Moment at={row.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
