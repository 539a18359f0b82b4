// What a hand-over becomes with each piece of news, whoever brings it: pure, so that every order of arrival can be tried. It
// never goes back: delivered stays delivered, unless the vendor took it back.
import { type AttemptState, type DeliveryKind, isOpen, type OrderStatus } from "../../shared/domain.ts";
import type { Attempt } from "../orders/attempts.ts";
import type { BundleVendor, DeliveryState, NotTaken } from "./vendor.ts";

export type DeliveryReport =
  | {
      kind: "state";
      state: DeliveryState;
      vendorReference: string | null;
      costPesewas?: number | null;
      words: string | null;
    }
  | { kind: "not_taken"; why: NotTaken; retryAfterSeconds: number | null; words: string | null }
  /**
   * Nobody can say: the answer was none, or not to be understood. `isKnown`: the vendor says that it has had this
   * reference, so that "not found" is not believed any more.
   */
  | { kind: "unclear"; words: string | null; isKnown?: boolean }
  | { kind: "not_found" };

/** How long a parcel that was surely not taken waits for its next turn, when the vendor does not say. */
export const WAIT_SECONDS: Record<Exclude<NotTaken, "out_of_stock" | "not_servable">, number> = {
  float_empty: 0,
  refused_together: 0,
  key_refused: 0,
  rate_limited: 60,
  number_cooling: 300,
  network_down: 60,
};
/** A parcel that the vendor has never seen is sent once more, under the same reference, and then never again. */
const SENDS_MAX = 2;
const LOOK_UP_SECONDS_MAX = 600;
const LOOK_UP_SECONDS_WHEN_OVER = 6 * 3600;

export type Step = {
  state: AttemptState;
  /** When to act on it next. */
  dueInSeconds: number;
  /** Where the order goes with it; null where it stays. */
  to: "PROCESSING" | "DELIVERED" | "FAILED" | null;
  /** A line for the order's timeline, as admins read it; agents read what `kind` says. */
  note: string | null;
  kind: DeliveryKind | null;
  /** Surely not delivered: the next vendor's turn, or the money goes back. */
  goesOn: boolean;
  /** Something that a person should look at. */
  concern: string | null;
  /** It was given up and arrived: whoever is to send it next need not, if it has not been sent yet. */
  hasArrivedLate: boolean;
  /** The vendor surely did not take it, so that this sending does not count. */
  isUnsent: boolean;
  /** From now on it goes in a call of its own. */
  goesAlone: boolean;
  /** The vendor has it, or had it, whatever it does not find. */
  isSeen: boolean;
};

export type Situation = Pick<
  Attempt,
  "state" | "sends" | "sentTogether" | "seenByVendor" | "endedAt" | "lookUps" | "words" | "vendorReference"
> & {
  /** By the clock that wrote down when it was sent; null while it was not. */
  sentSecondsAgo: number | null;
};

/**
 * What an attempt becomes with this news; null when the news change nothing. It depends on nothing else, so that every
 * order of arrival can be tried in a test.
 */
export function next(
  attempt: Situation,
  orderStatus: OrderStatus,
  news: DeliveryReport,
  vendor: Pick<BundleVendor, "name" | "can">,
): Step | null {
  const stay: Step = {
    state: attempt.state,
    dueInSeconds: statusCheckPause(attempt, orderStatus, vendor),
    to: null,
    note: null,
    kind: null,
    goesOn: false,
    concern: null,
    hasArrivedLate: false,
    isUnsent: false,
    goesAlone: false,
    isSeen: false,
  };
  const isOver = attempt.endedAt !== null;
  switch (news.kind) {
    case "state":
      if (attempt.sentSecondsAgo === null) return null;
      return isOver
        ? afterwards(attempt, news.state, stay, vendor)
        : onTheWay(attempt, orderStatus, news, stay, vendor);
    case "not_taken":
      return attempt.state === "sending" ? notTaken(attempt, orderStatus, news, stay, vendor) : null;
    case "unclear":
      return isOver ? null : unclear(attempt, news, stay, vendor);
    case "not_found":
      return isOver ? null : notFound(attempt, orderStatus, stay, vendor);
  }
}

