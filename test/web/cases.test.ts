// Support threads and disputes about orders, by forms alone, for agents and admins.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as support from "../../src/core/support/requests.ts";
import { lineFor } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");
const by = yaw.by("admin");
const asAdmin = () => visitorAs(client, yaw);

let people = 0;
async function agent() {
  const person = await world.person(`agent${++people}`, "GH₵ 20.00");
  return { person, visit: await visitorAs(client, person) };
}
async function delivered(person: Person): Promise<number> {
  const { answer } = await orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) });
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(db, { by, key: null, ids: [answer.order.id], to });
  return answer.order.id;
}
async function opened(person: Person) {
  const orderId = await delivered(person);
  const { answer } = await disputes.open(db, {
    by: person.by(),
    key: null,
    orderId,
    message: "Nothing came",
  });
  return { orderId, requestId: answer.id };
}
const ask = async (person: Person, message = "Where is my money?") =>
  (await support.file(db, { by: person.by(), subject: "My wallet", message })).answer.id;
const statusOf = async (id: number) => {
  const [row] = await db.execute<{ status: string }>(sql`select status from orders where id = ${id}`);
  return row!.status;
};
const chipsOf = (seen: Seen) => [...seen.document.querySelectorAll("main .chip")].map((chip) => chip.textContent);
const waitingIn = (seen: Seen) =>
  Number(/\d+/.exec(seen.document.querySelector('.drawer [data-waiting="/admin/support"]')?.textContent ?? "0"));

describe("a thread", () => {
  test("goes back and forth between an agent and an admin until it is closed", async () => {
    const { person, visit } = await agent();
    const id = await ask(person);
    const admin = await asAdmin();
    const inbox = await admin.open("/support");
    expect(inbox.path).toBe("/admin/support");
    const waiting = waitingIn(inbox);
    const page = await admin.open(inbox.document.querySelector(`a[href$='/support/${id}']`)!.getAttribute("href")!);
    expect(page.text).toContain(person.email);
    const answered = await admin.press(page, "Send answer", { message: "Which number?\nAnd when?" });
    expect([answered.path, chipsOf(answered)[0]]).toEqual([`/admin/support/${id}`, "Answered"]);
    expect(waitingIn(answered)).toBe(waiting - 1);

    const list = await visit.open("/support");
    expect(chipsOf(list)).toEqual(["Answered"]);
    const thread = await visit.open(list.document.querySelector(".requests a")!.getAttribute("href")!);
    expect(thread.document.querySelector(".answer .words")!.textContent).toBe("Which number?\nAnd when?");
    expect(thread.text).not.toContain("admin");
    const more = await visit.press(thread, "Send", { message: "0541234567, today" });
    expect([more.path, chipsOf(more)]).toEqual([`/support/${id}`, ["Open"]]);

    const closed = await admin.press(await admin.open(`/admin/support/${id}`), "Close request");
    expect([closed.path, closed.text]).toEqual(["/admin/support", expect.stringContaining("is closed")]);
    const reopened = await visit.press(await visit.open(`/support/${id}`), "Send", { message: "Not solved" });
    expect(chipsOf(reopened)).toEqual(["Open"]);
    expect((await visit.press(reopened, "Close request")).path).toBe("/support");
    expect(chipsOf(await visit.open(`/support/${id}`))).toEqual(["Closed"]);
  });

  test("refuses empty messages, keeps long ones in the field, and shows tags as plain text", async () => {
    const { person, visit } = await agent();
    const id = await ask(person, `<img src=x onerror="alert(1)">`);
    const thread = await visit.open(`/support/${id}`);
    const empty = await visit.press(thread, "Send", { message: "  " });
    expect([empty.status, empty.document.getElementById("reply-message-error")?.textContent]).toEqual([
      422,
      "Write an answer",
    ]);
    const long = await visit.press(thread, "Send", { message: "a".repeat(2_001) });
    expect([long.status, long.document.querySelector("textarea")!.textContent!.length]).toEqual([422, 2_001]);
    for (const seen of [thread, await (await asAdmin()).open(`/admin/support/${id}`)]) {
      expect(seen.document.querySelectorAll("main img").length).toBe(0);
      expect(seen.text).toContain(`<img src=x onerror="alert(1)">`);
    }
  });

  test("is not found by other agents, and opens for an admin on the admin page", async () => {
    const { person } = await agent();
    const id = await ask(person);
    const other = (await agent()).visit;
    expect((await other.open(`/support/${id}`)).status).toBe(404);
    expect((await other.open(`/admin/support/${id}`)).status).toBe(403);
    expect((await other.open("/admin/support")).status).toBe(403);
    const admin = await asAdmin();
    expect((await admin.open(`/support/${id}`)).path).toBe(`/admin/support/${id}`);
    for (const path of ["/support/x", "/admin/support/0", "/admin/support/999999"])
      expect((await admin.open(path)).status).toBe(404);
  });

  test("keeps one message when a page's form is sent twice", async () => {
    const { person, visit } = await agent();
    const id = await ask(person);
    const thread = await visit.open(`/support/${id}`);
    await visit.press(thread, "Send", { message: "Hello?" });
    await visit.press(thread, "Send", { message: "Hello?" });
    expect((await support.messages(db, id)).length).toBe(1);
  });
});

