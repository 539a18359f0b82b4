// The numbers of what waits beside the menu's links, kept up to date by a stream. The pages of a browser share one: the
// page that holds the lock has it, and passes its events on to the others.

/** `path` is the stream's. */
type Props = { path: string };
type Counts = Record<string, string>;

const NAME = "datafie-waiting";
const FIRST_SECONDS = 15;
const LAST_SECONDS = 300;

export function waitingWatch(_place: Element, { path }: Props): void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<Counts>) => showCounts(data);
  const hear = (counts: Counts) => {
    showCounts(counts);
    channel.postMessage(counts);
  };
  // Without locks, as in plain http, each visible page has a stream of its own.
  if (navigator.locks) void navigator.locks.request(NAME, () => follow(path, hear));
  else void follow(path, hear);
}

/** Follows the stream until the session is over. Where the server opens none, it tries again, ever more seldom. */
async function follow(path: string, hear: (counts: Counts) => void): Promise<void> {
  let pauseSeconds = FIRST_SECONDS;
  const opened = () => {
    pauseSeconds = FIRST_SECONDS;
  };
  while ((await streamed(path, hear, opened)) !== "over") {
    const pauseMs = pauseSeconds * 1000;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseSeconds = Math.min(LAST_SECONDS, pauseSeconds * 2);
  }
}

/** One stream. "over" when the server says that the session has ended, "closed" when it refuses to open another. */
function streamed(path: string, hear: (counts: Counts) => void, opened: () => void): Promise<"over" | "closed"> {
  return new Promise((resolve) => {
    const source = new EventSource(path);
    const done = (end: "over" | "closed") => {
      source.close();
      resolve(end);
    };
    source.onopen = opened;
    source.onmessage = ({ data }) => hear(JSON.parse(data));
    source.addEventListener("over", () => done("over"));
    // The browser itself opens a stream again whose connection broke.
    source.onerror = () => source.readyState === EventSource.CLOSED && done("closed");
  });
}

function showCounts(counts: Counts): void {
  for (const badge of document.querySelectorAll<HTMLElement>("[data-waiting]")) {
    const text = counts[badge.dataset.waiting!];
    badge.hidden = !text;
    const unit = document.createElement("span");
    unit.className = "sr";
    unit.textContent = " waiting";
    badge.replaceChildren(...(text ? [text, unit] : []));
  }
  const title = document.title.replace(/^\([\d,]+\+?\) /, "");
  document.title = counts.all ? `(${counts.all}) ${title}` : title;
}
