// An order's page for admins, without scripts: the possible transitions with their effects, and notes.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as afa from "../../src/core/afa/registrations.ts";
import * as orders from "../../src/core/buying/buy.ts";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { DESK } from "../../src/shared/domain.ts";
import { longTest } from "../support/long.ts";
import { dispatchNow } from "../support/pages.ts";
import { setCost } from "../support/profit.ts";
import { openApp, openWorld, type Person, TEST_CARDS } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 100.00");
let numbers = 0;
const line = () => ({ productId: bundle.id, msisdn: `0241${String(200_000 + ++numbers)}`, quantity: 1 });
const bought = async (person: Person = ama) =>
  (await orders.buy(world.db, { by: person.by(), key: null, line: line() })).answer.order;
const asAdmin = () => visitorAs(client, world.yaw);
const linksOf = (seen: Seen) => [...seen.document.querySelectorAll(".facts a")].map((a) => a.getAttribute("href"));
/** The notice that an answer leaves for the next page. */
const noticeOf = (response: Response) =>
  decodeURIComponent(/notice=([^;]*)/.exec(response.headers.getSetCookie().join(" "))?.[1] ?? "");
const BUTTON = "Fail and refund GH₵ 3.90";

describe("a refund", () => {
  test("shows who gets how much back, and the wallet's balance afterwards", async () => {
    const kofi = await world.person("kofi", "GH₵ 10.00");
    const order = await bought(kofi);
    const seen = await (await asAdmin()).open(`/orders/${order.id}`);
    const dialog = seen.document.getElementById("refund")!;
    expect(dialog.textContent).toMatch(
      /Goes back tokofi \(ID \d+\)AmountGH₵ 3\.90Wallet nowGH₵ 6\.10Wallet afterwardsGH₵ 10\.00/,
    );
    // The first press of the page's button only opens the popover.
    const opener = seen.document.querySelector("[popovertarget=refund]")!;
    expect([opener.getAttribute("type"), dialog.getAttribute("popover")]).toEqual(["button", "auto"]);
  });

  test("needs a reason, happens once, and shows the agent that reason", async () => {
    const order = await bought();
    const before = await world.balanceOf(ama);
    const visit = await asAdmin();
    const page = await visit.open(`/orders/${order.id}`);
    const silent = await visit.press(page, BUTTON, { reason: "  " });
    expect([silent.status, silent.document.getElementById("refund-reason-error")?.textContent]).toEqual([
      422,
      "Say why",
    ]);
    // Only a person can open a popover, so a refused form is shown in the page itself.
    expect(silent.document.getElementById("refund")!.hasAttribute("popover")).toBe(false);
    expect(await world.balanceOf(ama)).toBe(before);
    const reason = "<script>alert(1)</script> wrong number";
    const sent = await Promise.all([1, 2, 3].map(() => visit.press(silent, BUTTON, { reason })));
    expect(sent[0]!.text).toContain("GH₵ 3.90 is refunded: the agent's wallet now holds GH₵ 100.00.");
    expect(await world.balanceOf(ama)).toBe(before + 390);
    const theirs = await (await visitorAs(client, ama)).open(`/orders/${order.id}`);
    expect(theirs.text).toContain(reason);
    expect(theirs.html).not.toContain("<script>alert");
  });

  test("of an order that has failed in the meantime is refused with a message", async () => {
    const order = await bought();
    const visit = await asAdmin();
    const page = await visit.open(`/orders/${order.id}`);
    const gone = { by: world.yaw.by("admin"), key: null, orderId: order.id, to: "FAILED" as const };
    await statusChanges.moveOne(world.db, gone);
    const seen = await visit.press(page, BUTTON, { reason: "Late" });
    expect(seen.status).toBe(409);
    expect(seen.text).toContain("That status change is not allowed");
    expect(seen.document.querySelector(".moves")).toBeNull();
  });

  test("of one's own order is not offered: it would be refused", async () => {
    const boss = await world.person("boss", "GH₵ 20.00", ["ADMIN"]);
    const visit = await visitorAs(client, boss);
    const order = await bought(boss);
    const page = await visit.open(`/orders/${order.id}`);
    expect(page.text).toContain("It is your own: a colleague can refund it.");
    expect(page.document.querySelector("#refund, [popovertarget=refund]")).toBeNull();
    const row = (await visit.open("/orders?all=1")).document.querySelector(`[data-name="order ${order.id}"]`)!;
    expect(row.textContent).not.toContain("Fail");
  });

  test("can only be given by an admin", async () => {
    const order = await bought();
    const answer = await client.browse(ama, `/admin/orders/${order.id}`, { action: "refund", reason: "x" });
    expect(answer.status).toBe(403);
    expect((await (await visitorAs(client, ama)).open(`/orders/${order.id}`)).text).not.toContain("Refund");
  });
});

