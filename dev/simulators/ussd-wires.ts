// The wires of the gateways for USSD, as recorded or documented: what each sends for a hop of a session, and which
// answers it lets through to the phone. Africa's Talking's was recorded; the others follow what each has published.
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";

/** Ghana's mobile networks by Africa's Talking's codes, and the code for an unknown network. */
export const NETWORK_CODES = { MTN: "62001", TELECEL: "62002", AIRTELTIGO: "62006", OTHER: "99999" } as const;
export type PhoneNetwork = keyof typeof NETWORK_CODES;

/** The display; `isOpen` if it waits for a reply. */
export type Screen = {
  text: string;
  isOpen: boolean /** As it came: "CON …", "END …" or JSON. */;
  body: string;
};

/** An answer that the gateway would not have shown. */
export class GatewayError extends Error {}

/** A request of a session. */
export type Hop = {
  sessionId: string;
  /** 233541234567. */
  msisdn: string;
  /** *920*55#, whatever was dialled behind it. */
  serviceCode: string;
  network: PhoneNetwork;
  /** Its code at Africa's Talking. */
  networkCode: string;
  /** Everything typed so far, joined with "*", and the last input alone. */
  text: string;
  input: string;
  /** Counted from 1. */
  number: number;
  /** What the answer before asked to have sent back. */
  label: string | null;
};

/** Fields of a request that differ from what the gateway would send. */
export type OtherFields = Record<string, string | number | boolean>;
type Sent = { headers: Record<string, string>; body: string };
type Answer = { response: Response; body: string };

export type Wire = {
  newSessionId: () => string;
  request: (hop: Hop, other: OtherFields) => Sent;
  /** The answer as the phone shows it. Throws GatewayError if the gateway would not let it through. */
  screenOf: (answer: Answer, hop: Hop) => Screen;
  /** The request that reports a session cut off by its caller, at gateways that send it where the hops go. */
  release?: (hop: Hop) => Sent;
};

export const LABEL = "at-ussd-hop-metadata";
export const AT_HEADERS = {
  "user-agent": "at-ussd-api/1.0",
  "accept-encoding": "gzip",
  "content-type": "application/x-www-form-urlencoded",
};

const africastalking: Wire = {
  newSessionId: () => newId("ATUid_"),
  request: ({ msisdn, serviceCode, text, sessionId, networkCode, label }, other) => ({
    headers: { ...AT_HEADERS, ...(label && { [LABEL]: label }) },
    // In the order and encoding of a recorded request.
    body: formOf({ phoneNumber: `+${msisdn}`, serviceCode, text, sessionId, networkCode, ...other }),
  }),
  screenOf: ({ response, body }) => {
    const refuse = refusing(body);
    checkReply(response, /^text\/plain\s*(;|$)/i, refuse);
    if (!/^(CON|END) /.test(body)) throw refuse("neither CON nor END");
    const label = response.headers.get(LABEL);
    checkText(body.slice(4), body, refuse);
    if (label !== null && (label.length > 99 || label.includes("|"))) throw refuse(`the label ${label}`);
    return { text: body.slice(4), isOpen: body.startsWith("CON "), body };
  },
};

const HUBTEL_OPERATORS = { MTN: "mtn", TELECEL: "vodafone", AIRTELTIGO: "tigo", OTHER: "glo" };
const isFirst = ({ number }: Hop) => number === 1;

const hubtel: Wire = {
  newSessionId: () => newId(""),
  request: (hop, other) => json({ ...hubtelFields(hop), ...other }),
  release: (hop) => json({ ...hubtelFields(hop), Type: "Release", Message: "", Sequence: String(hop.number + 1) }),
  screenOf: (answer, { sessionId }) => {
    const refuse = refusing(answer.body);
    const fields = objectIn(answer, refuse);
    const { Type, Message, Label, ClientState, DataType, FieldType } = fields;
    if (fields.SessionId !== sessionId) throw refuse("another SessionId");
    if (Type !== "response" && Type !== "release") throw refuse(`the Type ${Type}`);
    if (DataType !== (Type === "response" ? "input" : "display")) throw refuse(`the DataType ${DataType}`);
    if (FieldType !== "text" || typeof Label !== "string" || typeof ClientState !== "string")
      throw refuse("a field is missing");
    return { text: checkText(Message, Message, refuse), isOpen: Type === "response", body: answer.body };
  },
};

