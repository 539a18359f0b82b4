// The receipt that an agent's customer opens from a message: no login, no price, no whole number, and no trace
// elsewhere.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as users from "../../src/core/identity/users.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { BUDGETS } from "../../src/core/platform/budgets/budget-table.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { receiptToken } from "../support/pages.ts";
import { openApp, openWorld, type Person, testApp } from "../support/world.ts";
import { type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const by = world.yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 100.00");
const NUMBER = "0245550012";

let numbers = 0;
const bought = async (person: Person = ama, msisdn = `024${String(6_000_000 + ++numbers)}`) => {
  const line = { productId: bundle.id, msisdn, quantity: 1 };
  return (await orders.buy(world.db, { by: person.by(), key: null, line })).answer.order;
};
const pathOf = (orderId: number) => `/r/${receiptToken(orderId)}`;
const open = (orderId: number) => visitor(client.app).open(pathOf(orderId));
const move = (orderId: number, ...statuses: ("PROCESSING" | "DELIVERED" | "FAILED")[]) =>
  statuses.reduce<Promise<unknown>>(
    (before, to) =>
      before.then(() => statusChanges.moveOne(world.db, { by, key: null, orderId, to, reason: "TRX-77 at Hubnet" })),
    Promise.resolve(),
  );
const heading = (seen: Seen) => seen.document.querySelector("h1")!.textContent;
const state = (seen: Seen) => seen.document.querySelector(".headline .state")!.textContent;

describe("a receipt", () => {
  test("shows without a login what was bought, whether it has arrived, and when", async () => {
    const order = await bought(ama, NUMBER);
    const seen = await open(order.id);
    expect([seen.status, heading(seen), state(seen)]).toEqual([200, "1 GB for 024 ••• 0012", "On its way"]);
    expect(seen.text).toContain("MTN");
    await move(order.id, "PROCESSING", "DELIVERED");
    const after = await open(order.id);
    expect(state(after)).toBe("Delivered");
    expect(after.text).toMatch(/Ordered\d+ \w+ \d+, \d\d:\d\dDelivered\d+ \w+ \d+, \d\d:\d\d/);
  });

  test("wears the name of its agent's shop, else of no shop", async () => {
    const abena = await world.person("abena", "GH₵ 10.00");
    const order = await bought(abena);
    const top = async () => (await open(order.id)).document.querySelector("header")!.textContent.trim();
    expect(await top()).toBe("Data receipt");
    await world.db.execute(
      sql`insert into phones (user_id, msisdn, shop_name) values (${abena.id}, '233241110009', 'Abena Data')`,
    );
    expect(await top()).toBe("Abena Data");
    // The name is that of whoever sold it.
    expect((await open((await bought()).id)).text).not.toContain("Abena Data");
    expect((await open(order.id)).document.title).toEndWith("· Abena Data");
  });

  test("nowhere has the whole number, the price, who sold it, or who delivered it", async () => {
    const order = await bought(ama, NUMBER.replace("0012", "0013"));
    await move(order.id, "PROCESSING", "DELIVERED");
    const { html } = await open(order.id);
    const shown = html.replace(/<(style|script)>.*?<\/\1>/gs, "").replaceAll(receiptToken(order.id), "");
    for (const secret of ["555", "0245550013", "233245550013", "3.90", "GH₵", "ama", "Hubnet", "TRX-77"])
      expect([secret, shown.includes(secret)]).toEqual([secret, false]);
  });

  test("has a preview for messengers that says the state and not the number", async () => {
    const { document } = await open((await bought(ama, NUMBER.replace("0012", "0014"))).id);
    const content = (property: string) =>
      document.querySelector(`meta[property="${property}"]`)?.getAttribute("content");
    expect(content("og:title")).toBe("1 GB for 024 ••• 0014: on its way");
    expect(content("og:url")).toStartWith("http://localhost/r/");
    expect(document.title).toStartWith("1 GB for 024 ••• 0014: on its way");
  });

  test("is kept by nobody, found by nobody, and names its address to nobody", async () => {
    const order = await bought();
    for (const path of [pathOf(order.id), "/r/nothing"]) {
      const { headers, html } = await visitor(client.app).open(path);
      expect(headers.get("cache-control")).toBe("no-store, private");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
      expect(html).toContain('<meta name="robots" content="noindex"/>');
    }
    // Where crawlers were sent away, they would never read that they must not list it.
    expect(await (await client.browse(null, "/robots.txt")).text()).not.toMatch(/\/r(\/|$)/m);
  });

  test("has the shop's contact behind a question, and neither Login nor Sign Up", async () => {
    const values = { support_phone: "030 000 0000", support_email: "help@example.com" };
    await settings.change(world.db, { by, values });
    const { document } = await open((await bought()).id);
    const links = [...document.querySelectorAll("main a, header a")].map((a) => a.getAttribute("href"));
    expect(links).toEqual(expect.arrayContaining(["tel:0300000000", "mailto:help@example.com"]));
    const behind = document.querySelector("main details")!;
    expect(behind.querySelector("summary")!.textContent).toBe("Who runs this?");
    expect(behind.querySelectorAll("a[href^='tel:'], a[href^='mailto:']")).toHaveLength(2);
    expect(links).not.toContain("/login");
    expect(links).not.toContain("/signup");
  });

  test("of a banned agent's order still shows, also to the agent", async () => {
    const kofi = await world.person("kofi", "GH₵ 10.00");
    const order = await bought(kofi);
    const theirs = await visitorAs(client, kofi);
    expect((await theirs.open(pathOf(order.id))).status).toBe(200);
    await users.ban(world.db, { by, userId: kofi.id });
    expect((await open(order.id)).status).toBe(200);
    expect((await theirs.open(pathOf(order.id))).status).toBe(200);
  });

  test("answers its own script with a mark that changes with the order, until it has ended", async () => {
    const order = await bought();
    const ask = async () => {
      const response = await client.browse(null, pathOf(order.id), undefined, { accept: "application/json" });
      expect([response.headers.get("cache-control"), response.headers.get("x-robots-tag")]).toEqual([
        "no-store, private",
        "noindex, nofollow",
      ]);
      return (await response.json()) as { mark: string; isOver: boolean };
    };
    const first = await ask();
    expect([first.isOver, await ask()]).toEqual([false, first]);
    await move(order.id, "PROCESSING");
    const second = await ask();
    expect([second.isOver, second.mark === first.mark]).toEqual([false, false]);
    await move(order.id, "DELIVERED");
    expect((await ask()).isOver).toBe(true);
  });
});

describe("what the customer reads of an order that", () => {
  test("failed: that it did not arrive, and not that the agent got the money back", async () => {
    const order = await bought();
    await move(order.id, "FAILED");
    const seen = await open(order.id);
    expect(state(seen)).toBe("Not delivered");
    expect(seen.text).toContain("Ask your seller to send it again or to return your money.");
    expect(seen.text).not.toContain("refund");
  });

  test("was reported by its seller: that it is being checked, and not that it arrived", async () => {
    const order = await bought();
    await move(order.id, "PROCESSING", "DELIVERED");
    await disputes.open(world.db, { by: ama.by(), key: null, orderId: order.id, message: "Nothing came" });
    const seen = await open(order.id);
    expect([state(seen), seen.text]).toEqual([
      "Being checked",
      expect.stringContaining("Your seller has asked us to check."),
    ]);
    expect(seen.document.querySelector(".headline")!.className).toBe("headline warn");
    expect(seen.text).not.toContain("Data is on this number");
    await disputes.withdraw(world.db, { by: ama.by(), orderId: order.id });
    expect(state(await open(order.id))).toBe("Delivered");
  });

  test("was cancelled: that the seller did not send it", async () => {
    const order = await bought();
    await cancelling.cancel(world.db, { by: ama.by(), key: null, orderId: order.id });
    const seen = await open(order.id);
    expect([state(seen), seen.text]).toEqual(["Cancelled", expect.stringContaining("did not send it")]);
  });

  test("is not paid: that it is sent once the seller has paid", async () => {
    const line = { productId: bundle.id, msisdn: "0247000001", quantity: 1 };
    const { answer } = await unpaidOrders.create(world.db, { by: ama.by(), key: null, line });
    const seen = await open(answer.id);
    expect([state(seen), seen.text]).toEqual(["Not sent yet", expect.stringContaining("once your seller has paid")]);
  });
});

describe("a link that is not, or no longer, valid", () => {
  /** The page without its own address, which its preview names. */
  const plain = ({ html, path }: Seen) => html.replaceAll(path, "PATH");
  const age = (orderId: number, interval: string) =>
    world.db.execute(sql`update orders set created_at = now() - ${interval}::interval where id = ${orderId}`);

  test("gets one friendly page, whatever is wrong with it", async () => {
    const [expired, own, other] = [await bought(), await bought(), await bought()];
    await age(expired.id, "30 days");
    const mixed = `/r/${receiptToken(own.id).slice(0, 25)}${receiptToken(other.id).slice(25)}`;
    const all = [pathOf(expired.id), mixed, pathOf(own.id).slice(0, -1), "/r/x", "/r/%00", pathOf(999_999)];
    const pages = await Promise.all(all.map((path) => visitor(client.app).open(path)));
    expect(pages.map(({ status }) => status)).toEqual(all.map(() => 404));
    expect(new Set(pages.map(plain)).size).toBe(1);
    expect(pages[0]!.text).toContain("ask your seller for a new one");
  });

  test("is still valid half a minute before the 30 days are over", async () => {
    const order = await bought();
    await age(order.id, "29 days 23:59:30");
    expect((await open(order.id)).status).toBe(200);
  });
});

test("an address that opens too many gets a refusal that says when to come back", async () => {
  const order = await bought();
  const { countMax, seconds } = BUDGETS["receipt.address"];
  await open(order.id);
  await world.db.execute(sql`update rate_limits set count = ${countMax} where bucket like 'receipt.address:%'`);
  const refused = await open(order.id);
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(seconds);
  expect(refused.text).toContain("Too many receipts were opened from your network.");
  await world.db.execute(sql`delete from rate_limits`);
});

test("the log never holds a link", async () => {
  const order = await bought();
  const lines: string[] = [];
  const app = testApp(world.db, { log: createLog("info", { write: (line) => void lines.push(line) }) });
  await app.fetch(new Request(`http://localhost${pathOf(order.id)}`));
  expect(lines.join()).toContain('"path":"/r/[redacted]"');
  expect(lines.join()).not.toContain(receiptToken(order.id));
});
