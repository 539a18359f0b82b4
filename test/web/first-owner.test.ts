// The first visit of a new shop: it leads to the owner's account, and from there to what the shop needs.
import { afterAll, expect, test } from "bun:test";
import { connect, disconnect } from "../../db/connect.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as firstOwner from "../../src/core/identity/first-owner.ts";
import { codeKey } from "../../src/core/identity/logins/codes.ts";
import * as payments from "../../src/core/payments/payments.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { withoutPaystack } from "../../src/gateways/no-paystack.ts";
import { lineFor } from "../support/asking.ts";
import { freshDatabase } from "../support/database.ts";
import { populate, TEST_JWT_SECRET, testApp } from "../support/world.ts";
import { visitor } from "./visitor.ts";

const database = await freshDatabase();
const db = connect(database.url, { max: 5 });
afterAll(async () => {
  await disconnect(db);
  await database.drop();
});
const gateway = withoutPaystack({});
const app = testApp(db, { gateway });
const code = firstOwner.codeOf({ key: codeKey(TEST_JWT_SECRET) });
const filled = {
  code,
  username: "yaw",
  email: "yaw@example.com",
  password: "correct horse battery",
  confirmPassword: "correct horse battery",
};

test("a shop that nobody owns leads each visitor to its first account, and loses nothing that was typed", async () => {
  const yaw = visitor(app);
  for (const path of ["/", "/login", "/signup"]) expect((await yaw.open(path)).path).toBe("/first-owner");
  const page = await yaw.open("/");
  expect(page.text).toContain("Nobody owns it yet.");
  expect(page.html).not.toContain(code);
  // There is no account to log in to, and none to sign up for.
  expect(page.document.querySelectorAll('header a[href="/login"], header a[href="/signup"]')).toHaveLength(0);
  const refused = await yaw.press(page, "Open my shop", { ...filled, code: "AAAA-AAAA-AAAA" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("This is not the code");
  expect(refused.html).toContain('value="yaw@example.com"');
  const opened = await yaw.press(refused, "Open my shop", filled);
  expect(opened.path).toBe("/admin");
  expect(opened.text).toContain("Here is what it needs before it can sell.");
  expect(opened.text).toContain("No Paystack key.");
  // Without it nobody fills their own wallet: the first purchase is an agent's.
  expect(opened.html).not.toContain('href="/buy"');
  const agents = await yaw.open("/admin/users?new=1");
  expect(agents.document.querySelector("details[open] summary")!.textContent).toBe("Create agent");
  const kojo = { username: "kojo", email: "kojo@example.com", password: "waakye every morning" };
  const created = await yaw.press(agents, "Create agent", kojo);
  expect(created.text).toContain("Created: kojo can log in now. Put the cash they pay you in the wallet below.");
  const paid = await yaw.press(created, "Correct the wallet", { amount: "20.00", reason: "Cash, receipt 1" });
  expect(paid.text).toContain("the wallet now holds GH₵ 20.00.");
  expect(paid.text).toContain("Next: kojo logs in at http://localhost/login and buys the first bundle.");
  expect(paid.document.querySelector('main .note a[href="/admin/setup"]')).not.toBeNull();
});

test("once it has an owner, the page leads to the login, and a form that was left open to nothing", async () => {
  const late = visitor(app);
  expect((await late.open("/first-owner")).path).toBe("/login");
  const response = await app.fetch(
    new Request("http://localhost/first-owner", {
      method: "POST",
      body: new URLSearchParams({ ...filled, username: "kofi", email: "kofi@example.com" }).toString(),
      headers: { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" },
    }),
  );
  expect([response.status, response.headers.get("location")]).toEqual([303, "/login"]);
});

test("without a Paystack key agents are led to cash or to deposit by hand, and no payment begins", async () => {
  const world = await populate(db, database.url);
  const ama = await world.person("ama");
  const agent = visitor(app);
  const login = await agent.open("/login");
  await agent.press(login, "Login", { email: ama.email, password: ama.password });
  const by = ama.by("web");
  const product = await world.product("MTN", "1GB", "3.90");
  const unpaid = await unpaidOrders.create(db, { by, key: null, line: lineFor(product) });
  const pages = ["/wallet/top-up", "/wallet/manual", `/checkout?order=${unpaid.answer.id}`];
  for (const path of pages) {
    const page = await agent.open(path);
    expect(page.text).toContain("Prompts and cards are not set up in this shop yet.");
    expect(page.text).toContain("Pay the shop in cash, and it puts the money in your wallet.");
    // Nothing leads round in a circle, to a prompt that cannot come, or to a page for owners.
    for (const href of ["/wallet/manual", "/admin/setup/paystack"]) expect(page.html).not.toContain(`href="${href}"`);
    expect(page.text).not.toContain("Send prompt to my phone");
  }
  const owner = visitor(app);
  await owner.press(await owner.open("/login"), "Login", { email: world.yaw.email, password: world.yaw.password });
  expect((await owner.open("/wallet/top-up")).html).toContain('href="/admin/setup/paystack"');
  const values = { manual_payment_number: "024 123 4567" };
  await settings.change(db, { by: world.yaw.by("admin"), values });
  for (const path of [pages[0]!, pages[2]!]) expect((await agent.open(path)).html).toContain('href="/wallet/manual"');
  expect((await agent.open("/wallet/manual")).text).toContain("Confirm your transfer");
  const { answer } = await payments.startTopUp(db, { by, key: null, amountPesewas: 2_000 });
  const subject = { paymentId: answer.id };
  const prompted = await payments.charge(db, gateway, { by, subject, network: "mtn", msisdn: "233541234567" });
  expect(prompted.state).toBe("failed");
  expect(await world.balanceOf(ama)).toBe(0);
});
