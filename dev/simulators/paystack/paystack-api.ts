// The simulated Paystack API, as strict as its documentation and its recorded answers describe it.
import type { Call, FaultReplies, Handler, Reply, Routes } from "../http.ts";
import { json } from "../http.ts";
import { asObject, type JsonObject } from "../json.ts";
import {
  amountIn,
  bodyOf,
  callbackIn,
  channelsIn,
  invalid,
  paymentIn,
  problem,
  Refusal,
  textIn,
  unknownReference,
} from "./paystack-input.ts";
import { amountOf, showRefund, showTransaction } from "./paystack-present.ts";
import type { Settlements } from "./paystack-settlements.ts";
import type { Book } from "./paystack-state.ts";
import type { Transaction } from "./paystack-types.ts";

/** The routes of the API; all require the secret key. */
export function apiRoutes(book: Book, settlements: Settlements, secretKey: string, baseUrl: () => string): Routes {
  const routes: Routes = {
    "POST /transaction/initialize": (call) => initialize(book, call, baseUrl()),
    "GET /transaction/verify/:reference": (call) => verify(book, call),
    "GET /transaction": (call) => list(book, call),
    "POST /charge": (call) => charge(book, call),
    "POST /charge/submit_otp": (call) => submitOtp(book, call),
    "GET /charge/:reference": (call) => checkPending(book, call),
    "POST /refund": (call) => refund(book, call),
    "GET /refund": (call) => listRefunds(book, call),
    "GET /refund/:id": (call) => fetchRefund(book, call),
    "GET /settlement": (call) => settlements.list(call),
    "GET /settlement/:id/transactions": (call) => settlements.transactions(call),
    "GET /balance": () => settlements.balance(),
    "GET /bank": banks,
  };
  const guarded = Object.entries(routes).map(([route, handler]) => [route, guard(secretKey, handler)]);
  return Object.fromEntries(guarded) as Routes;
}

