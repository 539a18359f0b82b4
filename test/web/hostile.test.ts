// Hostile input in every form, and its display on every page and in every file: it never becomes markup, never changes
// the direction of the text around it, never grows without limit, and never runs in a spreadsheet.
import { afterAll, describe, expect, test } from "bun:test";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as desk from "../../src/core/fulfilment/desk/desk.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import { createHubnet } from "../../src/gateways/vendors/hubnet.ts";
import { DESK } from "../../src/shared/domain.ts";
import { built } from "../../src/web/island.tsx";
import { dispatchNow, fillShop, PAGES } from "../support/pages.ts";
import { pauseNetwork, pauseProduct } from "../support/pausing.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, type Visitor, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const hubnet = createHubnet({ baseUrl: "http://127.0.0.1:1", apiKey: "nobody answers" });
const client = openApp(world, paystack, [hubnet]);
const used = await fillShop(world, paystack);
const [asAgent, asAdmin] = [await visitorAs(client, used.agent), await visitorAs(client, world.yaw)];

/** A form with free text: its page, its button, and the maximum length of each field. */
type TextForm = {
  as: "visitor" | "agent" | "admin";
  /** Creates the page of a form that can be sent only once. */
  path: string | (() => Promise<string>);
  button: string;
  fields: Record<string, number>;
  /** What else the form needs. */
  also?: () => Record<string, string>;
  /** The whole content of a field in which the text is only a part. */
  around?: (text: string) => string;
};

