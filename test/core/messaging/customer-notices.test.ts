// SMS to the customers of agents who chose that: one when the data has arrived, in the shop's name, within a budget.
import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones as phoneTable } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { BUDGETS } from "../../../src/core/platform/budgets/budget-table.ts";
import { gsm7Length } from "../../../src/shared/phones/sms-text.ts";
import { count, lineFor, times } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const bundle = await world.product("TELECEL", "2GB", "1.00");

let made = 0;
async function agent(shopName: string | null = null): Promise<Person & { msisdn: string }> {
  made += 1;
  const person = await world.person(`agent${made}`, "GH₵ 900.00");
  const msisdn = `2335500000${made + 10}`;
  await db.insert(phoneTable).values({ userId: person.id, msisdn });
  await phones.chooseNotices(db, { by: person.by("web"), notifyCustomers: true, shopName });
  return { ...person, msisdn };
}
const buy = async (person: Person, msisdn = "233201234567") => {
  const line = { ...lineFor(bundle), msisdn };
  const placed = await orders.buy(db, { by: person.by(), key: null, line, allowDuplicate: true });
  return placed.answer.order.id;
};
const move = (ids: number[], to: "PROCESSING" | "DELIVERED" | "COMPLETED" | "FAILED") =>
  statusChanges.move(db, { by, key: null, ids, to });
const sentBy = async ({ id }: Person) =>
  db
    .select({ to: messages.recipient, body: messages.body, kind: messages.kind })
    .from(messages)
    .where(eq(messages.userId, id))
    .orderBy(messages.id);

test("the customer gets one SMS when the data has arrived, in the name of the shop", async () => {
  const ama = await agent("Ama's Data");
  const id = await buy(ama);
  await move([id], "PROCESSING");
  expect(await sentBy(ama)).toEqual([]);
  await move([id], "DELIVERED");
  await move([id], "COMPLETED");
  const body = `Ama's Data: Telecel 2GB of data for 0201234567 is delivered. Order ${id}. Thank you.`;
  expect(await sentBy(ama)).toEqual([{ to: "233201234567", body, kind: "customer_delivered" }]);
  expect(await count(db, sql`from jobs where kind = 'send_message'`)).toBe(1);
  // Also when an admin closes it at once.
  const kofi = await agent();
  const closed = await buy(kofi);
  await move([closed], "COMPLETED");
  expect((await sentBy(kofi))[0]!.body).toStartWith(`agent${made}: Telecel 2GB`);
});

test("none is sent unless the agent chose it, nor to the agent, nor about an order that failed", async () => {
  const [ama, silent, banned] = [await agent(), await agent(), await agent()];
  await phones.chooseNotices(db, { by: silent.by("web"), notifyCustomers: false });
  const ids = [await buy(ama, ama.msisdn), await buy(silent), await buy(banned)];
  const failed = await buy(ama);
  await users.ban(db, { by, userId: banned.id });
  for (const to of ["PROCESSING", "DELIVERED", "COMPLETED"] as const) await move(ids, to);
  await move([failed], "FAILED");
  for (const person of [ama, silent, banned])
    expect((await sentBy(person)).filter(({ kind }) => kind === "customer_delivered")).toEqual([]);
});

test("several bundles for one number are one SMS, and an agent's customers get a limited number a day", async () => {
  const ama = await agent("W".repeat(20));
  const max = BUDGETS["sms.customers"].countMax;
  const first = await buy(ama, "233200000000");
  const ids = await Promise.all(times(max + 5, (i) => buy(ama, `2332000${10_000 + i}`)));
  ids.push(first);
  await move([first], "PROCESSING");
  await move([first], "DELIVERED");
  await move(ids.slice(0, -1), "COMPLETED");
  const sent = await sentBy(ama);
  expect(sent).toHaveLength(max);
  for (const { body } of sent) expect(gsm7Length(body!)).toBeLessThanOrEqual(160);
  const again = [await buy(ama, "233207777777"), await buy(ama, "233207777777")];
  await db.execute(sql`delete from rate_limits`);
  await move(again, "COMPLETED");
  expect((await sentBy(ama)).slice(max).map(({ body }) => body)).toEqual([
    `${"W".repeat(20)}: 2 bundles for 0207777777 are delivered. Order ${again[0]} and others. Thank you.`,
  ]);
});

test("a customer who has stopped our SMS gets none, because nobody requested it", async () => {
  const ama = await agent();
  await move([await buy(ama)], "COMPLETED");
  const [sms] = await db.select().from(messages).where(eq(messages.userId, ama.id));
  expect(sms).toMatchObject({ kind: "customer_delivered", carriesCode: false, passesOptOut: false });
});
