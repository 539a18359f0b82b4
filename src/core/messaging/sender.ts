// The interface of message gateways. A sender never throws: every outcome is one of `Sent`.
import type { SmsGateway } from "../../shared/domain.ts";

export type Outgoing = {
  /** The same on every attempt, so that a mail client recognises a repeat. */
  id: number;
  /** A gateway was called for this SMS before, so the day's budget has counted it. */
  isRepeat?: boolean;
  /** "reset_code", "order_delivered" … */
  kind: string;
  /** 233541234567, or an e-mail address. */
  recipient: string;
  subject: string | null;
  body: string;
};

/** `reason` is for the log: a phrase or code, never the text, the recipient or a key. */
export type Sent =
  | { kind: "accepted"; providerId: string | null }
  /**
   * This message will never be accepted: an invalid number, an unknown mailbox. `barred`: no other gateway may send it
   * either, because of our own limit, or because the number opted out and did not ask for it.
   */
  | { kind: "refused"; reason: string; barred?: "limit" | "opt_out" }
  /** Not accepted now, perhaps later. */
  | { kind: "busy"; reason: string }
  /** No message would be accepted now: the account is empty, the key is wrong, nothing answers. */
  | { kind: "down"; reason: string }
  /** No answer came: it may have been sent. */
  | { kind: "unknown"; reason: string };

export interface Sender {
  send(message: Outgoing): Promise<Sent>;
}

/** The SMS gateways that have keys. */
export type SmsSenders = Partial<Record<SmsGateway, Sender>>;

/** Null for a channel that is not configured; push messages are off by default. */
export type Senders = { sms: SmsSenders | null; email: Sender | null; push?: Sender | null };

/** A browser's address at its push service, and the keys that encrypt messages for it (RFC 8291), as base64url. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string };

/** `tag`: a message that is sent twice is shown once. */
export type PushContent = { title: string; body: string; path: string; tag: string };

export interface PushGateway {
  /** The key that a browser needs to subscribe, as base64url. */
  publicKey: string;
  /** What is wrong with a target, as a sentence; null when nothing is. */
  problemOf(target: PushTarget): Promise<string | null>;
  /** Sends a message once; "gone": the browser has ended its subscription. Never throws. */
  send(target: PushTarget, content: PushContent): Promise<Sent | { kind: "gone" }>;
}
