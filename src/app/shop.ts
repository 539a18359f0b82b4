// A running shop: the server, the worker or both, on the providers of one configuration, and of another once an owner
// has entered keys.
import type { OpenDatabase } from "../../db/open.ts";
import type { CardSafe } from "../core/afa/card-safe.ts";
import { addressOf as vendorAddressOf } from "../core/fulfilment/vendor-webhooks.ts";
import { enrol } from "../core/fulfilment/vendors.ts";
import { codeKey } from "../core/identity/logins/codes.ts";
import { gatewaySecretsOf } from "../core/messaging/callbacks.ts";
import type { SetUp } from "../core/overview/setup.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import type { ProviderSetup } from "../core/platform/provider-keys.ts";
import * as hooks from "../core/webhooks/endpoints.ts";
import { limits } from "../shared/domain.ts";
import type { Log } from "../telemetry/log.ts";
import type { AppDeps } from "./app-deps.ts";
import { StartError } from "./commands/opening.ts";
import type { Config } from "./config.ts";
import type { ProviderProcesses, Providers } from "./providers.ts";
import type { sandboxOf } from "./sandbox.ts";
import type { App } from "./server.ts";

type Parts = {
  database: OpenDatabase;
  cards: CardSafe;
  log: Log;
  jwtSecret: string;
  /** Null in a sandbox, which has none to set up. */
  providerSetup: ProviderSetup | null;
  providers: ProviderProcesses;
  sandbox: ReturnType<typeof sandboxOf>;
  signals: { isDraining: () => boolean };
};

export type Shop = {
  /** Null in a process that is a worker alone. */
  server: Listening | null;
  setUp: () => SetUp & { gateway: PaymentGateway };
  /** Goes on with the providers of another configuration; what is under way ends with those it began with. */
  renew: (config: Config) => Promise<void>;
  stop: () => Promise<void>;
};

/** Opens the shop. Throws StartError when its port is in use. */
export async function openShop(parts: Parts, config: Config): Promise<Shop> {
  const { database, providers, jwtSecret, log, sandbox } = parts;
  const webhookKeys = hooks.webhookKeysOf(providers.hooks, jwtSecret, config.previousJwtSecret);
  await hooks.reseal(database.db, webhookKeys);
  let current = await connect(parts, config);
  const server = config.runServer ? await listen(parts, config, current) : null;
  const ownUrl = server && `http://127.0.0.1:${server.port}`;
  if (ownUrl) await providers.sendWebhooksTo(ownUrl, jwtSecret);
  // The address for vendors' webhooks: the public one, or this machine in development.
  const webhookUrlOf = (code: string) => vendorAddressOf(config.baseUrl ?? ownUrl, jwtSecret, code);
  const work = async (now: Config) => {
    if (!now.runWorker) return null;
    const { gateway, vendors, senders } = current;
    const messaging = { senders, push: providers.push, codeKey: codeKey(jwtSecret) };
    const needed = { gateway, vendors, webhookUrlOf, messaging, webhookKeys, sandbox: sandbox?.client ?? null };
    return (await import("./worker.ts")).startWorker(database.db, needed, now, log);
  };
  let worker = await work(config);
  return {
    server,
    setUp: () => ({ ...current, channels: channelsOf(current), keyMode: config.shopMode }),
    renew: async (now) => {
      current = await connect(parts, now);
      await server?.serve(current);
      await worker?.stop();
      worker = await work(now);
      // What it says of its key, pages show.
      void current.gateway.balance();
      const vendors = current.vendors.map(({ code }) => code);
      log.info({ vendors }, "the shop goes on with the keys that an owner has entered");
    },
    stop: async () => {
      await Promise.all([server && drain(server, config), worker?.stop()]);
    },
  };
}

const channelsOf = ({ senders }: Providers) => ({ sms: senders.sms !== null, email: senders.email !== null });

/** The providers of a configuration, each vendor with its row. */
async function connect({ database, providers }: Parts, config: Config): Promise<Providers> {
  const connected = providers.of(config);
  await enrol(database.db, connected.vendors);
  return connected;
}

type Listening = { port: number; serve: (providers: Providers) => Promise<void>; stop: () => Promise<void> };

async function listen(parts: Parts, config: Config, first: Providers): Promise<Listening> {
  const { createApp } = await import("./server.ts");
  const socketAddressOf = (request: Request) => server.requestIP(request)?.address ?? "";
  const appOf = (providers: Providers) => createApp({ ...depsOf(parts, config, providers), socketAddressOf });
  let app: App = appOf(first);
  const server = serve(config, app);
  const { endStreams } = await import("../web/streams.ts");
  return {
    port: server.port!,
    serve: async (providers) => {
      const before = app;
      app = appOf(providers);
      server.reload({ fetch: app.fetch });
      await before.flush();
    },
    stop: async () => {
      endStreams();
      await server.stop();
      await app.flush();
    },
  };
}

function depsOf(parts: Parts, config: Config, providers: Providers): Omit<AppDeps, "socketAddressOf"> {
  const { database, cards, log, jwtSecret, providerSetup, sandbox, signals } = parts;
  const { gateway, vendors } = providers;
  return {
    ...{ gateway, vendors, cards, log, jwtSecret, providerSetup, channels: channelsOf(providers) },
    db: database.db,
    hookSender: parts.providers.hooks,
    push: parts.providers.push,
    vendorClock: parts.providers.vendorClock,
    sandbox: sandbox?.client ?? null,
    otherMode: sandbox?.keys ?? null,
    otherLog: sandbox?.log ?? null,
    isDraining: signals.isDraining,
    keyMode: config.shopMode,
    baseUrl: config.baseUrl,
    hosts: config.hosts,
    previousJwtSecret: config.previousJwtSecret,
    callbackSecrets: config.callbackSecrets,
    gatewaySecrets: gatewaySecretsOf(config.gatewaySecrets, config.mode === "production" ? null : jwtSecret),
    trustedProxies: config.trustedProxies,
    requestBudget: config.requestBudget,
    metricsAccess: config.metricsAccess,
  };
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

/**
 * Serves requests until the load balancer has seen `/readyz` fail, each answer being the last on its connection; then
 * stops listening. Stopping at once would lose requests that are already on their way.
 */
async function drain(server: Listening, { drainMs }: Config): Promise<void> {
  await Bun.sleep(drainMs);
  await server.stop();
}
