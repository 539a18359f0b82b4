// The configuration from the environment. All problems are reported together.
import { z } from "zod";
import type { HookPlan } from "../core/webhooks/dispatch.ts";
import { PUSH_ENVIRONMENT, type VapidKeys, vapidKeysOf } from "../gateways/push.ts";
import { SMS_ENVIRONMENT, SMS_GROUPS, type SmsSettings, smsSettings } from "../gateways/sms.ts";
import { apiAddress } from "../gateways/vendors/call.ts";
import { VENDOR_ENVIRONMENT, type VendorSettings, vendorSettings } from "../gateways/vendors/index.ts";
import { REQUEST_BUDGET, type RequestBudget } from "../http/request-budget.ts";
import type { KeyMode } from "../shared/api-keys.ts";
import type { UssdOnlyGateway } from "../shared/phones/ussd-gateways.ts";
import type { MetricsAccess } from "../telemetry/metrics-endpoint.ts";
import { CALLBACK_ENVIRONMENT, gatewaySecretsIn } from "./callback-tokens.ts";
import { MODE_ENVIRONMENT, modeSettings, NEEDED_IN_PRODUCTION, problemsOfMode } from "./shop-mode.ts";

const flag = z.enum(["true", "false"]).transform((text) => text === "true");
const port = z.coerce.number().int().min(0).max(65_535);
const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);

/** Seconds, separated by commas. */
const secondsList = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, "must be seconds, separated by commas")
  .transform((text) => text.split(",").map(Number));

/** Where the simulators, and a developer's browser, find a shop. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** 32 bytes as base64, of either alphabet, with or without padding. */
const key = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]{43}=?$/, "must be 32 bytes as base64")
  .transform((text) => Buffer.from(text, "base64"));

const Environment = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  ...MODE_ENVIRONMENT,
  HOST: z.string().default("0.0.0.0"),
  PORT: port.default(3000),
  BASE_URL: z.url({ protocol: /^https?$/, error: "must be an address such as https://shop.example" }).optional(),
  /** Further names that the shop answers to, separated by commas; it always answers to BASE_URL's. */
  HOSTS: z
    .string()
    .regex(/^[A-Za-z0-9._[\]:-]+( *, *[A-Za-z0-9._[\]:-]+)*$/, "must be names such as www.shop.example, without a port")
    .optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be an address such as postgres://user@host/name" })
    .optional(),
  /** The owner, who runs migrations, if the shop itself runs as another user. */
  MIGRATION_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be an address such as postgres://owner@host/name" })
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(500).default(16),
  /** False behind a pooler without support for prepared statements. */
  DATABASE_PREPARE: flag.default(true),
  DATA_DIR: z.string().default(".data"),
  JWT_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  /** A second secret that stays valid while the secret is being replaced. */
  JWT_PREVIOUS_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  /** Encrypts Ghana Card numbers; without it a key is derived from JWT_SECRET in production. */
  CARD_KEY: key.optional(),
  /** The previous key: what it encrypted is re-encrypted at the start. */
  CARD_PREVIOUS_KEY: key.optional(),
  ADMIN_EMAIL: z.email("must be an e-mail address").optional(),
  ADMIN_PASSWORD: z.string().min(12, "must have at least 12 characters").optional(),
  /** Addresses of proxies whose X-Forwarded-For is trusted, comma-separated. */
  TRUSTED_PROXIES: z.string().default(""),
  /** An account's budget at each server: the sustained rate, and how many requests may come at once. */
  REQUESTS_PER_SECOND: z.coerce.number().positive().default(REQUEST_BUDGET.perSecond),
  REQUESTS_AT_ONCE: z.coerce.number().int().min(1).default(REQUEST_BUDGET.burst),
  /** How long a stopping server still accepts requests, so that the load balancer can see it leave. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).optional(),
  /** The bearer token for /metrics. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, "must have at least 16 characters, none of them a space")
    .optional(),
  /** A collector for traces (OTLP over HTTP); without it there is no tracing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: apiAddress.optional(),
  /** The port for a separate worker's metrics and health check. */
  METRICS_PORT: port.optional(),
  /** Whether this process serves requests, processes jobs, or both. */
  RUN: z.enum(["server", "worker", "both"]).default("both"),
  PAYSTACK_BASE_URL: z.url().optional(),
  PAYSTACK_SECRET_KEY: z
    .string()
    .regex(/^sk_(test|live)_/, "must be a secret key: sk_test_… or sk_live_…")
    .optional(),
  /** The previous key: its webhook signatures stay valid while the key is being replaced. */
  PAYSTACK_PREVIOUS_SECRET_KEY: z.string().optional(),
  /** SMS gateways: each is used if its keys are set. */
  ...SMS_ENVIRONMENT,
  /** The secrets in the addresses that gateways for SMS and USSD call. */
  ...CALLBACK_ENVIRONMENT,
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an address such as smtps://user:password@mail.example" })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>@"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, "must look like DataFie <shop@example.com>")
    .optional(),
  /** Push messages: off without keys. */
  ...PUSH_ENVIRONMENT,
  /** Whether developers' webhooks may call this machine; refused in production. */
  HOOK_THIS_MACHINE: flag.default(false),
  /** The delays before each retry of a webhook message, about a day in total. */
  HOOK_RETRY_SECONDS: secondsList.default([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]),
  /** A webhook that has accepted nothing for this long is paused. */
  HOOK_PAUSE_SECONDS: seconds(3 * 86_400),
  /** Vendors: each is used if its key is set. */
  ...VENDOR_ENVIRONMENT,
  PAYMENT_POLL_SECONDS: seconds(5),
  RECONCILE_SECONDS: seconds(900),
  WORKER_POLL_SECONDS: seconds(0.5),
  /** How often vendors' balances and records are checked. */
  FLOAT_SECONDS: seconds(60),
});

