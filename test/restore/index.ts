// The `bun run restore-trial` command: a shop is lost and restored to a point in time, with the consequences at its
// vendors.
import { runRestoreTrial } from "./trial.ts";

const progress = (line: string) => void process.stdout.write(`${line}\n`);
progress("Restore");
const figures = await runRestoreTrial(progress);
for (const [name, value] of Object.entries(figures)) progress(`  ${name}: ${value}`);
const { missing, remembered, sentTwice, auditExit, firstNewOrder, lastOldOrder } = figures;
const holds = missing + remembered + sentTwice + auditExit === 0 && firstNewOrder > lastOldOrder;
progress(holds ? "The restore holds" : "The restore does NOT hold");
process.exit(holds ? 0 : 1);
