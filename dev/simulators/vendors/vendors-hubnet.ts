// The simulated Hubnet API, after its PDF and its customers' programs: a swapped top level, five calls a minute, and
// no status check.
import { type Call, json, type Outcome, type Reply, type Routes } from "../http.ts";
import { type Depot, isRefusal } from "./vendors-depot.ts";
import { bodyOf, isNational, type OutgoingWebhook, placing, type SimulatedVendor } from "./vendors-face.ts";
import type { Line, Order, OrderRequest, Refusal, ReportedStatus } from "./vendors-types.ts";

const LINES: Record<string, Line> = { mtn: "MTN", at: "AT_ISHARE", "big-time": "AT_BIGTIME" };
const CALLS_PER_MINUTE = 5;
const API = "/hubnet/live/api/context/business/transaction";

export const HUBNET_KEY = "hn_test_simulator";

export const simulated: SimulatedVendor<"hubnet"> = {
  keyHeader: "token",
  routes,
  webhook,
  settings: (url) => ({ baseUrl: `${url}/hubnet`, apiKey: HUBNET_KEY }),
};

/** The routes of the simulated API. */
function routes(depot: Depot): Routes {
  const guarded = (handler: (call: Call) => Outcome) => (call: Call) =>
    call.headers.token === `Bearer ${HUBNET_KEY}` ? handler(call) : fault(401, "Unauthorized", "Invalid token");
  return {
    [`GET ${API}/check_balance`]: guarded(() => balance(depot)),
    [`POST ${API}/:network`]: guarded((call) => transaction(depot, call)),
  };
}

/** Webhooks go unsigned to the address that came with the order. */
function webhook(depot: Depot, order: Order, reported: ReportedStatus): OutgoingWebhook | null {
  const word = TERMS[reported];
  if (order.webhookUrl === null || !word) return null;
  const ids = { reference: order.ref, transaction_id: order.transactionCode };
  const body = {
    event: `transfer.${word.toLowerCase()}`,
    status: true,
    ...ids,
    data: { ...ids, status: word, phone: order.phone, volume: String(order.volumeMb) },
    time: new Date(depot.clock.now()).toISOString(),
  };
  return { url: order.webhookUrl, body, headers: {} };
}

const TERMS: Partial<Record<ReportedStatus, string>> = {
  waiting: "Processing",
  held: "On Hold",
  processing: "Processing",
  completed: "Delivered",
  failed: "Failed",
  refunded: "Reversed",
};

function transaction(depot: Depot, call: Call): Outcome {
  // Without a Retry-After.
  if (depot.limit("hubnet", depot.switches.rate ?? CALLS_PER_MINUTE) > 0)
    return fault(429, "Too Many Requests", "Too many requests");
  const network = /^(.+)-new-transaction$/.exec(call.params.network!)?.[1] ?? "";
  const body = bodyOf(call);
  if (!body) return fault(400, "Bad Request", "The body is not JSON");
  const { phone, volume, reference, webhook = null } = body;
  if (typeof reference !== "string" || !/^[A-Za-z0-9-]{6,25}$/.test(reference))
    return fault(400, "Bad Request", "The reference must have 6 to 25 characters");
  if (!isNational(phone)) return fault(400, "Bad Request", "Invalid phone number");
  if (webhook !== null && (typeof webhook !== "string" || !URL.canParse(webhook)))
    return fault(400, "Bad Request", "The webhook is not an address");
  if (!Object.hasOwn(LINES, network)) return coded("1001", "Invalid network");
  // "1000" is 1 GB; it refuses sizes that are not text, and anything but whole GB up to 100.
  if (typeof volume !== "string" || !/^([1-9]\d?|100)000$/.test(volume)) return coded("1002", "Invalid volume");
  const request: OrderRequest = {
    vendor: "hubnet",
    phone,
    line: LINES[network]!,
    volumeMb: Number(volume),
    ref: reference,
    webhookUrl: webhook,
    metadata: null,
  };
  return placing(depot, [phone], () => place(depot, request));
}

function place(depot: Depot, request: OrderRequest): Reply {
  // A success on the outside, a refusal inside.
  if (request.phone.endsWith("0007")) return coded("1002", "Invalid volume", true);
  const accepted = depot.take(request, "TXN-");
  if (isRefusal(accepted)) return refusal(accepted);
  return json(200, {
    status: true,
    reason: "Successful",
    code: "transaction initiated successfully.",
    message: "0000",
    transaction_id: accepted.transactionCode,
    payment_id: `PSH-${accepted.id}`,
    reference: accepted.ref,
    data: { status: true, code: "0000", message: "Order successfully placed." },
  });
}

function refusal({ cause, message }: Refusal): Reply {
  return cause === "float_empty"
    ? fault(402, "Payment Required", "Insufficient balance")
    : fault(400, "Bad Request", message);
}

/** On the outside, message and code are swapped. */
function coded(code: string, message: string, topLevelStatus = false): Reply {
  return json(200, {
    status: topLevelStatus,
    reason: topLevelStatus ? "Successful" : message,
    code: message,
    message: code,
    data: { status: false, code, message },
  });
}

function fault(status: number, reason: string, message: string): Reply {
  return json(status, { status: false, reason, message });
}

function balance(depot: Depot): Reply {
  if (depot.limit("hubnet balance", CALLS_PER_MINUTE) > 0) return fault(429, "Too Many Requests", "Too many requests");
  const pesewas = depot.switches.floatEmpty ? 0 : depot.switches.floats.hubnet;
  const whole = Math.floor(pesewas / 100).toLocaleString("en-US");
  return json(200, {
    status: true,
    balance: `${whole}.${String(pesewas % 100).padStart(2, "0")}`,
    currency: "GHS",
  });
}
