// Paystack's webhooks: stored before they are acknowledged, used only as a trigger to check, processed once.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { DeliveryOptions, JsonObject } from "../../../dev/simulators/paystack/paystack.ts";
import { process as act } from "../../../src/core/payments/paystack-webhooks.ts";
import { count, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { creditsOf, openPaying, PREVIOUS_KEY, SECRET_KEY } from "./paying.ts";

const shop = await openPaying({ firstId: 9_007_199_254_740_993n });
const { world, db, paystack } = shop;
const kojo = await world.person("kojo");

const events = () => count(db, sql`from webhook_events`);
const outcomes = async () =>
  (await db.execute<{ outcome: string | null }>(sql`select outcome from webhook_events order by id`)).map(
    ({ outcome }) => outcome,
  );

test("a webhook is stored, answered with 200 and processed, and the payment is credited", async () => {
  const before = await world.balanceOf(kojo);
  const { reference } = await shop.paidTopUp(kojo);
  const [delivery] = await paystack.deliver(reference);
  expect(delivery!.attempts.map(({ status }) => status)).toEqual([200]);
  // The webhook itself credits nothing.
  expect(await world.balanceOf(kojo)).toBe(before);
  await shop.workOff();
  expect(await world.balanceOf(kojo)).toBe(before + 2000);
  expect((await outcomes()).at(-1)).toBe("settled: paid");
});

test("a webhook's amount, status and currency are not used", async () => {
  const before = await world.balanceOf(kojo);
  const { reference } = await shop.paidTopUp(kojo);
  await paystack.deliver(reference, { data: { amount: 9_000_000, requested_amount: 9_000_000 } });
  await shop.workOff();
  expect(await world.balanceOf(kojo)).toBe(before + 2000);
  const unpaid = await shop.topUp(kojo);
  await paystack.deliverEvent("charge.success", {
    reference: unpaid.reference,
    status: "success",
    amount: 2000,
  });
  await shop.workOff();
  expect((await shop.row(unpaid.reference)).state).toBe("pending");
  expect(await world.balanceOf(kojo)).toBe(before + 2000);
});

const forged: [string, DeliveryOptions][] = [
  ["is signed with another key", { signature: "wrong" }],
  ["is not signed", { signature: "missing" }],
  ["is signed for other bytes", { signature: "tampered" }],
  ["is signed in capitals", { signature: "upperCase", retry: false }],
  ["is signed with no key", { key: "", retry: false }],
];
test.each(forged)("a webhook that %s is answered with 401, not stored and not processed", async (_, options) => {
  const before = await events();
  const { reference } = await shop.paidTopUp(kojo);
  const [delivery] = await paystack.deliver(reference, options);
  expect(delivery!.attempts.map(({ status }) => status)).toEqual([401]);
  await shop.workOff();
  expect(await events()).toBe(before);
  expect((await shop.row(reference)).state).toBe("pending");
});

test("a signature of another length is refused like any other", async () => {
  const response = await fetch(paystackTarget(), {
    method: "POST",
    headers: { "x-paystack-signature": "abc" },
    body: JSON.stringify({ event: "charge.success", data: {} }),
  });
  expect(response.status).toBe(401);
});

test.each([SECRET_KEY, PREVIOUS_KEY])(
  "while keys are being replaced the one and the other are believed",
  async (key) => {
    const { reference } = await shop.paidTopUp(kojo);
    const [delivery] = await paystack.deliver(reference, { key });
    expect(delivery!.attempts.at(-1)!.status).toBe(200);
    await shop.workOff();
    expect((await shop.row(reference)).state).toBe("paid");
  },
);

const hostile: [string, DeliveryOptions][] = [
  ["every hostile spelling at once", { json: "hostile" }],
  ["slashes written as PHP writes them", { json: { slashes: true }, data: { note: "a/b/c" } }],
  ["letters beyond ASCII", { json: { unicode: true }, data: { customer: { first_name: "Àmàé" } } }],
  ["letters beyond ASCII as they are", { data: { customer: { first_name: "Kwabená 😀" } } }],
  ["keys in another order", { json: { order: "reversed" } }],
  ["an id beyond 2^53", { data: { id: 18_446_744_073_709_551_615n } }],
  ["metadata that is empty", { data: { metadata: "" } }],
  ["metadata that is 0", { data: { metadata: 0 } }],
  ["metadata that is null", { data: { metadata: null } }],
  ["metadata that is text", { data: { metadata: '{"reference":"tp-other"}' } }],
  ["metadata that is an object", { data: { metadata: { reference: "tp-other", amount: 1 } } }],
  ["an amount that is text", { data: { amount: "2000" } }],
  ["an amount that is nonsense", { data: { amount: { pesewas: 1 } } }],
  ["an id that is text", { data: { id: "4311002233" } }],
];
longTest.each(hostile)("the signature is checked over the raw bytes, with %s", async (_, options) => {
  const { reference } = await shop.paidTopUp(kojo);
  const [delivery] = await paystack.deliver(reference, options);
  expect(delivery!.attempts.map(({ status }) => status)).toEqual([200]);
  await shop.workOff();
  expect((await shop.row(reference)).state).toBe("paid");
});

longTest.each([2, 4])("%d copies at once and one after the other are one event and one credit", async (copies) => {
  const before = await world.balanceOf(kojo);
  const eventsBefore = await events();
  const { reference } = await shop.paidTopUp(kojo);
  const sent = [
    ...(await paystack.deliver(reference, { copies, parallel: true })),
    ...(await paystack.deliver(reference, { copies })),
  ];
  expect(sent.map(({ state }) => state)).toEqual(times(copies * 2, () => "delivered"));
  await Promise.all(times(4, () => shop.workOff()));
  await paystack.deliver(reference);
  await shop.workOff();
  expect(await events()).toBe(eventsBefore + 1);
  expect(await creditsOf(db, reference)).toBe(1);
  expect(await world.balanceOf(kojo)).toBe(before + 2000);
});

test("an event that several workers process at once, and again afterwards, has one effect", async () => {
  const before = await world.balanceOf(kojo);
  const { reference } = await shop.paidTopUp(kojo);
  await paystack.deliver(reference);
  const [event] = await db.execute<{ id: number }>(sql`select id from webhook_events where reference = ${reference}`);
  await Promise.all(times(6, () => act(db, shop.gateway, event!.id)));
  await shop.workOff();
  expect(await world.balanceOf(kojo)).toBe(before + 2000);
});

test("payments whose ids are equal after rounding are two events", async () => {
  const pages = [await shop.paidTopUp(kojo), await shop.paidTopUp(kojo)];
  const [one, two] = paystack.transactions().slice(-2);
  paystack.steer(one!.reference, { id: 9_007_199_254_740_992n });
  paystack.steer(two!.reference, { id: 9_007_199_254_740_993n });
  const ids = [9_007_199_254_740_992n, 9_007_199_254_740_993n];
  for (const [n, { reference }] of pages.entries()) await paystack.deliver(reference, { data: { id: ids[n]! } });
  await shop.workOff();
  for (const { reference } of pages) expect((await shop.row(reference)).state).toBe("paid");
});

longTest.each<[string, () => Response | Promise<Response>]>([
  ["500", () => new Response("fault", { status: 500 })],
  ["201", () => new Response("created", { status: 201 })],
  ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 302)],
])("after our answer was %s three times the same bytes come again, and count once", async (_, give) => {
  const before = await world.balanceOf(kojo);
  const { reference } = await shop.paidTopUp(kojo);
  let left = 3;
  shop.answerWebhooksWith(() => (left-- > 0 ? (give() as Response) : null));
  const [delivery] = await paystack.deliver(reference);
  for (const _ of times(3, (i) => i)) await paystack.retryWebhooksNow();
  shop.answerWebhooksWith(() => null);
  expect(delivery!.attempts.length).toBe(4);
  expect(delivery!.attempts.at(-1)!.status).toBe(200);
  await shop.workOff();
  expect(await world.balanceOf(kojo)).toBe(before + 2000);
});

