// Africa's Talking: each request has everything typed so far, and its sessions end with an event at an address of its
// own. Its sessions keep the ids that they have there, because idempotency keys were stored under them.
import type { Network } from "../../src/shared/domain.ts";
import { type CallbackForm, readCallback } from "../africastalking.ts";
import type { Answer } from "../ussd/hop.ts";
import { type Content, headersOf, type UssdGateway } from "./gateway.ts";

export const africastalking: UssdGateway = {
  name: "africastalking",
  read: async (request) => {
    const form = await readCallback(request);
    return { content: form ? contentOf(form) : { unreadable: "the form" }, write };
  },
};

/** Several times the text of the longest sensible session. */
const TEXT_CHARS = 1_000;

/** Any other code is merely unknown, not an error. */
const NETWORK_OF_CODE: Record<string, Network> = {
  "62001": "mtn",
  "62002": "vod",
  "62003": "atl",
  "62006": "atl",
};

/** A dial may come without a text. */
function contentOf(form: CallbackForm): Content {
  const caller = callerOf(form);
  if (typeof caller === "string") return { unreadable: caller };
  const [serviceCode = "", text = ""] = [form.get("serviceCode"), form.get("text")];
  if (text.length > TEXT_CHARS) return { unreadable: "text" };
  if (!/^[*#\d]{1,40}$/.test(serviceCode)) return { unreadable: "serviceCode" };
  const network = NETWORK_OF_CODE[form.get("networkCode") ?? ""] ?? null;
  return { turn: { ...caller, serviceCode, network, typed: { kind: "everything", text } } };
}

/** The caller, or the name of the unreadable field. An unescaped "+" arrives as a space; such a number is refused. */
export function callerOf(form: CallbackForm): { sessionId: string; msisdn: string } | string {
  const sessionId = form.get("sessionId") ?? "";
  const phone = /^\+(233[25]\d{8})$/.exec(form.get("phoneNumber") ?? "");
  if (!phone) return "phoneNumber";
  return /^[\w.-]{1,100}$/.test(sessionId) ? { sessionId, msisdn: phone[1]! } : "sessionId";
}

/** The gateway returns the screen's name with its report on the session's end, so it holds nothing else. */
function write({ text, screen }: Answer): Response {
  return new Response(text, { headers: { ...headersOf("text/plain"), "at-ussd-hop-metadata": screen } });
}
