// Audit runs: one at a time, by a worker, over new entries or over everything; their findings are kept.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as ledgerAudit from "../../../src/core/ledger/audit.ts";
import * as auditRuns from "../../../src/core/ledger/audit-runs.ts";
import * as dailyTotals from "../../../src/core/orders/daily-totals.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as sumsRepair from "../../../src/core/reports/daily-totals-repair.ts";
import { count, lineFor, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
const buy = async () => {
  const ask = { by: ama.by(), key: null, line: lineFor(bundle), allowDuplicate: true };
  return (await orders.buy(db, ask)).answer.order.id;
};
/** Makes all rows so far older than any transaction that may still be open. */
const timePasses = () =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const table of ["transfers", "orders", "order_events"])
      await tx.execute(sql.raw(`update ${table} set created_at = created_at - interval '1 hour'`));
  });
const run = async (kind: "full" | "new", on: Db = db) => {
  await auditRuns.request(on, { by, kind });
  return (await auditRuns.runOpen(on))!;
};

beforeEach(async () => {
  await db.execute(sql`delete from audit_runs`);
});

longTest("every request gets the one open run, and two workers carry it out once", async () => {
  const [first, second] = await Promise.all([
    auditRuns.request(db, { by, kind: "full" }),
    auditRuns.request(db, { by, kind: "new" }),
  ]);
  expect(first.open!.id).toBe(second.open!.id);
  const done = await Promise.all(times(3, () => auditRuns.runOpen(db)));
  expect(done.filter(Boolean)).toHaveLength(1);
  const { last, open } = await auditRuns.state(db);
  expect([last!.ok, open]).toEqual([true, null]);
  expect(await auditRuns.runOpen(db)).toBeNull();
});

test("only admins can request a run", async () => {
  await expect(auditRuns.request(db, { by: ama.by(), kind: "full" })).rejects.toMatchObject({
    code: "auth.forbidden",
  });
});

longTest("each night requests one run: a full one first, and six over new entries in a week", async () => {
  for (const kind of ["full", "new"]) {
    await auditRuns.requestNightly(db);
    await auditRuns.requestNightly(db);
    expect(await auditRuns.runOpen(db)).toMatchObject({ ok: true, kind });
    await auditRuns.requestNightly(db);
    expect(await auditRuns.runOpen(db)).toBeNull();
    await db.execute(sql`update audit_runs set requested_at = requested_at - interval '1 day'`);
  }
  await db.execute(sql`update audit_runs set started_at = started_at - interval '8 days'`);
  await auditRuns.requestNightly(db);
  expect(await auditRuns.runOpen(db)).toMatchObject({ kind: "full" });
});

test("the run of a killed worker is repeated by another after its lease, and abandoned after three", async () => {
  await auditRuns.request(db, { by, kind: "full" });
  await db.execute(
    sql`update audit_runs set begun = 1, started_at = now(), lease_until = now() + interval '40 seconds'`,
  );
  expect(await auditRuns.runOpen(db)).toBeNull();
  await db.execute(sql`update audit_runs set begun = 3, lease_until = now() - interval '1 second'`);
  await expect(auditRuns.runOpen(db)).rejects.toThrow("started 3 times");
  expect(await auditRuns.state(db)).toMatchObject({
    last: null,
    open: null,
    error: "started 3 times and never finished",
  });
});

longTest(
  "a run over new entries rereads nothing that the run before has seen, and carries the balances on",
  async () => {
    await buy();
    await timePasses();
    const full = await run("full");
    expect(full).toMatchObject({ kind: "full", ok: true });
    expect(await run("new")).toMatchObject({ kind: "new", ok: true, checked: { transfers: 0, orders: 0 } });
    const id = await buy();
    await statusChanges.moveOne(db, { by, key: null, orderId: id, to: "FAILED" });
    const after = await run("new");
    expect(after).toMatchObject({ ok: true, checked: { transfers: 2, orders: 1 } });
    // The sums are the same whether they are added up again or carried on.
    expect(after.accounts).toEqual((await run("full")).accounts);
  },
);

