// The `bun src/app/main.ts migrate` command, which updates the database schema and exits.
import type { Config } from "../config.ts";
import { open, printLine } from "./opening.ts";

/** Run it once, as the owner of the tables, before several processes start. */
export async function migrate(config: Config): Promise<void> {
  const database = await open(config);
  printLine(`Database  ${database.about}: up to date`);
  await database.close();
}
