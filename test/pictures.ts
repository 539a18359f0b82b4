// The `bun run pictures` command: takes pictures of the demonstration shop's real pages. The preview of a link
// in messengers, with the page that sells (public/); for the README three pages on a phone, three of paying, and the
// admin's dashboard (docs/).
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startPaystack } from "../dev/simulators/paystack/paystack.ts";
import { SESSION_COOKIE } from "../src/web/cookies.ts";
import { launchBrowser } from "./browser/chromium.ts";
import { openDemoShop } from "./support/demo-shop.ts";

const ROOT = join(import.meta.dir, "..");
/** The preview's space for it, at a phone's usual density less a quarter, which nobody sees. */
const PHONE = { width: 360, height: 640, density: 1.5 };
/** As messengers show it (https://ogp.me names no size; Facebook and X recommend this one). */
const PREVIEW = { width: 1200, height: 630 };
/** Three of them beside each other are as wide as the README's text. */
const README_PHONE = { width: 360, height: 720, density: 1 };
const README_DESK = { width: 1280, height: 800, density: 1 };
/** On a slow connection a picture of this size takes half a second. */
const BYTES_MAX = 25_000;
const SALE = "/buy?msisdn=0245550012";

const paystack = await startPaystack({ approveSeconds: 1000 });
const { url: PAYSTACK_BASE_URL, secretKey: PAYSTACK_SECRET_KEY } = paystack;
const shop = await openDemoShop({ PAYSTACK_BASE_URL, PAYSTACK_SECRET_KEY });
const browser = await launchBrowser();
try {
  const ama = await shop.logIn("ama");
  const light = await sellingIn("light", ama);
  await keep("public/preview.jpg", await previewOf(browser, light));
  await keep("docs/phone.png", await beside(await threeOfSelling(ama)));
  await keep("docs/payments.png", await beside(await threeOfPaying(await shop.logIn("esi"))));
  await keep("docs/admin.png", await taken("/admin", await shop.logIn("yaw"), README_DESK));
} finally {
  await browser.close();
  await shop.close();
  await paystack.stop();
}

type Device = typeof PHONE;
type Theme = "light" | "dark";

/** A page of somebody who is logged in. */
async function open(token: string, device: Device, colorScheme: Theme = "light"): Promise<Page> {
  const { density, ...viewport } = device;
  const isPhone = viewport.width < 500;
  const context = await browser.newContext({
    ...{ baseURL: shop.url, colorScheme, viewport, deviceScaleFactor: density },
    ...{ isMobile: isPhone, hasTouch: isPhone },
  });
  await context.addCookies([{ name: SESSION_COOKIE, value: token, url: shop.url }]);
  return context.newPage();
}

/** The picture of a page as it opens. */
async function taken(path: string, token: string, device: Device, theme: Theme = "light") {
  const page = await open(token, device, theme);
  await page.goto(path);
  return pictureOf(page);
}

async function pictureOf(page: Page): Promise<Uint8Array> {
  await rest(page);
  const picture = await page.screenshot();
  await page.context().close();
  return picture;
}

/** At its top, without a caret, a ring around a field, and parts that are still being loaded. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  await page.waitForLoadState("networkidle");
}

/** The page that sells with a sale filled in, up to the bar that pays. */
async function fillSale(page: Page): Promise<void> {
  await page.goto(SALE);
  await page.locator("form.counter is-land[on=load][ready]").nth(1).waitFor({ state: "attached" });
  await page.getByRole("radio", { name: "1GB GH₵ 3.90" }).check({ force: true });
  await page.locator(".pay-bar", { hasText: "024 555 0012" }).waitFor();
}

/** The page that sells, as WebP in the best quality that is small enough. */
async function sellingIn(colorScheme: Theme, token: string): Promise<Uint8Array> {
  const page = await open(token, PHONE, colorScheme);
  await fillSale(page);
  await rest(page);
  const session = await page.context().newCDPSession(page);
  for (let quality = 90; quality >= 30; quality -= 10) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const bytes = Uint8Array.fromBase64(data);
    if (bytes.length > BYTES_MAX) continue;
    await page.context().close();
    return bytes;
  }
  throw new Error(`the picture of the selling page is larger than ${BYTES_MAX} bytes`);
}

async function threeOfSelling(token: string): Promise<Uint8Array[]> {
  const selling = await open(token, README_PHONE);
  await fillSale(selling);
  return [
    await pictureOf(selling),
    await taken("/orders", token, README_PHONE),
    await taken("/dashboard", token, README_PHONE, "dark"),
  ];
}

