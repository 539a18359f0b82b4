// Rules for every page: closed to visitors unless declared open, a policy under which only the page's islands run, and
// a small size.
import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { orders as orderTable } from "../../db/schema/orders.ts";
import { paymentReversals, payments } from "../../db/schema/payments.ts";
import { payouts } from "../../db/schema/payments-payouts.ts";
import { summarize } from "../../islands/parts/bulk-text.ts";
import * as drafts from "../../src/core/buying/bulk-drafts.ts";
import * as orders from "../../src/core/buying/buy.ts";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import * as priceChanges from "../../src/core/catalog/price-changes.ts";
import * as priceLists from "../../src/core/catalog/price-lists.ts";
import * as products from "../../src/core/catalog/products.ts";
import { take as takeBatch } from "../../src/core/fulfilment/desk/desk.ts";
import * as routing from "../../src/core/fulfilment/routing.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import * as contacts from "../../src/core/identity/contacts.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../src/core/payments/deposits/statements.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as profitDays from "../../src/core/reports/profit-days.ts";
import * as raising from "../../src/core/signals/raising.ts";
import * as signals from "../../src/core/signals/signals.ts";
import * as support from "../../src/core/support/requests.ts";
import type { Subject } from "../../src/http/subject.ts";
import { ACTION } from "../../src/shared/forms.ts";
import { show } from "../../src/shared/money.ts";
import { PENDING_LOGIN } from "../../src/web/cookies.ts";
import { built } from "../../src/web/island.tsx";
import type { Page } from "../../src/web/page.tsx";
import { pages } from "../../src/web/pages/index.tsx";
import { lineFor } from "../support/asking.ts";
import { makeKey } from "../support/keys.ts";
import { longTest } from "../support/long.ts";
import { receiptToken } from "../support/pages.ts";
import { unstyledClasses } from "../support/sheets.ts";
import { weigh } from "../support/weight.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const product = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 20.00");
const { body: order } = await client.call(ama, "POST", "/api/v1/orders", {
  productId: product.id,
  msisdn: "0541234567",
  quantity: 1,
  pay: "wallet",
});
const { body: topUp } = await client.call(ama, "POST", "/api/v1/wallet/topup/init", { amount: 20 });
const [payment] = await world.db.select().from(payments).where(eq(payments.id, topUp.transactionId));
// A chargeback before the payment succeeded: nothing is held for it.
const [chargeback] = await world.db
  .insert(paymentReversals)
  .values({
    paymentId: payment!.id,
    userId: ama.id,
    kind: "chargeback",
    providerReference: "dispute:1",
    amountPesewas: 2000,
  })
  .returning();
const claim = await deposits.file(world.db, {
  by: ama.by(),
  transactionId: "40125566778",
  amountPesewas: 5000,
});
const [payout] = await world.db
  .insert(payouts)
  .values({
    ...{ domain: "test", providerId: "3090024", status: "processing", isListed: true },
    ...{ amountPesewas: 1961, processedPesewas: 2000, feesPesewas: 39 },
  })
  .returning();
const statementDraft = await statements.keepDraft(world.db, {
  ...{ by: world.yaw.by("admin"), network: "mtn", source: "file", name: "november.csv" },
  cells: [
    ["F_ID", "AMOUNT", "TRANS. TYPE"],
    ["40125566779", "20.00", "CASH_IN"],
  ],
});
await settings.change(world.db, { by: world.yaw.by("admin"), values: { dispatch_hold_seconds: 0 } });
await orders.buy(world.db, { by: ama.by(), key: null, line: lineFor(product) });
await routing.routeDue(world.db, [], 10);
const desk = { by: world.yaw.by("admin"), key: null, operator: "MTN", countMax: 1 } as const;
const { answer: batch } = await takeBatch(world.db, desk);
await world.db.update(orderTable).set({ costPesewas: 370 }).where(eq(orderTable.id, order.id));
await profitDays.countDue(world.db);
await products.ensureAfa(world.db);
const kofi = await world.person("kofi", "GH₵ 5.00");
const { body: afa } = await client.call(kofi, "POST", "/api/v1/afa", {
  people: [{ fullName: "Akosua", phone: "0541234568", ghCardId: "GHA-123456789-0", location: "Kumasi" }],
});
const { answer: bulkOrder } = await buyBulk(world.db, {
  by: ama.by(),
  key: null,
  lines: [{ productId: product.id, msisdn: "0241234567", quantity: 1 }],
});
const { answer: request } = await support.file(world.db, { by: ama.by(), message: "Where is it?" });
const { body: hook } = await client.call(ama, "POST", "/api/v1/webhooks", { url: "http://hook.example/" });
const program = await makeKey(world.db, ama.by());
await client.call(null, "GET", "/api/v1/orders", undefined, program.headers);
await client.app.flush();
const [apiRequest] = await world.db.execute<{ id: number }>(sql`select id from api_requests`);
const { answer: priceChange } = await priceChanges.set(world.db, {
  ...{ by: world.yaw.by("admin"), key: null, since: null, note: "", isConfirmed: true },
  prices: [{ productId: product.id, userId: kofi.id, pricePesewas: 395 }],
});
await raising.raiseDue(world.db);
const [signal] = await signals.list(world.db, { state: "open" }, { limit: 1 });
/**
 * Shortcuts is in the frame of all pages behind the login, AppShell in that of agents, Palette and WaitingWatch in that
 * of staff, SendOnce in every form with a key.
 */
