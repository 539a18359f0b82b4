// The list of orders in a browser without scripts: what it hides, how hidden orders are found, and extras for admins.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as afa from "../../src/core/afa/registrations.ts";
import * as orders from "../../src/core/buying/buy.ts";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person, TEST_CARDS } from "../support/world.ts";
import { filledIn, type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const oneGb = await world.product("MTN", "1GB", "3.90");
const telecel = await world.product("TELECEL", "2GB", "8.50");

let people = 0;
const agent = async () => {
  const person = await world.person(`seller${++people}`, "GH₵ 100.00");
  return { person, visit: await visitorAs(client, person) };
};
async function bought(person: Person, msisdn: string, product = oneGb): Promise<number> {
  const line = { productId: product.id, msisdn, quantity: 1 };
  return (await orders.buy(world.db, { by: person.by(), key: null, line })).answer.order.id;
}
const finish = (id: number) =>
  statusChanges.move(world.db, { by: world.yaw.by("admin"), key: null, ids: [id], to: "COMPLETED" });
const idsIn = (seen: Seen, selector: string) =>
  [...seen.document.querySelectorAll(selector)].map((link) => Number(link.getAttribute("href")!.split("/").at(-1)));
/** The rows of an agent's list, without the finished ones below it. */
const idsOn = (seen: Seen) => {
  const finished = idsIn(seen, ".finished .row-link");
  return idsIn(seen, ".row-link").filter((id) => !finished.includes(id));
};
const deskIdsOn = (seen: Seen) => idsIn(seen, "tbody .at-id a");
const chipsOn = (seen: Seen) =>
  [...seen.document.querySelectorAll(".picks a")].map((chip) =>
    [chip.getAttribute("aria-current") && "here:", chip.textContent, chip.getAttribute("href")]
      .filter(Boolean)
      .join(" "),
  );

describe("'show only new'", () => {
  test("is on while browsing: finished orders are apart, and hidden from no search", async () => {
    const { person, visit } = await agent();
    const done = await bought(person, "0241000001");
    const open = await bought(person, "0242000002");
    await finish(done);
    const list = await visit.open("/orders");
    expect([idsOn(list), idsIn(list, ".finished .row-link")]).toEqual([[open], [done]]);
    const found = await visit.press(list, "Search", { search: "0241000001" });
    expect(idsOn(found)).toEqual([done]);
    expect(found.text).not.toContain("Finished orders are hidden");
  });

  test("is back as it was when the search is cleared", async () => {
    const { person, visit } = await agent();
    const done = await bought(person, "0241000001");
    await finish(done);
    const found = await visit.press(await visit.open("/orders"), "Search", { search: "0241" });
    const cleared = await visit.press(found, "Search", { search: "" });
    expect([idsOn(cleared), idsIn(cleared, ".finished .row-link")]).toEqual([[], [done]]);
    const all = await visit.open("/orders?all=1");
    const fromAll = await visit.press(await visit.press(all, "Search", { search: "0241" }), "Search", {
      search: "",
    });
    expect(idsOn(fromAll)).toEqual([done]);
  });

  test("in a part of the orders says that finished ones are hidden, and links to them in this part", async () => {
    const { person, visit } = await agent();
    await finish(await bought(person, "0201000001", telecel));
    const linkOn = async (path: string) => {
      const note = (await visit.open(path)).document.querySelector(".finished")!;
      return [note.textContent, note.querySelector("a")!.getAttribute("href")];
    };
    const text = "Finished orders are hidden. Show all orders";
    expect(await linkOn("/orders?operator=TELECEL")).toEqual([text, "/orders?operator=TELECEL&all=1"]);
    expect(await linkOn("/orders?search=0201&open=1")).toEqual([text, "/orders?search=0201"]);
  });

  longTest("lists only a few finished orders below the new ones, and links to all", async () => {
    const { person, visit } = await agent();
    const ids: number[] = [];
    for (let n = 0; n < 12; n++) ids.push(await bought(person, `02410000${String(n).padStart(2, "0")}`));
    for (const id of ids.slice(0, 11)) await finish(id);
    const list = await visit.open("/orders");
    expect(idsOn(list)).toEqual([ids[11]!]);
    expect(idsIn(list, ".finished .row-link")).toEqual(ids.slice(2, 11).toReversed());
    expect(idsOn(await visit.open("/orders?all=1"))).toEqual(ids.toReversed());
  });
});

describe("the chips of an agent's list", () => {
  test("choose the state, and count what is unfinished", async () => {
    const { person, visit } = await agent();
    const failed = await bought(person, "0241000001");
    await statusChanges.move(world.db, {
      by: world.yaw.by("admin"),
      key: null,
      ids: [failed],
      to: "FAILED",
      reason: "No network",
    });
    const open = await bought(person, "0242000002");
    const line = { productId: oneGb.id, msisdn: "0243000003", quantity: 1 };
    const unpaid = (await unpaidOrders.create(world.db, { by: person.by(), key: null, line })).answer.id;
    const list = await visit.open("/orders");
    expect(chipsOn(list)).toEqual([
      "All /orders?all=1",
      "here: Open 2 /orders",
      "Failed /orders?status=FAILED",
      "Not paid 1 /orders?unpaid=1",
    ]);
    expect(idsOn(list)).toEqual([unpaid, open]);
    expect(idsOn(await visit.open("/orders?all=1"))).toEqual([unpaid, open, failed]);
    const onlyFailed = await visit.open("/orders?status=FAILED");
    expect([idsOn(onlyFailed), chipsOn(onlyFailed)[2]]).toEqual([[failed], "here: Failed /orders?status=FAILED"]);
    const onlyUnpaid = await visit.open("/orders?unpaid=1");
    expect(idsOn(onlyUnpaid)).toEqual([unpaid]);
    expect(onlyUnpaid.document.querySelector(".row-link .chip")!.textContent).toBe("NOT PAID");
  });

  test("keep a search, which begins with all orders", async () => {
    const { person, visit } = await agent();
    const done = await bought(person, "0241000001");
    await finish(done);
    const open = await bought(person, "0241000002");
    const found = await visit.open("/orders?search=0241");
    expect(chipsOn(found)).toEqual([
      "here: All /orders?search=0241",
      "Open /orders?search=0241&open=1",
      "Failed /orders?search=0241&status=FAILED",
      "Not paid /orders?search=0241&unpaid=1",
    ]);
    expect(idsOn(found)).toEqual([open, done]);
    expect(idsOn(await visit.open("/orders?search=0241&open=1"))).toEqual([open]);
    // The next search is not restricted to what the last one showed.
    const next = await visit.press(await visit.open("/orders?search=0241&status=FAILED"), "Search");
    expect(idsOn(next)).toEqual([open, done]);
  });
});

describe("a search", () => {
  test("without results says that it covered everything, and offers to start again", async () => {
    const { person, visit } = await agent();
    await bought(person, "0241000001");
    const seen = await visit.open("/orders?search=0207777777");
    expect(seen.text).toContain("No matching orders found");
    expect(seen.text).toContain("We searched all orders, including finished ones.");
    const clear = [...seen.document.querySelectorAll(".empty a")].find((a) => a.textContent === "Clear")!;
    expect(clear.getAttribute("href")).toBe("/orders");
  });

  test.each([
    ["24", "To find a phone number, type at least three of its digits."],
    ["GH₵ 3.90", "Prices cannot be searched. Try the number or the bundle, such as 1GB."],
    ["3.90", "Prices cannot be searched."],
    ["21 Nov", "For the orders of a day, choose dates under More."],
    ["yesterday", "For the orders of a day"],
    ["a b c d e f g", "Search for at most 6 words at once."],
  ])("for %p says why it cannot be found, and what to do instead", async (typed, hint) => {
    const { visit } = await agent();
    const { text } = await visit.open(`/orders?search=${encodeURIComponent(typed)}`);
    expect(text).toContain(hint);
  });

  test.each(["024", "1GB", "1.5 GB", "0245550012 1gb", "mtn", "delivered", "438"])(
    "for %p needs no explanation",
    async (typed) => {
      const { visit } = await agent();
      const seen = await visit.open(`/orders?search=${encodeURIComponent(typed)}`);
      expect(seen.document.querySelector(".note")).toBeNull();
    },
  );
});

describe("an agent's rows", () => {
  test("name the network in text, and stand under the headings of their days", async () => {
    const { person, visit } = await agent();
    const older = await bought(person, "0201000001", telecel);
    await bought(person, "0241000001");
    await world.db.execute(sql`update orders set created_at = now() - interval '1 day' where id = ${older}`);
    const { document } = await visit.open("/orders");
    const lists = [...document.querySelectorAll(".own-orders .row-list")];
    expect(lists.map((list) => list.getAttribute("aria-label"))).toEqual(["Today", "Yesterday"]);
    const texts = lists.map((list) => list.querySelector(".row-link")!.textContent.replaceAll(/\s+/g, " "));
    expect(texts[0]).toMatch(/^MMTN 024 100 0001 1GB #\d+ Just now GH₵ 3\.90 PENDING$/);
    expect(texts[1]).toMatch(/^TTelecel 020 100 0001 2GB #\d+ \d\d:\d\d GH₵ 8\.50 PENDING$/);
  });

  test("offer to buy the same again, but not a registration", async () => {
    const { person, visit } = await agent();
    await bought(person, "0241000001");
    await products.ensureAfa(world.db);
    const people = [{ fullName: "Ama Mensah", phone: "0541000009", ghCardId: "GHA-123456789-1", location: "Tamale" }];
    await afa.register(world.db, TEST_CARDS, { by: person.by("web"), key: null, people });
    const { document } = await visit.open("/orders");
    expect(document.querySelectorAll(".row-link")).toHaveLength(2);
    const again = [...document.querySelectorAll(".row-act")].map((act) => act.getAttribute("href"));
    expect(again).toEqual([`/buy?msisdn=0241000001&product=${oneGb.id}&again=1`]);
  });
});

describe("the changes of a list, which its script asks for,", () => {
  const changesFor = async (person: Person, query: string) =>
    (await client.browse(person, `/orders/changes?${query}`)).json();

  test("are the states of its orders and the number of new ones, of the agent's own only", async () => {
    const { person } = await agent();
    const [done, open] = [await bought(person, "0241000001"), await bought(person, "0242000002")];
    await finish(done);
    const { person: other } = await agent();
    const foreign = await bought(other, "0243000003");
    const query = `ids=${done},${open},${foreign},x&after=${done}`;
    expect(await changesFor(person, query)).toEqual({
      states: { [done]: "COMPLETED", [open]: "PENDING" },
      newCount: 1,
    });
    await finish(open);
    expect((await changesFor(person, `ids=&after=${done}&open=1`)).newCount).toBe(0);
    expect((await changesFor(person, `ids=&after=0`)).newCount).toBe(2);
    expect(await changesFor(person, "")).toEqual({ states: {}, newCount: 0 });
  });

  test("are asked for as the page says: final orders not, new ones only where they belong", async () => {
    const { person, visit } = await agent();
    const [done, open] = [await bought(person, "0241000001"), await bought(person, "0242000002")];
    await finish(done);
    const propsOn = async (path: string) => {
      const island = (await visit.open(path)).document.querySelector("is-land[src*=orders-watch]");
      return island && JSON.parse(island.getAttribute("props")!);
    };
    const states = { [open]: "PENDING" };
    expect(await propsOn("/orders")).toEqual({ states, newestId: open, isOpenOnly: true, path: "/orders" });
    expect(await propsOn("/orders?search=0242")).toMatchObject({ states, newestId: null });
    expect(await propsOn("/orders?search=0241")).toBeNull();
  });
});

describe("an admin", () => {
  test("sees the shop's orders by status, with the operator's name and Refresh", async () => {
    const { person } = await agent();
    await bought(person, "0201000002", telecel);
    const visit = await visitorAs(client, world.yaw);
    const seen = await visit.open("/orders");
    const statistics = [...seen.document.querySelectorAll("[aria-label='Order statistics'] a")];
    const total = (await visit.open("/orders?all=1")).document.querySelectorAll("tbody tr").length;
    expect(statistics[0]!.textContent).toBe(`Total Orders${total}`);
    expect(statistics.map((link) => link.getAttribute("href"))).toContain("/orders?status=DELIVERED");
    const heads = [...seen.document.querySelectorAll("thead th")].map((head) => head.textContent);
    expect(heads).toContain("Operator");
    const row = seen.document.querySelector("tbody tr")!;
    expect(row.querySelector(".at-network")?.textContent?.trim()).toBe("Telecel");
    expect(row.querySelector(".at-title")?.getAttribute("title")).toBe(`User ${person.id}`);
    const refresh = [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === "Refresh")!;
    expect(refresh.getAttribute("href")).toBe("/orders");
    expect((await visit.open("/orders?search=nobodyatall")).text).toContain("No matching orders found.");
  });

  test("can move all orders of a page at once, without ticking each", async () => {
    const { person } = await agent();
    const ids = [await bought(person, "0243000001"), await bought(person, "0243000002")];
    const visit = await visitorAs(client, world.yaw);
    const list = await visit.open(`/orders?search=${person.username}`);
    const form = new URLSearchParams(filledIn(list, "Process").body);
    expect(form.get("shown")).toBe(ids.toReversed().join(","));
    const asks = await visit.press(list, "Process", { scope: "shown" });
    expect((await visit.press(asks, "Send 2 orders myself")).text).toContain("2 orders moved to PROCESSING.");
  });

  test("turns a list of what waits round, page by page; others and searches have one sequence", async () => {
    const person = await world.person("waiting", "GH₵ 1,000.00");
    const lines = Array.from({ length: 52 }, (_, n) => ({
      productId: oneGb.id,
      msisdn: `02470000${String(n).padStart(2, "0")}`,
      quantity: 1,
    }));
    const { answer } = await buyBulk(world.db, { by: person.by(), key: null, lines });
    const ids = answer.orders.map(({ id }) => id).toSorted((a, b) => a - b);
    const visit = await visitorAs(client, world.yaw);
    const linkOn = (seen: Seen, text: string) =>
      [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === text)?.getAttribute("href");
    const newest = await visit.open(`/orders?user=${person.id}`);
    expect(deskIdsOn(newest)).toEqual(ids.toReversed().slice(0, 50));
    const oldest = await visit.open(linkOn(newest, "Oldest first")!);
    expect(deskIdsOn(oldest)).toEqual(ids.slice(0, 50));
    const rest = await visit.open(linkOn(oldest, "Newer")!);
    expect(deskIdsOn(rest)).toEqual(ids.slice(50));
    expect(linkOn(rest, "Oldest")).toBe(oldest.path);
    expect(linkOn(rest, "Newest first")).toBe(newest.path);
    const waiting = await visit.open(`/orders?user=${person.id}&status=PENDING&order=oldest`);
    expect(deskIdsOn(waiting)[0]).toBe(ids[0]!);
    for (const others of ["all=1", "status=COMPLETED", "search=0247"]) {
      const seen = await visit.open(`/orders?user=${person.id}&${others}&order=oldest`);
      expect([others, linkOn(seen, "Newest first"), linkOn(seen, "Oldest first")]).toEqual([
        others,
        undefined,
        undefined,
      ]);
      if (others !== "status=COMPLETED") expect(deskIdsOn(seen)[0]).toBe(ids.at(-1)!);
    }
  });

  test("can search orders from the dashboard", async () => {
    const { person } = await agent();
    const id = await bought(person, "0244000001");
    await finish(id);
    const visit = await visitorAs(client, world.yaw);
    const finder = (await visit.open("/admin")).document.querySelector("nav a.finder")!;
    const found = await visit.press(await visit.open(finder.getAttribute("href")!), "Search", { q: "0244000001" });
    expect(found.document.querySelector(`main a[href="/orders/${id}"]`)).not.toBeNull();
  });
});