function unclear(
  { state }: Pick<Attempt, "state">,
  { words, isKnown = false }: Pick<Extract<DeliveryReport, { kind: "unclear" }>, "words" | "isKnown">,
  stay: Step,
  { name }: Pick<BundleVendor, "name">,
): Step {
  if (state !== "sending") return stay;
  return {
    ...stay,
    state: "unknown",
    to: "PROCESSING",
    note: `No clear answer from ${name}${quote(words)}: finding out`,
    kind: "checking",
    isSeen: isKnown,
  };
}

function notFound(
  attempt: Situation,
  orderStatus: OrderStatus,
  stay: Step,
  { name, can }: Pick<BundleVendor, "name" | "can">,
): Step {
  if (attempt.state !== "sending" && attempt.state !== "unknown") return stay;
  if (attempt.seenByVendor || attempt.sentSecondsAgo! < settlesWithin(can, attempt.sentTogether))
    return { ...stay, state: "unknown", to: "PROCESSING" };
  const words = `${name} never received it`;
  const failed: Step = { ...stay, state: "failed", goesOn: true, note: words, kind: "refused" };
  if (!isOpen(orderStatus)) return { ...failed, goesOn: false, concern: doubt(orderStatus, words) };
  if (attempt.sends >= SENDS_MAX) return failed;
  return { ...stay, state: "queued", dueInSeconds: 0, note: `${words}: sending it again`, kind: "resending" };
}

/** How long "not found" may still mean "not yet": a vendor that works a call off one by one needs longer for many. */
function settlesWithin(can: BundleVendor["can"], sentTogether: number): number {
  return can.settlesWithinSeconds + (can.settlesWithinSecondsEach ?? 0) * sentTogether;
}

/** News of a parcel that is on its way. */
function onTheWay(
  attempt: Pick<Attempt, "state" | "words" | "vendorReference">,
  orderStatus: OrderStatus,
  news: Extract<DeliveryReport, { kind: "state" }>,
  stay: Step,
  vendor: Pick<BundleVendor, "name">,
): Step | null {
  const said = quote(news.words);
  const isLost = orderStatus === "FAILED";
  switch (news.state) {
    case "delivered":
      return {
        ...stay,
        state: "delivered",
        to: isLost ? null : "DELIVERED",
        note: `${vendor.name} delivered it${said}`,
        kind: "delivered",
        concern: isLost ? "Delivered after the money went back" : null,
      };
    case "failed":
    case "refunded":
      return {
        ...stay,
        state: news.state,
        goesOn: true,
        note: `${vendor.name} could not deliver it${said}`,
        kind: "refused",
        concern: doubt(orderStatus, `${vendor.name} could not deliver it`),
      };
    case "held":
      if (attempt.state === "held") return stay;
      return {
        ...stay,
        state: "held",
        to: "PROCESSING",
        note: `${vendor.name} holds it back${said}`,
        kind: "held",
      };
    default:
      return goingOn(attempt, news, stay, vendor);
  }
}

/** "Accepted" or "processing": told once each, and never back from one to the other. */
function goingOn(
  attempt: Pick<Attempt, "state" | "vendorReference">,
  news: Extract<DeliveryReport, { kind: "state" }>,
  stay: Step,
  { name }: Pick<BundleVendor, "name">,
): Step {
  const isFirst = attempt.state === "sending" || attempt.state === "unknown" || attempt.state === "queued";
  if (!isFirst && (news.state === attempt.state || news.state === "accepted")) return stay;
  const number = news.vendorReference ?? attempt.vendorReference;
  const note = isFirst
    ? `Sent to ${name}${number ? `, their number ${number}` : ""}${quote(news.words)}`
    : `${name} is at work on it${quote(news.words)}`;
  return { ...stay, state: news.state, to: "PROCESSING", note, kind: isFirst ? "sent" : "working" };
}

