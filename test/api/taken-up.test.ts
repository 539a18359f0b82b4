// Tests with the program killed while a provider keeps it waiting: what it had claimed is free again within 45
// seconds, so that the next program takes it over within a minute.
import { afterAll, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { startAfricasTalking } from "../../dev/simulators/africastalking.ts";
import { startEndpoint } from "../../dev/simulators/endpoint.ts";
import { startVendors } from "../../dev/simulators/vendors/vendors.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as messages from "../../src/core/messaging/messages.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as hooks from "../../src/core/webhooks/endpoints.ts";
import { lineFor } from "../support/asking.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { createTestHooks, TEST_JWT_SECRET } from "../support/world.ts";
import { openTill } from "./paying.ts";

const FREE_SECONDS_MAX = 45;
const { world, paystack, topUp } = await openTill({ autoDeliverMs: 5 });
const { db, yaw } = world;

const [africasTalking, vendors] = await Promise.all([startAfricasTalking(), startVendors()]);
const endpoint = startEndpoint();
afterAll(async () => {
  endpoint.stop();
  await Promise.all([africasTalking.stop(), vendors.stop()]);
});
const environment = {
  WORKER_POLL_SECONDS: "0.05",
  PAYMENT_POLL_SECONDS: "3600",
  RECONCILE_SECONDS: "3600",
  HOOK_THIS_MACHINE: "true",
  PAYSTACK_BASE_URL: paystack.url,
  AT_BASE_URL: africasTalking.url,
  AT_USERNAME: africasTalking.username,
  AT_API_KEY: africasTalking.apiKey,
  DATAMART_BASE_URL: vendors.settings.datamart.baseUrl,
  DATAMART_API_KEY: vendors.settings.datamart.apiKey,
  DATAMART_WEBHOOK_SECRET: vendors.settings.datamart.webhookSecret!,
};
await settings.change(db, {
  by: yaw.by("admin"),
  values: { route_mtn: "datamart", dispatch_hold_seconds: 0 },
});
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 100.00");
vendors.switch({ floats: { datamart: 1e9 } });

/** Work that is claimed, and whose provider does not answer, until the program is killed. */
type Work = {
  begin: (shop: Shop) => Promise<void>;
  /** Lets the provider answer again. */
  answer: () => void;
  /** Whether it was done after the takeover, as far as it could be. */
  isDone: () => Promise<boolean>;
};

const silence = Promise.withResolvers<Response>();
const works: Record<string, Work> = {
  developers: {
    begin: async () => {
      const keys = hooks.webhookKeysOf(createTestHooks(), TEST_JWT_SECRET);
      endpoint.answer(() => silence.promise);
      const url = `${endpoint.url}/hook`;
      await hooks.create(db, keys, { by: ama.by(), key: null, url, description: "" });
    },
    answer: () => {
      endpoint.answer(() => new Response(null, { status: 204 }));
      silence.resolve(new Response());
    },
    isDone: async () => (await countOf(sql`hook_deliveries where state = 'delivered'`)) > 0,
  },
  message: {
    begin: async () => {
      // The gateway never answers about a number that ends so.
      const sms = {
        userId: null,
        kind: "test",
        channel: "sms",
        recipient: "233541234502",
        subject: "",
      } as const;
      await db.transaction((tx) => messages.queue(tx, { ...sms, body: "a notice" }));
    },
    answer: () => {},
    // It may have arrived: it waits before it is sent again, and both delays together are under a minute.
    isDone: async () =>
      (await countOf(sql`jobs j join messages m on m.id = j.subject_id
        where j.kind = 'send_message' and m.body = 'a notice' and m.state = 'queued'
          and j.run_at between now() and now() + make_interval(secs => ${60 - FREE_SECONDS_MAX + 15})`)) > 0,
  },
  vendor: {
    begin: async () => {
      vendors.fault("POST /datamart/api/developer/purchase", "hang");
      vendors.fault("POST /datamart/api/developer/bulk-purchase", "hang");
      await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) });
    },
    answer: () => {},
    // It may have been delivered: its status is checked, and it is not sent again.
    isDone: async () => (await countOf(sql`attempts where state not in ('queued', 'sending')`)) > 0,
  },
  webhook: {
    begin: async (shop) => {
      // All calls: the reconciliation after a start may be the first to ask about the payment.
      paystack.fault("GET /transaction/verify/:reference", "hang", Number.POSITIVE_INFINITY);
      paystack.sendWebhooksTo(`${shop.url.replace("localhost", "127.0.0.1")}/webhooks/paystack`);
      const { reference } = await topUp(ama, 20);
      await paystack.pay(reference);
    },
    answer: () => paystack.clearFaults(),
    isDone: async () => (await world.balanceOf(ama)) === 11_610,
  },
};

test("the claimed work of a killed program (webhooks, dispatches, messages) is soon taken over", async () => {
  let shop = await startShop(world.url, environment);
  for (const [name, work] of Object.entries(works)) {
    await work.begin(shop);
    await until(async () => (await secondsUntilFree(name)) !== null);
    await shop.kill();
    expect([name, (await secondsUntilFree(name))! < FREE_SECONDS_MAX]).toEqual([name, true]);
    await secondsPass(FREE_SECONDS_MAX);
    work.answer();
    shop = await startShop(world.url, environment);
    await until(async () => (await work.isDone()) && (await secondsUntilFree(name)) === null);
  }
  expect(await shop.stop()).toBe(0);
});

/** The seconds for which a worker that did nothing more would keep its claim on this work; null without a claim. */
async function secondsUntilFree(work: string): Promise<number | null> {
  const [row] = await db.execute<{ seconds: number | null }>(sql`
    select extract(epoch from max(free_at) - now())::float8 as seconds from (
      select 'webhook' as work, run_at as free_at from jobs where kind = 'process_webhook' and attempts > 0
      union all select 'message', j.run_at from jobs j join messages m on m.id = j.subject_id
        where j.kind = 'send_message' and m.state = 'sending' and m.body = 'a notice'
      union all select 'vendor', due_at from attempts where state = 'sending'
      union all select 'developers', due_at from hook_deliveries where state = 'sending') t
    where work = ${work}`);
  return row!.seconds;
}

async function countOf(rows: SQL): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count from ${rows}`);
  return row!.count;
}

async function secondsPass(seconds: number): Promise<void> {
  for (const [table, column] of [
    ["jobs", "run_at"],
    ["attempts", "due_at"],
    ["hook_deliveries", "due_at"],
  ])
    await db.execute(sql.raw(`update ${table} set ${column} = ${column} - interval '${seconds} seconds'`));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}
