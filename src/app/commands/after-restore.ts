// The `bun src/app/main.ts after-restore` command, which makes a database restored from a backup safe to use.

import * as restoration from "../../core/fulfilment/restore.ts";
import type { Config } from "../config.ts";
import { open, printLine, StartError } from "./opening.ts";

/** Run it before anything else uses a restored database. Throws StartError. */
export async function afterRestore(config: Config): Promise<void> {
  const database = await open(config);
  const done = await database.asOwner(restoration.secure).catch((error) => {
    throw new StartError(error instanceof Error ? error.message : String(error));
  });
  await database.close();
  printLine(`Orders    known up to ${done.throughOrderId}; new ones get numbers that were never used.`);
  printLine(`Suppliers   ${done.vendors} paused; ${done.attempts} delivery attempts to check before anything is sent.`);
  printLine(`Sessions  ${done.sessions} ended; everybody must log in again.`);
  printLine(`API keys  ${done.keys} ended; their owners get an e-mail, and make new ones.`);
  printLine("Before you resume the suppliers, follow docs/operations.md, After a restore.");
}
