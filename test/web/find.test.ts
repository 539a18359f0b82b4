// The search of staff without a script, its answers for the palette, filters as chips, and kept views.
import { describe, expect, test } from "bun:test";
import * as orders from "../../src/core/buying/buy.ts";
import * as keptViews from "../../src/core/finding/kept-views.ts";
import { pages } from "../../src/web/pages/index.tsx";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const { db, yaw } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const efua = await world.person("efua", undefined, ["MANAGER"]);
const kwame = await world.person("kwame", undefined, ["DESK"]);
const adwoa = await world.person("adwoa", undefined, ["SUPPORT"]);
const kojo = await world.person("kojo", undefined, ["ACCOUNTS"]);
const STAFF = [yaw, efua, kwame, adwoa, kojo];
const oneGb = await world.product("MTN", "1GB", "3.90");
const line = { productId: oneGb.id, msisdn: "0241112223", quantity: 1 };
const { answer } = await orders.buy(db, { by: ama.by(), key: null, line });
const orderId = answer.order.id;

type Place = { title: string; hint: string; path: string };
type Answer = { places: Place[]; recent: Place[]; groups: { heading: string; hits: Place[] }[] };

async function ask(person: Person, query: string): Promise<Answer> {
  const response = await client.browse(person, `/admin/find${query}`, undefined, {
    accept: "application/json",
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  return (await response.json()) as Answer;
}

describe("the search's own page", () => {
  test("finds pages and things by one text, as links", async () => {
    const visit = await visitorAs(client, yaw);
    const found = await visit.press(await visit.open("/admin/find"), "Search", { q: "ama" });
    expect(found.path).toBe("/admin/find?q=ama");
    expect(linksIn(found, ".found")).toContain(`/admin/users/${ama.id}`);
    const order = await visit.press(found, "Search", { q: `#${orderId}` });
    expect(linksIn(order, ".found")[0]).toBe(`/orders/${orderId}`);
    const prices = await visit.press(order, "Search", { q: "raise pr" });
    expect(linksIn(prices, ".found")).toContain("/admin/prices");
    const nothing = await visit.press(prices, "Search", { q: "<b>nothing</b>" });
    expect(nothing.text).toContain("Nothing found for “<b>nothing</b>”");
  });

  test("is closed to agents and visitors, also for scripts", async () => {
    for (const headers of [undefined, { accept: "application/json" }]) {
      expect((await client.browse(ama, "/admin/find?q=1", undefined, headers)).status).toBe(403);
      expect((await client.browse(null, "/admin/find?q=1", undefined, headers)).status).toBe(303);
    }
  });
});

describe("acts that are typed", () => {
  const actsFor = async (person: Person, typed: string) => {
    const { groups } = await ask(person, `?q=${encodeURIComponent(typed)}`);
    return (groups.find(({ heading }) => heading === "Do it")?.hits ?? []).map(({ path }) => path);
  };

  test("lead to the page where they are prepared, and do nothing by themselves", async () => {
    const visit = await visitorAs(client, yaw);
    const balance = await world.balanceOf(ama);
    for (const [typed, path, shown] of [
      ["pause mtn", "/admin/switches#network-MTN", 'id="network-MTN"'],
      ["close sales", "/admin/switches?close=sales#sales", '<details class="sure at-end" open'],
      ["Credit ama 50", `/admin/users/${ama.id}?correct=50.00#wallet`, 'value="50.00"'],
      ["debit ama 5.50", `/admin/users/${ama.id}?correct=-5.50#wallet`, 'value="-5.50"'],
      [`refund #${orderId}`, `/orders/${orderId}?act=refund`, "Refund this order"],
    ] as const) {
      expect([typed, await actsFor(yaw, typed)]).toEqual([typed, [path]]);
      const page = await visit.open(path);
      expect([typed, page.status, page.html.includes(shown)]).toEqual([typed, 200, true]);
    }
    expect(await world.balanceOf(ama)).toBe(balance);
  });

  test("are offered to whoever has the right alone, and mean nothing without their parts", async () => {
    for (const typed of ["pause glo", "credit ama", "credit ama 1.234", "refund", `refund ${orderId}0`, "pause"])
      expect([typed, await actsFor(yaw, typed)]).toEqual([typed, []]);
    for (const typed of ["pause mtn", "credit ama 50"]) expect(await actsFor(kojo, typed)).toEqual([]);
  });
});

describe("the palette's answers", () => {
  longTest.each(STAFF.map((person) => [person.roles[0], person] as const))(
    "for %p list only pages that open, and lead only to what opens",
    async (_role, person) => {
      const { places } = await ask(person, "");
      expect(places.length).toBeGreaterThan(5);
      const typed = [String(orderId), "0241112223", "2223", "ama", "1gb"];
      const groups = (await Promise.all(typed.map((q) => ask(person, `?q=${q}`)))).flatMap((it) => it.groups);
      const paths = [...places, ...groups.flatMap(({ hits }) => hits)].map(({ path }) => path);
      for (const path of new Set(paths))
        expect([path, (await client.browse(person, path)).status]).toEqual([path, 200]);
    },
  );

  test("name no page that one may not open", async () => {
    const closed = pages.filter(({ right }) => right === "settings.change").map(({ path }) => path);
    const pathsOf = async (person: Person) => (await ask(person, "")).places.map(({ path }) => path);
    expect(await pathsOf(yaw)).toEqual(expect.arrayContaining([closed[0]!, "/admin/prices"]));
    for (const person of [efua, kwame, adwoa, kojo])
      expect((await pathsOf(person)).filter((path) => closed.includes(path))).toEqual([]);
    expect(await pathsOf(kwame)).not.toContain("/admin/prices");
  });

  test("name what was chosen before, as far as it may still be seen", async () => {
    const recent = `/admin/products/${oneGb.id},/orders/${orderId},/admin/users/${ama.id},/orders/999999,//evil`;
    const titles = async (person: Person) =>
      (await ask(person, `?recent=${encodeURIComponent(recent)}`)).recent.map(({ title }) => title);
    expect(await titles(yaw)).toEqual(["MTN 1GB 1GB", `Order #${orderId}`, "ama"]);
    expect(await titles(kwame)).toEqual([`Order #${orderId}`, "ama"]);
  });
});

test("every page of staff has the link to the search, and no page of an agent has", async () => {
  const own = await (await visitorAs(client, kwame)).open("/orders");
  expect(own.document.querySelectorAll('a[href="/admin/find"]').length).toBe(2);
  const agents = await (await visitorAs(client, ama)).open("/orders");
  expect(agents.html).not.toContain("/admin/find");
});

describe("filters in use", () => {
  const chips = (seen: Seen) =>
    [...seen.document.querySelectorAll(".filter-chips a")].map((chip) => [
      chip.textContent!.replace("Remove the filter ", "").trim(),
      chip.getAttribute("href"),
    ]);

  test("of orders are taken off one by one", async () => {
    const visit = await visitorAs(client, yaw);
    expect(chips(await visit.open("/orders"))).toEqual([["Only new", "/orders?all=1"]]);
    const query = `status=PENDING&operator=MTN&user=${ama.id}&from=2026-01-02&cursor=99999`;
    const list = await visit.open(`/orders?search=&${query}`);
    expect(chips(list)).toEqual([
      ["Status: PENDING", `/orders?operator=MTN&user=${ama.id}&from=2026-01-02`],
      ["Network: MTN", `/orders?status=PENDING&user=${ama.id}&from=2026-01-02`],
      ["User: ama", "/orders?status=PENDING&operator=MTN&from=2026-01-02"],
      ["From: 2 Jan", `/orders?status=PENDING&operator=MTN&user=${ama.id}`],
      ["Clear all", "/orders"],
    ]);
    expect(chips(await visit.open("/orders?all=1"))).toEqual([]);
  });

  test("do not include 'only new' during a search, which covers all orders and says so", async () => {
    const visit = await visitorAs(client, yaw);
    const found = await visit.open("/orders?search=2223");
    expect(chips(found)).toEqual([["Search: 2223", "/orders"]]);
    expect(found.text).toContain("Searching all orders");
  });

  test("of payments and users, too", async () => {
    const visit = await visitorAs(client, yaw);
    expect(chips(await visit.open("/admin/payments?search=tp-1&state=review"))).toEqual([
      ["Search: tp-1", "/admin/payments?state=review"],
      ["State: Being checked", "/admin/payments?search=tp-1"],
      ["Clear all", "/admin/payments"],
    ]);
    expect(chips(await visit.open("/admin/users?role=DESK"))).toEqual([["Role: DESK", "/admin/users"]]);
  });

  test("name agents as what the list of users shows unless it is asked for all, or for some", async () => {
    const visit = await visitorAs(client, yaw);
    const namesOn = (seen: Seen) =>
      [...seen.document.querySelectorAll("tbody td:first-child a")].map((a) => a.textContent);
    const agents = await visit.open("/admin/users");
    expect(chips(agents)).toEqual([["Agents only", "/admin/users?all=1"]]);
    expect(namesOn(agents)).not.toContain("kwame");
    for (const address of ["/admin/users?all=1", "/admin/users?search=kwame", "/admin/users?role=DESK"])
      expect([address, namesOn(await visit.open(address)).includes("kwame")]).toEqual([address, true]);
  });
});

describe("a kept view", () => {
  const viewsOn = (seen: Seen) =>
    [...seen.document.querySelectorAll(".view-links a:not(.clear)")].map((link) =>
      [link.getAttribute("aria-current") && "here:", link.textContent, link.getAttribute("href")]
        .filter(Boolean)
        .join(" "),
    );

  test("is saved above its list, opened, renamed and deleted, without a script", async () => {
    const visit = await visitorAs(client, kwame);
    const list = await visit.open("/orders?status=FAILED&operator=MTN");
    expect(list.text).not.toContain("For all staff");
    const kept = await visit.press(list, "Save view", { name: "Failed on MTN" });
    expect(kept.text).toContain("“Failed on MTN” is saved.");
    expect(viewsOn(kept)).toEqual([
      "Everything /orders?all=1",
      "here: Failed on MTN /orders?status=FAILED&operator=MTN",
    ]);
    expect(kept.document.querySelector(".keep-view")).toBeNull();
    const again = await visit.press(await visit.open("/orders?status=FAILED"), "Save view", {
      name: "failed on mtn",
    });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining("Choose another name")]);
    const other = await visit.press(again, "Save view", { name: "Failed" });
    expect(viewsOn(other)).toContain("here: Failed /orders?status=FAILED");
    const manage = await visit.open("/admin/views");
    const renamed = await visit.press(manage, "Rename", { name: "MTN that failed" });
    expect(renamed.text).toContain("View renamed.");
    const gone = await visit.press(renamed, "Delete “MTN that failed”");
    expect(gone.text).toContain("View deleted.");
    // Of itself the list shows only new orders, which is not everything, nor a filter to keep.
    const [fresh, whole] = [await visit.open("/orders"), await visit.open("/orders?all=1")];
    expect(viewsOn(fresh)).toEqual(["Everything /orders?all=1", "Failed /orders?status=FAILED"]);
    expect(viewsOn(whole)).toEqual(["here: Everything /orders?all=1", "Failed /orders?status=FAILED"]);
    for (const seen of [fresh, whole]) expect(seen.document.querySelector(".keep-view")).toBeNull();
  });

  test("is shared by a manager, and then stands above everybody's list", async () => {
    const manager = await visitorAs(client, efua);
    const list = await manager.open("/orders?unpaid=1");
    await manager.press(list, "Save view", { name: "Not paid", isShared: "1" });
    const seen = await (await visitorAs(client, adwoa)).open("/orders?unpaid=1");
    expect(viewsOn(seen)).toContain("here: Not paid (shared) /orders?unpaid=1");
    const manage = await (await visitorAs(client, adwoa)).open("/admin/views");
    expect(manage.text).toContain("Shared by others");
    expect(manage.document.querySelectorAll("form[action='/admin/views']").length).toBe(0);
    const owner = await visitorAs(client, yaw);
    await owner.press(await owner.open("/admin/views"), "Delete “Not paid”");
    expect((await keptViews.list(db, adwoa.by("admin"))).length).toBe(0);
  });

  test("cannot be shared by a forged form, nor made of a list that one may not see", async () => {
    const send = (person: Person, own: Record<string, string>) =>
      client.browse(person, "/admin/views", {
        action: "keep",
        path: "/orders",
        name: "Mine",
        query: "status=FAILED",
        ...own,
      });
    expect((await send(kwame, { isShared: "1" })).status).toBe(403);
    expect((await send(kwame, { path: "/admin/payments", query: "state=review" })).status).toBe(403);
    expect((await send(kwame, { path: "//evil.example" })).status).toBe(422);
    expect((await send(kwame, { query: "x".repeat(501) })).status).toBe(422);
    expect((await send(kwame, { name: "x".repeat(41) })).status).toBe(422);
    expect((await send(ama, {})).status).toBe(403);
  });
});

function linksIn(seen: Seen, selector: string): string[] {
  return [...seen.document.querySelectorAll(`${selector} a`)].map((link) => link.getAttribute("href")!);
}
