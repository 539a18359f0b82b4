// Requests to support, by forms alone: in general, about an order, and as admins see them.
import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { supportRequests } from "../../db/schema/support.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, type Visitor, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");

let people = 0;
async function agent() {
  const person = await world.person(`asker${++people}`, "GH₵ 10.00");
  return { person, visit: await visitorAs(client, person) };
}
async function orderOf(person: Person): Promise<number> {
  const line = { productId: bundle.id, msisdn: "0541234567", quantity: 1, pay: "wallet" };
  return (await client.call(person, "POST", "/api/v1/orders", line)).body.id;
}
const filed = ({ id }: Person) =>
  world.db.select().from(supportRequests).where(eq(supportRequests.userId, id)).orderBy(supportRequests.id);
const errorOf = (seen: Seen, field: string) => seen.document.getElementById(`field-${field}-error`)?.textContent;

const ASK = "Submit Request";
const REPORT = "Submit Report";
const letter = {
  fullName: "Ama Mensah",
  email: "ama.shop@example.com",
  subject: "My wallet",
  message: "Line one\nLine two",
};

describe("a request to support", () => {
  test("is kept as it was written, and listed among the agent's own as open", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/support");
    const filled = ["fullName", "email"].map((name) =>
      page.document.querySelector(`[name=${name}]`)?.getAttribute("value"),
    );
    expect(filled).toEqual([person.username, person.email]);
    const seen = await visit.press(page, ASK, letter);
    expect([seen.path, seen.text]).toEqual([
      "/support",
      expect.stringContaining("Your request has been sent. Support will answer here."),
    ]);
    expect(await filed(person)).toMatchObject([{ ...letter, subjectType: "general", subjectId: null, state: "open" }]);
    const [row] = seen.document.querySelectorAll(".requests li");
    expect(row!.textContent).toContain("My wallet");
    expect(row!.querySelector(".chip")!.textContent).toBe("Open");
    expect((await (await agent()).visit.open("/support")).text).toContain("You have no requests yet.");
  });

  for (const [field, value, message] of [
    ["fullName", " ", "Enter your full name"],
    ["email", "ama", "Enter a valid email address"],
    ["subject", "", "Enter a subject"],
    ["message", "", "Say what happened"],
  ] as const) {
    test(`without a valid ${field} is refused beside the field, and keeps the rest`, async () => {
      const { person, visit } = await agent();
      const seen = await visit.press(await visit.open("/support"), ASK, { ...letter, [field]: value });
      expect([seen.status, errorOf(seen, field)]).toEqual([422, message]);
      if (field !== "message") expect(seen.document.querySelector("textarea")!.textContent).toBe(letter.message);
      expect(await filed(person)).toEqual([]);
    });
  }

  test("with a tag, quotes and ten thousand characters does no harm", async () => {
    const { visit } = await agent();
    const subject = `<script>alert("1")</script>`;
    const seen = await visit.press(await visit.open("/support"), ASK, { ...letter, subject });
    expect(seen.html).not.toContain("<script>alert");
    expect(seen.text).toContain(subject);
    const long = await visit.press(seen, ASK, { ...letter, message: "a".repeat(10_000) });
    expect(long.status).toBe(422);
  });

  test("that is sent twice from one page is one request", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/support");
    await visit.press(page, ASK, letter);
    await visit.press(page, ASK, letter);
    expect((await filed(person)).length).toBe(1);
  });

  test("is refused with a message after ten in a day", async () => {
    const { person, visit } = await agent();
    for (let i = 0; i < 10; i++) await visit.press(await visit.open("/support"), ASK, letter);
    const seen = await visit.press(await visit.open("/support"), ASK, letter);
    expect([seen.status, seen.text]).toEqual([
      429,
      expect.stringContaining("You have sent too many requests to support."),
    ]);
    expect((await filed(person)).length).toBe(10);
  });
});

test("support's contact details come from the settings, also for somebody who cannot log in", async () => {
  const { visit } = await agent();
  const bare = await visit.open("/support");
  // Hours of nobody whom one could reach say nothing.
  expect(bare.text).not.toContain("Mon-Fri 9AM-5PM");
  expect(bare.html).not.toContain("mailto:");
  const by = world.yaw.by("admin");
  await settings.change(world.db, { by, values: { support_email: "help@example.com" } });
  await settings.change(world.db, { by, values: { support_phone: "030 000 0000" } });
  for (const seen of [await visit.open("/support"), await visitor(client.app).open("/forgot-password")]) {
    expect(seen.text).toContain("help@example.com");
    expect(seen.text).toContain("Mon-Fri 9AM-5PM");
    expect(seen.document.querySelector("a[href='tel:0300000000']")?.textContent).toBe("030 000 0000");
  }
});

test("WhatsApp is offered once the owner has entered a number, in any form that people write", async () => {
  const { visit } = await agent();
  const linkIn = (seen: Seen) => seen.document.querySelector("main a[href^='https://wa.me/']");
  expect(linkIn(await visit.open("/support"))).toBeNull();
  const by = world.yaw.by("admin");
  for (const [number, path] of [
    ["024 000 0000", "https://wa.me/233240000000"],
    ["+44 20 7946 0000", "https://wa.me/442079460000"],
  ] as const) {
    await settings.change(world.db, { by, values: { support_whatsapp: number } });
    for (const seen of [await visit.open("/support"), await visitor(client.app).open("/forgot-password")]) {
      expect(linkIn(seen)?.getAttribute("href")).toBe(path);
      expect(seen.text).toContain(number);
    }
  }
});

