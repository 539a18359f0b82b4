// Tests of the simulated phone: it sends what Africa's Talking was recorded to send, and rejects answers that would
// have ended a session.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { type Call, listen, type Outcome } from "../../dev/simulators/http.ts";
import { GatewayError, openPhone } from "../../dev/simulators/phone.ts";

const calls: Call[] = [];
const events: Record<string, string>[] = [];
let answer: (form: URLSearchParams) => Outcome | Promise<Outcome> = () => plain("CON Welcome");
const plain = (body: string, headers: Record<string, string> = {}): Outcome => ({
  status: 200,
  headers: { "content-type": "text/plain", ...headers },
  body,
});
/** Takes the place of the shop's callbacks. */
const shop = await listen(0, async (call) => {
  if (call.path === "/events") {
    events.push(Object.fromEntries(new URLSearchParams(call.text)));
    return plain("");
  }
  calls.push(call);
  return answer(new URLSearchParams(call.text));
});
afterAll(shop.stop);
beforeEach(() => {
  calls.length = events.length = 0;
  answer = () => plain("CON Welcome");
});
const open = (answerMsMax = 2000) =>
  openPhone({
    msisdn: "233541234567",
    ussdUrl: `${shop.url}/ussd`,
    eventsUrl: `${shop.url}/events`,
    inboundUrl: `${shop.url}/inbound`,
    answerMsMax,
  });
const texts = () => calls.map(({ text }) => new URLSearchParams(text).get("text"));

test("a request has the fields in the recorded order, percent-encoded, and each dial is a new session", async () => {
  const phone = open();
  expect(await phone.dial()).toEqual({ text: "Welcome", isOpen: true, body: "CON Welcome" });
  await phone.reply("1");
  await phone.reply("2");
  const id = phone.sessionId();
  expect(id).toMatch(/^ATUid_[0-9a-f]{32}$/);
  expect(calls[2]!.text).toBe(
    `phoneNumber=%2B233541234567&serviceCode=%2A920%2A55%23&text=1%2A2&sessionId=${id}&networkCode=62001`,
  );
  expect(calls[2]!.headers).toMatchObject({
    "user-agent": "at-ussd-api/1.0",
    "accept-encoding": "gzip",
    "content-type": "application/x-www-form-urlencoded",
  });
  await phone.dial("1*2");
  expect(phone.sessionId()).not.toBe(id);
  expect(texts()).toEqual(["", "1", "1*2", "1*2"]);
});

test("all input stays in the text, also empty input", async () => {
  const phone = open();
  await phone.dial();
  for (const typed of ["", "7", "a*b", ""]) await phone.reply(typed);
  expect(texts()).toEqual(["", "", "*7", "*7*a*b", "*7*a*b*"]);
});

test("a request can be repeated unchanged, or sent in an impossible form", async () => {
  const phone = open();
  await phone.dial();
  await phone.reply("1");
  await Promise.all([phone.redeliver(), phone.redeliver()]);
  expect(new Set(calls.slice(1).map(({ text }) => text)).size).toBe(1);
  await phone.raw("9*9", { phoneNumber: "+233200000000" });
  expect(calls.at(-1)!.text).toContain("phoneNumber=%2B233200000000");
  await phone.reply("2");
  expect(texts().at(-1)).toBe("1*2");
});

test("the end is reported with all input: completed, hung up, or after an invalid answer", async () => {
  const phone = open();
  await phone.dial();
  answer = () => plain("END Done", { "at-ussd-hop-metadata": "done" });
  await phone.reply("1");
  expect(events).toEqual([
    {
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      sessionId: phone.sessionId(),
      serviceCode: "*920*55#",
      networkCode: "62001",
      phoneNumber: "+233541234567",
      status: "Success",
      cost: "GHS 0.0500",
      durationInMillis: expect.stringMatching(/^\d+$/),
      hopsCount: "2",
      hopsMetadata: "done",
      input: "1",
      lastAppResponse: "END Done",
    },
  ]);
  expect(() => phone.reply("2")).toThrow("waits for no reply");
  answer = () => plain("CON Welcome");
  await phone.dial();
  await phone.hangUp();
  answer = () => plain("Welcome");
  await phone.dial().catch(() => {});
  expect(events.map(({ status }) => status)).toEqual(["Success", "Incomplete", "Failed"]);
});

for (const [label, body, status, type] of [
  ["no prefix", "Welcome", 200, "text/plain"],
  ["a space before it", " CON Welcome", 200, "text/plain"],
  ["a space after it", "CON  Welcome", 200, "text/plain"],
  ["nothing", "", 200, "text/plain"],
  ["an empty screen", "END ", 200, "text/plain"],
  ["161 characters", `CON ${"x".repeat(157)}`, 200, "text/plain"],
  ["161 septets, because brackets take two", `CON [${"x".repeat(155)}`, 200, "text/plain"],
  ["a cedi sign", "CON GH₵ 3.90", 200, "text/plain"],
  ["a tab", "CON a\tb", 200, "text/plain"],
  ["another status", "CON Welcome", 201, "text/plain"],
  ["JSON", "CON Welcome", 200, "application/json"],
] as const) {
  test(`the gateway rejects an answer with ${label}`, async () => {
    answer = () => ({ status, headers: { "content-type": type }, body });
    expect(
      await open()
        .dial()
        .catch((error: Error) => error),
    ).toBeInstanceOf(GatewayError);
  });
}

test("the phone waits as long as the gateway, and accepts 160 septets", async () => {
  answer = () => "hang";
  expect(
    await open(50)
      .dial()
      .catch((error: Error) => error),
  ).toBeInstanceOf(GatewayError);
  answer = () => plain(`CON ${"x".repeat(156)}`);
  expect((await open().dial()).text).toHaveLength(156);
});

test("a screen's label is returned with the next request", async () => {
  const phone = open();
  answer = () => plain("CON Welcome", { "at-ussd-hop-metadata": "home" });
  await phone.dial();
  await phone.reply("1");
  expect(calls.map(({ headers }) => headers["at-ussd-hop-metadata"])).toEqual([undefined, "home"]);
});

test("an SMS is a form with the documented fields; the same id is the same message", async () => {
  const phone = open();
  answer = () => plain("");
  expect(await phone.sendSms("BAL", { id: "one" })).toBe(200);
  const form = Object.fromEntries(new URLSearchParams(calls[0]!.text));
  expect(form).toMatchObject({
    id: "one",
    text: "BAL",
    from: "+233541234567",
    to: "22955",
    networkCode: "62001",
  });
  expect(Object.keys(form).sort()).toEqual(["cost", "date", "from", "id", "linkId", "networkCode", "text", "to"]);
});
