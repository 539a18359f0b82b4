// What vendors mean by what they say: their words for where a parcel is, and for why they did not take it.
import type { DeliveryState, NotTaken, Placed } from "../../core/fulfilment/vendor.ts";
import type { Heard, VendorHttp } from "./call.ts";

/** The words that several vendors share, as they were seen in their documentation and their customers' programs. */
const STATES: Record<string, DeliveryState> = {
  ...of("processing", "pending, initiated, placed, queued, waiting, processing, ongoing, manual, handling"),
  ...of("failed", "failed, error, cancelled, declined, rejected, invalid number"),
  ...of("refunded", "reversed, refunded"),
  ...of("held", "on hold, activate first"),
  // Many vendors are done when they have been paid. Only one that says it means delivery is believed.
  ...of("accepted", "success, successful, completed, delivered, sent"),
};

/**
 * Where a parcel is by a vendor's word, in any case and spelling of spaces; `delivered` are the words by which this
 * vendor's documentation means that the data arrived. Null for a word that nobody knows.
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

/** The first that matches counts, so that the surest stand first: words are all that most vendors give. */
const REFUSALS: [RegExp, NotTaken | "known_reference"][] = [
  [
    /request_in_progress|(duplicate|already|exist|used).*\b(reference|ref)\b|\b(reference|ref)\b.*(duplicate|already|exist|used)|duplicate_ref/i,
    "known_reference",
  ],
  [/insufficient|low balance|balance (is )?too low|not enough (balance|funds|credit)/i, "float_empty"],
  [/rate.?limit|too many (requests|calls)/i, "rate_limited"],
  [
    /(invalid|wrong|expired|revoked|missing).{0,20}\b(api.?key|token|credentials?)\b|unauthori[sz]ed|\bip\b.{0,20}(not.?allowed|blocked|denied)/i,
    "key_refused",
  ],
  [/out of stock|sold out|not in stock/i, "out_of_stock"],
  [
    /same (number|recipient)|duplicate_?\s?(number|order)|already.{0,40}(number|recipient)|(number|recipient).{0,40}(already|moment ago|recently|cool)|cool.?down/i,
    "number_cooling",
  ],
  [
    /(network|operator|service|mtn|telecel|airteltigo|ishare|big.?time|\bat\b).{0,40}(down|unavailable|off\b|suspended|paused|maintenance|out of service)|temporarily unavailable|under maintenance/i,
    "network_down",
  ],
  [
    /invalid.{0,20}(phone|number|recipient|msisdn|network|volume|capacity|size|bundle|package|quantity)|not.?supported|not (eligible|servable|allowed)|no such (bundle|package)|(package|bundle|capacity).{0,20}not (found|available|exist)|turbonet|broadband/i,
    "not_servable",
  ],
];

/** Why a parcel was surely not taken, or that its reference is known, by the words of a refusal; null when they do not say. */
function refusalIn(...said: unknown[]): NotTaken | "known_reference" | null {
  const text = said.filter((part) => typeof part === "string").join(" ");
  return REFUSALS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** What became of a parcel by an answer that is not the vendor's, or by none at all. */
export function unanswered(heard: Exclude<Heard, { kind: "json" }>): Placed {
  const { kind, words } = heard;
  if (kind === "not_sent") return notTaken("network_down", words);
  if (kind === "lost") return { kind: "unclear", message: words };
  return (
    notTakenByStatus(heard.status, words, heard.retryAfterSeconds) ?? { kind: "unclear", message: words }
  );
}

/**
 * A refusal in a vendor's words, with the status that it came with. A fault of the vendor's own server says nothing for
 * sure, and neither does a refusal that nobody understands.
 */
export function refused(
  http: VendorHttp,
  ask: { status: number; said: unknown[]; retryAfterSeconds?: number | null },
): Placed {
  const { status, said, retryAfterSeconds = null } = ask;
  const words = http.words(...said) ?? `answered ${status}`;
  if (status >= 500) return { kind: "unclear", message: words };
  const byStatus = notTakenByStatus(status, words, retryAfterSeconds);
  if (byStatus) return byStatus;
  const why = refusalIn(...said) ?? WHY_BY_STATUS[status] ?? null;
  if (why === null) return { kind: "unclear", message: words };
  if (why === "known_reference") return { kind: "known_reference", message: words };
  return notTaken(why, words, retryAfterSeconds ?? waitIn(words));
}

/** What may be about one parcel of a call only, however many went with it. */
const ABOUT_ONE: ReadonlySet<NotTaken> = new Set([
  "out_of_stock",
  "not_servable",
  "number_cooling",
  "network_down",
]);

/**
 * A refusal of a whole call that says nothing of each parcel. One of several may be why, so that each is to be sent
 * alone. A 403 in words that nobody knows may be about the key or about a number: `checkKey` makes a call without an
 * order, and only when that is refused, too, it is the key.
 */
export async function refusedWhole(
  http: VendorHttp,
  ask: { status: number; said: unknown[]; retryAfterSeconds: number | null },
  { parcels, checkKey }: { parcels: number; checkKey: () => Promise<Heard> },
): Promise<Placed> {
  const first = refused(http, ask);
  if (first.kind !== "not_taken") return first;
  const isDoubtful = ask.status === 403 && refusalIn(...ask.said) === null;
  const why = isDoubtful ? whyForbidden(await checkKey()) : first.reason;
  if (parcels > 1 && ABOUT_ONE.has(why)) return notTaken("refused_together", first.message);
  return { ...first, reason: why };
}

function whyForbidden(heard: Heard): NotTaken {
  const status = "status" in heard ? heard.status : null;
  if (status === 401 || status === 403) return "key_refused";
  // While nobody can say, it waits and is tried again.
  return status !== null && status < 300 ? "not_servable" : "network_down";
}

/** Nobody gets further without a key, or past a limit of calls, whatever is written on the page that says so. */
function notTakenByStatus(status: number, words: string, retryAfterSeconds: number | null): Placed | null {
  if (status === 401) return notTaken("key_refused", words);
  if (status === 429) return notTaken("rate_limited", words, retryAfterSeconds);
  return null;
}

/** Where words do not say. A conflict is about something that is there already, which must be looked up. */
const WHY_BY_STATUS: Record<number, NotTaken | "known_reference"> = {
  402: "float_empty",
  403: "key_refused",
  409: "known_reference",
};

export function notTaken(
  why: NotTaken,
  words: string | null,
  retryAfterSeconds: number | null = null,
): Placed {
  return { kind: "not_taken", reason: why, retryAfterSeconds, message: words };
}

/** "… wait 5 minutes" in seconds. */
function waitIn(words: string): number | null {
  const [, count, unit] = /(\d{1,4})\s*(second|minute)s?\b/i.exec(words) ?? [];
  return count && unit ? Number(count) * (unit.toLowerCase() === "minute" ? 60 : 1) : null;
}

function of(state: DeliveryState, words: string): Record<string, DeliveryState> {
  return Object.fromEntries(words.split(", ").map((word) => [word, state]));
}