export type Config = {
  mode: "development" | "production" | "test";
  /** Whether keys here are live ones or for trying out. */
  shopMode: KeyMode;
  /** Null: there is no sandbox, or a demonstration shop starts its own. */
  sandboxUrl: string | null;
  host: string;
  port: number;
  baseUrl: string | null;
  /** Further names that the shop answers to. */
  hosts: string[];
  databaseUrl: string | null;
  /** Null: migrations run as the user of `databaseUrl`. */
  ownerUrl: string | null;
  databasePool: number;
  databasePrepare: boolean;
  dataDir: string;
  /** Null in development without JWT_SECRET: then one is generated and kept in the data folder. */
  jwtSecret: string | null;
  /** Null: no secret is being replaced. */
  previousJwtSecret: string | null;
  /** The key for Ghana Card numbers, and perhaps the previous one; empty without CARD_KEY. */
  cardKeys: Uint8Array[];
  admin: { email: string; password: string } | null;
  trustedProxies: string[];
  requestBudget: RequestBudget;
  drainMs: number;
  logLevel: string;
  /** Without METRICS_TOKEN: this machine in development, and nobody in production. */
  metricsAccess: MetricsAccess;
  metricsPort: number | null;
  /** Null: no tracing. */
  tracesUrl: string | null;
  runServer: boolean;
  runWorker: boolean;
  demo: boolean;
  /** Null without a key: then a simulator takes its place in development, and in production nobody can pay by it. */
  paystack: { baseUrl: string; secretKey: string; previousSecretKey: string | null } | null;
  /** The SMS gateways. Without any, development starts simulators, and production sends no SMS. */
  sms: SmsSettings;
  /** Null likewise. */
  mail: { url: string; from: string } | null;
  /** Null: push messages are off, and nothing about them is offered. */
  push: VapidKeys | null;
  /** For the addresses that Africa's Talking calls, the newest first; empty: one is derived from the JWT secret. */
  callbackSecrets: string[];
  /** Likewise, of the other gateways for USSD; empty: the gateway is not used in production. */
  gatewaySecrets: Record<UssdOnlyGateway, string[]>;
  vendors: VendorSettings;
  /** Which addresses developers' webhooks may have, and the schedule of retries. */
  hooks: { isDevelopment: boolean; reachesThisMachine: boolean } & HookPlan;
  paymentPollMs: number;
  reconcileMs: number;
  workerPollMs: number;
  sweepMs: number;
  floatMs: number;
};

