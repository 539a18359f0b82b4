// The simulators of providers in development, as child processes that end with this one.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { VendorClock } from "../core/sandbox/clock.ts";
import type { SmsSettings } from "../gateways/sms.ts";
import { VENDOR_CODES, type VendorSettings } from "../gateways/vendors/index.ts";
import type { UssdOnlyGateway } from "../shared/phones/ussd-gateways.ts";

export type PaystackProcess = {
  baseUrl: string;
  secretKey: string;
  /** The page where a person plays the payer. */
  phoneUrl: string;
  /** Sets the address for webhooks. */
  sendWebhooksTo: (url: string) => Promise<void>;
  stop: () => Promise<void>;
};

const SECRET_KEY = "sk_test_simulator";
/** It is a process of our own on this machine. */
const CONTROL_MS = 5_000;
/** A billion cedis, again at each start. */
const ENDLESS_PESEWAS = 1e11;

/** The file in which the Paystack simulator keeps its state. */
export const paystackFileIn = (dataDir: string) => join(dataDir, "paystack");

/** Starts the Paystack simulator on a free port, with its state in `dataDir`, and waits until it is ready. */
export async function startPaystackSimulator(dataDir: string): Promise<PaystackProcess> {
  mkdirSync(dataDir, { recursive: true });
  // It keeps payments across restarts, and must not use an id twice.
  const memory = ["--keep", paystackFileIn(dataDir), "--first-id", String(Date.now() * 1000)];
  const options = ["--port", "0", "--secret-key", SECRET_KEY, ...memory];
  const { announced: url, stop } = await start(
    "paystack/paystack.ts",
    options,
    /Paystack simulator: (http:\/\/[^\s,]+)/,
  );
  return {
    baseUrl: url,
    secretKey: SECRET_KEY,
    phoneUrl: `${url}/phone`,
    sendWebhooksTo: (webhook) => control(url, "/webhook", { url: webhook }),
    stop,
  };
}

export type VendorsProcess = {
  settings: VendorSettings;
  /** The page that shows orders and deliveries, and where a person can cause faults. */
  pageUrl: string;
  /** Sets the addresses for webhooks, by vendor, as in the vendors' dashboards. */
  sendWebhooksTo: (urls: Record<string, string>) => Promise<void>;
  /** Makes what is planned for these orders, by the shop's references, fall due `seconds` earlier. */
  letPass: VendorClock;
  /** Resolves when it has saved its state and exited. */
  stop: () => Promise<void>;
};

/**
 * Starts the vendors' simulator in the same way; it supplies the settings for calling it. `isShared`: by many who try
 * things out. Balances never run out, a number can be sent to as often as anybody likes, and no number spoils the whole
 * call, because others' orders are in it, and others' calls wait behind it.
 */
export async function startVendorSimulator(dataDir: string, { isShared = false } = {}): Promise<VendorsProcess> {
  mkdirSync(dataDir, { recursive: true });
  const options = ["--port", "0", "--keep", join(dataDir, "vendors")];
  const { announced: url, stop } = await start("vendors/vendors.ts", options, /simulator: (http:\/\/[^\s,]+)/);
  if (isShared) {
    const floats = Object.fromEntries(VENDOR_CODES.map((code) => [code, ENDLESS_PESEWAS]));
    await control(url, "", { floats, coolDownSeconds: 0, callFaults: false });
  }
  return {
    settings: (await (await fetch(`${url}/_control/settings`)).json()) as VendorSettings,
    pageUrl: `${url}/`,
    sendWebhooksTo: (webhookUrls) => control(url, "", { webhookUrls }),
    letPass: (references, seconds) => control(url, "/pass", { references, seconds }),
    stop,
  };
}

async function control(url: string, path: string, change: object): Promise<void> {
  const response = await fetch(`${url}/_control${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(change),
    signal: AbortSignal.timeout(CONTROL_MS),
  });
  if (!response.ok) throw new Error(`the simulator at ${url} answered ${response.status} to ${path}`);
}

export type MessagesProcess = {
  /** The page that shows the SMS and e-mails that the shop sends. */
  pageUrl: string;
  /** The page where a person dials and texts the shop. */
  phoneUrl: string;
  /** The settings of the simulated SMS gateways. */
  gateways: SmsSettings;
  smtpUrl: string;
  /** Sets the address for SMS delivery reports of Africa's Talking. */
  sendReportsTo: (url: string) => Promise<void>;
  /** Sets the addresses for USSD and inbound SMS. */
  /** Africa's Talking's callbacks, and the one of each other gateway for USSD. */
  sendPhonesTo: (urls: Record<"ussd" | "events" | "inbound" | UssdOnlyGateway, string>) => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts the simulators of the SMS gateways and of a mail server, which share a page. */
export async function startMessagesSimulator(): Promise<MessagesProcess> {
  const { announced, stop } = await start("messages.ts", [], /Messages simulator: (\{.*\})\n/);
  const addresses = JSON.parse(announced) as Omit<MessagesProcess, "sendReportsTo" | "sendPhonesTo" | "stop">;
  const controlUrl = addresses.pageUrl.replace(/\/messages$/, "");
  return {
    ...addresses,
    sendReportsTo: (url) => control(controlUrl, "", { reportUrl: url }),
    sendPhonesTo: (urls) => control(controlUrl, "/phone", urls),
    stop,
  };
}

type Started = { announced: string; stop: () => Promise<void> };

/** Runs a simulator and waits until it announces its address. */
async function start(script: string, options: string[], pattern: RegExp): Promise<Started> {
  const path = join(import.meta.dir, "../../dev/simulators", script);
  const child = Bun.spawn([process.execPath, path, ...options, "--until-stdin-ends"], {
    // It exits when this pipe closes, so that it does not outlive us if we are killed.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  let output = "";
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk);
    const announced = pattern.exec(output)?.[1];
    if (announced) return { announced, stop };
  }
  throw new Error(`The simulator ${script} exited before it was ready.`);
}
