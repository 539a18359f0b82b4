// Pages and texts for agents' customers: no link of them leads anywhere that shows what the agent pays, offers an
// account, or wears the shop's name before the agent's.
import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as priceLists from "../../src/core/catalog/price-lists.ts";
import * as sellingPrices from "../../src/core/catalog/selling-prices.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { pages } from "../../src/web/pages/index.tsx";
import { receiptToken } from "../support/pages.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitor } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const BUYING = "7.77";
const SELLING = "9.99";
const bundle = await world.product("MTN", "1GB", BUYING);
const abena = await world.person("abena", "GH₵ 100.00");

/** What has been sent to customers, and the pages for them that anybody may open. */
let sent: string[] = [];

beforeAll(async () => {
  const values = { support_phone: "030 000 0000", support_email: "help@example.com" };
  await settings.change(world.db, { by: world.yaw.by("admin"), values });
  await world.db.execute(
    sql`insert into phones (user_id, msisdn, shop_name) values (${abena.id}, '233241110009', 'Abena Data')`,
  );
  const line = { productId: bundle.id, msisdn: "0245550012", quantity: 1 };
  const { answer } = await orders.buy(world.db, { by: abena.by(), key: null, line });
  await sellingPrices.save(world.db, { by: abena.by(), prices: new Map([[bundle.id, 999]]) });
  const list = await priceLists.publish(world.db, { by: abena.by(), heading: "", msisdn: "0241110009" });
  const receipt = `/r/${receiptToken(answer.order.id)}`;
  sent = [receipt, `/p/${list.token}`, "/r/nothing", "/p/nothing", "/your-number", "/privacy"];
});

const linksOf = ({ document }: Seen): string[] =>
  [...document.querySelectorAll("a, form")]
    .map((one) => one.getAttribute("href") ?? one.getAttribute("action") ?? "")
    .filter((path) => path !== "" && !path.startsWith("#"));

/** Every page that somebody reaches from these by links, and without an account. */
async function reachable(from: readonly string[]): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const waiting = [...from];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    const page = await visitor(client.app).open(path);
    seen.set(path, page);
    waiting.push(...linksOf(page).filter((link) => link.startsWith("/")));
  }
  return seen;
}

describe("from what a customer is sent", () => {
  test("no link leads to a price that the agent pays, or to any page of the shop", async () => {
    const seen = await reachable(sent);
    for (const [path, { html, document }] of seen) {
      expect([path, html.includes(BUYING)]).toEqual([path, false]);
      const top = [...document.querySelectorAll("header a")].map((a) => a.getAttribute("href"));
      expect([path, top]).toEqual([path, []]);
    }
    const shop = ["/", "/login", "/signup", "/status", "/developers"];
    expect([...seen.keys()].filter((path) => shop.includes(path))).toEqual([]);
    expect(seen.get(sent[1]!)!.html).toContain(SELLING);
  });

  test("every page that is declared for customers was among them", async () => {
    const declared = pages.filter(({ forCustomers }) => forCustomers !== undefined).map(({ path }) => path);
    const opened = [...(await reachable([...sent, "/your-number/code"])).keys()];
    const isOpened = (path: string) =>
      opened.some((one) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}(\\?|$)`).test(one));
    expect(declared.filter((path) => !isOpened(path))).toEqual([]);
  });

  test.each([0, 1])(
    "page %d wears the agent's name, and its preview neither the shop's nor its picture",
    async (at) => {
      const { document } = await visitor(client.app).open(sent[at]!);
      expect(document.querySelector("header")!.textContent.trim()).toBe("Abena Data");
      const head = document.querySelector("head")!.innerHTML.replace(/<style>.*?<\/style>/gs, "");
      expect(head).toContain("Abena Data");
      expect(head).not.toMatch(/DataFie|og:image|manifest/);
    },
  );

  test("an address that is cut off names no shop either, and leads nowhere", async () => {
    for (const path of ["/r/nothing", "/p/nothing"]) {
      const { status, document } = await visitor(client.app).open(path);
      expect([status, document.querySelector("header")!.textContent]).toEqual([
        404,
        expect.not.stringContaining("DataFie"),
      ]);
      expect([...document.querySelectorAll("a[href='/']")]).toEqual([]);
    }
  });
});
