// Hubnet's business API, from its PDF and its customers' programs: https://console.hubnet.app. Sizes are MB as text,
// numbers national. Nothing can be looked up there, so that an answer that is lost waits for the webhook.
import { z } from "zod";
import type {
  BundleLine,
  BundleVendor,
  Dispatch,
  Placed,
  VendorEvent,
} from "../../core/fulfilment/vendor.ts";
import { readCedis } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import { createHttp, type Heard, jsonIn, type VendorHttp } from "./call.ts";
import { notTaken, refusedWhole, stateOf, unanswered } from "./words.ts";

export type HubnetOptions = {
  /** Without a path: https://console.hubnet.app. */
  baseUrl: string;
  apiKey: string;
  timeoutMs?: number;
};

const NETWORKS: Partial<Record<BundleLine, string>> = { MTN: "mtn", AT_ISHARE: "at", AT_BIGTIME: "big-time" };
/** The PDF contradicts itself about sizes; whole GB up to 100 are in all that it says. */
const VOLUME_MAX_MB = 100_000;
const API = "/live/api/context/business/transaction";
/** The only word of its webhook that means that data arrived; "success" means that it was paid for. */
const DELIVERED = ["delivered"];

export function createHubnet({ baseUrl, apiKey, timeoutMs }: HubnetOptions): BundleVendor {
  const http = createHttp({
    baseUrl,
    headers: { token: `Bearer ${apiKey}` },
    secrets: [apiKey],
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return {
    code: "hubnet",
    name: "Hubnet",
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
    serves: (line, volumeMb) =>
      line in NETWORKS && volumeMb > 0 && volumeMb % 1000 === 0 && volumeMb <= VOLUME_MAX_MB,
    place: (parcels) => Promise.all(parcels.map((parcel) => place(http, parcel))),
    checkStatus: async () => ({ kind: "unclear", message: "Hubnet cannot be asked about an order" }),
    balancePesewas: () => balance(http),
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

async function place(http: VendorHttp, parcel: Dispatch): Promise<Placed> {
  const { line, msisdn, volumeMb, reference, webhookUrl } = parcel;
  const heard = await http.call({
    method: "POST",
    path: `${API}/${NETWORKS[line]}-new-transaction`,
    body: {
      phone: localMsisdn(msisdn),
      volume: String(volumeMb),
      reference,
      ...(webhookUrl !== null && { webhook: webhookUrl }),
    },
  });
  if (heard.kind !== "json") return unanswered(heard);
  const { status, retryAfterSeconds } = heard;
  const answer = Answer.safeParse(heard.json).data;
  if (!answer) return { kind: "unclear", message: null };
  const { data } = answer;
  const said = [data?.message, answer.message, answer.reason, answer.code];
  const words = http.words(...said);
  const code = data?.code ?? [answer.message, answer.code].find((part) => /^\d{4}$/.test(part ?? "")) ?? null;
  // The outer status is true also for what was refused, and outer code and message are swapped: data.code decides.
  if (status < 300 && code === "0000") {
    const isOurs =
      answer.status === true && data?.status === true && (answer.reference ?? reference) === reference;
    if (!isOurs) return { kind: "unclear", message: words };
    return {
      kind: "taken",
      state: "accepted",
      vendorReference: answer.transaction_id ?? null,
      costPesewas: null,
      message: words,
    };
  }
  // 1001 invalid network, 1002 invalid volume (PDF, Response codes).
  if (status < 500 && (code === "1001" || code === "1002")) return notTaken("not_servable", words);
  // Words alone do not outweigh a yes, wherever it stands.
  if (answer.status === true || data?.status === true) return { kind: "unclear", message: words };
  return refusedWhole(
    http,
    { status, said, retryAfterSeconds },
    { parcels: 1, checkKey: () => askBalance(http) },
  );
}

function askBalance(http: VendorHttp): Promise<Heard> {
  return http.call({ method: "GET", path: `${API}/check_balance` });
}

/** Flat, with an amount as text: "1,207.46". */
async function balance(http: VendorHttp): Promise<number | null> {
  const heard = await askBalance(http);
  if (heard.kind !== "json" || heard.status >= 300 || heard.json.status !== true) return null;
  return (heard.json.currency ?? "GHS") === "GHS" ? readCedis(heard.json.balance) : null;
}

const Told = z.object({
  event: text,
  reference: z.string().min(1),
  transaction_id: text,
  message: text,
  reason: text,
  data: z.object({ status: text, message: text }).nullish().catch(null),
});

function eventsIn(http: VendorHttp, raw: Uint8Array): VendorEvent[] | "unreadable" {
  const told = Told.safeParse(jsonIn(raw)).data;
  // "transfer.delivered", or the word alone in data.status.
  const word = told?.data?.status ?? told?.event?.split(".").at(-1);
  const state = stateOf(word, DELIVERED);
  if (!told || !word || state === null) return "unreadable";
  const { reference, transaction_id: vendorReference = null } = told;
  const words = http.words(told.data?.message, told.reason, told.message, word);
  return [
    { dedupeKey: `${word.toLowerCase()} ${reference}`, reference, vendorReference, state, message: words },
  ];
}
