// A developer's webhook endpoint: it stores messages exactly as received, and answers as instructed.
export type ReceivedMessage = { path: string; headers: Headers; body: string; at: number };
type Responder = (received: ReceivedMessage) => Response | Promise<Response>;

export type Endpoint = {
  url: string;
  received: () => ReceivedMessage[];
  /** Sets how it answers from now on; the default is 204. */
  answer: (how: Responder) => void;
  /** The first message that matches, as soon as it has arrived. */
  first: (matches: (taken: ReceivedMessage) => boolean) => Promise<ReceivedMessage>;
  /** The largest number of concurrent requests so far. */
  concurrencyMax: () => number;
  stop: () => void;
};

/** Starts on a free port of this machine; with `tls` it speaks https. */
export function startEndpoint(tls?: { cert: string; key: string }): Endpoint {
  const all: ReceivedMessage[] = [];
  const waiting = new Set<() => void>();
  let how: Responder = () => new Response(null, { status: 204 });
  let open = 0;
  let concurrencyMax = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls }),
    idleTimeout: 0,
    fetch: async (request) => {
      concurrencyMax = Math.max(concurrencyMax, ++open);
      const { pathname: path } = new URL(request.url);
      const taken = { path, headers: request.headers, body: await request.text(), at: Date.now() };
      all.push(taken);
      for (const check of waiting) check();
      try {
        return await how(taken);
      } finally {
        open -= 1;
      }
    },
  });
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${server.port}`,
    received: () => all,
    answer: (next) => {
      how = next;
    },
    first: (isWanted) =>
      new Promise((resolve) => {
        const check = () => {
          const found = all.find(isWanted);
          if (!found) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    concurrencyMax: () => concurrencyMax,
    stop: () => void server.stop(true),
  };
}
