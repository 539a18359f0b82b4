// DataMart GH's developer API: https://api.datamartgh.shop, "API documentation". Sizes are GB as text, numbers national.
import { createHash } from "node:crypto";
import { z } from "zod";
import type {
  BundleLine,
  BundleVendor,
  Dispatch,
  Placed,
  StatusAnswer,
  VendorEvent,
} from "../../core/fulfilment/vendor.ts";
import { readCedis } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import { isHmac } from "../signature.ts";
import { createHttp, type Heard, jsonIn, type VendorHttp } from "./call.ts";
import { notTaken, refused, refusedWhole, stateOf, unanswered } from "./words.ts";

export type DataMartOptions = {
  /** Without a path: https://api.datamartgh.shop. */
  baseUrl: string;
  apiKey: string;
  /** Shown once when the webhook is set up there; null: only an address with a token is believed. */
  webhookSecret: string | null;
  timeoutMs?: number;
};

/** DataMart has one kind of bundle for each operator, and AT's is iShare. */
const NETWORKS: Partial<Record<BundleLine, string>> = {
  MTN: "YELLO",
  TELECEL: "TELECEL",
  AT_ISHARE: "AT_PREMIUM",
};
/** "order.completed: data delivered" (DataMart, Events). */
const DELIVERED = ["completed", "delivered"];
const VOLUME_MAX_MB = 100_000;
const API = "/api/developer";

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
    name: "DataMart GH",
    can: {
      lines: Object.keys(NETWORKS) as BundleLine[],
      batchMax: 50,
      callsPerMinute: 150,
      canCheckStatus: true,
      // A batch is worked off one order after the other, also when we no longer listen.
      settlesWithinSeconds: 120,
      settlesWithinSecondsEach: 10,
      // Documented for questions about the balance; for those about orders nothing is.
      statusChecksPerMinute: 120,
      statusCheckEverySeconds: 30,
      // "Waiting" orders are for numbers that must be activated first, and stay for up to 72 hours.
      holdsForHours: 72,
    },
    serves: (line, volumeMb) =>
      line in NETWORKS && volumeMb > 0 && volumeMb % 1000 === 0 && volumeMb <= VOLUME_MAX_MB,
    place: (parcels) => place(http, parcels),
    checkStatus: (ask) => lookUp(http, ask),
    balancePesewas: () => balance(http),
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
 * Always as a bulk purchase, also of one: there DataMart documents `ref`, by which an order can be found again whose
 * answer was lost. The single purchase documents none.
 */
async function place(http: VendorHttp, parcels: readonly Dispatch[]): Promise<Placed[]> {
  if (parcels.length === 0) return [];
  const heard = await http.call({
    method: "POST",
    path: `${API}/bulk-purchase`,
    headers: { "x-idempotency-key": keyOf(parcels) },
    body: { orders: parcels.map(orderOf) },
  });
  const forAll = (placed: Placed) => parcels.map(() => placed);
  if (heard.kind !== "json") return forAll(unanswered(heard));
  const { status, json, retryAfterSeconds } = heard;
  const { results, validationErrors } = Batch.safeParse(json.data).data ?? NOTHING;
  // A batch of which nothing is valid is an error, and still says of each what is wrong.
  const isAboutEach = status < 300 ? json.status === "success" : status < 500 && validationErrors.length > 0;
  if (!isAboutEach) {
    const said = [json.message, json.error, json.code];
    const ask = { status, said, retryAfterSeconds };
    const whole = { parcels: parcels.length, checkKey: () => askBalance(http) };
    return forAll(await refusedWhole(http, ask, whole));
  }
  return parcels.map((parcel) => {
    const isIts = (row: Row) => isAbout(row, parcel, parcels);
    return placedBy(http, results.find(isIts), validationErrors.find(isIts));
  });
}

