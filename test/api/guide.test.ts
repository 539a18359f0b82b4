// Tests of the guide for programs: it has every call that a key may make, with all its fields and refusals, and its
// examples for a shell run as they stand.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { routesForKeys } from "../../src/api/for-keys.ts";
import { allRoutes, guide } from "../../src/api/index.ts";
import { readConfig } from "../../src/app/config.ts";
import { BUDGETS } from "../../src/core/platform/budgets/budget-table.ts";
import { FIRST_PESEWAS } from "../../src/core/sandbox/accounts.ts";
import { limits } from "../../src/shared/domain.ts";
import { show } from "../../src/shared/money.ts";
import { MAGIC_ENDING_MAX, MAGIC_OUTCOMES } from "../../src/shared/sandbox.ts";
import { count } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { inOrder, misunderstood, openGuideShop, programsOn, runProgram } from "./guide-examples.ts";

const shop = await openGuideShop();
afterAll(shop.stop);
const { calls, messages, errors: codes } = guide();
const env = { DATAFIE_KEY: shop.key, SHOP: shop.url };
const words = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ");

test("has a page for each call of a key, and none for what only people and staff do", async () => {
  const own = routesForKeys(allRoutes);
  expect(calls.map(({ method, path }) => `${method} /api/v1${path}`)).toEqual(
    own.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`),
  );
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length);
  for (const part of ["/auth/login/", "/admin/", "/paystack/", "/keys/"])
    expect(calls.filter(({ path }) => `${path}/`.startsWith(part))).toEqual([]);
  const { document } = await shop.page("/developers");
  const linked = [...document.querySelectorAll(".calls a")].map((it) => it.getAttribute("href"));
  expect(linked.sort()).toEqual(calls.map(({ name }) => `/developers/${name}`).sort());
});

test("describes every field that a program sends", () => {
  const silent = calls.flatMap(({ name, params, query, body }) =>
    [...params, ...query, ...body].flatMap((field) => (field.text ? [] : [`${name}: ${field.name}`])),
  );
  expect(silent).toEqual([]);
});

for (const call of calls) {
  test(`shows ${call.method} ${call.path} with its fields, its refusals and an answer`, async () => {
    const { document } = await shop.page(`/developers/${call.name}`);
    const shown = [...document.querySelectorAll(".fields-list > div")].map((it) => words(it.textContent));
    const fields = [...call.params, ...call.query, ...call.body, ...call.answer];
    expect(shown).toHaveLength(fields.length);
    for (const [n, { name, type, limits, text }] of fields.entries()) {
      expect(shown[n]).toStartWith(`${name} ${type}`);
      for (const part of [text.replaceAll("`", ""), limits]) expect(shown[n]).toContain(words(part));
    }
    const linked = [...document.querySelectorAll(".codes a code")].map((it) => it.textContent);
    expect(linked).toEqual([...call.errors]);
    const answer = document.querySelector("#response")!.closest("section")!.querySelector("pre")!;
    expect(JSON.parse(answer.textContent)).toEqual(JSON.parse(JSON.stringify(call.example.answer)));
  });
}

test("tells what is required, and the limits of texts, numbers and lists", () => {
  const field = (call: string, name: string) =>
    calls.find((one) => one.name === call)!.body.find((one) => one.name === name);
  expect(field("post-orders", "productId")).toMatchObject({ type: "integer", isRequired: true });
  expect(field("post-orders", "quantity")).toMatchObject({
    isRequired: false,
    limits: "1 to 100; without it 1",
  });
  expect(field("post-orders-bulk", "orders")).toMatchObject({
    type: "array of objects",
    limits: "1 to 10,000 entries",
  });
  expect(field("post-orders-bulk", "orders[].msisdn")).toMatchObject({ limits: "1 to 40 characters" });
  expect(field("post-orders", "pay")).toMatchObject({ limits: "always wallet" });
});

test("has an address for every refusal that it names, with what to do", async () => {
  const { document } = await shop.page("/developers/errors");
  expect(codes).toEqual(expect.arrayContaining(calls.flatMap(({ errors }) => [...errors])));
  for (const code of codes) {
    const entry = document.querySelector(`[id="${code}"]`);
    expect(words(entry?.textContent)).toMatch(/try again|does not help/i);
  }
  const price = document.querySelector('[id="order.price_changed"]');
  expect(words(price?.textContent)).toContain("details.currentPrice");
  // Details that two codes share stand with both.
  for (const code of ["order.duplicate", "order.reference_used"])
    expect(words(document.querySelector(`[id="${code}"]`)?.textContent)).toContain("details.orderId integer");
});

