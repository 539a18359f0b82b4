// The entry point. `bun start` opens or starts the database, migrates it, seeds a fresh demonstration shop, then runs
// the server and the worker. The other commands (`bun src/app/main.ts audit`) are in app/commands.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/open.ts";
import * as afaRotation from "../core/afa/card-rotation.ts";
import type { CardSafe } from "../core/afa/card-safe.ts";
import * as products from "../core/catalog/products.ts";
import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import { addressOf as vendorAddressOf } from "../core/fulfilment/vendor-webhooks.ts";
import { enrol } from "../core/fulfilment/vendors.ts";
import * as firstOwner from "../core/identity/first-owner.ts";
import { codeKey } from "../core/identity/logins/codes.ts";
import * as secondFactor from "../core/identity/logins/second-factor.ts";
import * as securityEvents from "../core/identity/logins/security-events.ts";
import { type PinKeys, pinKeysOf } from "../core/identity/phones/pins.ts";
import * as users from "../core/identity/users.ts";
import { gatewaySecretsOf } from "../core/messaging/callbacks.ts";
import type { SetUp } from "../core/overview/setup.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import * as operatorRegistry from "../core/platform/operator-registry.ts";
import * as hooks from "../core/webhooks/endpoints.ts";
import { limits } from "../shared/domain.ts";
import { spacedMsisdn } from "../shared/phones/msisdn.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { createMetricsEndpoint } from "../telemetry/metrics-endpoint.ts";
import type { AppDeps } from "./app-deps.ts";
import { afterRestore } from "./commands/after-restore.ts";
import { audit, repairSums } from "./commands/audit.ts";
import { migrate } from "./commands/migrate.ts";
import { open, printLine, StartError } from "./commands/opening.ts";
import { pushKeys } from "./commands/push-keys.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { cardSafeOf, jwtSecretOf } from "./default-secrets.ts";
import { returnPeaks } from "./memory.ts";
import { openProviders } from "./providers.ts";
import { SANDBOX_GREETING, sandboxOf, UNTIL_STDIN_ENDS } from "./sandbox.ts";
import type { App } from "./server.ts";
import { claimDatabase } from "./shop-mode.ts";

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

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  securityEvents.listen((event) => log.info(event, "proof of identity"));
  // Modules are loaded only where needed, so that a restart, above all after a crash, costs little processor time.
  const endTracing = config.tracesUrl
    ? await (await import("../telemetry/tracing.ts")).startTracing(config.tracesUrl)
    : null;
  const database = await open(config);
  await claimDatabase(database.db, config.shopMode);
  await checkDatabase(database.db, config);
  await operatorRegistry.renew(database.db);
  const cards = cardSafeOf(config);
  await checkCards(database.db, cards);
  const jwtSecret = jwtSecretOf(config);
  await secondFactor.reseal(database.db, secondFactor.factorKeysOf(jwtSecret, config.previousJwtSecret));
  await populate(database, config, { cards, pinKeys: pinKeysOf(jwtSecret) });
  const providers = await openProviders(config, log, jwtSecret);
  const { gateway, vendors, senders } = providers;
  const webhookKeys = hooks.webhookKeysOf(providers.hooks, jwtSecret, config.previousJwtSecret);
  await hooks.reseal(database.db, webhookKeys);
  await enrol(database.db, vendors);
  const channels = { sms: senders.sms !== null, email: senders.email !== null };
  // Before the first request and the first job, so that a signal never cuts one off.
  const signals = awaitSignals(config);
  const sandbox = sandboxOf(config, database.db, jwtSecret);
  const server = config.runServer
    ? await listen(config, {
        database,
        gateway,
        vendors,
        cards,
        log,
        jwtSecret,
        channels,
        hookSender: providers.hooks,
        push: providers.push,
        sandbox: sandbox?.client ?? null,
        otherMode: sandbox?.keys ?? null,
        otherLog: sandbox?.log ?? null,
        vendorClock: providers.vendorClock,
        isDraining: signals.isDraining,
      })
    : null;
  const ownUrl = server && `http://127.0.0.1:${server.port}`;
  if (ownUrl) await providers.sendWebhooksTo(ownUrl, jwtSecret);
  // The address for vendors' webhooks: the public one, or this machine in development.
  const webhookUrlOf = (code: string) => vendorAddressOf(config.baseUrl ?? ownUrl, jwtSecret, code);
  const messaging = { senders, push: providers.push, codeKey: codeKey(jwtSecret) };
  const worker = config.runWorker
    ? (await import("./worker.ts")).startWorker(
        database.db,
        { gateway, vendors, webhookUrlOf, messaging, webhookKeys, sandbox: sandbox?.client ?? null },
        config,
        log,
      )
    : null;
  const metrics = config.metricsPort === null ? null : listenForMetrics(database.db, config);
  returnPeaks();
  await printGreeting(config, database, server, providers.about);
  if (server) sandbox?.begin();
  if (server) await printLacks(database.db, { gateway, vendors, channels, keyMode: config.shopMode }, jwtSecret);
  signals.setEnd(async () => {
    await Promise.all([server && drain(server, config), worker?.stop()]);
    await sandbox?.stop();
    await metrics?.stop(true);
    await endTracing?.();
    await providers.stop();
    await database.close();
  });
}

