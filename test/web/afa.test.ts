// MTN AFA, by forms alone: agents add, correct and register people; admins refuse them, submit them to MTN and view
// cards.
import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as afa from "../../src/core/afa/registrations.ts";
import * as products from "../../src/core/catalog/products.ts";
import { built } from "../../src/web/island.tsx";
import { longTest } from "../support/long.ts";
import { pauseProduct } from "../support/pausing.ts";
import { openApp, openWorld, type Person, TEST_CARDS } from "../support/world.ts";
import { filledIn, type Seen, sheetText, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const admin = world.yaw.by("admin");
const page = "/mtn-afa";

const agent = async (name: string, balance = "GH₵ 100.00") => {
  const person = await world.person(name, balance);
  return { person, visit: await visitorAs(client, person) };
};
let used = 0;
/** A person's fields as the form names them. */
const someone = (place: number, change: Record<string, string> = {}): Record<string, string> => {
  used += 1;
  const typed = {
    fullName: `Akosua ${used}`,
    phone: `0544${100_000 + used}`,
    ghCardId: `GHA-${300_000_000 + used}-5`,
    location: "Kumasi",
    ...change,
  };
  return Object.fromEntries(Object.entries(typed).map(([name, value]) => [`people.${place}.${name}`, value]));
};
const registrationsOf = (person: Person) => afa.list(world.db, { userId: person.id }, { limit: 50 });
const errorOf = (seen: Seen, field: string) => seen.document.getElementById(`field-${field}-error`)?.textContent;
const typedIn = (seen: Seen, name: string) => seen.document.querySelector(`[name="${name}"]`)?.getAttribute("value");

test("the page says when the shop has no AFA product, or shows its price and the wallet's balance", async () => {
  const { visit } = await agent("early", "GH₵ 7.00");
  expect((await visit.open(page)).text).toContain("not offered at the moment");
  await products.ensureAfa(world.db);
  const seen = await visit.open(page);
  expect(seen.text).toContain("GH₵ 5.00 per person");
  expect(seen.text).toMatch(/1 × GH₵ 5\.00 ?GH₵ 5\.00 ?Available ?GH₵ 7\.00 ?Available afterwards ?GH₵ 2\.00/);
  expect(seen.html).toContain('href="/mtn-afa" aria-current="page"');
});

test("an agent registers three people at once, and sees their states with masked cards", async () => {
  const { person, visit } = await agent("ama");
  let seen = await visit.open(page);
  const first = someone(0);
  seen = await visit.press(seen, "Change", { ...first, quantity: "2" });
  expect(seen.text).toContain("Register 2 people for GH₵ 10.00");
  seen = await visit.press(seen, "Add another person", someone(1));
  expect(seen.text).toContain("Register 3 people for GH₵ 15.00");
  for (const [name, value] of Object.entries(first)) expect([name, typedIn(seen, name)]).toEqual([name, value]);
  expect(await registrationsOf(person)).toEqual([]);
  const done = await visit.press(seen, "Register 3", someone(2));
  expect([done.path, done.text]).toEqual([
    page,
    expect.stringContaining("3 people are submitted for AFA. GH₵ 15.00 was paid from your wallet."),
  ]);
  expect(await world.balanceOf(person)).toBe(8500);
  const cells = [...done.document.querySelectorAll("#registrations tbody tr")].map((row) => row.textContent);
  expect(cells).toHaveLength(3);
  const card = first["people.0.ghCardId"]!;
  expect(cells[2]).toMatch(new RegExp(`${first["people.0.fullName"]}Submitted.*GHA-••••••${card.slice(-5)}`));
  expect(done.html).not.toContain(card);
  // The same form sent again, and ten times at once, is the same registration.
  await Promise.all(Array.from({ length: 10 }, () => visit.press(seen, "Register 3", someone(2))));
  expect(await world.balanceOf(person)).toBe(8500);
});

test("a person can be removed from the form, and the others keep what was typed", async () => {
  const { visit } = await agent("remover");
  let seen = await visit.press(await visit.open(page), "Change", { quantity: "3" });
  seen = await visit.press(seen, "Remove person 2", {
    ...someone(0),
    ...someone(1),
    ...someone(2, { fullName: "Third" }),
  });
  expect(seen.text).toContain("Register 2 people");
  expect([typedIn(seen, "people.1.fullName"), typedIn(seen, "people.2.fullName")]).toEqual(["Third", undefined]);
  seen = await visit.press(seen, "Change", { quantity: "999" });
  expect(seen.text).toContain("Register 20 people");
  expect(seen.text).not.toContain("Add another person");
  for (const quantity of ["0", "-1", "abc", ""])
    expect((await visit.press(seen, "Change", { quantity })).text).toContain("Register 20 people");
});

test("more people than the form has room for are not registered in part", async () => {
  const { person, visit } = await agent("counter");
  const seen = await visit.press(await visit.open(page), "Register 1", { ...someone(0), quantity: "4" });
  expect(errorOf(seen, "quantity")).toContain("The form is for 1");
  expect(await registrationsOf(person)).toEqual([]);
});

describe("a form with errors", () => {
  beforeAll(() => products.ensureAfa(world.db));

  test("shows each beside its field, keeps everything, and registers nobody", async () => {
    const { person, visit } = await agent("mender");
    const known = someone(0);
    await visit.press(await visit.open(page), "Register 1", known);
    const two = await visit.press(await visit.open(page), "Change", { quantity: "2" });
    const bad = {
      ...someone(0),
      ...someone(1, { fullName: " ", phone: "123", ghCardId: "0541234567", location: "" }),
    };
    const seen = await visit.press(two, "Register 2", bad);
    expect(seen.status).toBe(422);
    expect(seen.text).toContain("Nothing was paid yet.");
    expect(errorOf(seen, "people.1.fullName")).toBe("Enter the full name");
    expect(errorOf(seen, "people.1.phone")).toContain("Enter a valid Ghana number");
    expect(errorOf(seen, "people.1.ghCardId")).toContain("GHA-123456789-0");
    expect(errorOf(seen, "people.1.location")).toBe("Enter the location");
    expect(errorOf(seen, "people.0.fullName")).toBeUndefined();
    expect(typedIn(seen, "people.0.ghCardId")).toBe(bad["people.0.ghCardId"]!);

    const card = { "people.1.ghCardId": known["people.0.ghCardId"]! };
    const phone = { "people.0.phone": known["people.0.phone"]! };
    const again = await visit.press(seen, "Register 2", { ...someone(0), ...someone(1), ...card, ...phone });
    expect(errorOf(again, "people.1.ghCardId")).toBe("This Ghana Card is already registered or waiting");
    expect(errorOf(again, "people.0.phone")).toBe("This number is already registered or waiting");
    const corrected = { ...someone(0), ...someone(1) };
    expect((await visit.press(again, "Register 2", corrected)).text).toContain("2 people are submitted");
    expect((await registrationsOf(person)).length).toBe(3);
  });

  test("refuses an emoji in a name, and accepts letters of every script", async () => {
    const { visit } = await agent("pictured");
    const refused = await visit.press(await visit.open(page), "Register 1", someone(0, { fullName: "Ama 😀" }));
    expect(errorOf(refused, "people.0.fullName")).toBe("Enter the full name");
    const taken = await visit.press(refused, "Register 1", someone(0, { fullName: "Ɛfua N'Dour-Ánsah Jr." }));
    expect(taken.text).toContain("is submitted for AFA");
  });

  test("asks about a number with another network's prefix, and accepts it once that is confirmed", async () => {
    const { visit } = await agent("porter");
    const typed = someone(0, { phone: "0201239876" });
    const confirmation = await visit.press(await visit.open(page), "Register 1", typed);
    expect(errorOf(confirmation, "people.0.phone")).toContain("looks like another network's");
    expect(confirmation.text).toContain("020 123 9876 was moved from Telecel to MTN");
    const done = await visit.press(confirmation, "Register 1", { "people.0.ported": "yes" });
    expect(done.text).toContain("is submitted for AFA");
  });

  test("states what is missing in the wallet, before and after it is sent", async () => {
    const { person, visit } = await agent("poor", "GH₵ 4.00");
    const seen = await visit.open(page);
    expect(seen.text).toContain("You need GH₵ 1.00 more");
    const refused = await visit.press(seen, "Register 1", someone(0));
    expect(refused.text).toContain("Not enough money in your wallet. You need GH₵ 1.00 more.");
    expect(await registrationsOf(person)).toEqual([]);
  });

  longTest("neither costs another price than it showed nor gets around a pause", async () => {
    const { person, visit } = await agent("late");
    const old = await visit.open(page);
    const { id: productId } = await products.afa(world.db);
    await products.edit(world.db, { by: admin, productId, pricePesewas: 600 });
    expect((await visit.press(old, "Register 1", someone(0))).text).toContain("The price has changed");
    await products.edit(world.db, { by: admin, productId, pricePesewas: 500 });
    await pauseProduct(world.db, { by: admin, productId, message: "MTN is closed today" });
    const paused = await visit.press(old, "Register 1", someone(0));
    expect(paused.text).toContain("AFA registration is paused");
    expect(paused.text).toContain("MTN is closed today");
    expect(() => filledIn(paused, "Register 1")).toThrow("cannot be pressed");
    await pauseProduct(world.db, { by: admin, productId, message: null });
    expect(await registrationsOf(person)).toEqual([]);
  });
});

describe("the admins' queue", () => {
  beforeAll(() => products.ensureAfa(world.db));

  const asAdmin = () => visitorAs(client, world.yaw);
  const place = async (by: Person, change: Partial<afa.PersonInput> = {}) => {
    used += 1;
    const person = {
      fullName: `Waiting ${used}`,
      phone: `0544${200_000 + used}`,
      ghCardId: `GHA-${400_000_000 + used}-6`,
      location: "Tamale",
      ...change,
    };
    const ask = { by: by.by(), key: null, people: [person] };
    return { ...person, id: (await afa.register(world.db, TEST_CARDS, ask)).answer.registrations[0]!.id };
  };
  const stateOf = async (id: number) => (await afa.get(world.db, admin, id)).status;
  const cardViews = async (id: number) =>
    (await world.db.execute(sql`select 1 from audit_log where subject_id = ${String(id)} and action like 'afa.%'`))
      .length;

  longTest("lists who is waiting; the ticked ones are submitted to MTN and registered", async () => {
    const { person, visit: agents } = await agent("kofi");
    const [one, two] = [await place(person), await place(person)];
    const visit = await asAdmin();
    const dashboard = await visit.open("/admin");
    expect(dashboard.html).toContain('href="/admin/afa"');
    const queue = await visit.open("/admin/afa");
    expect(queue.text).toContain(one.fullName);
    expect(queue.html).not.toContain(one.ghCardId);
    expect((await visit.press(queue, "Sent to MTN")).text).toContain("Select at least one registration");
    const sent = await visit.press(queue, "Sent to MTN", { ids: `${one.id},${two.id}` });
    expect(sent.text).toContain("2 registrations: Sent to MTN.");
    expect((await agents.open(page)).text).toContain("Sent to MTN");
    expect(sent.text).not.toContain(one.fullName);
    const again = await visit.press(await visit.open("/admin/afa?state=sent"), "Sent to MTN", { ids: `${one.id}` });
    expect(again.text).toContain("1 not moved: That status change is not allowed.");
    await visit.press(again, "Registered", { ids: `${two.id}` });
    expect([await stateOf(one.id), await stateOf(two.id)]).toEqual(["PROCESSING", "COMPLETED"]);
    expect((await visit.open("/admin/afa?state=registered")).text).toContain(two.fullName);
    expect((await visit.open("/admin/afa?state=registered")).text).not.toContain(one.fullName);
    expect((await visit.open("/admin/afa")).text).not.toContain(two.fullName);
  });

  longTest("refuses several after asking for a reason, which the agent reads with the refund", async () => {
    const { person, visit: agents } = await agent("esi");
    const [one, two] = [await place(person), await place(person)];
    const visit = await asAdmin();
    const confirmation = await visit.press(await visit.open("/admin/afa"), "Refuse", {
      ids: `${one.id},${two.id}`,
    });
    expect(confirmation.text).toMatch(/Will be refused ?2 ?Refunded to wallets ?GH₵ 10\.00/);
    expect(await stateOf(one.id)).toBe("PENDING");
    const mute = await visit.press(confirmation, "Refuse and refund", { reason: " " });
    expect([mute.status, errorOf(mute, "reason")]).toEqual([422, "Say why it is refused"]);
    const done = await visit.press(mute, "Refuse and refund", { reason: "Not at the office" });
    expect([done.path, done.text]).toEqual(["/admin/afa", expect.stringContaining("2 registrations: Refused.")]);
    expect(await world.balanceOf(person)).toBe(10_000);
    const own = (await agents.open(page)).text;
    expect(own).toContain("Not at the office");
    expect(own).toContain("GH₵ 5.00 is back in your wallet");
    // Card and number are free again: the same person can be registered once more.
    await place(person, { phone: one.phone, ghCardId: one.ghCardId });
  });

  longTest("has a page for each registration, on which it is viewed, moved and refused", async () => {
    const { person } = await agent("yaa");
    const one = await place(person);
    const visit = await asAdmin();
    const path = `/admin/afa/${one.id}`;
    const sent = await visit.press(await visit.open(path), "Sent to MTN");
    expect([sent.path, sent.text]).toEqual([path, expect.stringContaining("1 registration: Sent to MTN.")]);
    const mute = await visit.press(sent, "Refuse and refund");
    expect(errorOf(mute, "reason")).toBe("Say why it is refused");
    const refused = await visit.press(mute, "Refuse and refund", {
      reason: `Card ${one.ghCardId} is not his`,
    });
    expect(refused.text).toContain(`Card GHA-••••••${one.ghCardId.slice(-5)} is not his`);
    expect(await world.balanceOf(person)).toBe(10_000);
    for (const id of ["999999", "0", "x"]) expect((await visit.open(`/admin/afa/${id}`)).status).toBe(404);
  });

  test("shows a card number once, to the admin who asks for it, and records that", async () => {
    const { person } = await agent("abena");
    const one = await place(person);
    const visit = await asAdmin();
    const path = `/admin/afa/${one.id}`;
    const masked = await visit.open(path);
    expect([masked.html.includes(one.ghCardId), await cardViews(one.id)]).toEqual([false, 0]);
    const seen = await visit.press(masked, "Show the number");
    expect(seen.text).toContain(one.ghCardId);
    expect(seen.headers.get("cache-control")).toContain("no-store");
    expect(await cardViews(one.id)).toBe(1);
    expect((await visit.open(path)).html).not.toContain(one.ghCardId);
    const log = await visit.open("/admin/audit");
    expect(log.text).toContain("Looked at the card of AFA registration");
    expect(log.html).not.toContain(one.ghCardId);
  });

  test("is exported for MTN with full card numbers, each view recorded, and no formula in the file", async () => {
    const { person } = await agent("efua");
    const one = await place(person, { fullName: "=HYPERLINK(evil) Mensah", location: "+cmd, Accra" });
    const visit = await asAdmin();
    const queue = await visit.press(await visit.open("/admin/afa"), "Search", { search: "hyperlink" });
    const { path, body } = filledIn(queue, "Export with card numbers");
    const response = await client.browse(world.yaw, path, Object.fromEntries(new URLSearchParams(body)));
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="afa.csv"');
    const lines = (await sheetText(response)).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe("Registration ID,Full name,Number,Ghana Card,Location,Status,Agent,Date");
    expect(lines[1]).toStartWith(
      `${one.id},'=HYPERLINK(evil) Mensah,${one.phone},${one.ghCardId},"'+cmd, Accra",Submitted,efua,`,
    );
    expect(await cardViews(one.id)).toBe(1);
    expect((await client.browse(world.yaw, path)).status).not.toBe(200);
  });

  longTest("can be searched by part of a name or number, and is paged by key", async () => {
    const { person } = await agent("adwoa", "GH₵ 500.00");
    for (let i = 0; i < 52; i++) await place(person, { fullName: `Paged ${i}` });
    const visit = await asAdmin();
    const first = await visit.open("/admin/afa?search=paged");
    expect(first.document.querySelectorAll("tbody tr").length).toBe(50);
    const older = first.document.querySelector('a[rel="next"]')!.getAttribute("href")!;
    const second = await visit.open(older);
    expect(second.document.querySelectorAll("tbody tr").length).toBe(2);
    expect(second.text).toContain("Paged 0");
    expect((await visit.open("/admin/afa?search=nobody%00%25")).text).toContain("No matching registrations");
  });

  test("is closed to agents, whose own list shows nobody else's people", async () => {
    const [owner, other] = [await agent("owner"), await agent("other")];
    const one = await place(owner.person);
    for (const path of ["/admin/afa", `/admin/afa/${one.id}`, "/admin/afa/export"]) {
      const form = { action: "reveal", to: "COMPLETED", ids: String(one.id) };
      expect((await client.browse(other.person, path, form)).status).toBe(403);
    }
    expect((await client.browse(owner.person, `/admin/afa/${one.id}`)).status).toBe(403);
    expect((await other.visit.open(page)).html).not.toContain(one.fullName);
    expect([await stateOf(one.id), await cardViews(one.id)]).toEqual(["PENDING", 0]);
    const foreign = await client.browse(
      world.yaw,
      `/admin/afa/${one.id}`,
      { action: "reveal" },
      { origin: "https://evil.example" },
    );
    expect([foreign.status, await cardViews(one.id)]).toEqual([403, 0]);
  });

  test("is left out of a bulk transition of everything that matches, which says how many", async () => {
    const { person } = await agent("mixed");
    const bundle = await world.product("MTN", "6GB", "3.90");
    const line = { productId: bundle.id, msisdn: "0541234599", quantity: 1, pay: "wallet" };
    expect((await client.call(person, "POST", "/api/v1/orders", line)).status).toBe(201);
    const one = await place(person);
    const admin = await visitorAs(client, world.yaw);
    const list = await admin.open(`/orders?user=${person.id}&all=1`);
    const confirmation = await admin.press(list, "Process", { scope: "matching" });
    expect(confirmation.text).toContain("Will move1");
    expect(confirmation.text).toContain("1: AFA registration, which has a queue of its own");
    await admin.press(confirmation, "Send 1 order myself");
    expect(await stateOf(one.id)).toBe("PENDING");
  });

  test("lets the order's owner cancel while nobody has sent it", async () => {
    const { person, visit } = await agent("canceller");
    const one = await place(person);
    const seen = await visit.press(await visit.open(`/orders/${one.id}`), "Cancel");
    expect(seen.text).toContain("GH₵ 5.00 is back in your wallet");
    expect((await visit.open(page)).text).toContain("You cancelled this order");
    await place(person, { phone: one.phone, ghCardId: one.ghCardId });
  });
});

test("what people type is always shown as plain text", async () => {
  const nasty = `"><script>alert(1)</script>\u202E`;
  const { visit } = await agent("nasty");
  const typed = someone(0, { fullName: `Ama ${nasty}`, location: nasty });
  const refused = await visit.press(await visit.open(page), "Register 1", {
    ...typed,
    "people.0.phone": nasty,
  });
  const done = await visit.press(refused, "Register 1", typed);
  expect(done.text).toContain("is submitted for AFA");
  const admins = await visitorAs(client, world.yaw);
  const queue = await admins.open("/admin/afa?search=alert");
  const [id] = /\/admin\/afa\/\d+/.exec(queue.html)!;
  for (const seen of [refused, done, queue, await admins.open(id!)]) {
    // The page's loader is the only script.
    expect(seen.html.replace(`<script>${built.loader}</script>`, "")).not.toContain("<script");
    expect(seen.html).toContain("&lt;script&gt;");
  }
});

longTest("the AFA product is in the inventory with its price and pause, and cannot be deleted there", async () => {
  const visit = await visitorAs(client, world.yaw);
  await products.ensureAfa(world.db);
  const { id } = await products.afa(world.db);
  expect((await visit.open("/admin/products")).text).toContain("MTN AFA Registration");
  const seen = await visit.open(`/admin/products/${id}`);
  expect(seen.html).not.toContain("Are you sure you want to delete");
  const saved = await visit.press(seen, "Save product", { price: "5.50" });
  expect(saved.text).toContain("Product saved.");
  await visit.press(saved, "Save product", { price: "5.00" });
  const sized = await visit.press(saved, "Save product", { size: "1GB" });
  expect([sized.status, sized.text]).toEqual([
    409,
    expect.stringContaining("Only the name, price and pause of the AFA registration"),
  ]);
  const deleted = await client.browse(world.yaw, `/admin/products/${id}`, { action: "delete" });
  expect(deleted.status).toBe(409);
  expect((await visit.open("/mtn-data")).text).not.toContain("AFA Registration");
});
