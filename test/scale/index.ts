// The `bun run scale-out` command: the shop as many processes behind a proxy and a pooler, restarted under load.
// --quick is a short run, --write keeps the figures in test/bench/RESULTS.md. Needs PgBouncer and HAProxy.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { report, verdicts, withNew } from "../bench/report.ts";
import { missingPrograms } from "./stack.ts";
import { runScaleTrial } from "./trial.ts";

const { values: options } = parseArgs({
  options: { quick: { type: "boolean" }, write: { type: "boolean" } },
});
const progress = (line: string) => void process.stdout.write(`${line}\n`);
const missing = missingPrograms();
if (missing) {
  console.error(missing);
  process.exit(1);
}
const NOTHING_ELSE = {
  purchases: null,
  bulk: null,
  lists: null,
  find: null,
  pages: null,
  rendering: null,
  delivery: null,
  ussd: null,
  requestLog: null,
};
progress("Scale-out");
const pace = options.quick
  ? { servers: 2, workers: 1, clients: 8, drainSeconds: 2, quietSeconds: 2, poolerAwayMs: 500 }
  : { servers: 3, workers: 2, clients: 16, drainSeconds: 4, quietSeconds: 10, poolerAwayMs: 2000 };
const scale = await runScaleTrial(pace, progress);
const figures = { ...NOTHING_ELSE, scale };
const command = ["bun run scale-out", ...process.argv.slice(2)].join(" ");
const text = report(figures, scale.facts, command);
progress(`\n${text}`);
if (options.write) {
  const results = Bun.file(join(import.meta.dir, "../bench/RESULTS.md"));
  await results.write(withNew(await results.text(), text, command));
}
process.exit(verdicts(figures).every(({ holds }) => holds) ? 0 : 1);
