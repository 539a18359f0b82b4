// Africa's Talking mobile data: https://bundles.africastalking.com. It finds out the operator from the number. Whether it
// sells Ghana's bundles is not documented, so it is used only where a product of theirs is named.
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
import { createHttp, type Heard, jsonIn, type VendorHttp } from "./call.ts";
import { refused, refusedWhole, stateOf, unanswered } from "./words.ts";

export type AfricasTalkingDataOptions = {
  baseUrl: string;
  username: string;
  apiKey: string;
  /** The name of the data product in their dashboard. */
  product: string;
  validity?: "Day" | "Week" | "BiWeek" | "Month" | "Quarterly";
  timeoutMs?: number;
};

/** Big Time is AT's second kind, which a number alone cannot ask for. */
const LINES: readonly BundleLine[] = ["MTN", "TELECEL", "AT_ISHARE"];
const VOLUME_MAX_MB = 100_000;
/** In callbacks and lookups "Success" is the last word, after "Queued"; the first answer never has it. */
const DELIVERED = ["success"];

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
    name: "Africa's Talking",
    can: {
      lines: LINES,
      // Only their transaction id finds anything, and a lost answer has none: it must not be lost for many at once.
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
    place: (parcels) => Promise.all(parcels.map((parcel) => place(http, options, parcel))),
    checkStatus: (ask) => lookUp(http, options.username, ask.vendorReference),
    balancePesewas: () => balance(http, options.username),
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

async function place(
  http: VendorHttp,
  options: AfricasTalkingDataOptions,
  parcel: Dispatch,
): Promise<Placed> {
  const { volumeMb, reference } = parcel;
  const isGb = volumeMb % 1000 === 0;
  const phoneNumber = `+${parcel.msisdn}`;
  const heard = await http.call({
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
  if (heard.kind !== "json") return unanswered(heard);
  const { status, json, retryAfterSeconds } = heard;
  const entries = z.array(Entry).safeParse(json.entries).data ?? [];
  const entry = entries.find((one) => one.phoneNumber === phoneNumber);
  // 201 says only that the call was understood; each number has an answer of its own.
  if (status < 300 && entry) return placedBy(http, entry);
  const said = [json.errorMessage, json.message, json.description];
  if (status < 300 && http.words(...said) === null)
    return { kind: "unclear", message: "the answer says nothing of this number" };
  return refusedWhole(
    http,
    { status, said, retryAfterSeconds },
    { parcels: 1, checkKey: () => askBalance(http, options.username) },
  );
}

function placedBy(http: VendorHttp, entry: z.infer<typeof Entry>): Placed {
  const { status: word, transactionId: vendorReference = null, errorMessage, value } = entry;
  const words = http.words(errorMessage === "None" ? null : errorMessage, word);
  if (vendorReference === null) return refused(http, { status: 400, said: [errorMessage, word] });
  const state = stateOf(word, []);
  if (state === null) return { kind: "unclear", message: words };
  return {
    kind: "taken",
    state: word === "Queued" ? "accepted" : state,
    vendorReference,
    costPesewas: readCedis(value),
    message: words,
  };
}

async function lookUp(
  http: VendorHttp,
  username: string,
  transactionId: string | null,
): Promise<StatusAnswer> {
  if (transactionId === null)
    return { kind: "unclear", message: "Africa's Talking finds orders only by its own number" };
  const query = new URLSearchParams({ username, transactionId });
  const heard = await http.call({ method: "GET", path: `/query/transaction/find?${query}` });
  if (heard.kind !== "json") return { kind: "unclear", message: heard.words };
  const { json } = heard;
  const data = z
    .object({ status: z.string(), transactionId: z.literal(transactionId), description: text })
    .safeParse(json.data).data;
  const state = stateOf(data?.status, DELIVERED);
  // What they gave a number to was taken: that they do not find it now proves nothing.
  if (heard.status >= 300 || !data || state === null)
    return { kind: "unclear", message: http.words(json.errorMessage, data?.status, json.status) };
  return {
    kind: "found",
    state,
    vendorReference: transactionId,
    message: http.words(data.description, data.status),
  };
}

function askBalance(http: VendorHttp, username: string): Promise<Heard> {
  const query = new URLSearchParams({ username });
  return http.call({ method: "GET", path: `/query/wallet/balance?${query}` });
}

async function balance(http: VendorHttp, username: string): Promise<number | null> {
  const heard = await askBalance(http, username);
  if (heard.kind !== "json" || heard.status >= 300) return null;
  return readCedis(heard.json.balance);
}

const Told = z.object({
  transactionId: z.string().min(1),
  status: z.string(),
  description: text,
  metadata: z.object({ reference: text }).nullish().catch(null),
});

function eventsIn(http: VendorHttp, raw: Uint8Array): VendorEvent[] | "unreadable" {
  const told = Told.safeParse(jsonIn(raw)).data;
  const state = stateOf(told?.status, DELIVERED);
  if (!told || state === null) return "unreadable";
  const { transactionId, status, description, metadata } = told;
  return [
    {
      dedupeKey: `${status.toLowerCase()} ${transactionId}`,
      reference: metadata?.reference ?? null,
      vendorReference: transactionId,
      state,
      message: http.words(description, status),
    },
  ];
}
