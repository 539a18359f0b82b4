// Keys of providers that an owner enters in the browser: checked like the environment's, never shown again, and theirs.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { providerSetupOf } from "../../src/app/provider-setup.ts";
import * as providerKeys from "../../src/core/platform/provider-keys.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { openApp, openWorld, TEST_JWT_SECRET } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const owner = await visitorAs(client, world.yaw);
const keys = providerKeys.keysOf(TEST_JWT_SECRET);
const SECRET = "sk_live_0a1b2c3d4e5f";

test("a key that the shop would not start with is refused at its field", async () => {
  const page = await owner.open("/admin/setup/paystack");
  const refused = await owner.press(page, "Save", { PAYSTACK_SECRET_KEY: "pk_live_public" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Must be a secret key: sk_test_… or sk_live_….");
  const half = await owner.press(await owner.open("/admin/setup/email"), "Save", { MAIL_FROM: "shop@example.com" });
  expect(half.text).toContain("SMTP_URL, MAIL_FROM: set both or neither.");
  expect(half.html).toContain('value="shop@example.com"');
  expect(await providerKeys.states(world.db)).toEqual([]);
});

test("a saved key is encrypted, not shown again, kept by an empty field, and removed by a press", async () => {
  const saved = await owner.press(await owner.open("/admin/setup/paystack"), "Save", { PAYSTACK_SECRET_KEY: SECRET });
  expect(saved.path).toBe("/admin/setup");
  expect(saved.text).toContain("Paystack is saved, and used from now on.");
  expect(saved.text).toContain(`by ${world.yaw.username}.`);
  expect(await providerKeys.read(world.db, keys)).toEqual({ PAYSTACK_SECRET_KEY: SECRET });
  const everywhere = await world.db.execute(
    sql`select (select string_agg(k::text, '') from provider_keys k)
           || (select string_agg(a::text, '') from audit_log a) as all`,
  );
  expect(String(everywhere[0]!.all)).not.toContain(SECRET);
  const page = await owner.open("/admin/setup/paystack");
  expect(page.html).not.toContain(SECRET);
  expect((await owner.press(page, "Save")).text).toContain("Nothing was changed.");
  const removed = await owner.press(await owner.open("/admin/setup/paystack"), "Remove what was entered");
  expect(removed.text).toContain("What was entered for Paystack is removed.");
  expect(await providerKeys.read(world.db, keys)).toEqual({});
});

test("the key of a supplier that sends nothing yet leads to its routes, and later ones back to the list", async () => {
  const first = await owner.press(await owner.open("/admin/setup/hubnet"), "Save", { HUBNET_API_KEY: "one" });
  expect(first.path).toBe("/admin/vendors");
  expect(first.text).toContain("Hubnet is saved. It sends nothing yet: choose what it sends.");
  await settings.change(world.db, { by: world.yaw.by("admin"), values: { route_mtn: "hubnet, desk" } });
  const next = await owner.press(await owner.open("/admin/setup/hubnet"), "Save", { HUBNET_API_KEY: "another" });
  expect([next.path, next.text]).toEqual(["/admin/setup", expect.stringContaining("Hubnet is saved, and used from")]);
  await owner.press(await owner.open("/admin/setup/hubnet"), "Remove what was entered");
});

test("the form of a supplier begins with its key; what may be empty says so", async () => {
  const page = await owner.open("/admin/setup/datamart");
  const labels = [...page.document.querySelectorAll("main form label")].map((label) => label.textContent);
  expect(labels).toEqual(["API key", "Webhook secret", "Address"]);
  expect(page.text).toContain("May be empty: its reports are then known by their address");
});

test("what is no secret is shown to change it, and an emptied field removes it", async () => {
  const typed = { ARKESEL_API_KEY: "arkesel key", ARKESEL_SENDER_ID: "MyShop" };
  await owner.press(await owner.open("/admin/setup/arkesel"), "Save", typed);
  const page = await owner.open("/admin/setup/arkesel");
  expect(page.html).toContain('value="MyShop"');
  await owner.press(page, "Save", { ARKESEL_SENDER_ID: "NewName" });
  expect(await providerKeys.read(world.db, keys)).toMatchObject({ ...typed, ARKESEL_SENDER_ID: "NewName" });
  await owner.press(await owner.open("/admin/setup/africastalking"), "Save", {
    AT_USERNAME: "shop",
    AT_API_KEY: "a key",
  });
  const both = await owner.open("/admin/setup/africastalking");
  expect((await owner.press(both, "Save", { AT_USERNAME: "" })).text).toContain(
    "AT_USERNAME, AT_API_KEY: set both or neither.",
  );
});

test("what the environment sets goes before it, and says so", async () => {
  const providerSetup = providerSetupOf({ PAYSTACK_SECRET_KEY: SECRET }, TEST_JWT_SECRET, null);
  const given = await visitorAs(openApp(world, undefined, [], { providerSetup }), world.yaw);
  const page = await given.open("/admin/setup/paystack");
  expect(page.text).toContain("Secret key is set in the environment, as PAYSTACK_SECRET_KEY.");
  expect(page.html).not.toContain(SECRET);
  expect(page.document.querySelector('main input[name="PAYSTACK_SECRET_KEY"]')).toBeNull();
  expect((await given.open("/admin/setup")).text).toContain("In the environment");
});

test("only an owner enters keys, and what is under another secret is not read", async () => {
  const manager = await world.person("manager", undefined, ["MANAGER"]);
  const visit = await visitorAs(client, manager);
  expect((await visit.open("/admin/setup/paystack")).status).toBe(403);
  expect((await owner.open("/admin/setup/nobody")).status).toBe(404);
  expect(await providerKeys.read(world.db, providerKeys.keysOf("another secret"))).toEqual({});
  const next = providerKeys.keysOf("the next secret of thirty-two letters", TEST_JWT_SECRET);
  await providerKeys.reseal(world.db, next);
  expect(await providerKeys.read(world.db, { key: next.key })).toMatchObject({ ARKESEL_SENDER_ID: "NewName" });
});
