// The `bun run client` command: writes src/schema.ts anew, and the published form into dist.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { generateSchema } from "./generate.ts";

const here = import.meta.dir;
await Bun.write(join(here, "src/schema.ts"), await generateSchema());
await rm(join(here, "dist"), { recursive: true, force: true });
const compiler = Bun.spawn([process.execPath, "x", "tsc", "-p", here], {
  cwd: here,
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await compiler.exited);
