// What the core asks of whoever delivers bundles. Nothing here throws: an outcome that is not sure is "unclear", and
// the only way to learn it is to ask again by our own reference, never to send again.
import type { Family, Operator } from "../../shared/domain.ts";

/** The family of a bundle: what a vendor's network code stands for. */
export type BundleLine = Family;

/** What one order comes to: an order for three of 1 GB is a parcel of 3 GB, since vendors bar a number that comes again. */
export type Dispatch = {
  /** Ours, 6 to 25 letters and digits, new for each attempt: Hubnet takes no longer one. */
  reference: string;
  /** Stored form, 233541234567. */
  msisdn: string;
  operator: Operator;
  line: BundleLine;
  /** In MB, 1 GB = 1000 MB. */
  volumeMb: number;
  /** Where the vendor may tell us what became of it; null when we cannot be reached. */
  webhookUrl: string | null;
};

/** Where a parcel is, as a vendor says it. `held`: it waits for something about the number, such as an activation. */
export type DeliveryState = "accepted" | "processing" | "held" | "delivered" | "failed" | "refunded";

/** Why a parcel was surely not taken, so that sending it later, or to another vendor, delivers it once. */
export type NotTaken =
  /** Our balance with the vendor is too low: nothing more can be sent there. */
  | "float_empty"
  /** The vendor does not take our key. */
  | "key_refused"
  /** The vendor wants fewer calls a minute. */
  | "rate_limited"
  /** The same number was sent something a moment ago; the vendor wants a pause. */
  | "number_cooling"
  /** The operator, or the vendor as a whole, is out of service. */
  | "network_down"
  /** A call with several was refused as a whole, perhaps for one of them only: each is to be sent alone. */
  | "refused_together"
  /** This size is not to be had now. */
  | "out_of_stock"
  /** The number, or the size, is one that this vendor never serves. */
  | "not_servable";

/** What became of one parcel of a call. `words` are the vendor's own, without markup, at most 300 letters. */
export type Placed =
  | {
      kind: "taken";
      state: DeliveryState;
      vendorReference: string | null;
      costPesewas: number | null;
      words: string | null;
    }
  | { kind: "not_taken"; why: NotTaken; retryAfterSeconds: number | null; words: string | null }
  /** The vendor has had this reference before: what became of it must be looked up. */
  | { kind: "known_reference"; words: string | null }
  | { kind: "unclear"; words: string | null };

export type StatusAnswer =
  | { kind: "found"; state: DeliveryState; vendorReference: string | null; words: string | null }
  | { kind: "not_found" }
  | { kind: "unclear"; words: string | null };

/** What a vendor tells of its own accord. A reference of ours, or the vendor's, or both. */
export type VendorEvent = {
  /** What makes it the same event when it comes again. */
  dedupeKey: string;
  reference: string | null;
  vendorReference: string | null;
  state: DeliveryState;
  words: string | null;
};

export type Capabilities = {
  lines: readonly BundleLine[];
  /** The most parcels of one call. */
  batchMax: number;
  /** Calls that place parcels, a minute. */
  callsPerMinute: number;
  /** Whether it can be asked about a parcel. Some find one only by their own reference, and are unclear without it. */
  canCheckStatus: boolean;
  /** How long after sending "not found" may still mean "not yet". */
  settlesWithinSeconds: number;
  /** How much longer for each parcel of its call, at a vendor that works them off one after the other. */
  settlesWithinSecondsEach?: number;
  /** Questions about parcels, a minute. */
  statusChecksPerMinute: number;
  /** How long the vendor must be left alone between questions about one parcel. */
  statusCheckEverySeconds: number;
  /**
   * How long after sending it may hold a parcel of which it says that it has it, before a person decides; a vendor that says
   * nothing of it has HOLDS_FOR_HOURS.
   */
  holdsForHours?: number;
};

export const HOLDS_FOR_HOURS = 24;

export interface BundleVendor {
  /** Lower case, kept with each attempt: "datamart". */
  readonly code: string;
  readonly name: string;
  readonly can: Capabilities;
  /** Whether this vendor can send such a bundle at all. */
  serves(line: BundleLine, volumeMb: number): boolean;
  /** Sends up to `can.batchMax` parcels in one call; answers for each, in the same order. */
  place(parcels: readonly Dispatch[]): Promise<Placed[]>;
  /** Where a parcel is. Vendors without a lookup answer "unclear". */
  checkStatus(ask: { reference: string; vendorReference: string | null }): Promise<StatusAnswer>;
  /** What we have left with the vendor; null where it cannot be asked or does not answer. */
  balancePesewas(): Promise<number | null>;
  /**
   * Reads a webhook from its raw bytes. "unsigned": it is not from the vendor; "unreadable": it is, but makes no sense.
   * Vendors that sign nothing are asked to call an address that carries `token`, which only they were told.
   */
  readWebhook(ask: {
    raw: Uint8Array;
    headers: Headers;
    /** Whether the address that was called carried the right token. */
    hasToken: boolean;
  }): VendorEvent[] | "unsigned" | "unreadable";
}
