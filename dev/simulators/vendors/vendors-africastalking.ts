// The simulated API of Africa's Talking mobile data, after its SDK and documentation: always 201, with a result for
// each number.

import { type Call, json, type Outcome, type Reply, type Routes } from "../http.ts";
import { asObject, type Json, type JsonObject } from "../json.ts";
import { type Depot, isRefusal } from "./vendors-depot.ts";
import { type Answers, bodyOf, type OutgoingWebhook, once, placing, type SimulatedVendor } from "./vendors-face.ts";
import type { Line, Order, OrderRequest, Refusal, ReportedStatus } from "./vendors-types.ts";

/** The lines by the prefixes of numbers, which the provider knows for itself. */
const PREFIXES: Record<string, Line> = {
  ...ofLine("MTN", 24, 25, 53, 54, 55, 59),
  ...ofLine("AT_ISHARE", 23, 26, 27, 56, 57),
  ...ofLine("TELECEL", 20, 50),
};

function ofLine(line: Line, ...prefixes: number[]): Record<string, Line> {
  return Object.fromEntries(prefixes.map((prefix) => [prefix, line]));
}
const VALIDITIES = ["Day", "Week", "BiWeek", "Month", "Quarterly"];
const CALLS_PER_MINUTE = 60;

export const AFRICASTALKING_KEY = "atsk_test_simulator";
export const ACCOUNT = { username: "sandbox", product: "Mobile Data" };

export const simulated: SimulatedVendor<"africastalking"> = {
  keyHeader: "apikey",
  routes,
  webhook,
  settings: (url) => ({ baseUrl: `${url}/africastalking`, apiKey: AFRICASTALKING_KEY, ...ACCOUNT }),
};

/** The routes of the simulated API. */
function routes(depot: Depot, answers: Answers): Routes {
  const guarded = (handler: (call: Call) => Outcome) => (call: Call) =>
    call.headers.apikey === AFRICASTALKING_KEY ? handler(call) : unauthenticated();
  return {
    "POST /africastalking/mobile/data/request": guarded((call) => request(depot, answers, call)),
    "GET /africastalking/query/transaction/find": guarded((call) => find(depot, call)),
    "GET /africastalking/query/wallet/balance": guarded((call) => balance(depot, call)),
  };
}

/** Webhooks go unsigned to the dashboard's address, and only report how an order ended. */
function webhook(depot: Depot, order: Order, reported: ReportedStatus): OutgoingWebhook | null {
  const url = depot.switches.webhookUrls.africastalking;
  if (url === null || !["completed", "failed", "refunded", "held"].includes(reported)) return null;
  return { url, body: shown(order, reported), headers: {} };
}

function request(depot: Depot, answers: Answers, call: Call): Outcome {
  if (depot.limit("africastalking", depot.switches.rate ?? CALLS_PER_MINUTE) > 0)
    return fault(429, "Too many requests");
  return once(
    answers,
    call.headers["idempotency-key"],
    () => fault(409, "Request in progress"),
    (keep) => {
      const body = bodyOf(call);
      const recipients = body?.recipients;
      if (!body || !Array.isArray(recipients) || recipients.length === 0)
        return fault(400, "Recipients must be a list");
      if (body.username !== ACCOUNT.username) return unauthenticated();
      if (body.productName !== ACCOUNT.product) return fault(400, "No such product");
      const given = recipients.map((recipient) => (asObject(recipient) ?? {}) as JsonObject);
      const phones = given.map(({ phoneNumber }) => String(phoneNumber));
      return placing(depot, phones, () => {
        // A number that the answer leaves out.
        const answered = given.filter(({ phoneNumber }) => !String(phoneNumber).endsWith("0007"));
        return keep(json(201, { entries: answered.map((recipient) => entryOf(depot, recipient)) }));
      });
    },
  );
}

function entryOf(depot: Depot, recipient: JsonObject): Json {
  const phoneNumber = recipient.phoneNumber ?? null;
  const request = parseOrder(recipient);
  if (typeof request === "string") return { phoneNumber, ...FAULTS[request] };
  const accepted = depot.take(request, "ATPid_");
  if (isRefusal(accepted)) return { phoneNumber, ...refusalOf(accepted) };
  const value = priceOf(accepted);
  return {
    phoneNumber,
    provider: "Athena",
    status: "Queued",
    transactionId: accepted.transactionCode,
    value,
  };
}

const FAULTS = {
  number: { status: "InvalidPhoneNumber", errorMessage: "Invalid phone number" },
  abroad: { status: "NotSupported", errorMessage: "Destination not supported" },
  bundle: { status: "Failed", errorMessage: "Invalid quantity, unit or validity of the bundle" },
};

function parseOrder(recipient: JsonObject): OrderRequest | keyof typeof FAULTS {
  const { phoneNumber, quantity, unit, validity, metadata } = recipient;
  if (typeof phoneNumber !== "string" || !/^\+\d{8,15}$/.test(phoneNumber)) return "number";
  if (!/^\+233[25]\d{8}$/.test(phoneNumber)) return "abroad";
  const line = PREFIXES[phoneNumber.slice(4, 6)];
  const isSize = typeof quantity === "number" && quantity > 0 && (unit === "MB" || unit === "GB");
  if (!line || !isSize || !VALIDITIES.includes(String(validity))) return "bundle";
  return {
    vendor: "africastalking",
    phone: `0${phoneNumber.slice(4)}`,
    line,
    volumeMb: unit === "GB" ? quantity * 1000 : quantity,
    ref: null,
    webhookUrl: null,
    metadata: asObject(metadata) as JsonObject | null,
  };
}

function refusalOf({ cause, message }: Refusal): JsonObject {
  if (cause === "invalid_number") return FAULTS.number;
  if (cause === "float_empty") return { status: "InsufficientBalance", errorMessage: "Insufficient balance" };
  return { status: "Failed", errorMessage: message };
}

function find(depot: Depot, call: Call): Reply {
  if (call.query.get("username") !== ACCOUNT.username) return unauthenticated();
  const transactionId = call.query.get("transactionId") ?? "";
  const order = depot.find("africastalking", transactionId);
  if (order?.transactionCode !== transactionId)
    return json(200, { status: "Failure", errorMessage: "No transaction found" });
  return json(200, { status: "Success", data: shown(order, order.status) });
}

function shown(order: Order, reported: ReportedStatus): JsonObject {
  return {
    transactionId: order.transactionCode,
    phoneNumber: `+233${order.phone.slice(1)}`,
    category: "MobileData",
    provider: "Athena",
    productName: ACCOUNT.product,
    status: TERMS[reported],
    value: priceOf(order),
    metadata: order.metadata ?? {},
  };
}

const TERMS: Record<ReportedStatus, string> = {
  created: "Queued",
  pending: "Queued",
  waiting: "Queued",
  processing: "Queued",
  held: "On Hold",
  completed: "Success",
  failed: "Failed",
  refunded: "Reversed",
};

function balance(depot: Depot, call: Call): Reply {
  if (call.query.get("username") !== ACCOUNT.username) return unauthenticated();
  const pesewas = depot.switches.floatEmpty ? 0 : depot.switches.floats.africastalking;
  return json(200, { status: "Success", balance: `GHS ${(pesewas / 100).toFixed(4)}` });
}

function priceOf(order: Order): string {
  return `GHS ${(order.pricePesewas / 100).toFixed(4)}`;
}

/** The only answer that is not JSON, even if JSON was requested. */
function unauthenticated(): Reply {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return { status: 401, headers, body: "The supplied authentication is invalid" };
}

function fault(status: number, errorMessage: string): Reply {
  return json(status, { errorMessage });
}