test("each transition is a button that states its effect; unpaid orders ask whether cash was received", async () => {
  const visit = await asAdmin();
  const paid = await visit.open(`/orders/${(await bought()).id}`);
  expect(paid.text).toContain("the agent can no longer cancel it");
  // One is what is mostly pressed next.
  const main = paid.document.querySelectorAll(".moves button:not(.quiet, .danger)");
  expect([...main].map((button) => button.firstChild!.textContent)).toEqual(["Send by route now"]);
  const { answer: unpaid } = await unpaidOrders.create(world.db, { by: ama.by(), key: null, line: line() });
  const page = await visit.open(`/orders/${unpaid.id}`);
  expect(page.text).toContain("Nothing was paid, so nothing goes back.");
  const moved = await visit.press(page, "I took GH₵ 3.90 in cash: send it myself");
  expect(moved.text).toContain(`Order ${unpaid.id} status updated to PROCESSING`);
  expect(moved.text).toContain("In cash");
});

test("an order that nobody sends yet is waiting for staff, and on its way for its agent", async () => {
  const { id } = await bought();
  const stateFor = async (visit: ReturnType<typeof asAdmin>) => {
    const page = await (await visit).open(`/orders/${id}`);
    return [page.document.querySelector(".state")!.textContent, page.document.title];
  };
  expect(await stateFor(asAdmin())).toEqual(["Waiting to be sent", expect.stringContaining("Waiting to be sent: ")]);
  expect(await stateFor(visitorAs(client, ama))).toEqual(["On its way", expect.stringContaining("On its way: ")]);
});

/** The buttons of an order's page that move it, each with what it does; the filled one has a star. */
const transitionsOn = ({ document }: Seen) =>
  [...document.querySelectorAll(".moves li")].map((move) => {
    const button = move.querySelector(".tiny")!;
    const name = button.firstChild!.textContent + (button.matches(".quiet, .danger") ? "" : "*");
    return [name, move.lastElementChild!.textContent];
  });

test("while a supplier has an order and is not late, what comes next is its answer and no button", async () => {
  const { id } = await bought();
  await statusChanges.moveOne(world.db, { by: world.yaw.by("admin"), key: null, orderId: id, to: "PROCESSING" });
  await world.db.execute(sql`update attempts set vendor = 'hubnet', desk_batch_id = null where order_id = ${id}`);
  const names = async () => transitionsOn(await (await asAdmin()).open(`/orders/${id}`)).map(([name]) => name);
  expect(await names()).toEqual(["Deliver", "Complete", "Refund …"]);
  await world.db.execute(sql`update orders set deliver_by = now() - interval '1 minute' where id = ${id}`);
  expect(await names()).toEqual(["Deliver*", "Complete", "Refund …"]);
});

