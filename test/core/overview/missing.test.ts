// A shop's missing parts: an empty shop is not well, and names them until they are there.
import { expect, test } from "bun:test";
import { startPaystack } from "../../../dev/simulators/paystack/paystack.ts";
import { missing } from "../../../src/core/overview/missing.ts";
import type { KeyState } from "../../../src/core/payments/gateway.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { createPaystack } from "../../../src/gateways/paystack.ts";
import { pauseProduct } from "../../support/pausing.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const by = world.yaw.by("admin");
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
    "No vendor is connected, and nobody has taken a batch",
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