const OF_NO_PAGE = ["AppShell", "Shortcuts", "Palette", "WaitingWatch", "SendOnce"];
/** The islands of pages, besides those that belong to no page. All other pages carry no script. */
const ISLANDS: Record<string, string[]> = {
  "/forgot-password": ["SubmitButton"],
  "/reset-password": ["ShowPassword", "ShowPassword", "SubmitButton"],
  "/claim": ["SubmitButton"],
  "/claim/code": ["ShowPassword", "ShowPassword", "SubmitButton"],
  "/login": ["ShowPassword", "SubmitButton"],
  "/signup": ["ShowPassword", "ShowPassword", "SubmitButton"],
  "/login/code": ["SubmitButton"],
  "/dashboard": ["PayerNetwork", "Modal"],
  "/wallet/top-up": ["PayerNetwork"],
  "/mtn-afa": ["KeepTyped"],
  "/support": ["KeepTyped"],
  "/orders/report": ["KeepTyped"],
  "/buy": ["Counter", "Counter"],
  "/mtn-data": ["Counter", "Counter"],
  "/airtel-tigo": ["Counter", "Counter"],
  "/telecel": ["Counter", "Counter"],
  "/bulk": ["BulkCheck"],
  "/bulk/:id": ["BulkWatch"],
  // None of its lines is good.
  "/bulk/check/:id": ["BulkFix"],
  "/orders": ["KeepTyped", "OrdersWatch"],
  "/orders/:id": ["OrderWatch", "CancelButton", "CopyText", "KeepTyped"],
  "/admin/orders/:id": ["OrderWatch", "CopyText", "Modal"],
  "/admin/claims": ["CopyText"],
  "/admin/desk/:id": ["CopyText"],
  // Shown as the order's own page while there is nothing to report.
  "/orders/:id/not-received": ["OrderWatch", "CancelButton", "CopyText", "KeepTyped"],
  "/r/:token": ["OrderWatch"],
  "/statistics": ["SalesPlot"],
  "/admin/statistics": ["SalesPlot"],
  "/admin/profit": ["SalesPlot"],
  "/admin": ["Desk"],
  "/admin/users": ["Desk"],
  "/admin/prices": ["PriceTable", "Desk"],
  "/admin/products/:id": ["Modal"],
  "/admin/users/:id": ["Modal", "Desk"],
  "/admin/users/:id/orders": ["Desk"],
  "/admin/wallets": ["Desk"],
};
const digestOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64");
const SCRIPTS = `'self' 'sha256-${digestOf(built.loader)}'`;
/** The directives of a page's policy by name. */
const policyOf = (seen: Seen) =>
  new Map(
    seen.headers
      .get("content-security-policy")!
      .split("; ")
      .map((directive) => [directive.split(" ")[0]!, directive.split(" ").slice(1).join(" ")]),
  );
const attributesOf = (seen: Seen, selector: string, name: string) =>
  [...seen.document.querySelectorAll(selector)].map((element) => element.getAttribute(name)!);

