// The `bun run restore-trial` command: a shop is lost and restored to a point in time, with the consequences at its
// vendors.
import { tryRestore } from "./trial.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);
say("Restore");
const figures = await tryRestore(say);
for (const [name, value] of Object.entries(figures)) say(`  ${name}: ${value}`);
const { missing, remembered, sentTwice, auditExit, firstNewOrder, lastOldOrder } = figures;
const holds = missing + remembered + sentTwice + auditExit === 0 && firstNewOrder > lastOldOrder;
say(holds ? "The restore holds" : "The restore does NOT hold");
process.exit(holds ? 0 : 1);
