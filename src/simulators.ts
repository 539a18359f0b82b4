// In development the payment provider is a simulator: a process of its own that ends with this one.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

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
  const script = join(import.meta.dir, "../test/simulators/paystack.ts");
  mkdirSync(dataDir, { recursive: true });
  // It remembers payments over a restart, and must not give a number twice.
  const memory = ["--keep", join(dataDir, "paystack"), "--first-id", String(Date.now() * 1000)];
  const options = ["--port", "0", "--secret-key", SECRET_KEY, ...memory, "--until-stdin-ends"];
  const child = Bun.spawn([process.execPath, script, ...options], {
    // It ends when this pipe does, so that it is not left behind when we are killed.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const baseUrl = await addressIn(child.stdout);
  return {
    baseUrl,
    secretKey: SECRET_KEY,
    phoneUrl: `${baseUrl}/phone`,
    sendWebhooksTo: async (url) => {
      await fetch(`${baseUrl}/_control/webhook`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url }),
      });
    },
    stop: () => child.kill(),
  };
}

async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  for await (const chunk of output) {
    said += new TextDecoder().decode(chunk);
    const address = /Paystack simulator: (http:\/\/[^\s,]+)/.exec(said)?.[1];
    if (address) return address;
  }
  throw new Error("The simulator of Paystack ended at its start.");
}
