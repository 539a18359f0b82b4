// The Paystack client: https://paystack.com/docs/api/. It hides the provider's envelopes, faults and inconsistencies,
// and never throws: an uncertain outcome is "unclear", and only asking again by our reference settles it.
import { z } from "zod";
import type {
  Charged,
  ChargeRequest,
  GatewayRefund,
  GatewayTransaction,
  Initialized,
  InitializeRequest,
  KeyState,
  Listed,
  PaymentGateway,
  Refunds,
  RefundsListed,
  Unclear,
  Verified,
} from "../core/payments/gateway.ts";
import { parseExactly } from "../shared/json.ts";
import { hasMoreAfter, Id, whole } from "./paystack-fields.ts";
import * as payouts from "./paystack-payouts.ts";
import { isHmac } from "./signature.ts";

export type PaystackOptions = {
  baseUrl: string;
  secretKey: string;
  /** The previous key: its webhook signatures stay valid while the key is being replaced. */
  previousSecretKey?: string | null;
  timeoutMs?: number;
  /** The shop's host name. Paystack wants an e-mail address of every payer; those without one get one under it. */
  host?: string | undefined;
  /** Called when Paystack rejects the key: nobody can pay until an admin fixes that. */
  onKeyRefused?: () => void;
};

/** For one call. How long a payer may take to approve is up to the operators; we do not wait for that. */
export const TIMEOUT_MS = 8_000;

/** Creates the client. Its `domain` follows from the key: test money must never pay for live orders. */
export function createPaystack(options: PaystackOptions): PaymentGateway {
  let keyState: KeyState = "unknown";
  const call = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const reply = await request(options, method, path, body);
    // Paystack answers 401 to a key that it does not know, and anything else to one that it does.
    if (reply.kind === "reply") keyState = reply.status === 401 ? "refused" : "accepted";
    if (reply.kind === "reply" && reply.status === 401) options.onKeyRefused?.();
    return reply;
  };
  return {
    domain: options.secretKey.startsWith("sk_live_") ? "live" : "test",
    checkoutOrigin:
      options.baseUrl === "https://api.paystack.co" ? "https://checkout.paystack.com" : new URL(options.baseUrl).origin,
    addressFor: (userId) => `u${userId}@pay.${options.host ?? "localhost"}`,
    initialize: (request) => initialize(call, request),
    verify: (reference) => verify(call, reference),
    charge: (request) => charge(call, "/charge", chargeBody(request)),
    submitCode: ({ reference, code }) => charge(call, "/charge/submit_otp", { otp: code, reference }),
    list: (filter) => list(call, filter),
    refundsOf: (reference) => refundsOf(call, reference),
    listRefunds: ({ from, to, page }) => refundPage(call, { from: from.toISOString(), to: to.toISOString() }, page),
    listPayouts: ({ page }) => payouts.list(call, page),
    payoutPayments: ({ providerId, page }) =>
      transactionPage(call, `/settlement/${encodeURIComponent(providerId)}/transactions`, {
        page: String(page),
      }),
    balance: () => payouts.balance(call),
    keyState: () => keyState,
    // x-paystack-signature is the HMAC-SHA512 of the raw body under the secret key (Paystack, "Webhooks").
    isSigned: (raw, signature) =>
      [options.secretKey, options.previousSecretKey ?? null].some(
        (key) => key !== null && isHmac("sha512", raw, signature, key),
      ),
  };
}

type Reply = { kind: "reply"; status: number; body: z.infer<typeof Envelope> } | Unclear;
export type Call = (method: "GET" | "POST", path: string, body?: unknown) => Promise<Reply>;