/** Topping up, waiting for the phone's approval, and the checkout of an order that is not paid. */
async function threeOfPaying(token: string): Promise<Uint8Array[]> {
  const page = await open(token, README_PHONE);
  await page.goto("/wallet/top-up");
  await page.getByRole("radio", { name: "50", exact: true }).check({ force: true });
  await page.getByLabel("Mobile money number").fill("0541234567");
  await rest(page);
  const topUp = await page.screenshot();
  await page.getByLabel("Mobile money number").press("Enter");
  await page.waitForURL("**/payments/*");
  const waiting = await pictureOf(page);
  const list = await open(token, README_PHONE);
  await list.goto("/orders?unpaid=1");
  const order = /\/orders\/(\d+)/.exec((await list.locator(".row-link").first().getAttribute("href"))!)![1];
  await list.goto(`/checkout?order=${order}`);
  return [topUp, waiting, await pictureOf(list)];
}

/** Pictures of a phone in a row. */
async function beside(phones: Uint8Array[]): Promise<Uint8Array> {
  const { width, height, density: deviceScaleFactor } = README_PHONE;
  const viewport = { width: phones.length * (width + 2) + (phones.length - 1) * 16, height: height + 2 };
  const page = await browser.newPage({ viewport, deviceScaleFactor });
  const images = phones.map((phone) => `<img src="data:image/png;base64,${phone.toBase64()}">`);
  await page.setContent(`<!doctype html><style>
    body { display: flex; gap: 16px; margin: 0; background: #fff }
    img { width: ${width}px; height: ${height}px; border: 1px solid #d0d5dd }
    </style>${images.join("")}`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

/** The preview of a link: the shop's name and promise beside the phone. It names no price, because it stays. */
async function previewOf(browser: Browser, phone: Uint8Array): Promise<Uint8Array> {
  const page = await browser.newPage({ viewport: PREVIEW });
  await page.setContent(previewMarkup(`data:image/webp;base64,${phone.toBase64()}`));
  const bytes = await page.screenshot({ type: "jpeg", quality: 85 });
  await page.close();
  return bytes;
}

function previewMarkup(phone: string): string {
  const networks = [
    ["#ffcc08", "#17202e", "M", "MTN"],
    ["#d8232a", "#fff", "AT", "AirtelTigo"],
    ["#2a9d4c", "#17202e", "T", "Telecel"],
  ].map(
    ([face, ink, letters, name]) => `<span><b style="background: ${face}; color: ${ink}">${letters}</b>${name}</span>`,
  );
  return `<!doctype html><style>
    body { margin: 0; height: 630px; overflow: hidden; position: relative; background: #0b5d4e; color: #fff;
           font-family: system-ui, sans-serif }
    .brand { position: absolute; left: 72px; top: 64px; display: flex; gap: 20px; align-items: center;
             font: 700 40px system-ui, sans-serif }
    h1 { position: absolute; left: 72px; top: 178px; width: 700px; margin: 0; font-size: 74px; line-height: 1.06;
         letter-spacing: -2px }
    .networks { position: absolute; left: 72px; top: 462px; display: flex; gap: 32px; font: 600 28px system-ui }
    .networks span { display: flex; gap: 12px; align-items: center }
    .networks b { display: grid; place-content: center; width: 48px; height: 48px; border-radius: 24px;
                  font-size: 20px }
    img { position: absolute; right: 72px; top: 56px; width: 320px; border: 12px solid #17202e; border-radius: 44px }
    .kente { position: absolute; left: 0; bottom: 0; width: 100%; height: 20px; background:
             repeating-linear-gradient(90deg, #ffcc08 0 48px, #17202e 48px 58px, #d8232a 58px 82px, #17202e 82px 92px,
                                       #2a9d4c 92px 140px, #17202e 140px 150px) }
    </style>
    <div class="brand"><svg width="72" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2b7466"/>
      <path d="M8 22V10h6.5a6 6 0 0 1 0 12H8Z" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round"/>
      <circle cx="24.5" cy="9" r="2.5" fill="#ffcc08"/></svg>DataFie</div>
    <h1>Sell data for every network from one wallet</h1>
    <div class="networks">${networks.join("")}</div>
    <img src="${phone}"><div class="kente"></div>`;
}

async function keep(path: string, bytes: Uint8Array): Promise<void> {
  await Bun.write(join(ROOT, path), bytes);
  process.stdout.write(`${path}: ${bytes.length.toLocaleString("en")} bytes\n`);
}
