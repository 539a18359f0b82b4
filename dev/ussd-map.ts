// The `bun run ussd-map` command, which writes the map of the USSD conversation to docs/ussd.md.
import { join } from "node:path";
import { map } from "../channels/ussd/screens/map.ts";
import { setOperators } from "../src/shared/operators.ts";

// The networks of a fresh shop, as far as screens show them; the map needs no database.
const operators = [
  { code: "MTN", name: "MTN", ussdLabel: "MTN", ussdPosition: 1 },
  { code: "TELECEL", name: "Telecel", ussdLabel: "Telecel", ussdPosition: 2, prefixes: ["20"] },
  { code: "AIRTELTIGO", name: "AirtelTigo", ussdLabel: "AT (AirtelTigo)", ussdPosition: 3 },
];
setOperators(operators.map((named) => ({ aliases: [], prefixes: [], momo: null, families: [], ...named })));

await Bun.write(join(import.meta.dir, "../docs/ussd.md"), map());
