// The needs of a shop: an empty one is not well, and names what is missing until it is there; tests and connections.
import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { vendors } from "../../../db/schema/fulfilment.ts";
import { phones } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import { webhookEvents } from "../../../db/schema/payments.ts";
import { startPaystack } from "../../../dev/simulators/paystack/paystack.ts";
import { connections, isFailing } from "../../../src/core/overview/connections.ts";
import { missing, steps } from "../../../src/core/overview/setup.ts";
import { sendTest } from "../../../src/core/overview/test-messages.ts";
import type { KeyState } from "../../../src/core/payments/gateway.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { createPaystack } from "../../../src/gateways/paystack.ts";
import { outcome } from "../../support/asking.ts";
import { pauseProduct } from "../../support/pausing.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const by = world.yaw.by("admin");
await settings.change(world.db, { by, values: { route_mtn: "datamart, desk" } });
const whole = {
  gateway: { keyState: (): KeyState => "accepted" },
  vendors: [{ code: "datamart" }],
  channels: { sms: true, email: true },
  keyMode: "live" as const,
};
const nothing = {
  ...whole,
  gateway: { keyState: (): KeyState => "refused" },
  vendors: [],
  channels: { sms: false, email: false },
};
const lacks = async (setUp: Parameters<typeof missing>[1]) => (await missing(world.db, setUp)).map(({ name }) => name);

test("an empty shop lacks everything, and each thing until it is there", async () => {
  expect(await lacks(nothing)).toEqual([
    "No bundle is on sale",
    "Paystack refuses the key",
    "No supplier is connected, and nobody has taken a batch",
    "No support contact",
    "No e-mail",
    "No SMS",
  ]);
  expect(await lacks(whole)).toEqual(["No bundle is on sale", "No support contact"]);
  await settings.change(world.db, { by, values: { support_whatsapp: "024 123 4567" } });
  const bundle = await world.product("MTN", "1GB", "3.90");
  expect(await lacks(whole)).toEqual([]);
  // A bundle that is paused is not on sale.
  await pauseProduct(world.db, { by, productId: bundle.id, message: "Sold out" });
  expect(await lacks(whole)).toEqual(["No bundle is on sale"]);
  await pauseProduct(world.db, { by, productId: bundle.id, message: null });
});

test("the shop of test keys sends no messages, and lacks none", async () => {
  expect(await lacks({ ...nothing, keyMode: "test" })).not.toContainAnyValues(["No e-mail", "No SMS"]);
});

test("Paystack's key is not known until Paystack has answered, then as it answered", async () => {
  const paystack = await startPaystack();
  const options = { baseUrl: paystack.url, secretKey: paystack.secretKey };
  const right = createPaystack(options);
  expect(await lacks({ ...whole, gateway: right })).toEqual(["Paystack has not answered yet"]);
  await right.balance();
  expect(await lacks({ ...whole, gateway: right })).toEqual([]);
  const wrong = createPaystack({ ...options, secretKey: "sk_test_wrong" });
  await wrong.balance();
  expect(await lacks({ ...whole, gateway: wrong })).toEqual(["Paystack refuses the key"]);
  await paystack.stop();
  // An outage says nothing about the key.
  await right.balance();
  expect(right.keyState()).toBe("accepted");
});

test("a supplier that no route has sends nothing, which is missing until one has it", async () => {
  const connected = { ...whole, vendors: [{ code: "hubnet", name: "Hubnet" }] };
  const sending = async (setUp: Parameters<typeof steps>[1]) =>
    (await steps(world.db, setUp)).find(({ key }) => key === "sending")!;
  expect((await sending(connected)).missing?.name).toBe("A supplier is connected, and in no route yet");
  await settings.change(world.db, { by, values: { route_telecel: "hubnet, desk" } });
  expect(await sending(connected)).toMatchObject({ missing: null, there: "Sent by Hubnet." });
  const second = { code: "datamart", name: "DataMart GH" };
  expect((await sending({ ...whole, vendors: [...connected.vendors, second] })).there).toBe(
    "Sent by Hubnet, DataMart GH.",
  );
  await settings.change(world.db, { by, values: { route_mtn: "desk" } });
  expect((await sending({ ...whole, vendors: [...connected.vendors, second] })).there).toBe(
    "Sent by Hubnet. DataMart GH: connected, and in no route yet.",
  );
  await settings.change(world.db, { by, values: { route_mtn: "datamart, desk", route_telecel: "desk" } });
});

