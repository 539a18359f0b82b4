// Tests of the gateways' wires that post JSON: what the simulated phone sends by each, and which answers it rejects.
// The form of Africa's Talking is in phone.test.ts.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { listen, type Outcome } from "../../dev/simulators/http.ts";
import { GatewayError, openPhone } from "../../dev/simulators/phone.ts";
import { USSD_ONLY_GATEWAYS, type UssdOnlyGateway } from "../../src/shared/phones/ussd-gateways.ts";

type Fields = Record<string, unknown>;
const requests: Fields[] = [];
let answer: (request: Fields) => Fields | Outcome = () => ({});
const shop = await listen(0, async ({ text, headers }) => {
  expect(headers["content-type"]).toBe("application/json");
  requests.push(JSON.parse(text));
  const given = answer(requests.at(-1)!);
  return typeof given === "object" && "body" in given ? (given as Outcome) : reply(given as Fields);
});
afterAll(shop.stop);
beforeEach(() => {
  requests.length = 0;
});

const reply = (fields: Fields, status = 200, type = "application/json"): Outcome => ({
  status,
  headers: { "content-type": type },
  body: JSON.stringify(fields),
});

/** An answer that each gateway shows, and the names of its text and of what keeps the session open. */
const SHOWN: Record<UssdOnlyGateway, (request: Fields, text: string, isOpen?: boolean) => Fields> = {
  hubtel: ({ SessionId }, Message, isOpen = true) => ({
    ...{ SessionId, Type: isOpen ? "response" : "release", Message, Label: "Shop", ClientState: "" },
    ...{ DataType: isOpen ? "input" : "display", FieldType: "text" },
  }),
  arkesel: ({ sessionID, userID, msisdn }, message, continueSession = true) => ({
    ...{ sessionID, userID, msisdn, continueSession, message },
  }),
  nalo: ({ USERID, MSISDN, USERDATA, SESSIONID }, MSG, MSGTYPE = true) => ({
    ...{ USERID, MSISDN, USERDATA, SESSIONID, MSG, MSGTYPE },
  }),
};

const FIRST: Record<UssdOnlyGateway, Fields> = {
  hubtel: {
    ...{ Type: "Initiation", Mobile: "233541234567", SessionId: expect.any(String), ServiceCode: "920*55" },
    ...{ Message: "*920*55*1*2#", Operator: "mtn", Sequence: "1", ClientState: "" },
  },
  arkesel: {
    ...{ sessionID: expect.any(String), userID: "DATAFIE", newSession: true, msisdn: "233541234567" },
    ...{ userData: "*920*55*1*2#", network: "MTN" },
  },
  nalo: {
    ...{ USERID: "DATAFIE", MSISDN: "233541234567", USERDATA: "*920*55*1*2#", MSGTYPE: true, NETWORK: "MTN" },
    SESSIONID: expect.stringMatching(/^\d{15,}$/),
  },
};
const LATER: Record<UssdOnlyGateway, Fields> = {
  hubtel: { Type: "Response", Message: "7", Sequence: "2" },
  arkesel: { newSession: false, userData: "7" },
  nalo: { MSGTYPE: false, USERDATA: "7" },
};
/** Answers that differ in one field from one that is shown. */
const WRONG: Record<UssdOnlyGateway, Fields[]> = {
  hubtel: [{ SessionId: "x" }, { Type: "Response" }, { DataType: "display" }, { Label: null }, { FieldType: "" }],
  arkesel: [{ sessionID: "x" }, { userID: "x" }, { msisdn: "+233541234567" }, { continueSession: "true" }],
  nalo: [{ SESSIONID: "x" }, { USERID: "x" }, { MSISDN: "x" }, { MSGTYPE: 1 }, { USERDATA: undefined }],
};

for (const gateway of USSD_ONLY_GATEWAYS) {
  describe(gateway, () => {
    const open = () => openPhone({ msisdn: "233541234567", gateway, ussdUrl: `${shop.url}/ussd` });
    const rejected = async () =>
      open()
        .dial()
        .catch((error: unknown) => error);

    test("sends what was dialled, then each input alone, and repeats a request unchanged", async () => {
      answer = (request) => SHOWN[gateway](request, "Welcome");
      const phone = open();
      expect(await phone.dial("1*2")).toMatchObject({ text: "Welcome", isOpen: true });
      await phone.reply("7");
      await phone.redeliver();
      expect(requests[0]).toEqual(FIRST[gateway]);
      expect(requests[1]).toEqual({ ...requests[0], ...LATER[gateway] });
      expect(requests[2]).toEqual(requests[1]!);
      answer = (request) => SHOWN[gateway](request, "Bye", false);
      expect(await phone.reply("0")).toMatchObject({ text: "Bye", isOpen: false });
      expect(() => phone.reply("1")).toThrow("waits for no reply");
      expect(requests).toHaveLength(4);
    });

    test("shows no answer that the gateway would not", async () => {
      for (const wrong of WRONG[gateway]) {
        answer = (request) => ({ ...SHOWN[gateway](request, "Welcome"), ...wrong });
        expect([wrong, await rejected()]).toEqual([wrong, expect.any(GatewayError)]);
      }
      for (const text of ["", " Welcome", "GH₵ 3.90", "x".repeat(161), `[${"x".repeat(159)}`]) {
        answer = (request) => SHOWN[gateway](request, text);
        expect([text, await rejected()]).toEqual([text, expect.any(GatewayError)]);
      }
      answer = (request) => reply(SHOWN[gateway](request, "Welcome"), 500);
      expect(await rejected()).toBeInstanceOf(GatewayError);
      answer = (request) => reply(SHOWN[gateway](request, "Welcome"), 200, "text/plain");
      expect(await rejected()).toBeInstanceOf(GatewayError);
      answer = () => ({ status: 200, headers: { "content-type": "application/json" }, body: "CON Welcome" });
      expect(await rejected()).toBeInstanceOf(GatewayError);
    });
  });
}
