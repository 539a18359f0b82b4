// The simulated DataMart GH API, after its documentation. Where that leaves gaps, the simulator is as strict as
// possible.
import { createHmac } from "node:crypto";
import { type Call, json, type Outcome, type Reply, type Routes } from "../http.ts";
import { asObject, type JsonObject } from "../json.ts";
import { type Depot, isRefusal } from "./vendors-depot.ts";
import {
  type Answers,
  bodyOf,
  cedis,
  isNational,
  type OutgoingWebhook,
  once,
  placing,
  type SimulatedVendor,
} from "./vendors-face.ts";
import type { Line, Order, OrderRequest, Refusal, ReportedStatus, Status } from "./vendors-types.ts";

const LINES: Record<string, Line> = { YELLO: "MTN", TELECEL: "TELECEL", AT_PREMIUM: "AT_ISHARE" };
const BATCH_MAX = 50;
const PURCHASES_PER_MINUTE = 150;
const BALANCES_PER_MINUTE = 120;
const CHECKS_PER_MINUTE = 10;

export const DATAMART_KEY = "dm_test_simulator";
const WEBHOOK_SECRET = "whsec_test_simulator";

export const simulated: SimulatedVendor<"datamart"> = {
  keyHeader: "x-api-key",
  routes,
  webhook,
  sign: (body, secret) => ({ "x-datamart-signature": signDatamart(body, secret) }),
  settings: (url) => ({ baseUrl: `${url}/datamart`, apiKey: DATAMART_KEY, webhookSecret: WEBHOOK_SECRET }),
};

/** The routes of the simulated API. */
function routes(depot: Depot, answers: Answers): Routes {
  const handlers: Record<string, (call: Call) => Outcome> = {
    "POST /purchase": (call) => purchase(depot, answers, call),
    "POST /bulk-purchase": (call) => bulkPurchase(depot, answers, call),
    "GET /order-status/:ref": (call) => orderStatus(depot, call),
    "GET /balance": () => limited(depot, "balance", BALANCES_PER_MINUTE) ?? balance(depot),
    "GET /data-packages": (call) => packages(depot, call),
    "POST /verify-number": (call) => verifyNumber(depot, call),
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([route, handler]) => [
      route.replace(" ", " /datamart/api/developer"),
      (call: Call) => (call.headers["x-api-key"] === DATAMART_KEY ? handler(call) : refuse(401, "Invalid API key")),
    ]),
  );
}

/** Six events, signed over the exact bytes; refunds only for clients that opted in. */
function webhook(depot: Depot, order: Order, reported: ReportedStatus): OutgoingWebhook | null {
  const url = depot.switches.webhookUrls.datamart;
  const event = reported === "held" ? "waiting" : reported === "pending" ? "created" : reported;
  if (url === null || (event === "refunded" && !depot.switches.refundedEvents)) return null;
  const body = {
    event: `order.${event}`,
    timestamp: new Date(depot.clock.now()).toISOString(),
    data: {
      orderId: order.transactionCode.slice(-20),
      orderReference: order.orderCode,
      transactionId: order.transactionCode,
      phone: order.phone,
      network: networkOf(order.line),
      capacity: order.volumeMb / 1000,
      price: cedis(order.pricePesewas),
      status: termOf(reported),
      ...recommendationFor(reported),
      createdAt: new Date(order.createdAt).toISOString(),
      updatedAt: new Date(order.updatedAt).toISOString(),
    },
  };
  return { url, body, headers: { "x-datamart-event": body.event } };
}

/** Hex HMAC-SHA256 of the raw body (DataMart, Verify signature). */
function signDatamart(body: string, secret: string = WEBHOOK_SECRET): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

function purchase(depot: Depot, answers: Answers, call: Call): Outcome {
  const tooMany = limited(depot, "purchase", depot.switches.rate ?? PURCHASES_PER_MINUTE);
  if (tooMany) return tooMany;
  return once(answers, call.headers["x-idempotency-key"], inProgress, (keep) => {
    const body = bodyOf(call);
    if (!body) return refuse(400, "The request body is not a JSON object");
    const request = parseOrder(body);
    if (typeof request === "string") return refuse(400, request);
    if (body.gateway !== "wallet") return refuse(400, "Invalid gateway");
    return placing(depot, [request.phone], () => {
      if (request.phone.endsWith("0007"))
        return json(200, { status: "success", message: "Data bundle purchased successfully", data: null });
      const accepted = depot.take(request, "TRX-");
      // A refusal is not stored under the key: the same call may succeed later.
      if (isRefusal(accepted)) return refusedOne(depot, accepted, request);
      return keep(
        json(201, {
          status: "success",
          message: "Data bundle purchased successfully",
          data: { ...rowOf(depot, accepted), orderStatus: "pending", processingMethod: "manual" },
        }),
      );
    });
  });
}

