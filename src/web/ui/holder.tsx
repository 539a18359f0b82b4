// Who has an order, in words for admins.
import * as holders from "../../core/fulfilment/holders.ts";
import type { BundleVendor } from "../../core/fulfilment/vendor.ts";
import { DESK } from "../../shared/domain.ts";
import { Moment } from "./parts.tsx";

type Props = { holder: holders.Holder | undefined; vendors: readonly BundleVendor[] };

/** What each state of an attempt is called. */
const STATES: Partial<Record<holders.Holder["state"], string>> = {
  sending: "being sent",
  unknown: "outcome unknown",
  held: "held for the number",
};

export function nameOf(code: string, vendors: readonly BundleVendor[]): string {
  return vendors.find((vendor) => vendor.code === code)?.name ?? (code === DESK ? "The desk" : code);
}

/** A few words: a vendor and what it says, a batch and whose it is, or a queue. */
export function HolderText({ holder, vendors }: Props) {
  if (!holder) return <>Nobody yet</>;
  if (holder.batchId)
    return (
      <>
        <a href={`/admin/desk/${holder.batchId}`}>Batch {holder.batchId}</a> of{" "}
        <bdi>{holder.takenBy ?? "somebody who left"}</bdi>
      </>
    );
  const name = nameOf(holder.vendor, vendors);
  if (holder.state === "queued")
    return <>{holder.vendor === DESK ? "Waits at the desk" : `Waits for ${name}`}</>;
  return (
    <>
      {name}: {STATES[holder.state] ?? holder.state}
      {holder.confirmedAt && (
        <>
          , it said so <Moment at={holder.confirmedAt} />
        </>
      )}
    </>
  );
}

/** What a refund means while somebody has the order. */
export function RefundWarning({ holder, vendors }: Props) {
  if (!holders.mayDeliver(holder)) return null;
  return (
    <p className="note warn">
      <strong>
        <HolderText holder={holder} vendors={vendors} />.
      </strong>{" "}
      It may still be delivered. Then the refund is a loss, which is recorded under the agent's name and
      theirs.
    </p>
  );
}
