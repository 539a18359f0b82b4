// The `bun run pictures:desk` command: takes pictures of every page of the staff in a shop in use, at 360 and 1280 px,
// in light and dark, and puts them beside each other on sheets, for whoever looks at them. They are written to
// .data/pictures; --pages takes a part of a path, or several with commas, --only a device and a theme: "phone light".
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { connect, disconnect } from "../db/connect.ts";
import { startPaystack } from "../dev/simulators/paystack/paystack.ts";
import { SESSION_COOKIE } from "../src/web/cookies.ts";
import { launchBrowser } from "./browser/chromium.ts";
import { freshDatabase } from "./support/database.ts";
import { fillShop, PAGES } from "./support/pages.ts";
import { startShop } from "./support/shop.ts";
import { openApp, populate } from "./support/world.ts";

const { values } = parseArgs({
  options: { pages: { type: "string", default: "" }, only: { type: "string", default: "" } },
});
const OUT = join(import.meta.dir, "../.data/pictures");
const WIDTHS = { phone: 360, desk: 1280 } as const;
/** A picture shows what one sees without scrolling far. */
const HEIGHT_MAX = 2_000;
/** Of one sheet: how many beside each other, and how wide each. */
const SHEETS = {
  phone: { across: 8, pages: 16, width: 240 },
  desk: { across: 4, pages: 12, width: 480 },
} as const;

type Device = keyof typeof WIDTHS;
type Theme = "light" | "dark";
type Picture = { name: string; file: string };

mkdirSync(OUT, { recursive: true });
const paystack = await startPaystack();
const database = await freshDatabase();
const db = connect(database.url);
const world = await populate(db, database.url);
const used = await fillShop(world, paystack);
const shop = await startShop(database.url, {
  PAYSTACK_BASE_URL: paystack.url,
  PAYSTACK_SECRET_KEY: paystack.secretKey,
});
const browser = await launchBrowser();
try {
  const token = await openApp(world).tokenOf(world.yaw);
  const addresses = PAGES.filter(
    ({ as, path }) => as === "admin" && values.pages.split(",").some((part) => path.includes(part)),
  )
    .map((page) => page.addresses(used)[0])
    .filter((address) => address !== undefined);
  for (const device of Object.keys(WIDTHS) as Device[])
    for (const theme of ["light", "dark"] as const) {
      if (!`${device} ${theme}`.startsWith(values.only)) continue;
      const pictures = await taken(browser, token, [...new Set(addresses)], device, theme);
      await sheetsOf(browser, pictures, device, theme);
      process.stdout.write(`${device}, ${theme}: ${pictures.length} pages\n`);
    }
} finally {
  await browser.close();
  await shop.stop();
  await disconnect(db);
  await paystack.stop();
  await database.drop();
}

async function taken(
  { newContext }: Pick<Browser, "newContext">,
  token: string,
  addresses: string[],
  device: Device,
  theme: Theme,
): Promise<Picture[]> {
  const viewport = { width: WIDTHS[device], height: 900 };
  const isPhone = device === "phone";
  const context = await newContext.call(browser, {
    ...{ baseURL: shop.url, colorScheme: theme, viewport, serviceWorkers: "block" },
    ...{ isMobile: isPhone, hasTouch: isPhone },
  });
  await context.addCookies([{ name: SESSION_COOKIE, value: token, url: shop.url }]);
  const page = await context.newPage();
  const pictures: Picture[] = [];
  for (const address of addresses) {
    await page.goto(address, { waitUntil: "load" });
    const height = Math.min(HEIGHT_MAX, await page.evaluate(() => document.documentElement.scrollHeight));
    const name = address.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
    const file = join(OUT, `${device}-${theme}-${name}.png`);
    await page.screenshot({
      path: file,
      clip: { x: 0, y: 0, width: WIDTHS[device], height },
      fullPage: true,
    });
    pictures.push({ name: address, file });
  }
  await context.close();
  return pictures;
}

/** Many pictures on one, each below its address. */
async function sheetsOf(all: Browser, pictures: Picture[], device: Device, theme: Theme): Promise<void> {
  const { across, pages, width } = SHEETS[device];
  const page = await all.newPage({ viewport: { width: across * (width + 8), height: 800 } });
  for (let n = 0; n < pictures.length; n += pages) {
    const cells = await Promise.all(
      pictures.slice(n, n + pages).map(async ({ name, file }) => {
        const data = (await Bun.file(file).bytes()).toBase64();
        return `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${data}"></figure>`;
      }),
    );
    await page.setContent(`<style>body{margin:0;background:#888;display:grid;gap:8px;align-items:start;
      grid-template-columns:repeat(${across},${width}px)}figure{margin:0}img{width:100%;max-height:${width * 2}px;
      object-fit:cover;object-position:top}figcaption{font:12px sans-serif;background:#fff}</style>${cells.join("")}`);
    await page.screenshot({
      path: join(OUT, `sheet-${device}-${theme}-${n / pages + 1}.png`),
      fullPage: true,
    });
  }
  await page.close();
}
