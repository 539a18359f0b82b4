// Tests of an account's request limit: the burst, the sustained rate, and no effect on other accounts.
import { describe, expect, test } from "bun:test";
import { rateLimitFields } from "../../src/http/rate-limit-fields.ts";
import { createRequestBudgets, createRequestLimiter, type RequestLimiter } from "../../src/http/request-budget.ts";
import type { AppError } from "../../src/shared/errors/app-error.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { randomFrom, seed, tally, times } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, testApp } from "../support/world.ts";

const ask = async (counter: RequestLimiter, userId = 1) => counter(userId)!.refusal?.code ?? "done";

test("a budget admits a burst at once, and then requests at its sustained rate", async () => {
  let now = 1000;
  const counter = createRequestLimiter({ perSecond: 50, burst: 200 }, () => now);
  const burst: string[] = [];
  for (let i = 0; i < 250; i++) burst.push(await ask(counter));
  expect(tally(burst)).toEqual({ done: 200, "request.rate_limited": 50 });
  expect(await ask(counter, 2)).toBe("done");
  now += 1000;
  const next: string[] = [];
  for (let i = 0; i < 60; i++) next.push(await ask(counter));
  expect(tally(next)).toEqual({ done: 50, "request.rate_limited": 10 });
  // A client at the sustained rate is never refused, and after a rest has the whole burst again.
  for (let i = 0; i < 500; i++) {
    now += 20;
    expect(await ask(counter)).toBe("done");
  }
  now += 60_000;
  for (let i = 0; i < 200; i++) expect(await ask(counter)).toBe("done");
  expect(await ask(counter)).toBe("request.rate_limited");
});

test("one API key has three fifths of its account's budget, and leaves the rest to the others", async () => {
  let now = 1000;
  const budgets = createRequestBudgets({ perSecond: 50, burst: 200 }, () => now);
  const askBy = async (keyId?: number) => {
    try {
      budgets.count(new Request("http://localhost/api/v1/orders"), 1, keyId);
      return "done";
    } catch (error) {
      return (error as AppError).code;
    }
  };
  const outcomes: string[] = [];
  for (let i = 0; i < 150; i++) outcomes.push(await askBy(7));
  expect(tally(outcomes)).toEqual({ done: 120, "request.rate_limited": 30 });
  // What was refused has cost the account nothing.
  const others = [];
  for (let i = 0; i < 100; i++) others.push(await askBy(i % 2 ? undefined : 8));
  expect(tally(others)).toEqual({ done: 80, "request.rate_limited": 20 });
  now += 1000;
  const next: string[] = [];
  for (let i = 0; i < 60; i++) next.push(await askBy(7));
  expect(tally(next)).toEqual({ done: 30, "request.rate_limited": 30 });
});

test("a budget remembers only recent senders", async () => {
  let now = 0;
  const counter = createRequestLimiter({ perSecond: 10, burst: 10 }, () => now);
  for (let userId = 1; userId <= 10_000; userId++) counter(userId);
  now += 5000;
  for (let i = 0; i < 10; i++) counter(20_000);
  expect(await ask(counter, 20_000)).toBe("request.rate_limited");
  for (let i = 0; i < 10; i++) counter(1);
  expect(await ask(counter, 1)).toBe("request.rate_limited");
});

const world = await openWorld();
const { tokenOf } = openApp(world);
const [ama, kofi] = [await world.person("ama"), await world.person("kofi")];
const app = testApp(world.db, { requestBudget: { perSecond: 0.01, burst: 3 } });
const at = "http://localhost/api/v1/wallet/balance";

