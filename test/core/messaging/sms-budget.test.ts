// The SMS budgets: per account and hour when a message is written, and per day for the shop when it is sent.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../../db/schema/identity.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as messages from "../../../src/core/messaging/messages.ts";
import * as notices from "../../../src/core/messaging/notices.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { count, lineFor, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openMessaging } from "../../support/messaging.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const post = await openMessaging(world);
const bundle = await world.product("MTN", "1GB", "3.90");

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
  await db.execute(sql`delete from jobs where kind = 'send_message'`);
});

let made = 0;
async function agent(balance: string): Promise<Person & { msisdn: string }> {
  const person = await world.person(`agent${++made}`, balance);
  const msisdn = `2335500000${made + 50}`;
  await db.insert(phones).values({ userId: person.id, msisdn });
  return { ...person, msisdn };
}
const noticesTo = ({ id }: Person, ...kinds: string[]) =>
  count(db, sql`from messages where user_id = ${id} and channel = 'sms' and kind = any(${sql.param(kinds)}::text[])`);

longTest("buying and cancelling in a loop causes at most thirty SMS an hour", async () => {
  const mallory = await agent("GH₵ 3.90");
  await db.execute(sql`
    update wallets set notify_purchases = true, low_balance_pesewas = 100 where user_id = ${mallory.id}`);
  for (const _ of times(20, (i) => i)) {
    const { answer } = await orders.buy(db, { by: mallory.by(), key: null, line: lineFor(bundle) });
    while ((await notices.sendDue(db, 10)) > 0);
    await cancelling.cancel(db, { by: mallory.by(), key: null, orderId: answer.order.id });
  }
  expect(await noticesTo(mallory, "order_accepted", "balance_low")).toBe(30);
  expect(await world.balanceOf(mallory)).toBe(390);
});

test("refunds are notified all the same: they have a budget of their own", async () => {
  const ama = await agent("GH₵ 50.00");
  await db.execute(sql`insert into rate_limits (bucket, count, resets_at)
    values (${`sms.purchases:${ama.id}`}, 30, now() + interval '1 hour')`);
  const { answer } = await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) });
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [answer.order.id], to: "FAILED" });
  expect(await noticesTo(ama, "order_refunded")).toBe(1);
});

longTest("the day's budget drops notices first and codes last, and admins are notified of each step once", async () => {
  await settings.change(db, { by: yaw.by("admin"), values: { sms_day_max: 10 } });
  const ama = await agent("GH₵ 1.00");
  const queue = (kind: string, howMany: number, codeSeconds?: number) =>
    db.transaction((tx) =>
      messages.queueAll(
        tx,
        times(howMany, () => ({
          ...{ userId: ama.id, kind, channel: "sms" as const, recipient: ama.msisdn, subject: "" },
          ...{ body: `${kind} 123456`, ...(codeSeconds && { codeSeconds }) },
        })),
      ),
    );
  const sent = async (kind: string) =>
    count(db, sql`from messages where user_id = ${ama.id} and kind = ${kind} and state = 'sent'`);
  await queue("order_refunded", 12);
  await post.deliver();
  await queue("phone_code", 4, 600);
  await post.deliver();
  await queue("reset_code", 4, 600);
  await post.deliver();
  expect([await sent("order_refunded"), await sent("phone_code"), await sent("reset_code")]).toEqual([7, 1, 2]);
  expect(post.textsTo(ama.msisdn)).toHaveLength(10);
  const dropped = await db.execute<{ state: string; last_error: string }>(sql`
    select distinct state, last_error from messages where user_id = ${ama.id} and state <> 'sent'`);
  expect([...dropped]).toEqual([{ state: "failed", last_error: "the shop's daily SMS limit is used up" }]);
  await post.deliver();
  const mails = post.textsTo(yaw.email).filter((text) => text.includes("SMS"));
  expect(mails.map((text) => /(\d+)% of the 10 SMS/.exec(text)?.[1])).toEqual(["70", "85", "100"]);
  // Raised by an admin, it goes on at once.
  await settings.change(db, { by: yaw.by("admin"), values: { sms_day_max: 100 } });
  await queue("order_refunded", 1);
  await post.deliver();
  expect(await sent("order_refunded")).toBe(8);
});
