// The interpretation of vendors' answers: their terms for a dispatch's state, and for why they did not accept it.
import type { DeliveryState, NotTaken, Placed, VendorBalance } from "../../core/fulfilment/vendor.ts";
import type { VendorHttp, VendorResponse } from "./call.ts";

/** The terms that vendors share, as found in their documentation and in their customers' programs. */
const STATES: Record<string, DeliveryState> = {
  ...statesFrom("processing", "pending, initiated, placed, queued, waiting, processing, ongoing, manual, handling"),
  ...statesFrom("failed", "failed, error, cancelled, declined, rejected, invalid number"),
  ...statesFrom("refunded", "reversed, refunded"),
  ...statesFrom("held", "on hold, activate first"),
  // For many vendors "completed" means paid. It counts as delivered only where a vendor's documentation says so.
  ...statesFrom("accepted", "success, successful, completed, delivered, sent"),
};

/**
 * The state that a vendor's term stands for, in any case and with any separators. `delivered` lists the terms that, by
 * this vendor's documentation, mean that the data arrived. Null for an unknown term.
 */
export function stateOf(word: unknown, delivered: readonly string[]): DeliveryState | null {
  if (typeof word !== "string") return null;
  const plain = word
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
  if (delivered.includes(plain)) return "delivered";
  return Object.hasOwn(STATES, plain) ? STATES[plain]! : null;
}

/** Patterns of refusal messages, the most certain first, because the first match counts. Few vendors send codes. */
const REFUSALS: [RegExp, NotTaken | "known_reference"][] = [
  [
    anyOf(
      /request_in_progress/,
      /(duplicate|already|exist|used).*\b(reference|ref)\b/,
      /\b(reference|ref)\b.*(duplicate|already|exist|used)/,
      /duplicate_ref/,
    ),
    "known_reference",
  ],
  [/insufficient|low balance|balance (is )?too low|not enough (balance|funds|credit)/i, "float_empty"],
  [/rate.?limit|too many (requests|calls)/i, "rate_limited"],
  [
    anyOf(
      /(invalid|wrong|expired|revoked|missing).{0,20}\b(api.?key|token|credentials?)\b/,
      /unauthori[sz]ed/,
      /\bip\b.{0,20}(not.?allowed|blocked|denied)/,
    ),
    "key_refused",
  ],
  [/out of stock|sold out|not in stock/i, "out_of_stock"],
  [
    anyOf(
      /same (number|recipient)|duplicate_?\s?(number|order)/,
      /already.{0,40}(number|recipient)/,
      /(number|recipient).{0,40}(already|moment ago|recently|cool)/,
      /cool.?down/,
    ),
    "number_cooling",
  ],
  [
    new RegExp(
      "(network|operator|service|mtn|telecel|airteltigo|ishare|big.?time|\\bat\\b).{0,40}" +
        "(down|unavailable|off\\b|suspended|paused|maintenance|out of service)" +
        "|temporarily unavailable|under maintenance",
      "i",
    ),
    "network_down",
  ],
  [
    anyOf(
      /invalid.{0,20}(phone|number|recipient|msisdn|network|volume|capacity|size|bundle|package|quantity)/,
      /not.?supported|not (eligible|servable|allowed)|no such (bundle|package)/,
      /(package|bundle|capacity).{0,20}not (found|available|exist)/,
      /turbonet|broadband/,
    ),
    "not_servable",
  ],
];

