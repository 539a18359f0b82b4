// Budgets of work: whatever takes more than a page has one wherever it is possible: searches, files, long lists,
// passwords, and calls of providers. The pages and routes are the declared ones, so that a new one cannot be forgotten.
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { routes } from "../../src/api/index.ts";
import { queryOf } from "../../src/api/route.ts";
import { logIn } from "../../src/core/identity/logins/sessions.ts";
import { checkOwnPassword } from "../../src/core/identity/profile.ts";
import { BUDGETS } from "../../src/core/platform/budgets/budget-table.ts";
import * as budgets from "../../src/core/platform/budgets/budgets.ts";
import { pages } from "../../src/web/pages/index.tsx";
import { refusal } from "../support/asking.ts";
import { fillShop, PAGES } from "../support/pages.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const used = await fillShop(world, paystack);
const agent: Person = { ...used.agent };

const spendAll = async (person: Person, name: budgets.BudgetName) => {
  await world.db.execute(sql`delete from rate_limits`);
  await budgets.reserve(world.db, name, person.id, BUDGETS[name].countMax);
};
const idFor = (path: string) => path.replace("admin/desk/:id", `admin/desk/${used.batch}`).replace(/:\w+/g, "1");
const visit = async (person: Person, path: string, form?: Record<string, string>) => {
  const answer = await client.browse(person, path, form);
  const isFile = answer.headers.has("content-disposition");
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) await answer.body?.cancel();
  else await answer.bytes();
  return { status: answer.status, isFile };
};

test("each page that takes files or long lists", async () => {
  const long = pages.filter(({ uploadBytesMax, bodyBytesMax }) => uploadBytesMax || bodyBytesMax);
  expect(long.length).toBeGreaterThan(10);
  for (const { path, right } of long) {
    const person = right ? world.yaw : agent;
    await spendAll(person, "list.account");
    expect([path, (await visit(person, idFor(path), { text: "0541234567 1" })).status]).toEqual([path, 429]);
  }
});

test("each file that a page gives", async () => {
  await world.db.execute(sql`delete from rate_limits`);
  const files: [Person, string][] = [];
  for (const { path, show, right, role } of pages) {
    if (!show || role === "anyone") continue;
    const person = right ? world.yaw : agent;
    for (const address of [idFor(path), `${idFor(path)}?format=xlsx&from=2026-11-01&to=2026-11-30&month=2026-10`])
      if ((await visit(person, address)).isFile) files.push([person, address]);
  }
  expect(files.length).toBeGreaterThan(12);
  for (const [person, address] of files) {
    await spendAll(person, "file.account");
    expect([address, await visit(person, address)]).toEqual([address, { status: 429, isFile: false }]);
  }
});

test("each page where one searches", async () => {
  for (const name of ["search", "q"])
    for (const { path, as, addresses } of PAGES) {
      if (as === "visitor") continue;
      const person = as === "admin" ? world.yaw : agent;
      await spendAll(person, "search.account");
      const [address] = addresses(used);
      const url = new URL(address!, "http://localhost");
      url.searchParams.set(name, "054");
      expect([path, (await visit(person, url.pathname + url.search)).status]).toEqual([path, 429]);
    }
  // No page calls what it searches for by another name.
  for (const file of sources("src/web").concat(sources("islands"))) {
    const text = await Bun.file(file).text();
    const fields = text.split("<input").filter((field) => /^[^>]*type="search"/.test(field));
    for (const field of fields) expect([file, /name="(search|q)"/.test(field)]).toEqual([file, true]);
  }
});

test("each call of the API that searches, gives a whole list, or takes a long one", async () => {
  const budgetOf = (route: (typeof routes)[number]): budgets.BudgetName | null => {
    if (route.answer.alsoCsv) return "file.account";
    if (route.bodyBytesMax) return route.countsLines ? "bulk.refused" : "list.account";
    return Object.keys(queryOf(route)).some((name) => name === "search" || name === "q") ? "search.account" : null;
  };
  const working = routes.flatMap((route) => {
    const name = budgetOf(route);
    return name ? [{ route, name }] : [];
  });
  expect(working.length).toBeGreaterThan(12);
  for (const { route, name } of working) {
    const person = route.right ? world.yaw : agent;
    await spendAll(person, name);
    const { method } = route;
    const param = Object.keys(queryOf(route)).find((one) => one === "search" || one === "q");
    const span = "from" in queryOf(route) ? "?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z" : "";
    const path = route.path.replace(/:\w+/g, "1") + (param ? `?${param}=054` : span);
    const lines = {
      orders: Array.from({ length: 200 }, () => ({ productId: 1, msisdn: "0541234567", quantity: 1 })),
    };
    const body = method === "GET" ? undefined : route.countsLines ? lines : route.example;
    const answer = await client.call(person, method, path, body);
    expect([path, answer.status, answer.body.details?.limit]).toEqual([path, 429, name]);
  }
});

test("a password that is right, at a login and before a change", async () => {
  const kofi = await world.person("kofi");
  const login = {
    email: kofi.email,
    password: kofi.password,
    address: "192.0.2.9",
    userAgent: "",
  };
  await spendAll(kofi, "login.right");
  expect((await refusal(logIn(world.db, login))).details?.limit).toBe("login.right");
  await spendAll(kofi, "password.checked");
  const checked = await refusal(checkOwnPassword(world.db, kofi.by("web"), kofi.password));
  expect(checked.details?.limit).toBe("password.checked");
});

test("what calls Paystack, looks up an address or hashes a password names a budget, or is listed here", async () => {
  const atPaystack =
    "initialize|charge|submitCode|verify|list|listRefunds|refundsOf|listPayouts|payoutPayments|balance";
  const costly = new RegExp(`gateway\\.(${atPaystack})\\(|passwords\\.(hash|verify)\\(|\\.problemOf\\(`);
  const found: string[] = [];
  for (const file of ["src/core", "src/api", "src/web", "channels"].flatMap(sources)) {
    const text = await Bun.file(file).text();
    if (costly.test(text) && !/budgets\.(spend|trySpend|reserve)\(/.test(text)) found.push(file);
  }
  expect(found.sort()).toEqual([
    // The worker's, and what a signed event of Paystack or a verification with its own budget leads to.
    "src/core/payments/refunds.ts",
    "src/core/payments/settlement.ts",
  ]);
});

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}
