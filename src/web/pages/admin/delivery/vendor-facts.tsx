// Facts of a vendor for its page: its pause, its queue, the orders it may have, and its performance.
import type { ReactNode } from "react";
import { HOURS } from "../../../../core/fulfilment/delivery-times.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import { FIGURE_DAYS } from "../../../../core/fulfilment/vendor-figures.ts";
import type { VendorFamily, VendorOverview } from "../../../../core/fulfilment/vendor-overview.ts";
import type { Sum } from "../../../../core/fulfilment/vendor-waiting.ts";
import type { VendorState } from "../../../../core/fulfilment/vendors.ts";
import { accraMoment, accraShort, ageText } from "../../../../shared/accra.ts";
import { percentText } from "../../../../shared/money.ts";
import { familyName } from "../../../../shared/operators.ts";
import { ordersText } from "../../../../shared/text.ts";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { Deadline, Empty, Moment, Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";

const PAUSES = {
  float_empty: "Our balance there is too low. Top it up: we try one order a minute, and sending resumes automatically.",
  key_refused: "It refuses our key. Fix the key, then resume.",
  admin: "Paused by hand.",
} as const;

/** Why a vendor is paused; empty when it is not. */
export function pauseText(state: VendorState | undefined): string {
  if (!state?.pausedFor) return "";
  return `${PAUSES[state.pausedFor]}${state.pausedMessage ? ` (${state.pausedMessage})` : ""}`;
}

export function PausedChip({ state }: { state: VendorState | undefined }) {
  return <span className={`chip ${state?.pausedFor ? "warn" : "good"}`}>{state?.pausedFor ? "Paused" : "Ready"}</span>;
}

/** Since when it is paused, by whom and why. */
export function PauseNote({ overview: { state, pausedBy } }: { overview: VendorOverview }) {
  if (!state.pausedFor || !state.pausedAt) return null;
  const isByHand = state.pausedFor === "admin";
  return (
    <p className="note warn">
      <strong>
        {isByHand ? "Paused" : "It paused itself"} <Moment at={state.pausedAt} />
        {pausedBy && (
          <>
            {" "}
            by <bdi>{pausedBy}</bdi>
          </>
        )}
        .
      </strong>{" "}
      <bdi>{isByHand ? `“${state.pausedMessage}”` : pauseText(state)}</bdi>{" "}
      <span className="soft">New orders go to the next in their route.</span>
    </p>
  );
}

/** The orders that wait for it, with the form that moves them as `children`. */
export function Waiting({ overview, children }: { overview: VendorOverview; children: ReactNode }) {
  const { name, waiting, confirmed, state } = overview;
  const { count, since, deadline, overdue, unclear } = waiting;
  return (
    <section className="card">
      <h2>{count > 0 ? `${ordersText(count)} ${count === 1 ? "waits" : "wait"} for it` : "Orders"}</h2>
      <dl className="facts">
        {count > 0 && (
          <Fact label="Money">
            <Money pesewas={waiting.pesewas} />
          </Fact>
        )}
        {since && (
          <Fact label="Oldest" note={`paid ${accraShort(since, new Date())}`}>
            {ageText(since, new Date())}
          </Fact>
        )}
        {deadline && (
          <Fact label="First deadline" note="Then it is refunded.">
            <Deadline at={deadline} />
          </Fact>
        )}
        {overdue.count > 0 && (
          <Fact label="Past their deadline" note="Nobody sends these any more.">
            <SumText sum={overdue} />
          </Fact>
        )}
        {unclear.count > 0 && (
          <Fact label="Without a clear answer">
            <a href="#unclear">
              <SumText sum={unclear} />
            </a>
          </Fact>
        )}
        <Fact label="Confirmed, on their way">
          <SumText sum={confirmed} />
        </Fact>
        <Fact label="Our balance there" note={state.balanceAt && `at ${accraMoment(state.balanceAt)}`}>
          {state.balancePesewas === null ? "Not known" : <Money pesewas={state.balancePesewas} />}
        </Fact>
      </dl>
      {count > 0 ? children : <Empty>No order waits for {name}.</Empty>}
    </section>
  );
}

type FactProps = { label: string; note?: string | null; children: ReactNode };

function Fact({ label, note, children }: FactProps) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {children} {note && <span className="soft">{note}</span>}
      </dd>
    </>
  );
}

