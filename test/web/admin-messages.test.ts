// The admins' list of messages, without scripts: filtered by state, channel, kind and recipient, and sent again.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { addressOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import * as messages from "../../src/core/messaging/messages.ts";
import * as optOuts from "../../src/core/messaging/opt-outs.ts";
import { openApp, openWorld, TEST_JWT_SECRET } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const { db, yaw } = world;
const ama = await world.person("ama");
const admin = await visitorAs(client, yaw);
await db.execute(sql`insert into phones (user_id, msisdn) values (${ama.id}, '233541234567')`);

const rowsOf = (seen: Seen) => seen.document.querySelectorAll("tr[id^=message-]").length;
const sms = { userId: ama.id, channel: "sms", recipient: "233541234567", subject: "" } as const;

test("the list is empty in a new shop, is a tab of the settings, has the address for delivery reports", async () => {
  const page = await admin.open("/admin/settings");
  const link = [...page.document.querySelectorAll(".tabs a")].find((one) => one.textContent === "Messages");
  expect(link?.getAttribute("href")).toMatch(/^\/admin\/(messages|texts|ussd)$/);
  const empty = await admin.open("/admin/messages");
  expect(empty.text).toContain("Nothing has been sent yet.");
  expect(empty.text).toContain("No SMS was sent.");
  const address = addressOf("http://localhost", secretsOf([], TEST_JWT_SECRET), "delivery")!;
  expect(empty.text).toContain(address);
});

test("the list shows the state of each message, and can be filtered and searched", async () => {
  const [failed, , code] = await db.transaction((tx) =>
    messages.queueAll(tx, [
      { ...sms, kind: "order_refunded", body: "GHS 9.00 is back" },
      { ...sms, kind: "order_delivered", body: "It is there" },
      { ...sms, kind: "phone_code", body: "907856 is your code", codeSeconds: 900 },
      {
        ...sms,
        kind: "support_answered",
        channel: "email",
        recipient: ama.email,
        subject: "Hello",
        body: "All\nwell",
      },
    ]),
  );
  await db.execute(
    sql`update messages set state = 'failed', last_error = '403 InvalidPhoneNumber' where id = ${failed!}`,
  );
  const all = await admin.open("/admin/messages");
  expect(rowsOf(all)).toBe(4);
  expect(all.text).toContain("403 InvalidPhoneNumber");
  expect(all.document.getElementById(`message-${code}`)?.textContent).toContain("neither shown nor stored");
  expect(all.html).not.toContain("907856");
  for (const [query, found] of [
    ["state=failed", 1],
    ["state=trouble", 1],
    ["channel=email", 1],
    ["channel=sms&state=queued", 2],
    ["kind=phone_code", 1],
    ["search=0541234567", 3],
    ["search=ama&kind=support_answered", 1],
    ["state=sent", 0],
    ["state=nonsense&channel=pigeon&kind=%00", 4],
  ] as const)
    expect([query, rowsOf(await admin.open(`/admin/messages?${query}`))]).toEqual([query, found]);
  expect((await admin.open("/admin/messages?state=sent")).text).toContain("No matching messages found.");
  const searched = await admin.press(all, "Search", { search: "054 123 4567", state: "failed" });
  expect(rowsOf(searched)).toBe(1);
});

test("an undelivered message is sent again with the filter kept; a second attempt gets an explanation", async () => {
  const [colleague, page] = [await visitorAs(client, yaw), await admin.open("/admin/messages?state=failed")];
  const seen = await colleague.open("/admin/messages?state=failed");
  const after = await admin.press(page, "Send again");
  expect([after.path, after.text.includes("It is on its way again.")]).toEqual(["/admin/messages?state=failed", true]);
  expect(after.text).toContain("Sent again");
  const second = await colleague.press(seen, "Send again");
  expect(second.text).toContain("It was not sent twice.");
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from messages where again_of is not null`,
  );
  expect(row!.count).toBe(1);
  expect((await admin.open("/admin/audit?type=message")).text).toContain("Resent message");
});

test("the page explains why a message cannot be sent again", async () => {
  const [id] = await db.transaction((tx) => messages.queueAll(tx, [{ ...sms, kind: "order_refunded", body: "x" }]));
  const change = sql`update messages set state = 'failed' where id = ${id!}`;
  await db.execute(change);
  const page = await admin.open("/admin/messages?state=failed");
  await db.execute(sql`update phones set msisdn = '233541234568' where user_id = ${ama.id}`);
  const refused = await admin.press(page, "Send again");
  expect(refused.status).toBe(409);
  expect(refused.document.querySelector("[role=alert]")?.textContent).toBe(
    "This phone or e-mail address no longer belongs to the account.",
  );
  expect(rowsOf(refused)).toBe(2);
});

test("the list says by whom an SMS went, and why not by another; a number that stopped gets none again", async () => {
  const [id] = await db.transaction((tx) =>
    messages.queueAll(tx, [{ ...sms, kind: "order_delivered", recipient: "233541234599", body: "x" }]),
  );
  await db.execute(sql`
    insert into sms_attempts (message_id, gateway, outcome, reason)
    values (${id!}, 'africastalking', 'down', '405 InsufficientBalance'),
           (${id!}, 'arkesel', 'accepted', null)`);
  await db.execute(sql`
    update messages set state = 'undelivered', gateway = 'arkesel', report_status = 'EXPIRED' where id = ${id!}`);
  const page = await admin.open("/admin/messages?search=0541234599");
  expect(page.text).toContain("SMS by Arkesel, order delivered");
  expect(page.text).toContain("Africa's Talking: down, 405 InsufficientBalance");
  const gateways = page.document.getElementById("gateways")!.textContent;
  expect(gateways).toContain("Arkesel 1 accepted");
  expect(gateways).toContain("Africa's Talking 1 not sent because of the account");
  await optOuts.stop(db, "233541234599", "sms");
  const refused = await admin.press(page, "Send again");
  expect(refused.document.querySelector("[role=alert]")?.textContent).toContain("has stopped SMS notices");
});
