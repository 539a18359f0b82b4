// A weak phone on a slow network, and the time until a page is usable there.
import type { Page } from "playwright-core";

/**
 * "Slow 3G" as in Chrome's DevTools and Puppeteer (PredefinedNetworkConditions): 500 kbit/s less a fifth both ways, and
 * for each request five times 400 ms, because round trips are not emulated below the request.
 */
const SLOW_3G = {
  offline: false,
  downloadThroughput: (500_000 / 8) * 0.8,
  uploadThroughput: (500_000 / 8) * 0.8,
  latency: 400 * 5,
};
/** Lighthouse's factor between a desktop's processor and a phone's ("Throttling", cpuSlowdownMultiplier). */
const CPU_SLOWDOWN = 4;

/** Milliseconds since the page was requested. */
export type Times = {
  /** First contentful paint. */
  paintedMs: number;
  /** The form's number field and button are there, so that it can be sent. */
  submittableMs: number;
  /** The form's islands are hydrated; null until then. */
  islandsMs: number | null;
};
export type Arrival = Times & {
  /** Addresses of what had been loaded besides the document when the form could be sent. */
  loadedBySubmittable: string[];
};

/** Slows a page down from now on, and measures when each document that it opens is usable. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_3G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.addInitScript(note);
}

/** The measurements of the open page once it is painted; `withIslands` also waits for the islands of its form. */
export async function arrivalOf(page: Page, { withIslands = false } = {}): Promise<Arrival> {
  const noted = await page.waitForFunction((withIslands) => {
    const { arrival } = globalThis as unknown as { arrival: Arrival };
    const isThere = arrival.paintedMs && arrival.submittableMs && (arrival.islandsMs || !withIslands);
    return isThere ? arrival : null;
  }, withIslands);
  return (await noted.jsonValue())!;
}

/** Runs in the page before its own scripts. */
function note(): void {
  const arrival: Partial<Arrival> = { islandsMs: null };
  Object.assign(globalThis, { arrival });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) arrival.paintedMs = entry.startTime;
  }).observe({ type: "paint", buffered: true });
  new MutationObserver(() => {
    const form = document.querySelector("main form:has([name=msisdn])");
    if (form?.querySelector("button[type=submit]") && arrival.submittableMs === undefined) {
      arrival.submittableMs = performance.now();
      arrival.loadedBySubmittable = performance.getEntriesByType("resource").map((resource) => resource.name);
    }
    const islands = [...(form?.querySelectorAll("is-land[on=load]") ?? [])];
    if (islands.length > 0 && islands.every((island) => island.hasAttribute("ready")))
      arrival.islandsMs ??= performance.now();
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["ready"] });
}
