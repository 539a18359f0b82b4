// Hubtel (Programmable Services): each request has the last input and its place in the session, "Sequence"; the first
// has what was dialled. The same service can be opened in Hubtel's app, shop and tills, where nothing proves the
// caller's number as a SIM does; such requests name another platform than USSD, or an id in place of a code, and are
// not read.
import type { Network } from "../../src/shared/domain.ts";
import { type Answer, goesOn, shownBy } from "../ussd/hop.ts";
import { type Content, INPUT_CHARS_MAX, msisdnOf, sessionIdOf, type UssdGateway } from "./gateway.ts";
import { type Fields, readFields } from "./json.ts";

export const hubtel: UssdGateway = {
  name: "hubtel",
  read: (request) => readFields(request, contentOf, answerOf),
};

const NETWORKS: Record<string, Network> = {
  mtn: "mtn",
  vodafone: "vod",
  telecel: "vod",
  tigo: "atl",
  airtel: "atl",
  airteltigo: "atl",
};

function contentOf(fields: Fields): Content {
  const sessionId = sessionIdOf("hubtel", fields.get("sessionid"));
  if (!sessionId) return { unreadable: "SessionId" };
  const msisdn = msisdnOf(fields.get("mobile"));
  if (!msisdn) return { unreadable: "Mobile" };
  if (!/^(?:ussd)?$/i.test(fields.get("platform").trim())) return { unreadable: "Platform" };
  switch (fields.get("type").toLowerCase()) {
    case "initiation":
      return turnOf("dialled", { sessionId, msisdn }, fields);
    case "response":
      return turnOf("input", { sessionId, msisdn }, fields);
    case "release":
      return { cut: { sessionId, msisdn, status: "Release" } };
    case "timeout":
      return { cut: { sessionId, msisdn, status: "Timeout" } };
    default:
      return { unreadable: "Type" };
  }
}

function turnOf(kind: "dialled" | "input", caller: { sessionId: string; msisdn: string }, fields: Fields): Content {
  const [code, text, sequence] = [fields.get("servicecode"), fields.get("message"), fields.get("sequence")];
  // 713*55, also with the star and hash around it.
  const digits = /^\*?(\d{1,6}(?:\*\d{1,6}){0,3})#?$/.exec(code)?.[1];
  if (!digits) return { unreadable: "ServiceCode" };
  if (text.length > INPUT_CHARS_MAX) return { unreadable: "Message" };
  if (!/^\d{1,6}$/.test(sequence)) return { unreadable: "Sequence" };
  const network = NETWORKS[fields.get("operator").toLowerCase()] ?? null;
  const typed = { kind, text, number: Number(sequence) };
  return { turn: { ...caller, serviceCode: `*${digits}#`, network, typed } };
}

function answerOf(fields: Fields, answer: Answer): object {
  const isOpen = goesOn(answer);
  return {
    SessionId: fields.get("sessionid"),
    Type: isOpen ? "response" : "release",
    Message: shownBy(answer),
    Label: "DataFie",
    ClientState: "",
    DataType: isOpen ? "input" : "display",
    FieldType: "text",
  };
}
