// The commands `bun src/app/main.ts audit`, which checks the books and prints its findings, and `repair-sums`, which
// recalculates the dashboards' totals.

import * as auditRuns from "../../core/ledger/audit-runs.ts";
import * as sumsRepair from "../../core/reports/daily-totals-repair.ts";
import type { Config } from "../config.ts";
import { open, printLine } from "./opening.ts";

/** Exits with 0 if the books balance, otherwise with 1. */
export async function audit(config: Config): Promise<void> {
  const database = await open(config);
  const { ok, findings, checked } = await auditRuns.runNow(database.db);
  for (const { rule, subject, detail } of findings) printLine(`${rule}: ${subject}: ${detail}`);
  printLine(`${ok ? "The books balance" : "The books do NOT balance"}: ${JSON.stringify(checked)}`);
  await database.close();
  process.exit(ok ? 0 : 1);
}

/** For totals that the audit found wrong. The orders themselves, from which they are calculated, stay untouched. */
export async function repairSums(config: Config): Promise<void> {
  const database = await open(config);
  const { userDays, shopDays, statuses, keyDays } = await sumsRepair.repair(database.db);
  printLine(
    `Corrected: ${userDays} daily totals of accounts, ${shopDays} of the shop, ${keyDays} of API keys and ` +
      `${statuses} counts by status.`,
  );
  await database.close();
}
