// Every way in has a budget: once an account, a network or a phone has used up its own, nothing that it sends is worked
// on, whatever the address. The routes are those that are mounted, so that a new one cannot be forgotten.
import { describe, expect, test } from "bun:test";
import { WIRES } from "../../dev/simulators/ussd-wires.ts";
import { gatewayAddressOf, gatewaySecretsOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { USSD_ONLY_GATEWAYS } from "../../src/shared/phones/ussd-gateways.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { makeKey } from "../support/keys.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, TEST_JWT_SECRET } from "../support/world.ts";

const world = await openWorld();
const gatewaySecrets = gatewaySecretsOf({}, TEST_JWT_SECRET);
const [ofTalking] = secretsOf([], TEST_JWT_SECRET);
// Nothing comes back within a test: one request of an account, four of a network, one of a phone.
const { app, tokenOf } = openApp(world, undefined, [], {
  ...{ requestBudget: { perSecond: 0.0001, burst: 1 }, gatewaySecrets },
  trustedProxies: ["127.0.0.1"],
});
const ama = await world.person("ama");

const mounted = app.elysia.routes.map(({ method, path }) => ({ method, path }));
const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const placeOf = (path: string) => path.replace("*", "999999").replace(/:\w+/g, "999999");
const origin = "http://localhost";

const send = (method: string, path: string, headers: Record<string, string>, body?: BodyInit) =>
  app.fetch(new Request(origin + path, { method, headers: { origin, ...headers }, ...(body && { body }) }));
const from = (address: string) => ({ "x-forwarded-for": address });

/** Files from memory, which cost no more than a refusal, and whoever watches the shop. */
const files = [...new Bun.Glob("**").scanSync("public")].map((name) => `/${name}`);
const free = ["/healthz", "/readyz", "/sw.js", "/built/:name", ...files];
const working = mounted.filter(({ path }) => !free.includes(path));

/** The routes that answer anything but 429 to whoever has used up a budget. */
async function unlimited(headers: Record<string, string>): Promise<string[]> {
  const open: string[] = [];
  for (const { method, path } of working) {
    const response = await send(method, placeOf(path), headers);
    await response.bytes();
    if (response.status !== 429 || !response.headers.has("retry-after")) open.push(named({ method, path }));
  }
  return open;
}

test("there are hundreds of routes: of the API, of pages and their forms, of gateways and providers", () => {
  expect(working.length).toBeGreaterThan(300);
  const paths = working.map(named);
  for (const path of [
    "POST /api/v1/orders",
    "GET /openapi.json",
    "POST /login",
    "GET /admin/users",
    "POST /webhooks/paystack",
    "POST /channels/hubtel/:secret/ussd",
  ])
    expect(paths).toContain(path);
});

longTest("a stranger's network is refused at each of them, and at addresses that are none", async () => {
  const headers = from("192.0.2.1");
  for (let i = 0; i < 4; i++) expect((await send("GET", "/login", headers)).status).toBe(200);
  expect(await unlimited(headers)).toEqual([]);
  for (const path of ["/nothing", "/api/v1/nothing", "/channels/nobody/x/ussd", "/webhooks/vendors/no/x"])
    expect([path, (await send("POST", path, headers)).status]).toEqual([path, 429]);
  // What is said of whom decides, and not what somebody claims to be.
  for (const authorization of ["Bearer none", "Bearer dfk_live_none", "Basic eDp5"])
    expect((await send("GET", "/api/v1/orders", { ...headers, authorization })).status).toBe(429);
  const refused = await send("POST", "/api/v1/auth/login", headers);
  expect(await refused.json()).toMatchObject({
    code: "request.rate_limited",
    message: expect.stringMatching(/^Too many requests come from your network\. Try again in /),
    details: { limit: "requests.network" },
  });
});

test("others, accounts on the same network, and those who watch the shop are not", async () => {
  expect((await send("GET", "/login", from("192.0.3.1"))).status).toBe(200);
  const kofi = await world.person("kofi");
  const cookie = `${SESSION_COOKIE}=${await tokenOf(kofi)}`;
  expect((await send("GET", "/dashboard", { ...from("192.0.2.1"), cookie })).status).toBe(200);
  for (const path of ["/healthz", "/readyz", "/sw.js"])
    expect([path, (await send("GET", path, from("192.0.2.1"))).status]).toEqual([path, 200]);
});

describe("an account that has used up its own is refused at each of them", () => {
  longTest("by cookie and by token", async () => {
    const token = await tokenOf(ama);
    const cookie = { ...from("192.0.4.1"), cookie: `${SESSION_COOKIE}=${token}` };
    expect((await send("GET", "/dashboard", cookie)).status).toBe(200);
    expect(await unlimited(cookie)).toEqual([]);
    expect(await unlimited({ ...from("192.0.4.1"), authorization: `Bearer ${token}` })).toEqual([]);
  });

  longTest("and by an API key", async () => {
    const efua = await world.person("efua");
    const { headers } = await makeKey(world.db, efua.by());
    const key = { ...from("192.0.5.1"), ...headers };
    expect((await send("GET", "/api/v1/orders", key)).status).toBe(200);
    // A page refuses the key itself, as that of a stranger, until the network's budget is used up.
    const open = await unlimited(key);
    expect(open.filter((route) => route.includes(" /api/"))).toEqual([]);
  });
});

describe("a phone that has used up its own", () => {
  const gateways: UssdGatewayName[] = ["africastalking", ...USSD_ONLY_GATEWAYS];
  const dial = async (gateway: UssdGatewayName, msisdn: string, address = "192.0.6.1") => {
    const wire = WIRES[gateway];
    const url =
      gateway === "africastalking"
        ? `${origin}/channels/africastalking/${ofTalking}/ussd`
        : gatewayAddressOf(origin, gateway, gatewaySecrets[gateway]![0]!);
    const hop = {
      ...{ sessionId: wire.newSessionId(), msisdn, serviceCode: "*920*55#", network: "MTN" as const },
      ...{ networkCode: "62001", text: "", input: "", number: 1, label: null },
    };
    const { headers, body } = wire.request(hop, {});
    return (await send("POST", new URL(url).pathname, { ...headers, ...from(address) }, body)).text();
  };

  longTest.each(gateways)(
    "is asked to wait at %s, and others are not, however many the gateway brings",
    async (gateway) => {
      const numbers = Array.from({ length: 9 }, (_, i) => `23354${gateways.indexOf(gateway)}0000${10 + i}`);
      for (const number of numbers) expect(await dial(gateway, number)).not.toContain("Too many requests");
      for (const number of numbers) expect(await dial(gateway, number)).toContain("Too many requests");
    },
  );

  test.each(gateways)("is nobody at %s for whoever knows no secret", async (gateway) => {
    const path = `/channels/${gateway}/guessed/ussd`;
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await send("POST", path, from(`192.0.7.${gateway.length}`))).status);
    expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
  });

  test("gets its SMS again later, and its USSD is its own", async () => {
    const sms = (id: string, number: string) =>
      send(
        "POST",
        `/channels/africastalking/${ofTalking}/inbound`,
        { ...from("192.0.8.1"), "content-type": "application/x-www-form-urlencoded" },
        new URLSearchParams({ id, from: `+${number}`, to: "22955", text: "HELP" }).toString(),
      );
    expect((await sms("1", "233541111111")).status).toBe(200);
    expect((await sms("2", "233541111111")).status).toBe(429);
    for (let i = 0; i < 6; i++) expect((await sms(`3${i}`, `23354111112${i}`)).status).toBe(200);
    expect(await dial("africastalking", "233541111111")).not.toContain("Too many requests");
  });
});