function bulkPurchase(depot: Depot, answers: Answers, call: Call): Outcome {
  const tooMany = limited(depot, "purchase", depot.switches.rate ?? PURCHASES_PER_MINUTE);
  if (tooMany) return tooMany;
  return once(answers, call.headers["x-idempotency-key"], inProgress, (keep) => {
    const orders = bodyOf(call)?.orders;
    if (!Array.isArray(orders) || orders.length === 0) return refuse(400, "Orders must be a list");
    if (orders.length > BATCH_MAX) return refuse(400, `Maximum ${BATCH_MAX} orders per request`);
    const lines = orders.map((order, index) => lineOf(order, index + 1));
    const phones = lines.flatMap(({ request }) => (typeof request === "string" ? [] : [request.phone]));
    return placing(depot, phones, () => batch(depot, lines, keep));
  });
}

type BatchLine = { index: number; given: JsonObject; request: OrderRequest | string };

function lineOf(order: unknown, index: number): BatchLine {
  const given = (asObject(order) ?? {}) as JsonObject;
  const request = parseOrder(given);
  const isNone = typeof request !== "string" && request.phone.endsWith("0012");
  return { index, given, request: isNone ? "Invalid phone number" : request };
}

/** All orders are validated, the valid ones compared with the wallet, and then each is placed separately. */
function batch(depot: Depot, lines: BatchLine[], keep: (reply: Reply) => Reply): Reply {
  const validationErrors = lines.flatMap(({ index, given, request }) =>
    typeof request === "string"
      ? [{ index, ref: given.ref ?? null, phoneNumber: given.phoneNumber ?? null, error: request }]
      : [],
  );
  const valid = lines.flatMap(({ index, request }) => (typeof request === "string" ? [] : [{ index, request }]));
  if (valid.length === 0)
    return json(400, {
      status: "error",
      message: "No valid orders in this request",
      data: { validationErrors },
    });
  const cost = valid.reduce((sum, { request }) => sum + depot.priceOf(request.line, request.volumeMb), 0);
  const wallet = depot.switches.floatEmpty ? 0 : depot.switches.floats.datamart;
  if (cost > wallet)
    return json(400, {
      status: "error",
      message: "Insufficient wallet balance for this bulk order",
      data: {
        totalCost: cedis(cost),
        walletBalance: cedis(wallet),
        validOrders: valid.length,
        shortfall: cedis(cost - wallet),
      },
    });
  const results = valid
    // An order that the answer leaves out: it was not accepted, but the client is not told so.
    .filter(({ request }) => !request.phone.endsWith("0007"))
    .map(({ index, request }) => resultOf(depot, index, request));
  const failed = results.filter(({ status }) => status === "failed").length;
  const reply = json(200, {
    status: "success",
    message: `Bulk order processed: ${results.length - failed} queued, ${failed} failed`,
    data: {
      summary: {
        total: lines.length,
        successful: results.length - failed,
        failed,
        invalid: validationErrors.length,
      },
      results,
      validationErrors,
    },
  });
  return failed < results.length ? keep(reply) : reply;
}

function resultOf(depot: Depot, index: number, request: OrderRequest): JsonObject {
  const accepted = depot.take(request, "TRX-");
  const given = {
    index,
    ref: request.ref,
    phoneNumber: request.phone,
    network: networkOf(request.line),
    capacity: String(request.volumeMb / 1000),
  };
  if (isRefusal(accepted)) return { ...given, status: "failed", error: accepted.message };
  // Only here does our own reference become the order's.
  if (accepted.ref !== null) accepted.orderCode = accepted.ref;
  return { ...rowOf(depot, accepted), ...given, status: "queued" };
}

function parseOrder(body: Record<string, unknown>): OrderRequest | string {
  const { phoneNumber: phone, network, capacity, ref = null } = body;
  if (!isNational(phone)) return "Invalid phone number";
  const line = typeof network === "string" && Object.hasOwn(LINES, network) ? LINES[network]! : null;
  if (line === null) return "Invalid network";
  // "Data in GB", as text.
  if (typeof capacity !== "string" || !/^([1-9]\d?|100)$/.test(capacity)) return "Invalid capacity for this network";
  if (ref !== null && (typeof ref !== "string" || ref === "")) return "Invalid ref";
  return {
    vendor: "datamart",
    phone,
    line,
    volumeMb: Number(capacity) * 1000,
    ref,
    webhookUrl: null,
    metadata: null,
  };
}

