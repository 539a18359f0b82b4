// The command `bun run squash`: writes the migrations of a new database from db/schema. Until the first release only.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";

const folder = join(import.meta.dir, "migrations");
const SCHEMA = join(folder, "0000_schema.sql");
const SNAPSHOT = join(folder, "meta/0000_snapshot.json");
/** In 0000_schema.sql, the end of what is written by hand: what indexes need before they can be created. */
const MARK = "-- From here on it is what drizzle-kit writes.\n";

const head = (await Bun.file(SCHEMA).text()).split(MARK)[0]!;
for (const path of [SCHEMA, join(folder, "meta")]) rmSync(path, { recursive: true, force: true });
await $`bunx drizzle-kit generate --name schema`.quiet();
await Bun.write(SCHEMA, `${head}${MARK}${await Bun.file(SCHEMA).text()}\n`);

// One line for each table.
const { tables, ...rest } = await Bun.file(SNAPSHOT).json();
const lines = Object.entries(tables).map((entry) => entry.map((part) => JSON.stringify(part)).join(":"));
await Bun.write(SNAPSHOT, `${JSON.stringify(rest).slice(0, -1)},"tables":{\n${lines.join(",\n")}\n}}\n`);

// A new time for both, which is what a migration is recognized by: a database of the chain before has neither.
const when = Date.now();
const entries = ["0000_schema", "0001_guards"].map((tag, idx) => ({
  ...{ idx, version: "7", when: when + idx, tag, breakpoints: true },
}));
const journal = { version: "7", dialect: "postgresql", entries };
await Bun.write(join(folder, "meta/_journal.json"), `${JSON.stringify(journal, null, 2)}\n`);
