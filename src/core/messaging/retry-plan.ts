// The plan after each outcome of sending a message: when it is tried again, and by which gateway. Only what was
// certainly not sent goes by another gateway at once; the rest must not reach a phone twice on a guess.
import type { messages } from "../../../db/schema/messaging.ts";
import type { MessageState, SmsGateway } from "../../shared/domain.ts";
import * as optOuts from "./opt-outs.ts";
import type { Sent } from "./sender.ts";

export type Plan = {
  state: MessageState;
  /** Null when it is over. */
  waitSeconds: number | null;
  /** The gateway of the next attempt; null for the first of the route. */
  gateway?: SmsGateway | null;
  /** Not a real attempt: the gateway, not the message, was the obstacle. */
  isUncounted?: boolean;
};

type Message = typeof messages.$inferSelect;
type Circumstances = {
  /** The gateway that is left if this one certainly did not send it. */
  next: SmsGateway | null;
  /** A worker was killed while sending it. */
  wasInterrupted: boolean;
  /** How often its job was begun. */
  rounds: number;
};

const TRIES_MAX = 3;
/** An SMS whose outcome is unknown is sent once more after this; its gateway has no way to check. */
const AFTER_UNKNOWN_SECONDS = 60;
/** The same after a killed worker; with the lease that had to end first, it is under a minute in total. */
const AFTER_KILL_SECONDS = 20;

/**
 * The next state after an outcome. An SMS that has certainly not been sent goes by the fall-back at once. An e-mail
 * with an unknown outcome may be sent again, because it keeps its Message-ID, and so may a push message, which keeps
 * its tag; an SMS only once more, by the other gateway if there is one, and never with a code.
 */
export function planOf(message: Message, { next, wasInterrupted, rounds }: Circumstances, outcome: Sent): Plan {
  const { attempts, channel, carriesCode } = message;
  const passOn: Plan | null = next && { ...again(0, next), isUncounted: true };
  switch (outcome.kind) {
    case "accepted":
      return over("sent");
    case "refused":
      return (mayPassOn(message, outcome) && passOn) || over("failed");
    case "down":
      return passOn ?? { ...again(60 * Math.min(rounds, 5)), isUncounted: true };
    case "busy":
      return passOn ?? (attempts >= TRIES_MAX ? over("failed") : again(15 * 4 ** attempts));
    case "unknown": {
      const triesMax = channel !== "sms" ? TRIES_MAX : carriesCode ? 1 : 2;
      if (attempts >= triesMax) return over("unknown");
      return again(wasInterrupted ? AFTER_KILL_SECONDS : AFTER_UNKNOWN_SECONDS, next);
    }
  }
}

function again(waitSeconds: number, gateway: SmsGateway | null = null): Plan {
  return { state: "queued", waitSeconds, gateway };
}

function over(state: MessageState): Plan {
  return { state, waitSeconds: null };
}

/** An opt-out at one gateway counts for all, but for what passes it. */
function mayPassOn(message: Message, { barred }: Extract<Sent, { kind: "refused" }>): boolean {
  return barred === undefined || (barred === "opt_out" && optOuts.passes(message));
}
