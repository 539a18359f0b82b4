// The world outside, put together: the providers that the environment names, and simulators of the others in development.
import type { Config } from "./config.ts";
import type { BundleVendor } from "./core/fulfilment/vendor.ts";
import { addressOf as vendorAddressOf } from "./core/fulfilment/vendor-webhooks.ts";
import { type Callback, addressOf as callbackAddressOf, secretsOf } from "./core/messaging/callbacks.ts";
import type { Senders } from "./core/messaging/sender.ts";
import type { PaymentGateway } from "./core/payments/gateway.ts";
import type { HookSender } from "./core/webhooks/sender.ts";
import { createAfricasTalking } from "./gateways/africastalking.ts";
import { createMail } from "./gateways/mail.ts";
import { createPaystack } from "./gateways/paystack.ts";
import { createVendors } from "./gateways/vendors/index.ts";
import { createHookSender } from "./gateways/webhooks.ts";
import { startMessagesSimulator, startPaystackSimulator, startVendorSimulator } from "./simulators.ts";
import {
  instrumentedGateway,
  instrumentedSender,
  instrumentedVendor,
} from "./telemetry/instrumented-providers.ts";
import type { Log } from "./telemetry/log.ts";

export type Providers = {
  gateway: PaymentGateway;
  vendors: readonly BundleVendor[];
  senders: Senders;
  /** Calls the endpoints of developers. */
  hooks: HookSender;
  /** Lines for whoever starts the shop: what is simulated, and what cannot be done. */
  about: string[];
  /** Tells the simulators where this shop is; real providers are told in their dashboards. */
  sendWebhooksTo: (url: string, secret: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** Opens everything at once; simulators are processes of their own, and `stop` ends them. */
export async function openProviders(config: Config, log: Log): Promise<Providers> {
  const isReal = config.mode === "production";
  const hasVendor = Object.values(config.vendors).some((one) => one !== null);
  const [paystack, depot, messages] = await Promise.all([
    config.paystack ? null : startPaystackSimulator(config.dataDir),
    // A worker of its own has the vendors that its environment names: a simulator belongs to the server.
    hasVendor || isReal || !config.runServer ? null : startVendorSimulator(config.dataDir),
    isReal || (config.sms && config.mail) ? null : startMessagesSimulator(),
  ]);
  const sms = config.sms ?? (messages && { ...messages.sms, senderId: null });
  const mail = config.mail ?? (messages && { url: messages.smtpUrl, from: "DataFie <no-reply@localhost>" });
  return {
    gateway: instrumentedGateway(
      createPaystack({
        ...(config.paystack ?? paystack!),
        onKeyRefused: () => log.error("Paystack does not take PAYSTACK_SECRET_KEY: nobody can pay"),
      }),
    ),
    vendors: createVendors(depot?.settings ?? config.vendors).map(instrumentedVendor),
    senders: {
      sms: sms && instrumentedSender("sms", createAfricasTalking(sms)),
      email: mail && instrumentedSender("email", createMail(mail)),
    },
    hooks: createHookSender(config.hooks),
    about: [
      ...(paystack ? [`Payments  simulated; no money moves. The payer's phone: ${paystack.phoneUrl}`] : []),
      ...(depot ? [`Vendors   simulated; no data is sent. What they received: ${depot.pageUrl}`] : []),
      ...(messages
        ? [`Messages  simulated: ${messages.pageUrl}`, `Phone     simulated: ${messages.phoneUrl}`]
        : notSetUp(config)),
    ],
    sendWebhooksTo: async (url, secret) => {
      await paystack?.sendWebhooksTo(`${url}/webhooks/paystack`);
      const addressOf = (code: string) => vendorAddressOf(url, secret, code)!;
      await depot?.sendWebhooksTo({
        datamart: addressOf("datamart"),
        africastalking: addressOf("africastalking"),
      });
      const callbackSecrets = secretsOf(config.callbackSecrets, secret);
      const callbackOf = (callback: Callback) => callbackAddressOf(url, callbackSecrets, callback)!;
      await messages?.sendReportsTo(callbackOf("delivery"));
      await messages?.sendPhonesTo({
        ussd: callbackOf("ussd"),
        events: callbackOf("events"),
        inbound: callbackOf("inbound"),
      });
    },
    stop: async () => {
      await Promise.all([paystack, depot, messages].map((simulator) => simulator?.stop()));
    },
  };
}

/** What a shop without the means to send messages cannot do. */
function notSetUp({ sms, mail }: Config): string[] {
  return [
    ...(mail
      ? []
      : ["Messages  NO E-MAIL: forgotten passwords cannot be reset by it. Set SMTP_URL and MAIL_FROM."]),
    ...(sms ? [] : ["Messages  NO SMS: phones cannot be proved. Set AT_USERNAME and AT_API_KEY."]),
  ];
}
