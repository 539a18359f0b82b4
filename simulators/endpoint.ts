// A developer's endpoint: takes messages, remembers them to the letter, and answers as it is told.
export type Taken = { path: string; headers: Headers; body: string; at: number };
type Answering = (taken: Taken) => Response | Promise<Response>;

export type Endpoint = {
  url: string;
  taken: () => Taken[];
  /** How it answers from now on; at first 204 to everything. */
  answer: (how: Answering) => void;
  /** The first message like this, once it has come. */
  first: (isWanted: (taken: Taken) => boolean) => Promise<Taken>;
  /** The most that it had open at the same time. */
  mostAtOnce: () => number;
  stop: () => void;
};

/** Starts on a free port of this machine; with `tls` it speaks https. */
export function startEndpoint(tls?: { cert: string; key: string }): Endpoint {
  const all: Taken[] = [];
  const waiting = new Set<() => void>();
  let how: Answering = () => new Response(null, { status: 204 });
  let open = 0;
  let most = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls }),
    idleTimeout: 0,
    fetch: async (request) => {
      most = Math.max(most, ++open);
      const { pathname: path } = new URL(request.url);
      const taken = { path, headers: request.headers, body: await request.text(), at: Date.now() };
      all.push(taken);
      for (const look of waiting) look();
      try {
        return await how(taken);
      } finally {
        open -= 1;
      }
    },
  });
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${server.port}`,
    taken: () => all,
    answer: (next) => {
      how = next;
    },
    first: (isWanted) =>
      new Promise((resolve) => {
        const look = () => {
          const found = all.find(isWanted);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    mostAtOnce: () => most,
    stop: () => void server.stop(true),
  };
}
