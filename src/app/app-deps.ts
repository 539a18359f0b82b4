// The database, providers, secrets and modes of an application.
import type { Db } from "../../db/connect.ts";
import type { CardSafe } from "../core/afa/card-safe.ts";
import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import type { OtherMode } from "../core/identity/api-keys.ts";
import type { CodeKeys } from "../core/identity/logins/codes.ts";
import type { GatewaySecrets } from "../core/messaging/callbacks.ts";
import type { PushGateway } from "../core/messaging/sender.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import type { ProviderSetup } from "../core/platform/provider-keys.ts";
import type { OtherLog } from "../core/requests/queries.ts";
import type { SandboxClient } from "../core/sandbox/client.ts";
import type { VendorClock } from "../core/sandbox/clock.ts";
import type { HookSender } from "../core/webhooks/sender.ts";
import type { RequestBudget } from "../http/request-budget.ts";
import type { KeyMode } from "../shared/api-keys.ts";
import type { Log } from "../telemetry/log.ts";
import type { MetricsAccess } from "../telemetry/metrics-endpoint.ts";

export type AppDeps = {
  db: Db;
  gateway: PaymentGateway;
  vendors: readonly BundleVendor[];
  /** For Ghana Card numbers. */
  cards: CardSafe;
  log: Log;
  jwtSecret: string;
  /** The previous secret: its tokens, digests and encrypted values stay valid while the secret is being replaced. */
  previousJwtSecret?: string | null;
  /** The secrets in the addresses that Africa's Talking calls; without any, one is derived from `jwtSecret`. */
  callbackSecrets?: readonly string[];
  /** The secrets of the other gateways for USSD; one without any has no route. */
  gatewaySecrets?: GatewaySecrets;
  /** The available channels for messages. */
  channels: CodeKeys["channels"];
  /** Decides which addresses webhooks may have. */
  hookSender: HookSender;
  /** Null by default: push messages are off. */
  push?: PushGateway | null;
  /** The public origin; null if it is not configured. */
  baseUrl: string | null;
  /** Further names that the shop answers to; by default, as with a `baseUrl` of null, every name. */
  hosts?: readonly string[] | null;
  trustedProxies: readonly string[];
  /** The address of the socket's peer. */
  socketAddressOf: (request: Request) => string;
  /** Whether the process is shutting down: `/readyz` then fails. */
  isDraining: () => boolean;
  /** The mode of the shop's data, whose keys alone are accepted; "live" by default. */
  keyMode?: KeyMode;
  /** The keys of the sandbox; null by default: it is not set up. */
  otherMode?: OtherMode;
  /** The log of requests by those keys; null by default. */
  otherLog?: OtherLog;
  /** Where requests with test keys go; null likewise. */
  sandbox?: SandboxClient | null;
  /** Moves the clock of simulated vendors, in a sandbox. */
  vendorClock?: VendorClock | null;
  /** Whether requests by API keys are logged for their owners; true by default. */
  keepsRequestLog?: boolean;
  /** Overrides an account's default budget of requests; null: unlimited. */
  requestBudget?: RequestBudget | null;
  /** Who may read /metrics; nobody by default. */
  metricsAccess?: MetricsAccess;
  /** The providers that an owner can set up in the browser; null by default: none. */
  providerSetup?: ProviderSetup | null;
  /** Sends what somebody tries in the guide to the sandbox; by default this shop answers it. */
  tryCall?: (request: Request) => Promise<Response>;
};