/** The page that a form is sent to. */
const pageAt = (path: string) =>
  pages.find((page) => page.path === path) ??
  pages.find((page) => new RegExp(`^${page.path.replace(/:\w+/g, "[^/]+")}$`).test(path))!;
/** Pages that only a form leads to. */
const BY_FORMS = ["/login/code", "/admin/orders/:id"];
const checked = await drafts.save(world.db, {
  by: ama.by(),
  draft: {
    draftId: null,
    key: "checked",
    operator: "MTN",
    productId: null,
    lines: "0541234567 1GB\n12345\n0201234567 5",
    lineCount: 3,
    isKept: false,
  },
});
const IDS: Partial<Record<Subject, number | string>> = {
  signal: signal!.id,
  signalRule: "young_top_up",
  order: order.id,
  unpaidOrder: order.id,
  deliveredOrder: order.id,
  receipt: receiptToken(order.id),
  bulkOrder: bulkOrder.bulkOrderId!,
  draft: checked,
  registration: afa.registrations[0].id,
  deposit: claim.id,
  statementDraft,
  depositReversal: 0,
  payout: payout!.id,
  cashClose: 0,
  bankDeposit: 0,
  paymentReference: payment!.reference,
  payment: payment!.id,
  chargeback: chargeback!.id,
  request: request.id,
  webhook: hook.id,
  apiKey: program.id,
  apiRequest: apiRequest!.id,
  product: product.id,
  priceList: (await priceLists.publish(world.db, { by: ama.by(), heading: "", msisdn: "" })).token,
  priceChange: priceChange.changeId!,
  user: ama.id,
  batch: batch.batchId,
  network: "TELECEL",
  provider: "paystack",
  vendor: "hubnet",
  apiCall: "post-orders",
};
await vendors.enrol(world.db, [{ code: "hubnet" }]);
const addressOf = ({ path, subject: of }: Page) => (of ? path.replace(/:\w+/, String(IDS[of])) : path);

test("exactly these pages are open to everybody", () => {
  const open = pages.filter((page) => page.role === "anyone").map((page) => page.path);
  expect(open.sort()).toEqual([
    "/",
    "/claim",
    "/claim/code",
    "/developers",
    "/developers/:name",
    "/developers/errors",
    "/developers/try",
    "/developers/webhooks",
    "/first-owner",
    "/forgot-password",
    "/login",
    "/login/code",
    "/logout",
    "/offline",
    "/p/:token",
    "/privacy",
    "/r/:token",
    "/reset-password",
    "/signup",
    "/status",
    "/your-number",
    "/your-number/code",
  ]);
});

describe("a visitor without a session", () => {
  for (const page of pages.filter((one) => one.role !== "anyone" && one.show)) {
    test(`is redirected from ${page.path} to the login`, async () => {
      const seen = await visitor(client.app).open(addressOf(page));
      expect([seen.status, seen.path.startsWith("/login")]).toEqual([200, true]);
    });
  }
});

