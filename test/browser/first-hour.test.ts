// An owner's first hour, through the browser alone: from an empty database and the three settings that production needs
// to bundles that were sold and delivered, by hand and by a supplier. Counted in presses, fields and pages, as minutes.
import { expect, setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Browser, Locator, Page } from "playwright-core";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import { startVendors } from "../../dev/simulators/vendors/vendors.ts";
import { openBooks } from "../support/books.ts";
import { longTest } from "../support/long.ts";
import { freePort, startAlone } from "../support/shop.ts";
import { DESK, describeInBrowser, listenTo, PATIENCE_MS, PHONE } from "./browser.ts";
import { launchBrowser } from "./chromium.ts";
import { counting, type Effort } from "./effort.ts";
import { button, card, field, fold, type Hand, link, mouse, reads } from "./journeys.ts";

setDefaultTimeout(1_200_000);

/** Seconds that people take: slow ones, who see each page for the first time. */
const SECONDS = { press: 3, field: 8, line: 6, page: 15 };
const MINUTES_MAX = 30;
/** What nobody can hasten: two holds of 45 s, a minute to undo the desk's result, and a supplier's minute. */
const WAITING_SECONDS = 45 + 60 + 45 + 60;

const PRICE_LIST = listOf({
  MTN: [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100],
  "AT iShare": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50],
  "AT BigTime": [15, 20, 25, 30, 40, 50, 60, 100],
  Telecel: [5, 10, 15, 20, 25, 30, 35, 40, 50, 75, 100],
});

/** "MTN 1GB 3.90 4.20", a line for each bundle: network, size, cost, price. */
function listOf(kinds: Record<string, number[]>): string[] {
  return Object.entries(kinds).flatMap(([kind, sizes]) =>
    sizes.map((size) => `${kind} ${size}GB ${(size * 3.9).toFixed(2)} ${(size * 4.2).toFixed(2)}`),
  );
}

const OWNER = { username: "efua", email: "efua@shop.example", password: "plantain and kenkey" };
const AGENT = { username: "kojo", email: "kojo@shop.example", password: "waakye every morning" };
/** To which the simulated supplier delivers. */
const CUSTOMER = "0541230001";

type Scene = {
  hand: Hand;
  owner: Page;
  agent: Page;
  /** The code in the output of the shop's start. */
  code: string;
  supplier: { apiKey: string; baseUrl: string };
  /** Waits for what comes by itself, while the time passes that the shop and the supplier take for it. */
  comes: (awaited: Locator) => Promise<void>;
};

type Step = {
  name: string;
  atMost: Effort;
  /** How often it goes by the menu, which takes a further press on a phone. */
  menus?: number;
  /** Lines of a list that is typed. */
  lines?: number;
  walk: (scene: Scene) => Promise<void>;
};

/** Goes to a page of the menu, which is behind a button on a phone. */
async function goTo(page: Page, hand: Hand, label: string): Promise<void> {
  if (page.viewportSize()!.width < DESK.width) await hand.press(page.getByRole("button", { name: /^Menu/ }));
  const menu = page.getByRole("navigation", { name: "Main" });
  await hand.press(menu.getByRole("link", { name: new RegExp(`^${label}\\b`) }));
}

/** Shows who it is once more: ten minutes after the last time, the shop asks before acts of money. */
async function prove(page: Page, hand: Hand): Promise<void> {
  await hand.fill(field(page, "Your password"), OWNER.password);
  await hand.press(button(page, "Confirm and continue"));
}

/** The agent's sale from the page that is open, paid from the wallet. */
async function sell(page: Page, hand: Hand, bundle: string): Promise<void> {
  await hand.fill(field(page, "Recipient number"), CUSTOMER);
  await hand.press(card(page, bundle));
  await hand.press(button(page, "Pay with Wallet"));
  await page.getByRole("heading", { name: "to 054 123 0001" }).waitFor();
  await reads(page, "On its way");
}