test("of a reported order the report is to be decided, first of all", async () => {
  const { id } = await bought();
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.moveOne(world.db, { by: world.yaw.by("admin"), key: null, orderId: id, to });
  const dispute = await disputes.open(world.db, { by: ama.by("web"), key: null, orderId: id, message: "Nothing" });
  const path = `/admin/support/${dispute.answer.id}`;
  const page = await (await asAdmin()).open(`/orders/${id}`);
  const [first, ...others] = transitionsOn(page);
  expect(first).toEqual([
    "Decide …*",
    expect.stringMatching(/^Its agent reported that it has not arrived\. Answer by /),
  ]);
  expect(others.map(([name]) => name)).toEqual(["Complete", "Refund …"]);
  expect(page.document.querySelectorAll(`main a[href="${path}"]`).length).toBe(1);
  const support = await visitorAs(client, await world.person("answers", undefined, ["SUPPORT"]));
  expect(transitionsOn(await support.open(`/orders/${id}`)).map(([name]) => name)).toContain("Decide …*");
});

test("a registration is submitted to MTN by hand: nobody sends it, and no batch is made", async () => {
  await products.ensureAfa(world.db);
  const person = { fullName: "Efua Mensah", phone: "0544100123", ghCardId: "GHA-400111222-6", location: "Tamale" };
  const { answer } = await afa.register(world.db, TEST_CARDS, { by: ama.by(), key: null, people: [person] });
  const { id } = answer.registrations[0]!;
  const visit = await asAdmin();
  const page = await visit.open(`/orders/${id}`);
  expect(page.document.querySelector(".state")!.textContent).toBe("Waiting to be submitted");
  expect(page.text).toContain("Who has it: Nobody yet; submit it under AFA.");
  expect(page.document.querySelector(".next a")!.getAttribute("href")).toBe(`/admin/afa/${id}`);
  expect(transitionsOn(page)).toEqual([
    ["Mark as sent to MTN*", "You submitted it to MTN. Its agent can no longer cancel it."],
    ["Mark as registered", "MTN has registered the number."],
    ["Refund …", expect.stringMatching(/^It will not be registered\. .* unless it turns out to be registered\.$/)],
  ]);
  const row = (await visit.open("/orders?all=1")).document.querySelector(`[data-name="order ${id}"]`)!;
  expect([...row.querySelectorAll(".quiet")].map((button) => button.firstChild!.textContent)).toEqual([
    "Sent",
    "Registered",
  ]);
  const sent = await visit.press(page, "Mark as sent to MTN");
  expect(sent.document.querySelector(".state")!.textContent).toBe("Sent to MTN");
  expect(sent.text).toContain("Who has it: MTN.");
  expect(sent.text).not.toContain("Batch");
  expect(transitionsOn(sent)[0]![0]).toBe("Mark as registered*");
});

test("an order says at its top who has it and for how long, and leads to the older and the newer one", async () => {
  const ids = [(await bought()).id, (await bought()).id, (await bought()).id];
  const visit = await asAdmin();
  const page = await visit.open(`/orders/${ids[1]}`);
  expect(page.document.querySelector(".result .next")!.textContent).toMatch(/^Who has it: .*\. Paid .* ago\.$/);
  const beside = [...page.document.querySelectorAll(".crumbs [rel]")].map((a) => a.getAttribute("href"));
  expect(beside).toEqual([`/orders/${ids[0]}`, `/orders/${ids[2]}`]);
  await dispatchNow(world, [ids[1]!], DESK);
  expect((await visit.open(`/orders/${ids[1]}`)).text).toMatch(
    /Who has it: Waiting at the desk, for under a minute\. Paid under a minute ago\./,
  );
  const agents = await (await visitorAs(client, ama)).open(`/orders/${ids[1]}`);
  expect(agents.document.querySelector(".crumbs [rel]")).toBeNull();
  expect(agents.text).not.toContain("Who has it");
});

