// Tests with the shop killed while payments settle: every payment that Paystack accepted is credited exactly once.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { freePort, type Shop, startShop } from "../support/shop.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";

const SECRET_KEY = "sk_test_that_nobody_may_read";
const world = await openWorld();
// An hour between Paystack's retries takes 0.3 s.
const paystack = await startPaystack({ secretKey: SECRET_KEY, autoDeliverMs: 5, speed: 12_000 });
const client = openApp(world, paystack);
afterAll(() => paystack.stop());

const start = (port: string) =>
  startShop(world.url, {
    RUN: "both",
    PORT: port,
    LOG_LEVEL: "trace",
    PAYSTACK_BASE_URL: paystack.url,
    PAYSTACK_SECRET_KEY: SECRET_KEY,
    PAYMENT_POLL_SECONDS: "0.2",
    WORKER_POLL_SECONDS: "0.05",
    // The reconciliation only runs at each start, so that status checks and webhooks have their share.
    RECONCILE_SECONDS: "3600",
  });
const paidCount = async () => {
  const [row] = await world.db.execute<{ count: number }>(
    sql`select count(*) as count from payments where state = 'paid'`,
  );
  return row!.count;
};

test("every payment is credited once, although the shop is killed three times while they settle", async () => {
  const TOP_UPS = 240;
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => world.person(`agent${i}`)));
  const tokens = new Map(await Promise.all(people.map(async (p) => [p, await client.tokenOf(p)] as const)));
  const port = freePort();
  let shop: Shop = await start(port);
  const outputs: string[] = [];
  paystack.sendWebhooksTo(`${shop.url.replace("localhost", "127.0.0.1")}/webhooks/paystack`);

  /** Repeats a request until the shop answers, however often the connection breaks. */
  const ask = async (person: Person, path: string, body: object, key: string) => {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokens.get(person)}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify(body),
      }).catch(() => null);
      const answer = await response?.json().catch(() => null);
      // These payments would exceed their few payers' budgets, which have their own tests.
      if (response?.status === 429) await world.db.execute(sql`delete from rate_limits`);
      else if (response && answer && response.status < 500) {
        expect([path, response.status < 300]).toEqual([path, true]);
        return answer;
      }
      await Bun.sleep(20);
    }
  };
  let started = 0;
  const agent = async () => {
    while (started < TOP_UPS) {
      const n = started++;
      const person = people[n % people.length]!;
      const { transactionId } = await ask(person, "/wallet/topup/init", { amount: 5 + (n % 7) }, `key-${n}`);
      const { reference } = await ask(person, "/paystack/init", { transactionId }, `page-${n}`);
      // A third is reported only by the payer's browser, a third by nothing at all.
      if (n % 3 > 0) paystack.steer(reference, { webhook: "lost" });
      await paystack.pay(reference);
      if (n % 3 === 1) await ask(person, "/paystack/verify", { reference, transactionId }, `verify-${n}`);
    }
  };
  const agents = Promise.all(Array.from({ length: 12 }, agent));
  for (let kills = 1; kills <= 3; kills++) {
    while ((await paidCount()) < (TOP_UPS / 8) * kills) await Bun.sleep(1);
    await shop.kill();
    outputs.push(shop.output());
    shop = await start(port);
  }
  await agents;
  await paystack.quiet();

  const successes = paystack.successes();
  expect(successes.size).toBeGreaterThanOrEqual(TOP_UPS);
  const deadline = Date.now() + 30_000;
  while ((await paidCount()) < successes.size && Date.now() < deadline) await Bun.sleep(50);
  expect(await paidCount()).toBe(successes.size);
  const credits = await world.db.execute<{ reference: string; credits: number; pesewas: number }>(sql`
    select p.reference, count(*) as credits, sum(t.amount_pesewas)::bigint as pesewas
    from payments p join transfers t on t.reason = 'topup' and t.subject_id = p.id group by 1`);
  expect(new Map(credits.map((row) => [row.reference, row.pesewas]))).toEqual(successes);
  for (const row of credits) expect(row.credits).toBe(1);
  // Each with its fee, which is in the commit of the credit.
  const fees = await world.db.execute<{ subject_id: number }>(
    sql`select subject_id from transfers where reason = 'payment_fee'`,
  );
  expect([fees.length, new Set(fees.map((row) => row.subject_id)).size]).toEqual([credits.length, credits.length]);
  const balances = await Promise.all(people.map((person) => world.balanceOf(person)));
  const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0);
  expect(sum(balances)).toBe(sum(successes.values()));

  // An error at Paystack could make a program log its request.
  const [first] = await world.db.execute<{ reference: string; user_id: number }>(
    sql`select reference, user_id from payments where state = 'paid' order by id limit 1`,
  );
  const owner = people.find((person) => person.id === first!.user_id)!;
  for (const fault of ["dropBefore", "html502", "http500"] as const) {
    // Only of this payment: the worker may ask for others meanwhile, whose pages were opened before a kill.
    paystack.fault(`GET /transaction/verify/${first!.reference}`, fault);
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/paystack/verify`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens.get(owner)}`, "content-type": "application/json" },
      body: JSON.stringify({ reference: first!.reference }),
    });
    expect(response.status).toBe(503);
    const checks = paystack.requests().filter(({ path }) => path.includes(first!.reference));
    expect(checks.at(-1)!.fault).toBe(fault);
  }
  expect(await shop.stop()).toBe(0);
  outputs.push(shop.output());
  expect(outputs.join()).toContain("/api/v1/paystack/verify");
  for (const output of outputs) {
    expect(output).not.toContain(SECRET_KEY);
    expect(output).not.toContain(SECRET_KEY.slice("sk_test_".length));
  }
});
