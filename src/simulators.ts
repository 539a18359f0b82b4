// In development the world outside is simulated: each provider a process of its own that ends with this one.
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
  stop: () => void;
};

const SECRET_KEY = "sk_test_simulator";

/** Starts the simulator of Paystack on a free port, with its memory in `dataDir`, and waits until it takes calls. */
export async function startPaystackSimulator(dataDir: string): Promise<PaystackProcess> {
  // It remembers payments over a restart, and must not give a number twice.
  const firstId = ["--first-id", String(Date.now() * 1000)];
  const { url, control, stop } = await start("paystack", dataDir, ["--secret-key", SECRET_KEY, ...firstId]);
  return {
    baseUrl: url,
    secretKey: SECRET_KEY,
    phoneUrl: `${url}/phone`,
    sendWebhooksTo: (webhook) => control("webhook", { url: webhook }),
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
  const { url, control, stop } = await start("vendors", dataDir, []);
  return {
    settings: (await (await fetch(`${url}/_control/settings`)).json()) as VendorSettings,
    pageUrl: `${url}/`,
    sendWebhooksTo: (webhookUrls) => control("", { webhookUrls }),
    stop,
  };
}

type Running = {
  url: string;
  control: (path: string, change: object) => Promise<void>;
  stop: () => Promise<void>;
};

async function start(name: string, dataDir: string, options: string[]): Promise<Running> {
  const script = join(import.meta.dir, `../test/simulators/${name}.ts`);
  mkdirSync(dataDir, { recursive: true });
  const common = ["--port", "0", "--keep", join(dataDir, name), "--until-stdin-ends"];
  const child = Bun.spawn([process.execPath, script, ...common, ...options], {
    // It ends when this pipe does, so that it is not left behind when we are killed.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const url = await addressIn(child.stdout, name);
  return {
    url,
    control: async (path, change) => {
      await fetch(`${url}/_control${path && `/${path}`}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(change),
      });
    },
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

async function addressIn(output: ReadableStream<Uint8Array>, name: string): Promise<string> {
  let said = "";
  for await (const chunk of output) {
    said += new TextDecoder().decode(chunk);
    const address = /simulator: (http:\/\/[^\s,]+)/.exec(said)?.[1];
    if (address) return address;
  }
  throw new Error(`The simulator ${name} ended at its start.`);
}
