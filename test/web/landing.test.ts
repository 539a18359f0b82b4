// The landing page: claims about the shop are measured or come from its owner, claims about the product hold for every
// shop, prices are those of the product list, and the page is light.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import { BUNDLES_ON_SALE } from "../../dev/seed/bundles.ts";
import { DEMO_PITCH } from "../../dev/seed/demo-landing.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { ORDERS_MIN, roundedDown } from "../../src/core/reports/public-figures.ts";
import { parseCedis } from "../../src/shared/money.ts";
import { dispatchNow } from "../support/pages.ts";
import { pauseNetwork, pauseProduct } from "../support/pausing.ts";
import { weigh } from "../support/weight.ts";
import { openApp, openWorld, testApp } from "../support/world.ts";
import { type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const by = world.yaw.by("admin");
const front = () => visitor(client.app).open("/");
const weight = () => weigh((path) => client.browse(null, path, undefined, { "accept-encoding": "br" }), "/");

/** The page of a process that has measured nothing yet: what it measures is kept for a while. */
async function freshFront(): Promise<Seen> {
  const db = connect(world.url, { max: 2 });
  afterAll(() => disconnect(db));
  return visitor(testApp(db)).open("/");
}

async function sellEverything(): Promise<void> {
  for (const { operator, family, name, sizes } of BUNDLES_ON_SALE)
    for (const [size, price] of Object.entries(sizes)) {
      const bundle = { operator, family, name, size, pricePesewas: parseCedis(price)! };
      await products.add(world.db, { by, ...bundle, confirmPrice: true });
    }
}

/** The board's rows: the size, then what stands under each network. */
const boardOf = ({ document }: Seen) =>
  [...document.querySelectorAll(".board tr")]
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim()))
    .slice(1);

describe("the landing page of a new shop", () => {
  const capabilities = [
    "No setup fees",
    "Free plan",
    "Fast order processing",
    "Secure payments",
    "Paste 100+ orders",
    "Analytics",
  ];
  for (const claim of capabilities) {
    test(`says "${claim}"`, async () => expect((await front()).text).toContain(claim));
  }

  test("claims nothing that was not entered or counted: no figures, no testimonials, only real hours", async () => {
    const seen = await front();
    expect(seen.document.querySelectorAll(".figures, .voice, .board, .all-prices")).toHaveLength(0);
    expect(seen.html).not.toMatch(/24\/7|2,500|150K|99\.9|Under 5|within 5 seconds|under 5 seconds/i);
    // No hours without a way to reach anybody.
    expect(seen.text).not.toContain("Mon-Fri");
    await settings.change(world.db, { by, values: { support_phone: "030 000 0000" } });
    expect((await front()).text).toContain("Support Mon-Fri 9AM-5PM");
    await settings.change(world.db, { by, values: { support_phone: "" } });
  });

  test("sells by USSD only where the shop has a code", async () => {
    expect((await front()).text).not.toContain("USSD");
    await settings.change(world.db, { by, values: { ussd_code: "*713*9#" } });
    expect((await front()).text).toContain("USSD and SMS");
    await settings.change(world.db, { by, values: { ussd_code: "" } });
  });

  test("links to login, sign-up and delivery times, and each opens", async () => {
    const seen = await front();
    for (const [text, path] of [
      ["Get Started", "/signup"],
      ["Login", "/login"],
      ["Deliveries right now", "/status"],
    ] as const) {
      const link = [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === text)!;
      expect(link.getAttribute("href")).toBe(path);
      expect((await visitor(client.app).open(path)).status).toBe(200);
    }
  });

  test("has one pair of buttons", async () => {
    const { document } = await front();
    const buttons = [...document.querySelectorAll("a.button, button")].map(({ textContent }) => textContent);
    expect(buttons).toEqual(["Get Started", "Login"]);
  });

  test("loads only its icons and its manifest: its picture is drawn with the page", async () => {
    const { html, document } = await front();
    expect(html).not.toMatch(/<(script|iframe|is-land)|url\(/);
    const links = [...document.querySelectorAll("link:not([rel=canonical])")];
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/favicon.svg",
      "/icon-180.png",
      "/manifest.webmanifest",
    ]);
    expect([...document.querySelectorAll("img, picture, video")]).toEqual([]);
    expect(document.querySelector(".steps .phone")).not.toBeNull();
  });

  test("leads somebody who is logged in to the dashboard", async () => {
    const seen = await (await visitorAs(client, await world.person("ama"))).open("/");
    expect(seen.text).toContain("Welcome, ama");
  });
});

