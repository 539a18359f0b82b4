// The note to an agent who cannot buy by phone yet.
import type { PhoneWait } from "../../core/identity/phone-waits.ts";
import { Moment } from "./parts.tsx";

export function PhoneWaits({ wait: { cause, until } }: { wait: PhoneWait }) {
  return (
    <p className="note warn">
      {cause === "phone" ? "Your phone was changed." : "Your PIN was reset by a code."} For your safety, you
      can buy by USSD and SMS from <Moment at={until} />. Until then, buy here on the web.
    </p>
  );
}