/** The problems of the environment, a line each. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is incomplete:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Reads the configuration; an empty value counts as absent. Throws ConfigError with all problems. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const { data: env, error } = Environment.safeParse(given);
  const problems = error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];
  if (given.NODE_ENV === "production") problems.push(...missingInProduction(given));
  problems.push(...problemsOfMode(given), ...incompleteGroups(given));
  if (given.RUN === "worker" && given.NODE_ENV !== "production") problems.push(...missingForWorker(given));
  if (!env || problems.length > 0) throw new ConfigError(problems);

  const isProduction = env.NODE_ENV === "production";
  return {
    mode: env.NODE_ENV,
    ...modeSettings(env),
    host: env.HOST,
    port: env.PORT,
    baseUrl: env.BASE_URL ? new URL(env.BASE_URL).origin : null,
    hosts: [...(env.HOSTS?.split(",").map((name) => name.trim()) ?? []), ...(isProduction ? [] : LOOPBACK)],
    databaseUrl: env.DATABASE_URL ?? null,
    ownerUrl: env.MIGRATION_DATABASE_URL ?? null,
    databasePool: env.DATABASE_POOL,
    databasePrepare: env.DATABASE_PREPARE,
    dataDir: env.DATA_DIR,
    jwtSecret: env.JWT_SECRET ?? null,
    previousJwtSecret: env.JWT_PREVIOUS_SECRET ?? null,
    cardKeys: [env.CARD_KEY, env.CARD_PREVIOUS_KEY].filter((key) => key !== undefined),
    admin: env.ADMIN_EMAIL && env.ADMIN_PASSWORD ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD } : null,
    trustedProxies: env.TRUSTED_PROXIES.split(",")
      .map((address) => address.trim())
      .filter(Boolean),
    requestBudget: { perSecond: env.REQUESTS_PER_SECOND, burst: env.REQUESTS_AT_ONCE },
    drainMs: env.DRAIN_SECONDS * 1000,
    logLevel: env.LOG_LEVEL ?? (isProduction ? "info" : "warn"),
    ...telemetryOf(env),
    runServer: env.RUN !== "worker",
    runWorker: env.RUN !== "server",
    paystack: paystackOf(env),
    sms: smsSettings(env),
    callbackSecrets: env.AT_CALLBACK_TOKEN,
    gatewaySecrets: gatewaySecretsIn(env),
    mail: env.SMTP_URL && env.MAIL_FROM ? { url: env.SMTP_URL, from: env.MAIL_FROM } : null,
    push: vapidKeysOf(env),
    vendors: vendorSettings(env),
    hooks: {
      isDevelopment: !isProduction,
      reachesThisMachine: env.HOOK_THIS_MACHINE,
      retrySeconds: env.HOOK_RETRY_SECONDS,
      pauseAfterSeconds: env.HOOK_PAUSE_SECONDS,
    },
    paymentPollMs: env.PAYMENT_POLL_SECONDS * 1000,
    reconcileMs: env.RECONCILE_SECONDS * 1000,
    workerPollMs: env.WORKER_POLL_SECONDS * 1000,
    floatMs: env.FLOAT_SECONDS * 1000,
  };
}

function paystackOf(env: z.output<typeof Environment>): Config["paystack"] {
  const { PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_PREVIOUS_SECRET_KEY: previousSecretKey = null } = env;
  if (!secretKey) return null;
  const baseUrl = (env.PAYSTACK_BASE_URL ?? "https://api.paystack.co").replace(/\/$/, "");
  return { baseUrl, secretKey, previousSecretKey };
}

function telemetryOf(env: z.infer<typeof Environment>): Pick<Config, "metricsAccess" | "metricsPort" | "tracesUrl"> {
  const others = env.NODE_ENV === "production" ? "nobody" : "loopback";
  const metricsAccess = env.METRICS_TOKEN ? { token: env.METRICS_TOKEN } : others;
  const tracesUrl = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null;
  return { metricsAccess, metricsPort: env.METRICS_PORT ?? null, tracesUrl };
}

/** Settings that need each other: `all` only together, and `more` only with them. */
const GROUPS = [
  { all: ["ADMIN_EMAIL", "ADMIN_PASSWORD"], more: [] },
  ...SMS_GROUPS,
  { all: ["SMTP_URL", "MAIL_FROM"], more: [] },
  { all: ["PUSH_VAPID_PUBLIC_KEY", "PUSH_VAPID_PRIVATE_KEY", "PUSH_VAPID_SUBJECT"], more: [] },
  { all: ["CARD_KEY"], more: ["CARD_PREVIOUS_KEY"] },
  { all: ["JWT_SECRET"], more: ["JWT_PREVIOUS_SECRET"] },
  { all: ["DATABASE_URL"], more: ["MIGRATION_DATABASE_URL"] },
];

