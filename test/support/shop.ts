// The real program as a process of its own, for tests that kill it.
import { join } from "node:path";
import { TEST_JWT_SECRET } from "./world.ts";

export type Shop = {
  url: string;
  /** The process is killed without a warning (SIGKILL). */
  kill: () => Promise<void>;
  /** The process is asked to stop (SIGTERM); returns its exit code. */
  stop: () => Promise<number>;
};

/** Starts `src/main.ts` on a database and waits until it takes requests. */
export async function startShop(
  databaseUrl: string,
  environment: Record<string, string> = {},
): Promise<Shop> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts")], {
    env: {
      ...process.env,
      NODE_ENV: "development",
      DATABASE_URL: databaseUrl,
      JWT_SECRET: TEST_JWT_SECRET,
      DEMO: "false",
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "error",
      ...environment,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const url = await addressIn(child.stdout);
  return {
    url,
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
    stop: async () => {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  const reader = output.getReader();
  const decoder = new TextDecoder();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    said += decoder.decode(chunk.value);
    const address = /DataFie is running at (http\S+)/.exec(said)?.[1];
    if (address) {
      void drain(reader);
      return address;
    }
  }
  throw new Error(`the shop ended before it was ready; it said:\n${said}`);
}

/** Nobody may block on a full pipe. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
