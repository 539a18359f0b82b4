// The text of the e-mail about a switch that was closed or opened.
import { accraDayTime } from "../../../shared/accra.ts";
import type { Closing } from "../../../shared/switches.ts";
import { letter, type Mail } from "./texts.ts";

/** What was closed or opened ("Sales", "MTN"), with its words while it is closed; `reason` is for staff. */
export type Thrown = { label: string; closing: Closing | null; reason: string | null };

/** To an owner; `by` is the username of whoever did it. */
export function switchThrown(username: string, by: string, { label, closing, reason }: Thrown): Mail {
  if (!closing)
    return {
      kind: "switch_thrown",
      subject: `Open again: ${label}`,
      mail: letter(username, `${by} has opened this again: ${label}.`, "Everything works there as before."),
    };
  const { message, until } = closing;
  const end = until ? `It opens by itself on ${accraDayTime(until)}.` : "It stays closed until somebody opens it.";
  return {
    kind: "switch_thrown",
    subject: `Closed: ${label}`,
    mail: letter(
      username,
      `${by} has closed this: ${label}. ${end}`,
      `People who meet it read:\n\n    ${message}`,
      ...(reason ? [`The reason given: ${reason}`] : []),
      "Settings, Stop selling shows everything that is closed.",
    ),
  };
}
