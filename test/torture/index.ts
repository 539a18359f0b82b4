// The `bun run torture` command: the shop is used by many and broken by all means for minutes, and then compared with
// the answers that people got. --minutes 10, --clients n; --seed n repeats a run's random choices; --write keeps the
// figures in test/bench/RESULTS.md. --planted runs it on programs with a bug each, and fails if one is not found;
// --bug selects by part of its name.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withNew } from "../bench/report.ts";
import { BUGS, plant } from "./planted.ts";
import { reportOf } from "./report.ts";
import { type TortureOptions, torture } from "./run.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    clients: { type: "string", default: "24" },
    planted: { type: "boolean", default: false },
    bug: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});
const progress = (line: string) => void process.stdout.write(`${line}\n`);
const options: TortureOptions = {
  seed: Number(values.seed),
  seconds: Number(values.minutes) * 60,
  clients: Number(values.clients),
  progress,
};
if (Object.values(options).some(Number.isNaN)) {
  console.error("--minutes, --seed and --clients take numbers");
  process.exit(1);
}
process.exit((await (values.planted ? findPlanted() : run())) ? 0 : 1);

async function run(): Promise<boolean> {
  progress(`${values.minutes} minutes, seed ${values.seed}`);
  const result = await torture(options);
  const report = reportOf(result, options);
  progress(`\n${report}`);
  for (const { rule, detail } of result.violations.slice(0, 100)) progress(`VIOLATION: ${rule}: ${detail}`);
  if (values.write) {
    const results = Bun.file(join(import.meta.dir, "../bench/RESULTS.md"));
    const command = `bun run torture${process.argv
      .slice(2)
      .map((word) => ` ${word}`)
      .join("")}`;
    await results.write(withNew(await results.text(), report, command));
  }
  return result.violations.length === 0;
}

/** Each bug in turn. A faulty shop may never come to rest. */
async function findPlanted(): Promise<boolean> {
  let areAllFound = true;
  for (const bug of BUGS.filter(({ name }) => name.includes(values.bug))) {
    const { root, remove } = await plant(bug);
    try {
      const { violations } = await torture({
        ...options,
        root,
        restMs: 90_000,
        ...(bug.blows && { blows: bug.blows }),
      });
      const rules = Object.entries(Object.groupBy(violations, ({ rule }) => rule));
      progress(`${bug.name}: ${violations.length === 0 ? "NOT FOUND" : "found"}`);
      for (const [rule, all] of rules) progress(`  ${all!.length} times: ${rule} (${all![0]!.detail})`);
      areAllFound &&= violations.length > 0;
    } finally {
      remove();
    }
  }
  return areAllFound;
}
