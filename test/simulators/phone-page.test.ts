// Tests of the development handset, used through its forms alone.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { Window } from "happy-dom";
import { json, listen } from "../../dev/simulators/http.ts";
import { startMessages } from "../../dev/simulators/messages.ts";

/** A screen that waits, as each gateway wants it. */
const JSON_ANSWERS = {
  "/hubtel": ({ SessionId }: Record<string, string>) => ({
    ...{ SessionId: SessionId!, Type: "response", Message: "From Hubtel", Label: "DataFie" },
    ...{ ClientState: "", DataType: "input", FieldType: "text" },
  }),
  "/arkesel": ({ sessionID, userID, msisdn }: Record<string, string>) => ({
    ...{ sessionID: sessionID!, userID: userID!, msisdn: msisdn!, continueSession: true },
    message: "From Arkesel",
  }),
  "/nalo": ({ USERID, MSISDN, USERDATA, SESSIONID }: Record<string, string>) => ({
    ...{ USERID: USERID!, MSISDN: MSISDN!, USERDATA: USERDATA!, SESSIONID: SESSIONID!, MSGTYPE: true },
    MSG: "From Nalo",
  }),
};
const posted: { path: string; form: Record<string, string> }[] = [];
let screen = "CON Welcome\n1 Buy data";
/** Takes the place of the shop's callbacks. */
const shop = await listen(0, async ({ path, text }) => {
  if (path in JSON_ANSWERS) {
    const fields = JSON.parse(text);
    posted.push({ path, form: fields });
    return json(200, JSON_ANSWERS[path as keyof typeof JSON_ANSWERS](fields));
  }
  posted.push({ path, form: Object.fromEntries(new URLSearchParams(text)) });
  return { status: 200, headers: { "content-type": "text/plain" }, body: path === "/ussd" ? screen : "" };
});
const simulator = await startMessages();
await fetch(new URL("/_control/phone", simulator.phoneUrl), {
  method: "POST",
  body: JSON.stringify({
    ussd: `${shop.url}/ussd`,
    events: `${shop.url}/events`,
    inbound: `${shop.url}/inbound`,
    ...{ hubtel: `${shop.url}/hubtel`, arkesel: `${shop.url}/arkesel`, nalo: `${shop.url}/nalo` },
  }),
});
afterAll(() => Promise.all([shop.stop(), simulator.stop()]));
beforeEach(() => {
  posted.length = 0;
  screen = "CON Welcome\n1 Buy data";
});

async function seen(response: Response) {
  const window = new Window();
  window.document.write(await response.text());
  const { document } = window;
  const textOf = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? null;
  const typed = () => document.querySelector("#typed")?.getAttribute("value") ?? null;
  return { status: response.status, document, textOf, typed: typed() };
}
const look = async (query = "") => seen(await fetch(simulator.phoneUrl + query));
const press = async (fields: Record<string, string>) => {
  const body = new URLSearchParams({ number: "0541234567", network: "MTN", ...fields });
  return seen(await fetch(simulator.phoneUrl, { method: "POST", body }));
};

test("the page shows the code, and a call, an answer and the last screen in order", async () => {
  const idle = await look();
  expect([idle.textOf(".text"), idle.typed, idle.textOf(".go")]).toEqual(["054 123 4567", "*920*55#", "Call"]);
  const open = await press({ do: "go", typed: idle.typed! });
  expect([open.textOf(".text"), open.typed, open.textOf(".go")]).toEqual(["Welcome\n1 Buy data", "", "Send"]);
  screen = "END <b>Done</b>";
  const over = await press({ do: "go", typed: "1" });
  expect([over.textOf(".text"), over.typed, over.textOf(".go")]).toEqual(["<b>Done</b>", null, "OK"]);
  expect(posted.map(({ path, form }) => [path, form.text ?? form.status])).toEqual([
    ["/ussd", ""],
    ["/ussd", "1"],
    ["/events", "Success"],
  ]);
  expect((await press({ do: "go" })).typed).toBe("*920*55#");
});

test("the keys work without a script, and input can be deleted", async () => {
  await press({ do: "cancel" });
  expect((await press({ key: "4", typed: "*920" })).typed).toBe("*9204");
  expect((await press({ do: "clear", typed: "*9204" })).typed).toBe("*920");
});

