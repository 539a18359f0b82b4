// Today, the menu in groups, and the stream of what waits, as each role sees them.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as sessions from "../../src/core/identity/logins/sessions.ts";
import { WAITING, type WaitingKind } from "../../src/core/overview/kinds.ts";
import * as overview from "../../src/core/overview/watch.ts";
import { DESK, type Role } from "../../src/shared/domain.ts";
import { hasRight } from "../../src/shared/rights.ts";
import { longTest } from "../support/long.ts";
import { dispatchNow } from "../support/pages.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db } = world;
const client = openApp(world);
const ama = await world.person("ama", "GH₵ 20.00");
const ROLES = ["MANAGER", "DESK", "SUPPORT", "ACCOUNTS"] as const satisfies Role[];
const staff = Object.fromEntries(
  await Promise.all(ROLES.map(async (role) => [role, await world.person(role.toLowerCase(), undefined, [role])])),
) as Record<(typeof ROLES)[number], Person>;

const textOf = (element: { textContent: string | null } | null) => element?.textContent?.replace(/\s+/g, " ").trim();
const file = () =>
  db.execute(
    sql`insert into support_requests (user_id, subject_type, message) values (${ama.id}, 'general', 'Where?')`,
  );

longTest(
  "nothing waits in a new shop, and the page names what it lacks instead of saying that all is well",
  async () => {
    for (const person of [world.yaw, ...Object.values(staff)]) {
      const seen = await (await visitorAs(client, person)).open("/admin");
      expect([person.username, seen.document.querySelector(".calm")]).toEqual([person.username, null]);
      const list = seen.document.querySelector(person === world.yaw ? ".set-up li p" : ".missing");
      expect(textOf(list)).toStartWith("No bundle is on sale. Nobody can buy");
      const links = [...seen.document.querySelectorAll(".missing a")].map((link) => link.getAttribute("href")!);
      for (const link of links)
        expect([link, (await (await visitorAs(client, person)).open(link)).status]).toEqual([link, 200]);
    }
    const seen = await (await visitorAs(client, Object.values(staff)[0]!)).open("/admin");
    expect(seen.document.title).toBe("Today · DataFie");
    expect(textOf(seen.document.querySelector("h1"))).toMatch(/^Today Dashboard, /);
  },
);

test("what waits leads into the work, with its number there, in the menu, on its button and in the title", async () => {
  await file();
  await db.execute(
    sql`insert into deposits (user_id, transaction_id, amount_pesewas) values (${ama.id}, '123456', 2500)`,
  );
  const seen = await (await visitorAs(client, world.yaw)).open("/admin");
  const rows = [...seen.document.querySelectorAll(".waits a")].map((a) => [a.getAttribute("href"), textOf(a)]);
  expect(rows).toEqual([
    ["/admin/claims#deposits", "1 deposit to decide for under a minute · GH₵ 25.00 Decide"],
    ["/admin/support#support", "1 support request to answer for under a minute Answer"],
  ]);
  const badges = [...seen.document.querySelectorAll("[data-waiting]:not([hidden])")].map((badge) => [
    badge.getAttribute("data-waiting"),
    textOf(badge),
  ]);
  expect(badges).toEqual([
    ["all", "2 waiting"],
    ["/admin/support", "1 waiting"],
    ["/admin/payments", "1 waiting"],
  ]);
  expect(seen.document.title).toBe("(2) Today · DataFie");
});

longTest("whoever sees a kind can open the page to which it leads", async () => {
  for (const role of ROLES) {
    const visit = await visitorAs(client, staff[role]);
    for (const { to, right } of Object.values(WAITING) as WaitingKind[])
      if (hasRight({ roles: [role] }, right))
        expect([role, to, (await visit.open(to)).status]).toEqual([role, to, 200]);
  }
});

test("without books and profit there is no total of money on Today, and no Settings without the right", async () => {
  const today = async (role: (typeof ROLES)[number]) => (await visitorAs(client, staff[role])).open("/admin");
  const [desk, accounts] = [await today("DESK"), await today("ACCOUNTS")];
  expect(desk.document.querySelector("main")!.textContent).not.toContain("GH₵");
  for (const text of ["Sales", "Profit before fees and losses", "In agents' wallets"])
    expect(accounts.text).toContain(text);
  expect(desk.text).not.toContain("deposit to decide");
  expect(accounts.text).toContain("1 deposit to decide");
  expect(desk.text).toContain("Orders (0)");
  for (const { document } of [desk, accounts])
    expect(document.querySelector('main a[href="/admin/settings"]')).toBeNull();
});

