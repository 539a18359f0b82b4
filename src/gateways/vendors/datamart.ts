// The vendor adapter for DataMart GH: https://api.datamartgh.shop, "API documentation". Sizes are GB as text, phone
// numbers national.
import { createHash } from "node:crypto";
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
import { localMsisdn } from "../../shared/phones/msisdn.ts";
import { isHmac } from "../signature.ts";
import { balanceIn, notTaken, refused, refusedWhole, stateOf, unanswered } from "./answers.ts";
import { apiAddress, createHttp, jsonIn, SHORT_TIMEOUT_MS, type VendorHttp, type VendorResponse } from "./call.ts";
import { declareVendor } from "./declaration.ts";

export type DataMartOptions = {
  /** Without a path: https://api.datamartgh.shop. */
  baseUrl: string;
  apiKey: string;
  /**
   * DataMart shows it once, when the webhook is set up. Null: webhooks are authenticated by the token in the address.
   */
  webhookSecret: string | null;
  timeoutMs?: number;
};

/** DataMart has one family of bundles per operator; AT's is iShare. */
const NETWORKS: Partial<Record<BundleLine, string>> = {
  MTN: "YELLO",
  TELECEL: "TELECEL",
  AT_ISHARE: "AT_PREMIUM",
};
/** "order.completed: data delivered" (DataMart, Events). */
const DELIVERED = ["completed", "delivered"];
const VOLUME_MAX_MB = 100_000;
const API = "/api/developer";

const NAME = "DataMart GH";

/** DataMart GH as a vendor of the shop, used if its key is set. */
export const datamart = declareVendor({
  name: NAME,
  environment: {
    DATAMART_BASE_URL: apiAddress.default("https://api.datamartgh.shop"),
    DATAMART_API_KEY: z.string().optional(),
    DATAMART_WEBHOOK_SECRET: z.string().optional(),
  },
  settings: ({ DATAMART_BASE_URL: baseUrl, DATAMART_API_KEY: apiKey, DATAMART_WEBHOOK_SECRET }) =>
    apiKey ? { baseUrl, apiKey, webhookSecret: DATAMART_WEBHOOK_SECRET ?? null } : null,
  create: createDataMart,
});