test("what the shop earns by an order is read by those who may see profit, and on no customer's paper", async () => {
  const { id } = await bought();
  await setCost(world.db, id, 380);
  await dispatchNow(world, [id], DESK);
  const SECRETS = ["Supplier", "Group", "Cost", "Profit"];
  const factsFor = async (person: Person) => {
    const { document } = await (await visitorAs(client, person)).open(`/orders/${id}`);
    const names = [...document.querySelectorAll(".facts dt")];
    const secret = names.filter(({ textContent }) => SECRETS.includes(textContent));
    expect(secret.every((name) => name.matches(".no-paper") && name.nextElementSibling!.matches(".no-paper"))).toBe(
      true,
    );
    return secret.map((name) => `${name.textContent}: ${name.nextElementSibling!.textContent}`);
  };
  const earned = ["Supplier: The desk", "Group: Standard", "Cost: GH₵ 3.80, expected", "Profit: GH₵ 0.10 (2.6%)"];
  for (const role of ["ADMIN", "MANAGER", "ACCOUNTS"] as const)
    expect([role, await factsFor(await world.person(`sees-${role.toLowerCase()}`, undefined, [role]))]).toEqual([
      role,
      earned,
    ]);
  for (const role of ["DESK", "SUPPORT"] as const)
    expect([role, await factsFor(await world.person(`works-${role.toLowerCase()}`, undefined, [role]))]).toEqual([
      role,
      ["Supplier: The desk"],
    ]);
  expect(await factsFor(ama)).toEqual([]);
  const theirs = await (await visitorAs(client, ama)).open(`/orders/${id}`);
  expect(theirs.html).not.toMatch(/3\.80|Profit|Supplier/);

  await setCost(world.db, id, null);
  expect(await factsFor(world.yaw)).toEqual([...earned.slice(0, 2), "Cost: Not known"]);
});

test("of an order that failed nothing was earned", async () => {
  const { id } = await bought();
  await setCost(world.db, id, 380);
  await statusChanges.moveOne(world.db, { by: world.yaw.by("admin"), key: null, orderId: id, to: "FAILED" });
  const { text } = await (await asAdmin()).open(`/orders/${id}`);
  expect(text).toContain("GroupStandard");
  expect(text).not.toMatch(/cost|Profit/i);
});

test("an order links to its owner, to other orders for its number and to its bulk order", async () => {
  const lines = [line(), line()];
  const { answer } = await buyBulk(world.db, { by: ama.by(), key: null, lines });
  const [order] = answer.orders;
  await bought();
  const visit = await asAdmin();
  const page = await visit.open(`/orders/${order!.id}`);
  const links = linksOf(page);
  expect(links).toEqual([
    `/admin/users/${ama.id}`,
    `/orders?search=${lines[0]!.msisdn}&all=1`,
    `/orders?bulk=${answer.bulkOrderId}&all=1`,
  ]);
  for (const path of [`/admin/audit?type=order&id=${order!.id}`, `/orders/${order!.id}/receipt`])
    expect([path, page.document.querySelectorAll(`main a[href="${path}"]`).length]).toEqual([path, 1]);
  const rows = async (path: string) => (await visit.open(path)).document.querySelectorAll(".orders tbody tr").length;
  expect(await rows(links[1]!)).toBe(1);
  expect(await rows(links[2]!)).toBe(2);
});

