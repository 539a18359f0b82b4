// Tests of the Paystack simulator's pages, faults and controls.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { type Fault, startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import {
  chargeBody,
  createClient,
  isSignedWith,
  startShop,
  until,
} from "../../dev/simulators/paystack/paystack-asking.ts";
import { returnUrl } from "../../dev/simulators/paystack/paystack-checkout.ts";

// An hour between webhooks takes 20 ms, and the networks' 180 s take 1 ms.
const paystack = await startPaystack({ speed: 180_000 });
const { send, initialize, charge, verify } = createClient(paystack);
const shop = startShop();
const isSigned = isSignedWith(paystack.secretKey);
afterAll(async () => {
  await Promise.all([paystack.stop(), shop.stop()]);
});
beforeEach(() => {
  paystack.reset();
  paystack.sendWebhooksTo(shop.url);
  shop.received.length = 0;
  shop.answers.length = 0;
});

describe("the payment page", () => {
  test("is paid with a click, and redirects the payer with the reference", async () => {
    const page = await openPage({ callback_url: "https://shop.example.gh/pay/return?wallet=1" });
    expect(page.html).toContain("Paystack simulator");
    expect(page.html).toContain("GH₵ 20.00");
    expect(page.html).not.toContain("<script");
    const paid = await click(page.url, "pay");
    expect([paid.status, paid.headers.get("location")]).toEqual([
      303,
      "https://shop.example.gh/pay/return?wallet=1&trxref=tp-1&reference=tp-1",
    ]);
    expect((await verify("tp-1")).body.data.status).toBe("success");
    // The link is valid once; opening it again only leads back.
    expect(await (await fetch(page.url)).text()).toContain("This payment is complete.");
    expect((await click(page.url, "fail")).status).toBe(200);
    expect((await verify("tp-1")).body.data.status).toBe("success");
  });

  test("can be declined and then paid", async () => {
    const page = await openPage();
    expect(await (await click(page.url, "decline")).text()).toContain("declined");
    expect((await verify("tp-1")).body.data).toMatchObject({
      status: "abandoned",
      gateway_response: "Declined",
    });
    await click(page.url, "pay");
    expect((await verify("tp-1")).body.data.status).toBe("success");
  });

  test.each([
    ["fail", 200, null, "failed"],
    ["pay-and-close", 200, null, "success"],
    ["return", 303, "https://shop.example.gh/back?trxref=tp-1&reference=tp-1", "abandoned"],
    ["abandon", 303, "https://shop.example.gh/wallet", "abandoned"],
    ["dance", 400, null, "abandoned"],
  ])("%s", async (outcome, status, location, state) => {
    const page = await openPage({
      callback_url: "https://shop.example.gh/back",
      metadata: { cancel_action: "https://shop.example.gh/wallet" },
    });
    const response = await click(page.url, outcome);
    expect([response.status, response.headers.get("location")]).toEqual([status, location]);
    expect((await verify("tp-1")).body.data.status).toBe(state);
  });

  test("shows what a shop sends as plain text", async () => {
    const page = await openPage({ email: "<b>@pay.example.gh" });
    expect(page.html).toContain("&lt;b&gt;@pay.example.gh");
  });

  test("appends to a callback in any format", () => {
    const query = "trxref=a&reference=a";
    expect(returnUrl("https://x.gh/a", "a")).toBe(`https://x.gh/a?${query}`);
    expect(returnUrl("https://x.gh/a?", "a")).toBe(`https://x.gh/a?${query}`);
    expect(returnUrl("https://x.gh/a?b=c#d", "a")).toBe(`https://x.gh/a?b=c&${query}#d`);
  });
});

test("the phone shows the pending prompts with buttons", async () => {
  await charge({ reference: "mm-1", phone: "0551234904" });
  await charge({ reference: "mm-2", phone: "0551234904" });
  expect(await (await fetch(`${paystack.url}/phone`)).text()).toContain("/phone/mm-2");
  const press = (reference: string, answer: string) =>
    fetch(`${paystack.url}/phone/${reference}`, { method: "POST", body: new URLSearchParams({ answer }) });
  await press("mm-1", "approve");
  const page = await (await press("mm-2", "refuse")).text();
  expect(page).toContain("No payment is waiting");
  const states = paystack.transactions().map(({ status }) => status);
  expect(states).toEqual(["success", "failed"]);
});