test("the phone dials shortcuts, hangs up, and knows no other code", async () => {
  await press({ do: "cancel" });
  await press({ do: "go", typed: "*920*55*1*2#" });
  expect(posted[0]!.form.text).toBe("1*2");
  expect((await press({ do: "cancel" })).textOf(".go")).toBe("Call");
  expect(posted.at(-1)!.form.status).toBe("Incomplete");
  const wrong = await press({ do: "go", typed: "*124#" });
  expect(wrong.textOf(".text")).toContain("invalid MMI code");
  await press({ do: "go" });
});

test("the page shows the developer why the gateway rejects an answer", async () => {
  await press({ do: "cancel" });
  screen = "Welcome";
  const refused = await press({ do: "go", typed: "*920*55#" });
  expect(refused.textOf(".text")).toContain("invalid MMI code");
  expect(refused.textOf(".fault")).toContain("neither CON nor END");
  expect(posted.at(-1)!.form.status).toBe("Failed");
});

test("each number is a separate phone, on its own network", async () => {
  await press({ do: "cancel" });
  await press({ do: "go", typed: "*920*55#" });
  const other = await press({ number: "020 123 4567", network: "TELECEL", do: "go", typed: "*920*55#" });
  expect(posted.at(-1)!.form).toMatchObject({ phoneNumber: "+233201234567", networkCode: "62002" });
  expect(other.textOf(".bar")).toContain("Telecel");
  expect((await look("?number=0551234567")).textOf(".text")).toBe("055 123 4567");
  expect((await look()).textOf(".text")).toContain("Welcome");
  const nobody = await look("?number=%3Cb%3E1");
  expect([nobody.status, nobody.textOf(".fault")]).toEqual([422, expect.stringContaining("Ghanaian number")]);
});

test("the page shows the number's SMS, received and sent", async () => {
  const { baseUrl, username, apiKey } = simulator.sms;
  for (const to of ["+233541234567", "+233541234568"])
    await fetch(`${baseUrl}/version1/messaging`, {
      method: "POST",
      headers: { apiKey, accept: "application/json" },
      body: new URLSearchParams({ username, to, message: `For ${to} & <i>more</i>` }),
    });
  const page = await press({ do: "sms", text: "BAL" });
  expect(posted.at(-1)).toMatchObject({ path: "/inbound", form: { from: "+233541234567", text: "BAL" } });
  expect(page.textOf("#sms .out p")).toBe("BAL");
  expect(page.textOf("#sms .in p")).toBe("For +233541234567 & <i>more</i>");
  expect(page.document.querySelectorAll("#sms li")).toHaveLength(2);
});

test("the phone dials through each gateway on its own wire, and remembers which", async () => {
  const page = await look();
  const choices = [...page.document.querySelectorAll("#gateway option")].map((option) => option.textContent);
  expect(choices).toEqual(["Africa's Talking", "Hubtel", "Arkesel", "Nalo"]);
  const inputs: Record<string, Record<string, unknown>> = {
    hubtel: {
      Type: "Initiation",
      Message: "*920*55*1#",
      ServiceCode: "920*55",
      Operator: "vodafone",
      Sequence: "1",
    },
    arkesel: { newSession: true, userData: "*920*55*1#", network: "Vodafone" },
    nalo: { MSGTYPE: true, USERDATA: "*920*55*1#", NETWORK: "VODAFONE" },
  };
  const answers: Record<string, Record<string, unknown>> = {
    hubtel: { Type: "Response", Message: "2", Sequence: "2" },
    arkesel: { newSession: false, userData: "2" },
    nalo: { MSGTYPE: false, USERDATA: "2" },
  };
  for (const [gateway, input] of Object.entries(inputs)) {
    const on = { number: "020 123 4567", network: "TELECEL", gateway };
    const open = await press({ ...on, do: "go", typed: "*920*55*1#" });
    expect(posted.at(-1)).toMatchObject({ path: `/${gateway}`, form: input });
    expect(Object.values(posted.at(-1)!.form)).toContain("233201234567");
    expect(open.textOf(".text")).toStartWith("From ");
    expect(open.document.querySelector("#gateway [selected]")?.getAttribute("value")).toBe(gateway);
    await press({ ...on, do: "go", typed: "2" });
    expect(posted.at(-1)!.form).toMatchObject(answers[gateway]!);
    await press({ ...on, do: "cancel" });
  }
  // Hubtel alone reports at the same address that its caller has hung up.
  expect(posted.map(({ form }) => form.Type ?? null).filter((type) => type === "Release")).toHaveLength(1);
  expect(posted.filter(({ path }) => path === "/events")).toEqual([]);
});