describe("a note", () => {
  const note = "Sent at 10:04\n<b>by</b> the supplier";

  test("is only for admins unless it is ticked for the agent, on pages and in the API", async () => {
    const order = await bought();
    const visit = await asAdmin();
    let page = await visit.open(`/orders/${order.id}`);
    page = await visit.press(page, "Add note", { note });
    expect(page.text).toContain("Note added, for staff only.");
    expect(page.text).toMatch(/Note ?Staff only.*<b>by<\/b> the supplier.*by admin/);
    expect(page.html).not.toContain("<b>by");
    page = await visit.press(page, "Add note", { note: "On its way", forAgent: "yes" });
    expect(page.text).toContain("the agent can read it");

    const theirs = await (await visitorAs(client, ama)).open(`/orders/${order.id}`);
    expect(theirs.text).toContain("On its way");
    expect(theirs.html).not.toMatch(/Sent at 10:04|Staff only|by <bdi>admin/);
    const path = `/api/v1/orders/${order.id}`;
    const [forAma, forYaw] = [await client.call(ama, "GET", path), await client.call(world.yaw, "GET", path)];
    expect(JSON.stringify(forAma.body)).not.toContain("Sent at 10:04");
    expect(forAma.body.timeline.at(-1)).toMatchObject({ event: "note", note: "On its way" });
    expect(forAma.body.timeline.at(-1)).not.toHaveProperty("internal");
    expect(forYaw.body.timeline.at(-2)).toMatchObject({ event: "note", note, internal: true });
  });

  test("that is empty or too long is refused beside its field, and keeps what was typed", async () => {
    const order = await bought();
    const visit = await asAdmin();
    const page = await visit.open(`/orders/${order.id}`);
    const isOpen = (seen: Seen) => seen.document.getElementById("note-note")!.closest("details")!.hasAttribute("open");
    expect(isOpen(page)).toBe(false);
    const refusal = async (typed: string) => {
      const seen = await visit.press(page, "Add note", { note: typed });
      expect([seen.document.getElementById("note-note")!.textContent, isOpen(seen)]).toEqual([typed, true]);
      return seen.document.getElementById("note-note-error")?.textContent;
    };
    expect(await refusal("   ")).toBe("Write a note");
    expect(await refusal("x".repeat(1001))).toBe("At most 1000 characters");
  });

  test("can be written through the API, once for each key", async () => {
    const order = await bought();
    const path = `/api/v1/admin/orders/${order.id}/notes`;
    const post = (body: unknown, key: string) => client.call(world.yaw, "POST", path, body, { "idempotency-key": key });
    const [first, again] = [await post({ note: "a" }, "n1"), await post({ note: "a" }, "n1")];
    expect(first).toMatchObject({ status: 201, body: { event: "note", note: "a", internal: true } });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await post({ note: "b" }, "n1")).body.code).toBe("request.key_reused");
    expect((await post({ note: "b", forAgent: "yes" }, "n2")).status).toBe(422);
    expect((await client.call(ama, "POST", path, { note: "a" })).status).toBe(403);
  });
});

test("an agent cannot see somebody else's orders by naming a user or a bulk order", async () => {
  const kwame = await world.person("kwame", "GH₵ 10.00");
  const { answer } = await buyBulk(world.db, { by: kwame.by(), key: null, lines: [line(), line()] });
  const visit = await visitorAs(client, ama);
  for (const filter of [`bulk=${answer.bulkOrderId}`, `user=${kwame.id}&bulk=${answer.bulkOrderId}`]) {
    const { document } = await visit.open(`/orders?all=1&${filter}`);
    expect(document.querySelectorAll(".row-link").length).toBe(0);
    expect((await visit.open(`/orders/export?kind=all&${filter}`)).html.trim().split("\n")).toHaveLength(1);
  }
});

describe("all orders, filtered by user,", () => {
  longTest("are found by id, full name, or a part that only one user has; the address then holds the id", async () => {
    const esi = await world.person("esi-of-accra", "GH₵ 10.00");
    const order = await bought(esi);
    const visit = await asAdmin();
    for (const query of [String(esi.id), "ESI-of-accra", "of-accra", "esi-of-accra@example.com"]) {
      const seen = await visit.press(await visit.open("/orders"), "Search", { user: query });
      expect(new URLSearchParams(seen.path.split("?")[1]).get("user")).toBe(String(esi.id));
      expect([...seen.document.querySelectorAll(".at-id")].map((id) => id.textContent)).toEqual([`#${order.id}`]);
    }
  });

  test("are none when the user is unknown, not everybody's: in lists, exports and bulk transitions", async () => {
    const order = await bought();
    const visit = await asAdmin();
    for (const user of ["nobody-at-all", "%", "999999", "-1"]) {
      const query = `all=1&user=${encodeURIComponent(user)}`;
      const seen = await visit.open(`/orders?${query}`);
      expect(seen.document.querySelectorAll(".orders tbody tr").length).toBe(0);
      expect((await visit.open(`/orders/export?kind=all&${query}`)).html.trim().split("\n")).toHaveLength(1);
      const form = { scope: "matching", query: `?${query}`, to: "FAILED", bulk: "yes", sure: "yes" };
      await client.browse(world.yaw, "/admin/orders/move", form);
    }
    const { body } = await client.call(world.yaw, "GET", `/api/v1/orders/${order.id}`);
    expect(body.status).toBe("PENDING");
  });
});

