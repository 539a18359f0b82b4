// Schemas of kill switches.
import { z } from "zod";
import { requiredText } from "../../shared/inputs.ts";
import { gsm7Length, gsm7Text } from "../../shared/sms-text.ts";
import { SWITCH_MESSAGE_SEPTETS, SWITCH_NAMES } from "../../shared/switches.ts";
import { moment } from "./common.ts";

export const SwitchName = z.enum(SWITCH_NAMES);

export const SwitchParams = z.object({ name: SwitchName });

const isShort = (message: string) => gsm7Length(gsm7Text(message))! <= SWITCH_MESSAGE_SEPTETS;

/** What people read who meet it: on one line, and as long as a USSD screen has room for. */
export const SwitchMessage = requiredText(SWITCH_MESSAGE_SEPTETS, "Tell people what is closed")
  .overwrite((message) => message.replace(/\s+/g, " "))
  .refine(isShort, `at most ${SWITCH_MESSAGE_SEPTETS} characters by SMS`);

export const SwitchReason = requiredText(300, "Say why");

export const SwitchToClose = z.object({
  message: SwitchMessage.describe("What people read who meet it, on every channel"),
  reason: SwitchReason.describe("For staff"),
  until: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe("When it opens by itself; null: when somebody opens it")
    .transform((until) => (until === null ? null : new Date(until))),
});

export const SwitchState = z.object({
  name: SwitchName,
  label: z.string(),
  closed: z
    .object({
      message: z.string(),
      until: moment.nullable(),
      reason: z.string(),
      by: z.string().describe("The username of whoever closed it"),
      since: moment,
    })
    .nullable()
    .describe("Null while it is open"),
});