function rowOf(depot: Depot, order: Order) {
  const after = depot.switches.floats.datamart;
  return {
    purchaseId: order.transactionCode.slice(-20),
    orderReference: order.orderCode,
    transactionReference: order.transactionCode,
    network: networkOf(order.line),
    capacity: order.volumeMb / 1000,
    price: cedis(order.pricePesewas),
    balanceBefore: cedis(after + order.pricePesewas),
    balanceAfter: cedis(after),
  };
}

function refusedOne(depot: Depot, { cause, message, waitSeconds }: Refusal, request: OrderRequest): Reply {
  const code = cause === "known_reference" ? { code: "DUPLICATE_REFERENCE" } : {};
  const wait = waitSeconds === undefined ? {} : { retryAfter: waitSeconds };
  const details =
    cause === "float_empty"
      ? {
          details: {
            currentBalance: cedis(depot.switches.floatEmpty ? 0 : depot.switches.floats.datamart),
            requiredAmount: cedis(depot.priceOf(request.line, request.volumeMb)),
          },
        }
      : {};
  return json(400, { status: "error", message, ...code, ...wait, ...details });
}

function orderStatus(depot: Depot, call: Call): Reply {
  const order = depot.find("datamart", call.params.ref!);
  if (!order) return refuse(404, "Order not found");
  return json(200, {
    status: "success",
    data: {
      orderId: order.transactionCode.slice(-20),
      reference: order.orderCode,
      transactionReference: order.transactionCode,
      phoneNumber: order.phone,
      network: networkOf(order.line),
      capacity: order.volumeMb / 1000,
      price: cedis(order.pricePesewas),
      orderStatus: termOf(order.status),
      ...recommendationFor(order.status),
      processingMethod: "manual",
      createdAt: new Date(order.createdAt).toISOString(),
      updatedAt: new Date(order.updatedAt).toISOString(),
    },
  });
}

function balance(depot: Depot): Reply {
  const { floats, floatEmpty } = depot.switches;
  return json(200, {
    status: "success",
    data: { balance: floatEmpty ? 0 : cedis(floats.datamart), currency: "GHS" },
  });
}

function packages(depot: Depot, call: Call): Reply {
  const requestedNetwork = call.query.get("network");
  const sizes = [1, 2, 3, 5, 10, 15, 20, 25, 30, 40, 50, 100];
  const networks = Object.keys(LINES).filter((network) => requestedNetwork === null || requestedNetwork === network);
  const data = networks.map((network) => [
    network,
    sizes.map((capacity) => ({
      capacity,
      mb: capacity * 1024,
      network,
      price: cedis(depot.priceOf(LINES[network]!, capacity * 1000)),
    })),
  ]);
  return json(200, { status: "success", data: Object.fromEntries(data) as JsonObject });
}

function verifyNumber(depot: Depot, call: Call): Reply {
  const tooMany = limited(depot, "verify", CHECKS_PER_MINUTE);
  if (tooMany) return tooMany;
  const phone = bodyOf(call)?.phoneNumber;
  if (!isNational(phone)) return refuse(400, "Invalid phone number");
  if (depot.switches.down.includes("MTN"))
    return json(503, { status: "error", code: "VERIFY_UNAVAILABLE", message: "Try again later" });
  const servable = !phone.endsWith("0012");
  const recommendation = phone.endsWith("0011") ? "activate_first" : "sell_any";
  return json(200, { status: "success", data: { servable, ...(servable && { recommendation }) } });
}

function limited(depot: Depot, kind: string, perMinute: number): Reply | null {
  const retryAfter = depot.limit(`datamart ${kind}`, perMinute);
  if (retryAfter === 0) return null;
  return json(429, {
    status: "error",
    code: "RATE_LIMIT_EXCEEDED",
    message: "Too many requests",
    retryAfter,
  });
}

function inProgress(): Reply {
  return json(409, {
    status: "error",
    code: "REQUEST_IN_PROGRESS",
    message: "This request is being processed",
  });
}

function refuse(status: number, message: string): Reply {
  return json(status, { status: "error", message });
}

function networkOf(line: Line): string {
  return Object.keys(LINES).find((network) => LINES[network] === line)!;
}

function termOf(reported: ReportedStatus): Exclude<Status, "held"> {
  return reported === "held" ? "waiting" : reported === "created" ? "pending" : reported;
}

function recommendationFor(reported: ReportedStatus) {
  return reported === "held" ? { recommendation: "activate_first" } : {};
}
