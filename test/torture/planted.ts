// Bugs to plant into a copy of the program, to show that a run finds them: each is a line that somebody could have
// written.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TortureOptions } from "./run.ts";

export type Bug = {
  name: string;
  file: string;
  /** The line to replace, which must occur once, and its replacement. */
  right: string;
  wrong: string;
  /** The blows that reveal it; all of them by default. */
  blows?: TortureOptions["blows"];
};

export const BUGS: Bug[] = [
  {
    name: "a key is forgotten between two requests",
    file: "src/api/route.ts",
    right: "path}`, key };",
    wrong: "path}`, key: key + Math.random() };",
  },
  {
    name: "a failed order does not get its money back",
    file: "src/core/orders/transitions.ts",
    right: "await refunds.post(tx, by, refunded);",
    wrong: "await refunds.post(tx, by, refunded.slice(1));",
  },
  {
    name: "no clear answer of a vendor counts as not sent",
    file: "src/core/fulfilment/attempt-states.ts",
    right: '    state: "unknown",\n    to: "PROCESSING",\n    note: `No clear answer',
    wrong: '    state: "failed",\n    goesOn: true,\n    note: `No clear answer',
  },
  {
    name: "a commit is answered for before it is on disk",
    file: "db/connect.ts",
    right: "      ...TIME_LIMITS,",
    wrong: '      ...TIME_LIMITS,\n      synchronous_commit: "off",',
    blows: ["Postgres killed"],
  },
  {
    name: "a purchase does not look at what is held",
    file: "src/core/buying/purchase-statement.ts",
    right: "least(j.balance - j.held, j.day_left)",
    wrong: "least(j.balance, j.day_left)",
  },
  {
    name: "a top-up does not pay what is owed",
    file: "src/core/ledger/posting.ts",
    right: "case when e.credit = 'wallet'\n",
    wrong: "case when e.credit = 'wallet' and e.reason <> 'topup'\n",
  },
  {
    name: "what is out in a batch is refunded by the clock",
    file: "src/core/fulfilment/deadlines.ts",
    right: " = 'desk'\n    or coalesce(",
    wrong: " = 'nobody'\n    or coalesce(",
  },
  {
    name: "the shop answers to any name",
    file: "src/app/server.ts",
    right: "refuseHost(request) ?? traced(",
    wrong: "traced(",
  },
];

const PARTS = ["src", "db", "islands", "public", "patches", "channels", "dev", "package.json", "tsconfig.json"];

/**
 * Copies the project with this bug in it, and `more` of its folders. Throws unless the original line occurs once:
 * otherwise the program has changed.
 */
export async function plant(
  { file, right, wrong, name }: Bug,
  more: readonly string[] = [],
): Promise<{ root: string; remove: () => void }> {
  const here = join(import.meta.dir, "../..");
  const root = mkdtempSync(join(tmpdir(), "planted-"));
  for (const part of [...PARTS, ...more]) cpSync(join(here, part), join(root, part), { recursive: true });
  symlinkSync(join(here, "node_modules"), join(root, "node_modules"));
  const source = await Bun.file(join(root, file)).text();
  if (source.split(right).length !== 2) throw new Error(`"${name}" cannot be planted: ${file} has changed`);
  await Bun.write(
    join(root, file),
    source.replace(right, () => wrong),
  );
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
