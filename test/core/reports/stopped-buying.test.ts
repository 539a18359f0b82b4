// Tests of the agents who stopped buying: regular buyers alone, quiet for a week, most orders first.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { addDays, today } from "../../../src/core/reports/sales-history.ts";
import * as stoppedBuying from "../../../src/core/reports/stopped-buying.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;

/** Whom the list names, and with what, when agents bought these orders on those days. */
async function listed(bought: [person: Person, orders: number, daysAgo: number[]][]) {
  const isOver = new Error("over");
  let found: stoppedBuying.StoppedBuying[] = [];
  const trial = db.transaction(async (tx) => {
    for (const [{ id }, orders, daysAgo] of bought)
      for (const days of daysAgo)
        await tx.execute(sql`
          insert into profit_agent_days (day, user_id, operator, orders, amount_pesewas, cost_pesewas,
                                         uncosted_orders, uncosted_pesewas)
          values (${addDays(today(), -days)}, ${id}, 'MTN', ${orders}, ${orders * 390}, 0, 0, 0)`);
    found = await stoppedBuying.list(tx, 10);
    throw isOver;
  });
  await trial.catch((error) => {
    if (error !== isOver) throw error;
  });
  return found.map(({ username, lastDay, orders }) => [username, lastDay, orders]);
}

test("names who bought on four days in four weeks, and on none of the last seven", async () => {
  const [ama, kofi, esi, yaa, abena, banned] = await Promise.all([
    ...["ama", "kofi", "esi", "yaa", "abena", "banned"].map((name) => world.person(name)),
  ]);
  await db.execute(sql`update users set status = 'BANNED' where id = ${banned!.id}`);
  const ago = (days: number) => addDays(today(), -days);
  expect(
    await listed([
      [ama!, 1, [7, 14, 21, 28]],
      [kofi!, 5, [9, 10, 11, 34]],
      // Not regular, bought within the week, too long ago, and may not buy.
      [esi!, 50, [8, 9, 10]],
      [yaa!, 3, [6, 14, 21, 28]],
      [abena!, 9, [34, 35, 36, 37]],
      [banned!, 9, [8, 9, 10, 11]],
    ]),
  ).toEqual([
    ["kofi", ago(9), 20],
    ["ama", ago(7), 4],
  ]);
});
