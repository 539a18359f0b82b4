// The Hubtel SMS simulator for development and tests, after its documentation: it refuses invalid requests, and the
// last two digits of a number decide a message's fate. It reports no delivery: Hubtel's contract has no reports.
import { type Call, json, type Reply } from "./http.ts";
import { asObject, parseJson } from "./json.ts";
import { type Fault, type SmsSimulator, startWire } from "./sms-inbox.ts";

export type HubtelSimulatorOptions = {
  port?: number;
  clientId?: string;
  clientSecret?: string;
  senderIds?: readonly string[];
};
export type HubtelSimulator = SmsSimulator & { clientId: string; clientSecret: string; senderId: string };

const FATES: Record<string, Fault> = {
  "31": "refused",
  "32": "hang",
  "33": "http500",
  "34": "noCredit",
  "35": "dropAfter",
  "90": "noCredit",
};

/** Starts the simulator on a free port, or the given one. */
export async function startHubtel(options: HubtelSimulatorOptions = {}): Promise<HubtelSimulator> {
  const { port = 0, clientId = "hubtelid", clientSecret = "hubtel-secret-of-the-simulator" } = options;
  const { senderIds = ["DataFie"] } = options;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  const wire = await startWire({
    ...{ port, fates: FATES, read, refusalOf: (call) => refusalOf(call, authorization, senderIds) },
    accepted: ({ messageId }) =>
      json(201, {
        ...{ rate: 0.03, messageId, status: 0, networkId: "62001", clientReference: null },
        statusDescription: "request submitted successfully",
      }),
    faulty: (fault) => FAULTY[fault],
  });
  return { ...wire, ...{ clientId, clientSecret, senderId: senderIds[0]! } };
}

const FAULTY = {
  http500: refuse(500, null, "The request failed on the server."),
  noCredit: refuse(402, null, "Your account does not have enough messaging credit."),
  refused: refuse(400, 1, "Invalid Destination address received."),
};

function refuse(status: number, subcode: number | null, statusDescription: string): Reply {
  return json(status, { ...(subcode !== null && { status: subcode }), statusDescription });
}

function refusalOf(call: Call, authorization: string, senderIds: readonly string[]): Reply | null {
  if (call.method !== "POST" || call.path !== "/v1/messages/send") return refuse(404, null, "Not found");
  if (call.headers.authorization !== authorization) return refuse(401, null, "The authorization failed.");
  const fields = asObject(parseJson(call.text));
  if (!fields || !/^application\/json\b/.test(call.headers["content-type"] ?? ""))
    return refuse(400, null, "General invalid request.");
  const unknown = Object.keys(fields).find((name) => !["From", "To", "Content"].includes(name));
  if (unknown) return refuse(400, 7, `${unknown} is not allowed.`);
  if (!senderIds.includes(String(fields.From))) return refuse(400, 2, "Invalid Source address was sent.");
  if (!/^233\d{9}$/.test(String(fields.To))) return refuse(400, 1, "Invalid Destination address received.");
  if (typeof fields.Content !== "string" || fields.Content === "") return refuse(400, 6, "The content is invalid.");
  return null;
}

function read(call: Call): { to: string; from: string; message: string } {
  const fields = asObject(parseJson(call.text)) ?? {};
  return { to: String(fields.To), from: String(fields.From), message: String(fields.Content) };
}
