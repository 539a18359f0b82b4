// The entry point. `bun start` opens or starts the database, migrates it, seeds a fresh demonstration shop, then runs
// the server and the worker. The other commands (`bun src/app/main.ts audit`) are in app/commands.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/open.ts";
import * as afaRotation from "../core/afa/card-rotation.ts";
import type { CardSafe } from "../core/afa/card-safe.ts";
import * as products from "../core/catalog/products.ts";
import * as firstOwner from "../core/identity/first-owner.ts";
import { codeKey } from "../core/identity/logins/codes.ts";
import * as secondFactor from "../core/identity/logins/second-factor.ts";
import * as securityEvents from "../core/identity/logins/security-events.ts";
import { type PinKeys, pinKeysOf } from "../core/identity/phones/pins.ts";
import * as users from "../core/identity/users.ts";
import type { SetUp } from "../core/overview/setup.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import * as operatorRegistry from "../core/platform/operator-registry.ts";
import * as providerKeys from "../core/platform/provider-keys.ts";
import { spacedMsisdn } from "../shared/phones/msisdn.ts";
import { createLog } from "../telemetry/log.ts";
import { createMetricsEndpoint } from "../telemetry/metrics-endpoint.ts";
import { afterRestore } from "./commands/after-restore.ts";
import { audit, repairSums } from "./commands/audit.ts";
import { migrate } from "./commands/migrate.ts";
import { open, printLine, StartError } from "./commands/opening.ts";
import { pushKeys } from "./commands/push-keys.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { cardSafeOf, jwtSecretOf } from "./default-secrets.ts";
import { returnPeaks } from "./memory.ts";
import { configWithStored, providerSetupOf } from "./provider-setup.ts";
import { openProviders } from "./providers.ts";
import { renewOnChange } from "./renewing.ts";
import { SANDBOX_GREETING, sandboxOf, UNTIL_STDIN_ENDS } from "./sandbox.ts";
import { openShop } from "./shop.ts";
import { claimDatabase } from "./shop-mode.ts";
import { paystackFileIn } from "./simulators.ts";

const STOP_TIMEOUT_MS = 10_000;

const NO_TIME_LIMITS = [
  "Database  NO TIME LIMITS: a pooler dropped them, so a statement could run forever. Start once with the owner in",
  "          MIGRATION_DATABASE_URL, which sets them on the shop's user; see docs/operations.md.",
];

const NOT_RESTRICTED = [
  "Database  THE ROLE IS NOT RESTRICTED: a bug in the shop could change the ledger or drop a table.",
  "          Give the shop its own user in DATABASE_URL and the owner in MIGRATION_DATABASE_URL; see .env.example.",
];

const COMMANDS: Record<string, (config: Config) => Promise<void>> = {
  start,
  audit,
  migrate,
  "after-restore": afterRestore,
  "repair-sums": repairSums,
  "push-keys": pushKeys,
};