describe("content that the owner enters under Settings", () => {
  test("is on the landing page until it is removed", async () => {
    const visit = await visitorAs(client, world.yaw);
    const saved = await visit.press(await visit.open("/admin/settings"), "Save settings", {
      landing_voices: "It works on my old phone. | Akua, Tamale",
      support_hours: "Every day 7AM-9PM",
      support_email: "help@example.com",
    });
    expect(saved.text).toContain("Settings saved.");
    const seen = await front();
    expect(seen.document.querySelector(".voice")?.textContent).toBe("It works on my old phone.Akua, Tamale");
    expect(seen.text).toContain("Support Every day 7AM-9PM");
    const contact = await (await visitorAs(client, await world.person("abena"))).open("/support");
    expect(contact.text).toContain("Every day 7AM-9PM");
    await settings.change(world.db, {
      by,
      values: { landing_voices: "", support_email: "" },
    });
    expect((await front()).document.querySelectorAll(".figures, .voice")).toHaveLength(0);
  });

  test("needs a name for each testimonial, and is otherwise refused beside the field", async () => {
    const visit = await visitorAs(client, world.yaw);
    const page = await visit.open("/admin/settings");
    const seen = await visit.press(page, "Save settings", { landing_voices: "Very good" });
    expect(seen.status).toBe(422);
    expect(seen.document.getElementById("set-landing_voices-error")?.textContent).toContain("text | author");
  });
});

describe("today's prices", () => {
  beforeAll(() => settings.change(world.db, { by, values: { visitor_prices: true } }));

  test("are shown to visitors only where the owner says so", async () => {
    const bundle = await world.product("MTN", "1GB", "3.90");
    const seen = await front();
    expect([seen.text.includes("3.90"), seen.document.querySelector("summary")!.textContent]).toEqual([
      true,
      "Today's price",
    ]);
    await settings.change(world.db, { by, values: { visitor_prices: false } });
    const hidden = await front();
    expect(hidden.html).not.toContain("3.90");
    expect(hidden.text).toContain("prices that you see once you are logged in");
    await settings.change(world.db, { by, values: { visitor_prices: true } });
    await products.retire(world.db, { by, productId: bundle.id });
  });

  test("are those of the product list, also right after a change, and every one is under the fold", async () => {
    await sellEverything();
    const listed = await products.list(world.db);
    const seen = await front();
    expect(boardOf(seen)).toEqual([
      ["1GB", "3.90", "3.90", "3.90"],
      ["2GB", "8.40", "7.80", "9.50"],
      ["5GB", "20.90", "19.40", "19.90"],
      ["10GB", "41.00", "39.00", "38.00"],
      ["20GB", "80.00", "78.50", "74.00"],
    ]);
    const all = [...seen.document.querySelectorAll(".all-prices li .money")];
    expect(all.map((price) => price.textContent).sort()).toEqual(
      listed.map(({ pricePesewas }) => `GH₵ ${(pricePesewas / 100).toFixed(2)}`).sort(),
    );
    const small = listed.find(({ operator, size }) => operator === "MTN" && size === "1GB")!;
    await products.edit(world.db, { by, productId: small.id, pricePesewas: 410 });
    expect(boardOf(await front())[0]).toEqual(["1GB", "4.10", "3.90", "3.90"]);
  });

  test("weigh little: with all of them a visitor loads at most 12 kB at once, and no JavaScript", async () => {
    await settings.change(world.db, { by, values: DEMO_PITCH });
    const { all, js } = await weight();
    expect(js).toBe(0);
    expect(all).toBeLessThanOrEqual(12_000);
    await settings.change(world.db, { by, values: { landing_voices: "" } });
  });

  test("of what is paused are not shown: it cannot be bought", async () => {
    const [large] = (await products.list(world.db, "MTN")).filter(({ size }) => size === "20GB");
    await pauseProduct(world.db, { by, productId: large!.id, message: "Sold out" });
    await pauseNetwork(world.db, { by, operator: "TELECEL", message: "The network is down" });
    const board = boardOf(await front());
    expect(board.map(([, , , telecel]) => telecel)).toEqual(Array(5).fill("paused"));
    expect(board.at(-1)!.slice(0, 2)).toEqual(["20GB", "paused"]);
    await pauseNetwork(world.db, { by, operator: "TELECEL", message: null });
    await pauseProduct(world.db, { by, productId: large!.id, message: null });
    expect((await front()).text).not.toContain("paused");
  });

  test("of unusual sizes are shown where the usual ones are missing", async () => {
    for (const { id, size } of await products.list(world.db))
      if (size !== "10GB" && size !== "60GB") await products.retire(world.db, { by, productId: id });
    expect(boardOf(await front())).toEqual([
      ["10GB", "41.00", "39.00", "38.00"],
      ["60GB", "–", "137.20", "210.00"],
    ]);
  });
});