/** "One key for the whole batch" (DataMart, Idempotency): the same parcels are the same batch. */
function keyOf(parcels: readonly Dispatch[]): string {
  const references = parcels.map(({ reference }) => reference).join(",");
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

/** A row without our reference is taken for a parcel only if nobody else in the batch has its number. */
function isAbout(row: Row, parcel: Dispatch, all: readonly Dispatch[]): boolean {
  if (row.ref) return row.ref === parcel.reference;
  const sameNumber = all.filter(({ msisdn }) => msisdn === parcel.msisdn);
  return row.phoneNumber === localMsisdn(parcel.msisdn) && sameNumber.length === 1;
}

function placedBy(http: VendorHttp, result: Row | undefined, invalid: Row | undefined): Placed {
  const row = result ?? invalid;
  if (!row) return { kind: "unclear", message: "the answer says nothing of this number" };
  const said = [row.message, row.error, row.reason, row.code];
  const words = http.words(...said);
  const refusal = refused(http, { status: 400, said });
  // What did not pass the check was never an order, whatever the reason.
  if (!result) return refusal.kind === "unclear" ? notTaken("not_servable", words) : refusal;
  const state = stateOf(row.status, DELIVERED);
  if (state === "failed" && refusal.kind !== "unclear") return refusal;
  const vendorReference = row.transactionReference ?? row.orderReference ?? null;
  if (state === null && vendorReference === null)
    return { kind: "unclear", message: words ?? http.words(row.status) };
  return {
    kind: "taken",
    // A word that nobody knows about an order that has a number of theirs: it is there, and will be asked about.
    state: state ?? "processing",
    vendorReference,
    costPesewas: readCedis(row.price),
    message: words ?? http.words(row.status),
  };
}

async function lookUp(
  http: VendorHttp,
  ask: { reference: string; vendorReference: string | null },
): Promise<StatusAnswer> {
  const path = `${API}/order-status/${encodeURIComponent(ask.reference)}`;
  const heard = await http.call({ method: "GET", path });
  if (heard.kind !== "json") return { kind: "unclear", message: heard.words };
  const { status, json } = heard;
  const words = http.words(json.message, json.error, json.code);
  if (status === 404 && ask.vendorReference === null && isNoSuchOrder(words)) return { kind: "not_found" };
  const data = z
    .object({ orderStatus: z.string(), recommendation: text, transactionReference: text, message: text })
    .safeParse(json.data).data;
  if (status >= 300 || json.status !== "success" || !data)
    return { kind: "unclear", message: words ?? `answered ${status}` };
  const state = stateIn(data.orderStatus, data.recommendation);
  if (state === null) return { kind: "unclear", message: http.words(data.orderStatus) };
  const vendorReference = ask.vendorReference ?? data.transactionReference ?? null;
  return { kind: "found", state, vendorReference, message: http.words(data.message, data.orderStatus) };
}

/** A wrong address is answered with 404, too, and would make us send everything again. */
function isNoSuchOrder(words: string | null): boolean {
  return /\b(order|transaction|reference)\b.*not found|no such (order|transaction|reference)/i.test(
    words ?? "",
  );
}

/** A number that must be activated first waits up to three days with its order (DataMart, Verify number). */
function stateIn(word: string, recommendation: string | null | undefined) {
  return stateOf(recommendation, []) === "held" ? "held" : stateOf(word, DELIVERED);
}

function askBalance(http: VendorHttp): Promise<Heard> {
  return http.call({ method: "GET", path: `${API}/balance` });
}

async function balance(http: VendorHttp): Promise<number | null> {
  const heard = await askBalance(http);
  if (heard.kind !== "json" || heard.status >= 300 || heard.json.status !== "success") return null;
  const data = z.object({ balance: z.unknown().optional(), currency: text }).safeParse(heard.json.data).data;
  return data && (data.currency ?? "GHS") === "GHS" ? readCedis(data.balance) : null;
}

const Told = z.object({
  event: z.string().startsWith("order."),
  timestamp: text,
  data: z.object({
    orderReference: z.string().min(1),
    transactionId: text,
    recommendation: text,
    message: text,
  }),
});

function eventsIn(http: VendorHttp, raw: Uint8Array): VendorEvent[] | "unreadable" {
  const told = Told.safeParse(jsonIn(raw)).data;
  if (!told) return "unreadable";
  const word = told.event.slice("order.".length);
  const { orderReference, transactionId, recommendation, message } = told.data;
  const state = word === "created" ? "accepted" : stateIn(word, recommendation);
  if (state === null) return "unreadable";
  return [
    {
      dedupeKey: `${told.event} ${orderReference} ${told.timestamp ?? ""}`,
      // A bulk purchase goes by our reference; theirs have a dash (GN-AB12CD34).
      reference: /^[A-Za-z0-9]{6,25}$/.test(orderReference) ? orderReference : null,
      vendorReference: transactionId ?? orderReference,
      state,
      message: http.words(message, word),
    },
  ];
}
