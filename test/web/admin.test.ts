// Orders for admins, in a browser without scripts: moved one at a time or in bulk, and refunded once.
import { expect, test } from "bun:test";
import * as orders from "../../src/core/buying/buy.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const product = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 100.00");

let numbers = 0;
async function ordered(person: Person = ama) {
  const line = { productId: product.id, msisdn: `0241${String(100_000 + ++numbers)}`, quantity: 1 };
  const { answer } = await orders.buy(world.db, { by: person.by(), key: null, line });
  return answer.order;
}
const statusOf = async (id: number) => (await orderQueries.get(world.db, world.yaw.by(), id)).status;

test("only admins can open admin pages and send their forms", async () => {
  const order = await ordered();
  const visit = await visitorAs(client, ama);
  expect((await visit.open("/admin")).status).toBe(403);
  const answer = await client.browse(ama, "/admin/orders/move", {
    ids: String(order.id),
    to: "FAILED",
    key: "k1",
  });
  expect(answer.status).toBe(403);
  const stranger = await client.browse(null, "/admin/orders/move", {
    ids: String(order.id),
    to: "FAILED",
    key: "k2",
  });
  expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/login"]);
  expect(await statusOf(order.id)).toBe("PENDING");
});

test("an order is moved step by step on its page, whose timeline shows each step", async () => {
  const order = await ordered();
  const visit = await visitorAs(client, world.yaw);
  const path = `/orders/${order.id}`;
  let page = await visit.press(await visit.open(path), "Send it myself");
  expect(page.text).toContain(`Order ${order.id} status updated to PROCESSING. Batch `);
  page = await visit.press(page, "Deliver");
  page = await visit.press(page, "Complete");
  expect(page.text).toContain(`Order ${order.id} status updated to COMPLETED`);
  expect(page.text).toMatch(/Ordered.*Paid GH₵ 3\.90.*Processing.*Delivered.*Completed/);
});

longTest("failing an order refunds it once, however often the button is pressed", async () => {
  const order = await ordered();
  const before = await world.balanceOf(ama);
  const visit = await visitorAs(client, world.yaw);
  const page = await visit.open(`/orders/${order.id}`);
  await Promise.all(
    Array.from({ length: 5 }, () => visit.press(page, "Fail and refund GH₵ 3.90", { reason: "Wrong number" })),
  );
  expect(await statusOf(order.id)).toBe("FAILED");
  expect(await world.balanceOf(ama)).toBe(before + 390);
  // With different keys these are five commands, none of which has anything left to do.
  await client.browse(world.yaw, "/admin/orders/move", { ids: String(order.id), to: "FAILED", key: "again" });
  expect(await world.balanceOf(ama)).toBe(before + 390);
});

test("ticked orders are moved together, and those that cannot be moved are counted with the reason", async () => {
  const [one, two, done] = [await ordered(), await ordered(), await ordered()];
  const visit = await visitorAs(client, world.yaw);
  await visit.press(await visit.open(`/orders/${done.id}`), "Complete");
  const form = new URLSearchParams({ to: "PROCESSING", key: "bulk-1", back: "/orders?all=1" });
  for (const { id } of [one, two, done]) form.append("ids", String(id));
  const answer = await client.app.fetch(
    new Request("http://localhost/admin/orders/move", {
      method: "POST",
      body: form.toString(),
      headers: {
        cookie: [...visit.cookies].map((pair) => pair.join("=")).join("; "),
        origin: "http://localhost",
        "content-type": "application/x-www-form-urlencoded",
      },
    }),
  );
  const notice = decodeURIComponent(answer.headers.get("set-cookie")!);
  // An admin who processes several lands on the batch that they now have to send.
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toMatch(/^\/admin\/desk\/\d+$/);
  expect(notice).toContain("2 orders moved to PROCESSING.");
  expect(notice).toContain("1 not moved:");
  expect([await statusOf(one.id), await statusOf(two.id), await statusOf(done.id)]).toEqual([
    "PROCESSING",
    "PROCESSING",
    "COMPLETED",
  ]);
});

longTest("everything that a filter finds is moved after a preview of what will move and what will not", async () => {
  const kwame = await world.person("kwame", "GH₵ 100.00");
  const [one, two, done] = [await ordered(kwame), await ordered(kwame), await ordered(kwame)];
  const visit = await visitorAs(client, world.yaw);
  await visit.press(await visit.open(`/orders/${done.id}`), "Complete");
  const before = await world.balanceOf(kwame);
  const list = await visit.open("/orders?search=kwame&all=1");
  const asks = await visit.press(list, "Process", { scope: "matching" });
  expect(asks.text).toContain("Will move2");
  expect(asks.text).toContain("Will not move1");
  expect(await statusOf(one.id)).toBe("PENDING");
  const moved = await visit.press(asks, "Send 2 orders myself");
  expect(moved.path).toMatch(/^\/admin\/desk\/\d+$/);
  expect(moved.text).toContain("2 orders moved to PROCESSING.");
  const fails = await visit.press(list, "Fail", { scope: "matching" });
  expect(fails.text).toContain("Refunded to walletsGH₵ 11.70");
  expect(fails.text).toContain("2 of these are in a desk batch and 0 with a supplier");
  const preview = await visit.press(fails, "Move 3 orders");
  expect([preview.status, preview.text]).toEqual([422, expect.stringContaining("Tell the buyers why")]);
  expect(await statusOf(one.id)).toBe("PROCESSING");
  await visit.press(preview, "Move 3 orders", { reason: "No stock" });
  expect(await world.balanceOf(kwame)).toBe(before + 3 * 390);
  for (const order of [one, two, done]) expect(await statusOf(order.id)).toBe("FAILED");
});

