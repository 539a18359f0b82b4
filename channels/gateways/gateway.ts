// The port to a gateway for USSD: how its requests become a turn of a session, and our screens its answers.
import type { CutReport } from "../../src/core/ussd/sessions.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import type { Answer, Turn } from "../ussd/hop.ts";

/** A request as read: a turn, a session's end, or the name of what could not be read, never its value. */
export type Content = { turn: Turn } | { cut: CutReport } | { unreadable: string };

/** A request, and how to answer it: some gateways want parts of theirs back. */
export type Incoming = { content: Content; write: (answer: Answer) => Response };

export type UssdGateway = {
  name: UssdGatewayName;
  /** Reads a request of limited size. Never throws for what a request contains. */
  read: (request: Request) => Promise<Incoming>;
};

/** An input fills a USSD message at most (182 characters). */
export const INPUT_CHARS_MAX = 182;

/** The headers of every answer. */
export function headersOf(contentType: string): Record<string, string> {
  return { "content-type": contentType, "cache-control": "no-store" };
}

/** The session's id among those of all gateways; null if it is none. */
export function sessionIdOf(gateway: UssdGatewayName, id: string): string | null {
  return /^[\w.-]{1,100}$/.test(id) ? `${gateway}-${id}` : null;
}

/** A caller's number, 233541234567, from one with or without a plus; null if it is not a Ghanaian mobile's. */
export function msisdnOf(number: string): string | null {
  return /^\+?(233[25]\d{8})$/.exec(number)?.[1] ?? null;
}