let counter = 0;
const address = () => ({ email: `somebody${++counter}@example.com` });
const password = { password: "long enough for all", confirmPassword: "long enough for all" };
const newNumber = () => `0546${String(++counter).padStart(6, "0")}`;
/** The path of a new paid order. */
async function newOrder() {
  const line = { productId: used.product, msisdn: newNumber(), quantity: 1 };
  return (await orders.buy(world.db, { by: used.agent.by("web"), key: null, line })).answer.order;
}
/** The number in the latest batch. */
let inBatch = "";
async function newBatch(): Promise<string> {
  const { id, msisdn } = await newOrder();
  await dispatchNow(world, [id], DESK);
  inBatch = msisdn;
  const ask = { by: world.yaw.by("admin"), key: null, operator: "MTN", countMax: 500 } as const;
  return `/admin/desk/${(await desk.take(world.db, ask)).answer.batchId}`;
}
const someone = () => ({
  "people.0.fullName": "Kofi Mensah",
  "people.0.phone": newNumber(),
  "people.0.ghCardId": `GHA-${200_000_000 + ++counter}-1`,
  "people.0.location": "Kumasi",
});
async function newRegistration(): Promise<string> {
  const registered = await asAgent.press(await asAgent.open("/mtn-afa"), "Register 1 person", someone());
  const order = registered.document.querySelector('#registrations a[href^="/orders/"]')!;
  return order.getAttribute("href")!.replace("/orders/", "/admin/afa/");
}
/** The page of a product that may not be sold below its cost. */
async function notAllowed(): Promise<string> {
  await costs.endAllowance(world.db, { by: world.yaw.by("admin"), productId: used.product });
  return `/admin/products/${used.product}`;
}
const FORMS: TextForm[] = [
  {
    as: "visitor",
    path: "/signup",
    button: "Create Account",
    fields: { username: 50 },
    also: () => ({ ...address(), ...password }),
  },
  {
    as: "visitor",
    path: "/signup",
    button: "Create Account",
    fields: { email: 254 },
    also: () => ({ username: `somebody${++counter}`, ...password }),
  },
  { as: "visitor", path: "/login", button: "Login", fields: { email: 254, password: 200 } },
  {
    as: "agent",
    path: "/profile/name",
    button: "Save",
    fields: { username: 50 },
    also: () => ({ currentPassword: used.agent.password }),
  },
  {
    as: "agent",
    path: "/support",
    button: "Submit Request",
    fields: { fullName: 100, subject: 150, message: 2000 },
    also: () => ({ fullName: "Ama", subject: "Help", message: "Please" }),
  },
  { as: "agent", path: `/orders/${used.order}`, button: "Submit Report", fields: { message: 2000 } },
  {
    as: "agent",
    path: `/wallet/claims/${used.claim}/report`,
    button: "Send to support",
    fields: { message: 1000 },
  },
  {
    as: "agent",
    path: "/wallet/claims",
    button: "Report deposit",
    fields: { transactionId: 40, amount: 40 },
    also: () => ({ amount: "50" }),
  },
  {
    as: "agent",
    path: "/mtn-data",
    button: "Pay with Wallet",
    fields: { msisdn: 40, quantity: 40 },
    also: () => ({ productId: String(used.product) }),
  },
  {
    as: "agent",
    path: "/bulk",
    button: "Check list",
    fields: { lines: 10_000 },
    also: () => ({ productId: String(used.product) }),
  },
  {
    as: "agent",
    path: `/bulk?draft=${used.draft}`,
    button: "Save as draft",
    fields: { lines: 10_000 },
    also: () => ({ productId: String(used.product) }),
  },
  {
    as: "agent",
    path: "/mtn-afa",
    button: "Register 1 person",
    fields: {
      "people.0.fullName": 100,
      "people.0.location": 100,
    },
    also: someone,
  },
  {
    as: "agent",
    path: "/mtn-afa",
    button: "Register 1 person",
    fields: { "people.0.phone": 40, "people.0.ghCardId": 40, quantity: 20 },
    also: someone,
  },
  {
    as: "agent",
    path: "/profile/phone",
    button: "Send Code",
    fields: { msisdn: 40 },
    also: () => ({ currentPassword: used.agent.password }),
  },
  { as: "visitor", path: "/forgot-password", button: "Send Code", fields: { login: 254 } },
  {
    as: "visitor",
    path: "/reset-password?login=ama@example.com",
    button: "Set Password",
    fields: { login: 254, code: 40 },
    also: () => ({ login: "ama@example.com", code: "123456", ...password }),
  },
  { as: "agent", path: "/wallet/top-up", button: "Card or bank", fields: { amount: 40 } },
  {
    as: "agent",
    path: `/checkout?order=${used.unpaidOrder}`,
    button: "Card or bank",
    fields: { email: 254 },
  },
  {
    as: "agent",
    path: "/customers",
    button: "Save customer",
    fields: { name: 60, note: 200 },
    also: () => ({ msisdn: newNumber(), name: "Kwame" }),
  },
  {
    as: "agent",
    path: "/customers",
    button: "Save customer",
    fields: { msisdn: 40 },
    also: () => ({ name: "Kwame" }),
  },
  {
    as: "agent",
    path: "/customers",
    button: "Add customers",
    fields: { people: 10_000 },
    around: (text) => `${newNumber()},${text}`,
  },
  { as: "agent", path: "/customers", button: "Search", fields: { search: 100 } },
  {
    as: "agent",
    path: "/prices/share",
    button: "Save",
    fields: { heading: 60 },
  },
  { as: "agent", path: "/orders?all=1", button: "Search", fields: { search: 100 } },
  { as: "admin", path: "/orders?all=1", button: "Search", fields: { search: 100 } },
  { as: "admin", path: "/admin/users", button: "Search", fields: { search: 100 } },
  { as: "admin", path: "/admin/prices", button: "Search", fields: { search: 100 } },
  { as: "admin", path: "/admin/audit", button: "Show", fields: { id: 100 } },
  {
    as: "admin",
    path: "/admin/users",
    button: "Create agent",
    fields: { username: 50 },
    also: () => ({ ...address(), ...password }),
  },
  { as: "admin", path: `/admin/users/${used.agent.id}`, button: "Save user", fields: { username: 50 } },
  { as: "admin", path: `/admin/users/${used.agent.id}`, button: "Save user", fields: { email: 254 } },
  {
    as: "admin",
    path: `/admin/users/${used.agent.id}`,
    button: "Correct the wallet",
    fields: { reason: 300 },
    also: () => ({ amount: "1.00" }),
  },
  {
    as: "admin",
    path: "/admin/prices",
    button: "Add bundle",
    fields: { name: 80, size: 20 },
    also: () => ({ name: `One ${++counter}`, size: "1GB", price: "3.90" }),
  },
  { as: "admin", path: `/admin/products/${used.product}`, button: "Save product", fields: { name: 80 } },
  { as: "admin", path: notAllowed, button: "Allow a sale below cost", fields: { reason: 200 } },
  {
    as: "admin",
    path: "/admin/prices/costs",
    button: "Show the difference",
    fields: { pasted: 10_000 },
    around: (text) => `Product,Supplier,Cost\n${used.product},"${text.replaceAll('"', '""')}",1`,
  },
  {
    as: "admin",
    path: "/admin/settings",
    button: "Save settings",
    fields: { manual_payment_name: 80, support_phone: 40, support_hours: 80 },
  },
  {
    as: "admin",
    path: "/admin/settings",
    button: "Save settings",
    fields: { support_email: 254, manual_payment_number: 40 },
  },
  { as: "admin", path: "/admin/claims", button: "Refuse", fields: { reason: 300 } },
  { as: "admin", path: `/orders/${used.order}`, button: "Add note", fields: { note: 1000 } },
  {
    as: "admin",
    path: `/orders/${used.order}`,
    button: "Add note",
    fields: { note: 1000 },
    also: () => ({ forAgent: "yes" }),
  },
  {
    as: "admin",
    path: async () => `/orders/${(await newOrder()).id}`,
    button: "Fail and refund",
    fields: { reason: 300 },
  },
  { as: "admin", path: newRegistration, button: "Refuse and refund", fields: { reason: 300 } },
  { as: "admin", path: "/admin/afa?state=all", button: "Search", fields: { search: 100 } },
  { as: "admin", path: "/admin/wallets", button: "Go to the wallet", fields: { user: 100 } },
  {
    as: "admin",
    path: newBatch,
    button: "Save results",
    fields: { results: 200 },
    around: (text) => `${inBatch},failed,${text}`,
  },
  { as: "admin", path: newBatch, button: "Save results", fields: { results: 10_000 } },
  { as: "admin", path: newBatch, button: "Fail all", fields: { reason: 200 } },
  { as: "admin", path: "/admin/vendors/hubnet", button: "Pause Hubnet", fields: { note: 200 } },
  // Nothing is on sale any more after these.
  { as: "admin", path: `/admin/products/${used.product}`, button: "Pause sale", fields: { message: 200 } },
  { as: "admin", path: "/admin/switches", button: "Pause MTN", fields: { message: 200 } },
];

