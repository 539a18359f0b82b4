// The published form of the TypeScript client: it is built, its README's examples compile in strict mode, and the first
// buys in Node and in Bun.
import { afterAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveApp } from "../support/serving.ts";
import { openApp, openWorld } from "../support/world.ts";

const CLIENT = join(import.meta.dir, "../../clients/typescript");
const TSC = join(import.meta.dir, "../../node_modules/typescript/bin/tsc");
const blocks = [...(await Bun.file(join(CLIENT, "README.md")).text()).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, block]) => block!,
);
const world = await openWorld();
const client = openApp(world);
const ama = await world.person("ama", "GH₵ 50.00");
await world.product("MTN", "1GB", "3.90");
const home = await mkdtemp(join(tmpdir(), "datafie-client-"));
afterAll(() => rm(home, { recursive: true }));

async function run(command: string[], env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command, {
    cwd: home,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect([code, errors, code === 0 ? "" : output]).toEqual([0, "", ""]);
  return output;
}

test("is built as modules with types, without a dependency, and its examples compile in strict mode", async () => {
  const target = join(home, "node_modules/datafie");
  await mkdir(target, { recursive: true });
  await run([process.execPath, TSC, "-p", CLIENT, "--outDir", join(target, "dist")]);
  await cp(join(CLIENT, "package.json"), join(target, "package.json"));
  const { dependencies, type, exports } = await Bun.file(join(target, "package.json")).json();
  expect([dependencies, type]).toEqual([undefined, "module"]);
  for (const file of Object.values(exports["."] as Record<string, string>))
    expect(await Bun.file(join(target, file)).exists()).toBe(true);
  // Each continues the first, and has imports of its own.
  await Promise.all(
    blocks.map((block, n) => Bun.write(join(home, `${n}.ts`), n === 0 ? block : `${blocks[0]}${block}`)),
  );
  await Bun.write(
    join(home, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        ...{
          strict: true,
          noEmit: true,
          module: "NodeNext",
          target: "ES2022",
          noUncheckedIndexedAccess: true,
        },
        ...{ lib: ["ES2023", "DOM", "DOM.Iterable"], types: [], skipLibCheck: false },
      },
      files: [...blocks.map((_, n) => `${n}.ts`), "environment.d.ts"],
    }),
  );
  await Bun.write(join(home, "package.json"), '{ "type": "module" }');
  await Bun.write(
    join(home, "environment.d.ts"),
    "declare const process: { env: Record<string, string | undefined> };",
  );
  await run([process.execPath, TSC, "-p", home]);
});

test("buys in five lines, in Bun and in Node, once for the number of a sale", async () => {
  const shop = serveApp(client.app);
  const example = blocks[0]!;
  expect(example.trim().split("\n")).toHaveLength(5);
  await Bun.write(join(home, "buy.js"), new Bun.Transpiler({ loader: "ts" }).transformSync(example));
  const env = { DATAFIE_KEY: await client.tokenOf(ama), DATAFIE_URL: shop.url };
  const node = Bun.which("node");
  if (!node) console.error("Node is not installed here: the published client was run in Bun only.");
  for (const program of [process.execPath, ...(node ? [node] : [])]) {
    const output = await run([program, "buy.js"], env);
    expect(output).toContain("PENDING");
  }
  expect(await world.balanceOf(ama)).toBe(5000 - 390);
  await shop.stop();
});
