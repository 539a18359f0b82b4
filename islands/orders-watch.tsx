// Keeps a list of orders up to date: changes states in place, so that nothing moves under a thumb, and offers new
// orders instead of inserting them. It checks less and less often, never on a hidden page, and gives up when checks
// fail.
import { useEffect, useState } from "react";
import { accraAgo } from "../src/shared/accra.ts";
import { CHIP_OF_STATE, isFinal, type OrderState } from "../src/shared/orders/order-states.ts";

type Props = {
  /** The states on the page that may still change, by order. */
  states: Record<string, OrderState>;
  /** The newest order of the list; null for a list that new orders do not belong to. */
  newestId: number | null;
  /** Whether only unfinished orders are listed. */
  isOpenOnly: boolean;
  /** The path of the page. */
  path: string;
};
type Changes = { states: Record<string, OrderState>; newCount: number };
type View = { newCount: number; isPaused: boolean };

const FIRST_SECONDS = 4;
/** Without orders on the way, only new ones are expected. */
const CALM_SECONDS = 20;
const LAST_SECONDS = 60;
const FAILURES_MAX = 3;

export function OrdersWatch(props: Props) {
  const [view, setView] = useState<View>({ newCount: 0, isPaused: false });
  useEffect(() => follow(props, setView), [props]);
  const { newCount, isPaused } = view;
  return (
    <div className="watch" role="status">
      {newCount > 0 ? (
        <a className="pill" href={props.path}>
          {newCount} new {newCount === 1 ? "order" : "orders"} · <strong>Show</strong>
        </a>
      ) : isPaused ? (
        <a className="pill quiet" href={props.path}>
          Updates paused · <strong>Refresh</strong>
        </a>
      ) : null}
    </div>
  );
}

/** Checks until the page is left; returns what ends it. */
function follow({ states, newestId, isOpenOnly }: Props, setView: (view: View) => void): () => void {
  const pending = { ...states };
  const firstSeconds = () => (Object.keys(pending).length > 0 ? FIRST_SECONDS : CALM_SECONDS);
  let seconds = firstSeconds();
  let failures = 0;
  let newCount = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    clearTimeout(timer);
    timer = undefined;
    const isNeeded = newestId !== null || Object.keys(pending).length > 0;
    if (isNeeded && !document.hidden && navigator.onLine) timer = setTimeout(check, seconds * 1000);
    setView({ newCount, isPaused: isNeeded && (!navigator.onLine || failures >= FAILURES_MAX) });
  };
  const check = async () => {
    const query = new URLSearchParams({ ids: Object.keys(pending).join() });
    if (newestId !== null) query.set("after", String(newestId));
    if (isOpenOnly) query.set("open", "1");
    const changes = await read(`/orders/changes?${query}`);
    timeAgain();
    failures = changes ? 0 : failures + 1;
    const hasChanged = changes !== null && (apply(changes, pending) || changes.newCount !== newCount);
    newCount = changes?.newCount ?? newCount;
    seconds = hasChanged ? firstSeconds() : Math.min(LAST_SECONDS, seconds * (changes ? 1.3 : 2));
    if (failures < FAILURES_MAX) plan();
    else setView({ newCount, isPaused: true });
  };
  const resume = () => {
    failures = 0;
    seconds = FIRST_SECONDS;
    plan();
  };
  document.addEventListener("visibilitychange", resume);
  for (const event of ["online", "offline"]) addEventListener(event, resume);
  plan();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", resume);
    for (const event of ["online", "offline"]) removeEventListener(event, resume);
  };
}

/** Null when the answer is unavailable: offline, or logged out, which answers with another page. */
async function read(path: string): Promise<Changes | null> {
  try {
    const response = await fetch(path, { headers: { accept: "application/json" }, redirect: "error" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Changes the states on the page; returns whether there were any. Final ones are no longer followed. */
function apply({ states }: Changes, pending: Record<string, OrderState>): boolean {
  let hasChanged = false;
  for (const [id, state] of Object.entries(states)) {
    if (!(id in pending) || pending[id] === state) continue;
    mark(id, state);
    hasChanged = true;
    if (isFinal(state)) delete pending[id];
    else pending[id] = state;
  }
  return hasChanged;
}

function mark(id: string, state: OrderState): void {
  const place = document.querySelector(`[data-order="${id}"]`);
  if (!place) return;
  const [chip, text] = [document.createElement("span"), document.createElement("span")];
  chip.className = `chip ${CHIP_OF_STATE[state]}`;
  text.textContent = state;
  chip.append(text);
  place.replaceChildren(chip);
}

/** "2 min ago" becomes "3 min ago"; dates stay. */
function timeAgain(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>(".row-list time"))
    if (/ago|now/.test(time.textContent)) time.textContent = accraAgo(new Date(time.dateTime), new Date());
}
