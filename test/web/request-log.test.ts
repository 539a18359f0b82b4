// The log of programs' requests in a browser without scripts: the list with its filters, one request, and the way to a
// first one.
import { expect, test } from "bun:test";
import * as queries from "../../src/core/requests/queries.ts";
import { freshNumber } from "../support/asking.ts";
import { type MadeKey, makeKey } from "../support/keys.ts";
import { addLogged } from "../support/logged-requests.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const PATH = "/profile/developers/requests";
const world = await openWorld();
const { db } = world;
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 100.00");
const visit = await visitorAs(client, ama);
const call = async ({ headers }: MadeKey, method: string, path: string, body?: unknown) => {
  const reply = await client.call(null, method, path, body, {
    ...headers,
    "idempotency-key": crypto.randomUUID(),
  });
  await client.app.flush();
  return reply;
};
const order = () => ({ productId: bundle.id, msisdn: freshNumber(), quantity: 1, pay: "wallet" });

test("whoever has no key is led to making one, and whoever has not called yet to calling", async () => {
  const newcomer = await world.person("newcomer");
  const page = await (await visitorAs(client, newcomer)).open(PATH);
  expect(page.text).toContain("No program of yours has called in the last 14 days.");
  const next = page.document.querySelector(".empty a.button")!;
  expect([next.textContent, next.getAttribute("href")]).toEqual(["Make an API Key", "/profile/developers"]);
  await makeKey(db, newcomer.by());
  const later = await (await visitorAs(client, newcomer)).open(PATH);
  expect(later.text).toContain("Send a request with one of your keys");
});

test("the page of the keys leads to it", async () => {
  const page = await visit.open("/profile/developers");
  expect(page.document.querySelector(`a[href="${PATH}"]`)).not.toBeNull();
});

const shop = await makeKey(db, ama.by(), { name: "The web shop" });
const till = await makeKey(db, ama.by(), { name: "The till" });
const bought = await call(shop, "POST", "/api/v1/orders", { ...order(), pin: "471147114711" });
await call(till, "GET", `/api/v1/orders/${bought.body.id}`);
await call(till, "GET", "/api/v1/ordres");

test("the list has the newest first, with status, error, time, key and order", async () => {
  const { document } = await visit.open(PATH);
  const rows = [...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.textContent),
  );
  const [clock, ms] = [expect.stringMatching(/^\d\d:\d\d:\d\d$/), expect.stringMatching(/^\d+ ms$/)];
  const { id } = bought.body;
  expect(rows).toEqual([
    ["GET /api/v1/ordres", "404", "request.not_found", clock, ms, "The till", ""],
    [`GET /api/v1/orders/${id}`, "200", "", clock, ms, "The till", `#${id}`],
    ["POST /api/v1/orders", "201", "", clock, ms, "The web shop", `#${id}`],
  ]);
  expect(document.querySelector("tbody .chip.warn")!.textContent).toBe("404");
  expect(document.querySelector(`tbody a[href="/orders/${id}"]`)).not.toBeNull();
});

test("the filters are a form, stay in the address, and can be cleared", async () => {
  const found = async (path: string) =>
    [...(await visit.open(path)).document.querySelectorAll("tbody tr td:first-child")].map((cell) => cell.textContent);
  const { id } = bought.body;
  const chosen = await visit.press(await visit.open(PATH), "Show", { status: "2xx", method: "GET" });
  expect(chosen.path).toContain("status=2xx");
  expect([...chosen.document.querySelectorAll("tbody tr")].length).toBe(1);
  const clear = [...chosen.document.querySelectorAll("form.filter a")].find((link) => link.textContent === "Clear")!;
  expect(await found(clear.getAttribute("href")!)).toHaveLength(3);
  expect(await found(`${PATH}?search=${id}`)).toEqual([`GET /api/v1/orders/${id}`, "POST /api/v1/orders"]);
  expect(await found(`${PATH}?search=%23${id}&apiKey=${shop.id}`)).toEqual(["POST /api/v1/orders"]);
  expect(await found(`${PATH}?search=${bought.headers.get("x-request-id")}`)).toEqual(["POST /api/v1/orders"]);
  expect(await found(`${PATH}?code=request.not_found`)).toEqual(["GET /api/v1/ordres"]);
  expect(await found(`${PATH}?route=%2Fapi%2Fv1%2Forders%2F%3Aid`)).toEqual([`GET /api/v1/orders/${id}`]);
  expect(await found(`${PATH}?status=404`)).toEqual(["GET /api/v1/ordres"]);
  expect(await found(`${PATH}?to=2020-01-01`)).toEqual([]);
  expect(await found(`${PATH}?from=not-a-day&status=9xx&method=TRACE&apiKey=x`)).toHaveLength(3);
  const none = await visit.open(`${PATH}?code=order.duplicate`);
  expect(none.text).toContain("No matching requests found. Remove a filter, or choose other days.");
});

