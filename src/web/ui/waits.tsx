// The note to an agent who waits before buying: everywhere, or by phone alone.
import { isEverywhere, type Wait } from "../../core/ledger/waits.ts";
import { Moment } from "./parts.tsx";

/** A wait that closes USSD and SMS alone, or all channels. */
export function WaitNote({ wait }: { wait: Wait }) {
  const { reason, next } = REASONS[wait.cause];
  return (
    <p className="note warn" role="status">
      {reason} For your safety, you can buy{!isEverywhere(wait) && " by USSD and SMS"} from <Moment at={wait.until} />.{" "}
      {next}
    </p>
  );
}

const ON_THE_WEB = "Until then, buy here on the web.";

const REASONS: Record<Wait["cause"], { reason: string; next: string }> = {
  phone: { reason: "Your phone was changed.", next: ON_THE_WEB },
  pin: { reason: "Your PIN was reset by a code.", next: ON_THE_WEB },
  password: {
    reason: "Your password was set with a code to your phone.",
    next: "Set one with a code to your email (Forgot Password on the login page), and you need not wait.",
  },
  claim: {
    reason: "Your account was opened here with a code to its phone.",
    next: "If you cannot wait, ask support.",
  },
};