const STEPS: Step[] = [
  {
    name: "the first account, with the code of the start",
    atMost: { presses: 1, typed: 5 },
    walk: async ({ owner, hand, code }) => {
      await owner.goto("/");
      await reads(owner, "The code is in the output of the shop's start");
      await hand.fill(field(owner, "Code"), code);
      await hand.fill(field(owner, "Username"), OWNER.username);
      await hand.fill(field(owner, "Email"), OWNER.email);
      await hand.fill(field(owner, "Password"), OWNER.password);
      await hand.fill(field(owner, "Confirm password"), OWNER.password);
      await hand.press(button(owner, "Open my shop"));
      await reads(owner, "Here is what it needs before it can sell.");
    },
  },
  {
    name: `${PRICE_LIST.length} bundles with costs on sale`,
    atMost: { presses: 3, typed: 1 },
    lines: PRICE_LIST.length,
    walk: async ({ owner, hand }) => {
      await hand.press(link(owner, "Add bundles"));
      await reads(owner, "One bundle on each line");
      await hand.fill(field(owner, "Bundles"), PRICE_LIST.join("\n"));
      await hand.press(button(owner, "Check list"));
      await reads(owner, "+0.30 · 7.7%");
      await hand.press(button(owner, "Put these 52 on sale"));
      await reads(owner, "52 bundles are on sale, from GH₵ 4.20 to GH₵ 420.00.");
      await reads(owner, "What your shop needs");
    },
  },
  {
    name: "I send by hand",
    atMost: { presses: 1, typed: 0 },
    walk: async ({ owner, hand }) => {
      await hand.press(button(owner, "I send by hand"));
      await reads(owner, "Orders are sent by hand: take them from the desk.");
      await reads(owner, "Add an agent, put the cash they pay you in their wallet, and let them buy one bundle.");
    },
  },
  {
    name: "an agent, with the cash they paid",
    atMost: { presses: 5, typed: 6 },
    walk: async ({ owner, hand }) => {
      await hand.press(link(owner, "Add an agent"));
      await hand.fill(field(owner, "Username"), AGENT.username);
      await hand.fill(field(owner, "Email"), AGENT.email);
      await hand.fill(field(owner, "Password"), AGENT.password);
      await hand.press(button(owner, "Create agent"));
      await reads(owner, "Put the cash they pay you in the wallet below.");
      await hand.press(fold(owner, "Add or take money"));
      await hand.fill(field(owner, "Correct by GH₵"), "50");
      await hand.fill(field(owner, "Reason"), "Cash paid at the shop");
      await hand.press(button(owner, "Correct the wallet"));
      await prove(owner, hand);
      await reads(owner, "the wallet now holds GH₵ 50.00.");
    },
  },
  {
    name: "the agent logs in and buys the first bundle",
    atMost: { presses: 3, typed: 3 },
    walk: async ({ agent, hand }) => {
      await agent.goto("/login");
      await hand.fill(field(agent, "Email"), AGENT.email);
      await hand.fill(field(agent, "Password"), AGENT.password);
      await hand.press(button(agent, "Login"));
      await reads(agent, "Welcome, kojo");
      await sell(agent, hand, "MTN 1GB GH₵ 4.20");
    },
  },
  {
    name: "the owner sends it by hand, and reports it",
    atMost: { presses: 5, typed: 0 },
    menus: 1,
    walk: async ({ owner, agent, hand, comes }) => {
      await comes(agent.getByText("Waiting to be sent"));
      await goTo(owner, hand, "Today");
      await hand.press(link(owner, "at the desk"));
      await hand.press(button(owner, "Take a batch"));
      await reads(owner, "Batch 1: 1 order is yours to send. Nobody else gets them.");
      await hand.press(fold(owner, "All delivered"));
      await hand.press(button(owner, "Yes, all 1 order for GH₵ 4.20 have arrived"));
      await reads(owner, "until then nothing is moved, refunded or sent.");
      await comes(agent.getByText("Arrived at").first());
    },
  },
  {
    name: "the key of a supplier, and its routes",
    atMost: { presses: 6, typed: 3 },
    menus: 1,
    walk: async ({ owner, hand, supplier }) => {
      await goTo(owner, hand, "Suppliers");
      await hand.press(link(owner, "Enter the keys of one"));
      await hand.press(link(owner, "Set up DataMart GH"));
      await hand.fill(field(owner, "API key"), supplier.apiKey);
      // Its place on this machine; whoever has a contract with it leaves that empty.
      await hand.fill(field(owner, "Address"), supplier.baseUrl);
      await hand.press(button(owner, "Save"));
      await prove(owner, hand);
      await reads(owner, "DataMart GH is saved. It sends nothing yet: choose what it sends.");
      await hand.press(button(owner, "Send them by DataMart GH first"));
      await reads(owner, "DataMart GH sends MTN, AT iShare, Telecel first now.");
    },
  },
  {
    name: "the agent sells the first bundle through it",
    atMost: { presses: 3, typed: 1 },
    walk: async ({ agent, hand, comes }) => {
      await hand.press(link(agent, "Next sale"));
      await sell(agent, hand, "2GB GH₵ 8.40");
      await comes(agent.getByText("Arrived at").first());
    },
  },
];

/** What a step took, with the pages that were opened. */
type Taken = Effort & { pages: number };

const secondsOf = ({ presses, typed, pages }: Taken, { lines = 0 }: Step) =>
  presses * SECONDS.press + typed * SECONDS.field + lines * SECONDS.line + pages * SECONDS.page;

function minutesOf(taken: Taken[]): number {
  const seconds = taken.map((one, n) => secondsOf(one, STEPS[n]!));
  return (seconds.reduce((sum, one) => sum + one, 0) + WAITING_SECONDS) / 60;
}

/** A line for each step: what it took, and what it may take. */
function tableOf(width: number, taken: Taken[]): string {
  const rows = STEPS.map((step, n) => {
    const { presses, typed, pages } = taken[n]!;
    const max = effortMax(step, width);
    const cells = [`${presses} of ${max.presses}`, `${typed} of ${max.typed}`, pages, secondsOf(taken[n]!, step)];
    return `| ${step.name.padEnd(44)} | ${cells.join(" | ")} |`;
  });
  const head = `| the first hour at ${width} px | presses | fields | pages | seconds |`;
  return ["", head, ...rows, `${minutesOf(taken).toFixed(1)} minutes, of ${MINUTES_MAX}`, ""].join("\n");
}

