// Tests of the Africa's Talking and mail simulators against the providers' documentation, and of their page.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { startAfricasTalking } from "../../dev/simulators/africastalking.ts";
import { readMail, startMailbox } from "../../dev/simulators/mailbox.ts";
import { startMessages } from "../../dev/simulators/messages.ts";
import { createAfricasTalking } from "../../src/gateways/africastalking.ts";
import { createMail } from "../../src/gateways/mail.ts";
import { longTest } from "../support/long.ts";

const africasTalking = await startAfricasTalking();
const mailbox = await startMailbox();
afterAll(() => Promise.all([africasTalking.stop(), mailbox.stop()]));
beforeEach(() => {
  africasTalking.reset();
  mailbox.reset();
});

const right = { username: "datafie", to: "+233541234567", message: "Hello", bulkSMSMode: "1" };
const headers = { apiKey: africasTalking.apiKey, accept: "application/json" };

async function post(fields: Record<string, string>, more: Record<string, string> = {}) {
  const body = new URLSearchParams(fields);
  const address = `${africasTalking.url}/version1/messaging`;
  const response = await fetch(address, { method: "POST", headers: { ...headers, ...more }, body });
  const text = await response.text();
  return { status: response.status, text, type: response.headers.get("content-type") };
}

describe("Africa's Talking", () => {
  test("accepts a form and answers 201 with a result for each recipient", async () => {
    const { status, text } = await post({ ...right, to: "+233541234567,0541234567" });
    expect(status).toBe(201);
    expect(JSON.parse(text)).toEqual({
      SMSMessageData: {
        Message: "Sent to 1/2 Total Cost: GHS 0.0500 Message parts: 1",
        Recipients: [
          {
            statusCode: 101,
            number: "+233541234567",
            status: "Success",
            cost: "GHS 0.0500",
            messageId: expect.stringMatching(/^ATXid_[0-9a-f]{32}$/),
          },
          {
            statusCode: 403,
            number: "0541234567",
            status: "InvalidPhoneNumber",
            cost: "0",
            messageId: "None",
          },
        ],
      },
    });
    expect(africasTalking.messages()).toMatchObject([{ to: "+233541234567", from: "AFRICASTKNG", message: "Hello" }]);
  });

  test("refuses a wrong key in plain text, and everything that is not documented", async () => {
    const wrong = await post(right, { apiKey: "another" });
    expect(wrong).toEqual({
      status: 401,
      text: "The supplied authentication is invalid",
      type: "text/plain",
    });
    expect((await post({ ...right, username: "another" })).status).toBe(401);
    for (const name of ["username", "to", "message"] as const) {
      const { [name]: _, ...rest } = right;
      expect((await post(rest)).status).toBe(400);
    }
    expect((await post({ ...right, phoneNumbers: "[]" })).status).toBe(400);
    expect((await post(right, { "content-type": "application/json" })).status).toBe(415);
    expect((await fetch(`${africasTalking.url}/version1/messaging`, { headers })).status).toBe(404);
    expect(africasTalking.messages()).toEqual([]);
  });

  test("answers 201 without recipients for a sender id that is not registered", async () => {
    const { status, text } = await post({ ...right, from: "Stranger" });
    expect([status, JSON.parse(text)]).toEqual([
      201,
      { SMSMessageData: { Message: "InvalidSenderId", Recipients: [] } },
    ]);
  });

  test("posts delivery reports as a form, with a reason only after a failure", async () => {
    const reports: URLSearchParams[] = [];
    const shop = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        reports.push(new URLSearchParams(await request.text()));
        return new Response();
      },
    });
    await post(right);
    const { messageId } = africasTalking.messages()[0]!;
    africasTalking.sendReportsTo(`http://127.0.0.1:${shop.port}/reports`);
    expect(await africasTalking.report(messageId, { status: "Success" })).toBe(200);
    await africasTalking.report(messageId, { status: "Failed", failureReason: "UserInBlackList" });
    await shop.stop(true);
    const common = { id: messageId, phoneNumber: "+233541234567", networkCode: "62001" };
    expect(reports.map((form) => Object.fromEntries(form))).toEqual([
      { ...common, status: "Success" },
      { ...common, status: "Failed", failureReason: "UserInBlackList" },
    ]);
  });
});