describe("a report about an order", () => {
  test("is sent from the order's page, and names the order", async () => {
    const { person, visit } = await agent();
    const id = await orderOf(person);
    const seen = await visit.press(await visit.open(`/orders/${id}`), REPORT, { message: "Nothing came" });
    expect([seen.path, seen.text]).toEqual([
      `/orders/${id}`,
      expect.stringContaining(`Your report about order #${id}`),
    ]);
    expect(await filed(person)).toMatchObject([{ subjectType: "order", subjectId: id, message: "Nothing came" }]);
    const own = await visit.open("/support");
    expect(own.document.querySelector(`.requests a[href="/orders/${id}"]`)?.textContent).toBe(`Order #${id}`);
  });

  test("is sent from My Orders by the order's id, with or without a message", async () => {
    const { person, visit } = await agent();
    const id = await orderOf(person);
    const seen = await visit.press(await visit.open("/orders"), REPORT, { orderId: ` #${id} ` });
    expect(seen.path).toBe(`/orders/${id}`);
    expect(await filed(person)).toMatchObject([{ subjectType: "order", subjectId: id }]);
  });

  test("of somebody else, or about no order, is not found, and nothing is filed", async () => {
    const { person, visit } = await agent();
    const foreign = await orderOf((await agent()).person);
    const empty = await visit.press(await visit.open("/orders"), REPORT, { orderId: " " });
    expect(empty.document.getElementById("report-orderId-error")?.textContent).toBe("Enter the order ID");
    for (const orderId of [String(foreign), "999999", "0", "-1", "1e3", "x".repeat(100)]) {
      const seen = await visit.press(await visit.open("/orders"), REPORT, { orderId });
      expect([seen.path, seen.status]).toEqual(["/orders/report", 404]);
      expect(seen.document.getElementById("report-orderId-error")?.textContent).toBe("Order not found");
    }
    expect(await filed(person)).toEqual([]);
    // Admins see every order, but report only their own.
    const admin = await visitorAs(client, world.yaw);
    const refused = await admin.press(await admin.open("/orders/report"), REPORT, {
      orderId: String(foreign),
    });
    expect(refused.status).toBe(404);
  });
});

test("an admin sees everybody's requests, newest first, and an agent only their own", async () => {
  const first = await agent();
  const second = await agent();
  await first.visit.press(await first.visit.open("/support"), ASK, { ...letter, subject: "The earlier one" });
  await second.visit.press(await second.visit.open("/support"), ASK, { ...letter, subject: "The later one" });
  const seen = await (await visitorAs(client, world.yaw)).open("/support");
  expect(seen.text.indexOf("The later one")).toBeLessThan(seen.text.indexOf("The earlier one"));
  expect(seen.text).toContain(first.person.username);
  const own = await first.visit.open("/support");
  expect(own.text).toContain("The earlier one");
  expect(own.text).not.toContain("The later one");
});

test("everybody finds Support in the menu", async () => {
  for (const [person, path] of [
    [(await agent()).person, "/support"],
    [world.yaw, "/admin/support"],
  ] as const) {
    const seen = await (await visitorAs(client, person)).open("/support");
    const link = seen.document.querySelector(`.drawer a[href='${path}']`);
    expect(link?.getAttribute("aria-current")).toBe("page");
  }
});

describe("an admin's answer", () => {
  const threadOf = async (visit: Visitor) => {
    const { person, visit: theirs } = await agent();
    await theirs.press(await theirs.open("/support"), ASK, letter);
    const [request] = await filed(person);
    return visit.open(`/admin/support/${request!.id}`);
  };

  test("begins with a kept one, below what was typed, and is sent as it was edited", async () => {
    const admin = await visitorAs(client, world.yaw);
    const kept = await admin.press(await admin.open("/admin/support/answers"), "Keep", {
      name: "Asked MTN",
      message: "We have asked MTN.",
    });
    expect([kept.path, kept.text]).toEqual(["/admin/support/answers", expect.stringContaining("“Asked MTN” is kept.")]);
    const page = await threadOf(admin);
    const option = [...page.document.querySelectorAll("#reply-answer option")].at(-1)!;
    expect(option.textContent).toBe("Asked MTN");
    const chosen = { message: "Good morning Ama.", answer: option.getAttribute("value")! };
    const inserted = await admin.press(page, "Insert", chosen);
    const field = inserted.document.querySelector("textarea[name=message]")!;
    expect(field.textContent).toBe("Good morning Ama.\n\nWe have asked MTN.");
    const sent = await admin.press(inserted, "Send answer", { message: "We have asked MTN, and write tonight." });
    expect(sent.document.querySelector(".thread .answer")?.textContent).toContain("and write tonight.");
  });

  test("keeps what was typed where no kept one was chosen", async () => {
    const admin = await visitorAs(client, world.yaw);
    const seen = await admin.press(await threadOf(admin), "Insert", { message: "Good morning Ama.", answer: "" });
    expect(seen.document.querySelector("textarea[name=message]")?.textContent).toBe("Good morning Ama.");
    expect(seen.document.getElementById("reply-answer-error")?.textContent).toBe("Choose a kept answer");
  });

  test("is looked after by whoever takes it, who finds it under Mine", async () => {
    const admin = await visitorAs(client, world.yaw);
    const page = await threadOf(admin);
    const taken = await admin.press(page, "Take it");
    expect(taken.text).toContain("admin looks after this.");
    expect(taken.document.querySelector("#assign-toUserId option[selected]")?.textContent).toBe("admin (you)");
    const mine = await admin.open("/admin/support?show=mine");
    expect(mine.document.querySelector(`.requests a[href='${page.path}']`)).not.toBeNull();
    await admin.press(taken, "Save", { toUserId: "" });
    const given = await admin.open("/admin/support?show=mine");
    expect(given.document.querySelector(`.requests a[href='${page.path}']`)).toBeNull();
  });
});