describe("what the shop measures", () => {
  test("a count is rounded down to two digits, and a small one is kept back", () => {
    expect([0, ORDERS_MIN - 1].map(roundedDown)).toEqual([null, null]);
    expect([1000, 1999, 43_219, 999_999].map(roundedDown)).toEqual([1000, 1900, 43_000, 990_000]);
  });

  test("is the only figure: recent orders with their days, once there are many", async () => {
    const figures = (seen: Seen) =>
      [...seen.document.querySelectorAll(".figures li")].map(({ textContent }) => textContent);
    const addOrders = (count: number, daysAgo: number) =>
      world.db.execute(sql`
      insert into shop_days (day, operator, orders, amount_pesewas, volume_mb)
      values (current_date - ${daysAgo}::int, 'MTN', ${count}, 1, 1)`);
    await addOrders(999, 29);
    await addOrders(50_000, 31);
    expect(figures(await freshFront())).toEqual([]);
    await addOrders(3322, 1);
    expect(figures(await freshFront())).toEqual(["4,300+ orders in the last 30 days"]);
    await world.db.execute(sql`delete from shop_days`);
  });

  test("delivery times are shown from five deliveries on, and no promise before", async () => {
    const ama = await world.person("abla", "GH₵ 1000.00");
    const [bundle] = await products.list(world.db, "MTN");
    const deliver = async (count: number) => {
      const ids: number[] = [];
      for (let n = 0; n < count; n++) {
        const line = { productId: bundle!.id, msisdn: `054120${1000 + n + count * 10}`, quantity: 1 };
        ids.push((await orders.buy(world.db, { by: ama.by("web"), key: null, line })).answer.order.id);
      }
      await dispatchNow(world, ids, "hubnet");
      await world.db.execute(sql`
        update attempts set state = 'delivered', sent_at = now(), ended_at = o.paid_at + make_interval(secs => 40)
        from orders o where o.id = order_id and state = 'queued'`);
    };
    await deliver(4);
    const before = await freshFront();
    expect(boardOf(before).at(-1)![0]).toBe("60GB");
    expect(before.text).not.toMatch(/per order|seconds per|uptime/);
    await deliver(1);
    const after = await freshFront();
    expect(boardOf(after).at(-1)).toEqual(["Takes", "40 seconds", "–", "–"]);
  });
});

/** In shops whose settings have a number for WhatsApp. */
const withWhatsApp = test.if("support_whatsapp" in settings.DEFAULTS);

withWhatsApp("a chat on WhatsApp is offered where the owner has entered a number", async () => {
  const chats = async () => {
    const { document } = await front();
    return [...document.querySelectorAll(".closing .button")].map((link) => link.getAttribute("href"));
  };
  expect(await chats()).toEqual([]);
  await world.db.execute(sql`
    insert into settings (key, value) values ('support_whatsapp', '"024 123 4567"')
    on conflict (key) do update set value = excluded.value`);
  expect(await chats()).toEqual(["https://wa.me/233241234567"]);
  await world.db.execute(sql`delete from settings where key = 'support_whatsapp'`);
});

