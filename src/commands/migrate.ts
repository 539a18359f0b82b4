// `bun src/main.ts migrate`: brings the database up to date and ends.
import type { Config } from "../config.ts";
import { open, printLine } from "./opening.ts";

/** For a start of many processes: done once, by the owner of the tables, before they start. */
export async function migrate(config: Config): Promise<void> {
  const database = await open(config);
  printLine(`Database  ${database.about}: up to date`);
  await database.close();
}
