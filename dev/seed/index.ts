// `bun run seed`: seeds an empty database with the demonstration shop; `--orders 1000000` makes it a big one. Like
// src/app/main.ts it assembles the parts, so it may use the core.
import { parseArgs } from "node:util";
import type { Db } from "../../db/connect.ts";
import { openDatabase } from "../../db/open.ts";
import { readConfig } from "../../src/app/config.ts";
import { cardSafeOf, jwtSecretOf } from "../../src/app/default-secrets.ts";
import { paystackFileIn } from "../../src/app/simulators.ts";
import { pinKey } from "../../src/core/identity/phones/pins.ts";
import { seedBig } from "./big.ts";
import { seedDemo } from "./demo.ts";

const { values } = parseArgs({ options: { orders: { type: "string" } } });
const count = Number(values.orders ?? 0);
const config = readConfig(process.env);
if (config.mode === "production") fail("The demonstration shop has no place in production.");
if (!Number.isSafeInteger(count) || count < 0) fail(`--orders takes a whole number, not ${values.orders}.`);

const write = (text: string) => process.stdout.write(text);
const database = await openDatabase(config);
await database.asOwner(fill);
await database.close();

/** Runs as the owner, because it changes timestamps with the ledger's guards disabled. */
async function fill(db: Db): Promise<void> {
  const isNew = await seedDemo(db, {
    cards: cardSafeOf(config),
    pinKeys: { key: pinKey(jwtSecretOf(config)) },
    paystackFile: config.paystack ? null : paystackFileIn(config.dataDir),
  });
  write(isNew ? "The demonstration shop is ready.\n" : "This database already has accounts; they stay as they are.\n");
  if (count === 0) return;
  const startedAt = performance.now();
  await seedBig(db, count, (done) => write(progress(done, count, performance.now() - startedAt)));
  write("\n");
}

/** A progress line that overwrites itself: ████░░░░ 250,000 of 1,000,000, 30,000 a second, 25 s to go. */
function progress(done: number, all: number, elapsedMs: number): string {
  const perSecond = (done / elapsedMs) * 1000;
  const filled = Math.round((done / all) * 20);
  const bar = "█".repeat(filled) + "░".repeat(20 - filled);
  const left = `${Math.ceil((all - done) / perSecond)} s to go`;
  const [count, total, rate] = [done, all, Math.round(perSecond)].map((figure) => figure.toLocaleString("en"));
  return `\r${bar} ${count} of ${total}, ${rate} a second, ${left}   `;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
