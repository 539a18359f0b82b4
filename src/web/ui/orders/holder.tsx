// Text about who holds an order, for admins.
import * as holders from "../../../core/fulfilment/holders.ts";
import type { BundleVendor } from "../../../core/fulfilment/vendor.ts";
import { DESK } from "../../../shared/domain.ts";
import { PageLink } from "../frame/permitted.tsx";
import { Moment } from "../parts.tsx";

type Props = { holder: holders.Holder | undefined; vendors: readonly BundleVendor[] };

/** Labels of an attempt's states. */
const STATES: Partial<Record<holders.Holder["state"], string>> = {
  sending: "being sent",
  unknown: "outcome unknown",
  held: "held for the number",
};

export function nameOf(code: string, vendors: readonly BundleVendor[]): string {
  return vendors.find((vendor) => vendor.code === code)?.name ?? (code === DESK ? "The desk" : code);
}

/** A vendor with its report, a batch with its owner, or a queue. */
export function HolderText({ holder, vendors }: Props) {
  if (!holder) return <>Nobody yet</>;
  if (holder.batchId)
    return (
      <>
        <PageLink isName href={`/admin/desk/${holder.batchId}`}>
          Batch {holder.batchId}
        </PageLink>{" "}
        of <bdi>{holder.takenBy ?? "somebody who has left"}</bdi>
      </>
    );
  const name = nameOf(holder.vendor, vendors);
  if (holder.state === "queued")
    return (
      <>
        {holder.isHeld && (
          <>
            <PageLink isName href="/admin/signals">
              Held by a signal
            </PageLink>
            {" · "}
          </>
        )}
        {holder.vendor === DESK ? "Waiting at the desk" : `Waiting for ${name}`}
      </>
    );
  return (
    <>
      {name}: {STATES[holder.state] ?? holder.state}
      {holder.confirmedAt && (
        <>
          , confirmed <Moment at={holder.confirmedAt} />
        </>
      )}
    </>
  );
}

/** A warning against refunding an order that somebody may still deliver. */
export function RefundWarning({ holder, vendors }: Props) {
  if (!holders.mayDeliver(holder)) return null;
  return (
    <p className="note warn">
      <strong>
        {nameOf(holder.vendor, vendors)} has this order (
        <HolderText holder={holder} vendors={vendors} />
        ).
      </strong>{" "}
      It may still be delivered. Then the refund is recorded as a loss, with the agent and whoever delivered it.
    </p>
  );
}