/** `status` says that the call succeeded; whether money moved is in `data.status` (Paystack, "API response format"). */
const Envelope = z.object({
  status: z.boolean(),
  message: z.string().catch(""),
  code: z.string().optional(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
});

const Transaction = z.object({
  id: Id.nullish().catch(null),
  reference: z.string(),
  status: z.string(),
  amount: whole.nullable().catch(null),
  requested_amount: whole.nullish().catch(null),
  currency: z.string().nullish(),
  domain: z.string().nullish(),
  fees: whole.nullish().catch(null),
  message: z.string().nullish().catch(null),
  gateway_response: z.string().nullish().catch(null),
  paid_at: z.string().nullish().catch(null),
  paidAt: z.string().nullish().catch(null),
});

async function initialize(call: Call, ask: InitializeRequest): Promise<Initialized> {
  const reply = await call("POST", "/transaction/initialize", {
    email: ask.email,
    amount: ask.amountPesewas,
    currency: "GHS",
    reference: ask.reference,
    callback_url: ask.callbackUrl,
    channels: ["card", "mobile_money"],
    // Sent as JSON text: Paystack would return the numbers of an object as strings.
    metadata: JSON.stringify({ cancel_action: ask.cancelUrl }),
  });
  if (reply.kind === "unclear") return reply;
  if (reply.body.code === "duplicate_reference") return { kind: "duplicate" };
  const data = z.object({ authorization_url: z.url(), reference: z.string() }).safeParse(reply.body.data);
  if (reply.body.status && data.success && data.data.reference === ask.reference) {
    return { kind: "started", authorizationUrl: data.data.authorization_url };
  }
  return refusedOrUnclear(reply);
}

async function verify(call: Call, reference: string): Promise<Verified> {
  const reply = await call("GET", `/transaction/verify/${encodeURIComponent(reference)}`);
  if (reply.kind === "unclear") return reply;
  if (reply.body.code === "transaction_not_found" || (!reply.body.status && reply.status === 404)) {
    return { kind: "not_found" };
  }
  const data = Transaction.safeParse(reply.body.data);
  if (!reply.body.status || !data.success) return { kind: "unclear", reason: `verify answered ${reply.status}` };
  return { kind: "found", transaction: transactionOf(data.data) };
}

function chargeBody(ask: ChargeRequest): unknown {
  const { email, amountPesewas: amount, reference, network: provider, phone } = ask;
  return { email, amount, currency: "GHS", reference, mobile_money: { phone, provider } };
}

async function charge(call: Call, path: string, body: unknown): Promise<Charged> {
  const reply = await call("POST", path, body);
  if (reply.kind === "unclear") return reply;
  if (reply.body.code === "duplicate_reference") return { kind: "duplicate" };
  const data = z
    .object({ status: z.string(), display_text: z.string().nullish(), message: z.string().nullish() })
    .safeParse(reply.body.data);
  if (!data.success) return refusedOrUnclear(reply);
  const { status, display_text: instructions, message } = data.data;
  // A wrong code gets a 400 with a failed charge inside: the charge's status counts, not the HTTP one.
  if (status === "failed" || status === "timeout") return { kind: "failed", message: message ?? reply.body.message };
  if (status === "success") return { kind: "paid" };
  return { kind: "waiting", needsCode: status === "send_otp", message: instructions ?? null };
}

function list(call: Call, { from, to, page }: { from: Date; to: Date; page: number }): Promise<Listed> {
  const filter = { page: String(page), from: from.toISOString(), to: to.toISOString() };
  return transactionPage(call, "/transaction", filter);
}

async function transactionPage(call: Call, path: string, filter: Record<string, string>): Promise<Listed> {
  const reply = await call("GET", `${path}?${new URLSearchParams({ perPage: "100", ...filter })}`);
  if (reply.kind === "unclear") return reply;
  const data = z.array(Transaction).safeParse(reply.body.data);
  if (!reply.body.status || !data.success) return { kind: "unclear", reason: `list answered ${reply.status}` };
  const hasMore = hasMoreAfter(reply.body.meta, data.data.length);
  return { kind: "listed", transactions: data.data.map(transactionOf), hasMore };
}

/** The list gives the ids of the transaction and the dispute; other replies embed the whole objects. */
const IdOf = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);
/** Unreadable fields count as empty, because one malformed row must not hide the others. */
const Refund = z.object({
  transaction: IdOf.catch(""),
  amount: whole.catch(0),
  status: z.string().catch(""),
  dispute: IdOf.nullish().catch(null),
});
/** More pages than any transaction has refunds for. */
const REFUND_PAGES_MAX = 20;