describe("a fault after the checkpoint is found by a run over new entries, as by a full one", () => {
  let paid: number;
  let failed: number;
  beforeEach(async () => {
    await timePasses();
    expect(await run("full")).toMatchObject({ ok: true });
    paid = await buy();
    failed = await buy();
    await statusChanges.moveOne(db, { by, key: null, orderId: failed, to: "FAILED" });
    expect(await run("new")).toMatchObject({ ok: true });
  });

  const PLANTED: [rule: string, () => SQL][] = [
    [
      "wallet_equals_its_transfers",
      () => sql`update wallets set balance_pesewas = balance_pesewas + 1 where user_id = ${ama.id}`,
    ],
    [
      "balance_after_is_the_running_sum",
      () => sql`update transfers set balance_after_pesewas = balance_after_pesewas + 1
                where reason = 'charge' and subject_id = ${paid}`,
    ],
    ["sales_equals_paid_orders", () => sql`update shop_days set amount_pesewas = amount_pesewas + 390`],
    ["paid_order_has_one_charge", () => sql`delete from transfers where reason = 'charge' and subject_id = ${paid}`],
    [
      "failed_order_has_one_refund",
      () => sql`delete from transfers where reason = 'refund' and subject_id = ${failed}`,
    ],
    ["charge_has_its_order", () => sql`delete from orders where id = ${paid}`],
    [
      "credited_payment_has_its_fee",
      () => sql`insert into payments (user_id, amount_pesewas, reference, state, paid_at, fees_pesewas)
                values (${ama.id}, 2000, 'tp-no-fee', 'paid', now(), 39)`,
    ],
    [
      "credit_has_its_subject",
      () => sql`insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id)
                values (${ama.id}, 'fees', 'paystack', 39, 'payment_fee', 987654321)`,
    ],
    ["adjustment_has_one_transfer", () => sql`update adjustments set amount_pesewas = amount_pesewas + 1`],
    [
      "profit_days_equal_orders",
      () => sql`with opened as (insert into profit_days_stale (day, is_open) values (now()::date, true))
                insert into profit_days values (now()::date - 2, 1, 'MTN', 1, 'datamart', 1, 390, 380, 0, 0)`,
    ],
  ];
  for (const [rule, statement] of PLANTED) {
    longTest(rule, async () => {
      await dailyTotals.foldAll(db);
      const isUndone = new Error("undone");
      await db
        .transaction(async (tx: Tx) => {
          await tx.execute(sql`set local session_replication_role = replica`);
          await tx.execute(statement());
          const found = (await run("new", tx as unknown as Db)).findings;
          expect(found.map((finding) => finding.rule)).toContain(rule);
          throw isUndone;
        })
        .catch((error: unknown) => {
          if (error !== isUndone) throw error;
        });
    });
  }
});

describe("lost totals", () => {
  afterEach(async () => {
    expect((await ledgerAudit.audit(db)).findings).toEqual([]);
  });

  test("are found, with the command that rebuilds them, and are rebuilt from the orders", async () => {
    await buy();
    await db.execute(sql`delete from shop_day_deltas`);
    await db.execute(sql`update user_days set orders = orders + 3`);
    await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', 5)`);
    const { findings } = await ledgerAudit.audit(db);
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(
      new Set(["day_sums_equal_orders", "shop_days_equal_user_days", "status_counts_equal_orders"]),
    );
    for (const { detail } of findings) expect(detail).toEndWith("repair with: bun run repair-sums");
    expect(await sumsRepair.repair(db)).toEqual({ userDays: 1, shopDays: 1, statuses: 1, keyDays: 0 });
    expect(await sumsRepair.repair(db)).toEqual({ userDays: 0, shopDays: 0, statuses: 0, keyDays: 0 });
  });

  test("can be rebuilt while the shop sells", async () => {
    const selling = Promise.all(times(40, buy));
    for (const _ of times(3, () => 0)) await sumsRepair.repair(db);
    await selling;
    expect(await count(db, sql`from orders`)).toBeGreaterThan(40);
  });
});
