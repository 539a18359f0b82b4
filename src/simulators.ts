// In development the world outside is simulated: processes of their own that end with this one.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { VendorSettings } from "./gateways/vendors/index.ts";

export type PaystackProcess = {
  baseUrl: string;
  secretKey: string;
  /** Where a person plays the payer. */
  phoneUrl: string;
  /** Tells it where the shop takes webhooks. */
  sendWebhooksTo: (url: string) => Promise<void>;
  stop: () => Promise<void>;
};

const SECRET_KEY = "sk_test_simulator";

/** Starts the simulator of Paystack on a free port, with its memory in `dataDir`, and waits until it takes calls. */
export async function startPaystackSimulator(dataDir: string): Promise<PaystackProcess> {
  mkdirSync(dataDir, { recursive: true });
  // It remembers payments over a restart, and must not give a number twice.
  const memory = ["--keep", join(dataDir, "paystack"), "--first-id", String(Date.now() * 1000)];
  const options = ["--port", "0", "--secret-key", SECRET_KEY, ...memory];
  const { said: url, stop } = await start("paystack.ts", options, /Paystack simulator: (http:\/\/[^\s,]+)/);
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
  /** Where a person sees what was ordered and arrived, and makes trouble. */
  pageUrl: string;
  /** Tells the vendors whose webhooks are set up in a dashboard where the shop takes them; Hubnet hears it with each order. */
  sendWebhooksTo: (urls: { datamart: string; africastalking: string }) => Promise<void>;
  /** Resolves when it has written down what it knows, and is gone. */
  stop: () => Promise<void>;
};

/** Starts the simulator of the vendors of bundles in the same way; what to call them with comes from itself. */
export async function startVendorSimulator(dataDir: string): Promise<VendorsProcess> {
  mkdirSync(dataDir, { recursive: true });
  const options = ["--port", "0", "--keep", join(dataDir, "vendors")];
  const { said: url, stop } = await start("vendors.ts", options, /simulator: (http:\/\/[^\s,]+)/);
  return {
    settings: (await (await fetch(`${url}/_control/settings`)).json()) as VendorSettings,
    pageUrl: `${url}/`,
    sendWebhooksTo: (webhookUrls) => control(url, "", { webhookUrls }),
    stop,
  };
}

async function control(url: string, path: string, change: object): Promise<void> {
  await fetch(`${url}/_control${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(change),
  });
}

export type MessagesProcess = {
  /** Where a person reads the SMS and mails that the shop sends. */
  pageUrl: string;
  /** Where a person dials and texts the shop. */
  phoneUrl: string;
  sms: { baseUrl: string; username: string; apiKey: string };
  smtpUrl: string;
  /** Tells Africa's Talking where the shop takes reports on the delivery of SMS. */
  sendReportsTo: (url: string) => Promise<void>;
  /** Tells it where the shop takes what phones send. */
  sendPhonesTo: (urls: { ussd: string; events: string; inbound: string }) => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts the simulators of Africa's Talking and of a mail server, with one page to read both. */
export async function startMessagesSimulator(): Promise<MessagesProcess> {
  const { said, stop } = await start("messages.ts", [], /Messages simulator: (\{.*\})\n/);
  const places = JSON.parse(said) as Omit<MessagesProcess, "sendReportsTo" | "sendPhonesTo" | "stop">;
  const controlUrl = places.pageUrl.replace(/\/messages$/, "");
  return {
    ...places,
    sendReportsTo: (url) => control(controlUrl, "", { reportUrl: url }),
    sendPhonesTo: (urls) => control(controlUrl, "/phone", urls),
    stop,
  };
}

type Started = { said: string; stop: () => Promise<void> };

/** Runs a simulator and waits until it says where it is. */
async function start(script: string, options: string[], saying: RegExp): Promise<Started> {
  const path = join(import.meta.dir, "../simulators", script);
  const child = Bun.spawn([process.execPath, path, ...options, "--until-stdin-ends"], {
    // It ends when this pipe does, so that it is not left behind when we are killed.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  let written = "";
  for await (const chunk of child.stdout) {
    written += new TextDecoder().decode(chunk);
    const said = saying.exec(written)?.[1];
    if (said) return { said, stop };
  }
  throw new Error(`The simulator ${script} ended at its start.`);
}