function hubtelFields(hop: Hop): OtherFields {
  const { sessionId, msisdn, serviceCode, network, input, number } = hop;
  return {
    Type: isFirst(hop) ? "Initiation" : "Response",
    Mobile: msisdn,
    SessionId: sessionId,
    ServiceCode: serviceCode.replace(/^\*|#$/g, ""),
    Message: isFirst(hop) ? dialled(hop) : input,
    Operator: HUBTEL_OPERATORS[network],
    Sequence: String(number),
    ClientState: "",
  };
}

const ARKESEL_NETWORKS = { MTN: "MTN", TELECEL: "Vodafone", AIRTELTIGO: "AirtelTigo", OTHER: "Glo" };

const arkesel: Wire = {
  newSessionId: () => crypto.randomUUID(),
  request: (hop, other) => {
    const userData = isFirst(hop) ? dialled(hop) : hop.input;
    return json({
      ...{ sessionID: hop.sessionId, userID: "DATAFIE", newSession: isFirst(hop), msisdn: hop.msisdn },
      ...{ userData, network: ARKESEL_NETWORKS[hop.network], ...other },
    });
  },
  screenOf: (answer, { sessionId, msisdn }) => {
    const refuse = refusing(answer.body);
    const { continueSession, message, ...same } = objectIn(answer, refuse);
    checkSame(same, { sessionID: sessionId, userID: "DATAFIE", msisdn }, refuse);
    if (typeof continueSession !== "boolean") throw refuse("continueSession is no boolean");
    return { text: checkText(message, message, refuse), isOpen: continueSession, body: answer.body };
  },
};

const nalo: Wire = {
  newSessionId: () => `${Date.now()}${Math.random().toString().slice(2, 6)}`,
  request: (hop, other) => json({ ...naloFields(hop), ...other }),
  screenOf: (answer, hop) => {
    const refuse = refusing(answer.body);
    const { MSGTYPE, MSG, ...same } = objectIn(answer, refuse);
    const { USERID, MSISDN, SESSIONID } = naloFields(hop);
    const { USERDATA, ...others } = same;
    checkSame(others, { USERID, MSISDN, SESSIONID }, refuse);
    if (typeof USERDATA !== "string") throw refuse("USERDATA is missing");
    if (typeof MSGTYPE !== "boolean") throw refuse("MSGTYPE is no boolean");
    return { text: checkText(MSG, MSG, refuse), isOpen: MSGTYPE, body: answer.body };
  },
};

function naloFields(hop: Hop): OtherFields {
  return {
    USERID: "DATAFIE",
    MSISDN: hop.msisdn,
    USERDATA: isFirst(hop) ? dialled(hop) : hop.input,
    MSGTYPE: isFirst(hop),
    NETWORK: ARKESEL_NETWORKS[hop.network].toUpperCase(),
    SESSIONID: hop.sessionId,
  };
}

export const WIRES: Record<UssdGatewayName, Wire> = { africastalking, hubtel, arkesel, nalo };

/** The dialled string: *920*55*1*2# with the inputs 1 and 2. */
function dialled({ serviceCode, text }: Hop): string {
  return text === "" ? serviceCode : `${serviceCode.slice(0, -1)}*${text}#`;
}

const SCREEN_SEPTETS_MAX = 160;
type Refuse = (problem: string) => GatewayError;

function refusing(body: string): Refuse {
  return (problem) => new GatewayError(`${problem}: ${JSON.stringify(body.slice(0, 200))}`);
}

function checkReply(response: Response, type: RegExp, refuse: Refuse): void {
  if (response.status !== 200) throw refuse(`status ${response.status}`);
  const given = response.headers.get("content-type") ?? "";
  if (!type.test(given)) throw refuse(`content-type ${given || "missing"}`);
}

function objectIn({ response, body }: Answer, refuse: Refuse): Record<string, unknown> {
  checkReply(response, /^application\/json\s*(;|$)/i, refuse);
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw refuse("not JSON");
  }
}

function checkSame(returned: Record<string, unknown>, sent: Record<string, unknown>, refuse: Refuse): void {
  for (const name of new Set([...Object.keys(returned), ...Object.keys(sent)]))
    if (returned[name] !== sent[name]) throw refuse(`another ${name}`);
}

/** Checks a screen's text; `counted` is what takes its place on the network. */
function checkText(text: unknown, counted: unknown, refuse: Refuse): string {
  if (typeof text !== "string" || typeof counted !== "string" || text.trim() === "") throw refuse("an empty screen");
  if (/^\s/.test(text)) throw refuse("it begins with a space");
  if (/[^\x20-\x7e\n]/.test(counted)) throw refuse("letters that phones do not show");
  const septets = septetsOf(counted);
  if (septets > SCREEN_SEPTETS_MAX) throw refuse(`${septets} septets`);
  return text;
}

/** Brackets and the like take two septets each (3GPP TS 23.038). */
function septetsOf(body: string): number {
  return body.length + (body.match(/[\^{}\\[\]~|]/g)?.length ?? 0);
}

function json(fields: OtherFields): Sent {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) };
}

/** Percent-encodes everything but letters and digits: `+` as %2B and `*` as %2A. */
export function formOf(fields: OtherFields): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return Object.entries(fields)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join("&");
}

/** An id as Africa's Talking makes them. */
export function newId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll("-", "");
}
