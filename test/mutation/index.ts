// The `bun run mutation` command: it changes the core and the shared code in one small way after another, and checks
// whether a test notices. --sample 600 takes that many at random (--seed 1 chooses them), --all takes all. --files
// src/core/purchase takes only those in such files, --tests test/core runs only such tests. --lanes 2 sets the
// concurrency, --write keeps the figures in test/bench/RESULTS.md. An interrupted run resumes, unless the project has
// changed.
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import postgres from "postgres";
import { startEmbedded } from "../../db/embedded-server.ts";
import { mutationSection, withNew } from "../bench/report.ts";
import { serverDir } from "../support/database.ts";
import { figuresOf, listOf } from "./figures.ts";
import { instrument, type Mutant } from "./instrument.ts";
import { type Baseline, type Bench, judge, measureBaseline, type Verdict } from "./run.ts";

const { values: options } = parseArgs({
  options: {
    sample: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
    all: { type: "boolean" },
    files: { type: "string", default: "" },
    tests: { type: "string", default: "" },
    lanes: { type: "string", default: String(Math.min(2, availableParallelism())) },
    write: { type: "boolean" },
  },
});
const ROOT = join(import.meta.dir, "../..");
const STATE = join(ROOT, ".data/mutation");
const TREE = join(STATE, "tree");
const RESULTS = join(ROOT, "test/bench/RESULTS.md");
/** Left out: tests that kill servers and processes or need a browser, which reveal little here and take long. */
const LEFT_OUT = /^test\/(?:browser|bench|mutation|simulators)\/|crash|outage|embedded/;
const progress = (line: string) => void process.stdout.write(`${line}\n`);

