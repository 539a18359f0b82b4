// The `bun run test` command in its three sizes: `quick` is for use while working, `long` kills processes and takes
// minutes, and without a name it runs everything but the long ones. Each ends with a list of the ten slowest files.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Tests that kill processes or torture the shop: they take minutes of time and processor. */
const LONG = [
  "test/torture",
  "test/api/crash.test.ts",
  "test/api/delivery-crash.test.ts",
  "test/api/payment-crash.test.ts",
];
const QUICK = ["test/unit", "test/core"];

const root = join(import.meta.dir, "..");
const timings = join(root, ".data/test/timings.json");
const size = process.argv[2] ?? "all";
if (!["all", "quick", "long"].includes(size)) {
  console.error("bun test/run.ts [quick|long]");
  process.exit(1);
}

mkdirSync(join(root, ".data/test"), { recursive: true });
const before = await measured();
const tests = Bun.spawn(
  [process.execPath, "test", "--parallel=2", `--timings=${timings}`, "--update-timings", ...which()],
  {
    cwd: root,
    stdio: ["inherit", "inherit", "inherit"],
  },
);
const code = await tests.exited;
await listSlowest();
process.exit(code);

function which(): string[] {
  if (size === "long") return LONG;
  const left = LONG.map((path) => `--path-ignore-patterns=${path.endsWith(".ts") ? path : `${path}/**`}`);
  return size === "quick" ? [...left, ...QUICK] : left;
}

type Timings = Record<string, number>;

async function measured(): Promise<Timings> {
  const file = Bun.file(timings);
  return (await file.exists()) ? ((await file.json()) as { files: Timings }).files : {};
}

/** Lists the slowest files of this run, which are those with a new time. */
async function listSlowest(): Promise<void> {
  const now = await measured();
  const slowest = Object.entries(now)
    .filter(([path, ms]) => before[path] !== ms)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10);
  process.stdout.write("\nThe slowest files:\n");
  for (const [path, ms] of slowest)
    process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${path}\n`);
}