test("the menu has eight places and two at its foot, those one may open, and lights that of sub-pages", async () => {
  const placesFor = async (person: Person) => {
    const seen = await (await visitorAs(client, person)).open("/admin");
    return [...seen.document.querySelectorAll(".drawer ul")].map((list) =>
      [...list.querySelectorAll("a")].map((a) => `${a.firstChild!.nextSibling!.textContent} ${a.getAttribute("href")}`),
    );
  };
  expect(await placesFor(world.yaw)).toEqual([
    [
      ...["Today /admin", "Orders /orders", "Inbox /admin/support", "Bundles /admin/prices", "Agents /admin/users"],
      ...["Suppliers /admin/vendors", "Money /admin/claims", "Reports /admin/statistics"],
    ],
    ["Settings /admin/settings", "Team /admin/staff"],
  ]);
  expect(await placesFor(staff.DESK)).toEqual([
    [...["Today /admin", "Orders /orders", "Inbox /admin/approvals", "Agents /admin/users"], "Money /admin/cash/mine"],
    ["Team /admin/staff"],
  ]);
  const visit = await visitorAs(client, world.yaw);
  for (const [path, place] of [
    [`/admin/users/${ama.id}`, "/admin/users"],
    ["/admin/desk", "/orders"],
    ["/admin/vendors", "/admin/vendors"],
    ["/admin/claims", "/admin/payments"],
    ["/admin/books", "/admin/payments"],
    ["/admin/texts", "/admin/settings"],
    ["/admin/profit", "/admin/statistics"],
  ] as const) {
    const current = (await visit.open(path)).document.querySelectorAll(".drawer [aria-current]");
    // A link that counts may lead to another tab of its section.
    expect([...current].map((a) => a.querySelector("[data-waiting]")!.getAttribute("data-waiting"))).toEqual([place]);
  }
});

