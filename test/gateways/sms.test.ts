// The SMS senders for Arkesel and Hubtel, against their simulators: each outcome says how much is certain.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { startArkesel } from "../../dev/simulators/arkesel.ts";
import { startHubtel } from "../../dev/simulators/hubtel.ts";
import type { Sender } from "../../src/core/messaging/sender.ts";
import { createArkesel } from "../../src/gateways/arkesel.ts";
import { createHubtel } from "../../src/gateways/hubtel.ts";

const [arkesel, hubtel] = await Promise.all([startArkesel(), startHubtel()]);
afterAll(() => Promise.all([arkesel.stop(), hubtel.stop()]));
beforeEach(() => {
  for (const simulator of [arkesel, hubtel]) simulator.reset();
});

const REPORTS = "https://shop.example/channels/arkesel/secret/delivery";
const atArkesel = { ...arkesel, baseUrl: arkesel.url, reportUrl: () => REPORTS };
const atHubtel = { ...hubtel, baseUrl: hubtel.url };
/** For a simulator that does not answer. */
const HASTY = { timeoutMs: 300 };
const send = (by: Sender, ending = "67") =>
  by.send({ id: 1, kind: "test", recipient: `2335412345${ending}`, subject: null, body: "Hello" });

const WIRES = [
  ["Arkesel", createArkesel(atArkesel), createArkesel({ ...atArkesel, ...HASTY }), arkesel, "2"],
  ["Hubtel", createHubtel(atHubtel), createHubtel({ ...atHubtel, ...HASTY }), hubtel, "3"],
] as const;

for (const [name, sender, hasty, simulator, tens] of WIRES)
  describe(`an SMS by ${name}`, () => {
    test("is accepted, with the provider's id", async () => {
      const sent = await send(sender);
      const [message] = simulator.messages();
      expect(message).toMatchObject({ to: "+233541234567", from: "DataFie", message: "Hello" });
      expect(sent).toEqual({ kind: "accepted", providerId: message!.messageId });
    });

    for (const [ending, kind] of [
      ["1", "refused"],
      ["2", "unknown"],
      ["3", "unknown"],
      ["4", "down"],
      ["5", "unknown"],
    ] as const)
      test(`to a number that ends in ${tens}${ending} is ${kind}`, async () => {
        expect((await send(ending === "2" ? hasty : sender, tens + ending)).kind).toBe(kind);
      });

    test("is unknown after an answer that is no result", async () => {
      simulator.next("html200");
      expect(await send(sender)).toMatchObject({ kind: "unknown" });
    });
  });

describe("a fault of the account stops no message for good, and its keys are in no outcome:", () => {
  for (const [about, sender] of [
    ["a wrong key at Arkesel", createArkesel({ ...atArkesel, apiKey: "a-secret-key" })],
    ["a wrong secret at Hubtel", createHubtel({ ...atHubtel, clientSecret: "a-secret-key" })],
    ["an unknown sender name at Hubtel", createHubtel({ ...atHubtel, senderId: "Nobody" })],
    ["nobody answers for Arkesel", createArkesel({ ...atArkesel, baseUrl: "http://127.0.0.1:1" })],
    ["nobody answers for Hubtel", createHubtel({ ...atHubtel, baseUrl: "http://127.0.0.1:1" })],
  ] as const)
    test(about, async () => {
      const outcome = await send(sender);
      expect(outcome.kind).toBe("down");
      for (const secret of ["a-secret-key", arkesel.apiKey, hubtel.clientSecret, "541234567"])
        expect(JSON.stringify(outcome)).not.toContain(secret);
    });
});

test("Hubtel's refusal for a recipient that has not agreed bars the other gateways from notices", async () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => Response.json({ statusDescription: "Forbidden" }, { status: 403 }),
  });
  const outcome = await send(createHubtel({ ...atHubtel, baseUrl: `http://127.0.0.1:${server.port}` }));
  expect(outcome).toEqual({ kind: "refused", reason: "HTTP 403", barred: "opt_out" });
  await server.stop(true);
});

test("Arkesel gets the address for its reports with each message, and none without one", async () => {
  const heard = Promise.withResolvers<string>();
  const shop = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      heard.resolve(new URL(request.url).search);
      return new Response();
    },
  });
  const reportUrl = () => `http://127.0.0.1:${shop.port}/reports`;
  await send(createArkesel({ ...atArkesel, reportUrl }));
  const { messageId } = arkesel.messages()[0]!;
  expect(await arkesel.report(messageId, "DELIVERED")).toBe(200);
  expect(await heard.promise).toBe(`?sms_id=${messageId}&status=DELIVERED`);
  await send(createArkesel({ ...atArkesel, reportUrl: () => null }));
  const second = arkesel.messages()[1]!.messageId;
  expect(await arkesel.report(second, "DELIVERED").catch((error: Error) => error.message)).toContain("nowhere");
  await shop.stop(true);
});