/**
 * Prints the code by which whoever reads it becomes the first owner, and what else the shop lacks, once Paystack has
 * answered or cannot; the start waits for the first alone.
 */
async function printLacks(db: Db, setUp: SetUp & { gateway: PaymentGateway }, jwtSecret: string): Promise<void> {
  if (setUp.keyMode === "live" && (await firstOwner.isOwnerless(db))) {
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

/**
 * Serves requests until the load balancer has seen `/readyz` fail, each answer being the last on its connection; then
 * stops listening. Stopping at once would lose requests that are already on their way.
 */
async function drain(server: Listening, { drainMs }: Config): Promise<void> {
  await Bun.sleep(drainMs);
  await server.stop();
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
    await asOwner((owner) => seedDemo(owner, { ...seedKeys, log: printLine }));
  }
  await products.ensureAfa(db);
  if (config.admin) await users.ensureAdmin(db, config.admin);
}

type Listening = { port: number; stop: () => Promise<void> };

async function listen(
  config: Config,
  parts: {
    database: OpenDatabase;
    gateway: PaymentGateway;
    vendors: readonly BundleVendor[];
    cards: CardSafe;
    log: Log;
    jwtSecret: string;
    channels: AppDeps["channels"];
    hookSender: AppDeps["hookSender"];
    push: AppDeps["push"];
    sandbox: AppDeps["sandbox"];
    otherLog: AppDeps["otherLog"];
    otherMode: AppDeps["otherMode"];
    vendorClock: AppDeps["vendorClock"];
    isDraining: () => boolean;
  },
): Promise<Listening> {
  const { database, ...rest } = parts;
  const { createApp } = await import("./server.ts");
  const app: App = createApp({
    ...rest,
    db: database.db,
    keyMode: config.shopMode,
    baseUrl: config.baseUrl,
    hosts: config.hosts,
    previousJwtSecret: config.previousJwtSecret,
    callbackSecrets: config.callbackSecrets,
    gatewaySecrets: gatewaySecretsOf(config.gatewaySecrets, config.mode === "production" ? null : rest.jwtSecret),
    trustedProxies: config.trustedProxies,
    requestBudget: config.requestBudget,
    metricsAccess: config.metricsAccess,
    socketAddressOf: (request) => server.requestIP(request)?.address ?? "",
  });
  const server = serve(config, app);
  const { endStreams } = await import("../web/streams.ts");
  const stop = async () => {
    endStreams();
    await server.stop();
    await app.flush();
  };
  return { port: server.port!, stop };
}

function serve(config: Config, app: App): Bun.Server<undefined> {
  try {
    // Each entry point has its own limits; this one only bounds the memory of a request.
    const bounds = { maxRequestBodySize: limits.bulkUploadBytes, idleTimeout: 30 };
    return Bun.serve({ hostname: config.host, port: config.port, fetch: app.fetch, ...bounds });
  } catch (error) {
    if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    throw new StartError(
      `Port ${config.port} is in use, perhaps by another DataFie. ` +
        "Stop it, or choose another port: PORT=3001 bun start",
    );
  }
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
  server: Listening | null,
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
