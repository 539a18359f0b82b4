// The pages about people's data: the notice and the agreement to it, the copy, the deletion, and a customer's number.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as contacts from "../../src/core/identity/contacts.ts";
import { count } from "../support/asking.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const { db } = world;
const ama = await world.person("ama", "GH₵ 5.00");

test("everybody reads the notice with how long data is kept; an agent agrees to it once", async () => {
  const anyone = await visitor(client.app).open("/privacy");
  expect(anyone.text).toContain("Version 1");
  expect(anyone.text).toMatch(/SMS and emails that we sent.*90 days/);
  expect(anyone.text).not.toContain("I agree");
  const visit = await visitorAs(client, ama);
  const agreed = await visit.press(await visit.open("/privacy"), "I agree");
  expect(agreed.text).toContain("It is noted that you agree.");
  expect((await visit.open("/privacy")).text).not.toContain("I agree");
  expect((await visit.open("/profile/data")).text).toContain("You have agreed to version 1");
});

test("the copy takes the password, and is a ZIP file", async () => {
  const visit = await visitorAs(client, ama);
  const page = await visit.open("/profile/data");
  expect((await visit.press(page, "Download", { currentPassword: "not mine" })).status).toBe(422);
  const form = { action: "copy", currentPassword: ama.password };
  const file = await client.browse(ama, "/profile/data", form);
  expect(file.headers.get("content-disposition")).toContain("my-data.zip");
  expect(new TextDecoder().decode((await file.bytes()).slice(0, 2))).toBe("PK");
});

test("an account with money is not deleted; an empty one is, and its owner is logged out", async () => {
  const visit = await visitorAs(client, ama);
  const sent = { currentPassword: ama.password };
  const refused = await visit.press(await visit.open("/profile/data"), "Delete my account", sent);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("There is still money in this wallet")]);
  const kojo = await world.person("kojo");
  const other = await visitorAs(client, kojo);
  const gone = await other.press(await other.open("/profile/data"), "Delete my account", {
    currentPassword: kojo.password,
  });
  expect(gone.text).toContain("Your account is deleted.");
  expect((await other.open("/dashboard")).path).toStartWith("/login");
  expect(await count(db, sql`from users where username = 'kojo'`)).toBe(0);
});

test("a customer sees with a code what is kept about their number, and erases it", async () => {
  await contacts.save(db, { by: ama.by(), msisdn: "233541234567", name: "Auntie Akos", note: "" });
  const visit = visitor(client.app);
  const sent = await visit.press(await visit.open("/your-number"), "Send code", { msisdn: "0541234567" });
  expect(sent.text).toContain("A code is on its way");
  const [sms] = await db.execute<{ body: string }>(sql`select body from messages where kind = 'number_code'`);
  const [code] = /\d{6}/.exec(sms!.body)!;
  const wrong = await visit.press(sent, "Show", { code: code === "111111" ? "222222" : "111111" });
  expect([wrong.status, wrong.text]).toEqual([422, expect.not.stringContaining("Saved by")]);
  const shown = await visit.press(sent, "Show", { code });
  expect(shown.text).toContain("Saved by 1 agent");
  expect(shown.text).not.toContain("Auntie Akos");
  const erased = await visit.press(shown, "Erase what need not stay");
  expect(erased.text).toContain("1 entry is erased");
  expect(await count(db, sql`from contacts`)).toBe(0);
  const admin = await visitorAs(client, world.yaw);
  const requests = await admin.open("/admin/privacy");
  expect(requests.text).toContain("a number that ends in 4567");
  expect(requests.text).toContain("1 entry of agents");
});

test("an owner publishes the next version, which everybody is to agree to", async () => {
  const admin = await visitorAs(client, world.yaw);
  const page = await admin.open("/admin/privacy");
  const published = await admin.press(page, "Publish version 2", { text: "# Less\n\nWe keep less." });
  expect(published.text).toContain("Version 2 is published. Everybody is asked to agree to it.");
  const visit = await visitorAs(client, ama);
  const seen = await visit.open("/privacy");
  expect([seen.text.includes("We keep less."), seen.text.includes("I agree")]).toEqual([true, true]);
  const old = await visit.open("/privacy?version=1");
  expect(old.text).toContain("What we keep");
  expect((await client.browse(world.yaw, "/admin/privacy/consents")).status).toBe(200);
});
