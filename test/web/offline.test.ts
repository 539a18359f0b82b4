// The server's part for a phone without a connection, and for alerts: the worker's file, the pages that may be kept,
// and the browsers that are registered.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startPushService } from "../../dev/simulators/push.ts";
import * as devices from "../../src/core/messaging/push-devices.ts";
import { createPush, newVapidKeys } from "../../src/gateways/push.ts";
import { built } from "../../src/web/island.tsx";
import { count } from "../support/asking.ts";
import { createTestHooks, openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const keys = { ...newVapidKeys(), subject: "mailto:shop@example.com" };
const service = startPushService(keys.publicKey);
afterAll(() => service.stop());
const push = createPush(keys, createTestHooks());
const client = openApp(world, undefined, [], { push });
const ama = await world.person("ama", "GH₵ 10.00");

test("the service worker is small, checked for at every visit, and may call this shop only", async () => {
  const ask = (headers = {}) => client.browse(null, "/sw.js", undefined, { "accept-encoding": "br", ...headers });
  const response = await ask();
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(response.headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'");
  expect((await response.bytes()).length).toBeLessThan(4_000);
  const again = await ask({ "if-none-match": response.headers.get("etag")! });
  expect([again.status, (await again.bytes()).length]).toEqual([304, 0]);
  const source = new TextDecoder().decode(built.worker.plain);
  for (const name of ["AppShell", "SendOnce"]) expect(source).toContain(built.islands.get(name)!.src);
});

test("four pages may be kept, by their owner, and not while they show a notice", async () => {
  const ownerOf = async (path: string, headers = {}) =>
    (await client.browse(ama, path, undefined, headers)).headers.get("x-offline-copy");
  for (const path of ["/", "/dashboard", "/orders", "/wallet", "/buy"])
    expect(await ownerOf(path)).toBe(String(ama.id));
  for (const path of ["/orders?search=024", "/support", "/profile", "/wallet/top-up", "/status"])
    expect([path, await ownerOf(path)]).toEqual([path, null]);
  const cookie = `session=${await client.tokenOf(ama)}; notice=Paid`;
  expect(await ownerOf("/orders", { cookie })).toBeNull();
  expect((await client.browse(world.yaw, "/orders")).headers.get("x-offline-copy")).toBeNull();
  expect((await client.browse(null, "/")).headers.get("x-offline-copy")).toBeNull();
});

test("the offline page is the same for everybody, and needs no script", async () => {
  const [stranger, own] = [visitor(client.app), await visitorAs(client, ama)];
  const seen = await stranger.open("/offline");
  expect(seen.text).toContain("Nothing was sent.");
  expect(seen.document.querySelector("script")).toBeNull();
  expect(seen.text).not.toContain("Login");
  expect((await own.open("/offline")).text).toBe(seen.text);
  expect((await stranger.open("/offline?form=1")).text).toContain("We do not know whether your last form was sent.");
});

test("a browser turns alerts on for its session, is listed, and can be turned off", async () => {
  const { endpoint, p256dh, auth } = service.subscribe();
  const on = await client.browse(ama, "/profile/alerts", { action: "on", endpoint, p256dh, auth });
  expect([on.status, on.headers.get("location")]).toEqual([303, "/profile/alerts"]);
  const visit = await visitorAs(client, ama);
  const seen = await visit.open("/profile/alerts");
  expect(seen.text).toContain("This phone");
  expect(seen.html).not.toContain(endpoint);
  const [browser] = await devices.list(world.db, ama.id);
  const kofi = await world.person("kofi");
  await client.browse(kofi, "/profile/alerts", { action: "off", browser: String(browser!.id) });
  expect(await devices.list(world.db, ama.id)).toHaveLength(1);
  expect((await visit.press(seen, "Turn off")).text).toContain("Alerts are off there.");
  expect(await count(world.db, sql`from push_subscriptions`)).toBe(0);
});

test("an address that is none is refused", async () => {
  const { p256dh, auth } = service.subscribe();
  const form = { action: "on", endpoint: "http://10.0.0.1/push", p256dh, auth };
  expect((await client.browse(ama, "/profile/alerts", form)).status).toBe(422);
});

test("a logout on a phone ends its alerts", async () => {
  const visit = await visitorAs(client, await world.person("esi"));
  const seen = await visit.open("/profile");
  const { endpoint, p256dh, auth } = service.subscribe();
  const esi = { cookie: [...visit.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  await client.browse(null, "/profile/alerts", { action: "on", endpoint, p256dh, auth }, esi);
  expect(await count(world.db, sql`from push_subscriptions`)).toBe(1);
  await visit.press(seen, "Logout");
  expect(await count(world.db, sql`from push_subscriptions`)).toBe(0);
});

test("a shop without keys offers no alerts", async () => {
  const without = openApp(world);
  expect(await (await without.browse(ama, "/profile")).text()).not.toContain("/profile/alerts");
  const { endpoint, p256dh, auth } = service.subscribe();
  const on = await without.browse(ama, "/profile/alerts", { action: "on", endpoint, p256dh, auth });
  expect(on.status).toBe(422);
});
