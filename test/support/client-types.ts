// The types of the client, made where nobody has made them yet: tests import the client, which imports them.
import { existsSync } from "node:fs";
import { join } from "node:path";

if (!existsSync(join(import.meta.dir, "../../clients/typescript/src/schema.ts")))
  await import("../../clients/typescript/types.ts");
