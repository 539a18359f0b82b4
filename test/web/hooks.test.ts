// Webhooks in a browser without scripts: adding one, its secret that is shown once, its messages, pausing, sending
// again, a new secret, and removing it.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { startEndpoint } from "../../dev/simulators/endpoint.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as dispatch from "../../src/core/webhooks/dispatch.ts";
import * as hooks from "../../src/core/webhooks/endpoints.ts";
import { ACTION } from "../../src/shared/forms.ts";
import { HOOK_TOPICS } from "../../src/shared/hook-topics.ts";
import { freshNumber } from "../support/asking.ts";
import { haveAnswered } from "../support/webhook.ts";
import { createTestHooks, openApp, openWorld, type Person, TEST_JWT_SECRET } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");
const endpoint = startEndpoint();
afterAll(() => endpoint.stop());
const keys = { key: hooks.hookKey(TEST_JWT_SECRET), sender: createTestHooks() };
const sendDue = () => dispatch.sendDue(db, keys, { retrySeconds: [], pauseAfterSeconds: 0 });
const PATH = "/profile/webhooks";

let people = 0;
const agent = async () => {
  const person = await world.person(`agent${++people}`, "GH₵ 50.00");
  return { person, visit: await visitorAs(client, person) };
};
const add = async (visit: Awaited<ReturnType<typeof agent>>["visit"], url = `${endpoint.url}/${people}`) => {
  const made = await visit.press(await visit.open(PATH), "Add Webhook", {
    url,
    description: "The shop's server",
  });
  await haveAnswered(db);
  return made;
};
const deliver = async (person: Person) => {
  const line = { productId: bundle.id, msisdn: freshNumber(), quantity: 1 };
  const { order } = (await orders.buy(db, { by: person.by(), key: null, line })).answer;
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [order.id], to: "PROCESSING" });
  return order.id;
};
const idOf = async ({ id }: Person) =>
  (await db.execute<{ id: number }>(sql`select id from hooks where user_id = ${id}`))[0]!.id;

beforeEach(async () => {
  endpoint.answer(() => new Response(null, { status: 204 }));
  // Unsent messages of one test are not sent in the next.
  await db.execute(sql`delete from hooks`);
});

test("an empty list says what to do, and the profile links to it", async () => {
  const { visit } = await agent();
  expect((await visit.open("/profile")).document.querySelector(`a[href='${PATH}']`)).not.toBeNull();
  expect((await visit.open(PATH)).text).toContain("You have no webhook yet. Add the address of your server.");
});

test("the secret is shown in the answer to the form and nowhere else, and signs the messages", async () => {
  const { person, visit } = await agent();
  const made = await add(visit);
  const secret = made.document.querySelector(".secret-key")!.textContent!;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const page = `${PATH}/${await idOf(person)}`;
  for (const path of [PATH, page]) expect((await visit.open(path)).html).not.toContain(secret.slice(6));
  expect((await visit.open(PATH)).text).toContain("The shop's server");
  await visit.press(await visit.open(page), "Send Test");
  await sendDue();
  const { headers, body } = endpoint.received().at(-1)!;
  expect(new Webhook(secret).verify(body, Object.fromEntries(headers.entries()))).toMatchObject({
    type: "ping",
  });
  const seen = await visit.open(page);
  expect(seen.text).toMatch(/Test msg_\d+\s*Arrived\s*204/);
});

test("an endpoint that has not answered yet is marked so, and is on once it has", async () => {
  const { person, visit } = await agent();
  const form = await visit.open(PATH);
  const made = await visit.press(form, "Add Webhook", { url: `${endpoint.url}/new`, description: "" });
  expect(made.text).toContain("It turns on as soon as your server answers a test");
  const page = `${PATH}/${await idOf(person)}`;
  endpoint.answer(() => new Response(null, { status: 401 }));
  await sendDue();
  const off = await visit.open(page);
  expect(off.text).toContain("Put the secret there, then press Send Test");
  expect(off.text).toMatch(/Test msg_\d+\s*Failed\s*401/);
  expect((await visit.open(PATH)).text).toContain("Off until it answers a test");
  endpoint.answer(() => new Response(null, { status: 204 }));
  await visit.press(off, "Send Test");
  await sendDue();
  const on = await visit.open(page);
  expect(on.text).not.toContain("Put the secret there");
  expect([...on.document.querySelectorAll("main button")].map((one) => one.textContent)).toContain("Pause");
});

