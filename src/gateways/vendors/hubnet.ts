// The vendor adapter for Hubnet's business API, after its PDF and its customers' programs: https://console.hubnet.app.
// Sizes are MB as text, phone numbers national. It has no status check, so after a lost answer only the webhook tells.
import { z } from "zod";
import type {
  BundleLine,
  BundleVendor,
  Dispatch,
  Placed,
  VendorBalance,
  VendorEvent,
} from "../../core/fulfilment/vendor.ts";
import { readCedis } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/phones/msisdn.ts";
import { balanceIn, notTaken, refusedWhole, stateOf, unanswered } from "./answers.ts";
import { apiAddress, createHttp, jsonIn, SHORT_TIMEOUT_MS, type VendorHttp, type VendorResponse } from "./call.ts";
import { declareVendor } from "./declaration.ts";

export type HubnetOptions = {
  /** Without a path: https://console.hubnet.app. */
  baseUrl: string;
  apiKey: string;
  timeoutMs?: number;
};

const NETWORKS: Partial<Record<BundleLine, string>> = { MTN: "mtn", AT_ISHARE: "at", AT_BIGTIME: "big-time" };
/** The PDF contradicts itself about sizes; whole GB up to 100 satisfy all of it. */
const VOLUME_MAX_MB = 100_000;
const API = "/live/api/context/business/transaction";
/** The only webhook status that means that the data arrived; "success" means paid. */
const DELIVERED = ["delivered"];

const NAME = "Hubnet";

/** Hubnet as a vendor of the shop, used if its key is set. */
export const hubnet = declareVendor({
  name: NAME,
  environment: {
    HUBNET_BASE_URL: apiAddress.default("https://console.hubnet.app"),
    HUBNET_API_KEY: z.string().optional(),
  },
  settings: ({ HUBNET_BASE_URL: baseUrl, HUBNET_API_KEY: apiKey }) => (apiKey ? { baseUrl, apiKey } : null),
  create: createHubnet,
});

/** Creates the adapter. Its calls never throw. */
export function createHubnet({ baseUrl, apiKey, timeoutMs }: HubnetOptions): BundleVendor {
  const http = createHttp({
    baseUrl,
    headers: { token: `Bearer ${apiKey}` },
    secrets: [apiKey],
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return {
    code: "hubnet",
    name: NAME,
    can: {
      lines: Object.keys(NETWORKS) as BundleLine[],
      batchMax: 1,
      callsPerMinute: 5,
      canCheckStatus: false,
      settlesWithinSeconds: 0,
      statusChecksPerMinute: 0,
      statusCheckEverySeconds: 60,
      holdsForHours: 24,
    },
    serves: (line, volumeMb) => line in NETWORKS && volumeMb > 0 && volumeMb % 1000 === 0 && volumeMb <= VOLUME_MAX_MB,
    place: (dispatches) => Promise.all(dispatches.map((dispatch) => place(http, dispatch))),
    checkStatus: async () => ({ kind: "unclear", message: "Hubnet has no status check" }),
    balance: () => balance(http),
    readWebhook: ({ raw, hasToken }) => (hasToken ? eventsIn(http, raw) : "unsigned"),
  };
}

const text = z.string().nullish().catch(null);
const Answer = z.object({
  status: z.unknown().optional(),
  reason: text,
  code: text,
  message: text,
  transaction_id: text,
  reference: text,
  data: z.object({ status: z.unknown().optional(), code: text, message: text }).nullish().catch(null),
});

async function place(http: VendorHttp, dispatch: Dispatch): Promise<Placed> {
  const { line, msisdn, volumeMb, reference, webhookUrl } = dispatch;
  const response = await http.call({
    method: "POST",
    path: `${API}/${NETWORKS[line]}-new-transaction`,
    body: {
      phone: localMsisdn(msisdn),
      volume: String(volumeMb),
      reference,
      ...(webhookUrl !== null && { webhook: webhookUrl }),
    },
  });
  if (response.kind !== "json") return unanswered(response);
  const { status, retryAfterSeconds } = response;
  const answer = Answer.safeParse(response.json).data;
  if (!answer) return { kind: "unclear", message: null };
  const { data } = answer;
  const texts = [data?.message, answer.message, answer.reason, answer.code];
  const message = http.message(...texts);
  const code = data?.code ?? [answer.message, answer.code].find((part) => /^\d{4}$/.test(part ?? "")) ?? null;
  // The outer status is true even for refusals, and the outer code and message are swapped: data.code decides.
  if (status < 300 && code === "0000") {
    const isOurs = answer.status === true && data?.status === true && (answer.reference ?? reference) === reference;
    if (!isOurs) return { kind: "unclear", message };
    return {
      kind: "taken",
      state: "accepted",
      vendorReference: answer.transaction_id ?? null,
      costPesewas: null,
      message,
    };
  }
  // 1001 invalid network, 1002 invalid volume (PDF, Response codes).
  if (status < 500 && (code === "1001" || code === "1002")) return notTaken("not_servable", message);
  // A message does not outweigh a "true", at whichever level it is.
  if (answer.status === true || data?.status === true) return { kind: "unclear", message };
  return refusedWhole(http, { status, texts, retryAfterSeconds }, { dispatches: 1, checkKey: () => askBalance(http) });
}

function askBalance(http: VendorHttp): Promise<VendorResponse> {
  return http.call({ method: "GET", path: `${API}/check_balance`, timeoutMs: SHORT_TIMEOUT_MS });
}

/** The answer is flat, with the amount as text: "1,207.46". */
async function balance(http: VendorHttp): Promise<VendorBalance> {
  return balanceIn(http, await askBalance(http), ({ status, currency, balance }) =>
    status === true && (currency ?? "GHS") === "GHS" ? readCedis(balance) : null,
  );
}

const WebhookBody = z.object({
  event: text,
  reference: z.string().min(1),
  transaction_id: text,
  message: text,
  reason: text,
  data: z.object({ status: text, message: text }).nullish().catch(null),
});

function eventsIn(http: VendorHttp, raw: Uint8Array): VendorEvent[] | "unreadable" {
  const webhook = WebhookBody.safeParse(jsonIn(raw)).data;
  // "transfer.delivered", or "delivered" in data.status.
  const word = webhook?.data?.status ?? webhook?.event?.split(".").at(-1);
  const state = stateOf(word, DELIVERED);
  if (!webhook || !word || state === null) return "unreadable";
  const { reference, transaction_id: vendorReference = null } = webhook;
  const message = http.message(webhook.data?.message, webhook.reason, webhook.message, word);
  return [{ dedupeKey: `${word.toLowerCase()} ${reference}`, reference, vendorReference, state, message }];
}
