// A separate process that buys over HTTP: raw keep-alive sockets, prepared requests, one at a time on each socket. It
// does as little as possible, because it shares the processors with what it measures.
import type { Socket } from "bun";
import { latencyOf, numberAt } from "./numbers.ts";

export type Setting = { port: number; tokens: string[]; productIds: number[] };
export type Load = {
  clients: number;
  seconds: number;
  /** Everybody buys from the last agent's wallet. */
  isHot: boolean;
  /** The index of the first invented number to use. */
  firstNumber: number;
};
export type Outcome = {
  /** Purchases that were answered within the measured time, and their durations. */
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Purchases that were answered with 201, also before and after. */
  acknowledged: number;
  /** Any other answers. */
  failures: string[];
};

const WARM_UP_SECONDS = 0.3;
/** More than a fast server answers; beyond that, requests are prepared on the way. */
const REQUESTS_PER_SECOND = 20_000;

let setting: Setting | null = null;
process.on("message", async (message: Setting | Load) => {
  if ("tokens" in message) setting = message;
  else process.send!(await run(setting!, message));
});
process.on("disconnect", () => process.exit(0));

async function run(to: Setting, load: Load): Promise<Outcome> {
  const requests = makeRequests(to, load);
  const durationsMs: number[] = [];
  const failures: string[] = [];
  let acknowledged = 0;
  const startsAt = performance.now() + WARM_UP_SECONDS * 1000;
  const endsAt = startsAt + load.seconds * 1000;
  const buyOn = async () => {
    const connection = await open(to.port);
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const refusal = await connection.ask(requests());
      const answeredAt = performance.now();
      if (refusal) failures.push(refusal);
      else acknowledged += 1;
      if (answeredAt > startsAt && answeredAt <= endsAt) durationsMs.push(answeredAt - sentAt);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.clients }, buyOn));
  const latency = latencyOf(durationsMs);
  return {
    perSecond: durationsMs.length / load.seconds,
    ...latency,
    acknowledged,
    failures: failures.slice(0, 5),
  };
}

/** Returns a function for the next request; most are prepared before the first is sent. */
function makeRequests(to: Setting, load: Load): () => string {
  const agents = to.tokens.length - 1;
  const make = (n: number) => {
    const token = to.tokens[load.isHot ? agents : Math.floor(Math.random() * agents)];
    const productId = to.productIds[n % to.productIds.length];
    const msisdn = `0${numberAt(load.firstNumber + n).slice(3)}`;
    const body = `{"productId":${productId},"msisdn":"${msisdn}","quantity":1,"pay":"wallet"}`;
    return (
      `POST /api/v1/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
      `Idempotency-Key: bench-${load.firstNumber + n}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  const ready = Array.from({ length: REQUESTS_PER_SECOND * load.seconds }, (_, n) => make(n));
  let next = 0;
  return () => ready[next++] ?? make(next - 1);
}

type Connection = {
  /** Sends a request and waits for the whole answer: null for 201, otherwise its text. */
  ask: (request: string) => Promise<string | null>;
  close: () => void;
};

async function open(port: number): Promise<Connection> {
  let answer = "";
  let resolve: (refusal: string | null) => void = () => {};
  const read = (_: Socket, data: Buffer) => {
    answer += data.toString("latin1");
    const headEnd = answer.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const length = /content-length: (\d+)/i.exec(answer)?.[1];
    if (length === undefined) return resolve("an answer without a length");
    if (answer.length < headEnd + 4 + Number(length)) return;
    const whole = answer;
    answer = "";
    resolve(whole.startsWith("HTTP/1.1 201") ? null : whole.slice(0, 600));
  };
  const close = () => resolve("the connection was closed");
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: read, close } });
  return {
    ask: (request) =>
      new Promise((done) => {
        resolve = done;
        socket.write(request);
      }),
    close: () => socket.end(),
  };
}