/** Creates the adapter. Its calls never throw. */
export function createDataMart(options: DataMartOptions): BundleVendor {
  const { baseUrl, apiKey, timeoutMs } = options;
  const http = createHttp({
    baseUrl,
    headers: { "x-api-key": apiKey },
    secrets: [apiKey, options.webhookSecret ?? ""],
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return {
    code: "datamart",
    name: NAME,
    can: {
      lines: Object.keys(NETWORKS) as BundleLine[],
      batchMax: 50,
      callsPerMinute: 150,
      canCheckStatus: true,
      // A batch is processed one order after the other, even after our timeout.
      settlesWithinSeconds: 120,
      settlesWithinSecondsEach: 10,
      // The documented limit for balance enquiries; none is documented for orders.
      statusChecksPerMinute: 120,
      statusCheckEverySeconds: 30,
      // "Waiting" orders are for numbers that must be activated first; they wait for up to 72 hours.
      holdsForHours: 72,
    },
    serves: (line, volumeMb) => line in NETWORKS && volumeMb > 0 && volumeMb % 1000 === 0 && volumeMb <= VOLUME_MAX_MB,
    place: (dispatches) => place(http, dispatches),
    checkStatus: (ask) => checkStatus(http, ask),
    balance: () => balance(http),
    readWebhook: ({ raw, headers, hasToken }) => {
      const { webhookSecret } = options;
      const signature = headers.get("x-datamart-signature");
      const isTrue = webhookSecret === null ? hasToken : isHmac("sha256", raw, signature, webhookSecret);
      return isTrue ? eventsIn(http, raw) : "unsigned";
    },
  };
}

const text = z.string().nullish().catch(null);
const Row = z.object({
  ref: text,
  phoneNumber: text,
  status: text,
  orderReference: text,
  transactionReference: text,
  price: z.unknown().optional(),
  code: text,
  message: text,
  error: text,
  reason: text,
});
type Row = z.infer<typeof Row>;
const rows = z
  .array(z.unknown())
  .catch([])
  .transform((all) => all.flatMap((row) => Row.safeParse(row).data ?? []));
const Batch = z.object({ results: rows, validationErrors: rows });
const NOTHING: z.infer<typeof Batch> = { results: [], validationErrors: [] };

/**
 * Always a bulk purchase, even of one: only there does DataMart document `ref`, by which an order can be found after
 * its answer was lost.
 */
async function place(http: VendorHttp, dispatches: readonly Dispatch[]): Promise<Placed[]> {
  if (dispatches.length === 0) return [];
  const response = await http.call({
    method: "POST",
    path: `${API}/bulk-purchase`,
    headers: { "x-idempotency-key": keyOf(dispatches) },
    body: { orders: dispatches.map(orderOf) },
  });
  const forAll = (placed: Placed) => dispatches.map(() => placed);
  if (response.kind !== "json") return forAll(unanswered(response));
  const { status, json, retryAfterSeconds } = response;
  const { results, validationErrors } = Batch.safeParse(json.data).data ?? NOTHING;
  // A batch without any valid order is an error, and still lists what is wrong with each.
  const isAboutEach = status < 300 ? json.status === "success" : status < 500 && validationErrors.length > 0;
  if (!isAboutEach) {
    const texts = [json.message, json.error, json.code];
    const ask = { status, texts, retryAfterSeconds };
    const whole = { dispatches: dispatches.length, checkKey: () => askBalance(http) };
    return forAll(await refusedWhole(http, ask, whole));
  }
  return dispatches.map((dispatch) => {
    const isOwn = (row: Row) => isAbout(row, dispatch, dispatches);
    return placedBy(http, results.find(isOwn), validationErrors.find(isOwn));
  });
}

/** "One key for the whole batch" (DataMart, Idempotency), derived from the dispatches: a retry has the same key. */
function keyOf(dispatches: readonly Dispatch[]): string {
  const references = dispatches.map(({ reference }) => reference).join(",");
  return createHash("sha256").update(references).digest("hex").slice(0, 32);
}

function orderOf({ msisdn, line, volumeMb, reference }: Dispatch) {
  return {
    phoneNumber: localMsisdn(msisdn),
    network: NETWORKS[line],
    capacity: String(volumeMb / 1000),
    ref: reference,
  };
}

/**
 * Whether a row is about a dispatch. Without our reference it is matched by its number, if that is unique in the
 * batch.
 */
function isAbout(row: Row, dispatch: Dispatch, all: readonly Dispatch[]): boolean {
  if (row.ref) return row.ref === dispatch.reference;
  const sameNumber = all.filter(({ msisdn }) => msisdn === dispatch.msisdn);
  return row.phoneNumber === localMsisdn(dispatch.msisdn) && sameNumber.length === 1;
}

function placedBy(http: VendorHttp, result: Row | undefined, invalid: Row | undefined): Placed {
  const row = result ?? invalid;
  if (!row) return { kind: "unclear", message: "the answer does not mention this number" };
  const texts = [row.message, row.error, row.reason, row.code];
  const message = http.message(...texts);
  const refusal = refused(http, { status: 400, texts });
  // An order that failed validation was never placed, whatever the reason.
  if (!result) return refusal.kind === "unclear" ? notTaken("not_servable", message) : refusal;
  const state = stateOf(row.status, DELIVERED);
  if (state === "failed" && refusal.kind !== "unclear") return refusal;
  const vendorReference = row.transactionReference ?? row.orderReference ?? null;
  if (state === null && vendorReference === null)
    return { kind: "unclear", message: message ?? http.message(row.status) };
  return {
    kind: "taken",
    // An unknown term for an order with an id of theirs: it exists, and its status will be checked.
    state: state ?? "processing",
    vendorReference,
    costPesewas: readCedis(row.price),
    message: message ?? http.message(row.status),
  };
}

async function checkStatus(
  http: VendorHttp,
  ask: { reference: string; vendorReference: string | null },
): Promise<StatusAnswer> {
  const path = `${API}/order-status/${encodeURIComponent(ask.reference)}`;
  const response = await http.call({ method: "GET", path });
  if (response.kind !== "json") return { kind: "unclear", message: response.message };
  const { status, json } = response;
  const message = http.message(json.message, json.error, json.code);
  if (status === 404 && ask.vendorReference === null && isNoSuchOrder(message)) return { kind: "not_found" };
  const data = z
    .object({
      orderStatus: z.string(),
      recommendation: text,
      transactionReference: text,
      price: z.unknown().optional(),
      message: text,
    })
    .safeParse(json.data).data;
  if (status >= 300 || json.status !== "success" || !data)
    return { kind: "unclear", message: message ?? `answered ${status}` };
  const state = stateIn(data.orderStatus, data.recommendation);
  if (state === null) return { kind: "unclear", message: http.message(data.orderStatus) };
  const vendorReference = ask.vendorReference ?? data.transactionReference ?? null;
  return {
    kind: "found",
    state,
    vendorReference,
    ...chargeIn(data.price),
    message: http.message(data.message, data.orderStatus),
  };
}

/** The price in a report; none where the report does not name one. */
function chargeIn(price: unknown): { costPesewas?: number } {
  const costPesewas = readCedis(price);
  return costPesewas === null ? {} : { costPesewas };
}

/** A wrong URL gets a 404, too; taken for a missing order, it would make us send everything again. */
function isNoSuchOrder(message: string | null): boolean {
  return /\b(order|transaction|reference)\b.*not found|no such (order|transaction|reference)/i.test(message ?? "");
}

/** An order for a number that must be activated first waits for up to three days (DataMart, Verify number). */
function stateIn(word: string, recommendation: string | null | undefined) {
  return stateOf(recommendation, []) === "held" ? "held" : stateOf(word, DELIVERED);
}

function askBalance(http: VendorHttp): Promise<VendorResponse> {
  return http.call({ method: "GET", path: `${API}/balance`, timeoutMs: SHORT_TIMEOUT_MS });
}

async function balance(http: VendorHttp): Promise<VendorBalance> {
  return balanceIn(http, await askBalance(http), (json) => {
    const data = z.object({ balance: z.unknown().optional(), currency: text }).safeParse(json.data).data;
    return json.status === "success" && data && (data.currency ?? "GHS") === "GHS" ? readCedis(data.balance) : null;
  });
}

const WebhookBody = z.object({
  event: z.string().startsWith("order."),
  timestamp: text,
  data: z.object({
    orderReference: z.string().min(1),
    transactionId: text,
    recommendation: text,
    price: z.unknown().optional(),
    message: text,
  }),
});

function eventsIn(http: VendorHttp, raw: Uint8Array): VendorEvent[] | "unreadable" {
  const webhook = WebhookBody.safeParse(jsonIn(raw)).data;
  if (!webhook) return "unreadable";
  const word = webhook.event.slice("order.".length);
  const { orderReference, transactionId, recommendation, price, message } = webhook.data;
  const state = word === "created" ? "accepted" : stateIn(word, recommendation);
  if (state === null) return "unreadable";
  return [
    {
      dedupeKey: `${webhook.event} ${orderReference} ${webhook.timestamp ?? ""}`,
      // For a bulk purchase this is our reference; theirs have a dash (GN-AB12CD34).
      reference: /^[A-Za-z0-9]{6,25}$/.test(orderReference) ? orderReference : null,
      vendorReference: transactionId ?? orderReference,
      state,
      ...chargeIn(price),
      message: http.message(message, word),
    },
  ];
}
