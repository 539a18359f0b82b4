// The column types of the tables.
import { sql } from "drizzle-orm";
import { bigint, jsonb, smallint, timestamp } from "drizzle-orm/pg-core";

export const identity = () => bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity();
export const id = (name = "") => bigint(name, { mode: "number" });
export const pesewas = (name = "") => bigint(name, { mode: "number" });
export const instant = (name = "") => timestamp(name, { withTimezone: true, mode: "date" });
/** Of a code that anybody may ask for: guesses in browsers that asked, and how many each browser and network made. */
export const guesses = () => ({
  askerTries: smallint().notNull().default(0),
  triesBy: jsonb().$type<Record<string, number>>().notNull().default({}),
});
export const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(", "));
