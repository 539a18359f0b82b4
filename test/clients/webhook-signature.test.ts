// Tests of the client's check of webhooks: it agrees with the shop's signatures, and accepts nothing else.
import { expect, test } from "bun:test";
import { verifyWebhook, WebhookError } from "../../clients/typescript/src/index.ts";
import { newSecret, signedHeaders } from "../../src/core/webhooks/signature.ts";

const secret = newSecret();
const body = JSON.stringify({
  type: "ping",
  timestamp: "2026-11-21T09:30:00.123456Z",
  data: { webhookId: 3 },
});
const nowMs = Date.parse("2026-11-21T09:30:00Z");
const atSeconds = nowMs / 1000;
const headers = signedHeaders([secret], { id: "msg_1", atSeconds, body });
const refused = (call: Promise<unknown>) => expect(call).rejects.toBeInstanceOf(WebhookError);

test("a message that the shop signed is accepted, as text and as bytes, with headers of every kind", async () => {
  const message = JSON.parse(body);
  expect(await verifyWebhook(body, headers, secret, { nowMs })).toEqual(message);
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { nowMs })).toEqual(message);
  const likeNode = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  expect(await verifyWebhook(body, likeNode, [secret], { nowMs })).toEqual(message);
  const accents = JSON.stringify({ type: "ping", note: "GH₵ 3.90 – Ɛyɛ 🎉" });
  const signed = signedHeaders([secret], { id: "msg_2", atSeconds, body: accents });
  expect(await verifyWebhook(accents, signed, secret, { nowMs })).toEqual(JSON.parse(accents));
});

test("while a secret is replaced, either of both sides may have two", async () => {
  const [older, newer] = [newSecret(), newSecret()];
  const both = signedHeaders([newer, older], { id: "msg_1", atSeconds, body });
  for (const one of [older, newer, [older, newer], [newSecret(), older]])
    expect(await verifyWebhook(body, both, one, { nowMs })).toMatchObject({ type: "ping" });
  await refused(verifyWebhook(body, both, newSecret(), { nowMs }));
});

test("nothing else is accepted", async () => {
  const forged: [string, Record<string, string>][] = [
    [body.replace("3", "4"), {}],
    [body, { "webhook-id": "msg_2" }],
    [body, { "webhook-timestamp": String(atSeconds + 1) }],
    [body, { "webhook-signature": "" }],
    [body, { "webhook-signature": "v1," }],
    [body, { "webhook-signature": "v1,not base64!" }],
    [body, { "webhook-signature": headers["webhook-signature"]!.replace("v1,", "v1a,") }],
    [body, { "webhook-signature": `${"v1,AAAA ".repeat(10)}${headers["webhook-signature"]}` }],
    [body, { "webhook-timestamp": "now" }],
  ];
  for (const [sent, change] of forged) await refused(verifyWebhook(sent, { ...headers, ...change }, secret, { nowMs }));
  await refused(verifyWebhook(body, {}, secret, { nowMs }));
  await refused(verifyWebhook(body, headers, "whsec_", { nowMs }));
  await refused(verifyWebhook(body, headers, [], { nowMs }));
});

test("a message is accepted within five minutes, or within what the program allows", async () => {
  const after = (seconds: number, toleranceSeconds?: number) =>
    verifyWebhook(body, headers, secret, {
      nowMs: nowMs + seconds * 1000,
      ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    });
  for (const seconds of [-300, 0, 300]) expect(await after(seconds)).toMatchObject({ type: "ping" });
  for (const seconds of [-301, 301]) await refused(after(seconds));
  await refused(after(11, 10));
});
