// A test key and a live one have the same limits: what a program sends at once gets the same answers from both.
import { expect, test } from "bun:test";
import { tally, times } from "../support/asking.ts";
import { openTwoShops } from "../support/sandbox.ts";

const AT_ONCE = 260;
/** The defaults of a shop, of which a key has three fifths. */
const REQUESTS = { REQUESTS_PER_SECOND: "50", REQUESTS_AT_ONCE: "200" };
const [BURST, PER_SECOND] = [120, 30];

const shops = await openTwoShops(REQUESTS, REQUESTS);
const ama = await shops.world.person("ama", "GH₵ 50.00");
const keys = { live: await shops.liveKey(ama.id), test: await shops.testKey(ama) };

test.each(["live", "test"] as const)("260 at once with a %s key", async (mode) => {
  const key = keys[mode];
  // Whatever a process does with its first request is not measured.
  await shops.call(key, "GET", "/api/v1/wallet/balance");
  const startedAt = performance.now();
  const answers = await Promise.all(times(AT_ONCE, () => shops.call(key, "GET", "/api/v1/wallet/balance")));
  const seconds = (performance.now() - startedAt) / 1000;
  const { 200: taken = 0, ...others } = tally(answers.map(({ status }) => String(status)));
  expect(taken).toBeWithin(BURST - 1, BURST + Math.ceil(PER_SECOND * seconds) + 2);
  expect(others).toEqual({ 429: AT_ONCE - taken });
  for (const { status, body, headers } of answers) {
    expect(headers.get("ratelimit-policy")).toStartWith('"requests.key";q=120;w=4');
    if (status === 429) expect([body.code, body.details.limit]).toEqual(["request.rate_limited", "requests.key"]);
    expect(headers.has("retry-after")).toBe(status === 429);
  }
});