describe("an order that is reported as not received", () => {
  longTest("is reported on its page in two taps, with the next step and deadline, and can be withdrawn", async () => {
    const { person, visit } = await agent();
    const id = await delivered(person);
    const page = await visit.open(`/orders/${id}`);
    expect(page.text).toContain("you will have either proof of delivery, or GH₵ 3.90 back in your wallet");
    expect(page.document.querySelector("details form time")?.getAttribute("datetime")).toMatch(/^20/);
    const reported = await visit.press(page, "Not received");
    expect([reported.path, reported.text]).toEqual([
      `/orders/${id}`,
      expect.stringContaining("You reported this order as not received. We will decide by"),
    ]);
    expect(reported.text).toContain("Reported as not received");
    expect(reported.text).not.toContain("Not received?");
    // Neither its page nor a list goes on saying in green that it arrived.
    const headline = reported.document.querySelector(".headline")!;
    expect(headline.className).toBe("headline warn");
    expect(headline.textContent).toMatch(/^You reported it.*Answer by /s);
    expect(reported.document.querySelectorAll(".headline .good, .crumbs .chip.good")).toHaveLength(0);
    const chip = async (path: string) => (await visit.open(path)).document.querySelector(`[data-order="${id}"] .chip`)!;
    for (const path of ["/orders?all=1", "/dashboard", `/orders/${id}`])
      expect([path, (await chip(path)).className, (await chip(path)).textContent]).toEqual([
        path,
        "chip warn",
        "REPORTED",
      ]);
    // A second press on the same page keeps one dispute.
    expect((await visit.press(page, "Not received")).path).toBe(`/orders/${id}`);
    const thread = await visit.open(reported.document.querySelector(".note a")!.getAttribute("href")!);
    expect(thread.text).toContain(`Order #${id} not received`);
    expect(thread.text).toContain("you are refunded automatically");
    const back = await visit.press(reported, "It has arrived");
    expect(back.text).toContain("Thank you for letting us know");
    expect((await disputes.ofOrder(db, id))!.outcome).toBe("withdrawn");
    expect(back.document.querySelector(".headline")!.className).toBe("headline good");
  });

  test("cannot be reported before delivery, too late, by others, or twice", async () => {
    const { person, visit } = await agent();
    const { answer } = await orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) });
    expect((await visit.open(`/orders/${answer.order.id}`)).text).not.toContain("Not received?");
    expect((await visit.open(`/orders/${answer.order.id}/not-received`)).path).toBe(`/orders/${answer.order.id}`);
    const id = await delivered(person);
    expect((await (await asAdmin()).open(`/orders/${id}`)).text).not.toContain("Not received?");
    expect((await (await agent()).visit.open(`/orders/${id}/not-received`)).status).toBe(404);
    const page = await visit.open(`/orders/${id}/not-received`);
    await db.execute(sql`update order_events set created_at = now() - interval '4 days' where order_id = ${id}`);
    const late = await visit.press(page, "Not received");
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("too late to report")]);
    expect((await visit.open(`/orders/${id}`)).text).not.toContain("Not received?");
  });

  longTest("is first in the inbox, by deadline, and is shown on the order's page for admins", async () => {
    const { person } = await agent();
    const [later, sooner] = [await opened(person), await opened(person)];
    await db.execute(sql`
      update support_requests set due_at = now() + interval '1 hour' where id = ${sooner.requestId}`);
    const admin = await asAdmin();
    const inbox = await admin.open("/admin/support");
    const rows = [...inbox.document.querySelectorAll("tbody a")].map((link) => link.getAttribute("href"));
    expect(rows.indexOf(`/admin/support/${sooner.requestId}`)).toBeLessThan(
      rows.indexOf(`/admin/support/${later.requestId}`),
    );
    await db.execute(sql`
      update support_requests set due_at = now() - interval '1 hour' where id = ${sooner.requestId}`);
    expect((await admin.open("/admin/support")).text).toContain("Overdue");
    const order = await admin.open(`/orders/${sooner.orderId}`);
    expect(order.text).toContain("Its agent reported that it has not arrived.");
    const refused = await admin.press(order, "Complete");
    expect(refused.text).toContain("Decide that dispute first");
    await disputes.endOverdue(db);
  });

  test("is decided as delivered only with proof, which its buyer then reads", async () => {
    const { person, visit } = await agent();
    const { orderId, requestId } = await opened(person);
    const admin = await asAdmin();
    const page = await admin.open(`/admin/support/${requestId}`);
    expect(page.text).toContain("Requester");
    expect(page.text).toContain("What happened");
    const refused = await admin.press(page, "Delivered, with proof", { proof: " " });
    expect([refused.status, refused.document.getElementById("case-proof-error")?.textContent]).toEqual([
      422,
      "Enter the proof of delivery",
    ]);
    const decided = await admin.press(refused, "Delivered, with proof", { proof: "MTN <88120> at 12:04" });
    expect(decided.text).toContain(`order #${orderId} was delivered, with proof`);
    const order = await visit.open(`/orders/${orderId}`);
    expect(order.text).toContain("Delivered, with proof: MTN <88120> at 12:04");
    const thread = await visit.open(`/support/${requestId}`);
    expect(thread.text).toContain("This order was delivered. MTN <88120> at 12:04");
    expect(chipsOf(thread)).toEqual(["Delivered"]);
    // An admin who still has the page open finds it decided.
    const late = await admin.press(page, "Fail the order and refund");
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("already been decided")]);
    expect(await statusOf(orderId)).toBe("DELIVERED");
  });

  test("is decided as a refund, which returns the money", async () => {
    const { person, visit } = await agent();
    const { orderId, requestId } = await opened(person);
    const before = await world.balanceOf(person);
    const admin = await asAdmin();
    const page = await admin.open(`/admin/support/${requestId}`);
    const decided = await admin.press(page, "Fail the order and refund GH₵ 3.90");
    expect(decided.text).toContain("has failed and was refunded");
    expect([await statusOf(orderId), await world.balanceOf(person)]).toEqual(["FAILED", before + bundle.pricePesewas]);
    expect((await visit.open(`/support/${requestId}`)).text).toContain("back in your wallet");
    const auditLog = await admin.open(`/admin/audit?type=support&id=${requestId}`);
    expect(auditLog.text).toContain("Decided dispute");
  });
});

test("the inbox can be filtered and searched, and says when it is empty", async () => {
  const { person } = await agent();
  const id = await ask(person, "A most peculiar <question> of 100%");
  const admin = await asAdmin();
  const found = await admin.press(await admin.open("/admin/support"), "Search", {
    search: "peculiar <quest",
  });
  expect(found.html).toContain(`href="/admin/support/${id}"`);
  expect((await admin.open("/admin/support?search=100_&show=all")).text).toContain("No matching requests");
  expect((await admin.open("/admin/support?show=closed")).html).not.toContain(`href="/admin/support/${id}"`);
  expect((await admin.open("/admin/support?show=lost&cursor=x")).status).toBe(200);
});
