// A test with the program killed while all providers keep it waiting: what it had claimed is free again within 45
// seconds, so that the next program takes it over within a minute.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startAfricasTalking } from "../../simulators/africastalking.ts";
import { startEndpoint } from "../../simulators/endpoint.ts";
import { startVendors } from "../../simulators/vendors.ts";
import * as messages from "../../src/core/messaging/messages.ts";
import * as orders from "../../src/core/orders/buy.ts";
import * as settings from "../../src/core/platform/settings.ts";
import * as webhookDeliveries from "../../src/core/webhooks/deliveries.ts";
import * as hooks from "../../src/core/webhooks/endpoints.ts";
import { lineFor } from "../support/asking.ts";
import { startShop } from "../support/shop.ts";
import { createTestHooks, TEST_JWT_SECRET } from "../support/world.ts";
import { openTill } from "./paying.ts";

const FREE_SECONDS_MAX = 45;
const { world, paystack, topUp } = await openTill({ autoDeliverMs: 5 });
const { db, yaw } = world;

test("the claimed work of a killed program (webhooks, dispatches, messages) is soon taken over", async () => {
  const [africasTalking, vendors] = await Promise.all([startAfricasTalking(), startVendors()]);
  const endpoint = startEndpoint();
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
  const by = yaw.by("admin");
  await settings.change(db, { by, values: { route_mtn: "datamart", dispatch_hold_seconds: 0 } });
  const bundle = await world.product("MTN", "1GB", "3.90");
  const ama = await world.person("ama", "GH₵ 100.00");
  const keys = hooks.webhookKeysOf(createTestHooks(), TEST_JWT_SECRET);
  const url = `${endpoint.url}/hook`;
  const { answer } = await hooks.create(db, keys, { by: ama.by(), key: null, url, description: "" });
  vendors.switch({ floats: { datamart: 1e9 } });

  // Every provider accepts the first call and does not answer.
  const silence = Promise.withResolvers<Response>();
  endpoint.answer(() => silence.promise);
  paystack.fault("GET /transaction/verify/:reference", "hang");
  vendors.fault("POST /datamart/api/developer/purchase", "hang");
  vendors.fault("POST /datamart/api/developer/bulk-purchase", "hang");
  africasTalking.next("hang");

  const first = await startShop(world.url, environment);
  paystack.sendWebhooksTo(`${first.url.replace("localhost", "127.0.0.1")}/webhooks/paystack`);
  const { reference } = await topUp(ama, 20);
  await paystack.pay(reference);
  const sms = { userId: null, kind: "test", channel: "sms", recipient: "233541234567", subject: "" } as const;
  await db.transaction((tx) => messages.queue(tx, { ...sms, body: "a notice" }));
  await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) });
  await webhookDeliveries.ping(db, { by: ama.by(), key: null, hookId: answer.hook.id });
  await until(async () => (await claimedWork()).length === 4);
  expect((await claimedWork()).map(({ work }) => work)).toEqual([
    "developers",
    "message",
    "vendor",
    "webhook",
  ]);
  await first.kill();

  for (const { work, seconds } of await claimedWork())
    expect([work, seconds < FREE_SECONDS_MAX]).toEqual([work, true]);
  await secondsPass(FREE_SECONDS_MAX);
  endpoint.answer(() => new Response(null, { status: 204 }));
  const second = await startShop(world.url, environment);
  await until(async () => (await claimedWork()).length === 0);
  // The SMS may have arrived: it waits before it is sent again, and both delays together are under a minute.
  const [left] = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from j.run_at - now())::float8 as seconds
    from jobs j join messages m on m.id = j.subject_id where j.kind = 'send_message' and m.body = 'a notice'`);
  expect(left!.seconds).toBeLessThan(60 - FREE_SECONDS_MAX + 15);
  await until(async () => (await world.balanceOf(ama)) === 11_610);
  expect(await second.stop()).toBe(0);
  silence.resolve(new Response());
  endpoint.stop();
  await Promise.all([africasTalking.stop(), vendors.stop()]);
});

/** What a worker holds now, and for how long it would keep it if it did nothing more. */
async function claimedWork(): Promise<{ work: string; seconds: number }[]> {
  return db.execute(sql`
    select work, extract(epoch from max(free_at) - now())::float8 as seconds from (
      select 'webhook' as work, run_at as free_at from jobs where kind = 'process_webhook' and attempts > 0
      union all select 'message', j.run_at from jobs j join messages m on m.id = j.subject_id
        where j.kind = 'send_message' and m.state = 'sending' and m.body = 'a notice'
      union all select 'vendor', due_at from attempts where state = 'sending'
      union all select 'developers', due_at from hook_deliveries where state = 'sending') t
    group by work order by work`);
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
