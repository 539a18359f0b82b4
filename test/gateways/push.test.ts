// Push messages on the wire: encrypted and signed as the specifications say, and sent to no address in our own network.
import { afterAll, expect, test } from "bun:test";
import { startPushService } from "../../dev/simulators/push.ts";
import { createPush, encrypt, newVapidKeys } from "../../src/gateways/push.ts";
import { createHookSender } from "../../src/gateways/webhooks.ts";
import { limits } from "../../src/shared/domain.ts";
import { createTestHooks } from "../support/world.ts";

const keys = { ...newVapidKeys(), subject: "mailto:shop@example.com" };
const service = startPushService(keys.publicKey);
afterAll(() => service.stop());
const push = createPush(keys, createTestHooks());
const content = { title: "DataFie", body: "1GB to … 0012 was delivered.", path: "/orders", tag: "message 1" };

test("the example of RFC 8291 is encrypted as it stands there", () => {
  const bytes = (text: string) => Buffer.from(text, "base64url");
  const target = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const own = {
    salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
    privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  };
  const sealed = encrypt(target, Buffer.from("When I grow up, I want to be a watermelon"), own);
  expect(Buffer.from(sealed).toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6P" +
      "Bru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("a browser can read its message, and its push service knows who sent it", async () => {
  const browser = service.subscribe();
  expect(await push.send(browser, content)).toEqual({ kind: "accepted", providerId: null });
  const [shown] = service.shownBy(browser);
  expect(shown!.content).toEqual(content);
  expect(shown!.headers.get("ttl")).toBe("14400");
  const stranger = createPush({ ...newVapidKeys(), subject: keys.subject }, createTestHooks());
  expect(await stranger.send(browser, content)).toEqual({ kind: "gone" });
});

test("an answer decides whether it is tried again, or the browser is forgotten", async () => {
  const browser = service.subscribe();
  const outcomes: [number, string][] = [
    [404, "gone"],
    [410, "gone"],
    [429, "busy"],
    [503, "busy"],
    [401, "down"],
    [413, "refused"],
    [302, "refused"],
    [201, "accepted"],
  ];
  for (const [status, kind] of outcomes) {
    service.answer(status);
    const { kind: outcome } = await push.send(browser, content);
    expect(`${status} ${outcome}`).toBe(`${status} ${kind}`);
  }
});

test("an address in our own network, or keys that are none, are refused before anything is sent", async () => {
  const strict = createPush(keys, createTestHooks({ reachesThisMachine: false }));
  const browser = service.subscribe();
  const before = service.requestCount();
  for (const endpoint of [browser.endpoint, "http://10.0.0.1:8080/push", "http://169.254.169.254/latest"]) {
    expect(await strict.problemOf({ ...browser, endpoint })).not.toBeNull();
    expect((await strict.send({ ...browser, endpoint }, content)).kind).toBe("refused");
  }
  expect(await push.problemOf({ ...browser, p256dh: `B${"A".repeat(86)}` })).toContain("keys");
  expect(await push.problemOf({ ...browser, auth: "short" })).toContain("keys");
  expect(await push.problemOf(browser)).toBeNull();
  expect(service.requestCount()).toBe(before);
});

test("in production an address is https at its usual port, and public whenever it is called", async () => {
  let addresses = ["93.184.216.34"];
  const sender = createHookSender({
    ...{ isDevelopment: false, reachesThisMachine: false },
    resolve: async () => addresses,
  });
  const production = createPush(keys, sender);
  const at = (endpoint: string) => ({ ...service.subscribe(), endpoint });
  const wrong = [
    ...["http://push.example/x", "https://push.example:8443/x", "https://me:secret@push.example/x", "file:///x"],
    `https://push.example/${"x".repeat(limits.hookUrlChars)}`,
  ];
  for (const endpoint of wrong) {
    expect([endpoint, await production.problemOf(at(endpoint))]).toEqual([endpoint, expect.any(String)]);
    expect((await production.send(at(endpoint), content)).kind).toBe("refused");
  }
  const browser = at("https://push.example/x");
  expect(await production.problemOf(browser)).toBeNull();
  // The name leads into our network by the time of the message.
  for (const own of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1"]) {
    addresses = ["93.184.216.34", own];
    expect((await production.send(browser, content)).kind).toBe("refused");
  }
});