const visitorFor = { visitor: visitor(client.app), agent: asAgent, admin: asAdmin };

async function send(form: TextForm, texts: Record<string, string>): Promise<Seen> {
  const visit: Visitor = visitorFor[form.as];
  const path = typeof form.path === "string" ? form.path : await form.path();
  const page = await visit.open(path);
  const fields = Object.entries(texts).map(([name, text]) => [name, form.around?.(text) ?? text]);
  return visit.press(page, form.button, { ...form.also?.(), ...Object.fromEntries(fields) });
}

/** Undoes what a form can do only once, and resets daily limits. */
async function resetForms(): Promise<void> {
  const by = world.yaw.by("admin");
  await pauseProduct(world.db, { by, productId: used.product, message: null });
  await pauseNetwork(world.db, { by, operator: "MTN", message: null });
  await vendors.setPause(world.db, { by, code: hubnet.code, note: null });
  await world.db.$client`delete from rate_limits`;
  await world.db.$client`update deposits set state = 'open', reason = null, decided_at = null, decided_by_user_id = null
      where id = ${used.claim}`;
}

/** Characters that change the direction of the text around them, unless they are isolated. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

const TEXTS = {
  markup: `"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;{{7*7}}`,
  "a closing tag of its surroundings": `</title></textarea></style></script><svg onload=alert(1)>--><!--`,
  "characters that change direction": "\u202eevil \u2067kofi\u2066 \u05d0\u05d1\u05d2 123",
  "a formula": `=HYPERLINK("http://evil.example","Click")`,
  "another formula": "@SUM(1+1)*cmd|' /C calc'!A0",
};

for (const [label, text] of Object.entries(TEXTS)) {
  describe(`${label} in people's input`, () => {
    test("is accepted unchanged or refused with a message, in every form", async () => {
      await resetForms();
      for (const form of FORMS) {
        const texts = Object.entries(form.fields).map(([name, charsMax]) => {
          const fitting = name === "username" ? text.replace(/[\s@<>]/g, "") : text;
          return [name, fitting.slice(0, charsMax)];
        });
        const seen = await send(form, Object.fromEntries(texts));
        expect([seen.path, form.button, seen.status < 500]).toEqual([seen.path, form.button, true]);
        expectHarmless(seen);
      }
      const reason = text.slice(0, 300);
      const reply = await client.call(world.yaw, "PATCH", `/api/v1/admin/orders/${used.order}/status`, {
        status: "FAILED",
        reason,
      });
      expect(reply.status).toBeOneOf([200, 409]);
    });

    test("does no harm on any page", async () => {
      for (const { as, addresses } of PAGES) {
        for (const address of addresses(used)) {
          const seen = await visitorFor[as].open(address);
          expect([seen.path, seen.status]).toEqual([seen.path, 200]);
          expectHarmless(seen);
        }
      }
      // What the forms created, with pages of its own.
      const queue = await asAdmin.open("/admin/afa?state=all");
      const people = [...queue.document.querySelectorAll('td a[href^="/admin/afa/"]')].slice(0, 3);
      for (const link of people) {
        const one = await asAdmin.open(link.getAttribute("href")!);
        expectHarmless(one);
        expectHarmless(await asAdmin.press(one, "Show the number"));
        for (const visit of [asAgent, asAdmin])
          expectHarmless(await visit.open(link.getAttribute("href")!.replace("/admin/afa/", "/orders/")));
      }
      const [failed] = await world.db.$client<{ id: number }[]>`
        select order_id as id from attempts where state <> 'queued' and vendor = ${DESK} order by id desc limit 1`;
      for (const visit of [asAgent, asAdmin]) expectHarmless(await visit.open(`/orders/${failed!.id}`));
    });

    test("runs in no export", async () => {
      for (const visit of [asAgent, asAdmin]) expectHarmlessCells((await visit.open("/orders/export?kind=all")).html);
      // An admin's export of new orders is a batch, with a file of its own.
      expectHarmlessCells((await asAgent.open("/orders/export?kind=new")).html);
      expectHarmlessCells((await asAgent.open(`/bulk/${used.bulk}/export`)).html);
      expectHarmlessCells((await asAgent.open("/statistics/export")).html);
      expectHarmlessCells((await asAgent.open("/closing/export")).html);
      for (const path of [
        "/admin/statistics/export",
        "/admin/profit/export?by=agent",
        "/admin/profit/export?by=product",
        "/admin/profit/export?by=tier",
        `/admin/users/${used.agent.id}/statement/export`,
        `/admin/desk/${used.batch}/file`,
      ])
        expectHarmlessCells((await asAdmin.open(path)).html);
      const people = await asAdmin.open("/admin/afa?state=all");
      expectHarmlessCells((await asAdmin.press(people, "Export with card numbers")).html);
      const days = "from=2026-01-01&to=2026-12-31";
      expectHarmlessCells((await asAgent.open(`/api/v1/wallet/statement?format=csv&${days}`)).html);
      await resetForms();
    });
  });
}

function expectHarmless(seen: Seen): void {
  const { document, html, path } = seen;
  const scripts = [...document.querySelectorAll("script")].map((it) => it.textContent === built.loader);
  const markup = html.replace(`<script>${built.loader}</script>`, "");
  expect([path, scripts.every(Boolean), scripts.length < 2]).toEqual([path, true, true]);
  expect([path, document.querySelectorAll("img, iframe, object, svg[onload]").length]).toEqual([path, 0]);
  const attributes = [...document.querySelectorAll("*")].flatMap((it) => it.getAttributeNames());
  expect([path, attributes.filter((name) => /^on./i.test(name))]).toEqual([path, []]);
  expect([path, /<(script|img)/i.test(markup)]).toEqual([path, false]);
  expect([path, notIsolated(seen)]).toEqual([path, []]);
}

/**
 * Texts that could change the direction of their neighbours: those with such characters, except in the field that they
 * were typed into, and right-to-left texts that are not isolated.
 */
