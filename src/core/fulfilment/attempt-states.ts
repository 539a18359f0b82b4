// The state machine of delivery attempts: the effect of each delivery report, from any source. Pure, so that tests can
// try reports in every order. A delivered attempt stays delivered unless the vendor reverses the delivery.
import { type AttemptState, type DeliveryKind, isOpen, type OrderStatus } from "../../shared/domain.ts";
import type { Attempt } from "../orders/attempts.ts";
import * as losses from "../orders/losses.ts";
import type { BundleVendor, DeliveryState, NotTaken } from "./vendor.ts";

export type DeliveryReport =
  | {
      kind: "state";
      state: DeliveryState;
      vendorReference: string | null;
      costPesewas?: number | null;
      message: string | null;
    }
  | { kind: "not_taken"; reason: NotTaken; retryAfterSeconds: number | null; message: string | null }
  /**
   * The outcome is unknown: no answer, or one that makes no sense. `isKnown`: the vendor says that it has seen this
   * reference, so that a later "not found" is not believed.
   */
  | { kind: "unclear"; message: string | null; isKnown?: boolean }
  | { kind: "not_found" };

/** How long an attempt that was certainly not taken waits for its next try, when the vendor does not say. */
export const WAIT_SECONDS: Record<Exclude<NotTaken, "out_of_stock" | "not_servable">, number> = {
  float_empty: 0,
  refused_together: 0,
  key_refused: 0,
  rate_limited: 60,
  number_cooling: 300,
  network_down: 60,
};
/** An attempt that the vendor has never seen is sent once more, under the same reference, and then never again. */
const SENDS_MAX = 2;
const CHECK_SECONDS_MAX = 600;
const CHECK_SECONDS_WHEN_CLOSED = 6 * 3600;

export type Step = {
  state: AttemptState;
  /** When to process it next. */
  dueInSeconds: number;
  /** The order's new status; null when it stays. */
  to: "PROCESSING" | "DELIVERED" | "FAILED" | null;
  /** A timeline entry for admins; agents read the text of `kind`. */
  note: string | null;
  kind: DeliveryKind | null;
  /** Certainly not delivered: try the next vendor, or refund. */
  goesOn: boolean;
  /** Something that an admin should check. */
  concern: string | null;
  /** Delivered after it had failed: the next attempt is not needed, if it has not been sent yet. */
  hasArrivedLate: boolean;
  /** The vendor certainly did not take it, so that this send does not count. */
  isUnsent: boolean;
  /** It is sent in a call of its own from now on. */
  goesAlone: boolean;
  /** The vendor has seen it, even if a status check does not find it. */
  isSeen: boolean;
};

export type Situation = Pick<
  Attempt,
  "state" | "sends" | "sentTogether" | "seenByVendor" | "endedAt" | "statusChecks" | "vendorMessage" | "vendorReference"
> & {
  /** By the database's clock, which recorded the time of sending; null when it was not sent. */
  sentSecondsAgo: number | null;
};

/**
 * The next state of an attempt after a delivery report; null when the report changes nothing. Depends on its parameters
 * alone.
 */
export function next(
  attempt: Situation,
  orderStatus: OrderStatus,
  report: DeliveryReport,
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
  switch (report.kind) {
    case "state":
      if (attempt.sentSecondsAgo === null) return null;
      return isOver
        ? afterEnd(attempt, report.state, stay, vendor)
        : inProgress(attempt, orderStatus, report, stay, vendor);
    case "not_taken":
      return attempt.state === "sending" ? notTaken(attempt, orderStatus, report, stay, vendor) : null;
    case "unclear":
      return isOver ? null : unclear(attempt, report, stay, vendor);
    case "not_found":
      return isOver ? null : notFound(attempt, orderStatus, stay, vendor);
  }
}

