// The sandbox of this shop: the one that its settings name, or in a demonstration shop a process of its own, which
// begins when it is needed for the first time and ends with this one.
import { join } from "node:path";
import { startEmbedded } from "../db/embedded-server.ts";
import type { Config } from "./config.ts";
import type { SandboxClient } from "./core/sandbox/client.ts";
import { passKeysOf } from "./core/sandbox/passes.ts";
import { createSandbox } from "./gateways/sandbox.ts";

/** Ends the process when whoever started it has ended, killed or not. */
export const UNTIL_STDIN_ENDS = "--until-stdin-ends";
export const SANDBOX_GREETING = "DataFie's sandbox is running at";

const DATABASE = "datafie_sandbox";
/** After a start that failed; many requests may ask for the next. */
const PAUSE_MS = 2_000;
/** What a process of ours needs of the environment. Everything else is given to it, or has no place in a sandbox. */
const INHERITED =
  /^(PATH|HOME|TMPDIR|LOG_LEVEL|HOOK_THIS_MACHINE|HOOK_\w+_SECONDS|REQUESTS_\w+|WORKER_POLL_SECONDS|SWEEP_SECONDS)$/;

export type Sandbox = { client: SandboxClient; stop: () => Promise<void> };

/** The sandbox; null for a shop that has none. */
export function sandboxOf(config: Config, jwtSecret: string): Sandbox | null {
  const keys = passKeysOf(jwtSecret, config.previousJwtSecret);
  const { sandboxUrl } = config;
  if (sandboxUrl) return { client: createSandbox({ addressOf: async () => sandboxUrl, keys }), stop: async () => {} };
  const isDemonstration = config.mode === "development" && config.databaseUrl === null;
  if (!isDemonstration) return null;
  const own = ownProcess(config, jwtSecret);
  return { client: createSandbox({ addressOf: own.addressOf, keys }), stop: own.stop };
}

type Running = { address: string; child: Bun.Subprocess<"pipe", "pipe", "inherit"> };

function ownProcess(config: Config, jwtSecret: string) {
  let running: Promise<Running> | null = null;
  let isStopping = false;
  const begin = async (): Promise<Running> => {
    const child = await spawn(config, jwtSecret);
    const address = await addressIn(child);
    // The next request starts another.
    void child.exited.then(() => (running = null));
    return { address, child };
  };
  const start = () => {
    const started = begin();
    started.catch(() => setTimeout(() => (running = null), PAUSE_MS).unref());
    return started;
  };
  return {
    addressOf: async () => {
      if (isStopping) throw new Error("the shop is stopping");
      return (await (running ??= start())).address;
    },
    stop: async () => {
      isStopping = true;
      const child = (await running?.catch(() => null))?.child;
      child?.kill();
      await child?.exited;
    },
  };
}

async function spawn(config: Config, jwtSecret: string): Promise<Running["child"]> {
  const { url } = await startEmbedded({ dir: join(config.dataDir, "postgres"), database: DATABASE });
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
  return Bun.spawn([process.execPath, join(import.meta.dir, "main.ts"), "start", UNTIL_STDIN_ENDS], {
    env: {
      ...Object.fromEntries(inherited),
      NODE_ENV: config.mode,
      SHOP_MODE: "test",
      DATABASE_URL: url,
      DATABASE_POOL: "8",
      DATA_DIR: join(config.dataDir, "sandbox"),
      JWT_SECRET: jwtSecret,
      ...(config.previousJwtSecret && { JWT_PREVIOUS_SECRET: config.previousJwtSecret }),
      HOST: "127.0.0.1",
      PORT: "0",
    },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
}

/** The address that it prints when it is ready. What it says afterwards, its log, becomes part of ours. */
async function addressIn(child: Running["child"]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const read = async () => {
    const decoder = new TextDecoder();
    let greeting: string | null = "";
    for await (const chunk of child.stdout) {
      if (greeting === null) process.stdout.write(chunk);
      else {
        greeting += decoder.decode(chunk, { stream: true });
        const [, address] = greeting.match(`${SANDBOX_GREETING} (\\S+)\\s`) ?? [];
        if (address) {
          resolve(address);
          greeting = null;
        }
      }
    }
    reject(new Error(`the sandbox ended before it was ready; it said:\n${greeting ?? ""}`));
  };
  void read().catch(reject);
  return promise;
}