describe("a fault", () => {
  test("after the work loses only the answer", async () => {
    paystack.fault("POST /transaction/initialize", "dropAfter");
    await expect(initialize({ reference: "tp-1" })).rejects.toThrow();
    await until(async () => paystack.transactions().length === 1);
    expect((await verify("tp-1")).body.data.status).toBe("abandoned");
    expect((await initialize({ reference: "tp-1" })).body.code).toBe("duplicate_reference");
  });

  test("before the work leaves nothing behind, and ends after its number of calls", async () => {
    paystack.fault("*", "dropBefore", 2);
    for (let n = 0; n < 2; n++) expect(await verify("tp-1").catch((error) => error.code)).toBe("ECONNRESET");
    expect((await verify("tp-1")).body.code).toBe("transaction_not_found");
    expect(paystack.requests().map((line) => [line.fault, line.status])).toEqual([
      ["dropBefore", null],
      ["dropBefore", null],
      [null, 400],
    ]);
  });

  test.each([
    ["http500", 500, "application/json; charset=utf-8", 0],
    ["html502", 502, "text/html; charset=utf-8", 0],
    ["429", 429, "application/json; charset=utf-8", 0],
    ["emptyBody", 200, "application/json; charset=utf-8", 1],
    [{ kind: "delay", ms: 5 }, 200, "application/json; charset=utf-8", 1],
  ] as [Fault, number, string, number][])("%p answers %d", async (fault, status, type, made) => {
    paystack.fault("POST /charge", fault);
    const response = await send("POST", "/charge", chargeBody({}));
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
    if (status === 429) expect([...response.headers.keys()]).toContainValues(["retry-after", "x-ratelimit-reset"]);
    if (fault === "emptyBody") expect(await response.text()).toBe("");
    expect(paystack.transactions().length).toBe(made);
  });

  test("that hangs lasts until the caller gives up", async () => {
    paystack.fault("GET /transaction", "hang");
    const signal = AbortSignal.timeout(20);
    const call = fetch(`${paystack.url}/transaction`, {
      headers: { authorization: `Bearer ${paystack.secretKey}` },
      signal,
    });
    await expect(call).rejects.toThrow("timed out");
  });
});

test("everything can be steered over HTTP, too", async () => {
  const control = async (path: string, body?: object) => {
    const method = body ? "POST" : "GET";
    const response = await fetch(`${paystack.url}/_control/${path}`, {
      method,
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  await control("faults", { route: "POST /transaction/initialize", kind: "http500" });
  expect((await initialize({ reference: "tp-1" })).status).toBe(500);
  await initialize({ reference: "tp-1" });
  await control("transactions/tp-1", { id: "9007199254740993", amount: 2500, action: "pay" });
  await control("deliver", { reference: "tp-1", json: "hostile", copies: 2 });
  await control("deliver", { event: "transfer.success", data: { reference: "tr-1" } });
  expect(shop.received.map(isSigned)).toEqual([true, true, true]);
  const { body } = await control("state");
  expect(body).toMatchObject({
    transactions: [{ reference: "tp-1", status: "success" }],
    successes: { "tp-1": 2500 },
    deliveries: { length: 3 },
    requests: { length: 2 },
  });
  expect(await control("transactions/tp-9", { action: "pay" })).toEqual({
    status: 400,
    body: { ok: false, message: "Paystack does not know tp-9" },
  });
  expect((await control("faults", { route: "*", kind: "earthquake" })).status).toBe(400);
  await control("reset", {});
  expect(paystack.transactions()).toEqual([]);
});

async function openPage(fields: object = {}): Promise<{ url: string; html: string }> {
  const { body } = await initialize({ reference: "tp-1", ...fields });
  const url = body.data.authorization_url;
  return { url, html: await (await fetch(url)).text() };
}

function click(url: string, outcome: string): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });
}
