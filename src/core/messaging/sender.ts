// What the core asks of whoever carries messages. Nothing here throws: what became of a message is always one of these.
import type { MessageChannel } from "../../shared/domain.ts";

export type Outgoing = {
  /** Stays the same when the message is sent again, so that a mail reader can tell a repeat. */
  id: number;
  /** What it is about: "reset_code", "order_delivered" … */
  kind: string;
  /** 233541234567, or an e-mail address. */
  recipient: string;
  subject: string | null;
  body: string;
};

/** `reason` is a word or a code for the log: never the text, the recipient or a key. */
export type Sent =
  | { kind: "accepted"; providerId: string | null }
  /** This message will never be taken: an invalid number, an unknown mailbox. */
  | { kind: "refused"; reason: string }
  /** This message was not taken now, and may be later. */
  | { kind: "busy"; reason: string }
  /** No message would be taken now: no money on the account, a wrong key, nobody answers. */
  | { kind: "down"; reason: string }
  /** It was handed over and no answer came: it may have been sent. */
  | { kind: "unknown"; reason: string };

export interface Sender {
  send(message: Outgoing): Promise<Sent>;
}

/** Null where a channel is not set up. */
export type Senders = Record<MessageChannel, Sender | null>;