test("an event whose check with Paystack failed is retried, and the others go on", async () => {
  const [first, second] = [await shop.paidTopUp(kojo), await shop.paidTopUp(kojo)];
  await paystack.deliver(first.reference);
  await paystack.deliver(second.reference);
  paystack.fault("GET /transaction/verify/:reference", "html502");
  await shop.workOff();
  const states = [await shop.row(first.reference), await shop.row(second.reference)].map(({ state }) => state);
  expect(states.toSorted()).toEqual(["paid", "pending"]);
  expect(shop.logged()).toContain("a webhook could not be acted on yet");
  await shop.workOff();
  for (const { reference } of [first, second]) expect((await shop.row(reference)).state).toBe("paid");
});

const foreign: [string, string, JsonObject, string][] = [
  [
    "names a payment of another shop on the same account",
    "charge.success",
    { reference: "pos-77" },
    "unknown reference",
  ],
  ["is about a transfer", "transfer.success", { reference: "trf-1", status: "success" }, "unknown reference"],
  ["is of a kind that nobody has heard of", "brand.new", { reference: "x-1" }, "unknown reference"],
  ["names nothing", "customeridentification.failed", { customer_id: "1" }, "no reference"],
  ["has no data", "charge.success", {}, "no reference"],
  [
    "refunds what is not ours",
    "refund.processed",
    { transaction_reference: "pos-77", amount: "10000" },
    "unknown reference",
  ],
  [
    "disputes what is not ours",
    "charge.dispute.create",
    { id: 1, transaction: { reference: "pos-78" } },
    "unknown reference",
  ],
  ["tells odd things", "charge.success", { reference: "' or 1=1 --", id: null, amount: null }, "unknown reference"],
];
longTest.each(foreign)("an event that %s is kept, answered 200 and does nothing", async (_, name, data, outcome) => {
  const transfers = await count(db, sql`from transfers`);
  const [delivery] = await paystack.deliverEvent(name, data);
  expect(delivery!.attempts.map(({ status }) => status)).toEqual([200]);
  await shop.workOff();
  expect((await outcomes()).at(-1)).toBe(outcome);
  expect(await count(db, sql`from transfers`)).toBe(transfers);
});

longTest.each(["", "not JSON", "[]", "null", '{"event":1}', "\u0000"])(
  "signed bytes that are no event (%p) are acknowledged and not stored",
  async (body) => {
    const before = await events();
    const signature = new Bun.CryptoHasher("sha512", SECRET_KEY).update(body).digest("hex");
    const headers = { "x-paystack-signature": signature };
    const response = await fetch(paystackTarget(), { method: "POST", headers, body });
    expect(response.status).toBe(200);
    expect(await events()).toBe(before);
  },
);

test("a webhook that comes before Paystack's answer is stored finds its payment", async () => {
  const before = await world.balanceOf(kojo);
  paystack.steer("next", {
    payAtOnce: true,
    webhook: "beforeReply",
    delivery: { copies: 2, parallel: true },
  });
  paystack.fault("POST /transaction/initialize", "dropAfter");
  // The page's address never arrives, but the payment does.
  await expect(shop.topUp(kojo)).rejects.toThrow();
  await shop.workOff();
  expect(await world.balanceOf(kojo)).toBe(before + 2000);
});

function paystackTarget(): string {
  return paystack.deliveries().at(-1)!.url;
}