test("a new order goes to its route when an admin chooses so, and keeps its status until it is taken", async () => {
  const order = await ordered();
  const visit = await visitorAs(client, world.yaw);
  const page = await visit.press(await visit.open(`/orders/${order.id}`), "Send by route now");
  expect(page.text).toContain(`Order ${order.id} is being sent by its route.`);
  expect(await statusOf(order.id)).toBe("PENDING");
});

test("an order is failed from a list only with a reason, which its buyer reads", async () => {
  const order = await ordered();
  const visit = await visitorAs(client, world.yaw);
  const list = await visit.open("/admin");
  const bare = { ids: String(order.id), to: "FAILED", back: "/admin", key: "bare" };
  const answer = await client.browse(world.yaw, "/admin/orders/move", bare);
  expect(decodeURIComponent(answer.headers.get("set-cookie")!)).toContain("!Enter a reason for failing order");
  expect(await statusOf(order.id)).toBe("PENDING");
  const form = [...list.document.querySelectorAll("form")].find(
    (one) => one.querySelector(`[name=ids][value="${order.id}"]`) && one.querySelector("[name=reason][required]"),
  );
  expect(form).toBeDefined();
  await client.browse(world.yaw, "/admin/orders/move", { ...bare, key: "said", reason: "Wrong network" });
  expect(await statusOf(order.id)).toBe("FAILED");
  const theirs = await visitorAs(client, ama);
  expect((await theirs.open(`/orders/${order.id}`)).text).toContain("Wrong network");
});

test("whoever cancelled an order is “you” to its buyer, and a name to admins", async () => {
  const order = await ordered();
  const theirs = await visitorAs(client, ama);
  const own = await theirs.press(await theirs.open(`/orders/${order.id}`), "Cancel (");
  expect(own.text).toContain("You cancelled this order");
  const seen = await (await visitorAs(client, world.yaw)).open(`/orders/${order.id}`);
  expect(seen.text).toContain("Cancelled by ama");
  expect(seen.text).not.toContain("You cancelled");
});

test("the list asks for orders to be ticked when none is", async () => {
  await ordered();
  const visit = await visitorAs(client, world.yaw);
  const seen = await visit.press(await visit.open("/orders"), "Process");
  expect(seen.text).toContain("Select at least one order");
});

test("an unpaid order proceeds only as paid in cash, by the admin who took the money", async () => {
  const body = { productId: product.id, msisdn: "0549999999", quantity: 1 };
  const { id } = (await client.call(ama, "POST", "/api/v1/orders", body)).body;
  const visit = await visitorAs(client, world.yaw);
  const refused = await client.browse(world.yaw, "/admin/orders/move", {
    ids: String(id),
    to: "COMPLETED",
    key: "u",
  });
  expect(decodeURIComponent(refused.headers.get("set-cookie")!)).toContain("This order has not been paid yet");
  const page = await visit.press(await visit.open(`/orders/${id}`), "I took GH₵ 3.90 in cash: Complete");
  expect(page.text).toContain("In cash");
  expect(await statusOf(id)).toBe("COMPLETED");
});

longTest("a list keeps its whole state in its address: search, filters, and the link to older orders", async () => {
  const kofi = await world.person("kofi", "GH₵ 300.00");
  for (let i = 0; i < 55; i++) await ordered(kofi);
  const visit = await visitorAs(client, kofi);
  const rowsIn = ({ document }: Seen) => document.querySelectorAll(".row-list > li").length;
  const first = await visit.open("/orders");
  expect(rowsIn(first)).toBe(50);
  const older = first.document.querySelector("a[rel=next]")!.getAttribute("href")!;
  expect(rowsIn(await visit.open(older))).toBe(5);

  const last = first.document.querySelector(".row-link strong")!.textContent;
  const found = await visit.open(`/orders?search=${encodeURIComponent(last)}`);
  expect(rowsIn(found)).toBe(1);
  expect((await visit.open("/orders?status=FAILED")).text).toContain("No matching orders found");
  expect((await visit.open("/orders?status=nonsense&cursor=-1&from=x")).status).toBe(200);
});

test("an agent without orders is shown where to begin", async () => {
  const esi = await visitorAs(client, await world.person("esi"));
  expect((await esi.open("/orders")).text).toContain("No orders found");
  expect((await esi.open("/dashboard")).text).toContain("Sell your first bundle");
});

test("a success notice fades on admins' pages and stays on agents'; a warning stays", async () => {
  const order = await ordered();
  const visit = await visitorAs(client, world.yaw);
  const page = await visit.open(`/orders/${order.id}`);
  const done = (await visit.press(page, "Complete")).document.querySelector("[role=status]")!;
  expect([done.className, done.textContent]).toEqual([
    "note good passing",
    `Order ${order.id} status updated to COMPLETED`,
  ]);
  const sent = await client.browse(world.yaw, "/admin/orders/move", { to: "PROCESSING", back: "/admin" });
  expect(decodeURIComponent(sent.headers.get("set-cookie")!)).toContain("!Select at least one order");
  // An agent has unlimited time to read about their money.
  const theirs = await visitorAs(client, ama);
  const own = await ordered();
  const cancelled = await theirs.press(await theirs.open(`/orders/${own.id}`), "Cancel (");
  expect(cancelled.document.querySelector("[role=status]")!.className).toBe("note good");
});

test("Today can be refreshed and leads to the settings; what is of all time is folded below it", async () => {
  const seen = await (await visitorAs(client, world.yaw)).open("/admin");
  expect(seen.document.querySelector("details.fold:not([open]) > summary")!.textContent).toBe("All-time figures");
  const paths = [...seen.document.querySelectorAll(".head .actions a")].map((a) => a.getAttribute("href"));
  expect(paths).toEqual(["/admin", "/admin/settings"]);
});
