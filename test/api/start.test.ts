// Test of a start's processor time: after a crash the shop must be ready within seconds, even on a busy machine.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../db/embedded-server.ts";
import { TEST_CARD_KEY, TEST_JWT_SECRET } from "../support/world.ts";

/** A start's limit, as a multiple of the time to load its packages; it was 8 when each start built the islands. */
const TIMES_MAX = 6;
const RUNS = 6;
const PACKAGES = ["drizzle-orm/postgres-js", "elysia", "pino", "postgres", "prom-client", "react-dom/server", "zod"];
const root = join(import.meta.dir, "../..");

test("a start in production takes little more processor time than loading its packages", async () => {
  const dir = mkdtempSync(join(tmpdir(), "start-"));
  const database = await startEmbedded({ dir: join(dir, "postgres") });
  try {
    const load = `for (const name of ${JSON.stringify(PACKAGES)}) await import(Bun.resolveSync(name, "${root}"))`;
    // The first start migrates and builds.
    await startOnce(database.url);
    const ratios: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      // One right after the other: what else the machine does slows both down.
      const [start, loading] = [await startOnce(database.url), await processorMsOf(["-e", load])];
      process.stdout.write(`start.test.ts: ${start} ms of processor time, ${loading} for the packages alone\n`);
      ratios.push(start / loading);
    }
    expect(Math.min(...ratios)).toBeLessThan(TIMES_MAX);
  } finally {
    await database.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});

/** From the command to "running", when its port answers, as server and worker in one; then it is killed. */
async function startOnce(url: string): Promise<number> {
  const child = Bun.spawn([process.execPath, join(root, "src/app/main.ts")], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: "0",
      DATABASE_URL: url,
      JWT_SECRET: TEST_JWT_SECRET,
      CARD_KEY: TEST_CARD_KEY,
      BASE_URL: "https://shop.example",
      PAYSTACK_BASE_URL: "http://127.0.0.1:1",
      PAYSTACK_SECRET_KEY: "sk_live_nobody_answers",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    if (output.includes("DataFie is running")) break;
  }
  expect(output).toContain("DataFie is running");
  return endedMs(child);
}

async function processorMsOf(args: string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await child.exited).toBe(0);
  return endedMs(child);
}

async function endedMs(child: Bun.Subprocess): Promise<number> {
  child.kill("SIGKILL");
  await child.exited;
  return Math.round(Number(child.resourceUsage()!.cpuTime.total) / 1000);
}
