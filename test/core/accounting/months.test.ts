// The accountant's files and closed months: each event is in the month in which it happened, once, and a closed month
// stays as it is whatever happens later.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { sweep } from "../../../src/app/sweeps.ts";
import { MONTH_FILES, type MonthFile, sumsOf, walletsFile } from "../../../src/core/accounting/files.ts";
import * as months from "../../../src/core/accounting/months.ts";
import * as buy from "../../../src/core/buying/buy.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { count, refusal } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const bundle = await world.product("MTN", "1GB", "3.90");
let number = 233541000000;

const purchase = async () => {
  const line = { productId: bundle.id, msisdn: String(number++), quantity: 1 };
  return (await buy.buy(db, { by: ama.by(), key: null, line })).answer.order;
};
/**
 * Moves all transfers so far some months back, to the middle of the month: on its first day they would be within the
 * minutes that a month waits for. The days of orders stay as the daily totals know them.
 */
async function monthsPass(count: number): Promise<void> {
  const past = sql.raw(`date_trunc('month', created_at) - interval '${count} months' + interval '14 days'`);
  await db.execute(sql`alter table transfers disable trigger transfers_append_only`);
  await db.execute(sql`update transfers set created_at = ${past}`);
  await db.execute(sql`alter table transfers enable trigger transfers_append_only`);
  await db.execute(sql`update users set created_at = ${past}`);
}
/** Takes the number of a transfer that is committed later. */
async function takeNumber(): Promise<number> {
  const [row] = await db.execute<{ id: number }>(sql`
    select nextval(pg_get_serial_sequence('transfers', 'id'))::int as id`);
  return row!.id;
}
/** Posts GH₵ 5.00 to somebody, dated a second before a moment, as a transaction does that began then. */
async function postBefore(moment: Date, { id: userId }: Person, number: number): Promise<void> {
  const at = new Date(moment.getTime() - 1_000).toISOString();
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into adjustments (user_id, amount_pesewas, reason, by_user_id)
      values (${userId}, 500, 'late', ${yaw.id})`);
    await tx.execute(sql`
      insert into transfers (id, user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas,
        by_user_id, created_at) overriding system value
      select ${number}, ${userId}, 'adjustments', 'wallet', 500, 'adjustment', max(id), 500, ${yaw.id},
        ${at}::timestamptz from adjustments`);
    await tx.execute(sql`
      update wallets set balance_pesewas = balance_pesewas + 500, version = version + 1 where user_id = ${userId}`);
  });
}
const text = async (month: string, file: MonthFile) => {
  let all = "";
  for await (const piece of months.read(db, month, file)) all += piece;
  return all;
};
const monthAgo = (count: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
};

const sold = await purchase();
const other = await purchase();
await monthsPass(2);
const late = await takeNumber();
await statusChanges.move(db, {
  ...{ by: yaw.by("admin"), key: null, ids: [sold.id] },
  ...{ to: "FAILED", reason: "Not delivered" },
} as Parameters<typeof statusChanges.move>[1]);
await monthsPass(1);
const today = await purchase();
const [SALE, REFUND, NOW] = [monthAgo(3), monthAgo(1), monthAgo(0)];

describe("the files of a month", () => {
  test("have a sale in the month of its payment, and a refund in the month of the refund", async () => {
    const sales = async (month: string) =>
      (await text(month, "sales"))
        .trim()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(","))
        .map((cells) => [cells[2], Number(cells[3]), cells[14]]);
    expect(await sales(SALE)).toEqual([
      ["Sale", sold.id, "3.90"],
      ["Sale", other.id, "3.90"],
    ]);
    expect(await sales(REFUND)).toEqual([["Refund", sold.id, "-3.90"]]);
    expect(await sales(NOW)).toEqual([["Sale", today.id, "3.90"]]);
  });

  test("have every transfer in one month, and their sums are those of the ledger", async () => {
    const lines: string[] = [];
    let [salesPesewas, transfers] = [0, 0];
    for (const { month } of await months.list(db)) {
      lines.push(...(await text(month, "ledger")).trim().split("\r\n").slice(1));
      const sums = await sumsOf(db, months.spanOf(month));
      salesPesewas += sums.salesPesewas;
      transfers += sums.transfers;
    }
    const [all] = await db.execute<{ count: number; sales: number }>(sql`
      select count(*)::int as count, sum(amount_pesewas) filter (where reason = 'charge')::int as sales
      from transfers`);
    expect([new Set(lines).size, lines.length, transfers]).toEqual([all!.count, all!.count, all!.count]);
    expect(salesPesewas).toBe(all!.sales);
  });

  test("each have titles, also without a row", async () => {
    for (const name of Object.keys(MONTH_FILES) as MonthFile[])
      expect([name, (await text(monthAgo(2), name)).split("\r\n")[0]!.split(",").length > 3]).toEqual([name, true]);
  });

  test("show wallets as they stood on a day", async () => {
    const on = async (moment: Date) => {
      let all = "";
      for await (const piece of walletsFile(db, moment)) all += piece;
      return all
        .split("\r\n")
        .find((line) => line.includes(",ama,"))!
        .split(",")
        .at(-1);
    };
    const before = months.spanOf(monthAgo(1)).from;
    expect([await on(before), await on(new Date())]).toEqual(["92.20", "92.20"]);
    expect(await on(months.spanOf(NOW).from)).toBe("96.10");
  });
});

describe("closing a month", () => {
  /** When the month before can be closed, also in the first minutes of this one. */
  const now = new Date(months.spanOf(NOW).from.getTime() + 15 * 60_000);
  const close = (month: string, by = yaw.by()) => months.close(db, { by, month, now });
  const stateOf = async (month: string) => (await months.list(db)).find((one) => one.month === month)!.state;

  test("is refused before it is over, before the months before it, and to who has no right", async () => {
    expect((await refusal(close(NOW))).code).toBe("month.not_over");
    expect((await refusal(close("2019-01"))).code).toBe("month.not_over");
    expect((await refusal(close(REFUND))).code).toBe("month.earlier_open");
    for (const roles of [["MANAGER"], ["DESK"], ["USER"]] as const)
      expect((await refusal(close(SALE, { ...yaw.by(), roles }))).code).toBe("auth.forbidden");
  });

  test("keeps its files as they are, whatever happens later", async () => {
    await close(SALE, { ...yaw.by(), roles: ["ACCOUNTS"] });
    await close(SALE);
    expect(await stateOf(SALE)).toBe("closing");
    expect([await months.closeDue(db), await months.closeDue(db), await stateOf(SALE)]).toEqual([1, 0, "closed"]);
    const files = Object.keys(MONTH_FILES) as MonthFile[];
    const kept = await Promise.all(files.map((file) => text(SALE, file)));
    await db.execute(sql`update users set username = 'renamed' where id = ${ama.id}`);
    await db.execute(sql`update orders set cost_pesewas = 77 where id = ${other.id}`);
    expect(await Promise.all(files.map((file) => text(SALE, file)))).toEqual(kept);
    await db.execute(sql`update users set username = 'ama' where id = ${ama.id}`);
  });

  test("cannot be undone or changed, not by the database's own commands", async () => {
    for (const change of [
      "update month_file_parts set bytes = ''",
      "delete from month_file_parts",
      "update accounting_months set closed_at = null, sums = null",
      `insert into month_file_parts (month, file, part, bytes) values ('${SALE}', 'sales', 99, '')`,
    ])
      await expect((async () => db.execute(sql.raw(change)))()).rejects.toThrow();
  });

  test("waits for what began before midnight", async () => {
    const month = monthAgo(2);
    const at = (minutes: number) => new Date(months.spanOf(month).until.getTime() + minutes * 60_000);
    const closeAt = (now: Date) => months.close(db, { by: yaw.by(), month, now });
    expect((await refusal(closeAt(at(-1)))).message).toBe("This month is not over yet");
    const refused = await refusal(closeAt(at(14)));
    expect([refused.code, refused.message]).toEqual([
      "month.not_over",
      "What began before midnight may still be under way. Close this month from 00:15 on.",
    ]);
    expect(await stateOf(month)).toBe("open");
    await closeAt(at(15));
    expect(await stateOf(month)).toBe("closing");
  });

  test("is no part of the sweep, where promises, disputes and freezes would wait for its files", async () => {
    await sweep(db);
    expect(await stateOf(monthAgo(2))).toBe("closing");
  });

  test("keeps nothing while its files are not the books", async () => {
    const number = await takeNumber();
    // So much later than its number allows that the files miss it.
    await postBefore(months.spanOf(monthAgo(1)).from, await world.person("esi"), number);
    await expect(months.closeDue(db)).rejects.toThrow("are not the books");
    expect(await stateOf(monthAgo(2))).toBe("closing");
    expect(await count(db, sql`from month_file_parts where month = ${monthAgo(2)}`)).toBe(0);
    await db.execute(sql`alter table transfers disable trigger transfers_append_only`);
    await db.execute(sql`update transfers set created_at = now() where id = ${number}`);
    await db.execute(sql`alter table transfers enable trigger transfers_append_only`);
  });

  test("by two workers at once is done once", async () => {
    const done = await Promise.all([1, 2, 3].map(() => months.closeDue(db)));
    expect(done.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  test("leaves what is committed later to the next month, in its files and its sums, once", async () => {
    const [closed, next] = [monthAgo(2), monthAgo(1)];
    const kept = await text(closed, "ledger");
    // Begun before midnight, and committed long after the month was closed.
    await postBefore(months.spanOf(next).from, await world.person("kofi"), late);
    const has = async (month: string) =>
      (await text(month, "ledger")).split("\r\n").filter((row) => row.startsWith(`${late},`)).length;
    expect([await text(closed, "ledger"), await has(closed), await has(next)]).toEqual([kept, 0, 1]);
    await close(next);
    await months.closeDue(db);
    expect([await has(next), await has(NOW), await stateOf(next)]).toEqual([1, 0, "closed"]);
    const inAll: number[] = [];
    for (const { month } of await months.list(db))
      inAll.push((await text(month, "ledger")).trim().split("\r\n").length - 1);
    expect(inAll.reduce((sum, rows) => sum + rows, 0)).toBe(await count(db, sql`from transfers`));
  });
});