function effortMax({ atMost, menus = 0 }: Step, width: number): Effort {
  return { ...atMost, presses: atMost.presses + (width < DESK.width ? menus : 0) };
}

/** A shop that has just been started for the first time, and the supplier that it will use. */
async function openEmptyShop() {
  const dir = mkdtempSync(join(tmpdir(), "first-hour-"));
  // Production takes no database that could lose what it has acknowledged, as those of tests do.
  const [database, supplier] = await Promise.all([startEmbedded({ dir: join(dir, "postgres") }), startVendors()]);
  supplier.switch({ floats: { datamart: 1e9 } });
  const port = freePort();
  const shop = await startAlone({
    // What production needs.
    ...{ DATABASE_URL: database.url, JWT_SECRET: crypto.randomUUID(), BASE_URL: "https://shop.example" },
    // Where it stands: behind no proxy, but in front of this browser, which takes localhost for as safe as https.
    ...{ NODE_ENV: "production", HOST: "127.0.0.1", PORT: port, HOSTS: "localhost" },
  });
  const db = connect(database.url, { max: 2 });
  const books = openBooks(database.url);
  return {
    ...{ db, shop, supplier, books: books.findings, url: `http://localhost:${port}` },
    close: async () => {
      await Promise.all([disconnect(db), books.close()]);
      await Promise.all([shop.stop(), supplier.stop()]);
      await database.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
type EmptyShop = Awaited<ReturnType<typeof openEmptyShop>>;

async function codeIn({ shop }: EmptyShop): Promise<string> {
  for (;;) {
    const code = /Owner .*\n\s+(\w{4}-\w{4}-\w{4})/.exec(shop.output())?.[1];
    if (code) return code;
    await Bun.sleep(50);
  }
}

const ROUND_MS = 250;
/** Some minutes, even of a computer that does much else. */
const ROUNDS_MAX = 600;

/** Lets what the shop and the supplier take their time for be due, until this is seen. */
async function passTime({ db, supplier }: EmptyShop, awaited: Locator): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX && !(await awaited.isVisible()); rounds++) {
    await supplier.advance(60);
    await db.execute(sql`
      update jobs set run_at = now() where kind in ('dispatch_order', 'apply_desk_result') and run_at > now()`);
    await db.execute(sql`update attempts set due_at = now() where vendor = 'datamart' and due_at > now()`);
    await Bun.sleep(ROUND_MS);
  }
  await awaited.waitFor();
}

/** The ten minutes for which a proof counts have passed since the step before. */
const forgetProofs = (db: Db) => db.execute(sql`update sessions set confirmed_at = now() - interval '11 minutes'`);

/** Walks all steps with two people, each in a browser of their own; returns what each step took. */
async function walkAll(browser: Browser, empty: EmptyShop, viewport: typeof DESK): Promise<Taken[]> {
  const complaints: string[] = [];
  let pages = 0;
  const openPage = async () => {
    const context = await browser.newContext({ baseURL: empty.url, viewport, serviceWorkers: "block" });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    listenTo(page, { shopUrl: empty.url, refusedAt: undefined, complaints, breaks: false });
    page.on("domcontentloaded", () => (pages += 1));
    return page;
  };
  const [owner, agent] = [await openPage(), await openPage()];
  const { baseUrl, apiKey } = empty.supplier.settings.datamart;
  const code = await codeIn(empty);
  const taken: Taken[] = [];
  for (const { walk } of STEPS) {
    const hand = counting(mouse);
    const before = pages;
    await forgetProofs(empty.db);
    await walk({
      ...{ hand, owner, agent, code, supplier: { baseUrl, apiKey } },
      comes: (awaited) => passTime(empty, awaited),
    });
    taken.push({ ...hand.effort(), pages: pages - before });
  }
  await Promise.all([owner, agent].map((page) => page.context().close()));
  expect(complaints).toEqual([]);
  return taken;
}

describeInBrowser("an owner's first hour", () => {
  longTest.each([DESK, PHONE])("ends within half of it at $width px", async (viewport) => {
    const [browser, empty] = await Promise.all([launchBrowser(), openEmptyShop()]);
    try {
      const taken = await walkAll(browser, empty, viewport);
      process.stdout.write(tableOf(viewport.width, taken));
      for (const [n, step] of STEPS.entries()) {
        const { presses, typed } = taken[n]!;
        const max = effortMax(step, viewport.width);
        expect([step.name, presses <= max.presses, typed <= max.typed]).toEqual([step.name, true, true]);
      }
      expect(minutesOf(taken)).toBeLessThan(MINUTES_MAX);
      expect(await empty.books()).toEqual([]);
      expect(empty.supplier.deliveries()).toMatchObject([{ vendor: "datamart", volumeMb: 2000, count: 1 }]);
    } finally {
      await browser.close();
      await empty.close();
    }
  });
});
