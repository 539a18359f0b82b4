// The `bun run client` command: makes the types and the published form, in dist.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import "./types.ts";

const here = import.meta.dir;
await rm(join(here, "dist"), { recursive: true, force: true });
const compiler = Bun.spawn([process.execPath, "x", "tsc", "-p", here], {
  cwd: here,
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await compiler.exited);