describe("the shop's result of an SMS", () => {
  const options = { baseUrl: africasTalking.url, username: "datafie", apiKey: africasTalking.apiKey };
  const sender = createAfricasTalking({ ...options, senderId: "DataFie" });
  /** For a simulator that does not answer. */
  const hasty = createAfricasTalking({ ...options, senderId: "DataFie", timeoutMs: 300 });
  const send = (recipient: string, by = sender) =>
    by.send({ id: 1, kind: "test", recipient, subject: null, body: "Hello" });

  longTest("is accepted, with the provider's id", async () => {
    const sent = await send("233541234567");
    const [message] = africasTalking.messages();
    expect(message).toMatchObject({ to: "+233541234567", from: "DataFie", message: "Hello" });
    expect(sent).toEqual({ kind: "accepted", providerId: message!.messageId });
  });

  // Of these, no other gateway may send a notice either.
  const OPTED_OUT = ["01", "09"];
  for (const [ending, kind, reason] of [
    ["01", "refused", "406 UserInBlacklist"],
    ["02", "unknown", "ECONNABORTED"],
    ["03", "unknown", "HTTP 500"],
    ["04", "down", "405 InsufficientBalance"],
    ["05", "down", "InvalidSenderId"],
    ["06", "refused", "403 InvalidPhoneNumber"],
    ["07", "busy", "502 RejectedByGateway"],
    ["08", "unknown", "ECONNRESET"],
    ["09", "refused", "409 DoNotDisturbRejection"],
  ] as const) {
    test(`to a number that ends in ${ending}: ${kind}, ${reason}`, async () => {
      const barred = OPTED_OUT.includes(ending) && { barred: "opt_out" };
      const by = ending === "02" ? hasty : sender;
      expect<object>(await send(`2335412345${ending}`, by)).toEqual({ kind, reason, ...barred });
    });
  }

  test("is unknown after a page of HTML, and read from a reply with another 2xx status", async () => {
    africasTalking.next("html201", "http200");
    expect((await send("233541234567")).kind).toBe("unknown");
    expect((await send("233541234567")).kind).toBe("accepted");
  });

  test("is an outage for a wrong key, or when nobody answers, without the key", async () => {
    const key = "a-secret-key";
    const wrong = createAfricasTalking({ ...options, apiKey: key, senderId: null });
    const nobody = createAfricasTalking({
      ...options,
      baseUrl: "http://127.0.0.1:1",
      apiKey: key,
      senderId: null,
    });
    const results = [await send("233541234567", wrong), await send("233541234567", nobody)];
    expect(results.map(({ kind }) => kind)).toEqual(["down", "down"]);
    expect(JSON.stringify(results)).not.toContain(key);
    // The next message has the right address, although the package shares it among clients.
    expect((await send("233541234567")).kind).toBe("accepted");
  });
});

describe("the shop's result of an e-mail", () => {
  const at = { url: mailbox.url, from: "DataFie <no-reply@shop.example>" };
  const mail = createMail(at);
  const send = (recipient: string, body = "Hello", by = mail) =>
    by.send({ id: 7, kind: "test", recipient, subject: "Your wallet: GH₵ 3.90", body });

  test("is accepted, and all characters arrive unchanged", async () => {
    const body = `Akwaaba, Kɔfi:\n\nGH₵ 3.90 = ${"a long line ".repeat(12)}\n.\nend`;
    expect(await send("ama@example.com", body)).toEqual({
      kind: "accepted",
      providerId: "<message-7@shop.example>",
    });
    expect(mailbox.mails()).toMatchObject([
      {
        from: "no-reply@shop.example",
        to: "ama@example.com",
        subject: "Your wallet: GH₵ 3.90",
        text: body,
        messageId: "<message-7@shop.example>",
      },
    ]);
  });

  test("is the server's: refused, busy, or an outage", async () => {
    expect(await send("nobody@example.com")).toEqual({ kind: "refused", reason: "SMTP 550" });
    mailbox.next("busy", "refused", "senderRefused");
    expect(await send("ama@example.com")).toEqual({ kind: "busy", reason: "SMTP 451" });
    expect(await send("ama@example.com")).toEqual({ kind: "refused", reason: "SMTP 554" });
    expect(await send("ama@example.com")).toEqual({ kind: "down", reason: "SMTP 530" });
  });

  test("is unknown when the server accepted it and never answered, and an outage when nobody listens", async () => {
    mailbox.next("hangAtData");
    // Long enough for a busy machine to come as far as the text of the mail.
    const hasty = createMail({ ...at, timeoutMs: 2_000 });
    expect((await send("ama@example.com", "Hello", hasty)).kind).toBe("unknown");
    expect(mailbox.mails()).toHaveLength(1);
    const nobody = createMail({ url: "smtp://u:secret@127.0.0.1:1", from: "no-reply@shop.example" });
    expect(await send("ama@example.com", "Hello", nobody)).toEqual({ kind: "down", reason: "ESOCKET" });
  });

  test("cannot get another recipient or header from people's input", async () => {
    await send("ama@example.com\r\nBcc: thief@example.com");
    await mail.send({
      id: 8,
      kind: "test",
      recipient: "ama@example.com",
      subject: "x\r\nBcc: thief@example.com",
      body: "",
    });
    for (const { to, subject } of mailbox.mails()) {
      expect(to).toBe("ama@example.com");
      expect(subject).not.toContain("\n");
    }
  });
});

