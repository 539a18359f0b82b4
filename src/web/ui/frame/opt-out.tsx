// The explanation of a number that stopped SMS notices, for its owner and for admins.
import type { OptOut } from "../../../core/messaging/opt-outs.ts";
import { Moment } from "../parts.tsx";

/** When and how a number stopped notices; nothing when it gets them. */
export function StoppedSince({ optOut }: { optOut: OptOut | null }) {
  if (!optOut || optOut.endedAt) return null;
  return (
    <>
      since <Moment at={optOut.since} />, {HOW[optOut.source]}
    </>
  );
}

const HOW: Record<OptOut["source"], string> = {
  sms: "by texting STOP",
  gateway: "through its network",
  web: "when its owner erased what we keep about it",
};
