// The browser of the tests and of the benchmarks.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM_PATH || "/usr/bin/chromium";

/** Whether there is one; otherwise prints where it was expected. */
export function hasBrowser(): boolean {
  if (existsSync(executablePath)) return true;
  console.error(`There is no browser at ${executablePath} (set CHROMIUM_PATH): what needs one is left out.`);
  return false;
}

/**
 * Each window would start a process for menus that nobody sees, which doubles the cost of a visit. Only the last of
 * several such switches counts: this one repeats what Playwright switches off.
 */
const FEATURES_OFF = [
  "PreloadTopChromeWebUI",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "SpareRendererForSitePerProcess",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

export const launchBrowser = (further: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", `--disable-features=${FEATURES_OFF.join(",")}`, ...further],
  });

export const PHONE = { width: 360, height: 740 };
export const DESK = { width: 1280, height: 800 };
