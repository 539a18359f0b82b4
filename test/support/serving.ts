// The shop behind a port, for clients of every kind, and a line to it that can be cut.
import { createServer, connect as dial, type Socket } from "node:net";
import type { App } from "../../src/app/server.ts";

export type Served = { url: string; stop: () => Promise<void> };

/** The application at an address of this machine. */
export function serveApp(app: App): Served {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

export type Line = Served & {
  /** The next so many answers are lost: the shop has done the work, and the connection breaks before its answer. */
  loseAnswers: (count: number) => void;
  /** How many answers were lost so far. */
  lost: () => number;
};

/** A line to a server, which passes every byte on until it loses an answer. */
export async function openLine(to: string): Promise<Line> {
  const { hostname, port } = new URL(to);
  let [toLose, lost] = [0, 0];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const shop = dial({ host: hostname, port: Number(port) });
    for (const socket of [client, shop]) {
      sockets.add(socket);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        shop.destroy();
      });
      // A broken line is the premise, not a fault.
      socket.on("error", () => {});
    }
    client.pipe(shop);
    shop.on("data", (bytes) => {
      if (toLose === 0) return void client.write(bytes);
      toLose -= 1;
      lost += 1;
      client.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    loseAnswers: (count) => {
      toLose = count;
    },
    lost: () => lost,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
