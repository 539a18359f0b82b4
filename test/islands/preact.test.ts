// Runs the islands' tests again on Preact, which hydrates them in the browser; elsewhere they run on React, which
// renders them on the server.
import { expect, test } from "bun:test";
import { root } from "../unit/source.ts";

test("the islands behave on Preact as on React", async () => {
  const files = [...new Bun.Glob("test/islands/*.test.tsx").scanSync(root)].map((path) => `./${path}`);
  const preload = "./test/islands/preact.ts";
  const run = Bun.spawn([process.execPath, "test", "--isolate", "--preload", preload, ...files], {
    cwd: root,
    stdout: "ignore",
    stderr: "pipe",
  });
  const report = await new Response(run.stderr).text();
  expect(report).toMatch(/\b\d{2,} pass\n\s*0 fail/);
  expect(await run.exited).toBe(0);
});
