// Payment limits of an account: prompts on phones, checks of payments, and unpaid orders.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as prompts from "../../../src/core/payments/momo-prompts.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import { count, key, lineFor, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import type { Person } from "../../support/world.ts";
import { openPaying } from "./paying.ts";

const shop = await openPaying();
const { world, db, gateway, paystack } = shop;
const bundle = await world.product("MTN", "5GB", "20.90");
let people = 0;
const agent = () => world.person(`agent${++people}`);
let phones = 0;
const freshPhone = () => `23354${String(++phones).padStart(5, "0")}00`;

const charge = async (person: Person, msisdn: string, on = db) => {
  const started = await payments.startTopUp(on, { by: person.by(), key: null, amountPesewas: 50_000 });
  const subject = { paymentId: started.answer.id };
  return payments.charge(on, gateway, { by: person.by(), subject, network: "mtn", msisdn });
};
const openPage = async (person: Person) => {
  const { answer } = await payments.startTopUp(db, { by: person.by(), key: null, amountPesewas: 2000 });
  return shop.checkOut(person, { paymentId: answer.id });
};
const callsOf = (route: string) => paystack.requests().filter((one) => one.route?.startsWith(route)).length;

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

describe("prompts on phones", () => {
  longTest("are limited to five for an account, also when many are requested at once", async () => {
    const mallory = await agent();
    const before = callsOf("POST /charge");
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all(times(20, (i) => outcome(charge(mallory, freshPhone(), i % 2 ? db : other)))),
    );
    expect(tally(outcomes)).toEqual({ done: 5, "request.rate_limited": 15 });
    expect(callsOf("POST /charge") - before).toBe(5);
    const { message, details } = await refusal(charge(mallory, freshPhone()));
    expect([message, details?.limit]).toEqual([
      "Too many mobile money prompts were not approved. Try again in 10 minutes.",
      "prompt.account",
    ]);
  });

  longTest("are limited to three on a phone, from all accounts together", async () => {
    const victim = freshPhone();
    const crowd = await Promise.all(times(6, agent));
    const outcomes = await Promise.all(crowd.map((one) => outcome(charge(one, victim))));
    expect(tally(outcomes)).toEqual({ done: 3, "request.rate_limited": 3 });
  });

  longTest("that are approved do not count: a busy agent can top up as often as they pay", async () => {
    const ama = await agent();
    const phone = freshPhone();
    for (const _ of times(8, (i) => i)) {
      const { reference } = await charge(ama, phone);
      await paystack.approve(reference);
      expect((await shop.settle(reference))!.payment.state).toBe("paid");
    }
    expect(await world.balanceOf(ama)).toBe(400_000);
  });

  test("count once when the same form comes twice", async () => {
    const ama = await agent();
    const started = await payments.startTopUp(db, { by: ama.by(), key: null, amountPesewas: 2000 });
    const subject = { paymentId: started.answer.id };
    const ask = { by: ama.by(), subject, network: "mtn" as const, msisdn: freshPhone() };
    await Promise.all(times(4, () => payments.charge(db, gateway, ask)));
    expect(await count(db, sql`from rate_limits where bucket like 'prompt.%' and count > 1`)).toBe(0);
  });

  longTest("are limited together with those from USSD, where the refusal comes within the session", async () => {
    const ama = await agent();
    for (const _ of times(5, (i) => i)) await charge(ama, freshPhone());
    const ask = { by: ama.by("ussd"), key: key("one", "ussd"), amountPesewas: 2000, network: "mtn" as const };
    const refused = prompts.request(db, { ...ask, msisdn: freshPhone(), serviceCode: "*713*55#" });
    expect(await outcome(refused)).toBe("request.rate_limited");
    expect(await count(db, sql`from prompts where user_id = ${ama.id}`)).toBe(0);
    await db.execute(sql`delete from rate_limits`);
    await prompts.request(db, { ...ask, msisdn: freshPhone(), serviceCode: "*713*55#" });
    await db.execute(sql`update jobs set run_at = now() where kind = 'ask_payer'`);
    await prompts.sendDue(db, gateway, 10);
    const [counted] = await db.execute(sql`select count from rate_limits where bucket = ${`prompt.account:${ama.id}`}`);
    expect(counted).toEqual({ count: 1 });
  });
});

