// Arkesel and Nalo: each request has the last input, and nothing that tells a repeat of it from the next answer. They
// differ in the names of their fields alone, and name no code.
import type { Network } from "../../src/shared/domain.ts";
import type { UssdOnlyGateway } from "../../src/shared/phones/ussd-gateways.ts";
import { type Answer, goesOn, shownBy } from "../ussd/hop.ts";
import { type Content, INPUT_CHARS_MAX, msisdnOf, sessionIdOf, type UssdGateway } from "./gateway.ts";
import { type Fields, readFields } from "./json.ts";

export const arkesel = unnumbered("arkesel", {
  ...{ session: "sessionID", user: "userID", phone: "msisdn", input: "userData" },
  ...{ isFirst: "newSession", network: "network", goesOn: "continueSession", shown: "message" },
  returnsInput: false,
});

export const nalo = unnumbered("nalo", {
  ...{ session: "SESSIONID", user: "USERID", phone: "MSISDN", input: "USERDATA" },
  ...{ isFirst: "MSGTYPE", network: "NETWORK", goesOn: "MSGTYPE", shown: "MSG" },
  returnsInput: true,
});

/** The names of a gateway's fields, in requests and in answers. */
type Names = Record<"session" | "user" | "phone" | "input" | "isFirst" | "network" | "goesOn" | "shown", string> & {
  returnsInput: boolean;
};

const NETWORKS: Record<string, Network> = {
  mtn: "mtn",
  vodafone: "vod",
  telecel: "vod",
  airteltigo: "atl",
  at: "atl",
  tigo: "atl",
  airtel: "atl",
};

function unnumbered(name: UssdOnlyGateway, names: Names): UssdGateway {
  const of = (fields: Fields, field: keyof Omit<Names, "returnsInput">) => fields.get(names[field].toLowerCase());
  const contentOf = (fields: Fields): Content => {
    const sessionId = sessionIdOf(name, of(fields, "session"));
    if (!sessionId) return { unreadable: names.session };
    const msisdn = msisdnOf(of(fields, "phone"));
    if (!msisdn) return { unreadable: names.phone };
    const text = of(fields, "input");
    if (text.length > INPUT_CHARS_MAX) return { unreadable: names.input };
    const isFirst = of(fields, "isFirst").toLowerCase();
    if (isFirst !== "true" && isFirst !== "false") return { unreadable: names.isFirst };
    const network = NETWORKS[of(fields, "network").toLowerCase()] ?? null;
    const typed = { kind: isFirst === "true" ? "dialled" : "input", text, number: null } as const;
    return { turn: { sessionId, msisdn, serviceCode: "", network, typed } };
  };
  const answerOf = (fields: Fields, answer: Answer): object => ({
    [names.session]: of(fields, "session"),
    [names.user]: of(fields, "user"),
    [names.phone]: of(fields, "phone"),
    ...(names.returnsInput && { [names.input]: of(fields, "input") }),
    [names.goesOn]: goesOn(answer),
    [names.shown]: shownBy(answer),
  });
  return { name, read: (request) => readFields(request, contentOf, answerOf) };
}
