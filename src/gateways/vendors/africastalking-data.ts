// The vendor adapter for Africa's Talking mobile data: https://bundles.africastalking.com. It infers the operator
// from the number. Whether it sells Ghana's bundles is undocumented, so it is used only if one of its products is
// configured.
import { z } from "zod";
import type {
  BundleLine,
  BundleVendor,
  Dispatch,
  Placed,
  StatusAnswer,
  VendorBalance,
  VendorEvent,
} from "../../core/fulfilment/vendor.ts";
import { readCedis } from "../../shared/money.ts";
import { balanceIn, refused, refusedWhole, stateOf, unanswered } from "./answers.ts";
import { apiAddress, createHttp, jsonIn, SHORT_TIMEOUT_MS, type VendorHttp, type VendorResponse } from "./call.ts";
import { declareVendor } from "./declaration.ts";

export type AfricasTalkingDataOptions = {
  baseUrl: string;
  username: string;
  apiKey: string;
  /** The name of the data product in their dashboard. */
  product: string;
  validity?: "Day" | "Week" | "BiWeek" | "Month" | "Quarterly";
  timeoutMs?: number;
};

/** Big Time is AT's second family, which cannot be requested by a number alone. */
const LINES: readonly BundleLine[] = ["MTN", "TELECEL", "AT_ISHARE"];
const VOLUME_MAX_MB = 100_000;
/** In callbacks and status checks "Success" is final, after "Queued"; the first answer never says it. */
const DELIVERED = ["success"];

const NAME = "Africa's Talking";

/** Africa's Talking as a vendor of the shop, used if the account for SMS has a data product. */
export const africastalking = declareVendor({
  name: NAME,
  environment: {
    AT_DATA_BASE_URL: apiAddress.default("https://bundles.africastalking.com"),
    AT_DATA_PRODUCT: z.string().optional(),
  },
  settings: ({ AT_USERNAME: username, AT_API_KEY: apiKey, AT_DATA_BASE_URL, AT_DATA_PRODUCT: product }) =>
    username && apiKey && product ? { baseUrl: AT_DATA_BASE_URL, username, apiKey, product } : null,
  create: createAfricasTalkingData,
});

