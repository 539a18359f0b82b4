// The stream that keeps the numbers beside the menu up to date: an event at once, and then whenever they change.
import { listen } from "../../../../core/overview/watch.ts";
import { hasRight } from "../../../../shared/rights.ts";
import type { Context, Download, Page } from "../../../page.tsx";
import { openStream, STREAM_HEADERS } from "../../../streams.ts";

export const waitingPages: Page[] = [
  { path: "/admin/waiting", right: "shop.see", examples: [], show: async (context) => streamOf(context) },
];

/**
 * After this time without a change the session is looked at again, and a comment is sent, because servers and proxies
 * close a connection that is silent for half a minute.
 */
const QUIET_MS = 15_000;

function streamOf(context: Context): Download {
  const stream = openStream(context.by.userId, context.request);
  return { pieces: eventsOf(context, stream), headers: STREAM_HEADERS };
}

async function* eventsOf(context: Context, stream: ReturnType<typeof openStream>): AsyncGenerator<string> {
  const changes = createSignal(stream.signal);
  const stop = listen(context.db, changes.raise);
  try {
    for (let last = ""; ; ) {
      const counts = JSON.stringify(await context.badges(true));
      yield counts === last ? ": no change\n\n" : `data: ${counts}\n\n`;
      last = counts;
      await changes.within(QUIET_MS);
      if (stream.signal.aborted) return;
      if (!(await isStillAllowed(context))) return yield "event: over\ndata:\n\n";
    }
  } finally {
    stop();
    stream.close();
  }
}

/** Whether the session goes on, with the right to see what waits. */
async function isStillAllowed({ identifyAnew, request }: Context): Promise<boolean> {
  const viewer = await identifyAnew(request).catch(() => null);
  return viewer !== null && !viewer.mustEnrol && hasRight(viewer.by, "shop.see");
}

/** Something to wait for, at most so long; the end of the stream ends every wait. */
function createSignal(end: AbortSignal) {
  let isRaised = false;
  let wake = () => {};
  const raise = () => {
    isRaised = true;
    wake();
  };
  end.addEventListener("abort", raise);
  return {
    raise,
    within: (ms: number) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          wake = () => {};
          isRaised = false;
          resolve();
        };
        const timer = setTimeout(done, ms);
        wake = done;
        if (isRaised || end.aborted) done();
      }),
  };
}
