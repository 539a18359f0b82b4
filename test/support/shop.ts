// The real program as a separate process, for tests that kill it.
import { join } from "node:path";
import { TEST_CARD_KEY, TEST_JWT_SECRET } from "./world.ts";

export type Shop = {
  /** Empty for a separate worker. */
  url: string;
  pid: number;
  /** Kills the process without warning (SIGKILL). */
  kill: () => Promise<void>;
  /** Asks the process to stop (SIGTERM); returns its exit code. */
  stop: () => Promise<number>;
  /** Freezes the process (SIGSTOP), as on a starved machine; after `resume` it continues as if nothing had happened. */
  pause: () => void;
  resume: () => void;
  /** Everything the process has written so far, including logs. */
  output: () => string;
};

/**
 * Starts `src/app/main.ts` on a database and waits until it accepts requests; `root` is the folder of a copy of the
 * project.
 */
export async function startShop(
  databaseUrl: string,
  environment: Record<string, string> = {},
  root = join(import.meta.dir, "../.."),
): Promise<Shop> {
  return started(spawnShop(databaseUrl, environment, root));
}

/** The same, and nothing at all in its environment but this. */
export async function startAlone(environment: Record<string, string>): Promise<Shop> {
  return started(spawn(environment, join(import.meta.dir, "../..")));
}

async function started(child: ReturnType<typeof spawn>): Promise<Shop> {
  const written = { text: "" };
  void keep(child.stderr, written, (chunk) => process.stderr.write(chunk));
  void keep(child.stdout, written);
  const url = await addressIn(written, child.exited);
  return {
    url,
    pid: child.pid,
    output: () => written.text,
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
    stop: async () => {
      child.kill("SIGTERM");
      return child.exited;
    },
    pause: () => child.kill("SIGSTOP"),
    resume: () => child.kill("SIGCONT"),
  };
}

/** The process alone, from its first moment, when it does not accept requests yet. */
export function spawnShop(
  databaseUrl: string,
  environment: Record<string, string>,
  root = join(import.meta.dir, "../.."),
) {
  return spawn(
    {
      ...(process.env as Record<string, string>),
      NODE_ENV: "development",
      // As `bun run start` and the image have it: the memory by which the garbage collector sizes the heap.
      BUN_JSC_forceRAMSize: "536870912",
      DATABASE_URL: databaseUrl,
      JWT_SECRET: TEST_JWT_SECRET,
      CARD_KEY: TEST_CARD_KEY,
      DEMO: "false",
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "error",
      // Tests and measurements send in a moment what people send in a day.
      REQUESTS_PER_SECOND: "1000000",
      REQUESTS_AT_ONCE: "1000000",
      // Nothing listens there: a test of payments, vendors or messages names its simulator.
      PAYSTACK_BASE_URL: "http://127.0.0.1:1",
      PAYSTACK_SECRET_KEY: "sk_test_simulator",
      AT_BASE_URL: "http://127.0.0.1:1",
      AT_USERNAME: "datafie",
      AT_API_KEY: "nobody answers",
      HUBNET_BASE_URL: "http://127.0.0.1:1",
      HUBNET_API_KEY: "nobody answers",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "DataFie <no-reply@example.com>",
      ...environment,
    },
    root,
  );
}

function spawn(env: Record<string, string>, root: string) {
  return Bun.spawn([process.execPath, join(root, "src/app/main.ts")], {
    ...{ env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
}

/** A free port, so that an address outlives the process behind it. */
export function freePort(): string {
  return freePorts(1)[0]!;
}

/** Several free ports, all different. */
export function freePorts(count: number): string[] {
  const listeners = Array.from({ length: count }, () =>
    Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }),
  );
  for (const listener of listeners) listener.stop(true);
  return listeners.map(({ port }) => String(port));
}

type Written = { text: string; onMore?: () => void };

/** Reads to the end, so that the process never blocks on a full pipe. */
async function keep(
  stream: ReadableStream<Uint8Array>,
  written: Written,
  passOn: (chunk: Uint8Array) => void = () => {},
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    passOn(chunk);
    written.text += decoder.decode(chunk, { stream: true });
    written.onMore?.();
  }
}

async function addressIn(written: Written, exited: Promise<number>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  written.onMore = () => {
    const address = /DataFie(?:'s sandbox)? is running at (http\S+)/.exec(written.text)?.[1];
    if (address) resolve(address);
    // A separate worker has no address.
    if (written.text.includes("DataFie's worker is running")) resolve("");
  };
  void exited.then(() => reject(new Error(`the shop ended before it was ready; it said:\n${written.text}`)));
  return promise;
}