longTest("every link from one page of the guide to another leads to its page and its place there", async () => {
  const names = ["", "/errors", "/webhooks", ...calls.map(({ name }) => `/${name}`)];
  const pages = new Map<string, Document>();
  for (const name of names) {
    const path = `/developers${name}`;
    pages.set(path, (await shop.page(path)).document);
  }
  const dead = [...pages].flatMap(([path, page]) =>
    [...page.querySelectorAll("a")]
      .map((link) => link.getAttribute("href")!)
      .filter((href) => href.startsWith("#") || href.startsWith("/developers"))
      .filter((href) => {
        const [to, id] = (href.startsWith("#") ? path + href : href).split("#");
        return id ? !pages.get(to!)?.getElementById(id) : !pages.has(to!);
      })
      .map((href) => `${path} leads to ${href}`),
  );
  expect(dead).toEqual([]);
});

test("has every message with an example, and how they are sent", async () => {
  const { document, html } = await shop.page("/developers/webhooks");
  for (const { type, example } of messages) {
    const section = document.querySelector(`[id="${type}"]`)!.closest("section")!;
    expect(JSON.parse(section.querySelector("pre")!.textContent)).toEqual(JSON.parse(JSON.stringify(example)));
  }
  const text = words(document.querySelector("main")!.textContent);
  expect(text).toContain(`at most ${limits.hooks} for an account`);
  expect(text).toContain(`beside it for ${limits.hookSecretHours} hours`);
  expect(html).not.toContain("<script");
  // The text has these in words.
  const { retrySeconds, pauseAfterSeconds } = readConfig({}).hooks;
  expect(retrySeconds).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]);
  expect(pauseAfterSeconds).toBe(3 * 86_400);
  expect(text).toContain(`within ${limits.hookAnswerMs / 1000} seconds`);
});

test("tells what the sandbox does with each number, and the limits as they are", async () => {
  const { document } = await shop.page("/developers");
  const text = words(document.querySelector("main")!.textContent);
  for (const { ending, about } of MAGIC_OUTCOMES) expect(text).toContain(`${ending}: ${about}`);
  expect(text).toContain(`Any ending above ${MAGIC_ENDING_MAX}`);
  expect(text).toContain(`${show(FIRST_PESEWAS)} of test money`);
  expect(text).toContain(`another ${limits.apiKeyOverlapHours} hours`);
  expect(text).toContain(`within ${limits.requestTimeoutMs / 1000} seconds`);
  // Nothing promises a day for the end of a version, because nothing keeps such a promise.
  expect(text).not.toContain("Sunset");
  const budgets = [
    ["Lines of bulk orders that are checked and not placed: 100,000 in 10 minutes", "bulk.refused", 100_000, 600],
    ["not received: 100 a day", "dispute.account", 100, 86_400],
    ["Webhook addresses: 100 an hour", "webhook.addresses", 100, 3_600],
    ["one by one: 300 an hour", "webhook.messages", 300, 3_600],
    ["spans sent again: 12 an hour", "webhook.replays", 12, 3_600],
    ["messages in them: 20,000 a day", "webhook.replayed", 20_000, 86_400],
    ["Fresh starts in the sandbox: 30 an hour", "sandbox.reset", 30, 3_600],
  ] as const;
  for (const [shown, name, countMax, seconds] of budgets) {
    expect(BUDGETS[name]).toMatchObject({ countMax, seconds });
    expect(text).toContain(shown);
  }
});

describe("its examples for a shell", () => {
  test("buy once, however often they are run", async () => {
    const { curl } = await programsOn(shop, "/developers/post-orders");
    await runProgram(["sh", "-c", curl!], env);
    const { output } = await runProgram(["sh", "-c", curl!.replace("curl ", "curl -s -i ")], env);
    expect(output.toLowerCase()).toContain("idempotency-replayed: true");
    expect(await count(shop.world.db, sql`from orders where msisdn = '233541234567' and bulk_order_id is null`)).toBe(
      1,
    );
  });

  for (const call of inOrder(calls)) {
    longTest(`${call.method} ${call.path} is understood`, async () => {
      const { curl } = await programsOn(shop, `/developers/${call.name}`);
      const { output, code } = await runProgram(["sh", "-c", curl!.replace("curl ", "curl -s ")], env);
      expect([code, misunderstood(call, output)]).toEqual([0, null]);
    });
  }
});

test("the page for who reads the repository is short, leads to the guide, and its commands run", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/api.md")).text();
  expect(page.split("\n").length).toBeLessThan(60);
  expect(page).toContain("/developers");
  const [block] = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code!);
  const commands = block!
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith(" "));
  expect(commands).toHaveLength(3);
  const { output, problems, code } = await runProgram(["sh", "-c", `set -eu\n${block}`], env);
  expect([code, problems]).toEqual([0, ""]);
  expect(output).toContain('"price":3.9');
  expect(output).toContain('"status":"PENDING"');
});
