// The column types of the tables.
import { sql } from "drizzle-orm";
import { bigint, timestamp } from "drizzle-orm/pg-core";

export const identity = () => bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity();
export const id = (name = "") => bigint(name, { mode: "number" });
export const pesewas = (name = "") => bigint(name, { mode: "number" });
export const instant = (name = "") => timestamp(name, { withTimezone: true, mode: "date" });
export const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(", "));
