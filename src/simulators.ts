// In development the world outside is simulated: processes of their own that end with this one.
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
  mkdirSync(dataDir, { recursive: true });
  // It remembers payments over a restart, and must not give a number twice.
  const memory = ["--keep", join(dataDir, "paystack"), "--first-id", String(Date.now() * 1000)];
  const options = ["--port", "0", "--secret-key", SECRET_KEY, ...memory];
  const { said, stop } = await start("paystack.ts", options, /Paystack simulator: (http:\/\/[^\s,]+)/);
  return {
    baseUrl: said,
    secretKey: SECRET_KEY,
    phoneUrl: `${said}/phone`,
    sendWebhooksTo: async (url) => {
      await fetch(`${said}/_control/webhook`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url }),
      });
    },
    stop,
  };
}

export type MessagesProcess = {
  /** Where a person reads the SMS and mails that the shop sends. */
  pageUrl: string;
  sms: { baseUrl: string; username: string; apiKey: string };
  smtpUrl: string;
  stop: () => void;
};

/** Starts the simulators of Africa's Talking and of a mail server, with one page to read both. */
export async function startMessagesSimulator(): Promise<MessagesProcess> {
  const { said, stop } = await start("messages.ts", [], /Messages simulator: (\{.*\})\n/);
  return { ...(JSON.parse(said) as Omit<MessagesProcess, "stop">), stop };
}

type Started = { said: string; stop: () => void };

/** Runs a simulator and waits until it says where it is. */
async function start(script: string, options: string[], saying: RegExp): Promise<Started> {
  const path = join(import.meta.dir, "../test/simulators", script);
  const child = Bun.spawn([process.execPath, path, ...options, "--until-stdin-ends"], {
    // It ends when this pipe does, so that it is not left behind when we are killed.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  let written = "";
  for await (const chunk of child.stdout) {
    written += new TextDecoder().decode(chunk);
    const said = saying.exec(written)?.[1];
    if (said) return { said, stop: () => child.kill() };
  }
  throw new Error(`The simulator ${script} ended at its start.`);
}
