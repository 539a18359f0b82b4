// Keys entered in the browser of a shop in production: used by the server that took them at once, by a separate worker
// soon, and by both after a restart.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, disconnect } from "../../db/connect.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import { migrate } from "../../db/migrate.ts";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { startVendors } from "../../dev/simulators/vendors/vendors.ts";
import type { App } from "../../src/app/server.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { lineFor } from "../support/asking.ts";
import { freePort, startShop } from "../support/shop.ts";
import { populate } from "../support/world.ts";
import { visitor } from "../web/visitor.ts";

// Production takes no database that could lose what it has acknowledged, as those of tests do.
const dir = mkdtempSync(join(tmpdir(), "keys-"));
const database = await startEmbedded({ dir: join(dir, "postgres") });
await migrate(database.url);
const db = connect(database.url, { max: 5 });
const world = await populate(db, database.url);
const bundle = await world.product("MTN", "5GB", "20.90");
const ama = await world.person("ama", "GH₵ 900.00");
const [paystack, vendors] = await Promise.all([startPaystack({ secretKey: "sk_live_simulated" }), startVendors()]);
afterAll(async () => {
  await Promise.all([paystack.stop(), vendors.stop(), disconnect(db)]);
  await database.stop();
  rmSync(dir, { recursive: true, force: true });
});
await settings.change(world.db, {
  by: world.yaw.by("admin"),
  values: { route_mtn: "hubnet", dispatch_hold_seconds: 0 },
});

/** No key, and the addresses of the simulators. */
const ENVIRONMENT = {
  NODE_ENV: "production",
  BASE_URL: "https://shop.example",
  HOSTS: "127.0.0.1",
  PORT: freePort(),
  PAYSTACK_BASE_URL: paystack.url,
  PAYSTACK_SECRET_KEY: "",
  HUBNET_BASE_URL: vendors.settings.hubnet.baseUrl,
  HUBNET_API_KEY: "",
  ...{ AT_BASE_URL: "", AT_USERNAME: "", AT_API_KEY: "", SMTP_URL: "", MAIL_FROM: "" },
};
const start = (run: string) => startShop(world.url, { ...ENVIRONMENT, LOG_LEVEL: "info", RUN: run });

/** The owner in a browser, at the port of the shop. */
async function openAsOwner() {
  const url = `http://127.0.0.1:${ENVIRONMENT.PORT}`;
  const through = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    if (headers.has("origin")) headers.set("origin", url);
    const body = request.method === "POST" ? await request.bytes() : undefined;
    return fetch(url + pathname + search, { method: request.method, headers, body, redirect: "manual" });
  };
  const owner = visitor({ fetch: through } as App);
  const { email, password } = world.yaw;
  await owner.press(await owner.open("/login"), "Login", { email, password });
  return owner;
}

/** Buys a bundle; returns which vendor got it. */
async function vendorOfNext(): Promise<string> {
  const before = vendors.orders().length;
  await orders.buy(world.db, { by: ama.by(), key: null, line: lineFor(bundle) });
  while (vendors.orders().length === before) await Bun.sleep(50);
  return vendors.orders().at(-1)!.vendor;
}

test("keys are used by the server at once, by a separate worker soon, and after a restart", async () => {
  vendors.switch({ floats: { hubnet: 1e9 } });
  const [server, worker] = await Promise.all([start("server"), start("worker")]);
  const owner = await openAsOwner();
  const empty = await owner.open("/admin/setup");
  expect(empty.text).toContain("No Paystack key.");
  await owner.press(await owner.open("/admin/setup/paystack"), "Save", { PAYSTACK_SECRET_KEY: "sk_live_simulated" });
  const tested = await owner.press(await owner.open("/admin/setup"), "Test now");
  expect(tested.text).toContain("Paystack takes the key.");
  const { apiKey } = vendors.settings.hubnet;
  const saved = await owner.press(await owner.open("/admin/setup/hubnet"), "Save", { HUBNET_API_KEY: apiKey });
  expect(saved.text).toContain("Sent by Hubnet.");
  while (!worker.output().includes('"vendors":["hubnet"]')) await Bun.sleep(50);
  expect(await vendorOfNext()).toBe("hubnet");
  expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0]);
  const again = await start("both");
  expect(await vendorOfNext()).toBe("hubnet");
  expect((await owner.open("/admin/setup")).text).toContain("Sent by Hubnet.");
  expect(await again.stop()).toBe(0);
});
