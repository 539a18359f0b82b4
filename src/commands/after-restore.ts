// `bun src/main.ts after-restore`: makes a database from a backup safe to work with.
import type { Config } from "../config.ts";
import * as restoration from "../core/fulfilment/restore.ts";
import { open, printLine, StartError } from "./opening.ts";

/** To be run before anything else works with a database that was brought back from a backup. */
export async function afterRestore(config: Config): Promise<void> {
  const database = await open(config);
  const done = await database.asOwner(restoration.secure).catch((error) => {
    throw new StartError(error instanceof Error ? error.message : String(error));
  });
  await database.close();
  printLine(
    `Orders up to ${done.throughOrderId} are known. New ones have numbers that were never given out.`,
  );
  printLine(
    `Vendors   ${done.vendors} paused; ${done.attempts} hand-overs are asked about before anything is sent.`,
  );
  printLine(`Sessions  ${done.sessions} ended; everybody logs in again.`);
  printLine(
    "What to compare before the vendors are taken up again stands in docs/operations.md, After a restore.",
  );
}
