// The SMS gateways: their environment, and the senders of those that have keys.
import type { Sender, SmsSenders } from "../core/messaging/sender.ts";
import type { SmsGateway } from "../shared/domain.ts";
import { AFRICASTALKING_ENVIRONMENT, type AfricasTalkingOptions, createAfricasTalking } from "./africastalking.ts";
import { ARKESEL_ENVIRONMENT, type ArkeselOptions, createArkesel } from "./arkesel.ts";
import { createHubtel, HUBTEL_ENVIRONMENT, type HubtelOptions } from "./hubtel.ts";

/** Each is used if its keys are set. */
export const SMS_ENVIRONMENT = {
  ...AFRICASTALKING_ENVIRONMENT,
  ...ARKESEL_ENVIRONMENT,
  ...HUBTEL_ENVIRONMENT,
};

/** The settings of each gateway; null without keys. */
export type SmsSettings = {
  africastalking: AfricasTalkingOptions | null;
  arkesel: Omit<ArkeselOptions, "reportUrl"> | null;
  hubtel: HubtelOptions | null;
};

/** Settings that a gateway needs together, and those that it can have besides. */
export const SMS_GROUPS = [
  { all: ["AT_USERNAME", "AT_API_KEY"], more: ["AT_BASE_URL", "AT_SENDER_ID", "AT_DATA_PRODUCT"] },
  { all: ["ARKESEL_API_KEY", "ARKESEL_SENDER_ID"], more: ["ARKESEL_BASE_URL"] },
  {
    all: ["HUBTEL_SMS_CLIENT_ID", "HUBTEL_SMS_CLIENT_SECRET", "HUBTEL_SMS_SENDER_ID"],
    more: ["HUBTEL_SMS_BASE_URL"],
  },
];

/** The gateways' settings in an environment. */
export function smsSettings(env: { [Name in keyof typeof SMS_ENVIRONMENT]?: string | undefined }): SmsSettings {
  const { AT_USERNAME: username, AT_API_KEY: atKey, ARKESEL_API_KEY: arkeselKey } = env;
  const { HUBTEL_SMS_CLIENT_ID: clientId, HUBTEL_SMS_CLIENT_SECRET: clientSecret } = env;
  const { ARKESEL_SENDER_ID: arkeselName, HUBTEL_SMS_SENDER_ID: hubtelName } = env;
  const isSandbox = username?.toLowerCase() === "sandbox";
  const host = isSandbox ? "api.sandbox.africastalking.com" : "api.africastalking.com";
  return {
    africastalking:
      username && atKey
        ? {
            ...{ username, apiKey: atKey, senderId: env.AT_SENDER_ID ?? null },
            baseUrl: (env.AT_BASE_URL ?? `https://${host}`).replace(/\/$/, ""),
          }
        : null,
    arkesel:
      arkeselKey && arkeselName
        ? {
            ...{ apiKey: arkeselKey, senderId: arkeselName },
            baseUrl: env.ARKESEL_BASE_URL ?? "https://sms.arkesel.com",
          }
        : null,
    hubtel:
      clientId && clientSecret && hubtelName
        ? {
            ...{ clientId, clientSecret, senderId: hubtelName },
            baseUrl: env.HUBTEL_SMS_BASE_URL ?? "https://smsc.hubtel.com",
          }
        : null,
  };
}

/** The senders of the gateways that have keys; null without any. `reportUrl`: for delivery reports by Arkesel. */
export function createSmsSenders(
  { africastalking, arkesel, hubtel }: SmsSettings,
  reportUrl: () => string | null,
  decorate: (code: SmsGateway, sender: Sender) => Sender,
): SmsSenders | null {
  const senders: SmsSenders = {
    ...(africastalking && {
      africastalking: decorate("africastalking", createAfricasTalking(africastalking)),
    }),
    ...(arkesel && { arkesel: decorate("arkesel", createArkesel({ ...arkesel, reportUrl })) }),
    ...(hubtel && { hubtel: decorate("hubtel", createHubtel(hubtel)) }),
  };
  return Object.keys(senders).length > 0 ? senders : null;
}
