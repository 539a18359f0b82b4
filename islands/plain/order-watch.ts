// Live updates of an order's page or receipt: it asks whether anything has changed, which takes few bytes, and only
// then fetches the page and replaces the parts that differ.
import { pageAt, replaceParts } from "../parts/live.ts";

/** `mark` is different whenever the page at `path` is. */
type Props = { path: string; mark: string };

const FIRST_SECONDS = 4;
const LAST_SECONDS = 60;

/** Takes the place of the link that refreshes the page, until the order has ended. */
export function orderWatch(place: Element, { path, mark }: Props): void {
  let shown = mark;
  let pauseSeconds = FIRST_SECONDS;
  let timer: ReturnType<typeof setTimeout>;
  const check = async () => {
    clearTimeout(timer);
    // Nobody sees a hidden page, and mobile data is expensive.
    const now = document.hidden ? null : await markAt(path);
    if (now && now.mark !== shown && (await update(path))) {
      shown = now.mark;
      pauseSeconds = FIRST_SECONDS;
    }
    if (now?.isOver && shown === now.mark) {
      document.removeEventListener("visibilitychange", returned);
      place.replaceChildren();
      return;
    }
    pauseSeconds = Math.min(LAST_SECONDS, pauseSeconds * 1.3);
    clearTimeout(timer);
    timer = setTimeout(check, pauseSeconds * 1000);
  };
  const returned = () => {
    if (!document.hidden) void check();
  };
  document.addEventListener("visibilitychange", returned);
  place.classList.add("small", "soft");
  place.textContent = "Updates by itself";
  timer = setTimeout(check, pauseSeconds * 1000);
}

async function update(path: string): Promise<boolean> {
  const fresh = await pageAt(path);
  if (fresh) replaceParts(fresh);
  return fresh !== null;
}

type Mark = { mark: string; isOver: boolean };

/** Null if it is unavailable: offline, or logged out. */
async function markAt(path: string): Promise<Mark | null> {
  try {
    const response = await fetch(path, { headers: { accept: "application/json" } });
    const now: Partial<Mark> = response.ok ? await response.json() : {};
    return typeof now.mark === "string" ? { mark: now.mark, isOver: now.isOver === true } : null;
  } catch {
    return null;
  }
}