function SumText({ sum: { count, pesewas } }: { sum: Sum }) {
  return (
    <>
      {ordersText(count)}
      {count > 0 && (
        <>
          , <Money pesewas={pesewas} />
        </>
      )}
    </>
  );
}

/** The orders that it may have: they stay, because anybody else would deliver them twice. */
export function Unclear({ overview: { name, vendor, waiting, unclear } }: { overview: VendorOverview }) {
  const { count } = waiting.unclear;
  if (count === 0) return null;
  return (
    <section className="card" id="unclear">
      <h2>
        {ordersText(count)} that {name} may have
      </h2>
      <p className="soft small">
        Sent without a clear answer. They stay here, because somebody else would deliver them twice.{" "}
        {vendor?.can.canCheckStatus
          ? "We keep asking; what it never received goes on by itself."
          : "It cannot be asked by us: look into its list."}{" "}
        <PageLink href="/admin/delivery">All problems</PageLink>
      </p>
      <ul className="rows" data-rows="">
        {unclear.map(({ orderId, reference, sentAt }) => (
          <li key={orderId}>
            <a href={`/orders/${orderId}`}>#{orderId}</a> <code>{reference}</code>
            {sentAt && (
              <span className="small soft">
                sent <When at={sentAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {count > unclear.length && (
        <p className="soft small">
          These are the oldest {unclear.length} of {count.toLocaleString("en")}.
        </p>
      )}
    </section>
  );
}

export function Figures({ families }: { families: VendorFamily[] }) {
  return (
    <section className="card">
      <h2>What it sends, and how</h2>
      <p className="soft small">
        Its own figures are of the last {FIGURE_DAYS} days, the network’s of the last {HOURS} hours.
      </p>
      <Table rows={families} columns={FAMILIES} className="pairs" empty="No bundle is sent by it." />
    </section>
  );
}

const FAMILIES: Column<VendorFamily>[] = [
  { head: "Bundles", className: "full", cell: ({ family }) => familyName(family) },
  {
    head: "In the route",
    cell: ({ place, routeLength, isByCost }) =>
      place === null ? (
        <span className="soft">Not in it</span>
      ) : isByCost ? (
        `One of ${routeLength}, by cost`
      ) : (
        `${place} of ${routeLength}`
      ),
  },
  {
    head: "Nine of ten within",
    isNumber: true,
    cell: ({ figures }) => (figures?.slowSeconds == null ? "–" : minutesText(figures.slowSeconds)),
  },
  {
    head: "Unknown results",
    isNumber: true,
    cell: ({ figures }) => percentText(figures?.unknownPercent ?? null),
  },
  {
    head: "Network, half within",
    isNumber: true,
    cell: ({ network }) => (network?.medianSeconds == null ? "–" : minutesText(network.medianSeconds)),
  },
];

/** Rounded up, as in the form of routes. */
const minutesText = (seconds: number) => (seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

export function About({ vendor: { code, name, can }, address }: { vendor: BundleVendor; address: string | null }) {
  return (
    <details className="card">
      <summary>About {name}</summary>
      <dl className="facts">
        <dt>Its name in routes</dt>
        <dd>
          <code>{code}</code>
        </dd>
        <dt>Sends</dt>
        <dd>{can.lines.map((family) => familyName(family)).join(", ")}</dd>
        <dt>Calls a minute</dt>
        <dd>{can.callsPerMinute}</dd>
        <dt>Orders in a call</dt>
        <dd>{can.batchMax}</dd>
        <dt>Address for its webhooks</dt>
        <dd>{address ? <code className="breaks">{address}</code> : "Set BASE_URL, so that it can reach the shop"}</dd>
      </dl>
    </details>
  );
}
