// `bun src/main.ts audit` checks the books and says what it found; `repair-sums` makes the dashboards' sums again.
import type { Config } from "../config.ts";
import * as auditRuns from "../core/ledger/audit-runs.ts";
import * as sumsRepair from "../core/orders/daily-totals-repair.ts";
import { open, printLine } from "./opening.ts";

export async function audit(config: Config): Promise<void> {
  const database = await open(config);
  const { ok, findings, checked } = await auditRuns.runNow(database.db);
  for (const { rule, subject, detail } of findings) printLine(`${rule}: ${subject}: ${detail}`);
  printLine(`${ok ? "The books balance" : "The books do NOT balance"}: ${JSON.stringify(checked)}`);
  await database.close();
  process.exit(ok ? 0 : 1);
}

/** For sums that the audit has found wrong. The orders themselves, which they are made from, are not touched. */
export async function repairSums(config: Config): Promise<void> {
  const database = await open(config);
  const { userDays, shopDays, statuses } = await sumsRepair.repair(database.db);
  printLine(
    `Made again: ${userDays} days of accounts, ${shopDays} days of the shop and ${statuses} counts by status were wrong.`,
  );
  await database.close();
}
