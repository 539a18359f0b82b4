// The `bun run client-types` command: writes src/schema.ts, which is not kept but made from the routes. Whoever reads it
// at the same time reads the old one or the new one whole.
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { generateSchema } from "./generate.ts";

const schema = join(import.meta.dir, "src/schema.ts");
const draft = `${schema}.${process.pid}`;
await Bun.write(draft, await generateSchema());
await rename(draft, schema);
