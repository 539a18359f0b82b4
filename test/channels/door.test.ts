// Tests of the callback routes for Africa's Talking: which secrets and addresses they accept, what they parse, and what
// the log keeps.

import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { readCallback } from "../../channels/africastalking.ts";
import { webhookEvents } from "../../db/schema/payments.ts";
import type { AppDeps } from "../../src/app/app-deps.ts";
import { addressToken } from "../../src/core/fulfilment/vendor-webhooks.ts";
import { addressOf, gatewayAddressOf, gatewaySecretsOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { longTest } from "../support/long.ts";
import { openWorld, TEST_JWT_SECRET, testApp } from "../support/world.ts";

const world = await openWorld();
const lines: string[] = [];

function open(callbackSecrets?: AppDeps["callbackSecrets"]) {
  return testApp(world.db, {
    log: createLog("trace", { write: (line) => void lines.push(line) }),
    ...(callbackSecrets && { callbackSecrets }),
  });
}
const statusOf = async (app: ReturnType<typeof open>, secret: string, method = "POST") => {
  const url = addressOf("http://localhost", [secret], "delivery")!;
  return (await app.fetch(new Request(url, { method }))).status;
};

const [NEW, OLD, OTHER] = ["new", "old", "other"].map((name) => name.padEnd(40, "-0123456789"));
const [DERIVED] = secretsOf([], TEST_JWT_SECRET);

test("two secrets are accepted while one replaces the other, and the derived one is not", async () => {
  const app = open([NEW!, OLD!]);
  for (const [secret, status] of [
    [NEW, 200],
    [OLD, 200],
    [OTHER, 404],
    [DERIVED, 404],
  ] as const)
    expect([secret, await statusOf(app, secret!)]).toEqual([secret, status]);
});

test("without a configured secret, one that only this shop can derive is accepted", async () => {
  expect(DERIVED!.length).toBeGreaterThanOrEqual(32);
  expect(secretsOf([], "another secret that is long enough")).not.toEqual([DERIVED!]);
  for (const app of [open(), open([])]) {
    expect(await statusOf(app, DERIVED!)).toBe(200);
    expect(await statusOf(app, NEW!)).toBe(404);
  }
});

test("no secret in an address is logged, whether right or nearly right", async () => {
  lines.length = 0;
  const app = open([NEW!]);
  const vendorToken = addressToken(TEST_JWT_SECRET, "datamart");
  await statusOf(app, NEW!);
  await statusOf(app, OTHER!);
  await statusOf(app, NEW!, "GET");
  const post = { method: "POST", body: "{}" };
  for (const path of [
    `/channels/africastalking/${NEW}`,
    `/channels/africastalking/${NEW}/`,
    `/channels/africastalking/${NEW}/nothing/like/it`,
    `//channels//africastalking//${NEW}/delivery`,
    `/channels/${NEW}`,
    `/webhooks/vendors/datamart/${vendorToken}`,
  ])
    await app.fetch(new Request(`http://localhost${path}`, post));
  const log = lines.join("");
  expect(log).toContain('"path":"/channels/africastalking/[redacted]/delivery"');
  for (const secret of [NEW!, OTHER!, vendorToken]) expect(log).not.toContain(secret);
});

const form = "application/x-www-form-urlencoded";
const read = (body: string, type = form) =>
  readCallback(new Request("http://localhost/", { method: "POST", body, headers: { "content-type": type } }));

test("a form is read exactly: no number loses its leading zero, and no plus becomes a space", async () => {
  const fields = await read("phoneNumber=%2B233541234567&text=0541234567*007&retryCount=&on=true");
  expect([...fields!]).toEqual([
    ["phoneNumber", "+233541234567"],
    ["text", "0541234567*007"],
    ["retryCount", ""],
    ["on", "true"],
  ]);
});

test("an ambiguous form is not read at all", async () => {
  const whole = "id=ATXid_1&status=Success";
  expect(await read(whole, `${form}; charset=utf-8`)).not.toBeNull();
  expect(await read(`${whole}&more=${"x".repeat(4000)}`)).not.toBeNull();
  for (const [body, type] of [
    [`${whole}&status=Failed`, form],
    [`${whole}&status=Success`, form],
    [`${whole}&more=${"x".repeat(4096)}`, form],
    [`${whole}%00`, form],
    [whole, "application/json"],
    [whole, "multipart/form-data; boundary=x"],
    [whole, "text/plain"],
    ['{"id":"ATXid_1"}', "application/json"],
  ] as const)
    expect([body.slice(0, 40), type, await read(body, type)]).toEqual([body.slice(0, 40), type, null]);
});

test("any SMS delivery report gets an empty 200, and an invalid form changes nothing", async () => {
  const app = open();
  const url = addressOf("http://localhost", [DERIVED!], "delivery")!;
  const post = async (body: string, type = form) => {
    const response = await app.fetch(new Request(url, { method: "POST", body, headers: { "content-type": type } }));
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const kept = () => world.db.select({ event: webhookEvents.event, body: webhookEvents.body }).from(webhookEvents);
  for (const [body, type] of [
    ["", form],
    ["id=&status=Success", form],
    ["id=None&status=Success", form],
    ["id=ATXid_1", form],
    ["id=ATXid_1&status=Success&status=Failed", form],
    [`id=${"x".repeat(201)}&status=Success`, form],
    [`id=ATXid_1&status=${"x".repeat(5000)}`, form],
    ["id=ATXid_1&status=Success%00", form],
    ['{"id":"ATXid_1","status":"Success"}', "application/json"],
  ] as const)
    expect([body.slice(0, 40), ...(await post(body, type))]).toEqual([body.slice(0, 40), 200, "text/plain", ""]);
  expect(await kept()).toEqual([]);
  const whole = "id=ATXid_1&status=Failed&phoneNumber=%2B233541234567&networkCode=99999&failureReason=UserInBlackList";
  for (const body of [whole, whole, "id=ATXid_1&status=Teleported"]) expect((await post(body))[0]).toBe(200);
  expect(await kept()).toEqual([
    { event: "Failed", body: { networkCode: "99999", reason: "UserInBlackList" } },
    { event: "Teleported", body: { reason: null } },
  ]);
});

longTest("once a gateway's addresses are listed, nobody else brings its USSD and SMS, whatever they know", async () => {
  const from = (address: string) => testApp(world.db, { socketAddressOf: () => address, gatewaySecrets });
  const gatewaySecrets = gatewaySecretsOf({}, TEST_JWT_SECRET);
  const hub = gatewayAddressOf("http://localhost", "hubtel", gatewaySecrets.hubtel![0]!);
  const dial = async (address: string) => {
    const body = JSON.stringify({
      ...{ Type: "Initiation", SessionId: crypto.randomUUID(), Mobile: "233541234567", Sequence: 1 },
      ...{ ServiceCode: "920*55", Message: "*920*55#", Operator: "mtn" },
    });
    const headers = { "content-type": "application/json" };
    const response = await from(address).fetch(new Request(hub, { method: "POST", body, headers }));
    return [response.status, (await response.text()).includes("Sorry, please dial again")];
  };
  const report = async (address: string) => {
    const url = addressOf("http://localhost", [DERIVED!], "delivery")!;
    return (await from(address).fetch(new Request(url, { method: "POST" }))).status;
  };
  const list = (name: "hubtel" | "africastalking", value: string) =>
    settings.change(world.db, { by: world.yaw.by("admin"), values: { [`gateway_addresses_${name}`]: value } });

  expect([await dial("203.0.113.9"), await report("203.0.113.9")]).toEqual([[200, false], 200]);
  await list("hubtel", "41.66.0.0/16, 154.160.1.2 2001:db8::/32");
  for (const address of ["41.66.7.7", "154.160.1.2", "::ffff:41.66.7.7", "2001:db8::1"])
    expect([address, ...(await dial(address))]).toEqual([address, 200, false]);
  for (const address of ["203.0.113.9", "41.67.0.1", "154.160.1.3", "unknown"])
    expect([address, ...(await dial(address))]).toEqual([address, 200, true]);
  // Each gateway has its own list.
  expect(await report("203.0.113.9")).toBe(200);
  await list("africastalking", "41.66.0.0/16");
  expect([await report("203.0.113.9"), await report("41.66.7.7")]).toEqual([404, 200]);
  // What cannot be read lets nobody in, if it ever got there.
  await expect(list("hubtel", "41.66.0.0/16, anywhere")).rejects.toMatchObject({ code: "request.invalid" });
  await world.db.execute(sql`
    update settings set value = '"41.66.0.0/16, anywhere"', updated_at = now()
    where key = 'gateway_addresses_hubtel'`);
  expect(await dial("41.66.7.7")).toEqual([200, true]);
  for (const name of ["hubtel", "africastalking"] as const) await list(name, "");
});
