// The page with what a shop needs: what is there, what is missing, and a button that tries each connection.
import { expect, test } from "bun:test";
import * as products from "../../src/core/catalog/products.ts";
import type { VendorBalance } from "../../src/core/fulfilment/vendor.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import { silentVendor } from "../support/silent-vendor.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const owner = await visitorAs(openApp(world), world.yaw);

test("an owner sees what is missing on Today until something was sold, and always on its page", async () => {
  const today = await owner.open("/admin");
  expect(today.text).toStartWith("Welcome to your shop");
  expect(today.text).toContain("No bundle is on sale.");
  expect(today.text).not.toContain("Latest orders");
  const page = await owner.open("/admin/setup");
  expect(page.text).toContain("What your shop needs");
  for (const path of ["/admin/products/add", "/admin/settings#set-support_email", "/profile/second-factor", "/buy"])
    expect(page.html).toContain(`href="${path}"`);
});

test("sending by hand is one press, and a test message goes out by another", async () => {
  const byHand = await owner.press(await owner.open("/admin/setup"), "I send by hand");
  expect(byHand.text).toContain("Orders are sent by hand: take them from the desk.");
  expect(byHand.text).toContain("Sent by hand.");
  // Who sends by hand today may connect a supplier tomorrow.
  const step = byHand.document.getElementById("step-sending")!;
  expect(step.querySelector("a")!.textContent).toBe("Connect a supplier");
  const sent = await owner.press(byHand, "Send me one");
  expect(sent.text).toContain(`A test is on its way to ${world.yaw.email}.`);
  const paystack = await owner.press(sent, "Test now");
  expect(paystack.text).toContain("Paystack");
});

test("the list says which step is next, and leads to it", async () => {
  const page = await owner.open("/admin/setup");
  const next = page.document.querySelector(".set-up .head a")!;
  expect([next.getAttribute("href"), next.textContent]).toEqual(["#step-bundles", "Bundles"]);
  expect(page.document.querySelector("#step-bundles a")!.getAttribute("href")).toBe("/admin/products/add");
});

test("bundles that wait for their costs are none on sale, and lead to where these are entered", async () => {
  const bundle = { operator: "MTN", name: "MTN", pricePesewas: 390, awaitsCost: true } as const;
  await products.add(world.db, { by: world.yaw.by("admin"), ...bundle, size: "1GB" });
  const page = await owner.open("/admin/setup");
  expect(page.text).toContain("No bundle is on sale. 1 waits for a cost.");
  expect(page.html).toContain('href="/admin/prices?show=not_yet"');
});

test("a supplier is asked for its balance by a press, which says what it answered and what is next", async () => {
  const answers: VendorBalance[] = [
    { kind: "found", balancePesewas: 25_050 },
    { kind: "refused", message: "Invalid API key" },
    { kind: "unclear", message: null },
    { kind: "found", balancePesewas: 9_000 },
  ];
  const supplier = silentVendor("first", "First", { balance: async () => answers.shift()! });
  await vendors.enrol(world.db, [supplier]);
  const visit = await visitorAs(openApp(world, undefined, [supplier]), world.yaw);
  expect((await visit.open("/admin/setup")).html).toContain("Suppliers and tests");
  const test = async () => (await visit.press(await visit.open("/admin/vendors"), "Test now First")).text;
  expect(await test()).toContain("First takes the key. Our balance there is GH₵ 250.50.");
  expect(await test()).toContain("First refuses the key. It says: “Invalid API key”. Enter the right one under");
  expect(await test()).toContain("First gives no clear answer. Try again in a minute.");
  await vendors.setPause(world.db, { by: world.yaw.by("admin"), code: "first", note: "Slow" });
  expect(await test()).toContain("Our balance there is GH₵ 90.00. It is still paused: open it to resume.");
});

test("only owners see it", async () => {
  const ama = await world.person("ama");
  const visit = await visitorAs(openApp(world), ama);
  expect((await visit.open("/admin/setup")).status).toBe(403);
});