test("the same form sent twice makes one webhook, and shows its secret once", async () => {
  const { person, visit } = await agent();
  const form = await visit.open(PATH);
  const fields = { url: `${endpoint.url}/twice`, description: "" };
  const [first, again] = [
    await visit.press(form, "Add Webhook", fields),
    await visit.press(form, "Add Webhook", fields),
  ];
  const secretIn = (seen: typeof first) => seen.document.querySelector(".secret-key")!.textContent;
  expect(secretIn(first)).toMatch(/^whsec_/);
  expect(again.html).not.toContain("whsec_");
  expect(again.text).toContain("If you did not see it, create a new one");
  expect(await hooks.list(db, person.by())).toHaveLength(1);
});

for (const [url, message] of [
  ["", "Enter an address such as https://example.com/hooks"],
  ["no address", "Enter an address such as https://example.com/hooks"],
  ["http://10.0.0.1/", "No server on the public internet has this address"],
  ["http://name:word@hook.example/", "must not contain a user name or password"],
  [`http://hook.example/${"x".repeat(600)}`, "At most 500 characters"],
] as const) {
  test(`an error is shown beside its field: ${url.slice(0, 40) || "nothing"}`, async () => {
    const { person, visit } = await agent();
    const seen = await add(visit, url);
    expect(seen.status).toBe(422);
    expect(seen.document.getElementById("add-url-error")?.textContent).toContain(message);
    expect(seen.document.getElementById("add-url")?.getAttribute("value")).toBe(url);
    expect(await hooks.list(db, person.by())).toEqual([]);
  });
}

test("a second webhook with the same address is refused beside the field, and a sixth is not offered", async () => {
  const { person, visit } = await agent();
  await add(visit);
  const taken = await add(visit);
  expect([taken.status, taken.document.getElementById("add-url-error")?.textContent]).toEqual([
    409,
    expect.stringContaining("already have a webhook at this address"),
  ]);
  for (let n = 0; n < 4; n++) await add(visit, `${endpoint.url}/more/${n}`);
  const full = await visit.open(PATH);
  expect(full.text).toContain("which is the maximum");
  expect(full.document.querySelector("#add-url")).toBeNull();
  expect(await hooks.list(db, person.by())).toHaveLength(5);
});

test("messages show their subject and their state, and can be sent again", async () => {
  const { person, visit } = await agent();
  await add(visit);
  const page = `${PATH}/${await idOf(person)}`;
  endpoint.answer(() => new Response(null, { status: 503 }));
  const order = await deliver(person);
  expect((await visit.open(page)).text).toMatch(new RegExp(`Order #${order} PENDING → PROCESSING\\s*Waiting`));
  await sendDue();
  const failed = await visit.open(page);
  expect(failed.text).toContain("No message has arrived since");
  expect(failed.text).toMatch(new RegExp(`Order #${order} PENDING → PROCESSING\\s*Failed\\s*503`));
  endpoint.answer(() => new Response());
  const again = await visit.press(failed, "Send again");
  expect(again.text).toContain("It will be sent again");
  await sendDue();
  const arrived = await visit.open(page);
  expect(arrived.text).toMatch(new RegExp(`Order #${order} PENDING → PROCESSING\\s*Arrived\\s*200 2 attempts`));
  expect(arrived.text).not.toContain("No message has arrived since");
});

test("a webhook can be paused and turned on again, and its page says what that means", async () => {
  const { person, visit } = await agent();
  await add(visit);
  const page = `${PATH}/${await idOf(person)}`;
  const off = await visit.press(await visit.open(page), "Pause");
  expect(off.text).toContain("You have paused it");
  expect([...off.document.querySelectorAll("main button")].map((one) => one.textContent)).not.toContain("Send Test");
  await deliver(person);
  expect(await sendDue()).toEqual([]);
  const on = await visit.press(off, "Turn On");
  expect(on.text).toContain("A test is on its way: a good answer turns it on.");
  await sendDue();
  expect((await visit.open(PATH)).text).not.toContain("Off until it answers a test");
});

test("an endpoint that answered 410 is marked so", async () => {
  const { person, visit } = await agent();
  await add(visit);
  endpoint.answer(() => new Response(null, { status: 410 }));
  await deliver(person);
  await sendDue();
  const page = await visit.open(`${PATH}/${await idOf(person)}`);
  expect(page.text).toContain("Your server answered 410");
  expect((await visit.open(PATH)).text).toContain("Paused: it answered 410");
});

