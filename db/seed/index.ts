// `bun run seed`: fills an empty database with the demonstration shop. `--orders 1000000` makes it a big shop, too.
// Like src/main.ts it puts the parts together, so it may use the core.
import { parseArgs } from "node:util";
import { readConfig } from "../../src/config.ts";
import { pinKey } from "../../src/core/identity/pins.ts";
import { cardSafeOf, jwtSecretOf } from "../../src/demo-secrets.ts";
import type { Db } from "../connect.ts";
import { openDatabase } from "../open.ts";
import { seedBig } from "./big.ts";
import { seedDemo } from "./demo.ts";

const { values } = parseArgs({ options: { orders: { type: "string" } } });
const count = Number(values.orders ?? 0);
const config = readConfig(process.env);
if (config.mode === "production") fail("The demonstration shop has no place in production.");
if (!Number.isSafeInteger(count) || count < 0) fail(`--orders takes a whole number, not ${values.orders}.`);

const say = (words: string) => process.stdout.write(words);
const database = await openDatabase(config);
await database.asOwner(fill);
await database.close();

/** The owner fills it: moments are moved, and the ledger's guards stand aside for that. */
async function fill(db: Db): Promise<void> {
  const isNew = await seedDemo(db, {
    cards: cardSafeOf(config),
    pinKeys: { key: pinKey(jwtSecretOf(config)) },
  });
  say(
    isNew
      ? "The demonstration shop is ready.\n"
      : "There are people in this database already; they stay as they are.\n",
  );
  if (count === 0) return;
  const startedAt = performance.now();
  await seedBig(db, count, (done) => say(progress(done, count, performance.now() - startedAt)));
  say("\n");
}

/** One line that is written over itself: ████░░░░ 250,000 of 1,000,000, 30,000 a second, 25 s to go. */
function progress(done: number, all: number, elapsedMs: number): string {
  const perSecond = (done / elapsedMs) * 1000;
  const filled = Math.round((done / all) * 20);
  const bar = "█".repeat(filled) + "░".repeat(20 - filled);
  const left = `${Math.ceil((all - done) / perSecond)} s to go`;
  return `\r${bar} ${done.toLocaleString("en")} of ${all.toLocaleString("en")}, ${Math.round(perSecond).toLocaleString("en")} a second, ${left}   `;
}

function fail(words: string): never {
  console.error(words);
  process.exit(1);
}
