// Privacy of vendors: whatever goes wrong at one, agents read the shop's texts in every channel, never its name or
// messages, while admins read everything.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { MAGIC } from "../../../dev/simulators/vendors/vendors-magic.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import { count } from "../../support/asking.ts";
import { receiptToken } from "../../support/pages.ts";
import { openApp } from "../../support/world.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, simulator, world, ama } = shop;
const client = openApp(world, undefined, shop.vendors);
const HOUR = 3600;
/** Vendors' names, references and messages, our references with them, and our float. */
const NAMES = /data\s?mart|hubnet|africa.?s\s?talking|supplier|vendor/;
const REFERENCES = /TRX-|TXN-|ATPid|MN-[0-9A-F]{8}|DF\d{4,}T\d/;
const MESSAGES = /float|insufficient|our balance|API key|502 bad|did not answer|[“”]/;
const SUPPLIERS = new RegExp([NAMES, REFERENCES, MESSAGES].map(({ source }) => source).join("|"), "i");

/** What an agent reads on a page. Its stylesheets let texts float, which says nothing of a vendor's float. */
const page = async (path: string) =>
  (await (await client.browse(ama, path)).text()).replace(/<style.*?<\/style>/gs, "");

/** Everything that an agent can read of an order, by channel. */
async function readings(ids: number[]): Promise<[string, string][]> {
  const api = async (path: string) => JSON.stringify((await client.call(ama, "GET", path)).body);
  const channels: [string, Promise<string>][] = [
    ["the list", api("/api/v1/orders?limit=200")],
    ["the wallet", api("/api/v1/wallet/transactions?limit=200")],
    ["the orders' page", page("/orders?all=1")],
    ["the dashboard", page("/dashboard")],
    ["the wallet's page", page("/wallet")],
    ["the state of delivery", page("/status")],
    ["orders.csv", page("/orders/export?kind=all")],
    ...ids.flatMap((id): [string, Promise<string>][] => [
      [`order ${id} by the API`, api(`/api/v1/orders/${id}`)],
      [`order ${id} on its page`, page(`/orders/${id}`)],
      [`order ${id} on its receipt`, page(`/r/${receiptToken(id)}`)],
    ]),
  ];
  expect(await count(db, sql`from hook_deliveries`)).toBeGreaterThan(0);
  const messages = await db.execute<{ body: string }>(sql`
    select body from messages where user_id = ${ama.id}
    union all select d.body from hook_deliveries d join hooks h on h.id = d.hook_id where h.user_id = ${ama.id}
    union all select m.message from support_messages m join support_requests r on r.id = m.request_id
              where r.user_id = ${ama.id}`);
  const read = await Promise.all(
    channels.map(async ([channel, text]): Promise<[string, string]> => [channel, await text]),
  );
  return [...read, ...messages.map(({ body }): [string, string] => ["a message", body])];
}

async function expectSecrecy(ids: number[]) {
  for (const [channel, text] of await readings(ids)) {
    const found = SUPPLIERS.exec(text);
    const around = found && text.slice(Math.max(0, found.index - 60), found.index + 60);
    expect([channel, around]).toEqual([channel, null]);
  }
}

await client.call(
  ama,
  "POST",
  "/api/v1/webhooks",
  { url: "http://hook.example:8080/in" },
  { "idempotency-key": "hook" },
);

describe.each([
  ["datamart,hubnet", 4 * HOUR],
  ["hubnet", HOUR],
  // Each of its orders has many status checks, which take long to simulate.
  ["africastalking", HOUR / 6],
])("delivered by %s", (route, seconds) => {
  test("all results of an order", async () => {
    await shop.routeBy(route);
    const ids: number[] = [];
    for (const ending of Object.keys(MAGIC)) ids.push(await shop.buy(ending));
    await shop.pass(seconds);
    await expectSecrecy(ids);
    const admins = await Promise.all(
      ids.map(async (id) => JSON.stringify((await client.call(world.yaw, "GET", `/api/v1/orders/${id}`)).body)),
    );
    expect(admins.join("")).toMatch(/DataMart GH|Hubnet|Africa's Talking/);
  });

  test("an empty float, a refused key, a network that is down, and too many calls", async () => {
    await shop.routeBy(route);
    const ids: number[] = [];
    const suffer = async (seconds = 60) => {
      ids.push(await shop.buy());
      await shop.pass(seconds);
      await db.execute(sql`update vendors set paused_for = null, paused_at = null, next_call_at = now()`);
    };
    simulator.switch({ floatEmpty: true });
    await suffer();
    simulator.switch({ floatEmpty: false, down: ["MTN"] });
    await suffer();
    simulator.switch({ down: [] });
    for (const fault of ["http500", "html502", "429", "dropBefore", "dropAfter", "emptyBody"] as const) {
      simulator.fault("*", fault);
      await suffer();
    }
    await expectSecrecy(ids);
  });
});

test("each event of an order has a kind that programs can read, and appears once", async () => {
  simulator.switch({ floatEmpty: true });
  const id = await shop.buy();
  await shop.pass(5 * 60);
  const { body } = await client.call(ama, "GET", `/api/v1/orders/${id}`);
  const heard = (body.timeline as { code: string | null; note: string | null }[]).filter(({ code }) => code);
  expect(heard).toMatchObject([{ code: "waiting", note: "Waiting, we are on it" }]);
  simulator.switch({ floatEmpty: false });
  await shop.pass(5 * 60);
  const { body: later } = await client.call(ama, "GET", `/api/v1/orders/${id}`);
  expect(later.timeline.map(({ code }: { code: string | null }) => code).filter(Boolean)).toEqual([
    "waiting",
    "sent",
    "delivered",
  ]);
});

test("a bulk order explains a failed line in the shop's own text", async () => {
  const lines = ["0541110012", "0541110001"].map((msisdn) => ({
    productId: shop.bundle.id,
    msisdn,
    quantity: 1,
  }));
  const { answer } = await buyBulk(db, { by: ama.by(), key: null, lines });
  await shop.pass(HOUR);
  const text = await page(`/bulk/${answer.bulkOrderId}`);
  expect(SUPPLIERS.exec(text)?.[0] ?? null).toBeNull();
});
