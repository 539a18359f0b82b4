// Tests of an account's request limit: the burst, the sustained rate, and no effect on other accounts.
import { expect, test } from "bun:test";
import { createRequestLimiter } from "../../src/http/request-budget.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { outcome, tally, times } from "../support/asking.ts";
import { openApp, openWorld, testApp } from "../support/world.ts";

const ask = (counter: (userId: number) => void, userId = 1) => outcome((async () => counter(userId))());

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
  const counter = createRequestLimiter({ perSecond: 50, burst: 200 }, () => now);
  const outcomes: string[] = [];
  for (let i = 0; i < 150; i++) outcomes.push(await ask((userId) => counter(userId, 7)));
  expect(tally(outcomes)).toEqual({ done: 120, "request.rate_limited": 30 });
  // What was refused has cost the account nothing.
  const others = [];
  for (let i = 0; i < 100; i++) others.push(await ask(i % 2 ? counter : (userId) => counter(userId, 8)));
  expect(tally(others)).toEqual({ done: 80, "request.rate_limited": 20 });
  now += 1000;
  const next: string[] = [];
  for (let i = 0; i < 60; i++) next.push(await ask((userId) => counter(userId, 7)));
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
    message: expect.stringMatching(
      /^Your programs send too many requests\. Try again in \d+ (seconds|minutes)\.$/,
    ),
    details: { limit: "requests" },
  });
  const page = await get("http://localhost/dashboard", cookie);
  expect([page.status, page.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await page.text()).toContain("too many requests");
  expect((await get(at, { authorization: `Bearer ${await tokenOf(kofi)}` })).status).toBe(200);
});
