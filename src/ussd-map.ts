// `bun run ussd-map`: writes the map of the conversation by USSD to docs/ussd.md.
import { join } from "node:path";
import { map } from "../channels/ussd/map.ts";

await Bun.write(join(import.meta.dir, "../docs/ussd.md"), map());
