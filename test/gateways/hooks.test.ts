// Tests of the webhook sender over real sockets: it calls the address that was checked, the certificate must match the
// name, and an endpoint can cost at most a few seconds.
import { afterAll, expect, test } from "bun:test";
import { createServer, type TLSSocket } from "node:tls";
import { startEndpoint } from "../../dev/simulators/endpoint.ts";
import { createHookSender } from "../../src/gateways/webhooks.ts";
import { CERT, KEY } from "../support/certificate.ts";
import { longTest } from "../support/long.ts";

const plain = startEndpoint();
const secure = startEndpoint({ cert: CERT, key: KEY });
afterAll(() => {
  plain.stop();
  secure.stop();
});
const portOf = (url: string) => new URL(url).port;
const message = (url: string) => ({
  url,
  headers: { "content-type": "application/json", "webhook-id": "msg_1" },
  body: '{"a":1}',
});
const rules = { isDevelopment: true, reachesThisMachine: true, ca: CERT };
/** Every name resolves to this machine. */
const atHome = { ...rules, resolve: async () => ["127.0.0.1"] };
const here = createHookSender(atHome);

test("a message arrives unchanged, with its headers and the intended host name", async () => {
  plain.answer(() => new Response("thank you", { status: 202 }));
  const url = `http://hook.example:${portOf(plain.url)}/in?x=1`;
  expect(await here.post(message(url))).toEqual({ kind: "answered", status: 202 });
  const [taken] = plain.received();
  expect(taken).toMatchObject({ path: "/in", body: '{"a":1}' });
  expect(taken!.headers.get("host")).toBe(`hook.example:${portOf(plain.url)}`);
  expect(taken!.headers.get("webhook-id")).toBe("msg_1");
});

test("a name is resolved once for each call, and only by the sender", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  let resolved = 0;
  const rebinding = createHookSender({ ...rules, resolve: async () => answers[resolved++]! });
  // The system's resolver does not know this name, so that using it would fail.
  const url = `https://hook.example:${portOf(secure.url)}/`;
  expect(await rebinding.post(message(url))).toEqual({ kind: "answered", status: 204 });
  expect(resolved).toBe(1);
  // Afterwards the name resolves differently, and nothing is sent there.
  expect(await rebinding.post(message(url))).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("public internet"),
  });
  expect(resolved).toBe(2);
});

test("a name that was public when it was registered is not called once it points to a local address", async () => {
  let address = "93.184.215.14";
  const strict = createHookSender({
    isDevelopment: true,
    reachesThisMachine: false,
    resolve: async () => [address],
  });
  const url = `http://hook.example:${portOf(plain.url)}/`;
  expect(await strict.problemOf(url)).toBeNull();
  address = "127.0.0.1";
  const before = plain.received().length;
  expect((await strict.post(message(url))).kind).toBe("refused");
  expect(plain.received()).toHaveLength(before);
});

test("the certificate must be for the name, and from a trusted issuer", async () => {
  const port = portOf(secure.url);
  expect(await here.post(message(`https://hook.example:${port}/`))).toEqual({
    kind: "answered",
    status: 204,
  });
  const believed = expect.stringContaining("certificate");
  expect(await here.post(message(`https://other.example:${port}/`))).toEqual({
    kind: "unanswered",
    reason: believed,
  });
  expect(await here.post(message(`https://127.0.0.1:${port}/`))).toEqual({
    kind: "unanswered",
    reason: believed,
  });
  const { ca: _, ...without } = rules;
  const unknown = createHookSender({ ...without, resolve: async () => ["127.0.0.1"] });
  expect(await unknown.post(message(`https://hook.example:${port}/`))).toEqual({
    kind: "unanswered",
    reason: believed,
  });
});

test("the server gets the name before it shows its certificate (SNI)", async () => {
  const names: (string | false | null | undefined)[] = [];
  const server = createServer({ cert: CERT, key: KEY }, (socket: TLSSocket) => {
    names.push(socket.servername);
    socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  expect(await here.post(message(`https://hook.example:${port}/`))).toEqual({
    kind: "answered",
    status: 204,
  });
  expect(names).toEqual(["hook.example"]);
  server.close();
});

test("a redirect counts as an answer and is not followed", async () => {
  const before = plain.received().length;
  for (const status of [301, 302, 303, 307, 308]) {
    plain.answer(() => new Response(null, { status, headers: { location: `${plain.url}/elsewhere` } }));
    expect(await here.post(message(`${plain.url}/`))).toEqual({ kind: "answered", status });
  }
  expect(plain.received()).toHaveLength(before + 5);
  expect(plain.received().some(({ path }) => path === "/elsewhere")).toBe(false);
});

test("an answer that never ends, or decompresses to a huge size, is dropped at once", async () => {
  let sent = 0;
  plain.answer(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            sent += 1;
            controller.enqueue(new Uint8Array(65_536));
          },
        }),
      ),
  );
  expect(await here.post(message(`${plain.url}/`))).toEqual({ kind: "answered", status: 200 });
  const bomb = Bun.gzipSync(new Uint8Array(50_000_000));
  plain.answer(() => new Response(bomb, { headers: { "content-encoding": "gzip" } }));
  expect(await here.post(message(`${plain.url}/`))).toEqual({ kind: "answered", status: 200 });
  expect(sent * 65_536).toBeLessThan(64_000_000);
});

longTest("an endpoint that takes too long to resolve, connect or answer has not answered", async () => {
  const late = { kind: "unanswered", reason: "No answer within 1.5 seconds" } as const;
  const hasty = createHookSender({ ...atHome, timeoutMs: 1500 });
  plain.answer(() => new Promise(() => {}));
  expect(await hasty.post(message(`${plain.url}/`))).toEqual(late);
  const drip = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.write("HTTP/1.1 200 ") },
  });
  expect(await hasty.post(message(`http://hook.example:${drip.port}/`))).toEqual(late);
  drip.stop(true);
  const nameless = createHookSender({ ...rules, resolve: () => new Promise(() => {}), timeoutMs: 300 });
  expect((await nameless.post(message("https://hook.example/"))).kind).toBe("unanswered");
});

test("a closed port and an answer that is not HTTP are failures with our own messages", async () => {
  const closed = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = closed;
  closed.stop(true);
  expect(await here.post(message(`http://hook.example:${port}/`))).toEqual({
    kind: "unanswered",
    reason: "The connection was refused",
  });
  const rude = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.end("220 mail\r\n") },
  });
  expect((await here.post(message(`http://hook.example:${rude.port}/`))).kind).toBe("unanswered");
  rude.stop(true);
});

test("without its own resolver it uses the system's, which does not know the name", async () => {
  const real = createHookSender({ isDevelopment: false, reachesThisMachine: false });
  expect(await real.problemOf("https://nobody.invalid/")).toContain("No server");
  expect(await real.problemOf("https://localhost/")).toContain("public internet");
});

test("an unknown name and one in this network get the same refusal, so that neither is revealed", async () => {
  const problemOf = (addresses: string[]) =>
    createHookSender({
      isDevelopment: false,
      reachesThisMachine: false,
      resolve: async () => addresses,
    }).problemOf("https://intranet.example/");
  const nobody = await problemOf([]);
  expect(nobody).toContain("public internet");
  for (const address of ["10.0.0.1", "127.0.0.1", "169.254.169.254", "fd00::1", "::1"])
    expect(await problemOf([address])).toBe(nobody);
});
