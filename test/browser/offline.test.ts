// The shop on a phone that loses its connection: pages as they were, forms that stay, and a purchase that is sent only
// when its owner says so, and paid once.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { count } from "../support/asking.ts";
import { openApp, type Person } from "../support/world.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { button, field, openMarket, reads } from "./journeys.ts";

const market = await openMarket();
const { world, oneGb } = market;
const { tokenOf } = openApp(world);

describeInBrowser("on a phone that loses its connection,", () => {
  const { visit, url } = openBrowser(world, market.environment);
  const line = createLine(() => new URL(url()).port);
  beforeAll(line.open);
  afterAll(line.close);

  /** Walks as a new agent whose phone has the service worker. */
  const asAgent = (walk: (page: Page, agent: Person) => Promise<void>) => async () => {
    const agent = await market.agent();
    await visit(
      agent,
      async (page) => {
        line.mode("open");
        await page.goto("/support");
        await controlled(page);
        await walk(page, agent);
      },
      { withWorkerAt: line.url },
    );
  };
  const ordersOf = ({ id }: Person) => count(world.db, sql`from orders where user_id = ${id}`);
  const fillInSale = async (page: Page, msisdn: string) => {
    await page.goto(`/mtn-data?product=${oneGb.id}&msisdn=${msisdn}`);
    await ready(page);
  };
  const kept = (page: Page) => page.locator(".outbox");

  test(
    "it can be installed",
    asAgent(async (page) => {
      const client = await page.context().newCDPSession(page);
      const { errors } = await client.send("Page.getAppManifest");
      expect(errors).toEqual([]);
      const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
      // Test browsers keep nothing.
      expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
    }),
  );

  test(
    "a page that was never seen says that nothing was sent, and opens when asked again",
    asAgent(async (page) => {
      await page.context().setOffline(true);
      await page.goto("/wallet/top-up");
      await reads(page, "Nothing was sent.");
      expect(new URL(page.url()).pathname).toBe("/wallet/top-up");
      await page.context().setOffline(false);
      await page.getByRole("link", { name: "Try again" }).click();
      await page.getByRole("heading", { name: "Top up" }).first().waitFor();
    }),
  );

  test(
    "the last list is shown with its time, and none of its forms can be sent",
    asAgent(async (page, agent) => {
      await market.order(agent);
      for (const path of ["/orders", "/dashboard"]) {
        await page.goto(path);
        await page.waitForFunction(async (wanted) => caches.match(wanted), path);
      }
      // An island that is still on its way would complain in the console.
      await page.waitForLoadState("networkidle");
      await page.context().setOffline(true);
      for (const path of ["/orders", "/dashboard", "/"]) {
        await page.goto(path);
        const note = await page.locator("main .note").first().textContent();
        expect(note).toMatch(
          /^Offline: this is how it was (yesterday )?at \d\d:\d\d\. Balances, prices and orders may have/,
        );
        expect(await page.locator("form[method=post]").count()).toBe(0);
        expect(await page.locator("form[method=dialog]:not([inert])").count()).toBe(0);
      }
      await page.goto("/support");
      await reads(page, "Nothing was sent.");
    }),
  );

  test(
    "nothing of an agent is left after a logout",
    asAgent(async (page) => {
      await page.goto("/orders");
      await page.waitForFunction(async () => caches.match("/orders"));
      await page.evaluate(() => document.querySelector<HTMLFormElement>('form[action="/logout"]')!.requestSubmit());
      await reads(page, "You have been logged out");
      expect((await page.evaluate(() => caches.keys())).filter((name) => name.startsWith("pages"))).toEqual([]);
      await page.context().setOffline(true);
      await page.goto("/orders");
      await reads(page, "Nothing was sent.");
    }),
  );

  test(
    "neither pages nor purchases of one agent are shown to the next one in the same browser",
    asAgent(async (page) => {
      const copiesIn = () =>
        page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("pages")));
      await page.goto("/orders");
      await page.waitForFunction(async () => caches.match("/orders"));
      await fillInSale(page, market.newNumber());
      await page.context().setOffline(true);
      await button(page, "Pay with Wallet").click();
      await kept(page).getByText("Not sent yet, no connection:").waitFor();
      await page.context().setOffline(false);
      // The first one's session ended without a logout. The next one has not seen their own orders yet.
      const next = await market.agent();
      const session = { name: SESSION_COOKIE, value: await tokenOf(next), url: line.url() };
      await page.context().addCookies([session]);
      await page.goto("/wallet");
      await page.waitForFunction(async () => caches.match("/wallet"));
      await ready(page);
      expect(await kept(page).textContent()).toBe("");
      expect(await page.evaluate(() => Object.keys(localStorage).filter((it) => it.startsWith("outbox")))).toEqual([]);
      expect(await copiesIn()).toEqual([`pages ${next.id}`]);
      expect(await ordersOf(next)).toBe(0);
      await page.context().setOffline(true);
      await page.goto("/orders");
      await reads(page, "Nothing was sent.");
      // Nor does whoever finds the login page, after a session that has ended.
      await page.context().setOffline(false);
      await page.context().clearCookies();
      await page.goto("/login");
      await page.waitForFunction(async () => (await caches.match("/wallet")) === undefined);
      expect(await copiesIn()).toEqual([]);
    }),
  );

  test(
    "the buying page opens without a connection, and each sale made there is kept under a key of its own",
    asAgent(async (page, agent) => {
      await page.goto("/buy");
      await page.waitForFunction(async () => caches.match("/buy"));
      await page.context().setOffline(true);
      for (let n = 0; n < 2; n++) {
        await page.goto("/buy");
        await reads(page, "Offline: this is how it was");
        await page.locator(".outbox").waitFor({ state: "attached" });
        await field(page, "Recipient number").fill(market.newNumber());
        await page.locator(`input[type=radio][name=productId][value^="${oneGb.id}@"]`).press("Space");
        await button(page, "Pay with Wallet").click();
        // Some versions of Chromium (150) say to a page that opens during setOffline that it has a connection.
        await kept(page)
          .getByText(/Not sent yet, no connection:|Perhaps sent already:/)
          .waitFor();
      }
      await kept(page).getByText("1 more behind it").waitFor();
      await page.context().setOffline(false);
      for (const orders of [1, 2]) {
        await page.goto("/support");
        await button(page, "Send now").click();
        await reads(page, "Paid with wallet successfully.");
        expect(await ordersOf(agent)).toBe(orders);
      }
      await page.goto("/buy");
      await ready(page);
      // What was sent is offered nowhere else.
      expect(await page.getByText("Not sold yet").count()).toBe(0);
    }),
  );

  test(
    "a purchase without a connection is kept, asked about, and sent once",
    asAgent(async (page, agent) => {
      const msisdn = market.newNumber();
      await fillInSale(page, msisdn);
      await page.context().setOffline(true);
      await button(page, "Pay with Wallet").click();
      await kept(page).getByText("Not sent yet, no connection:").waitFor();
      await page.context().setOffline(false);
      const number = `${msisdn.slice(0, 3)} ${msisdn.slice(3, 6)} ${msisdn.slice(6)}`;
      await kept(page).getByText(`Not sent yet: 1GB to ${number} for GH₵ 3.90.`).waitFor();
      // On any page of the shop, and even then nothing is bought unasked.
      await page.goto("/support");
      await kept(page).getByText("Not sent yet: 1GB to").waitFor();
      expect(await ordersOf(agent)).toBe(0);
      await button(page, "Send now").click();
      await reads(page, "Paid with wallet successfully.");
      expect(await ordersOf(agent)).toBe(1);
      await page.goto("/support");
      await ready(page);
      expect(await button(page, "Send now").count()).toBe(0);
    }),
  );

  test(
    "a purchase that was paid, but whose answer was lost, is not paid again",
    asAgent(async (page, agent) => {
      await fillInSale(page, market.newNumber());
      line.mode("answers are lost");
      await button(page, "Pay with Wallet").click();
      await kept(page).getByText("Perhaps sent already:").waitFor();
      expect(await ordersOf(agent)).toBe(1);
      line.mode("open");
      await button(page, "Send now").click();
      await reads(page, "Paid with wallet successfully.");
      expect(await ordersOf(agent)).toBe(1);
      expect(await world.balanceOf(agent)).toBe(9610);
    }),
  );

  test(
    "a purchase can be discarded",
    asAgent(async (page, agent) => {
      await fillInSale(page, market.newNumber());
      await page.context().setOffline(true);
      await button(page, "Pay with Wallet").click();
      await button(page, "Discard").click();
      await page.context().setOffline(false);
      await page.goto("/support");
      await ready(page);
      expect(await button(page, "Send now").count()).toBe(0);
      expect(await ordersOf(agent)).toBe(0);
    }),
  );

  test(
    "a form on a dead line stays with what was typed, and can be sent later",
    asAgent(async (page) => {
      await ready(page);
      const texts = {
        "Full name": "Ama Mensah",
        Subject: "A late order",
        Message: "It has not come since noon.",
      };
      for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text);
      line.mode("dead");
      await button(page, "Submit Request").click();
      await kept(page).getByText("What you typed is still here").waitFor();
      for (const [label, text] of Object.entries(texts)) expect(await field(page, label).inputValue()).toBe(text);
      line.mode("open");
      await button(page, "Submit Request").click();
      await reads(page, "Your request has been sent.");
    }),
  );

  test(
    "a tab that was thrown away offers what was typed",
    asAgent(async (page) => {
      await ready(page);
      await field(page, "Message").fill("It has not come since noon.");
      // As a phone does that has thrown a tab away, which restores no field.
      await page.goto("/support");
      await reads(page, "You typed this before: It has not come since noon.");
      expect(await field(page, "Message").inputValue()).toBe("");
      await button(page, "Use it").click();
      expect(await field(page, "Message").inputValue()).toBe("It has not come since noon.");
    }),
  );
});

type Mode = "open" | "dead" | "answers are lost";

/** A connection to the shop that can break: it passes bytes on, or not. */
function createLine(port: () => string) {
  let mode: Mode = "open";
  let server: Server;
  const sockets = new Set<Socket>();
  const accept = (near: Socket) => {
    if (mode === "dead") return void near.destroy();
    const far = connect(Number(port()), "127.0.0.1");
    for (const [own, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(own);
      own.on("error", () => other.destroy());
      own.on("close", () => {
        sockets.delete(own);
        other.destroy();
      });
    }
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (mode === "open") near.write(bytes);
      else near.destroy();
    });
  };
  return {
    open: () =>
      new Promise<void>((resolve) => {
        server = createServer(accept).listen(0, "127.0.0.1", resolve);
      }),
    close: () => void server.close(),
    url: () => `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    /** From now on; "dead" also ends the connections that are open. */
    mode: (next: Mode) => {
      mode = next;
      if (mode === "dead") for (const socket of sockets) socket.destroy();
    },
  };
}

/** Waits until the page's scripts have begun. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("is-land:not([on=visible])")].every((it) => it.hasAttribute("ready")),
  );
}

/** Waits until the service worker answers for this page. */
async function controlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  });
}