function notIsolated({ document }: Seen): string[] {
  const fence = "bdi, [dir=auto], input, textarea, option, title, [role=status]";
  const found: string[] = [];
  for (const element of document.querySelectorAll("*")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent);
    const text = own.join("");
    const isTurned = CONTROLS.test(text) || (RIGHT_TO_LEFT.test(text) && !element.closest(fence));
    if (isTurned) found.push(element.outerHTML.slice(0, 200));
  }
  return found;
}

function expectHarmlessCells(csv: string): void {
  expect(csv).not.toMatch(CONTROLS);
  const cells = [...csv.matchAll(/(?:^|,|\r\n)("(?:[^"]|"")*"|[^,\r\n]*)/g)].map(([, cell]) => cell!.replace(/^"/, ""));
  expect(cells.length).toBeGreaterThan(2);
  expect(cells.filter((cell) => /^[=+@＝＋＠\t\r\n]|^-(?!\d+\.\d\d$)/.test(cell))).toEqual([]);
}

const REFUSALS = new RegExp(
  [
    ...["at most \\d+ characters", "valid", "Invalid credentials", "transaction ID", "whole number"],
    ...["digits only", "six digits", "Choose from", "enter \\d+ again", "has expired", "on the card"],
  ].join("|"),
  "i",
);