test("an account over its budget gets 429 with a time to wait, by token and by cookie; others do not", async () => {
  const bearer = { authorization: `Bearer ${await tokenOf(ama)}` };
  const cookie = { cookie: `${SESSION_COOKIE}=${await tokenOf(ama)}` };
  const get = (url: string, headers: Record<string, string>) => app.fetch(new Request(url, { headers }));
  for (const _ of times(3, (i) => i)) expect((await get(at, bearer)).status).toBe(200);
  const refused = await get(at, bearer);
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect(await refused.json()).toMatchObject({
    code: "request.rate_limited",
    message: expect.stringMatching(/^Your programs send too many requests\. Try again in \d+ (seconds|minutes)\.$/),
    details: { limit: "requests" },
  });
  const page = await get("http://localhost/dashboard", cookie);
  expect([page.status, page.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await page.text()).toContain("too many requests");
  expect((await get(at, { authorization: `Bearer ${await tokenOf(kofi)}` })).status).toBe(200);
});

describe("the RateLimit fields", () => {
  const fieldsOf = ({ headers }: Response) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];

  test("count down to nothing, are beside Retry-After then, and count the same account's answers alone", async () => {
    const small = testApp(world.db, { requestBudget: { perSecond: 0.5, burst: 3 } });
    const get = async (person: typeof ama, path = "/wallet/balance") => {
      const authorization = `Bearer ${await tokenOf(person)}`;
      return small.fetch(new Request(`http://localhost/api/v1${path}`, { headers: { authorization } }));
    };
    const policy = '"requests";q=3;w=6';
    expect(fieldsOf(await get(ama))).toEqual([policy, '"requests";r=2;t=2']);
    // A refusal for another reason has been counted, too.
    const refused = await get(ama, "/orders/999999");
    expect([refused.status, ...fieldsOf(refused)]).toEqual([404, policy, '"requests";r=1;t=2']);
    expect(fieldsOf(await get(ama))).toEqual([policy, expect.stringMatching(/^"requests";r=0;t=[12]$/)]);
    const limited = await get(ama);
    const wait = limited.headers.get("retry-after")!;
    expect([limited.status, ...fieldsOf(limited)]).toEqual([429, policy, `"requests";r=0;t=${wait}`]);
    expect(fieldsOf(await get(kofi))).toEqual([policy, '"requests";r=2;t=2']);
  });

  test("never promise a request that is refused, and never hide one that is not", () => {
    let now = 0;
    const count = createRequestLimiter({ perSecond: 50, burst: 200 }, () => now);
    const random = randomFrom(seed);
    let promised = 200;
    for (let n = 0; n < 5000; n++) {
      const waited = random(60);
      now += waited;
      const { limit, refusal } = count(1)!;
      if (promised > 0) expect([seed, n, refusal]).toEqual([seed, n, null]);
      if (refusal) expect(limit.remaining).toBe(0);
      expect(limit.remaining).toBeWithin(0, 200);
      expect(limit.resetSeconds).toBeGreaterThanOrEqual(1);
      promised = limit.remaining;
    }
  });

  longTest("are not on answers of which nobody was counted, nor on pages", async () => {
    const strangers = [
      new Request("http://localhost/api/v1/wallet/balance"),
      new Request("http://localhost/api/v1/wallet/balance", { headers: { authorization: "Bearer none" } }),
      new Request("http://localhost/openapi.json"),
      new Request("http://localhost/dashboard", {
        headers: { cookie: `${SESSION_COOKIE}=${await tokenOf(kofi)}` },
      }),
    ];
    for (const request of strangers) expect(fieldsOf(await app.fetch(request))).toEqual([null, null]);
    const unlimited = testApp(world.db);
    const headers = { authorization: `Bearer ${await tokenOf(ama)}` };
    expect(fieldsOf(await unlimited.fetch(new Request(at, { headers })))).toEqual([null, null]);
  });

  test("are lists of items with integers, as structured fields want them", () => {
    const one = { name: "requests", quota: 200, windowSeconds: 4, remaining: 150, resetSeconds: 1 };
    const other = { name: "a day", quota: 50_000, windowSeconds: 86_400, remaining: 0, resetSeconds: 3600 };
    expect(rateLimitFields([one, other])).toEqual({
      "ratelimit-policy": '"requests";q=200;w=4, "a day";q=50000;w=86400',
      ratelimit: '"requests";r=150;t=1, "a day";r=0;t=3600',
    });
    expect(rateLimitFields([])).toEqual({});
  });
});
