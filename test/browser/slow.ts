// A weak phone on a slow network, and when a page is of use there.
import type { Page } from "playwright-core";

/**
 * "Slow 3G" as Chrome's DevTools and Puppeteer (PredefinedNetworkConditions) have it: 500 kbit/s less a fifth both ways,
 * and for each request five times 400 ms, because a round trip is not emulated below the request.
 */
const SLOW_3G = {
  offline: false,
  downloadThroughput: (500_000 / 8) * 0.8,
  uploadThroughput: (500_000 / 8) * 0.8,
  latency: 400 * 5,
};
/** Lighthouse takes a phone's processor for a fourth of a desk's ("Throttling", cpuSlowdownMultiplier). */
const CPU_SLOWDOWN = 4;

/** Milliseconds since the page was asked for. */
export type Arrival = {
  /** Something stands on the screen (first contentful paint). */
  paintedMs: number;
  /** The form for a number and its button are there, so that it can be sent. */
  submittableMs: number;
  /** The form's islands have come alive; null while they have not. */
  islandsMs: number | null;
};

/** Makes a page slow from now on, and notes when whatever it opens is of use. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_3G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.addInitScript(note);
}

/** What was noted about the page that is open, once it was painted; with islands, once those of its form have come, too. */
export async function arrivalOf(page: Page, { withIslands = false } = {}): Promise<Arrival> {
  const noted = await page.waitForFunction((withIslands) => {
    const { arrival } = globalThis as unknown as { arrival: Arrival };
    const isThere = arrival.paintedMs && arrival.submittableMs && (arrival.islandsMs || !withIslands);
    return isThere ? arrival : null;
  }, withIslands);
  return (await noted.jsonValue())!;
}

/** Runs in the page, before anything of its own. */
function note(): void {
  const arrival: Partial<Arrival> = { islandsMs: null };
  Object.assign(globalThis, { arrival });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) arrival.paintedMs = entry.startTime;
  }).observe({ type: "paint", buffered: true });
  new MutationObserver(() => {
    const form = document.querySelector("main form:has([name=msisdn])");
    if (form?.querySelector("button[type=submit]")) arrival.submittableMs ??= performance.now();
    const islands = [...(form?.querySelectorAll("is-land[on=load]") ?? [])];
    if (islands.length > 0 && islands.every((island) => island.hasAttribute("ready")))
      arrival.islandsMs ??= performance.now();
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["ready"] });
}