describe("ten thousand characters", () => {
  const shortened = [
    "/orders?all=1",
    "/customers",
    "/admin/users",
    "/admin/prices",
    "/admin/audit",
    "/admin/afa?state=all",
  ];
  const unlimited = ["lines", "results", "people", "pasted"];
  for (const form of FORMS) {
    for (const name of Object.keys(form.fields)) {
      const where = typeof form.path === "string" ? form.path : "a page of its own";
      const isShortened = shortened.includes(where) && form.button !== "Save customer";
      if (unlimited.includes(name) || isShortened || where === "/admin/wallets") continue;
      test(`as ${name} at ${where} (${form.button}) are refused with a message`, async () => {
        await resetForms();
        const seen = await send(form, { [name]: "w".repeat(10_000) });
        expect(seen.status).toBeOneOf([401, 422]);
        const messages = [...seen.document.querySelectorAll(".error, .note.bad")].map((it) => it.textContent);
        expect(messages.join(" ")).toMatch(REFUSALS);
        expect(messages.join(" ").length).toBeLessThan(300);
      });
    }
  }

  test("make an address too long; seven thousand are cut in a search, and have no effect elsewhere", async () => {
    for (const path of shortened) {
      const separator = path.includes("?") ? "&" : "?";
      for (const name of ["search", "id"]) {
        const statusFor = async (count: number) =>
          (await asAdmin.open(`${path}${separator}${name}=${"w".repeat(count)}`)).status;
        expect([path, await statusFor(7_000), await statusFor(10_000)]).toEqual([path, 200, 414]);
      }
    }
  });
});
