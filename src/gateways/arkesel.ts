// The SMS sender for Arkesel's API v2 (https://developers.arkesel.com), after the requests and answers that its users
// have published; nothing was tried against the live service. It has no idempotency key and no status check by our own
// id, so what may have been sent is never sent again on a guess.
import { z } from "zod";
import type { Sender, Sent } from "../core/messaging/sender.ts";
import { senderName } from "./sender-name.ts";
import { apiAddress, createHttp, type VendorResponse } from "./vendors/call.ts";

/** The key of an application, and the sender name approved for it. */
export const ARKESEL_ENVIRONMENT = {
  ARKESEL_BASE_URL: apiAddress.optional(),
  ARKESEL_API_KEY: z.string().optional(),
  ARKESEL_SENDER_ID: senderName,
};

export type ArkeselOptions = {
  /** https://sms.arkesel.com, or a simulator. */
  baseUrl: string;
  apiKey: string;
  senderId: string;
  /** The address for its delivery reports, which goes along with each message; null for none. */
  reportUrl: () => string | null;
  timeoutMs?: number;
};

const TIMEOUT_MS = 8_000;

/** Creates the sender. It never throws. */
export function createArkesel(options: ArkeselOptions): Sender {
  const { baseUrl, apiKey, senderId, reportUrl, timeoutMs = TIMEOUT_MS } = options;
  const http = createHttp({ baseUrl, headers: { "api-key": apiKey }, secrets: [apiKey], timeoutMs });
  return {
    send: async ({ recipient, body: message }) => {
      const reports = reportUrl();
      const body = {
        ...{ sender: senderId, message, recipients: [recipient] },
        ...(reports && { callback_url: reports }),
      };
      return outcomeOf(await http.call({ method: "POST", path: "/api/v2/sms/send", body }));
    },
  };
}

/** One for each recipient; some users report it without the list. */
const Result = z.object({ id: z.string().optional(), "invalid numbers": z.array(z.string()).optional() });
const Accepted = z.object({
  status: z.literal("success"),
  data: z.union([z.array(Result), Result.transform((result) => [result])]),
});

function outcomeOf(response: VendorResponse): Sent {
  if (response.kind === "not_sent") return { kind: "down", reason: response.message };
  if (response.kind === "lost") return { kind: "unknown", reason: response.message };
  const { status } = response;
  if (status >= 400) return refusalOf(status);
  const accepted = response.kind === "json" ? Accepted.safeParse(response.json) : null;
  if (!accepted?.success) return { kind: "unknown", reason: `HTTP ${status} without a result` };
  const [result] = accepted.data.data;
  if (result?.["invalid numbers"]) return { kind: "refused", reason: "invalid number" };
  return { kind: "accepted", providerId: result?.id ?? null };
}

/** 401 and 403: the key; 402: no credit; 422: this message. A server's error says nothing about the message. */
function refusalOf(status: number): Sent {
  const reason = `HTTP ${status}`;
  if (status >= 500) return { kind: "unknown", reason };
  if (status === 401 || status === 402 || status === 403) return { kind: "down", reason };
  return { kind: status === 429 ? "busy" : "refused", reason };
}
