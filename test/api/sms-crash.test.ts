// Tests with the whole program killed while SMS come in: the gateway resends them, and each takes effect once.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openPhone } from "../../dev/simulators/phone.ts";
import { addressOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import { allStoredText, equipPhone } from "../channels/dialling.ts";
import { count, digitsIn, randomFrom, seed, times } from "../support/asking.ts";
import { startShop } from "../support/shop.ts";
import { openWorld, TEST_JWT_SECRET } from "../support/world.ts";

const world = await openWorld();
const { db } = world;
await world.product("MTN", "1GB", "4.50");
const PIN = "830241";
const MSISDN = "233541839210";

/** Like the gateway: repeats until it gets a 200, even while nothing is listening. */
async function sendUntilAccepted(send: () => Promise<number>): Promise<void> {
  while ((await send().catch(() => 0)) !== 200) await Bun.sleep(50);
}

test(`purchases and wrong PINs that are interrupted take effect once (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const ama = await world.person("ama", "GH₵ 500.00");
  await equipPhone(world, ama, MSISDN, PIN);
  let shop = await startShop(world.url, { LOG_LEVEL: "trace" });
  let logged = "";
  // The shop has another port after each start.
  const send = (text: string, id: string) =>
    sendUntilAccepted(() => {
      const inboundUrl = addressOf(shop.url, secretsOf([], TEST_JWT_SECRET), "inbound");
      return openPhone({ msisdn: MSISDN, inboundUrl }).sendSms(text, { id });
    });
  const buy = (i: number) => `BUY MTN 1GB 024777${1000 + i} ${PIN}`;
  const all = times(40, (i) => send(buy(i), `buy-${i}`));
  all.push(send("BUY MTN 1GB 0247770001 917300", "wrong-1"));
  const done = Promise.all(all);
  for (const _ of times(3, (i) => i)) {
    const before = await count(db, sql`from inbound_sms`);
    // At any moment during the next messages.
    while ((await count(db, sql`from inbound_sms`)) < Math.min(before + 1 + random(8), all.length)) await Bun.sleep(2);
    await Bun.sleep(random(10));
    await shop.kill();
    logged += shop.output();
    shop = await startShop(world.url, { LOG_LEVEL: "trace" });
  }
  await done;
  expect(await count(db, sql`from inbound_sms`)).toBe(41);
  expect(await count(db, sql`from orders where user_id = ${ama.id}`)).toBe(40);
  expect(await world.balanceOf(ama)).toBe(50_000 - 40 * 450);
  expect(await count(db, sql`from messages where kind = 'sms_answer' and body like '%is paid%'`)).toBe(40);
  expect(await count(db, sql`from messages where kind = 'sms_answer' and body like '%wrong PIN%'`)).toBe(1);
  expect(await shop.stop()).toBe(0);
  logged += shop.output();
  expect(logged).toContain("/inbound");
  for (const where of [logged, await allStoredText(world)]) expect(digitsIn(where, PIN, "917300")).toEqual([]);
});