describe("every page", () => {
  const shown = pages.filter(
    ({ show, path, examples = [""] }) => show && (examples.includes("") || BY_FORMS.includes(path)),
  );
  for (const page of shown) {
    test(`${page.path} has one heading, a title, labels, and only its islands as scripts`, async () => {
      const person = page.right ? world.yaw : ama;
      const visit = page.role === "anyone" ? visitor(client.app) : await visitorAs(client, person);
      // Without this cookie, the second step of a login only leads to the first.
      if (page.path === "/login/code") visit.cookies.set(PENDING_LOGIN, "between-the-steps");
      const seen = await visit.open(addressOf(page));
      expect(seen.status).toBe(200);
      expect(seen.document.querySelectorAll("h1").length).toBe(1);
      expect(seen.document.title).toMatch(/^(\(\d+\) )?\w.{3}/);
      expectOnlyIslands(seen, ISLANDS[page.path] ?? []);
      expect(unstyledClasses(seen.document)).toEqual([]);
      const ids = [...seen.document.querySelectorAll("[id]")].map((element) => element.getAttribute("id"));
      expect(ids.length).toBe(new Set(ids).size);
      for (const field of seen.document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
        const id = field.getAttribute("id");
        const label = id ? seen.document.querySelector(`label[for="${id}"]`) : field.closest("label");
        expect(label?.textContent).toBeTruthy();
      }
      for (const form of seen.document.querySelectorAll("form[method=post]")) {
        expect(form.getAttribute("action")).toMatch(/^\//);
        expectDeclared(form);
      }
    });
  }

  for (const page of shown.filter(({ actions }) => actions)) {
    longTest(`${page.path} refuses actions that it does not declare`, async () => {
      const person = page.right ? world.yaw : ama;
      for (const action of ["toString", "", ...(page.submit ? [] : [null])]) {
        const form: Record<string, string> = action === null ? {} : { [ACTION]: action };
        const response = await client.browse(person, addressOf(page), form);
        expect([response.status, await response.text()]).toEqual([
          422,
          expect.stringContaining("<title>Please check: "),
        ]);
      }
    });
  }

  /** The policy of every page, as in the answer's header. */
  const ownPolicy = (seen: Seen) => ({
    "default-src": "'none'",
    "style-src": [...seen.document.querySelectorAll("style")]
      .map(({ textContent }) => `'sha256-${digestOf(textContent)}'`)
      .join(" "),
    "style-src-attr": "'none'",
    "img-src": "'self'",
    "manifest-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  });

  test("without an island has a policy that allows only its own stylesheet", async () => {
    const seen = await visitor(client.app).open("/logout");
    expect(Object.fromEntries(policyOf(seen))).toEqual(ownPolicy(seen));
  });

  test("has each stylesheet that it needs once, and a policy that allows exactly those", async () => {
    const seen = await (await visitorAs(client, ama)).open("/statistics");
    const [own, ...others] = seen.document.querySelectorAll("head > style");
    expect([own!.getAttribute("data-href"), others]).toEqual(["style shop plot tables", []]);
    expect(policyOf(seen).get("style-src")).toBe(`'sha256-${digestOf(own!.textContent)}'`);
    expect(policyOf(seen).get("style-src-attr")).toBe("'none'");
  });

  test("with an island has a policy that adds the loader by its digest, our own files and our own API", async () => {
    const seen = await visitor(client.app).open("/login");
    expect(Object.fromEntries(policyOf(seen))).toEqual({
      ...ownPolicy(seen),
      "script-src": SCRIPTS,
      "script-src-attr": "'none'",
      "worker-src": "'self'",
      "require-trusted-types-for": "'script'",
    });
  });

  test("cannot get an island, or an end of its body, from people's input", async () => {
    const typed = '<is-land src="/x.js" on="load" props="{}"></is-land></body><script>1</script>';
    const visit = await visitorAs(client, ama);
    const seen = await visit.press(await visit.open("/mtn-data"), "Pay with Wallet", { msisdn: typed });
    expect(seen.status).toBe(422);
    expectOnlyIslands(seen, ISLANDS["/mtn-data"]!);
  });

  test("that checks a bulk order counts as its island does, and has no other island", async () => {
    const lines = "0551234567\n+233551234567,2\n\n12345\n0241234567,101\n0241234567,3\n0201234567\n0241234568 5";
    const visit = await visitorAs(client, ama);
    const page = await visit.open("/bulk?operator=MTN");
    const [product] = await world.db.query.products.findMany();
    const offers = [{ ...product!, family: "MTN" as const, sizeMb: product!.volumeMb }];
    const choices = { operator: "MTN", productId: 1, figures: null, otherNetworks: null } as const;
    for (const allowDuplicate of ["", "yes"]) {
      const chosen = { productId: "1@390", lines, ...(allowDuplicate && { allowDuplicate }) };
      const seen = await visit.press(page, "Check list", chosen);
      // With money for a part of the list there is a button to place that part.
      expectOnlyIslands(seen, ["BulkFix", "PlaceProgress"]);
      const list = { offers, choices };
      const { goodCount, bad, repeated, questionCount, totalPesewas } = summarize(lines, !!allowDuplicate, list);
      const counts = [`Good lines${goodCount}`, `Lines to fix${bad.length}`, `your answer${questionCount}`];
      const paid = totalPesewas > 830 ? "All of them" : "You pay";
      const repeats = repeated.length > 0 ? `Repeated${repeated.length}` : "";
      expect(seen.text).toContain(
        `${counts[0]}${counts[1]}Waiting for ${counts[2]}${repeats}${paid}${show(totalPesewas)}`,
      );
    }
  });

  test("with personal content is not cached", async () => {
    const seen = await (await visitorAs(client, ama)).open("/orders");
    expect(seen.headers.get("cache-control")).toBe("private, no-store");
  });

  test("is sent in the best encoding that the browser accepts", async () => {
    const get = (encoding: string) => client.browse(null, "/", undefined, { "accept-encoding": encoding });
    const plain = await (await get("")).text();
    const brotli = await get("gzip, deflate, br");
    expect(brotli.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(await brotli.bytes()).toString()).toBe(plain);
    const gzip = await get("gzip");
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await gzip.bytes()).toString()).toBe(plain);
  });
});

/** Expects that a form only uses actions that its page declares. */
function expectDeclared(form: ReturnType<Seen["document"]["querySelectorAll"]>[number]): void {
  const id = form.getAttribute("id");
  const elsewhere = id ? [...form.ownerDocument!.querySelectorAll(`[form="${id}"][name=${ACTION}]`)] : [];
  const actionNames = [...form.querySelectorAll(`[name=${ACTION}]`), ...elsewhere].map(
    (it) => it.getAttribute("value")!,
  );
  const { submit, actions = {} } = pageAt(form.getAttribute("action")!);
  expect(Object.keys(actions)).toEqual(expect.arrayContaining(actionNames.map((it) => it.split(" ")[0]!)));
  if (actionNames.length === 0) expect(submit).toBeDefined();
}

/**
 * Expects these islands, those of the frame and of forms with a key, and no other script: the loader once, and files
 * from the build.
 */
function expectOnlyIslands(seen: Seen, own: string[]): void {
  const srcOf = (name: string) => built.islands.get(name)!.src;
  const sources = attributesOf(seen, "is-land", "src");
  const ofNoPage = OF_NO_PAGE.map(srcOf);
  expect(sources.filter((src) => !ofNoPage.includes(src))).toEqual(own.map(srcOf));
  const isAgents = seen.document.querySelector(".shell") !== null && !seen.document.querySelector('[href="/admin"]');
  const isLoggedIn = seen.document.querySelector('form[action="/logout"]') !== null;
  expect(sources.filter((src) => src === srcOf("AppShell"))).toHaveLength(isAgents && isLoggedIn ? 1 : 0);
  for (const form of seen.document.querySelectorAll("form")) expectSentOnce(form);
  const all = [...own, ...OF_NO_PAGE.filter((name) => sources.includes(srcOf(name)))];
  const islands = all.map((name) => built.islands.get(name)!);
  const preloaded = attributesOf(seen, "link[rel=modulepreload]", "href");
  const wanted = new Set(islands.flatMap(({ src, deps }) => [src, ...deps]));
  expect(preloaded.filter((path) => !wanted.has(path))).toEqual([]);
  const scripts = [...seen.document.querySelectorAll("script")];
  expect(scripts.map((script) => [script.textContent, script.attributes.length])).toEqual(
    all.length > 0 ? [[built.loader, 0]] : [],
  );
  expect(policyOf(seen).get("script-src")).toBe(all.length > 0 ? SCRIPTS : undefined);
  expect(policyOf(seen).get("default-src")).toBe("'none'");
  expect(seen.headers.get("content-security-policy")).not.toMatch(/unsafe|\*|data:|blob:/);
  const markup = seen.html.replace(`<script>${built.loader}</script>`, "");
  expect(markup).not.toMatch(/<script|\son\w+=|javascript:|\sstyle=/i);
}

/** Expects that a form with a key cannot be sent twice; the same island makes its buttons say what they are doing. */
function expectSentOnce(form: ReturnType<Seen["document"]["querySelectorAll"]>[number]): void {
  if (!form.querySelector("[name=key]")) return;
  const once = built.islands.get("SendOnce")!.src;
  // The button that cancels counts down, and is an island of its own.
  const isCancel = form.querySelector(`is-land[src="${built.islands.get("CancelButton")!.src}"]`) !== null;
  expect([form.getAttribute("action"), isCancel || form.querySelector(`is-land[src="${once}"]`) !== null]).toEqual([
    form.getAttribute("action"),
    true,
  ]);
}

test("the icon is a picture of a few bytes, cached for a day", async () => {
  const response = await client.browse(null, "/favicon.svg");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  expect((await response.bytes()).length).toBeLessThan(500);
});

describe("the islands' files", () => {
  test("are cached for ever, and sent in the best encoding", async () => {
    for (const [path, file] of built.files) {
      const response = await client.browse(null, path, undefined, { "accept-encoding": "gzip, br" });
      expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("content-encoding")).toBe("br");
      expect(brotliDecompressSync(await response.bytes()).equals(file.plain)).toBe(true);
      const plain = await client.browse(null, path, undefined, { "accept-encoding": "identity" });
      expect(Buffer.from(await plain.bytes()).equals(file.plain)).toBe(true);
    }
  });

  test("from an older build are not found", async () => {
    expect((await client.browse(null, "/built/send-once-00000000.js")).status).toBe(404);
  });
});

