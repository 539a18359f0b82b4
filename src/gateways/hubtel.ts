// The SMS sender for Hubtel: https://businessdocs-developers.hubtel.com/docs/simple-messaging, with the response codes
// of https://hubtel.readme.io/reference/response-code; nothing was tried against the live service. The contract has no
// delivery reports: a message that Hubtel accepted stays "sent".
import { z } from "zod";
import type { Sender, Sent } from "../core/messaging/sender.ts";
import { senderName } from "./sender-name.ts";
import { apiAddress, createHttp, type VendorResponse } from "./vendors/call.ts";

/** The keys of "Programmable SMS", and the sender name that belongs to them. */
export const HUBTEL_ENVIRONMENT = {
  HUBTEL_SMS_BASE_URL: apiAddress.optional(),
  HUBTEL_SMS_CLIENT_ID: z.string().optional(),
  HUBTEL_SMS_CLIENT_SECRET: z.string().optional(),
  HUBTEL_SMS_SENDER_ID: senderName,
};

export type HubtelOptions = {
  /** https://smsc.hubtel.com, or a simulator. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  senderId: string;
  timeoutMs?: number;
};

const TIMEOUT_MS = 8_000;

/** Creates the sender. It never throws. */
export function createHubtel(options: HubtelOptions): Sender {
  const { baseUrl, clientId, clientSecret, senderId, timeoutMs = TIMEOUT_MS } = options;
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const headers = { authorization: `Basic ${credentials}` };
  const http = createHttp({ baseUrl, headers, secrets: [clientSecret, credentials], timeoutMs });
  return {
    send: async ({ recipient, body }) => {
      const message = { From: senderId, To: recipient, Content: body };
      return outcomeOf(await http.call({ method: "POST", path: "/v1/messages/send", body: message }));
    },
  };
}

/** The status of the message: 0 is accepted, and the others are the subcodes of a refusal. */
const Result = z.object({ status: z.number(), messageId: z.string().nullish() });

/** Refusals that concern the account and not the message: the sender name, and credit. */
const OF_ACCOUNT = new Set([2, 12]);

function outcomeOf(response: VendorResponse): Sent {
  if (response.kind === "not_sent") return { kind: "down", reason: response.message };
  if (response.kind === "lost") return { kind: "unknown", reason: response.message };
  const { status } = response;
  const result = response.kind === "json" ? (Result.safeParse(response.json).data ?? null) : null;
  if (status >= 400) return refusalOf(status, result?.status ?? null);
  if (result?.status === 0) return { kind: "accepted", providerId: result.messageId ?? null };
  return { kind: "unknown", reason: result ? `status ${result.status}` : `HTTP ${status} without a result` };
}

/** 401: the keys; 402: no credit; 403: the recipient has not agreed to messages. */
function refusalOf(status: number, subcode: number | null): Sent {
  const reason = `HTTP ${status}${subcode === null ? "" : `, status ${subcode}`}`;
  if (status >= 500) return { kind: "unknown", reason };
  if (status === 403) return { kind: "refused", reason, barred: "opt_out" };
  if (status === 401 || status === 402 || (subcode !== null && OF_ACCOUNT.has(subcode)))
    return { kind: "down", reason };
  return { kind: status === 429 ? "busy" : "refused", reason };
}
