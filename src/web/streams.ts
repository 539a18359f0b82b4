// Streams of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): how many may be open,
// and their end when the server stops.
import { rateLimited } from "../core/platform/budgets/budgets.ts";

/** A browser keeps one for all of its pages; a person has a few browsers. */
const PER_ACCOUNT_MAX = 6;
const PER_PROCESS_MAX = 300;
const TRY_AGAIN_SECONDS = 60;

const open = new Map<AbortController, number>();
let isOver = false;

/**
 * Opens a stream for an account: its signal ends it, with the request or with the server, and `close` must be called at
 * its end. Throws request.rate_limited when too many are open.
 */
export function openStream(userId: number, request: Request): { signal: AbortSignal; close: () => void } {
  const own = [...open.values()].filter((id) => id === userId).length;
  if (isOver || own >= PER_ACCOUNT_MAX || open.size >= PER_PROCESS_MAX)
    throw rateLimited("streams", "Too many pages are kept up to date at once.", TRY_AGAIN_SECONDS);
  const controller = new AbortController();
  const abort = () => controller.abort();
  open.set(controller, userId);
  request.signal.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    close: () => {
      open.delete(controller);
      request.signal.removeEventListener("abort", abort);
    },
  };
}

/** Ends every stream, because the server stops; none opens afterwards. */
export function endStreams(): void {
  isOver = true;
  for (const controller of [...open.keys()]) controller.abort();
}

/** The headers of a stream; proxies must pass each event on at once. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "private, no-store, no-transform",
  "x-accel-buffering": "no",
};