test("a webhook can be changed, given a new secret, and removed", async () => {
  const { person, visit } = await agent();
  const made = await add(visit);
  const page = `${PATH}/${await idOf(person)}`;
  const saved = await visit.press(await visit.open(page), "Save", {
    url: `${endpoint.url}/moved`,
    description: "New",
  });
  expect(saved.text).toContain(`${endpoint.url}/moved`);
  const refused = await visit.press(saved, "Save", { url: "http://10.0.0.1/" });
  expect(refused.document.getElementById("change-url-error")?.textContent).toContain("public internet");
  const fresh = await visit.press(saved, "Create New Secret");
  const secretIn = (seen: typeof made) => seen.document.querySelector(".secret-key")!.textContent;
  expect(secretIn(fresh)).toMatch(/^whsec_/);
  expect(secretIn(fresh)).not.toBe(secretIn(made));
  const gone = await visit.press(await visit.open(page), "Remove Webhook");
  expect([gone.path, gone.text]).toEqual([PATH, expect.stringContaining("The webhook has been removed.")]);
  expect(await hooks.list(db, person.by())).toEqual([]);
});

test("events are chosen from a list with a line about each, and none chosen is refused beside it", async () => {
  const { person, visit } = await agent();
  const form = await visit.open(PATH);
  const boxes = [...form.document.querySelectorAll("input[name='events']")];
  expect(boxes.map((box) => box.getAttribute("value"))).toEqual([...HOOK_TOPICS, "all"]);
  for (const box of boxes) expect(box.closest("label")!.textContent!.trim().length).toBeGreaterThan(20);
  const ticked = ({ document }: typeof form) =>
    [...document.querySelectorAll("input[name='events'][checked]")].map((box) => box.getAttribute("value"));
  expect(ticked(form)).toEqual(["order.status_changed"]);
  await add(visit);
  const page = `${PATH}/${await idOf(person)}`;
  const post = (events: string[]) => {
    const fields = [
      [ACTION, "change"],
      ["url", `${endpoint.url}/shop`],
      ["description", "Mine"],
    ];
    const body = new URLSearchParams([...fields, ...events.map((one) => ["events", one])]).toString();
    const headers = { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" };
    return visit.open(page, { method: "POST", body, headers });
  };
  await post(["wallet.topped_up", "order.refunded"]);
  expect(ticked(await visit.open(page))).toEqual(["order.refunded", "wallet.topped_up"]);
  const none = await post([]);
  expect(none.status).toBe(422);
  expect(none.document.getElementById("change-events-error")?.textContent).toBe("Choose at least one event");
  expect((await hooks.list(db, person.by()))[0]!.events).toEqual(["order.refunded", "wallet.topped_up"]);
});

test("the example of an event is sent from the page, and a span of messages is sent again", async () => {
  const { person, visit } = await agent();
  await add(visit);
  const hookId = await idOf(person);
  const page = `${PATH}/${hookId}`;
  await visit.press(await visit.open(page), "Send Example", { type: "wallet.topped_up" });
  await sendDue();
  const sent = JSON.parse(endpoint.received().at(-1)!.body);
  expect(sent).toMatchObject({ type: "wallet.topped_up", test: true });
  expect((await visit.open(page)).text).toMatch(/Test: Top-ups\s*Arrived/);
  const soon = await visit.press(await visit.open(page), "Send Them Again", { since: "", until: "" });
  expect([soon.status, soon.document.getElementById("replay-since-error")?.textContent]).toEqual([
    422,
    "Must be a date such as 2026-11-21",
  ]);
  await db.execute(sql`update hook_deliveries set is_test = false where hook_id = ${hookId}`);
  const span = { since: "2026-01-01T08:00", until: "" };
  const seen = await visit.press(await visit.open(page), "Send Them Again", span);
  expect(seen.text).toContain("1 message is sent again");
  expect(seen.text).toMatch(/Top-ups\s*Waiting/);
  const before = { since: "2026-01-01T08:00", until: "2026-01-01T09:00" };
  const none = await visit.press(await visit.open(page), "Send Them Again", before);
  expect(none.text).toContain("no message in this span");
});
