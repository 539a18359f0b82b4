// Admins' pages of chargebacks and refunds at Paystack: open chargebacks with their deadlines and our evidence, and the
// list of all reversals.
import * as chargebacks from "../../../../core/payments/chargebacks.ts";
import * as reversals from "../../../../core/payments/reversals.ts";
import { accraMoment } from "../../../../shared/accra.ts";
import { DESK } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { show } from "../../../../shared/money.ts";
import { orderedBundle } from "../../../../shared/operators.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { type Context, type Page, readId, type View } from "../../../page.tsx";
import { account, money } from "../../../ui/columns.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Deadline, Empty, Moment, Money, StatusChip, UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";

export const chargebackPages: Page[] = [
  {
    path: "/admin/reversals",
    right: "payments.see",
    tab: { section: "Money", label: "In", part: "Disputes" },
    show: showReversals,
  },
  {
    path: "/admin/chargebacks/:id",
    right: "payments.see",
    tab: { section: "Money", under: "/admin/reversals" },
    subject: "chargeback",
    show: showChargeback,
  },
];

const STATES = {
  open: "Open",
  due: "Reversed before it was credited",
  booked: "Reversed",
  closed: "Closed without effect",
} as const;

/** What became of the money. */
const OUTCOMES: Partial<Record<keyof typeof STATES, string>> = {
  booked: "The money went back to the payer. It was taken from the wallet; what that lacked is owed by the agent.",
  closed: "Nothing was taken, and nothing is held any more.",
};

/** Labels of Paystack's states of a chargeback. */
const NOTES: Record<string, string> = {
  "awaiting-merchant-feedback": "Waiting for our evidence",
  "awaiting-bank-feedback": "Waiting for the bank",
  "merchant-accepted": "Lost: accepted by us",
  "auto-accepted": "Lost: nobody answered in time",
  declined: "Won: our evidence was accepted",
  processed: "Processed",
};

async function showReversals({ db, url }: Context): Promise<View> {
  const [open, { shown, links }] = await Promise.all([
    chargebacks.open(db),
    paged(url, (span) => reversals.list(db, span)),
  ]);
  return {
    body: (
      <>
        <OpenChargebacks rows={open} />
        <section className="card">
          <h2>Disputes and refunds</h2>
          <Table rows={shown} columns={REVERSALS} empty="No disputes or refunds at Paystack." />
        </section>
        {links}
      </>
    ),
  };
}

