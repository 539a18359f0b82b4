// Running the tests over mutants. The cost per mutant decides whether anybody ever runs them, so a test file runs for
// a mutant only if it reaches it; the likeliest run first, until one fails; and the survivors go through the
// remaining files many at a time, because most survive, and only a failure has to be attributed.
import { join } from "node:path";
import type { Mutant } from "./instrument.ts";

/** A test file's behaviour without a mutant. */
export type Baseline = { passes: boolean; ms: number; reaches: string[] };
export type Verdict = { status: "killed" | "timeout" | "survived" | "unreached"; by?: string };

export type Bench = {
  tree: string;
  concurrency: number;
  /** The time a run may take beyond four times its time without a mutant. */
  slackMs: number;
  /** Environment variables for the tests' processes. */
  environment?: Record<string, string>;
  /** Called with the process of an aborted run, to clean up after it. */
  tidyUp: (pid: number) => Promise<void>;
  progress: (line: string) => void;
};

type Run = { outcome: "pass" | "fail" | "timeout"; ms: number };

/** Runs a test file with these mutants on. */
export async function runFile(
  bench: Bench,
  file: string,
  { mutants = [], reached, limitMs }: { mutants?: string[]; reached?: string; limitMs: number },
): Promise<Run> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, "test", "--bail", `./${file}`], {
    cwd: bench.tree,
    env: {
      ...process.env,
      ...bench.environment,
      MUTANTS: mutants.join(","),
      MUTANTS_REACHED: reached ?? "",
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  running.add(child.pid);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child.pid);
  }, limitMs);
  const code = await child.exited;
  clearTimeout(timer);
  running.delete(child.pid);
  if (code !== 0) {
    endGroup(child.pid);
    await bench.tidyUp(child.pid);
  }
  const outcome = isLate ? "timeout" : code === 0 ? "pass" : "fail";
  return { outcome, ms: performance.now() - startedAt };
}

/** They are separate process groups, which nobody else stops when this process stops. */
const running = new Set<number>();
process.on("exit", () => {
  for (const pid of running) endGroup(pid);
});

/** An aborted test leaves the shops it started running; they are in its process group. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // They have all exited.
  }
}

const BASELINE_LIMIT_MS = 600_000;

/** Runs each file without a mutant, concurrently; `keep` receives each result at once. A failure is repeated once. */
export async function measureBaseline(
  bench: Bench,
  files: string[],
  keep: (file: string, baseline: Baseline) => Promise<void>,
): Promise<void> {
  await concurrently(bench.concurrency, files, async (file) => {
    const reached = join(bench.tree, `.reached-${file.replaceAll("/", "-")}`);
    const attempt = async () => {
      await Bun.write(reached, "");
      return runFile(bench, file, { reached, limitMs: BASELINE_LIMIT_MS });
    };
    let run = await attempt();
    if (run.outcome !== "pass") run = await attempt();
    const reaches = [...new Set((await Bun.file(reached).text()).split(",").filter(Boolean))];
    await Bun.file(reached).delete();
    await keep(file, { passes: run.outcome === "pass", ms: run.ms, reaches });
  });
}

/** Limits on the likeliest files for a single mutant: their number, and their duration without a mutant. */
const ALONE = { files: 6, ms: 30_000 };

/**
 * Determines the fate of each mutant; `keep` receives each at once. `passed` has earlier runs' results about open
 * mutants, and `pass` receives more of them.
 */
