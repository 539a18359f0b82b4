// The accountant's files and closed months: each event is in the month in which it happened, once, and a closed month
// stays as it is whatever happens later.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { MONTH_FILES, type MonthFile, sumsOf, walletsFile } from "../../../src/core/accounting/files.ts";
import * as months from "../../../src/core/accounting/months.ts";
import * as buy from "../../../src/core/orders/buy.ts";
import * as transitions from "../../../src/core/orders/transitions.ts";
import { refusal } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const bundle = await world.product("MTN", "1GB", "3.90");
let number = 233541000000;

const purchase = async () => {
  const line = { productId: bundle.id, msisdn: String(number++), quantity: 1 };
  return (await buy.buy(db, { by: ama.by(), key: null, line })).answer.order;
};
/** Moves all transfers so far some months back; the days of orders stay as the daily totals know them. */
async function monthsPass(count: number): Promise<void> {
  const back = sql.raw(`interval '${count} months'`);
  await db.execute(sql`alter table transfers disable trigger transfers_append_only`);
  await db.execute(sql`update transfers set created_at = created_at - ${back}`);
  await db.execute(sql`alter table transfers enable trigger transfers_append_only`);
  await db.execute(sql`update users set created_at = created_at - ${back}`);
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
await transitions.move(db, {
  ...{ by: yaw.by("admin"), key: null, ids: [sold.id] },
  ...{ to: "FAILED", reason: "Not delivered" },
} as Parameters<typeof transitions.move>[1]);
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
      expect([name, (await text(monthAgo(2), name)).split("\r\n")[0]!.split(",").length > 3]).toEqual([
        name,
        true,
      ]);
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
  const close = (month: string, by = yaw.by()) => months.close(db, { by, month });
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
    expect([await months.closeDue(db), await months.closeDue(db), await stateOf(SALE)]).toEqual([
      1,
      0,
      "closed",
    ]);
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

  test("by two workers at once is done once", async () => {
    await close(monthAgo(2));
    const done = await Promise.all([1, 2, 3].map(() => months.closeDue(db)));
    expect(done.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});
