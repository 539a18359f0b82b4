// The interface of bundle vendors. Its methods never throw: an uncertain outcome is "unclear", and is only ever
// resolved by a status check under our own reference, never by sending again.
import type { Family, Operator } from "../../shared/domain.ts";

/** The family of a bundle, which vendors express as a network code. */
export type BundleLine = Family;

/** One order for a vendor. Three times 1 GB is sent as 3 GB, because vendors block a number that comes again. */
export type Dispatch = {
  /** Ours, 6 to 25 letters and digits (Hubnet's limit), new for each attempt. */
  reference: string;
  /** Stored form, 233541234567. */
  msisdn: string;
  operator: Operator;
  line: BundleLine;
  /** In MB, 1 GB = 1000 MB. */
  volumeMb: number;
  /** Where the vendor can send webhooks; null when we cannot be reached. */
  webhookUrl: string | null;
};

/** The vendor's status. `held`: it waits for something about the number, such as an activation. */
export type DeliveryState = "accepted" | "processing" | "held" | "delivered" | "failed" | "refunded";

/** Why it was certainly not taken, so that sending it later, or to another vendor, delivers it once. */
export type NotTaken =
  /** Our balance with the vendor is too low: nothing more can be sent there. */
  | "float_empty"
  /** The vendor rejects our key. */
  | "key_refused"
  /** Too many calls a minute. */
  | "rate_limited"
  /** The same number was sent something a moment ago; the vendor requires a pause. */
  | "number_cooling"
  /** The operator, or the vendor as a whole, is out of service. */
  | "network_down"
  /** A call with several was refused as a whole, perhaps because of one: each must be sent alone. */
  | "refused_together"
  /** This size is currently unavailable. */
  | "out_of_stock"
  /** The vendor does not serve this number or size. */
  | "not_servable";

/** The outcome of one order of a call. `message` is the vendor's message, without markup, at most 300 characters. */
export type Placed =
  | {
      kind: "taken";
      state: DeliveryState;
      vendorReference: string | null;
      costPesewas: number | null;
      message: string | null;
    }
  | { kind: "not_taken"; reason: NotTaken; retryAfterSeconds: number | null; message: string | null }
  /** The vendor has seen this reference before: its status must be checked. */
  | { kind: "known_reference"; message: string | null }
  | { kind: "unclear"; message: string | null };

export type StatusAnswer =
  | {
      kind: "found";
      state: DeliveryState;
      vendorReference: string | null;
      /** What it charges for the order, where it says so. */
      costPesewas?: number | null;
      message: string | null;
    }
  | { kind: "not_found" }
  | { kind: "unclear"; message: string | null };

/** What a vendor says of our float. */
export type VendorBalance =
  | { kind: "found"; balancePesewas: number }
  /** It refuses our key. */
  | { kind: "refused"; message: string | null }
  | { kind: "unclear"; message: string | null };

/** An event from a vendor's webhook, with our reference, the vendor's, or both. */
export type VendorEvent = {
  /** Identifies a repetition of the event. */
  dedupeKey: string;
  reference: string | null;
  vendorReference: string | null;
  state: DeliveryState;
  /** What it charges for the order, where it says so. */
  costPesewas?: number | null;
  message: string | null;
};

export type Capabilities = {
  lines: readonly BundleLine[];
  /** The most orders in one call. */
  batchMax: number;
  /** Dispatch calls per minute. */
  callsPerMinute: number;
  /** Whether it supports status checks. Some find an order only by their own reference, and are unclear without it. */
  canCheckStatus: boolean;
  /** How long after sending "not found" may still mean "not yet". */
  settlesWithinSeconds: number;
  /** How much longer for each order of its call, at a vendor that processes them one by one. */
  settlesWithinSecondsEach?: number;
  /** Status checks per minute. */
  statusChecksPerMinute: number;
  /** The shortest interval between status checks of one order. */
  statusCheckEverySeconds: number;
  /**
   * How long after sending it may hold an order that it has confirmed, before an admin decides. Default:
   * HOLDS_FOR_HOURS.
   */
  holdsForHours?: number;
};

export const HOLDS_FOR_HOURS = 24;

export interface BundleVendor {
  /** Lower case, stored with each attempt: "datamart". */
  readonly code: string;
  readonly name: string;
  readonly can: Capabilities;
  /** Whether this vendor serves such a bundle at all. */
  serves(line: BundleLine, volumeMb: number): boolean;
  /** Sends up to `can.batchMax` orders in one call; returns the outcome of each, in the same order. */
  place(dispatches: readonly Dispatch[]): Promise<Placed[]>;
  /** Checks an order's status. Vendors without status checks return "unclear". */
  checkStatus(attempt: { reference: string; vendorReference: string | null }): Promise<StatusAnswer>;
  /** Asks for our float with the vendor, within the time of a request: somebody may wait for it. */
  balance(): Promise<VendorBalance>;
  /**
   * Reads a webhook from its raw bytes. "unsigned": not from the vendor; "unreadable": from the vendor, but invalid.
   * Vendors that do not sign call a URL with a secret token.
   */
  readWebhook(call: {
    raw: Uint8Array;
    headers: Headers;
    /** Whether the called URL had the right token. */
    hasToken: boolean;
  }): VendorEvent[] | "unsigned" | "unreadable";
}