describe("checking a payment", () => {
  longTest("calls the provider three times in ten seconds, and is answered from the database otherwise", async () => {
    const ama = await agent();
    const { reference } = await openPage(ama);
    const before = callsOf("GET /transaction/verify");
    const check = async () => (await payments.check(db, gateway, ama.by(), reference)).state;
    for (const _ of times(5, (i) => i)) expect(await check()).toBe("pending");
    expect(new Set(await Promise.all(times(30, check)))).toEqual(new Set(["pending"]));
    expect(callsOf("GET /transaction/verify") - before).toBe(3);
    await paystack.pay(reference);
    expect((await payments.check(db, gateway, ama.by(), reference)).state).toBe("pending");
    await db.execute(sql`update rate_limits set resets_at = now() where bucket like 'verify.payment:%'`);
    expect((await payments.check(db, gateway, ama.by(), reference)).state).toBe("paid");
  });

  test("is done once for all requests of the same moment", async () => {
    const ama = await agent();
    const { reference } = await openPage(ama);
    await paystack.pay(reference);
    const before = callsOf("GET /transaction/verify");
    const states = await Promise.all(
      times(30, async () => (await payments.check(db, gateway, ama.by(), reference)).state),
    );
    expect(new Set(states)).toEqual(new Set(["paid"]));
    expect(callsOf("GET /transaction/verify") - before).toBeLessThanOrEqual(3);
  });

  longTest("is limited to 120 times in ten minutes for an account, over all its payments", async () => {
    const ama = await agent();
    const pages = await Promise.all(times(21, () => openPage(ama)));
    const outcomes = await Promise.all(
      pages.map(async ({ reference }) => {
        const outcomes: string[] = [];
        for (const _ of times(6, (i) => i))
          outcomes.push(await outcome(payments.check(db, gateway, ama.by(), reference)));
        return outcomes;
      }),
    );
    expect(tally(outcomes.flat())).toEqual({ done: 120, "request.rate_limited": 6 });
  });
});

longTest("an account can open thirty payment pages in ten minutes, and return to an open one at any time", async () => {
  const ama = await agent();
  const pages = await Promise.all(times(30, () => openPage(ama)));
  expect(await outcome(openPage(ama))).toBe("request.rate_limited");
  const { paymentId, authorizationUrl } = pages[0]!;
  expect((await shop.checkOut(ama, { paymentId })).authorizationUrl).toBe(authorizationUrl);
});

describe("unpaid orders", () => {
  const create = (person: Person, on = db) =>
    unpaidOrders.create(on, { by: person.by(), key: null, line: lineFor(bundle) });

  longTest("are limited to twenty, also when forty are placed at once, until one is paid or cancelled", async () => {
    const ama = await world.person("kwaku", "GH₵ 30.00");
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all(times(40, (i) => outcome(create(ama, i % 2 ? db : other)))),
    );
    expect(tally(outcomes)).toEqual({ done: 20, "order.unpaid_too_many": 20 });
    const [first, second] = await db.execute<{ id: number }>(
      sql`select id from orders where user_id = ${ama.id} order by id`,
    );
    await unpaidOrders.spend(db, { by: ama.by(), key: null, orderId: first!.id });
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: second!.id });
    expect(await outcome(create(ama))).toBe("done");
    expect(await outcome(create(ama))).toBe("done");
    expect(await outcome(create(ama))).toBe("order.unpaid_too_many");
  });

  longTest("are limited to a hundred a day, not counting purchases from the wallet", async () => {
    const ama = await world.person("yaa", "GH₵ 50.00");
    await db.execute(sql`insert into rate_limits (bucket, count, resets_at)
      values (${`order.unpaid:${ama.id}`}, 99, now() + interval '1 hour')`);
    expect(await outcome(create(ama))).toBe("done");
    const refused = await refusal(create(ama));
    expect([refused.code, refused.details?.limit]).toEqual(["request.rate_limited", "order.unpaid"]);
    expect(await outcome(orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) }))).toBe("done");
  });

  longTest("all expire after a day, however many there are", async () => {
    const ama = await agent();
    await db.execute(sql`
      insert into orders (user_id, product_id, operator, product_name, product_size, volume_mb, unit_price_pesewas,
        quantity, amount_pesewas, msisdn, channel, created_at)
      select ${ama.id}, p.id, p.operator, p.name, p.size, p.volume_mb, p.price_pesewas, 1, p.price_pesewas,
        '23354' || lpad(n::text, 7, '0'), 'api', now() - interval '25 hours'
      from products p, generate_series(1, 1700) n where p.id = ${bundle.id}`);
    await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', 1700)`);
    expect(await unpaidOrders.expire(db)).toBe(1700);
    expect(await count(db, sql`from orders where user_id = ${ama.id} and status = 'PENDING'`)).toBe(0);
    expect(await unpaidOrders.expire(db)).toBe(0);
  });
});
