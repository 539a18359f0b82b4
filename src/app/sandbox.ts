// The sandbox of this shop: the one that its settings name, or in a demonstration shop a process of its own, which
// begins behind the shop's own start and ends with this one.
import { join } from "node:path";
import type { Db } from "../../db/connect.ts";
import { startEmbedded } from "../../db/embedded-server.ts";
import type { KeyKeeper } from "../core/identity/api-keys.ts";
import * as users from "../core/identity/users.ts";
import type { RequestLog } from "../core/requests/queries.ts";
import type { SandboxClient } from "../core/sandbox/client.ts";
import { passKeysOf } from "../core/sandbox/passes.ts";
import { createSandbox } from "../gateways/sandbox.ts";
import { createSandboxKeys } from "../gateways/sandbox-keys.ts";
import { createSandboxLog } from "../gateways/sandbox-log.ts";
import type { Config } from "./config.ts";

/** Ends the process when whoever started it has ended, killed or not. */
export const UNTIL_STDIN_ENDS = "--until-stdin-ends";
export const SANDBOX_GREETING = "DataFie's sandbox is running at";

const DATABASE = "datafie_sandbox";
/** After a start that failed; many requests may ask for the next. */
const PAUSE_MS = 2_000;
/** What a process of ours needs of the environment. Everything else is given to it, or has no place in a sandbox. */
const INHERITED =
  /^(PATH|HOME|TMPDIR|LOG_LEVEL|HOOK_THIS_MACHINE|HOOK_\w+_SECONDS|REQUESTS_\w+|WORKER_POLL_SECONDS|SWEEP_SECONDS)$/;

export type Sandbox = {
  client: SandboxClient;
  keys: KeyKeeper;
  log: RequestLog;
  /** Starts it, where that is the shop's to do, so that its first visitor need not wait. */
  begin: () => void;
  stop: () => Promise<void>;
};

/** The sandbox of the live shop in `db`; null for a shop that has none, and for one that is a sandbox. */
export function sandboxOf(config: Config, db: Db, jwtSecret: string): Sandbox | null {
  const process = config.shopMode === "live" ? processOf(config, jwtSecret) : null;
  if (!process) return null;
  const keys = passKeysOf(jwtSecret, config.previousJwtSecret);
  const client = createSandbox({ addressOf: process.addressOf, isAwake: process.isAwake, keys });
  const usernameOf = async (userId: number) => (await users.get(db, userId)).username;
  return {
    client,
    keys: createSandboxKeys(client, usernameOf),
    log: createSandboxLog(client, usernameOf),
    ...{ begin: process.begin, stop: process.stop },
  };
}

type SandboxProcess = {
  addressOf: () => Promise<string>;
  isAwake: () => boolean;
  begin: () => void;
  stop: () => Promise<void>;
};

function processOf(config: Config, jwtSecret: string): SandboxProcess | null {
  const { sandboxUrl, mode, databaseUrl } = config;
  if (sandboxUrl)
    return { addressOf: async () => sandboxUrl, isAwake: () => true, begin: () => {}, stop: async () => {} };
  return mode === "development" && databaseUrl === null ? ownProcess(config, jwtSecret) : null;
}

type Running = { address: string; child: Bun.Subprocess<"pipe", "pipe", "inherit"> };

function ownProcess(config: Config, jwtSecret: string): SandboxProcess {
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
  const addressOf = async () => {
    if (isStopping) throw new Error("the shop is stopping");
    running ??= start();
    return (await running).address;
  };
  return {
    addressOf,
    begin: () => void addressOf().catch(() => {}),
    isAwake: () => running !== null && !isStopping,
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