test("the refunds that the page promises are those that the shop is set to", async () => {
  const refunds = async () => (await front()).document.querySelector(".refunds")!.textContent;
  const values = {
    refund_promise_minutes: 90,
    dispatch_hold_seconds: 15,
    not_received_days: 2,
    case_hours: 12,
  };
  await settings.change(world.db, { by, values });
  const set = await refunds();
  expect(set).toContain("Not delivered within 2 hours? We refund you.");
  expect(set).toContain("Cancel within 15 seconds");
  // The times in which somebody has to act are never rounded up.
  await settings.change(world.db, { by, values: { dispatch_hold_seconds: 179 } });
  expect(await refunds()).toContain("Cancel within 2 minutes");
  expect(set).toContain("Report it within 2 days. We decide within 12 hours, or it is refunded automatically");
  const none = { refund_promise_minutes: 0, dispatch_hold_seconds: 0, not_received_days: 0 };
  await settings.change(world.db, { by, values: none });
  const left = await refunds();
  expect(left).not.toMatch(/Not delivered|Cancel|Report/);
  expect(left).toContain("back in your wallet in the same moment");
});

test("the demonstration shop claims nothing unmeasured, and calls its three testimonials samples", async () => {
  await settings.change(world.db, { by, values: DEMO_PITCH });
  const seen = await front();
  expect(seen.text).not.toMatch(/2,500|150K|99\.9|Under 5 s/);
  const voices = [...seen.document.querySelectorAll(".voice figcaption")];
  expect(voices.length).toBe(3);
  for (const voice of voices) expect(voice.textContent).toContain("sample of the demonstration");
});

describe("a link in a messenger", () => {
  const metaOf = ({ document }: Seen, name: string) =>
    document.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute("content");

  test.each(["/", "/login", "/signup", "/status"])("to %s has a preview, and one address", async (path) => {
    const seen = await visitor(client.app).open(path);
    expect(metaOf(seen, "og:title")).toBeTruthy();
    expect(metaOf(seen, "og:description")).toMatch(/data bundles/i);
    expect(metaOf(seen, "og:url")).toBe(`http://localhost${path}`);
    expect(metaOf(seen, "twitter:card")).toBe("summary_large_image");
    const canonical = seen.document.querySelector("link[rel=canonical]")!.getAttribute("href");
    expect(canonical).toBe(`http://localhost${path}`);
    const picture = await client.browse(null, new URL(metaOf(seen, "og:image")!).pathname);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect((await picture.bytes()).length).toBeLessThan(100_000);
  });

  test("of somebody else's login has a preview, and leads search engines nowhere", async () => {
    const seen = await visitor(client.app).open("/login?next=%2Forders");
    expect(metaOf(seen, "og:url")).toBe("http://localhost/login");
    expect(metaOf(seen, "robots")).toBe("noindex");
    expect(seen.document.querySelector("link[rel=canonical]")).toBeNull();
  });

  test("to a personal page says nothing about it", async () => {
    const visit = await visitorAs(client, await world.person("adwoa"));
    expect((await visit.open("/orders")).html).not.toContain('property="og:');
  });
});

describe("search engines", () => {
  test("find robots.txt and the app's manifest", async () => {
    const robots = await client.browse(null, "/robots.txt");
    expect([robots.status, robots.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain")]);
    const manifest = await client.browse(null, "/manifest.webmanifest");
    const { icons } = (await manifest.json()) as { icons: { src: string }[] };
    for (const { src } of icons) expect((await client.browse(null, src)).status).toBe(200);
  });

  test.each(["/", "/login", "/signup", "/status"])("may index %s", async (path) => {
    expect((await visitor(client.app).open(path)).html).not.toContain("noindex");
  });

  test("find no personal page: each leads them to a login that they may not index", async () => {
    for (const path of ["/orders", "/orders/1", "/wallet"]) {
      const seen = await visitor(client.app).open(path);
      const robots = seen.document.querySelector("meta[name=robots]")?.getAttribute("content");
      expect([path, seen.path.split("=")[0], robots]).toEqual([path, "/login?next", "noindex"]);
    }
  });
});
