// The `bun run ussd-map` command, which writes the map of the USSD conversation to docs/ussd.md.
import { join } from "node:path";
import { map } from "../channels/ussd/map.ts";

await Bun.write(join(import.meta.dir, "../docs/ussd.md"), map());
