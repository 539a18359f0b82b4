// Periodic work of the shop's own money: drafts of statements, deposits that the statement does not show.
import type { Db } from "../../db/connect.ts";
import * as statementMatching from "../core/payments/deposits/statement-matching.ts";
import * as statements from "../core/payments/deposits/statements.ts";

/** Parts of the worker's sweep. */
export const MONEY_SWEEPS: Record<string, (db: Db) => Promise<unknown>> = {
  "drafts of statements": statements.forgetDrafts,
  "deposits not found": notifyAll,
};

async function notifyAll(db: Db): Promise<void> {
  while ((await statementMatching.notifyNotFound(db)) > 0);
}