try {
  const config = readConfig(process.env);
  await (COMMANDS[process.argv[2] ?? "start"] ?? start)(config);
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function start(given: Config): Promise<void> {
  const log = createLog(given.logLevel);
  securityEvents.listen((event) => log.info(event, "proof of identity"));
  // Modules are loaded only where needed, so that a restart, above all after a crash, costs little processor time.
  const endTracing = given.tracesUrl
    ? await (await import("../telemetry/tracing.ts")).startTracing(given.tracesUrl)
    : null;
  const database = await open(given);
  const jwtSecret = jwtSecretOf(given);
  const cards = cardSafeOf(given);
  await prepare(database, given, { cards, jwtSecret });
  const providerSetup =
    given.shopMode === "live" ? providerSetupOf(process.env, jwtSecret, given.previousJwtSecret) : null;
  const config = providerSetup ? await configWithStored(database.db, providerSetup.keys, log) : given;
  const providers = await openProviders(config, log, jwtSecret);
  // Before the first request and the first job, so that a signal never cuts one off.
  const signals = awaitSignals(config);
  const sandbox = sandboxOf(config, database.db, jwtSecret);
  const shop = await openShop({ database, cards, log, jwtSecret, providerSetup, providers, sandbox, signals }, config);
  const metrics = config.metricsPort === null ? null : listenForMetrics(database.db, config);
  const endRenewing = providerSetup
    ? await renewOnChange(
        database.db,
        async () => shop.renew(await configWithStored(database.db, providerSetup.keys, log)),
        log,
      )
    : null;
  returnPeaks();
  await printGreeting(config, database, shop.server, providers.about);
  if (shop.server) sandbox?.begin();
  if (shop.server) await printLacks(database.db, shop.setUp(), jwtSecret);
  signals.setEnd(async () => {
    await endRenewing?.();
    await shop.stop();
    await sandbox?.stop();
    await metrics?.stop(true);
    await endTracing?.();
    await providers.stop();
    await database.close();
  });
}

/** Brings an open database to where the shop can run on it: checked, encrypted under the newest keys, and filled. */
async function prepare(
  database: OpenDatabase,
  config: Config,
  { cards, jwtSecret }: { cards: CardSafe; jwtSecret: string },
): Promise<void> {
  const { db } = database;
  const { previousJwtSecret } = config;
  await claimDatabase(db, config.shopMode);
  await checkDatabase(db, config);
  await operatorRegistry.renew(db);
  await checkCards(db, cards);
  await secondFactor.reseal(db, secondFactor.factorKeysOf(jwtSecret, previousJwtSecret));
  await providerKeys.reseal(db, providerKeys.keysOf(jwtSecret, previousJwtSecret));
  await populate(database, config, { cards, pinKeys: pinKeysOf(jwtSecret) });
}

/**
 * Prints the code by which whoever reads it becomes the first owner, and what else the shop lacks, once Paystack has
 * answered or cannot; the start waits for the first alone.
 */
async function printLacks(db: Db, setUp: SetUp & { gateway: PaymentGateway }, jwtSecret: string): Promise<void> {
  // A sandbox prints into the output of its shop, and needs neither contacts nor payments.
  if (setUp.keyMode !== "live") return;
  if (await firstOwner.isOwnerless(db)) {
    printLine("Owner     Nobody owns this shop yet. Open it in a browser, and enter this code:");
    printLine(`          ${firstOwner.codeOf({ key: codeKey(jwtSecret) })}`);
  }
  void printMissing(db, setUp);
}

async function printMissing(db: Db, setUp: SetUp & { gateway: PaymentGateway }): Promise<void> {
  await setUp.gateway.balance();
  const { missing } = await import("../core/overview/setup.ts");
  // A shop that is stopped meanwhile has closed its database.
  const found = await missing(db, setUp).catch(() => []);
  for (const { name, effect } of found) printLine(`Missing   ${name}. ${effect}`);
}

/**
 * Ends the process on a signal or, where asked for, with whoever started it; once it has started, because what is still
 * starting needs what the end closes.
 */
function awaitSignals({ drainMs }: Config) {
  let isDraining = false;
  const started = Promise.withResolvers<() => Promise<void>>();
  const stop = async () => {
    if (isDraining) return;
    isDraining = true;
    setTimeout(() => process.exit(1), drainMs + STOP_TIMEOUT_MS).unref();
    const end = await started.promise;
    await end();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (process.argv.includes(UNTIL_STDIN_ENDS)) process.stdin.on("end", stop).resume();
  return { isDraining: () => isDraining, setEnd: started.resolve };
}

/** A database that may lose acknowledged commits, or holds the demonstration shop, must not handle real money. */
async function checkDatabase(db: Db, config: Config): Promise<void> {
  const [row] = await db.execute<{ demonstration: boolean; fsync: string; synchronous_commit: string }>(sql`
    select (select demonstration from shop_facts) as demonstration, current_setting('fsync') as fsync,
           current_setting('synchronous_commit') as synchronous_commit`);
  if (config.mode !== "production") return;
  if (row!.demonstration) throw new StartError("This database holds the demonstration shop. Use an empty database.");
  if (row!.fsync === "off" || row!.synchronous_commit === "off") {
    throw new StartError("The database has fsync or synchronous_commit off: acknowledged orders could be lost.");
  }
}

/** With another key, registered cards would not be recognized, and could not be sent to MTN. */
async function checkCards(db: Db, cards: CardSafe): Promise<void> {
  const count = await afaRotation.unreadable(db, cards);
  if (count > 0) {
    throw new StartError(
      `${count} Ghana Card numbers are encrypted with another key. ` +
        "Set CARD_KEY to it, or CARD_PREVIOUS_KEY while you replace it.",
    );
  }
  await afaRotation.reseal(db, cards);
}

async function populate(
  { db, asOwner }: OpenDatabase,
  config: Config,
  seedKeys: { cards: CardSafe; pinKeys: PinKeys },
): Promise<void> {
  if (config.shopMode === "test") await (await import("../../dev/seed/sandbox.ts")).seedSandbox(db);
  if (config.demo) {
    const { seedDemo } = await import("../../dev/seed/demo.ts");
    const paystackFile = config.paystack ? null : paystackFileIn(config.dataDir);
    await asOwner((owner) => seedDemo(owner, { ...seedKeys, log: printLine, paystackFile }));
  }
  await products.ensureAfa(db);
  if (config.admin) await users.ensureAdmin(db, config.admin);
}

/** Serves the metrics and the health check of a separate worker. */
function listenForMetrics(db: Db, { host, metricsPort, metricsAccess }: Config): Bun.Server<undefined> {
  const answer = createMetricsEndpoint(db, metricsAccess, (request) => server.requestIP(request)?.address ?? "");
  const server = Bun.serve({
    hostname: host,
    port: metricsPort!,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/healthz") return Response.json({ ok: true });
      const isMetrics = pathname === "/metrics";
      return (isMetrics && (await answer(request))) || new Response("Not found", { status: 404 });
    },
  });
  return server;
}

async function printGreeting(
  config: Config,
  database: OpenDatabase,
  server: { port: number } | null,
  providerNotes: string[],
): Promise<void> {
  printLine(`Database  ${database.about}`);
  if (!database.isRestricted) for (const line of NOT_RESTRICTED) printLine(line);
  if (!database.isLimited) for (const line of NO_TIME_LIMITS) printLine(line);
  for (const line of providerNotes) printLine(line);
  if (!server) {
    printLine("DataFie's worker is running   (Ctrl-C stops it)");
    return;
  }
  const address = config.baseUrl ?? `http://localhost:${server.port}`;
  const [facts] = await database.db.execute<{ demonstration: boolean }>(sql`select demonstration from shop_facts`);
  if (facts!.demonstration) {
    const { DEMO_PEOPLE } = await import("../../dev/seed/demo-people.ts");
    printLine("\nLog in as");
    for (const { role, email, password, about } of DEMO_PEOPLE) {
      printLine(`  ${role.padEnd(8)} ${email.padEnd(20)} ${password.padEnd(22)} ${about}`);
    }
    for (const { username, phone } of DEMO_PEOPLE)
      if (phone) printLine(`  ${username}'s phone is ${spacedMsisdn(phone.msisdn)}, its PIN ${phone.pin}`);
  }
  if (config.shopMode === "test") {
    const name = config.host === "0.0.0.0" ? "localhost" : config.host;
    printLine(`${SANDBOX_GREETING} http://${name}:${server.port}`);
    return;
  }
  printLine(`\nDataFie is running at ${address}   (Ctrl-C stops it)`);
}
