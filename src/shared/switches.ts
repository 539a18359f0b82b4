// Kill switches: what each closes, and the words that people read when nobody writes others. A network's switch is its
// pause of sale (pause.ts).
import type { By } from "./domain.ts";
import { AppError } from "./errors/app-error.ts";
import { endText } from "./pause.ts";
import { sentence } from "./text.ts";

/** Each switch: its label, what closing it stops, and what people read unless somebody writes more. */
export const SWITCHES = {
  sales: {
    label: "Sales",
    stops: "Stops buying, and paying for orders. What is paid is delivered.",
    message: "Sales are closed for the moment. Your money is safe.",
  },
  web: {
    label: "Web",
    stops: "Stops buying, paying and topping up on the pages. Agents can still look.",
    message: "Buying on the website is closed for the moment. You can still dial.",
  },
  api: {
    label: "API",
    stops: "Stops buying, paying and topping up by programs. They can still read.",
    message: "Buying by API is closed for the moment.",
  },
  ussd: {
    label: "USSD",
    stops: "Stops buying, paying, topping up and codes for new PINs. Callers can still look.",
    message: "Buying by USSD is closed for the moment. Use the website.",
  },
  sms: {
    label: "SMS",
    stops: "Stops buying by SMS. Balances and orders are still answered.",
    message: "Buying by SMS is closed for the moment. Use the website.",
  },
  top_ups: {
    label: "Top-ups",
    stops: "Stops new payments by mobile money or card. What was paid is credited.",
    message: "Top-ups are closed for the moment. Please do not send money now.",
  },
  cancelling: {
    label: "Cancelling",
    stops: "Stops agents from cancelling orders.",
    message: "Orders cannot be cancelled for the moment.",
  },
  refunds: {
    label: "Refunds",
    stops: "Stops refunds by staff, and reports by agents. Refunds at a deadline wait until it opens.",
    message: "Refunds are closed for the moment. Please try again later.",
  },
} as const satisfies Record<string, { label: string; stops: string; message: string }>;

export type SwitchName = keyof typeof SWITCHES;
export const SWITCH_NAMES = Object.keys(SWITCHES) as SwitchName[];

/** How long the words may be, in septets, so that they fit a USSD screen and an SMS with their end. */
export const SWITCH_MESSAGE_SEPTETS = 90;

/** What a switch says while it is closed; `until` is null when nobody has set an end. */
export type Closing = { message: string; until: Date | null };

const CHANNELS = ["web", "api", "ussd", "sms"] as const satisfies readonly SwitchName[];

/** The switch of the channel that somebody uses; null for staff's acts and the shop's own. */
export function channelSwitch({ channel }: Pick<By, "channel">): SwitchName | null {
  return CHANNELS.find((one) => one === channel) ?? null;
}

/** What the switch says that refused something; null for any other error. */
export function closingIn(error: unknown): Closing | null {
  if (!(error instanceof AppError) || error.code !== "service.closed") return null;
  const { message = error.message, until } = error.details ?? {};
  return { message: String(message), until: until ? new Date(String(until)) : null };
}

/** What people read: the words, and when it opens again: "Sales are closed. Open again from 14:30." */
export function closedText({ message, until }: Closing): string {
  return until ? `${sentence(message)} Open again from ${endText(until)}.` : sentence(message);
}
