// Tables of AFA registrations: an agent's own, and the admins' queue. They only show the last digits of a card.
import type { Registration } from "../../../core/afa/registrations.ts";
import { AFA_STATES, type AfaState, afaStateOf, type OrderStatus } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { money, text, typed, when } from "../columns.tsx";
import { UserLink } from "../parts.tsx";
import { type Column, Table } from "../table.tsx";

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

const OWN: Column<Registration>[] = [
  {
    head: "Name",
    className: "name",
    cell: (row) => (
      <>
        <bdi>{row.fullName}</bdi>
        <Outcome row={row} />
      </>
    ),
  },
  { head: "Status", className: "end", cell: ({ status }) => <AfaChip status={status} /> },
  { head: "Number", className: "money", cell: ({ msisdn }) => spacedMsisdn(msisdn) },
  money("Paid", "amountPesewas"),
  text("Ghana Card", "card", { className: "small money" }),
  { head: "Order", className: "small end", cell: ({ id }) => <a href={`/orders/${id}`}>#{id}</a> },
  typed("Location", "location", { className: "small soft name" }),
  when("Date", "createdAt", { className: "small soft end" }),
];

export function OwnTable({ rows }: { rows: Registration[] }) {
  return <Table rows={rows} columns={OWN} empty="No registrations yet." />;
}

/** The reason of a refusal, and the refund. */
function Outcome({ row }: { row: Registration }) {
  if (row.status !== "FAILED") return null;
  return (
    <div className="small">
      {row.note && <bdi className="words">{row.note}</bdi>}
      {row.refundedAt && <div className="soft">{show(row.amountPesewas)} is back in your wallet</div>}
    </div>
  );
}

const QUEUED: Column<Registration>[] = [
  {
    head: "Name",
    isPlainInCards: true,
    className: "at-title name",
    cell: ({ id, fullName }) => (
      <a href={`/admin/afa/${id}`}>
        <bdi>{fullName}</bdi>
      </a>
    ),
  },
  {
    head: "Status",
    isPlainInCards: true,
    className: "at-state",
    cell: ({ status }) => <AfaChip status={status} />,
  },
  {
    head: "Number",
    isPlainInCards: true,
    className: "at-what money",
    cell: ({ msisdn }) => spacedMsisdn(msisdn),
  },
  text("Ghana Card", "card", { className: "at-card small money" }),
  typed("Location", "location", { className: "at-place small name" }),
  { head: "Agent", className: "at-owner small", cell: (row) => <UserLink {...row} /> },
  when("Date", "createdAt", { className: "at-date small soft" }),
];

/** The admins' queue, with a checkbox in each row for the form `selectForm`. */
export function QueueTable({ rows, selectForm }: { rows: Registration[]; selectForm: string }) {
  const select: Column<Registration> = {
    head: <span className="sr">Select</span>,
    className: "at-select",
    cell: ({ id }) => (
      <label className="check">
        <input type="checkbox" name="ids" value={id} form={selectForm} />
        <span className="sr">Select registration {id}</span>
      </label>
    ),
  };
  return <Table rows={rows} columns={[select, ...QUEUED]} className="queue" />;
}