test("a mail is read in each text encoding", () => {
  const head = "Subject: =?UTF-8?Q?GH=E2=82=B5_?=\r\n =?UTF-8?B?My45MA==?=\r\nMessage-ID: <1@x>\r\n";
  for (const [encoding, body] of [
    ["7bit", "a=b"],
    ["quoted-printable", "a=3D=\r\nb"],
    ["base64", "YT1i"],
  ])
    expect(readMail(`${head}Content-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`)).toEqual({
      subject: "GH₵ 3.90",
      messageId: "<1@x>",
      text: "a=b",
    });
});

test("the page shows SMS and mails, newest first, as plain text", async () => {
  const simulator = await startMessages();
  const read = async () => (await fetch(simulator.pageUrl)).text();
  expect(await read()).toContain("Nothing has been sent yet");
  const sms = createAfricasTalking({ ...simulator.sms, senderId: null });
  const mail = createMail({ url: simulator.smtpUrl, from: "DataFie <no-reply@localhost>" });
  await sms.send({
    id: 1,
    kind: "test",
    recipient: "233541234567",
    subject: null,
    body: "first <script>alert(1)</script>",
  });
  await mail.send({
    id: 2,
    kind: "test",
    recipient: "ama@example.com",
    subject: "<b>second</b>",
    body: "& more",
  });
  const html = await read();
  expect(html.indexOf("&lt;b&gt;second&lt;/b&gt;")).toBeGreaterThan(0);
  expect(html.indexOf("first &lt;script&gt;")).toBeGreaterThan(html.indexOf("second"));
  expect(html).not.toContain("<script");
  expect((await fetch(`${new URL(simulator.pageUrl).origin}/other`)).status).toBe(404);
  await simulator.stop();
});

test("an accepted SMS is reported when the simulator has an address, and the page shows the report", async () => {
  const reports: string[] = [];
  const heard = Promise.withResolvers<void>();
  const shop = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const report = new URLSearchParams(await request.text());
      reports.push([report.get("phoneNumber"), report.get("status"), report.get("failureReason")].join(" "));
      if (reports.length === 4) heard.resolve();
      return new Response();
    },
  });
  const simulator = await startAfricasTalking({ reportAfterMs: 20 });
  const sms = createAfricasTalking({ ...simulator, baseUrl: simulator.url, senderId: null });
  const send = (recipient: string) => sms.send({ id: 1, kind: "test", recipient, subject: null, body: "x" });
  await send("233541234501");
  simulator.sendReportsTo(`http://127.0.0.1:${shop.port}/`);
  for (const ending of ["67", "10", "11"]) await send(`2335412345${ending}`);
  await heard.promise;
  expect(reports.sort()).toEqual([
    "+233541234510 Failed UserDoesNotExist",
    "+233541234511 AbsentSubscriber ",
    "+233541234511 Success ",
    "+233541234567 Success ",
  ]);
  await Promise.all([simulator.stop(), shop.stop(true)]);
});