export async function judge(
  bench: Bench,
  mutants: Mutant[],
  baselines: Map<string, Baseline>,
  known: {
    passed: Map<string, Set<string>>;
    keep: (mutant: Mutant, verdict: Verdict) => Promise<void>;
    pass: (file: string, mutants: string[]) => Promise<void>;
  },
): Promise<void> {
  const filesOf = reachingFiles(baselines);
  const kills = new Map<string, number>();
  const open = new Map<string, Mutant>();
  const passed = (mutant: Mutant) => known.passed.get(mutant.id) ?? new Set<string>();
  const notePass = async (file: string, ids: string[]) => {
    for (const id of ids) known.passed.set(id, new Set(known.passed.get(id)).add(file));
    await known.pass(file, ids);
  };
  const noteKill = async (mutant: Mutant, file: string, status: "killed" | "timeout") => {
    const key = `${mutant.file} ${file}`;
    kills.set(key, (kills.get(key) ?? 0) + 1);
    open.delete(mutant.id);
    await known.keep(mutant, { status, by: file });
  };
  const likeliestFirst = (mutant: Mutant) => {
    const score = (file: string) =>
      (kills.get(`${mutant.file} ${file}`) ?? 0) * 4 +
      likeness(mutant.file, file) * 2 -
      baselines.get(file)!.ms / 10_000;
    return (filesOf.get(mutant.id) ?? []).toSorted((a, b) => score(b) - score(a));
  };
  const limitMs = (file: string) => bench.slackMs + baselines.get(file)!.ms * 4;

  await concurrently(bench.concurrency, mutants, async (mutant) => {
    const files = likeliestFirst(mutant);
    if (files.length === 0) return known.keep(mutant, { status: "unreached" });
    open.set(mutant.id, mutant);
    let spentMs = 0;
    for (const file of files.slice(0, ALONE.files)) {
      if (passed(mutant).has(file)) continue;
      spentMs += baselines.get(file)!.ms;
      if (spentMs > ALONE.ms && file !== files[0]) break;
      const { outcome } = await runFile(bench, file, { mutants: [mutant.id], limitMs: limitMs(file) });
      if (outcome === "pass") await notePass(file, [mutant.id]);
      else return noteKill(mutant, file, outcome === "fail" ? "killed" : "timeout");
    }
  });

  bench.progress(`  ${open.size} are left for the remaining files together`);
  const judgeTogether = async (file: string, group: Mutant[]): Promise<void> => {
    const alive = group.filter(({ id }) => open.has(id));
    if (alive.length === 0) return;
    const ids = alive.map(({ id }) => id);
    const { outcome } = await runFile(bench, file, { mutants: ids, limitMs: limitMs(file) });
    if (outcome === "pass") return notePass(file, ids);
    if (alive.length === 1) return noteKill(alive[0]!, file, outcome === "fail" ? "killed" : "timeout");
    const middle = Math.ceil(alive.length / 2);
    await judgeTogether(file, alive.slice(0, middle));
    await judgeTogether(file, alive.slice(middle));
  };
  const byCost = [...baselines.keys()].sort((a, b) => baselines.get(a)!.ms - baselines.get(b)!.ms);
  await concurrently(bench.concurrency, byCost, async (file) => {
    const reaches = new Set(baselines.get(file)!.reaches);
    const left = [...open.values()].filter((one) => reaches.has(one.id) && !passed(one).has(file));
    for (const group of apart(left)) await judgeTogether(file, group);
  });
  for (const mutant of open.values()) await known.keep(mutant, { status: "survived" });
}

function reachingFiles(baselines: Map<string, Baseline>): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const [file, { passes, reaches }] of baselines) {
    if (!passes) continue;
    for (const id of reaches) {
      const known = files.get(id);
      if (known) known.push(file);
      else files.set(id, [file]);
    }
  }
  return files;
}

/**
 * A test file that shares a word with a source file's name was likely written for it: 1 for a whole word, less for a
 * part.
 */
function likeness(source: string, test: string): number {
  const partsOf = (path: string) => path.split("/").at(-1)!.split(".")[0]!.split("-");
  const shares = partsOf(source).flatMap((own) => partsOf(test).map((other) => sharedStart(own, other) / own.length));
  return Math.max(...shares);
}

/** The number of initial letters that two words share; a few mean nothing. */
function sharedStart(own: string, other: string): number {
  let shared = 0;
  while (shared < own.length && own[shared] === other[shared]) shared++;
  return shared >= 4 ? shared : 0;
}

/** The distance at which one is unlikely to keep the other from being reached. */
const LINES_APART = 40;
const TOGETHER_MAX = 64;

/** Groups of mutants that do not interfere: one may be in a block that another empties. */
export function apart(mutants: Mutant[]): Mutant[][] {
  const groups: Mutant[][] = [];
  const isFree = (group: Mutant[], { file, line }: Mutant) =>
    group.length < TOGETHER_MAX &&
    group.every((other) => other.file !== file || Math.abs(other.line - line) >= LINES_APART);
  for (const mutant of mutants) {
    const group = groups.find((one) => isFree(one, mutant));
    if (group) group.push(mutant);
    else groups.push([mutant]);
  }
  return groups;
}

async function concurrently<T>(concurrency: number, items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}