function incompleteGroups(given: Record<string, string | undefined>): string[] {
  return GROUPS.filter(
    ({ all, more }) => [...all, ...more].some((name) => given[name]) && !all.every((name) => given[name]),
  ).map(({ all, more }) =>
    all.length === 1
      ? `${more[0]}: set ${all[0]} too`
      : `${all.join(", ")}: set ${all.length === 2 ? "both or neither" : "all or none"}`,
  );
}

/** A separate worker has no simulators: the server starts them, and only the server knows their addresses. */
function missingForWorker(given: Record<string, string | undefined>): string[] {
  const hasSms = SMS_GROUPS.some(({ all }) => all.every((name) => given[name]));
  return ["PAYSTACK_SECRET_KEY", "AT_USERNAME", "SMTP_URL"]
    .filter((name) => !given[name] && !(name === "AT_USERNAME" && hasSms))
    .map((name) => `${name}: required for a separate worker, which has no simulators`);
}

/** Secrets copied from examples, which protect nothing. */
const DEFAULT_SECRETS = /change.?me|secret.?secret|example|^(.)\1*$/i;

function missingInProduction(given: Record<string, string | undefined>): string[] {
  const problems = NEEDED_IN_PRODUCTION[given.SHOP_MODE === "test" ? "test" : "live"]
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: required in production`);
  if (DEFAULT_SECRETS.test(given.JWT_SECRET ?? "")) problems.push("JWT_SECRET: this is an example, not a secret");
  for (const name of Object.keys(CALLBACK_ENVIRONMENT))
    if ((given[name] ?? "").split(",").some((secret) => DEFAULT_SECRETS.test(secret.trim())))
      problems.push(`${name}: this is an example, not a secret`);
  // Zeros, and other keys that are not random.
  if (/^(.{1,8})\1+/.test(given.CARD_KEY ?? "")) problems.push("CARD_KEY: this is an example, not a key");
  if (given.BASE_URL?.startsWith("http:")) problems.push("BASE_URL: must be https in production");
  if (given.PAYSTACK_SECRET_KEY?.startsWith("sk_test_"))
    problems.push("PAYSTACK_SECRET_KEY: a test key cannot take real money");
  if (given.AT_USERNAME?.toLowerCase() === "sandbox") problems.push("AT_USERNAME: the sandbox sends no real SMS");
  problems.push(...unencryptedAddresses(given));
  if (given.HOOK_THIS_MACHINE === "true")
    problems.push("HOOK_THIS_MACHINE: in production strangers could call addresses on this machine");
  if (given.DEMO === "true") problems.push("DEMO: not allowed in production");
  return problems;
}

const PROVIDER_ADDRESSES = [
  "PAYSTACK_BASE_URL",
  ...Object.keys({ ...SMS_ENVIRONMENT, ...VENDOR_ENVIRONMENT }).filter((name) => name.endsWith("_BASE_URL")),
];

/** Provider addresses to which keys would travel unencrypted. A proxy on this machine may do the encryption. */
function unencryptedAddresses(given: Record<string, string | undefined>): string[] {
  const isHere = (url: string) => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]|$)/.test(url);
  return PROVIDER_ADDRESSES.filter((name) => /^http:/.test(given[name] ?? "") && !isHere(given[name]!)).map(
    (name) => `${name}: must be https in production, or on this machine`,
  );
}
