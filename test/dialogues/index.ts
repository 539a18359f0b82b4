// The `bun run dialogues` command: random dialogues by USSD through each gateway, judged by what their screens showed.
// --requests 100000 by each gateway, --gateway nalo for one alone, --seed n repeats a run's random choices; --write
// keeps the figures in test/bench/RESULTS.md. --planted runs it on programs with a bug each, and fails if one is not
// found; --bug selects by part of its name.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { withNew } from "../bench/report.ts";
import { plant } from "../torture/planted.ts";
import { BUGS } from "./planted.ts";
import { reportOf } from "./report.ts";
import { type DialogueOptions, runDialogues } from "./run.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    gateway: { type: "string", default: "all" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    planted: { type: "boolean", default: false },
    bug: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});
const progress = (line: string) => void process.stdout.write(`${line}\n`);
const known = Object.keys(USSD_GATEWAYS) as UssdGatewayName[];
const gateways = known.filter((name) => values.gateway === "all" || values.gateway === name);
const options: DialogueOptions = {
  seed: Number(values.seed),
  requests: Number(values.requests),
  gateways,
  progress,
};
if (gateways.length === 0 || !(options.requests > 0) || Number.isNaN(options.seed)) {
  console.error(`--requests and --seed take numbers, --gateway all, ${known.join(", ")}`);
  process.exit(1);
}
process.exit((await (values.planted ? findPlanted() : run())) ? 0 : 1);

async function run(): Promise<boolean> {
  progress(`${options.requests} requests by ${gateways.join(", ")}, seed ${values.seed}`);
  const result = await runDialogues(options);
  const report = reportOf(result, options);
  progress(`\n${report}`);
  for (const { rule, detail, dialogue } of result.violations.slice(0, 10))
    progress(
      `VIOLATION: ${rule}: ${detail}\n${dialogue.map((line) => `    ${line.replaceAll("\n", " | ")}\n`).join("")}`,
    );
  if (values.write) {
    const results = Bun.file(join(import.meta.dir, "../bench/RESULTS.md"));
    const command = ["bun run dialogues", ...process.argv.slice(2)].join(" ");
    await results.write(withNew(await results.text(), report, command));
  }
  return result.violations.length === 0;
}

/** Each bug in turn. */
async function findPlanted(): Promise<boolean> {
  let areAllFound = true;
  for (const bug of BUGS.filter(({ name }) => name.includes(values.bug))) {
    const { root, remove } = await plant(bug);
    try {
      const { violations } = await runDialogues({ ...options, root });
      const rules = Object.entries(Object.groupBy(violations, ({ rule }) => rule));
      progress(`${bug.name}: ${violations.length === 0 ? "NOT FOUND" : "found"}`);
      for (const [rule, all] of rules) progress(`  ${all!.length} times: ${rule} (${all![0]!.detail.slice(0, 150)})`);
      areAllFound &&= violations.length > 0;
    } finally {
      remove();
    }
  }
  return areAllFound;
}