// The tests that ran are part of the result.
const VERDICTS = join(STATE, `verdicts-${options.tests.replaceAll(/\W+/g, "-")}.jsonl`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
// So that a run in several parts reports its total time.
process.on("exit", () => appendFileSync(VERDICTS, `${JSON.stringify({ minutes: minutesNow() })}\n`));
const startedAt = performance.now();
const minutesNow = () => (performance.now() - startedAt) / 60_000;
let minutesBefore = 0;
const testFiles = found("test/**/*.test.{ts,tsx}").filter(
  (file) => !LEFT_OUT.test(file) && new RegExp(options.tests).test(file),
);
const mutants = await prepare();
const server = await startEmbedded({ dir: serverDir(TREE), durable: false, database: "postgres" });
const sql = postgres(server.url, { max: 1, onnotice: () => {} });
const bench: Bench = {
  tree: TREE,
  concurrency: Number(options.lanes),
  slackMs: 20_000,
  tidyUp: dropLeftOver,
  progress,
};
try {
  const baselines = await baselinesOf(testFiles);
  const sample = drawn(mutants);
  progress(`${sample.length} of ${mutants.length} mutants, ${baselines.size} test files`);
  const verdicts = await verdictsOn(sample, baselines);
  const left = testFiles.filter((file) => !baselines.has(file));
  const minutes = minutesBefore + minutesNow();
  const figures = figuresOf({ sample, verdicts, all: mutants.length, left, minutes, seed: options.seed });
  const section = mutationSection(figures).join("\n");
  await Bun.write(join(STATE, "report.md"), `${section}\n\n${listOf(sample, verdicts)}`);
  await Bun.write(
    join(STATE, "report.json"),
    JSON.stringify(
      sample.map((mutant) => ({ ...mutant, ...verdicts.get(mutant.id) })),
      null,
      2,
    ),
  );
  progress(`${section}\n\nEach survivor is in .data/mutation/report.md`);
  if (options.write) {
    const args = process.argv.slice(2).map((word) => ` ${word}`);
    const kept = await Bun.file(RESULTS).text();
    await Bun.write(RESULTS, withNew(kept, section, `bun run mutation${args.join("")}`));
  }
} finally {
  await sql.end({ timeout: 5 });
  await server.stop();
}
process.exit(0);

/** The instrumented copy: made again when anything in the project has changed, and the results with it. */
async function prepare(): Promise<Mutant[]> {
  const digest = createHash("sha256");
  for (const file of found("{src,db,islands,public,test,patches}/**/*").concat("package.json", "bun.lock"))
    if (!file.endsWith("RESULTS.md")) digest.update(file).update(await Bun.file(join(ROOT, file)).bytes());
  const state = digest.digest("hex");
  const known = Bun.file(join(STATE, "mutants.json"));
  const kept = (await known.exists()) ? await known.json() : null;
  if (kept?.state === state) return kept.mutants;
  progress("Instrumenting");
  await mkdir(STATE, { recursive: true });
  for (const name of new Glob("*.{json,jsonl}").scanSync({ cwd: STATE })) await rm(join(STATE, name));
  const made = await instrument(ROOT, TREE, found("src/{core,shared}/**/*.ts"));
  await Bun.write(join(STATE, "mutants.json"), JSON.stringify({ state, mutants: made }));
  return made;
}

/** The files that pass without a mutant: those that inspect the source do not. */
async function baselinesOf(files: string[]): Promise<Map<string, Baseline>> {
  const path = join(STATE, "baseline.jsonl");
  const known = new Map(
    (await linesOf<{ file: string; baseline: Baseline }>(path)).map(({ file, baseline }) => [file, baseline]),
  );
  const unknown = files.filter((file) => !known.has(file));
  if (unknown.length > 0) progress(`Running ${unknown.length} test files without a mutant`);
  await measureBaseline(bench, unknown, async (file, baseline) => {
    known.set(file, baseline);
    await appendFile(path, `${JSON.stringify({ file, baseline })}\n`);
    progress(`  ${file}: ${baseline.passes ? "passes" : "FAILS"} in ${Math.round(baseline.ms / 100) / 10} s`);
  });
  return new Map([...known].filter(([file, { passes }]) => passes && files.includes(file)));
}

type Line = { id: string; verdict: Verdict } | { file: string; passed: string[] } | { minutes: number };

async function verdictsOn(sample: Mutant[], baselines: Map<string, Baseline>): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const passed = new Map<string, Set<string>>();
  for (const line of await linesOf<Line>(VERDICTS)) {
    if ("minutes" in line) minutesBefore += line.minutes;
    else if ("id" in line) verdicts.set(line.id, line.verdict);
    else for (const id of line.passed) passed.set(id, new Set(passed.get(id)).add(line.file));
  }
  const note = (line: Line) => appendFile(VERDICTS, `${JSON.stringify(line)}\n`);
  const unknown = sample.filter(({ id }) => !verdicts.has(id));
  let done = 0;
  await judge(bench, unknown, baselines, {
    passed,
    keep: async ({ id, file, line }, verdict) => {
      verdicts.set(id, verdict);
      await note({ id, verdict });
      done += 1;
      progress(
        `  ${done} of ${unknown.length} after ${Math.round(minutesNow())} min: ${file}:${line} ${verdict.status}`,
      );
    },
    pass: (file, ids) => note({ file, passed: ids }),
  });
  return verdicts;
}

/** A random sample, the same for the same seed and project (https://en.wikipedia.org/wiki/Fisher–Yates_shuffle). */
function drawn(all: Mutant[]): Mutant[] {
  const wanted = all.filter(({ file }) => new RegExp(options.files).test(file));
  if (options.all) return wanted;
  const chance = (n: number) => createHash("sha256").update(`${options.seed} ${n}`).digest().readUInt32BE() / 2 ** 32;
  for (let i = wanted.length - 1; i > 0; i--) {
    const j = Math.floor(chance(i) * (i + 1));
    [wanted[i], wanted[j]] = [wanted[j]!, wanted[i]!];
  }
  return wanted.slice(0, Number(options.sample));
}

function found(pattern: string): string[] {
  return [...new Glob(pattern).scanSync({ cwd: ROOT, onlyFiles: true })].sort();
}

async function linesOf<T>(path: string): Promise<T[]> {
  const file = Bun.file(path);
  if (!(await file.exists())) return [];
  // After a power cut the last line may be incomplete.
  return (await file.text())
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** An aborted test drops no databases. Their names contain the process that created them. */
async function dropLeftOver(pid: number): Promise<void> {
  const left = await sql<{ name: string }[]>`
    select datname as name from pg_database where datname like ${`test\\_${pid}\\_%`}`;
  for (const { name } of left) await sql.unsafe(`drop database if exists ${name} with (force)`);
}