/** News of a parcel that was over. Only a delivery that is taken back still changes anything. */
function afterwards(
  attempt: Pick<Attempt, "state">,
  state: DeliveryState,
  stay: Step,
  vendor: Pick<BundleVendor, "name">,
): Step | null {
  if (attempt.state === "delivered") {
    if (state === "refunded")
      return {
        ...stay,
        state: "refunded",
        to: "FAILED",
        note: `${vendor.name} took the delivery back`,
        kind: "taken_back",
      };
    if (state === "failed") return { ...stay, concern: `${vendor.name} said delivered, and then failed` };
    return null;
  }
  if (state !== "delivered") return null;
  const note = `${vendor.name} says that it delivered after all`;
  return {
    ...stay,
    note,
    kind: "delivered_late",
    concern: `${vendor.name} delivered what had been given up`,
    hasArrivedLate: attempt.state === "failed",
  };
}

function notTaken(
  attempt: Pick<Attempt, "words" | "state" | "sends">,
  orderStatus: OrderStatus,
  { why, retryAfterSeconds, words }: Extract<DeliveryReport, { kind: "not_taken" }>,
  stay: Step,
  vendor: Pick<BundleVendor, "name">,
): Step {
  // "This number was sent something a moment ago", of what was sent before and not found: that was it, perhaps.
  if (why === "number_cooling" && attempt.sends > 1)
    return unclear(attempt, { words, isKnown: true }, stay, vendor);
  // Somebody has ended the order while the vendor was called: there is nothing left to be sent.
  if (!isOpen(orderStatus)) {
    const note = `${vendor.name} did not take it${quote(words)}`;
    return { ...stay, state: "withdrawn", note, kind: "refused", concern: doubt(orderStatus, note) };
  }
  if (why === "out_of_stock" || why === "not_servable") {
    return {
      ...stay,
      state: "failed",
      goesOn: true,
      note: `${vendor.name} cannot deliver it${quote(words)}`,
      kind: "refused",
    };
  }
  // Said once, however often it is tried.
  const note = words !== null && words === attempt.words ? null : `Waiting for ${vendor.name}${quote(words)}`;
  return {
    ...stay,
    state: "queued",
    dueInSeconds: retryAfterSeconds ?? WAIT_SECONDS[why],
    note,
    kind: note === null ? null : "waiting",
    isUnsent: true,
    // What is left of a float may be enough for one of them, though not for all.
    goesAlone: why === "refused_together" || why === "float_empty",
  };
}

/** What a person should look at when an order that was marked as delivered was not. */
function doubt(status: OrderStatus, words: string): string | null {
  return status === "DELIVERED" || status === "COMPLETED" ? `Marked as ${status}, but ${words}` : null;
}

/** Questions come further and further apart, and never more often than the vendor bears. */
function statusCheckPause(
  { lookUps }: Pick<Attempt, "lookUps">,
  orderStatus: OrderStatus,
  { can }: Pick<BundleVendor, "can">,
): number {
  // Only whether we have lost something is still open, and such questions add up over the years.
  if (!isOpen(orderStatus)) return Math.max(can.statusCheckEverySeconds, LOOK_UP_SECONDS_WHEN_OVER);
  return Math.max(can.statusCheckEverySeconds, Math.min(LOOK_UP_SECONDS_MAX, 5 * 2 ** Math.min(lookUps, 10)));
}

/** Whether a vendor's words say more than a bare "queued" or "failed". */
export function isTelling(words: string | null | undefined): boolean {
  return words != null && !/^[a-z_]*$/i.test(words);
}

/** The vendor's own words, where they say more than the line they would stand in. */
function quote(words: string | null): string {
  return isTelling(words) ? ` (“${words}”)` : "";
}