describe("a refund by mistake", () => {
  test("is taken back from the order's page, with the evidence that its agent reads", async () => {
    const esi = await world.person("esi-back", "GH₵ 10.00");
    const { id: order } = await bought(esi);
    const visit = await asAdmin();
    const failed = await visit.press(await visit.open(`/orders/${order}`), BUTTON, {
      reason: "It never came",
    });
    expect(failed.text).toContain("Delivered after all?");
    const bare = await visit.press(failed, "Take GH₵ 3.90 back", { reason: " " });
    expect([bare.status, bare.text.includes("Say what shows that it was delivered")]).toEqual([422, true]);
    const back = await visit.press(bare, "Take GH₵ 3.90 back", {
      reason: "MTN shows 10:04",
      to: "COMPLETED",
    });
    expect(back.text).toContain(`GH₵ 3.90 is taken back: order ${order} is COMPLETED`);
    expect(back.text).toContain("Refund of GH₵ 3.90 taken back: MTN shows 10:04");
    const own = await (await visitorAs(client, esi)).open(`/orders/${order}`);
    expect(own.text).toContain("Refund of GH₵ 3.90 taken back: MTN shows 10:04");
    const money = await (await visitorAs(client, esi)).open("/wallet");
    expect(money.text).toContain("Refund taken back");
    expect(await world.balanceOf(esi)).toBe(610);
  });

  test("says how much of it is missing, and is refused when the money went meanwhile", async () => {
    const esi = await world.person("esi-spent", "GH₵ 3.90");
    const { id: order } = await bought(esi);
    const visit = await asAdmin();
    const failed = await visit.press(await visit.open(`/orders/${order}`), BUTTON, {
      reason: "It never came",
    });
    await bought(esi);
    const refused = await visit.press(failed, "Take GH₵ 3.90 back", { reason: "MTN shows 10:04" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("only GH₵ 0.00 can be taken from the wallet");
    const later = await visit.open(`/orders/${order}`);
    expect(later.text).toContain("GH₵ 3.90 of the refund is spent or held.");
  });
});

test("nobody is offered to take cash for their own order; sent anyway, it is refused in whole sentences", async () => {
  const unpaid = async (person: Person) =>
    (await unpaidOrders.create(world.db, { by: person.by("web"), key: null, line: line() })).answer.id;
  const [own, other] = [await unpaid(world.yaw), await unpaid(ama)];
  const visit = await asAdmin();
  const page = await visit.open(`/orders/${own}`);
  expect(page.text).toContain("You cannot decide about your own account. Ask somebody else with this right.");
  expect(page.text).not.toContain("paid in cash");
  expect((await visit.open(`/orders/${other}`)).text).toContain("Send it myself, paid in cash");
  const listed = await visit.open("/orders?all=1");
  const cash = (id: number) => listed.text.includes(`Cash … for order ${id}`);
  expect([cash(own), cash(other)]).toEqual([false, true]);
  const form = { ids: String(own), to: "PROCESSING desk cash", back: `/orders/${own}`, key: "own" };
  const sent = await client.browse(world.yaw, "/admin/orders/move", form);
  expect(noticeOf(sent)).toBe(
    `!Order ${own} was not moved. You cannot decide about your own account. Ask somebody else with this right.`,
  );
  expect((await visit.open(`/orders/${own}`)).text).toContain("Not paid");
});
