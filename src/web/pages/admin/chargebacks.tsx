// Money that goes back at Paystack, for admins: open chargebacks before their deadlines, with what our books have as
// evidence, and everything that was taken back.
import * as chargebacks from "../../../core/payments/chargebacks.ts";
import * as reversals from "../../../core/payments/reversals.ts";
import { limits, orderedBundle } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { localMsisdn } from "../../../shared/msisdn.ts";
import { type Context, type Page, readId, type View } from "../../page.tsx";
import { Deadline, Empty, Moment, Money, PageLinks, pageOf, StatusChip } from "../../ui/parts.tsx";
import { MoneyFrame } from "./reconciliation.tsx";

export const chargebackPages: Page[] = [
  { path: "/admin/reversals", role: "admin", show: showReversals },
  { path: "/admin/chargebacks/:id", role: "admin", of: "chargeback", show: showChargeback },
];

const STATES = {
  open: "Open",
  due: "Went back before it was credited",
  booked: "Taken back",
  closed: "Came to nothing",
} as const;

/** Paystack's words for where a chargeback stands, and how it ended. */
const NOTES: Record<string, string> = {
  "awaiting-merchant-feedback": "Waits for our evidence",
  "awaiting-bank-feedback": "Waits for the bank",
  "merchant-accepted": "Lost: accepted by us",
  "auto-accepted": "Lost: nobody answered in time",
  declined: "Won: our evidence was taken",
  processed: "Processed",
};

async function showReversals({ db, url }: Context): Promise<View> {
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [open, rows] = await Promise.all([
    chargebacks.open(db),
    reversals.list(db, { limit: limits.pageSize + 1, cursor }),
  ]);
  const { shown, older } = pageOf(rows, limits.pageSize);
  return {
    title: "Chargebacks and refunds",
    body: (
      <MoneyFrame here="/admin/reversals">
        <OpenChargebacks rows={open} />
        <section className="card">
          <h2>Chargebacks and refunds</h2>
          {shown.length === 0 ? (
            <Empty>No chargebacks or refunds at Paystack.</Empty>
          ) : (
            <ReversalTable rows={shown} />
          )}
        </section>
        <PageLinks url={url} older={older} />
      </MoneyFrame>
    ),
  };
}

/** The open ones with their deadlines, and a way to what is to be sent; nothing when there are none. */
export function OpenChargebacks({ rows }: { rows: chargebacks.Chargeback[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="card">
      <h2>Open chargebacks ({rows.length})</h2>
      <p className="soft">Without evidence by the deadline the bank wins, and the money goes back.</p>
      <OpenTable rows={rows} />
    </section>
  );
}

function OpenTable({ rows }: { rows: chargebacks.Chargeback[] }) {
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>Evidence until</th>
            <th>Agent</th>
            <th className="num">Amount</th>
            <th className="num">Held</th>
            <th>Where it stands</th>
            <th>Evidence</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{row.dueAt ? <Deadline at={row.dueAt} /> : "Not known yet"}</td>
              <td>
                <Agent row={row} />
              </td>
              <td className="num">
                <Money pesewas={row.amountPesewas} />
              </td>
              <td className="num">
                <span className="in-cards">Held </span>
                <Money pesewas={row.heldPesewas} />
              </td>
              <td className="full prose">
                <Note row={row} />
              </td>
              <td>
                <a href={`/admin/chargebacks/${row.id}`}>What to send</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ReversalTable({ rows }: { rows: reversals.ReversalRow[] }) {
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>Agent</th>
            <th className="num">Amount</th>
            <th>Kind</th>
            <th>State</th>
            <th>Note</th>
            <th>When</th>
            <th>Payment</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Agent row={row} />
              </td>
              <td className="num">
                <Money pesewas={row.amountPesewas} />
              </td>
              <td>
                {row.kind === "refund" ? "Refund" : <a href={`/admin/chargebacks/${row.id}`}>Chargeback</a>}
              </td>
              <td>{STATES[row.state]}</td>
              <td className="small full prose">
                <Note row={row} />
              </td>
              <td className="small soft">
                <Moment at={row.endedAt ?? row.createdAt} />
              </td>
              <td className="small soft full">
                <a href={`/admin/payments/${row.paymentId}`}>{row.reference}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Agent({ row }: { row: { userId: number; username: string } }) {
  return (
    <a href={`/admin/users/${row.userId}`}>
      <bdi>{row.username}</bdi>
    </a>
  );
}

function Note({ row }: { row: { note: string | null } }) {
  return <bdi>{row.note && (NOTES[row.note] ?? row.note)}</bdi>;
}

async function showChargeback({ db, params }: Context): Promise<View> {
  const id = readId(params.id);
  if (id === null) throw new AppError("payment.not_found");
  const { chargeback, evidence } = await chargebacks.get(db, id);
  return {
    title: `Chargeback ${id}`,
    body: (
      <MoneyFrame here="/admin/reversals">
        <section className="card">
          <h2>
            Chargeback of <Money pesewas={chargeback.amountPesewas} />
          </h2>
          <Facts chargeback={chargeback} />
        </section>
        <section className="card">
          <h2>Evidence</h2>
          <p className="soft">
            {chargeback.payment.orderId
              ? "The order that this payment was for. Send Paystack its number, the time of delivery and the vendor's confirmation."
              : "What the account bought after this top-up. Send Paystack the numbers, times of delivery and confirmations."}
          </p>
          {evidence.length === 0 ? (
            <Empty>Nothing was delivered with this money.</Empty>
          ) : (
            <EvidenceTable rows={evidence} />
          )}
        </section>
      </MoneyFrame>
    ),
  };
}

function Facts({ chargeback }: { chargeback: chargebacks.Chargeback }) {
  const { payment } = chargeback;
  return (
    <dl className="facts">
      <dt>Agent</dt>
      <dd>
        <Agent row={chargeback} />
      </dd>
      <dt>Payment</dt>
      <dd>
        <a href={`/admin/payments/${payment.id}`}>{payment.reference}</a>,{" "}
        <Money pesewas={payment.amountPesewas} />
        {payment.paidAt && (
          <>
            {" "}
            paid <Moment at={payment.paidAt} />
          </>
        )}
      </dd>
      <dt>State</dt>
      <dd>
        {STATES[chargeback.state]} <Note row={chargeback} />
      </dd>
      <dt>Evidence until</dt>
      <dd>{chargeback.dueAt ? <Moment at={chargeback.dueAt} /> : "Paystack has not told us"}</dd>
      <dt>Held in the wallet</dt>
      <dd>
        <Money pesewas={chargeback.heldPesewas} />
      </dd>
    </dl>
  );
}

function EvidenceTable({ rows }: { rows: chargebacks.Evidence[] }) {
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>Order</th>
            <th>Number</th>
            <th>Bundle</th>
            <th>State</th>
            <th>Delivered</th>
            <th>Vendor's confirmation</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ order, deliveredAt, vendor, reference, vendorReference, confirmation }) => (
            <tr key={order.id}>
              <td>
                <a href={`/orders/${order.id}`}>#{order.id}</a>
              </td>
              <td>{localMsisdn(order.msisdn)}</td>
              <td>{orderedBundle(order, order.quantity)}</td>
              <td>
                <StatusChip status={order.status} isPaid={order.paidAt !== null} />
              </td>
              <td className="small">{deliveredAt && <Moment at={deliveredAt} />}</td>
              <td className="small full">
                <bdi>{[vendor, vendorReference ?? reference, confirmation].filter(Boolean).join(", ")}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
