// The texts about gateways of USSD and SMS in trouble, for admins.
import { letter, type Mail } from "./texts.ts";

/** Too many unreadable requests, or too large a share of failures, of a gateway in this hour. */
export type GatewayTrouble = { channel: "ussd" | "sms"; name: string } & (
  | { kind: "unreadable"; count: number }
  | { kind: "failures"; count: number; total: number }
);

/** One sentence about a gateway's trouble. */
export function troubleSentence(trouble: GatewayTrouble): string {
  const { name, count } = trouble;
  const isUssd = trouble.channel === "ussd";
  if (trouble.kind === "unreadable")
    return `In this hour, ${count} ${isUssd ? "USSD requests" : "SMS callbacks"} from ${name} could not be read.`;
  const unit = isUssd ? "USSD requests" : "SMS";
  return `In this hour, ${count} of ${trouble.total} ${unit} by ${name} failed.`;
}

/** To admins, by e-mail: a gateway is in trouble. */
export function gatewayFails(username: string, trouble: GatewayTrouble): Mail {
  const { channel, name, kind } = trouble;
  const title = channel === "ussd" ? "USSD" : "SMS";
  return {
    kind: "gateway_fails",
    subject: `${title} by ${name}: ${kind === "unreadable" ? "requests cannot be read" : "too much fails"}`,
    mail: letter(
      username,
      troubleSentence(trouble),
      GATEWAY_ADVICE[`${channel} ${kind}`],
      "You get this once an hour at most. The bounds are under Settings, SMS and USSD.",
    ),
  };
}

/** To admins, by e-mail: the day's replies to numbers without an account are used up. */
export function strangersBoundReached(username: string, perDay: number): Mail {
  return {
    kind: "sms_strangers",
    subject: `${perDay} SMS went to numbers without an account`,
    mail: letter(
      username,
      `In 24 hours, ${perDay} SMS from numbers without an account were answered. The next ones get no reply until ` +
        "the 24 hours are over. STOP and START still work, and agents are not affected.",
      "If an advertisement brings new people, all is well. If not, somebody may forge senders: look under Messages " +
        "at who writes, and ask the gateway.",
    ),
  };
}

const GATEWAY_ADVICE = {
  "ussd unreadable":
    "Callers hear “Sorry, please dial again”. Compare the callback in the gateway's dashboard with the shop's; " +
    "the log says which field is wrong.",
  "ussd failures":
    "Callers hear “Sorry, please dial again”, or the gateway ends their sessions. USSD in the shop shows since when.",
  "sms unreadable":
    "Delivery reports or SMS to the shop get lost. Compare the callbacks in the gateway's dashboard with the shop's.",
  "sms failures":
    "Messages in the shop shows the reason of each. If the gateway's account is empty or its key was changed, " +
    "choose another gateway, or a fall-back, under Settings.",
};
