// The SMS sender for Africa's Talking: https://developers.africastalking.com/docs/sms/sending/bulk. The
// `africastalking` package makes the call. It has no setting for the address or a timeout, rejects with errors that
// carry the API key, and takes an "InvalidSenderId" reply for a success; this file sets the first two and maps the
// rest to a `Sent`.
import { createRequire } from "node:module";
import { z } from "zod";
import type { Sender, Sent } from "../core/messaging/sender.ts";
import { senderName } from "./sender-name.ts";

/** An account, and the registered sender name. */
export const AFRICASTALKING_ENVIRONMENT = {
  AT_BASE_URL: z.url().optional(),
  AT_USERNAME: z.string().optional(),
  AT_API_KEY: z.string().optional(),
  AT_SENDER_ID: senderName,
};

export type AfricasTalkingOptions = {
  /** https://api.africastalking.com, its sandbox, or a simulator. */
  baseUrl: string;
  username: string;
  apiKey: string;
  /** The registered sender name; null sends under the provider's own. */
  senderId: string | null;
  timeoutMs?: number;
};

const TIMEOUT_MS = 8_000;

/**
 * Creates the sender. It never throws. The package is loaded with the first message, because it takes 40 MB and a third
 * of a second that most processes never need.
 */
export function createAfricasTalking(options: AfricasTalkingOptions): Sender {
  let sms: Sms | undefined;
  return {
    send: async ({ recipient, body }) => {
      sms ??= load(options);
      try {
        return outcomeOf(201, await sms({ to: `+${recipient}`, message: body }));
      } catch (error) {
        return outcomeOfFailure(error);
      }
    },
  };
}

type Sms = (message: { to: string; message: string }) => Promise<unknown>;

const packages = createRequire(import.meta.url);

function load({ baseUrl, username, apiKey, senderId, timeoutMs }: AfricasTalkingOptions): Sms {
  const { SMS } = packages("africastalking")({ username, apiKey }) as {
    SMS: { send: (message: object) => Promise<unknown> };
  };
  const urls = packages("africastalking/lib/common") as { SMS_URL: string };
  const axios = createRequire(packages.resolve("africastalking"))("axios") as {
    defaults: { timeout: number; maxRedirects: number };
  };
  return (message) => {
    // The package shares these among all clients in the process and reads them during the call.
    urls.SMS_URL = `${baseUrl}/version1/messaging`;
    axios.defaults.timeout = timeoutMs ?? TIMEOUT_MS;
    // A redirect would send the API key along.
    axios.defaults.maxRedirects = 0;
    return SMS.send({ ...message, ...(senderId && { from: senderId }) });
  };
}

const Reply = z.object({
  SMSMessageData: z.object({
    Message: z.string().catch(""),
    Recipients: z.array(z.object({ statusCode: z.coerce.number(), messageId: z.string().nullish() })),
  }),
});

/** The outcomes by a recipient's status code (Africa's Talking, "Send bulk SMS", status codes). */
const OUTCOMES: Record<number, Exclude<Sent, { kind: "accepted" | "unknown" }>> = {
  401: { kind: "down", reason: "401 RiskHold" },
  402: { kind: "down", reason: "402 InvalidSenderId" },
  403: { kind: "refused", reason: "403 InvalidPhoneNumber" },
  404: { kind: "refused", reason: "404 UnsupportedNumberType" },
  405: { kind: "down", reason: "405 InsufficientBalance" },
  406: { kind: "refused", reason: "406 UserInBlacklist", barred: "opt_out" },
  407: { kind: "busy", reason: "407 CouldNotRoute" },
  409: { kind: "refused", reason: "409 DoNotDisturbRejection", barred: "opt_out" },
  500: { kind: "busy", reason: "500 InternalServerError" },
  501: { kind: "busy", reason: "501 GatewayError" },
  502: { kind: "busy", reason: "502 RejectedByGateway" },
};

/** The outcome for the one recipient. The status 201 alone says only that the request was understood. */
function outcomeOf(status: number, body: unknown): Sent {
  const reply = Reply.safeParse(body);
  if (!reply.success) return { kind: "unknown", reason: `HTTP ${status} without a result` };
  const { Message, Recipients } = reply.data.SMSMessageData;
  const [recipient] = Recipients;
  // No recipient means that nothing was sent. The one known reason is an unregistered sender id.
  if (!recipient)
    return {
      kind: "down",
      reason: Message === "InvalidSenderId" ? "InvalidSenderId" : "no recipient listed",
    };
  const { statusCode, messageId } = recipient;
  if (statusCode >= 100 && statusCode <= 102)
    return { kind: "accepted", providerId: messageId && messageId !== "None" ? messageId : null };
  return OUTCOMES[statusCode] ?? { kind: "unknown", reason: `status ${statusCode}` };
}

const Failure = z.object({
  isAxiosError: z.literal(true),
  code: z.string().optional(),
  response: z.object({ status: z.number(), data: z.unknown() }).optional(),
});
/** Faults before a connection is established: certainly nothing was sent. */
const NOT_REACHED = new Set([
  "ECONNREFUSED",
  "ConnectionRefused",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

function outcomeOfFailure(error: unknown): Sent {
  const failure = Failure.safeParse(error);
  if (failure.success) {
    const { code = "fault", response } = failure.data;
    if (response) return outcomeOfStatus(response.status);
    return NOT_REACHED.has(code) ? { kind: "down", reason: code } : { kind: "unknown", reason: code };
  }
  // The package's own validation, before anything is sent.
  if (error instanceof Error) return { kind: "refused", reason: "not a phone number" };
  // For a success other than 201, the package rejects with the reply itself.
  return outcomeOf(200, error);
}

function outcomeOfStatus(status: number): Sent {
  const reason = `HTTP ${status}`;
  if (status === 401 || status === 403) return { kind: "down", reason };
  if (status === 429) return { kind: "busy", reason };
  if (status >= 400 && status < 500) return { kind: "refused", reason };
  return { kind: "unknown", reason };
}
