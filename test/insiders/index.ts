// The `bun run insiders` command: a whole staff acts at random over every route and form of the desk, and none of them
// moves money round the second person or round a role. --acts 100000, --seed n repeats a run's random choices; --write
// keeps the figures in test/bench/RESULTS.md. --processes share the acts, each with shops of its own. --planted runs it
// on programs with a bug each, and fails if one is not found; --bug selects by part of its name. --entries lists what
// was never done.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withNew } from "../bench/report.ts";
import "../support/cheap-passwords.ts";
import { freshDatabase } from "../support/database.ts";
import { plant } from "../torture/planted.ts";
import { STAFF_ENTRIES } from "./entries.ts";
import { BUGS } from "./planted.ts";
import { reportOf } from "./report.ts";
import { addResult, type InsiderResult, noResult, runInsiders } from "./run.ts";

const { values } = parseArgs({
  options: {
    acts: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    violations: { type: "string", default: "10" },
    planted: { type: "boolean", default: false },
    bug: { type: "string", default: "" },
    entries: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    processes: { type: "string", default: "2" },
    /** Of a process that shares a run: the file for its result. */
    part: { type: "string", default: "" },
  },
});
/** Seeds of one process are apart from those of the next, which count up by the shop. */
const SEEDS_APART = 100_000;
const progress = (line: string) => void process.stdout.write(`${line}\n`);
const options = {
  ...{ seed: Number(values.seed), acts: Number(values.acts), violationsMax: Number(values.violations) },
  progress,
};
if (!(options.acts > 0) || Number.isNaN(options.seed)) {
  console.error("--acts and --seed take numbers");
  process.exit(1);
}
process.exit((await (values.part ? runPart() : values.planted ? findPlanted() : run())) ? 0 : 1);

async function run(): Promise<boolean> {
  progress(`${options.acts} acts, seed ${options.seed}`);
  const processes = Number(values.processes);
  const result = await (processes > 1 ? shared(processes) : runInsiders(options));
  const report = reportOf(result, options);
  progress(report);
  for (const { rule, detail, acts } of result.violations)
    progress(`VIOLATION: ${rule}: ${detail}\n${acts.map((act) => `    ${act}`).join("\n")}`);
  for (const fault of result.faults.slice(0, 10)) progress(`FAULT: ${fault}`);
  if (values.entries) listUndone(result);
  if (values.write) {
    const results = Bun.file(join(import.meta.dir, "../bench/RESULTS.md"));
    const command = ["bun run insiders", ...process.argv.slice(2)].join(" ");
    await results.write(withNew(await results.text(), report, command));
  }
  return result.violations.length === 0 && result.faults.length === 0;
}

/** The acts shared among processes: a shop's own leave a core idle while the database works. */
async function shared(processes: number): Promise<InsiderResult> {
  const server = await freshDatabase();
  const folder = mkdtempSync(join(tmpdir(), "insiders-"));
  const startedAt = performance.now();
  try {
    const parts = await Promise.all(
      Array.from({ length: processes }, async (_, n) => {
        const file = join(folder, `${n}.json`);
        const acts = Math.floor((options.acts + n) / processes);
        const own = ["--acts", `${acts}`, "--seed", `${options.seed + n * SEEDS_APART}`, "--part", file];
        const command = [process.execPath, import.meta.path, ...own, "--violations", values.violations];
        const env = { ...process.env, TEST_DATABASE_URL: server.url };
        await Bun.spawn(command, { env, stdio: ["ignore", "inherit", "inherit"] }).exited;
        return partIn(file);
      }),
    );
    const result = noResult();
    for (const part of parts) addResult(result, part);
    return { ...result, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    rmSync(folder, { recursive: true });
    await server.drop();
  }
}

async function runPart(): Promise<boolean> {
  const result = await runInsiders(options);
  await Bun.write(values.part, JSON.stringify({ ...result, entries: [...result.entries] }));
  return true;
}

async function partIn(file: string): Promise<InsiderResult> {
  const { entries, ...part } = (await Bun.file(file).json()) as InsiderResult & { entries: [] };
  return { ...part, entries: new Map(entries) };
}

function listUndone({ entries }: InsiderResult): void {
  for (const { name } of STAFF_ENTRIES) {
    const { tried = 0, done = 0, refused = 0 } = entries.get(name) ?? {};
    if (done === 0) progress(`never done: ${name}, of ${tried} tries ${refused} without the right`);
  }
}

/** Each bug in turn, in a process of its own, as it is in a copy of the program. */
async function findPlanted(): Promise<boolean> {
  const server = await freshDatabase();
  let areAllFound = true;
  for (const bug of BUGS.filter(({ name }) => name.includes(values.bug))) {
    const { root, remove } = await plant(bug, ["test", "docs", "bunfig.toml"]);
    try {
      const command = ["test/insiders/index.ts", "--acts", values.acts, "--seed", values.seed];
      const child = Bun.spawn([process.execPath, ...command, "--violations", "1"], {
        ...{ cwd: root, env: { ...process.env, TEST_DATABASE_URL: server.url }, stderr: "inherit" },
      });
      const found = (await new Response(child.stdout).text()).match(/^VIOLATION: .*$/gm) ?? [];
      progress(`${bug.name}: ${found.length === 0 ? "NOT FOUND" : "found"}`);
      for (const line of found.slice(0, 2)) progress(`  ${line.slice(0, 300)}`);
      areAllFound &&= found.length > 0;
    } finally {
      remove();
    }
  }
  await server.drop();
  return areAllFound;
}