function guard(secretKey: string, handler: Handler): Handler {
  return async (call) => {
    const { authorization } = call.headers;
    // An older error format, without type and code (docs, Errors).
    if (authorization === undefined) return json(401, { status: false, message: "No Authorization Header was found" });
    // The odd capital is Paystack's.
    if (authorization !== `Bearer ${secretKey}`)
      return problem(401, "invalid_Key", "Invalid key", "Ensure that you provide the correct authorization key");
    try {
      return await handler(call);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  };
}

async function initialize(book: Book, call: Call, baseUrl: string): Promise<Reply> {
  const body = bodyOf(call);
  const transaction = await book.open({
    kind: "checkout",
    ...paymentIn(book, body),
    callbackUrl: callbackIn(body),
    channels: channelsIn(body),
    phone: null,
    provider: null,
  });
  return json(200, {
    status: true,
    message: "Authorization URL created",
    data: {
      authorization_url: `${baseUrl}/checkout/${transaction.accessCode}`,
      access_code: transaction.accessCode,
      reference: transaction.reference,
    },
  });
}

function verify(book: Book, call: Call): Reply {
  const transaction = book.transactions.get(call.params.reference!);
  // Sources disagree between 400 and 404; 400 was recorded.
  if (!transaction) {
    const hint = "Ensure that you're passing the reference of a transaction that exists on this integration";
    return problem(400, "transaction_not_found", "Transaction reference not found.", hint);
  }
  return json(200, { status: true, message: "Verification successful", data: showTransaction(transaction) });
}

function list(book: Book, call: Call): Reply {
  const { query } = call;
  const status = query.get("status");
  const customer = query.get("customer");
  const amount = query.get("amount");
  const all = [...book.transactions.values()].reverse().filter((transaction) => {
    const shown = showTransaction(transaction);
    return (
      isWithin(transaction.createdAt, query) &&
      (status === null || shown.status === status) &&
      // A customer code matches nothing and is not an error, as observed on the test API.
      (customer === null || String(transaction.customer.id) === customer) &&
      (amount === null || String(shown.amount) === amount)
    );
  });
  const volume = all.reduce((sum, transaction) => sum + amountOf(transaction), 0);
  const { rows, meta } = paged(all, query);
  return json(200, {
    status: true,
    message: "Transactions retrieved",
    data: rows.map((transaction) => showTransaction(transaction)),
    meta: { ...meta, total_volume: volume },
  });
}

async function charge(book: Book, call: Call): Promise<Reply> {
  const body = bodyOf(call);
  const wallet = asObject(body.mobile_money);
  // Only mobile money is simulated; the card API is for businesses that handle card numbers.
  if (!wallet) throw invalid("invalid_params", "Charge channel is required: mobile_money");
  const provider = String(wallet.provider ?? "").toLowerCase();
  if (!PROVIDERS.has(provider)) throw invalid("invalid_provider", "Mobile money provider is not supported");
  if (typeof wallet.phone !== "string") throw invalid("invalid_phone", "Mobile money phone is required");
  const transaction = await book.open({
    kind: "mobile_money",
    ...paymentIn(book, body),
    callbackUrl: null,
    channels: ["mobile_money"],
    // The test API accepted every spelling: local, +233, 233, nine bare digits, with spaces.
    phone: wallet.phone.replace(/\D/g, "").replace(/^233(?=\d{9}$)/, "0"),
    provider,
  });
  return json(200, { status: true, message: "Charge attempted", data: showCharge(transaction) });
}

async function submitOtp(book: Book, call: Call): Promise<Reply> {
  const body = bodyOf(call);
  const transaction = book.transactions.get(String(body.reference));
  if (!transaction || transaction.charge === null) throw unknownReference();
  const isWaitingForOtp = transaction.charge === "send_otp";
  if (isWaitingForOtp) await book.answerOtp(transaction, String(body.otp));
  // A wrong code is one of the few failed payments without a 200; the right one afterwards fails too (observed).
  const isDead = transaction.charge === "failed" || !isWaitingForOtp;
  const message = "Charge attempted";
  return json(isDead ? 400 : 200, { status: !isDead, message, data: showCharge(transaction) });
}

function checkPending(book: Book, call: Call): Reply {
  const transaction = book.transactions.get(call.params.reference!);
  if (!transaction) throw unknownReference();
  const isOpen = transaction.charge === "send_otp" || transaction.charge === "pay_offline";
  const message = isOpen ? "Charge attempted" : "Reference check successful";
  return json(200, { status: true, message, data: showCharge(transaction) });
}

function refund(book: Book, call: Call): Reply {
  const body = bodyOf(call);
  const name = String(body.transaction ?? "");
  const transaction = [...book.transactions.values()].find((t) => t.reference === name || idOf(t) === name);
  if (!transaction) throw invalid("transaction_not_found", "Transaction not found");
  if (!transaction.paidAt) throw invalid("invalid_transaction", "Transaction has not been paid");
  const paid = amountOf(transaction);
  // A refund without an amount asks for the whole payment, even after a partial refund (observed).
  const amount = body.amount === undefined ? paid : amountIn(body.amount);
  const { steering } = transaction;
  if (body.currency !== undefined && body.currency !== (steering.currency ?? transaction.currency))
    throw invalid("invalid_currency", "Transaction currency must match refund currency");
  // The minimum is checked before the maximum, with the test API's messages.
  if (amount < SMALLEST_REFUND_PESEWAS) {
    const message = "The minimum amount you may send in a single refund at this time is: GHS1.00";
    throw invalid("invalid_amount", message);
  }
  const earlier = book.refundsOf(transaction).filter((r) => r.status !== "failed");
  if (earlier.reduce((sum, r) => sum + r.amount, amount) > paid)
    throw invalid("invalid_amount", "Total refund amount cannot exceed original transaction amount");
  // From here on the refund must succeed.
  const made = book.refund(transaction, {
    amount,
    customerNote: textIn(body.customer_note),
    merchantNote: textIn(body.merchant_note),
  });
  return json(200, {
    status: true,
    message: "Refund has been queued for processing",
    data: { ...showRefund(made, transaction), transaction: showTransaction(transaction) },
  });
}

function listRefunds(book: Book, call: Call): Reply {
  const transactionId = call.query.get("transaction");
  const all = [...book.refunds.values()].reverse().flatMap((made) => {
    const transaction = book.transactions.get(made.reference)!;
    // Only the numeric id finds anything; a reference gives an empty list and no error (observed).
    const matches = transactionId === null || idOf(transaction) === transactionId;
    return matches && isWithin(made.createdAt, call.query) ? [showRefund(made, transaction)] : [];
  });
  const { rows, meta } = paged(all, call.query);
  return json(200, { status: true, message: "Refunds retrieved", data: rows, meta });
}

function fetchRefund(book: Book, call: Call): Reply {
  const made = [...book.refunds.values()].find((r) => String(r.id) === call.params.id);
  if (!made) return problem(404, "refund_not_found", "Refund not found", "Check the refund id");
  const transaction = book.transactions.get(made.reference)!;
  return json(200, { status: true, message: "Refund retrieved", data: showRefund(made, transaction) });
}

/** The list still has Telecel's old name. */
function banks(call: Call): Reply {
  const isGhanaWallets = call.query.get("currency") === "GHS" && call.query.get("type") === "mobile_money";
  const networks = [
    ["AirtelTigo", "ATL"],
    ["MTN", "MTN"],
    ["Vodafone", "VOD"],
  ] as const;
  const data = networks.map(([name, code], index) => ({
    id: 28 + index,
    name,
    slug: `${code.toLowerCase()}-mobile-money`,
    code,
    longcode: "",
    gateway: null,
    pay_with_bank: false,
    supports_transfer: true,
    active: true,
    country: "Ghana",
    currency: "GHS",
    type: "mobile_money",
    is_deleted: false,
  }));
  return json(200, { status: true, message: "Banks retrieved", data: isGhanaWallets ? data : [] });
}

/** The whole payment once it is decided; before that only what the payer has to do (docs, Payment Channels). */
function showCharge(transaction: Transaction): JsonObject {
  const { charge: status, reference } = transaction;
  if (status === "pay_offline") {
    const text = "Please complete authorization process on your mobile phone";
    return { reference, status, display_text: text };
  }
  if (status === "send_otp") {
    const text = "Please dial *110# to generate a voucher, then enter the voucher";
    return { reference, status, display_text: text };
  }
  if (status === "pending") return { reference, status };
  return showTransaction(transaction, status ?? undefined);
}

const PROVIDERS = new Set(["mtn", "vod", "atl"]);
const SMALLEST_REFUND_PESEWAS = 100;

/** Offset paging, with the meta from the docs (docs, Pagination). */
function paged<T>(all: T[], query: URLSearchParams): { rows: T[]; meta: JsonObject } {
  const perPage = wholeNumber(query.get("perPage"), 50);
  const page = wholeNumber(query.get("page"), 1);
  const skipped = (page - 1) * perPage;
  const pageCount = Math.ceil(all.length / perPage);
  const meta = { total: all.length, skipped, perPage, page, pageCount };
  return { rows: all.slice(skipped, skipped + perPage), meta };
}

function wholeNumber(text: string | null, fallback: number): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fallback;
}

function isWithin(at: Date, query: URLSearchParams): boolean {
  const from = query.get("from");
  const to = query.get("to");
  return (from === null || at >= new Date(from)) && (to === null || at <= new Date(to));
}

function idOf(transaction: Transaction): string {
  return String(transaction.steering.id ?? transaction.id);
}

/** Paystack's answers to a fault of its own and to too many requests. */
export const FAULT_REPLIES: FaultReplies = {
  http500: () => json(500, { status: false, message: "An error occurred", type: "api_error", code: "unknown" }),
  tooMany,
};

/** Undocumented: one SDK reads x-ratelimit-reset, another source says Retry-After, so both are sent. */
function tooMany(seconds: number): Reply {
  const reply = json(429, {
    status: false,
    message: "You have exceeded the number of requests",
    type: "api_error",
    code: "rate_limited",
  });
  const headers = { "x-ratelimit-reset": String(seconds), "retry-after": String(seconds) };
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