describe("the total size of a page's files in brotli", () => {
  const weightOf = (path: string) => {
    const person = path === "/" || path === "/login" ? null : ama;
    return weigh((it) => client.browse(person, it, undefined, { "accept-encoding": "br" }), path);
  };
  test("is at most 12 kB for the landing page, none of it a script", async () => {
    const { js, all } = await weightOf("/");
    expect(js).toBe(0);
    expect(all).toBeLessThan(12_000);
  });
  test("is at most 28 kB for the buying page, 16 kB of it scripts", async () => {
    const { js, all } = await weightOf("/buy");
    expect(js).toBeLessThan(16_000);
    expect(all).toBeLessThan(28_000);
  });
  test("is at most 28 kB for a bulk order and its check, 16 kB of it scripts", async () => {
    for (const path of ["/bulk", `/bulk/check/${checked}`]) {
      const { js, all } = await weightOf(path);
      expect(js).toBeLessThan(16_000);
      expect(all).toBeLessThan(28_000);
    }
  });
  test("is at most 14 kB for the login", async () => expect((await weightOf("/login")).all).toBeLessThan(14_000));
  test.each(["/dashboard", "/orders"])("is at most 22 kB for %p", async (path) =>
    expect((await weightOf(path)).all).toBeLessThan(22_000),
  );
  longTest("is at most 22 kB for a page of fifty orders of many customers", async () => {
    const esi = await world.person("esi", "GH₵ 1,000.00");
    await sellForDays(esi, 51);
    const get = (path: string) => client.browse(esi, path, undefined, { "accept-encoding": "br" });
    const { document } = await (await visitorAs(client, esi)).open("/orders?all=1");
    expect(document.querySelectorAll(".row-link").length).toBe(50);
    expect((await weigh(get, "/orders?all=1")).all).toBeLessThan(22_000);
  });
  test("is at most 22 kB for an order", async () =>
    expect((await weightOf(`/orders/${order.id}`)).all).toBeLessThan(22_000));
  test("is at most 12 kB for a receipt", async () =>
    expect((await weightOf(`/r/${receiptToken(order.id)}`)).all).toBeLessThan(12_000));
});

/** Orders of several days, bundles and states for different numbers, some of them with a customer's name. */
async function sellForDays(agent: Person, count: number): Promise<void> {
  const by = agent.by();
  const offered = [product, await world.product("TELECEL", "10GB", "7.20")];
  const statuses = ["COMPLETED", "FAILED", "PROCESSING"] as const;
  const msisdnOf = (n: number) => `024${5_550_000 + ((n * 7919) % 99_991)}`;
  for (let n = 0; n < count; n++) {
    const line = { productId: offered[n % 2]!.id, msisdn: msisdnOf(n), quantity: 1 + (n % 3) };
    const { id } = (await orders.buy(world.db, { by, key: null, line })).answer.order;
    const at = new Date(Date.now() - n * 97 * 60_000);
    await world.db.update(orderTable).set({ createdAt: at }).where(eq(orderTable.id, id));
    const step = { by: world.yaw.by("admin"), key: null, ids: [id], to: statuses[n % 3]!, reason: "By hand" };
    if (n % 4 > 0) await statusChanges.move(world.db, step);
    const customer = { msisdn: msisdnOf(n), name: `Customer ${(n * 7919) % 997}`, note: "" };
    if (n % 3 === 0) await contacts.save(world.db, { by, ...customer });
  }
}