test("a filter that found nothing yet in a long log says so, and goes on", async () => {
  const busy = await world.person("busy");
  const hourAgo = Date.now() - 3_600_000;
  const requests = Array.from({ length: 10_500 }, (_, n) => ({
    ...{ key: { userId: busy.id, keyId: 1 }, at: hourAgo + n, method: "GET", route: "/r" },
    ...{ url: `http://localhost/${n === 0 ? "first" : ""}`, status: n === 0 ? 500 : 200 },
  }));
  await addLogged(db, requests);
  const visitBusy = await visitorAs(client, busy);
  const first = await visitBusy.open(`${PATH}?status=5xx`);
  expect(first.text).toContain("None of the newest 10,000 requests match. Press Older to look further.");
  const older = [...first.document.querySelectorAll('nav[aria-label="Pages"] a')].at(-1)!;
  const second = await visitBusy.open(older.getAttribute("href")!);
  expect(second.document.querySelector("tbody td")!.textContent).toBe("GET /first");
});

test("one request shows both bodies on several lines, without secrets, and the request id", async () => {
  const list = await visit.open(`${PATH}?search=${bought.headers.get("x-request-id")}`);
  const page = await visit.open(list.document.querySelector("tbody a")!.getAttribute("href")!);
  const [sent, answered] = [...page.document.querySelectorAll("pre")].map((body) => body.textContent);
  expect(sent).toContain('{\n  "productId"');
  expect(sent).toContain('"pin": "[removed]"');
  expect(JSON.parse(answered!)).toEqual(bought.body);
  for (const text of [bought.headers.get("x-request-id")!, "The web shop", "Idempotency-Key", "127.0.0.1"])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain("4711471");
  expect(page.document.querySelector(`a[href="/orders/${bought.body.id}"]`)).not.toBeNull();
});

test("a cut body says so, and shows what is there", async () => {
  await call(shop, "POST", "/api/v1/orders/bulk", { orders: Array.from({ length: 100 }, order), note: 1 });
  const { rows } = await queries.list(db, { userId: ama.id }, {}, { limit: 1 });
  const page = await visit.open(`${PATH}/${rows[0]!.id}`);
  expect(page.text).toContain("Cut after 4 kB.");
  expect(page.document.querySelector("pre")!.textContent).toStartWith('{"orders":[{"productId"');
});

test("somebody else's request, and one that nobody has, look the same", async () => {
  const kofi = await world.person("kofi");
  await call(await makeKey(db, kofi.by()), "GET", "/api/v1/orders");
  const { rows } = await queries.list(db, { userId: kofi.id }, {}, { limit: 1 });
  for (const id of [rows[0]!.id, 999_999]) {
    const page = await visit.open(`${PATH}/${id}`);
    expect([page.status, page.text.includes("This request is not in your log")]).toEqual([404, true]);
  }
});

test("the log of the sandbox is shown once that is set up, and says that it is not before", async () => {
  const at = "/profile/developers/sandbox-requests";
  expect((await visit.open(at)).text).toContain("The sandbox is not set up in this shop");
  const otherKeys = { list: async () => [] } as never;
  const sandbox = openApp(world, undefined, [], { otherLog: queries.logOf(db), otherMode: otherKeys });
  const inSandbox = await visitorAs(sandbox, ama);
  const page = await inSandbox.open(`${at}?search=${bought.body.id}`);
  expect(page.document.querySelector("tbody a")!.getAttribute("href")).toStartWith(`${at}/`);
  expect(page.document.querySelector(`a[href="/orders/${bought.body.id}"]`)).toBeNull();
  expect(page.document.querySelector('.tabs [aria-current="page"]')!.textContent).toBe("The sandbox");
});