function unclear(
  { state }: Pick<Attempt, "state">,
  { message, isKnown = false }: Pick<Extract<DeliveryReport, { kind: "unclear" }>, "message" | "isKnown">,
  stay: Step,
  { name }: Pick<BundleVendor, "name">,
): Step {
  if (state !== "sending") return stay;
  return {
    ...stay,
    state: "unknown",
    to: "PROCESSING",
    note: `No clear answer from ${name}${quote(message)}: checking`,
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
  const note = `${name} never received it`;
  const failed: Step = { ...stay, state: "failed", goesOn: true, note, kind: "refused" };
  if (!isOpen(orderStatus)) return { ...failed, goesOn: false, concern: doubt(orderStatus, note) };
  if (attempt.sends >= SENDS_MAX) return failed;
  return { ...stay, state: "queued", dueInSeconds: 0, note: `${note}: sending it again`, kind: "resending" };
}

/**
 * How long "not found" may still mean "not yet": longer for a vendor that processes the orders of a call one by one.
 */
function settlesWithin(can: BundleVendor["can"], sentTogether: number): number {
  return can.settlesWithinSeconds + (can.settlesWithinSecondsEach ?? 0) * sentTogether;
}

/** A report about an attempt in progress. */
function inProgress(
  attempt: Pick<Attempt, "state" | "vendorReference">,
  orderStatus: OrderStatus,
  report: Extract<DeliveryReport, { kind: "state" }>,
  stay: Step,
  vendor: Pick<BundleVendor, "name">,
): Step | null {
  const quoted = quote(report.message);
  const isLoss = orderStatus === "FAILED";
  switch (report.state) {
    case "delivered":
      return {
        ...stay,
        state: "delivered",
        to: isLoss ? null : "DELIVERED",
        note: `${vendor.name} delivered it${quoted}`,
        kind: "delivered",
        concern: isLoss ? losses.CONCERN : null,
      };
    case "failed":
    case "refunded":
      return {
        ...stay,
        state: report.state,
        goesOn: true,
        note: `${vendor.name} could not deliver it${quoted}`,
        kind: "refused",
        concern: doubt(orderStatus, `${vendor.name} could not deliver it`),
      };
    case "held":
      if (attempt.state === "held") return stay;
      return {
        ...stay,
        state: "held",
        to: "PROCESSING",
        note: `${vendor.name} is holding it${quoted}`,
        kind: "held",
      };
    default:
      return acknowledged(attempt, report, stay, vendor);
  }
}

/** "Accepted" or "processing": noted once each, and never back from processing to accepted. */
function acknowledged(
  attempt: Pick<Attempt, "state" | "vendorReference">,
  report: Extract<DeliveryReport, { kind: "state" }>,
  stay: Step,
  { name }: Pick<BundleVendor, "name">,
): Step {
  const isFirst = attempt.state === "sending" || attempt.state === "unknown" || attempt.state === "queued";
  if (!isFirst && (report.state === attempt.state || report.state === "accepted")) return stay;
  const number = report.vendorReference ?? attempt.vendorReference;
  const note = isFirst
    ? `Sent to ${name}${number ? `, their reference ${number}` : ""}${quote(report.message)}`
    : `${name} is processing it${quote(report.message)}`;
  return { ...stay, state: report.state, to: "PROCESSING", note, kind: isFirst ? "sent" : "working" };
}

/** A report about an ended attempt: only a reversed or late delivery still changes anything. */
function afterEnd(
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
        note: `${vendor.name} reversed the delivery`,
        kind: "taken_back",
      };
    if (state === "failed") return { ...stay, concern: `${vendor.name} reported it as delivered, then as failed` };
    return null;
  }
  if (state !== "delivered") return null;
  const note = `${vendor.name} reports that it was delivered after all`;
  return {
    ...stay,
    note,
    kind: "delivered_late",
    concern: `${vendor.name} delivered it after it had failed`,
    hasArrivedLate: attempt.state !== "refunded",
  };
}

function notTaken(
  attempt: Pick<Attempt, "vendorMessage" | "state" | "sends">,
  orderStatus: OrderStatus,
  { reason, retryAfterSeconds, message }: Extract<DeliveryReport, { kind: "not_taken" }>,
  stay: Step,
  vendor: Pick<BundleVendor, "name">,
): Step {
  // "This number was sent something a moment ago", about a second send: the first one may have got through.
  if (reason === "number_cooling" && attempt.sends > 1)
    return unclear(attempt, { message, isKnown: true }, stay, vendor);
  // The order was closed during the call to the vendor: nothing is left to send.
  if (!isOpen(orderStatus)) {
    const note = `${vendor.name} rejected it${quote(message)}`;
    return { ...stay, state: "withdrawn", note, kind: "refused", concern: doubt(orderStatus, note) };
  }
  if (reason === "out_of_stock" || reason === "not_servable") {
    return {
      ...stay,
      state: "failed",
      goesOn: true,
      note: `${vendor.name} cannot deliver it${quote(message)}`,
      kind: "refused",
    };
  }
  // Noted once, however often it is tried.
  const isNoted = message !== null && message === attempt.vendorMessage;
  const note = isNoted ? null : `Waiting for ${vendor.name}${quote(message)}`;
  return {
    ...stay,
    state: "queued",
    dueInSeconds: retryAfterSeconds ?? WAIT_SECONDS[reason],
    note,
    kind: note === null ? null : "waiting",
    isUnsent: true,
    // The remaining float may be enough for one of them, though not for all.
    goesAlone: reason === "refused_together" || reason === "float_empty",
  };
}

/** The concern about an order that was marked as delivered and was not. */
function doubt(status: OrderStatus, problem: string): string | null {
  return status === "DELIVERED" || status === "COMPLETED" ? `Marked as ${status}, but ${problem}` : null;
}

/** Status checks back off, and are never more frequent than the vendor allows. */
function statusCheckPause(
  { statusChecks }: Pick<Attempt, "statusChecks">,
  orderStatus: OrderStatus,
  { can }: Pick<BundleVendor, "can">,
): number {
  // For closed orders only a loss is still open, and such checks add up over the years.
  if (!isOpen(orderStatus)) return Math.max(can.statusCheckEverySeconds, CHECK_SECONDS_WHEN_CLOSED);
  return Math.max(can.statusCheckEverySeconds, Math.min(CHECK_SECONDS_MAX, 5 * 2 ** Math.min(statusChecks, 10)));
}

/** Whether a vendor's message says more than a bare "queued" or "failed". */
export function isInformative(message: string | null | undefined): boolean {
  return message != null && !/^[a-z_]*$/i.test(message);
}

/** The vendor's message in quotes, if it adds anything. */
function quote(message: string | null): string {
  return isInformative(message) ? ` (“${message}”)` : "";
}
