// Staff's page of problems with deliveries: passed deadlines, suppliers' contradictions, unknown outcomes, late orders,
// failed jobs.
import type { ReactNode } from "react";
import * as attention from "../../../../core/fulfilment/attention.ts";
import * as holders from "../../../../core/fulfilment/holders.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import * as vendors from "../../../../core/fulfilment/vendors.ts";
import type { Attempt } from "../../../../core/orders/attempts.ts";
import type { OrderRow } from "../../../../core/orders/queries.ts";
import type { WaitingName } from "../../../../core/overview/kinds.ts";
import { type ByUser, DESK } from "../../../../shared/domain.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { PageLink, Permit } from "../../../ui/frame/permitted.tsx";
import { HolderText, nameOf } from "../../../ui/orders/holder.tsx";
import { Deadline, Empty, Money, UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { pauseText } from "../delivery/vendor-facts.tsx";
import { DeadJobs } from "./dead-jobs.tsx";

const PATH = "/admin/delivery";
const actions = {
  retry: does(attention.retryJob, () => redirect(PATH, "It will be tried again in a moment.")),
  ask: does(attention.checkFirst, () =>
    redirect(PATH, "The supplier will be asked in a moment. See the order's page for its answer."),
  ),
  settle: does(attention.settleConcern, () => redirect(PATH, "Dismissed, with your note.")),
};
export type AttentionAction = keyof typeof actions;

export const attentionPages: Page[] = [
  {
    path: PATH,
    right: "orders.work",
    tab: { section: "Orders", label: "Stuck" },
    show: showAttention,
    actions,
  },
];

async function showAttention({ db, by, vendors: known }: Context, refused?: Refused): Promise<View> {
  const items = await itemsFor(db, by);
  const { overdue, concerns, unknown, late, deadJobs } = items;
  const states = await vendors.states(db);
  const paused = known.filter(({ code }) => states.get(code)?.pausedFor);
  const isQuiet = [...Object.values(items), paused].every((list) => list.length === 0);
  const lateRow = (lateOrder: attention.LateOrder) => lateRowOf(lateOrder, known);
  return {
    body: (
      <>
        <RefusalNote refused={refused} />
        {isQuiet && <Quiet />}
        {paused.map((vendor) => (
          <PausedVendor key={vendor.code} vendor={vendor} state={states.get(vendor.code)} />
        ))}
        <Rows
          kind="orders_overdue"
          title="Overdue: decide now"
          intro="These are not refunded automatically. Ask whoever has the order, then set its status or refund it."
          rows={overdue.map(lateRow)}
        />
        <Rows
          kind="concerns"
          title="Look into these"
          intro="A supplier's report contradicts our records. Note your findings, then dismiss them."
          rows={concerns.map(({ attempt, order }) => ({
            order,
            holderText: nameOf(attempt.vendor, known),
            deadline: null,
            next: <Concern {...{ attempt, order, refused }} />,
          }))}
        />
        <Rows
          kind="outcomes_unknown"
          title="Outcome unknown"
          intro="It is not known whether these were delivered. They are never sent again automatically."
          rows={unknown.map(({ attempt, order }) => ({
            order,
            holderText: attemptText(attempt, known),
            deadline: order.deliverBy,
            next: <CheckForm attemptId={attempt.id} intro="Ask the supplier, then set the status" />,
          }))}
        />
        <Rows
          kind="orders_late"
          title="Late, or due soon"
          intro="Nearest deadline first. When its promise ends, an order that nobody holds is refunded automatically."
          rows={late.map(lateRow)}
        />
        {deadJobs.length > 0 && <DeadJobs jobs={deadJobs} />}
      </>
    ),
  };
}

function Quiet() {
  return (
    <section className="card">
      <Empty>Nothing needs attention: no order is stuck, and every outcome is known.</Empty>
    </section>
  );
}

/** What needs attention, without what is nothing to this viewer. */
async function itemsFor(db: Context["db"], by: ByUser) {
  const items = await attention.attention(db);
  return { ...items, ...(!hasRight(by, "delivery.manage") && { deadJobs: [] }) };
}

type PausedProps = { vendor: BundleVendor; state: vendors.VendorState | undefined };

function PausedVendor({ vendor: { code, name }, state }: PausedProps) {
  return (
    <p className="note warn">
      <strong>{name} is paused.</strong> <bdi>{pauseText(state)}</bdi>{" "}
      <PageLink href={`/admin/vendors/${code}`}>What waits for it</PageLink>
    </p>
  );
}

type Row = { order: OrderRow; holderText: ReactNode; deadline: Date | null; next: ReactNode };

function attemptText(
  { vendor, reference, vendorMessage }: Pick<Attempt, "vendor" | "reference" | "vendorMessage">,
  known: readonly BundleVendor[],
): string {
  return `${nameOf(vendor, known)}, reference ${reference}${vendorMessage ? `: ${vendorMessage}` : ""}`;
}

function lateRowOf({ order, holder, deadline, isForPerson }: attention.LateOrder, known: readonly BundleVendor[]): Row {
  const next = (step: string) => (isForPerson ? `${step}. It is not refunded automatically: decide by hand` : step);
  return {
    order,
    holderText: <HolderText holder={holder} vendors={known} />,
    deadline,
    next:
      holders.mayDeliver(holder) && holder.vendor !== DESK ? (
        <CheckForm attemptId={holder.attemptId} intro={next("Ask the supplier, then decide")} />
      ) : (
        next(nextStepOf(holder))
      ),
  };
}

function nextStepOf(holder: holders.Holder | undefined): string {
  if (!holder) return "Send it, or refund it";
  if (holder.state === "queued")
    return holder.vendor === DESK ? "Take a batch at the desk" : "Resume the supplier, or send it yourself";
  return "Check the batch";
}

/** A button that has the vendor checked at once; the answer is shown on the order's page. */
function CheckForm({ attemptId, intro }: { attemptId: number; intro: string }) {
  return (
    <Form<AttentionAction> to="/admin/delivery" does="ask" sends={{ id: attemptId }}>
      {intro}{" "}
      <button className="quiet small" type="submit">
        Ask now
      </button>
    </Form>
  );
}

type ConcernProps = attention.Attention["concerns"][number] & { refused: Refused | undefined };

/** A form that dismisses a concern, and the way to the money of what was delivered after its refund. */
function Concern({ attempt: { id, concern }, order, refused }: ConcernProps) {
  return (
    <Permit right="delivery.manage" otherwise={<bdi>{concern}</bdi>}>
      <FindingsForm to={PATH} attemptId={id} refused={refused}>
        <bdi>{concern}</bdi> {order.refundedAt && <a href={`/orders/${order.id}#take-back`}>Take the money back</a>}
      </FindingsForm>
    </Permit>
  );
}

type FindingsProps = { to: string; attemptId: number; refused: Refused | undefined; children?: ReactNode };

/** A form that dismisses what a supplier's report raised about an order, with a note. */
export function FindingsForm({ to, attemptId: id, refused, children }: FindingsProps) {
  const isThis = refused?.values.get("id") === String(id);
  return (
    <Form<"settle"> to={to} does="settle" sends={{ id }}>
      {children}
      <label className="sr" htmlFor={`note-${id}`}>
        Your findings
      </label>
      <input
        id={`note-${id}`}
        name="note"
        required
        maxLength={1000}
        placeholder="Your findings"
        defaultValue={isThis ? (refused.values.get("note") ?? "") : ""}
      />
      <button className="quiet small" type="submit">
        Dismiss
      </button>
    </Form>
  );
}

const COLUMNS: Column<Row>[] = [
  { head: "Order", cell: ({ order }) => <a href={`/orders/${order.id}`}>#{order.id}</a> },
  { head: "Agent", cell: ({ order }) => <UserLink {...order} /> },
  {
    head: "Number",
    className: "money",
    cell: ({ order }) => (
      <>
        <OperatorTag operator={order.operator} /> {spacedMsisdn(order.msisdn)}
      </>
    ),
  },
  { head: "Amount", cell: ({ order }) => <Money pesewas={order.amountPesewas} /> },
  { head: "Paid", cell: ({ order }) => order.paidAt && age(order.paidAt) },
  { head: "Who has it", cell: ({ holderText }) => holderText },
  { head: "Deadline", cell: ({ deadline }) => (deadline ? <Deadline at={deadline} /> : "None") },
  { head: "Next step", className: "full prose", cell: ({ next }) => next },
];

const CARDS_AT_FIRST = 20;

function Rows({ kind, title, intro, rows }: { kind: WaitingName; title: string; intro: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="card" id={kind}>
      <h2>
        {title} ({rows.length})
      </h2>
      <p className="soft">{intro}</p>
      <Table rows={rows} columns={COLUMNS} cardsAtFirst={CARDS_AT_FIRST} />
    </section>
  );
}

/** The time since a moment, in minutes, hours or days. */
function age(since: Date): string {
  const minutes = Math.max(0, Math.floor((Date.now() - since.getTime()) / 60_000));
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
