// Rotation of the shop's secret: while both secrets are accepted nothing changes for anybody, and once everything has
// been used or sealed again, the old one can be removed.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones as phonesTable } from "../../../db/schema/identity.ts";
import { hooks as hooksTable } from "../../../db/schema/webhooks.ts";
import { addressToken } from "../../../src/core/fulfilment/vendor-webhooks.ts";
import * as secondFactor from "../../../src/core/identity/logins/second-factor.ts";
import * as pins from "../../../src/core/identity/phones/pins.ts";
import * as hooks from "../../../src/core/webhooks/endpoints.ts";
import { createHubnet } from "../../../src/gateways/vendors/hubnet.ts";
import "../../support/patience.ts";
import { times } from "../../support/asking.ts";
import { codeNow, enrol } from "../../support/factor.ts";
import { createTestHooks, TEST_JWT_SECRET as OLD, openApp, openWorld, testApp } from "../../support/world.ts";

const NEW = "another secret for tests, long enough as well";
const world = await openWorld();
const { db } = world;
const client = openApp(world);

test("sessions from under the old secret last while both are accepted, and no longer", async () => {
  const ama = await world.person("ama");
  const token = await client.tokenOf(ama);
  const statusUnder = async (secrets: { jwtSecret: string; previousJwtSecret?: string }) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request("http://localhost/api/v1/auth/me", { headers });
    return (await testApp(db, secrets).fetch(request)).status;
  };
  expect(await statusUnder({ jwtSecret: NEW, previousJwtSecret: OLD })).toBe(200);
  // The reverse: servers that have not been restarted with the new secret yet.
  expect(await statusUnder({ jwtSecret: OLD, previousJwtSecret: NEW })).toBe(200);
  expect(await statusUnder({ jwtSecret: NEW })).toBe(401);
});

test("webhooks that a vendor sends to the old address are accepted while both secrets are", async () => {
  const hubnet = createHubnet({ baseUrl: "http://127.0.0.1:1", apiKey: "nobody answers" });
  const statusAt = async (token: string) => {
    const url = `http://localhost/webhooks/vendors/hubnet/${token}`;
    const app = testApp(db, { jwtSecret: NEW, previousJwtSecret: OLD, vendors: [hubnet] });
    return (await app.fetch(new Request(url, { method: "POST", body: "{}" }))).status;
  };
  const guessed = await statusAt("somebody-guesses-an-address-of-ours");
  expect(await statusAt(addressToken(OLD, "hubnet"))).not.toBe(guessed);
  expect(await statusAt(addressToken(NEW, "hubnet"))).not.toBe(guessed);
});

test("a PIN that matches under the old secret is renewed under the new one; wrong ones count once", async () => {
  const kofi = await world.person("kofi");
  await db.insert(phonesTable).values({ userId: kofi.id, msisdn: "233541830077" });
  const [old, both, fresh] = [pins.pinKeysOf(OLD), pins.pinKeysOf(NEW, OLD), pins.pinKeysOf(NEW)];
  await pins.set(db, old, { by: kofi.by("web"), pin: "4071", currentPassword: kofi.password });
  const verify = (keys: pins.PinKeys, pin: string) => pins.verify(db, keys, { userId: kofi.id, pin });

  expect(await verify(both, "5000")).toBe("wrong");
  expect(await verify(both, "5001")).toBe("wrong");
  expect(await Promise.all(times(4, () => verify(both, "4071")))).toEqual(times(4, () => "right"));
  expect(await verify(fresh, "4071")).toBe("right");
  expect(await verify(old, "4071")).toBe("wrong");
  expect(await verify(both, "5002")).toBe("wrong");
  expect(await verify(both, "5003")).toBe("locked");
  expect(await verify(both, "4071")).toBe("locked");
});

test("a webhook's messages stay signed with its secret during the rotation and after it", async () => {
  const sender = createTestHooks();
  const keysOf = (secret: string, previous?: string) => hooks.webhookKeysOf(sender, secret, previous);
  const esi = await world.person("esi");
  const ask = { by: esi.by("api"), key: null, url: "https://shop.example/hook", description: "" };
  const { answer: made } = await hooks.create(db, keysOf(OLD), ask);
  const { answer: next } = await hooks.rotateSecret(db, keysOf(OLD), { ...ask, hookId: made.hook.id });
  const secretsUnder = async (keys: hooks.WebhookKeys) => {
    const [row] = await db.select().from(hooksTable);
    const sealed = [row!.sealedSecret, row!.previousSealedSecret!];
    return hooks.secretsOf(keys, { userId: esi.id, sealed });
  };
  expect(await secretsUnder(keysOf(NEW, OLD))).toEqual([next.secret!, made.secret!]);
  expect(await secretsUnder(keysOf(NEW))).toEqual([]);
  const both = keysOf(NEW, OLD);
  expect([await hooks.reseal(db, both), await hooks.reseal(db, both)]).toEqual([1, 0]);
  expect(await secretsUnder(keysOf(NEW))).toEqual([next.secret!, made.secret!]);
});

test("an authenticator app keeps working under the new secret once its own was sealed again at a start", async () => {
  const [both, fresh] = [secondFactor.factorKeysOf(NEW, OLD), secondFactor.factorKeysOf(NEW)];
  const yaw2 = await world.person("yaw2");
  const { secret } = await enrol(world, yaw2);
  const spend = (keys: secondFactor.FactorKeys, stepsOn: number) =>
    db.transaction((tx) => secondFactor.spend(tx, keys, yaw2.id, codeNow(secret, stepsOn)));
  const forget = () => db.execute(sql`update second_factors set last_step = 0`);

  await forget();
  expect(await spend(both, 0)).toBe(true);
  await forget();
  expect(await spend(fresh, 0)).toBe(false);
  expect([await secondFactor.reseal(db, both), await secondFactor.reseal(db, both)]).toEqual([1, 0]);
  expect(await spend(fresh, 0)).toBe(true);
});
