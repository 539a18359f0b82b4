// What every command begins with: the database, words for whoever starts it, and why the shop cannot open.
import { type OpenDatabase, openDatabase } from "../../db/open.ts";
import type { Config } from "../config.ts";

export const printLine = (line = "") => process.stdout.write(`${line}\n`);

/** Why the shop cannot open, in words for whoever starts it. */
export class StartError extends Error {}

export async function open(config: Config): Promise<OpenDatabase> {
  try {
    const { databaseUrl, ownerUrl, dataDir, databasePool: pool, databasePrepare: prepare } = config;
    return await openDatabase({ databaseUrl, ownerUrl, dataDir, pool, prepare });
  } catch (error) {
    throw new StartError(`The database cannot be opened: ${innermost(error)}`);
  }
}

/** What the database said, and not the query that is wrapped around it. */
function innermost(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return error.cause ? innermost(error.cause) : error.message;
}
