// The providers: those that the environment configures, and in development simulators of the others.

import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import { addressOf as vendorAddressOf } from "../core/fulfilment/vendor-webhooks.ts";
import {
  arkeselAddressOf,
  arkeselSecretsOf,
  type Callback,
  addressOf as callbackAddressOf,
  gatewayAddressOf,
  gatewaySecretsOf,
  secretsOf,
} from "../core/messaging/callbacks.ts";
import type { PushGateway, Senders } from "../core/messaging/sender.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import type { VendorClock } from "../core/sandbox/clock.ts";
import type { HookSender } from "../core/webhooks/sender.ts";
import { createMail } from "../gateways/mail.ts";
import { withoutPaystack } from "../gateways/no-paystack.ts";
import { createPaystack, type PaystackOptions } from "../gateways/paystack.ts";
import { createPush } from "../gateways/push.ts";
import { createSmsSenders } from "../gateways/sms.ts";
import { createVendors, VENDOR_CODES } from "../gateways/vendors/index.ts";
import { createHookSender } from "../gateways/webhooks.ts";
import type { UssdOnlyGateway } from "../shared/phones/ussd-gateways.ts";
import {
  instrumentedGateway,
  instrumentedPush,
  instrumentedSender,
  instrumentedVendor,
} from "../telemetry/instrumented-providers.ts";
import type { Log } from "../telemetry/log.ts";
import type { Config } from "./config.ts";
import { startMessagesSimulator, startPaystackSimulator, startVendorSimulator } from "./simulators.ts";

/** The providers of one configuration. */
export type Providers = {
  gateway: PaymentGateway;
  vendors: readonly BundleVendor[];
  senders: Senders;
};

export type ProviderProcesses = {
  /** The providers of a configuration; keys that are entered while the shop runs take the place of a simulator. */
  of: (config: Config) => Providers;
  /** Sends developers' webhooks. */
  hooks: HookSender;
  /** Null: push messages are off. */
  push: PushGateway | null;
  /** Lines for the start-up output: what is simulated. */
  about: string[];
  /** Lets time pass at the simulated vendors; null with real ones. */
  vendorClock: VendorClock | null;
  /** Gives the simulators this shop's address; for real providers that is set in their dashboards. */
  sendWebhooksTo: (url: string, secret: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** A push service answers at once; whatever is slower is not one. */
const PUSH_MS = 5_000;

/**
 * Starts the simulators, which are separate processes that `stop` ends; a sandbox has them in production too, and
 * nothing else.
 */
export async function openProviders(config: Config, log: Log, jwtSecret: string): Promise<ProviderProcesses> {
  const [paystack, vendors, messages] = await startSimulators(config, hasSmsGateway(config));
  // In development the shop has no public address, and its own is known once it listens.
  let baseUrl = config.baseUrl;
  const arkeselSecrets = arkeselSecretsOf(jwtSecret);
  const reportUrl = () => baseUrl && arkeselAddressOf(baseUrl, arkeselSecrets);
  return {
    of: (now) => {
      const sms = hasSmsGateway(now) || !messages ? now.sms : messages.gateways;
      const mail = now.mail ?? (messages && { url: messages.smtpUrl, from: "DataFie <no-reply@localhost>" });
      const settings = vendors && !hasVendor(now) ? vendors.settings : now.vendors;
      return {
        gateway: paymentsOf(now, now.paystack ?? paystack, log),
        vendors: createVendors(settings).map(instrumentedVendor),
        senders: {
          sms: createSmsSenders(sms, reportUrl, (code, sender) => instrumentedSender(`sms-${code}`, sender)),
          email: mail && instrumentedSender("email", createMail(mail)),
        },
      };
    },
    hooks: createHookSender(config.hooks),
    push: config.push && instrumentedPush(createPush(config.push, pushSender(config))),
    about: [
      ...(paystack ? [`Payments  simulated; no money moves. The payer's phone: ${paystack.phoneUrl}`] : []),
      ...(vendors ? [`Suppliers simulated; no data is sent. What they received: ${vendors.pageUrl}`] : []),
      ...(messages ? [`Messages  simulated: ${messages.pageUrl}`, `Phone     simulated: ${messages.phoneUrl}`] : []),
    ],
    vendorClock: vendors?.letPass ?? null,
    sendWebhooksTo: async (url, secret) => {
      baseUrl ??= url;
      await paystack?.sendWebhooksTo(`${url}/webhooks/paystack`);
      const addresses = VENDOR_CODES.map((code) => [code, vendorAddressOf(url, secret, code)!]);
      await vendors?.sendWebhooksTo(Object.fromEntries(addresses));
      const callbackSecrets = secretsOf(config.callbackSecrets, secret);
      const callbackOf = (callback: Callback) => callbackAddressOf(url, callbackSecrets, callback)!;
      const gatewaySecrets = gatewaySecretsOf(config.gatewaySecrets, secret);
      const gatewayOf = (name: UssdOnlyGateway) => gatewayAddressOf(url, name, gatewaySecrets[name]![0]!);
      await messages?.sendReportsTo(callbackOf("delivery"));
      await messages?.sendPhonesTo({
        ussd: callbackOf("ussd"),
        events: callbackOf("events"),
        inbound: callbackOf("inbound"),
        ...{ hubtel: gatewayOf("hubtel"), arkesel: gatewayOf("arkesel"), nalo: gatewayOf("nalo") },
      });
    },
    stop: async () => {
      await Promise.all([paystack, vendors, messages].map((simulator) => simulator?.stop()));
    },
  };
}

function paymentsOf({ baseUrl }: Config, settings: PaystackOptions | null, log: Log): PaymentGateway {
  const host = baseUrl ? new URL(baseUrl).hostname : undefined;
  if (!settings) return withoutPaystack({ host });
  const onKeyRefused = () => log.error("Paystack rejects PAYSTACK_SECRET_KEY: nobody can pay");
  return instrumentedGateway(createPaystack({ ...settings, host, onKeyRefused }));
}

const hasSmsGateway = (config: Config) => Object.values(config.sms).some((settings) => settings !== null);
const hasVendor = (config: Config) => Object.values(config.vendors).some((settings) => settings !== null);

/** The simulators of what the environment does not configure, in development; and in a sandbox always. */
function startSimulators(config: Config, hasSms: boolean) {
  const isSandbox = config.shopMode === "test";
  const isReal = config.mode === "production" && !isSandbox;
  return Promise.all([
    config.paystack || isReal ? null : startPaystackSimulator(config.dataDir),
    // A separate worker only has the vendors that its environment configures: simulators belong to the server.
    hasVendor(config) || isReal || !config.runServer
      ? null
      : startVendorSimulator(config.dataDir, { isShared: isSandbox }),
    // Twins have neither phone nor mailbox, so a sandbox sends no messages at all.
    isReal || isSandbox || (hasSms && config.mail) ? null : startMessagesSimulator(),
  ]);
}

/** Browsers name the addresses of their push services, so these are called as developers' webhooks are. */
function pushSender({ hooks }: Config): HookSender {
  return createHookSender({ ...hooks, timeoutMs: PUSH_MS });
}
