// The list of orders in a browser without scripts: what it hides, how hidden orders are found, and extras for admins.
import { describe, expect, test } from "bun:test";
import * as orders from "../../src/core/orders/buy.ts";
import * as transitions from "../../src/core/orders/transitions.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
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
  transitions.move(world.db, { by: world.yaw.by("admin"), key: null, ids: [id], to: "COMPLETED" });
const idsOn = (seen: Seen) =>
  [...seen.document.querySelectorAll("tbody .at-id")].map((cell) => Number(cell.textContent!.slice(1)));

describe("'show only new'", () => {
  test("hides finished orders while browsing, but none from a search", async () => {
    const { person, visit } = await agent();
    const done = await bought(person, "0241000001");
    const open = await bought(person, "0242000002");
    await finish(done);
    const list = await visit.open("/orders");
    expect(idsOn(list)).toEqual([open]);
    const found = await visit.press(list, "Search", { search: "0241000001" });
    expect(idsOn(found)).toEqual([done]);
    expect(found.text).toContain("Searching all orders");
    expect(found.text).not.toContain("Finished orders are hidden");
  });

  test("is back as it was when the search is cleared", async () => {
    const { person, visit } = await agent();
    const done = await bought(person, "0241000001");
    await finish(done);
    const found = await visit.press(await visit.open("/orders"), "Search", { search: "0241" });
    const cleared = await visit.press(found, "Search", { search: "" });
    expect(idsOn(cleared)).toEqual([]);
    expect(cleared.text).toContain("Finished orders are hidden");
    const all = await visit.open("/orders?all=1");
    const fromAll = await visit.press(await visit.press(all, "Search", { search: "0241" }), "Search", {
      search: "",
    });
    expect(idsOn(fromAll)).toEqual([done]);
  });
});

test("a search without results says that it covered everything, and offers to start again", async () => {
  const { person, visit } = await agent();
  await bought(person, "0241000001");
  const seen = await visit.open("/orders?search=0207777777");
  expect(seen.text).toContain("No matching orders found");
  expect(seen.text).toContain("We searched all orders, including finished ones.");
  const clear = [...seen.document.querySelectorAll(".empty a")].find((a) => a.textContent === "Clear")!;
  expect(clear.getAttribute("href")).toBe("/orders");
});

test("an agent's rows name the network in text, not only by colour", async () => {
  const { person, visit } = await agent();
  await bought(person, "0201000001", telecel);
  const cell = (await visit.open("/orders")).document.querySelector("tbody .at-what")!;
  expect(cell.textContent).toContain("Telecel: ");
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
    const form = new URLSearchParams(filledIn(list, "PROCESSING").body);
    expect(form.get("shown")).toBe(ids.toReversed().join(","));
    const asks = await visit.press(list, "PROCESSING", { scope: "shown" });
    expect((await visit.press(asks, "Send 2 orders myself")).text).toContain("2 orders moved to PROCESSING.");
  });

  test("can search orders from the dashboard", async () => {
    const { person } = await agent();
    const id = await bought(person, "0244000001");
    await finish(id);
    const visit = await visitorAs(client, world.yaw);
    const found = await visit.press(await visit.open("/admin"), "Search", { search: "0244000001" });
    expect([found.path.startsWith("/orders?"), idsOn(found)]).toEqual([true, [id]]);
  });
});
