// Shared by all commands: opening the database, printing, and the error for a failed start.
import { type OpenDatabase, openDatabase } from "../../../db/open.ts";
import type { Config } from "../config.ts";

/** Writes a line to standard output. */
export const printLine = (line = "") => process.stdout.write(`${line}\n`);

/** A failed start, with a message for whoever started the process. */
export class StartError extends Error {}

/** Opens and migrates the database. Throws StartError. */
export async function open(config: Config): Promise<OpenDatabase> {
  try {
    const { databaseUrl, ownerUrl, dataDir, databasePool: pool, databasePrepare: prepare } = config;
    return await openDatabase({ databaseUrl, ownerUrl, dataDir, pool, prepare });
  } catch (error) {
    throw new StartError(`Cannot open the database: ${innermost(error)}`);
  }
}

/** The database's own message, without the query that wraps it. */
function innermost(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return error.cause ? innermost(error.cause) : error.message;
}