/** The open chargebacks with their deadlines and links to the evidence; nothing when there are none. */
function OpenChargebacks({ rows }: { rows: chargebacks.Chargeback[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="card" id="disputes">
      <h2>Open disputes ({rows.length})</h2>
      <p className="soft">Without evidence by the deadline, the bank wins and the money goes back.</p>
      <Table rows={rows} columns={OPEN} />
    </section>
  );
}

const OPEN: Column<chargebacks.Chargeback>[] = [
  { head: "Evidence until", cell: ({ dueAt }) => (dueAt ? <Deadline at={dueAt} /> : "Not known yet") },
  account("Agent"),
  money("Amount", "amountPesewas"),
  {
    head: "Held",
    isNumber: true,
    cell: ({ heldPesewas }) => (
      <>
        <span className="in-cards">Held </span>
        <Money pesewas={heldPesewas} />
      </>
    ),
  },
  { head: "Status", className: "full prose", cell: (row) => <Note row={row} /> },
  { head: "Evidence", isMain: true, cell: ({ id }) => <a href={`/admin/chargebacks/${id}`}>What to send</a> },
];

const REVERSALS: Column<reversals.ReversalRow>[] = [
  account("Agent"),
  money("Amount", "amountPesewas"),
  {
    head: "Kind",
    isMain: true,
    cell: ({ id, kind }) => (kind === "refund" ? "Refund" : <a href={`/admin/chargebacks/${id}`}>Dispute</a>),
  },
  { head: "State", cell: ({ state }) => STATES[state] },
  { head: "Note", className: "small full prose", cell: (row) => <Note row={row} /> },
  {
    head: "When",
    className: "small soft",
    cell: ({ endedAt, createdAt }) => <When at={endedAt ?? createdAt} />,
  },
  {
    head: "Payment",
    isMain: true,
    className: "small soft full",
    cell: ({ paymentId, reference }) => <a href={`/admin/payments/${paymentId}`}>{reference}</a>,
  },
];

function Note({ row }: { row: { note: string | null } }) {
  return <bdi>{row.note && (NOTES[row.note] ?? row.note)}</bdi>;
}

async function showChargeback({ db, params }: Context): Promise<View> {
  const id = readId(params.id);
  if (id === null) throw new AppError("payment.not_found");
  const { chargeback, evidence } = await chargebacks.get(db, id);
  return {
    title: `Dispute ${id}`,
    body: (
      <>
        <section className="card">
          <h2>
            Dispute over <Money pesewas={chargeback.amountPesewas} />
          </h2>
          <Facts chargeback={chargeback} />
        </section>
        <EvidenceCard chargeback={chargeback} evidence={evidence} />
      </>
    ),
  };
}

function EvidenceCard({
  chargeback,
  evidence,
}: {
  chargeback: chargebacks.Chargeback;
  evidence: chargebacks.Evidence[];
}) {
  const { payment, dueAt, state } = chargeback;
  const isDelivered = evidence.length > 0;
  return (
    <section className="card">
      <h2>Evidence</h2>
      {state === "open" && (
        <p>
          Answer on Paystack's dashboard, under Disputes
          {dueAt && (
            <>
              , by <Moment at={dueAt} />
            </>
          )}
          :{" "}
          {isDelivered
            ? "decline it with the text below, or accept it and the money goes back."
            : "nothing speaks against it."}{" "}
          The outcome comes back here by itself.
        </p>
      )}
      <p className="soft">
        {payment.orderId ? "The order of this payment." : "What this top-up's owner bought between it and the dispute."}
      </p>
      {isDelivered ? (
        <>
          <Table rows={evidence} columns={EVIDENCE} />
          <label className="after" htmlFor="evidence">
            To paste at Paystack
          </label>
          <textarea
            id="evidence"
            readOnly
            rows={Math.min(evidence.length + 1, 8)}
            defaultValue={evidenceText(chargeback, evidence)}
          />
        </>
      ) : (
        <Empty>Nothing was delivered with this money.</Empty>
      )}
    </section>
  );
}

/** For people at the bank, who know neither the shop nor its words. */
function evidenceText({ payment }: chargebacks.Chargeback, evidence: chargebacks.Evidence[]): string {
  const paid = payment.paidAt ? `, paid ${accraMoment(payment.paidAt)}` : "";
  const about = `Payment ${payment.reference} of ${show(payment.amountPesewas)}${paid}`;
  const first = `${about} (times in Ghana). Mobile data bought with it:`;
  const lines = evidence.map(({ order, deliveredAt, reference, vendorReference }) =>
    [
      `Order ${order.id}: ${orderedBundle(order, order.quantity)} for ${spacedMsisdn(order.msisdn)}`,
      show(order.amountPesewas),
      deliveredAt && `delivered ${accraMoment(deliveredAt)}`,
      (vendorReference ?? reference) && `reference ${vendorReference ?? reference}`,
    ]
      .filter(Boolean)
      .join(", "),
  );
  return [first, ...lines].join("\n");
}

function Facts({ chargeback }: { chargeback: chargebacks.Chargeback }) {
  const { payment } = chargeback;
  return (
    <dl className="facts">
      <dt>Agent</dt>
      <dd>
        <UserLink {...chargeback} />
      </dd>
      <dt>Payment</dt>
      <dd>
        <a href={`/admin/payments/${payment.id}`}>{payment.reference}</a>, <Money pesewas={payment.amountPesewas} />
        {payment.paidAt && (
          <>
            {" "}
            paid <Moment at={payment.paidAt} />
          </>
        )}
      </dd>
      <dt>State</dt>
      <dd>
        {STATES[chargeback.state]}
        {chargeback.note && ": "}
        <Note row={chargeback} />
      </dd>
      <dt>Evidence until</dt>
      <dd>{chargeback.dueAt ? <Moment at={chargeback.dueAt} /> : "Paystack has not told us"}</dd>
      {chargeback.state === "open" && (
        <>
          <dt>Held in the wallet</dt>
          <dd>
            <Money pesewas={chargeback.heldPesewas} />
          </dd>
        </>
      )}
      {OUTCOMES[chargeback.state] && (
        <>
          <dt>Outcome</dt>
          <dd>{OUTCOMES[chargeback.state]}</dd>
        </>
      )}
    </dl>
  );
}

const EVIDENCE: Column<chargebacks.Evidence>[] = [
  { head: "Order", cell: ({ order }) => <a href={`/orders/${order.id}`}>#{order.id}</a> },
  { head: "Number", cell: ({ order }) => spacedMsisdn(order.msisdn) },
  { head: "Bundle", cell: ({ order }) => orderedBundle(order, order.quantity) },
  { head: "Paid", isNumber: true, cell: ({ order }) => <Money pesewas={order.amountPesewas} /> },
  { head: "State", cell: ({ order }) => <StatusChip status={order.status} isPaid={order.paidAt !== null} /> },
  {
    head: "Delivered",
    className: "small",
    cell: ({ deliveredAt }) => deliveredAt && <When at={deliveredAt} />,
  },
  {
    head: "Supplier's confirmation",
    className: "small full",
    cell: ({ vendor, reference, vendorReference, confirmation }) => (
      <bdi>
        {[vendor === DESK ? "by hand" : vendor, vendorReference ?? reference, confirmation].filter(Boolean).join(", ")}
      </bdi>
    ),
  },
];