/** Refunds can only be listed by the transaction's id; a reference lists none, without an error. */
async function refundsOf(call: Call, reference: string): Promise<Refunds> {
  const verified = await verify(call, reference);
  if (verified.kind !== "found") return verified;
  const { providerId } = verified.transaction;
  if (providerId === null) return { kind: "unclear", reason: "verify named no transaction" };
  const refunds: GatewayRefund[] = [];
  for (let page = 1; page <= REFUND_PAGES_MAX; page++) {
    const answer = await refundPage(call, { transaction: providerId }, page);
    if (answer.kind === "unclear") return answer;
    refunds.push(...answer.refunds.filter(({ transactionId }) => transactionId === providerId));
    if (!answer.hasMore) return { kind: "found", refunds };
  }
  return { kind: "unclear", reason: "the list of refunds is too long" };
}

async function refundPage(call: Call, filter: Record<string, string>, page: number): Promise<RefundsListed> {
  const query = new URLSearchParams({ ...filter, perPage: "100", page: String(page) });
  const reply = await call("GET", `/refund?${query}`);
  if (reply.kind === "unclear") return reply;
  const data = z.array(Refund).safeParse(reply.body.data);
  if (!reply.body.status || !data.success) return { kind: "unclear", reason: `refunds answered ${reply.status}` };
  const refunds = data.data.map(({ transaction, amount, status, dispute }) => ({
    transactionId: transaction,
    amountPesewas: amount,
    isProcessed: status === "processed",
    chargebackId: dispute ?? null,
  }));
  return { kind: "listed", refunds, hasMore: hasMoreAfter(reply.body.meta, refunds.length) };
}

function transactionOf(row: z.infer<typeof Transaction>): GatewayTransaction {
  return {
    reference: row.reference,
    providerId: row.id ?? null,
    status: row.status,
    amountPesewas: row.amount,
    requestedPesewas: row.requested_amount ?? row.amount,
    currency: row.currency ?? "",
    domain: row.domain ?? "",
    feesPesewas: row.fees ?? null,
    // The reason for a failed charge is in "message" (Paystack, "Payment channels"); not every reply has one.
    message: row.message ?? row.gateway_response ?? null,
    paidAt: row.paid_at ?? row.paidAt ?? null,
  };
}

function refusedOrUnclear(reply: Extract<Reply, { kind: "reply" }>): { kind: "refused"; message: string } | Unclear {
  if (reply.status >= 400 && reply.status < 500 && reply.status !== 429 && reply.status !== 401) {
    return { kind: "refused", message: reply.body.message };
  }
  return { kind: "unclear", reason: `answered ${reply.status}: ${reply.body.message}`.slice(0, 200) };
}

async function request(options: PaystackOptions, method: "GET" | "POST", path: string, body?: unknown): Promise<Reply> {
  try {
    const response = await fetch(options.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${options.secretKey}`,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
    const envelope = Envelope.safeParse(parse(await response.text()));
    if (!envelope.success) return { kind: "unclear", reason: `answered ${response.status} without a JSON envelope` };
    return { kind: "reply", status: response.status, body: envelope.data };
  } catch (error) {
    // Only the kind of fault: the error may carry the request, and with it the key.
    return { kind: "unclear", reason: error instanceof Error ? error.name : "fault" };
  }
}

function parse(raw: string): unknown {
  try {
    return parseExactly(raw);
  } catch {
    return null;
  }
}