/** Creates the adapter. Its calls never throw. */
export function createAfricasTalkingData(options: AfricasTalkingDataOptions): BundleVendor {
  const { baseUrl, apiKey, timeoutMs } = options;
  const http = createHttp({
    baseUrl,
    headers: { apikey: apiKey },
    secrets: [apiKey],
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return {
    code: "africastalking",
    name: NAME,
    can: {
      lines: LINES,
      // Only their transaction id can be looked up, and a lost answer has none; a batch would lose many at once.
      batchMax: 1,
      callsPerMinute: 60,
      canCheckStatus: true,
      settlesWithinSeconds: 0,
      statusChecksPerMinute: 60,
      statusCheckEverySeconds: 30,
      holdsForHours: 24,
    },
    serves: (line, volumeMb) =>
      LINES.includes(line) && Number.isInteger(volumeMb) && volumeMb > 0 && volumeMb <= VOLUME_MAX_MB,
    place: (dispatches) => Promise.all(dispatches.map((dispatch) => place(http, options, dispatch))),
    checkStatus: (ask) => checkStatus(http, options.username, ask.vendorReference),
    balance: () => balance(http, options.username),
    readWebhook: ({ raw, hasToken }) => (hasToken ? eventsIn(http, raw) : "unsigned"),
  };
}

const text = z.string().nullish().catch(null);
const Entry = z.object({
  phoneNumber: z.string(),
  status: z.string(),
  transactionId: text,
  value: z.unknown().optional(),
  errorMessage: text,
});

async function place(http: VendorHttp, options: AfricasTalkingDataOptions, dispatch: Dispatch): Promise<Placed> {
  const { volumeMb, reference } = dispatch;
  const isGb = volumeMb % 1000 === 0;
  const phoneNumber = `+${dispatch.msisdn}`;
  const response = await http.call({
    method: "POST",
    path: "/mobile/data/request",
    headers: { "idempotency-key": reference },
    body: {
      username: options.username,
      productName: options.product,
      recipients: [
        {
          phoneNumber,
          quantity: isGb ? volumeMb / 1000 : volumeMb,
          unit: isGb ? "GB" : "MB",
          validity: options.validity ?? "Month",
          metadata: { reference },
        },
      ],
    },
  });
  if (response.kind !== "json") return unanswered(response);
  const { status, json, retryAfterSeconds } = response;
  const entries = z.array(Entry).safeParse(json.entries).data ?? [];
  const entry = entries.find((one) => one.phoneNumber === phoneNumber);
  // 201 says only that the call was understood; each number has its own result.
  if (status < 300 && entry) return placedBy(http, entry);
  const texts = [json.errorMessage, json.message, json.description];
  if (status < 300 && http.message(...texts) === null)
    return { kind: "unclear", message: "the answer does not mention this number" };
  return refusedWhole(
    http,
    { status, texts, retryAfterSeconds },
    { dispatches: 1, checkKey: () => askBalance(http, options.username) },
  );
}

function placedBy(http: VendorHttp, entry: z.infer<typeof Entry>): Placed {
  const { status: word, transactionId: vendorReference = null, errorMessage, value } = entry;
  const message = http.message(errorMessage === "None" ? null : errorMessage, word);
  if (vendorReference === null) return refused(http, { status: 400, texts: [errorMessage, word] });
  const state = stateOf(word, []);
  if (state === null) return { kind: "unclear", message };
  return {
    kind: "taken",
    state: word === "Queued" ? "accepted" : state,
    vendorReference,
    costPesewas: readCedis(value),
    message,
  };
}

async function checkStatus(http: VendorHttp, username: string, transactionId: string | null): Promise<StatusAnswer> {
  if (transactionId === null)
    return { kind: "unclear", message: "Africa's Talking finds orders only by its own transaction id" };
  const query = new URLSearchParams({ username, transactionId });
  const response = await http.call({ method: "GET", path: `/query/transaction/find?${query}` });
  if (response.kind !== "json") return { kind: "unclear", message: response.message };
  const { json } = response;
  const data = z
    .object({ status: z.string(), transactionId: z.literal(transactionId), description: text })
    .safeParse(json.data).data;
  const state = stateOf(data?.status, DELIVERED);
  // Whatever has their id was accepted: not finding it now proves nothing.
  if (response.status >= 300 || !data || state === null)
    return { kind: "unclear", message: http.message(json.errorMessage, data?.status, json.status) };
  return {
    kind: "found",
    state,
    vendorReference: transactionId,
    message: http.message(data.description, data.status),
  };
}

function askBalance(http: VendorHttp, username: string): Promise<VendorResponse> {
  const query = new URLSearchParams({ username });
  return http.call({ method: "GET", path: `/query/wallet/balance?${query}`, timeoutMs: SHORT_TIMEOUT_MS });
}

async function balance(http: VendorHttp, username: string): Promise<VendorBalance> {
  return balanceIn(http, await askBalance(http, username), ({ balance }) => readCedis(balance));
}

const WebhookBody = z.object({
  transactionId: z.string().min(1),
  status: z.string(),
  description: text,
  metadata: z.object({ reference: text }).nullish().catch(null),
});

function eventsIn(http: VendorHttp, raw: Uint8Array): VendorEvent[] | "unreadable" {
  const webhook = WebhookBody.safeParse(jsonIn(raw)).data;
  const state = stateOf(webhook?.status, DELIVERED);
  if (!webhook || state === null) return "unreadable";
  const { transactionId, status, description, metadata } = webhook;
  return [
    {
      dedupeKey: `${status.toLowerCase()} ${transactionId}`,
      reference: metadata?.reference ?? null,
      vendorReference: transactionId,
      state,
      message: http.message(description, status),
    },
  ];
}