/** Why a dispatch was certainly not accepted, or that its reference is known, by a refusal's texts; null if unclear. */
function refusalIn(...texts: unknown[]): NotTaken | "known_reference" | null {
  const text = texts.filter((part) => typeof part === "string").join(" ");
  return REFUSALS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The result of a dispatch that got no JSON answer: a page of some proxy, or no answer at all. */
export function unanswered(response: Exclude<VendorResponse, { kind: "json" }>): Placed {
  const { kind, message } = response;
  if (kind === "not_sent") return notTaken("network_down", message);
  if (kind === "lost") return { kind: "unclear", message };
  return (
    notTakenByStatus(response.status, message, response.retryAfterSeconds) ?? {
      kind: "unclear",
      message,
    }
  );
}

/**
 * The result of a refusal, by its status and its texts. A fault of the vendor's server (5xx) proves nothing, and
 * neither does a refusal that we cannot interpret: both are "unclear".
 */
export function refused(
  http: VendorHttp,
  ask: { status: number; texts: unknown[]; retryAfterSeconds?: number | null },
): Placed {
  const { status, texts, retryAfterSeconds = null } = ask;
  const message = http.message(...texts) ?? `answered ${status}`;
  if (status >= 500) return { kind: "unclear", message };
  const byStatus = notTakenByStatus(status, message, retryAfterSeconds);
  if (byStatus) return byStatus;
  const reason = refusalIn(...texts) ?? REASON_BY_STATUS[status] ?? null;
  if (reason === null) return { kind: "unclear", message };
  if (reason === "known_reference") return { kind: "known_reference", message };
  return notTaken(reason, message, retryAfterSeconds ?? secondsToWait(message));
}

/** Our float in a vendor's answer, which `read` takes from an accepted one; null: it names none. */
export function balanceIn(
  http: VendorHttp,
  response: VendorResponse,
  read: (json: Record<string, unknown>) => number | null,
): VendorBalance {
  if (response.kind !== "json") return balanceRefused(unanswered(response));
  const { status, json } = response;
  const balancePesewas = status < 300 ? read(json) : null;
  if (balancePesewas !== null) return { kind: "found", balancePesewas };
  const texts = [json.message, json.error, json.code, json.errorMessage, status < 300 && "it names no balance in GH₵"];
  return balanceRefused(refused(http, { status, texts }));
}

function balanceRefused(placed: Placed): VendorBalance {
  const isOfKey = placed.kind === "not_taken" && placed.reason === "key_refused";
  return { kind: isOfKey ? "refused" : "unclear", message: placed.message };
}

/** Reasons that may concern a single dispatch, even if the whole call was refused. */
const ABOUT_ONE_DISPATCH: ReadonlySet<NotTaken> = new Set([
  "out_of_stock",
  "not_servable",
  "number_cooling",
  "network_down",
]);

/**
 * The result of a call that was refused as a whole. If one of several dispatches may be the reason, each is to be sent
 * alone. A 403 that we cannot interpret may be about the key or about a number: `checkKey` makes a call without an
 * order, and only if that is refused too, the key is the reason.
 */
export async function refusedWhole(
  http: VendorHttp,
  ask: { status: number; texts: unknown[]; retryAfterSeconds: number | null },
  { dispatches, checkKey }: { dispatches: number; checkKey: () => Promise<VendorResponse> },
): Promise<Placed> {
  const first = refused(http, ask);
  if (first.kind !== "not_taken") return first;
  const isDoubtful = ask.status === 403 && refusalIn(...ask.texts) === null;
  const reason = isDoubtful ? reasonForbidden(await checkKey()) : first.reason;
  if (dispatches > 1 && ABOUT_ONE_DISPATCH.has(reason)) return notTaken("refused_together", first.message);
  return { ...first, reason };
}

function reasonForbidden(response: VendorResponse): NotTaken {
  const status = "status" in response ? response.status : null;
  if (status === 401 || status === 403) return "key_refused";
  // Still undecided: it waits and is tried again.
  return status !== null && status < 300 ? "not_servable" : "network_down";
}

/** 401 and 429 are certain whatever the body says: without a valid key, or past the rate limit, no order is placed. */
function notTakenByStatus(status: number, message: string, retryAfterSeconds: number | null): Placed | null {
  if (status === 401) return notTaken("key_refused", message);
  if (status === 429) return notTaken("rate_limited", message, retryAfterSeconds);
  return null;
}

/** The reasons when the texts say nothing. A conflict means that the order may exist, so its status must be checked. */
const REASON_BY_STATUS: Record<number, NotTaken | "known_reference"> = {
  402: "float_empty",
  403: "key_refused",
  409: "known_reference",
};

/** The result of a dispatch that was certainly not accepted. */
export function notTaken(reason: NotTaken, message: string | null, retryAfterSeconds: number | null = null): Placed {
  return { kind: "not_taken", reason, retryAfterSeconds, message };
}

/** "… wait 5 minutes" in seconds. */
function secondsToWait(message: string): number | null {
  const [, count, unit] = /(\d{1,4})\s*(second|minute)s?\b/i.exec(message) ?? [];
  return count && unit ? Number(count) * (unit.toLowerCase() === "minute" ? 60 : 1) : null;
}

/** One pattern that matches if any of these does, in any case. */
function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "i");
}

function statesFrom(state: DeliveryState, terms: string): Record<string, DeliveryState> {
  return Object.fromEntries(terms.split(", ").map((term) => [term, state]));
}
