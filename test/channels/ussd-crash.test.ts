// Tests with the whole program killed while PINs come in by USSD: each purchase happens once, is announced once, and
// is never offered again.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openPhone } from "../../dev/simulators/phone.ts";
import { sweep } from "../../src/app/worker.ts";
import { addressOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import { count, digitsIn, randomFrom, seed, times } from "../support/asking.ts";
import { startShop } from "../support/shop.ts";
import { openWorld, TEST_JWT_SECRET } from "../support/world.ts";
import { allStoredText, equipPhone } from "./dialling.ts";

const ROUNDS = 3;
const PHONES = 8;
const PIN = "830241";
const world = await openWorld();
const { db } = world;
await world.product("MTN", "1GB", "4.50");
const phones = await Promise.all(
  times(PHONES, async (i) => {
    const person = await world.person(`agent${i}`, "GH₵ 100.00");
    const msisdn = `23354183921${i}`;
    await equipPhone(world, person, msisdn, PIN);
    return msisdn;
  }),
);

test(`a purchase that is interrupted at any point is made once or not at all (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  let shop = await startShop(world.url, { LOG_LEVEL: "trace", RUN: "server" });
  let logged = "";
  const ussdUrl = () => addressOf(shop.url, secretsOf([], TEST_JWT_SECRET), "ussd");
  const confirmed = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const before = await count(db, sql`from orders`);
    const open = await Promise.all(
      phones.map(async (msisdn, i) => {
        const phone = openPhone({ msisdn, ussdUrl: ussdUrl() });
        await phone.dial(`1*1*1*024770${round}10${i}`);
        return phone;
      }),
    );
    const paying = open.map((phone) => phone.reply(PIN).catch(() => null));
    while ((await count(db, sql`from orders`)) < before + random(PHONES)) await Bun.sleep(1);
    await Bun.sleep(random(8));
    await shop.kill();
    const answers = await Promise.all(paying);
    logged += shop.output();
    shop = await startShop(world.url, { LOG_LEVEL: "trace", RUN: "server" });
    // The gateway resends half of them; the others are lost. The lock of an interrupted session has expired.
    await db.execute(sql`update ussd_sessions set busy_until = now() where busy_until > now()`);
    for (const [i, phone] of open.entries()) {
      if (answers[i]?.text.includes("paid")) confirmed.add(phone.sessionId());
      if (i % 2) continue;
      const again = openPhone({ msisdn: phones[i]!, ussdUrl: ussdUrl() });
      await again.dial();
      const screen = await again.raw(phone.text(), { sessionId: phone.sessionId() });
      expect(screen.text).toContain("paid");
      if (answers[i]) expect(screen.body).toBe(answers[i]!.body);
      confirmed.add(phone.sessionId());
    }
    await sweep(db);
  }
  const bought = await db.execute<{ session: string; count: number }>(sql`
    select split_part(key, ':', 2) as session, count(*)::int as count from idempotency
    where scope = 'ussd' and order_id is not null group by 1`);
  expect(bought.every((row) => row.count === 1)).toBe(true);
  for (const session of confirmed) expect(bought.some((row) => row.session === session)).toBe(true);
  // Each purchase is announced once, and nothing else is.
  expect(await count(db, sql`from orders`)).toBe(bought.length);
  expect(await count(db, sql`from messages where kind = 'order_accepted'`)).toBe(bought.length);
  expect(await count(db, sql`from ussd_sessions where state = 'bought'`)).toBe(bought.length);
  expect(await shop.stop()).toBe(0);
  logged += shop.output();
  for (const where of [logged, await allStoredText(world)]) expect(digitsIn(where, PIN)).toEqual([]);
});