/** Opens the stream; `next` gives its next event, and `end` leaves it. */
async function streamFor(person: Person, token?: string) {
  const controller = new AbortController();
  const cookie = `session=${token ?? (await client.tokenOf(person))}`;
  const response = await client.app.fetch(
    new Request("http://localhost/admin/waiting", { headers: { cookie }, signal: controller.signal }),
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  return {
    response,
    next: async () => (await reader.read()).value,
    end: async () => {
      controller.abort();
      await reader.cancel().catch(() => {});
    },
  };
}

test("the stream gives the counts at once, and again when somebody has done some of the work", async () => {
  const stream = await streamFor(staff.SUPPORT);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const counts = (all: string, requests: string) =>
    `data: ${JSON.stringify({
      "/admin/payments": "1",
      "tab /admin/payments": "1",
      "part /admin/claims": "1",
      all,
      "/admin/support": requests,
      "tab /admin/support": requests,
      "part /admin/support": requests,
      "to /admin/payments": "/admin/claims",
      "to tab /admin/payments": "/admin/claims",
    })}\n\n`;
  expect(await stream.next()).toBe(counts("2", "1"));
  const next = stream.next();
  await file();
  // Any form of staff has all streams read at once what is left.
  await client.browse(world.yaw, "/profile/waiting", { support: "none", key: "any" });
  expect(await next).toBe(counts("3", "2"));
  await stream.end();
});

test("the stream ends with the session", async () => {
  const token = await client.tokenOf(staff.ACCOUNTS);
  const stream = await streamFor(staff.ACCOUNTS, token);
  await stream.next();
  const next = stream.next();
  await sessions.endAll(db, staff.ACCOUNTS.id);
  await client.browse(world.yaw, "/profile/waiting", { support: "none", key: "again" });
  expect(await next).toBe("event: over\ndata:\n\n");
  expect(await stream.next()).toBeUndefined();
});

test("the stream is for staff, and nobody has more than a few", async () => {
  expect((await client.browse(ama, "/admin/waiting")).status).toBe(403);
  const open = await Promise.all(Array.from({ length: 7 }, () => streamFor(staff.MANAGER)));
  expect(open.map(({ response }) => response.status).sort()).toEqual([200, 200, 200, 200, 200, 200, 429]);
  await Promise.all(open.map(({ end }) => end()));
  const again = await streamFor(staff.MANAGER);
  expect(again.response.status).toBe(200);
  await again.end();
});

test("staff choose how they are notified, and a kind that is not theirs stays as it is", async () => {
  const visit = await visitorAs(client, staff.DESK);
  const page = await visit.open("/profile/waiting");
  expect(page.document.querySelector("[name=deposits]")).toBeNull();
  const saved = await visit.press(page, "Save Choice", { desk_orders: "email" });
  expect(saved.text).toContain("Saved.");
  expect(saved.document.querySelector("[name=desk_orders] [selected]")!.getAttribute("value")).toBe("email");
  await client.browse(staff.DESK, "/profile/waiting", { deposits: "sms", key: "k" });
  const rows = await db.execute(
    sql`select kind from waiting_choices where user_id = ${staff.DESK.id} and channel <> 'none'`,
  );
  expect([...rows].map((row) => row.kind)).toEqual(["desk_orders"]);
  expect((await client.browse(ama, "/profile/waiting")).status).toBe(403);
});

test("where one tab of a place has work, its link and its tab lead to that work", async () => {
  const { answer } = await orders.buy(db, {
    by: ama.by(),
    key: null,
    line: { productId: (await world.product("MTN", "1GB", "3.90")).id, msisdn: "0241110001", quantity: 1 },
  });
  await dispatchNow(world, [answer.order.id], DESK);
  overview.changed(db);
  const visit = await visitorAs(client, world.yaw);
  const links = async (path: string, selector: string) => {
    const { document } = await visit.open(path);
    return [...document.querySelectorAll(selector)].map((link) => `${textOf(link)} ${link.getAttribute("href")}`);
  };
  const menu = await links("/admin", "nav.drawer ul a");
  expect(menu).toContainValues(["Orders1 waiting /admin/desk", "Money1 waiting /admin/claims"]);
  expect((await links("/admin/cash", "main .place a"))[0]).toBe("In1 waiting /admin/claims");
});

test("work that somebody has taken says so, and “For me” leaves out what others have", async () => {
  const visit = await visitorAs(client, staff.SUPPORT);
  const requestsOn = async (path: string) => {
    const rows = [...(await visit.open(path)).document.querySelectorAll(".waits a")].map(textOf);
    return rows.filter((row) => row!.includes("to answer"));
  };
  await db.execute(sql`update support_requests set state = 'closed', closed_at = now()`);
  await file();
  expect((await visit.open("/admin")).document.querySelector(".ways")).toBeNull();
  await db.execute(sql`update support_requests set assigned_to_user_id = ${world.yaw.id} where state = 'open'`);
  const taken = "1 support request to answer with others · for under a minute Answer";
  expect([await requestsOn("/admin"), await requestsOn("/admin?show=mine")]).toEqual([[taken], []]);
  await file();
  await db.execute(sql`
    update support_requests set assigned_to_user_id = ${staff.SUPPORT.id}
    where state = 'open' and assigned_to_user_id is null`);
  await file();
  const some = "3 support requests to answer 1 yours · 1 with others · oldest under a minute Answer";
  for (const path of ["/admin", "/admin?show=mine"]) expect([path, await requestsOn(path)]).toEqual([path, [some]]);
  const chosen = (await visit.open("/admin?show=mine")).document.querySelector(".ways [aria-current]");
  expect(textOf(chosen)).toBe("For me");
});

test("each figure of today leads to what it is of, and its profit says that it is before fees", async () => {
  const { document, text } = await (await visitorAs(client, world.yaw)).open("/admin");
  const day = new Date().toISOString().slice(0, 10);
  const ofToday = `from=${day}&to=${day}`;
  const links = [...document.querySelectorAll(".beside dt a")].map((link) => link.getAttribute("href"));
  expect(links).toEqual([...[`/admin/statistics?${ofToday}`, `/admin/profit?${ofToday}`], `/orders?all=1&${ofToday}`]);
  expect(text).toContain("Profit before fees and losses");
  // Nobody has promised a time: there is nothing to say of it.
  const heads = [...document.querySelectorAll(".delivery th")].map(textOf);
  expect(heads).toEqual(["Network", "Delivered", "Median", "Waiting", "Oldest paid"]);
});