test("who sends by hand says so, and needs no vendor", async () => {
  const byHand = { ...whole, vendors: [] };
  expect(await lacks(byHand)).toContain("No supplier is connected, and nobody has taken a batch");
  await settings.change(world.db, { by, values: { sends_by_hand: true } });
  expect(await lacks(byHand)).not.toContain("No supplier is connected, and nobody has taken a batch");
});

test("what can wait is a step, and stops nobody", async () => {
  const optional = (await steps(world.db, whole)).filter(({ isOptional }) => isOptional);
  expect(optional.map(({ key, missing }) => [key, missing !== null])).toEqual([
    ["purchase", true],
    ["deposits", true],
    ["factor", true],
    ["team", true],
    ["ussd", true],
  ]);
  const names = optional.flatMap(({ missing }) => missing?.name ?? []);
  for (const name of await lacks(whole)) expect(names).not.toContain(name);
});

test("the first purchase is the owner's own through Paystack, and an agent's without its key", async () => {
  const firstOf = async (state: KeyState) => {
    const found = await steps(world.db, { ...whole, gateway: { keyState: () => state } });
    return found.find(({ key }) => key === "purchase")!.missing!;
  };
  expect((await firstOf("accepted")).to).toBe("/buy");
  expect((await firstOf("unknown")).to).toBe("/buy");
  expect(await firstOf("missing")).toMatchObject({
    effect: expect.stringContaining("put the cash they pay you in their wallet"),
    to: "/admin/users?new=1",
  });
});

test("a test message goes to the mailbox or the phone of whoever asks, and to nobody without a phone", async () => {
  const send = (channel: "email" | "sms") => outcome(sendTest(world.db, { by, channel }));
  expect(await send("sms")).toBe("message.no_phone");
  await world.db.insert(phones).values({ userId: world.yaw.id, msisdn: "233541234567" });
  expect([await send("email"), await send("sms")]).toEqual(["done", "done"]);
  const sent = await world.db.select().from(messages).where(eq(messages.kind, "test"));
  expect(sent.map(({ channel, recipient }) => [channel, recipient]).sort()).toEqual([
    ["email", world.yaw.email],
    ["sms", "233541234567"],
  ]);
  for (let left = 3; left > 0; left--) await send("email");
  expect(await send("email")).toBe("request.rate_limited");
});

test("a connection works since its last success, and fails since what came after", async () => {
  const find = async (name: string) => (await connections(world.db, whole)).find((one) => one.name === name)!;
  expect(await find("Paystack")).toMatchObject({ workedAt: null, trouble: null });
  await world.db
    .insert(webhookEvents)
    .values({ provider: "paystack", dedupeKey: "1", event: "charge.success", body: {} });
  const paystack = await find("Paystack");
  expect([paystack.workedAt instanceof Date, isFailing(paystack)]).toEqual([true, false]);
  await world.db.execute(sql`update messages set state = 'sent' where channel = 'email'`);
  expect(isFailing(await find("E-mail"))).toBe(false);
  await world.db.execute(sql`
    update messages set state = 'failed', updated_at = now() + interval '1 second'
    where id = (select max(id) from messages where channel = 'email')`);
  expect(isFailing(await find("E-mail"))).toBe(true);
  await world.db.insert(vendors).values({
    ...{ code: "datamart", pausedFor: "float_empty", pausedMessage: "The float is empty", pausedAt: new Date() },
  });
  expect(await find("datamart")).toMatchObject({ trouble: "Paused: The float is empty" });
});
