// The Africa's Talking SMS simulator for development and tests, as strict as its documentation: it refuses invalid
// requests, and the last two digits of a phone number decide a message's fate.
import { type Call, json, listen, type Outcome, type Reply } from "./http.ts";

export type AfricasTalkingOptions = {
  port?: number;
  username?: string;
  apiKey?: string;
  /** The registered sender ids; any other is refused. */
  senderIds?: readonly string[];
  /** The address for delivery reports; null: none. */
  reportUrl?: string | null;
  /** The delay before a message is reported as its number decides; null: only when `report` is called. */
  reportAfterMs?: number | null;
};

export type Sms = {
  messageId: string;
  to: string;
  from: string;
  message: string;
  at: Date;
  /** The reports about it, in order, each with the shop's answer (0: none). */
  reports: { status: string; reason: string | null; answer: number }[];
};
export type AfricasTalkingSimulator = {
  url: string;
  username: string;
  apiKey: string;
  /** Every accepted message, oldest first, including those whose answer was lost. */
  messages: () => Sms[];
  /** Faults for the next calls, whatever their number, in order. */
  next: (...faults: Fault[]) => void;
  /** Posts a delivery report of a message, as the provider would; returns the status of the answer. */
  report: (messageId: string, report: DeliveryReport) => Promise<number>;
  sendReportsTo: (url: string | null) => void;
  reset: () => void;
  stop: () => Promise<void>;
};
export type DeliveryReport = { status: string; failureReason?: string; networkCode?: string };

const FAULTS = [
  "hang",
  "hangAfter",
  "dropBefore",
  "dropAfter",
  "http500",
  "html201",
  "http200",
  "insufficientBalance",
  "invalidSenderId",
] as const;
export type Fault = (typeof FAULTS)[number];

/** The fate of a message by the last two digits of its number; any other number receives it. */
const FAULT_OF_NUMBER: Record<string, Fault | number> = {
  "01": 406, // UserInBlacklist
  "02": "hang",
  "03": "http500",
  "04": 405, // InsufficientBalance
  "05": "invalidSenderId",
  "06": 403, // InvalidPhoneNumber
  "07": 502, // RejectedByGateway
  "08": "dropAfter",
  "09": 409, // DoNotDisturbRejection
  "90": 405, // of all simulated gateways
};
/** The delivery reports of an accepted message, in order, likewise; any other number is reported as delivered. */
const REPORTS_OF_NUMBER: Record<string, DeliveryReport[]> = {
  "10": [{ status: "Failed", failureReason: "UserDoesNotExist" }],
  "11": [{ status: "AbsentSubscriber" }, { status: "Success" }],
};
const STATUSES: Record<number, string> = {
  100: "Processed",
  101: "Success",
  102: "Queued",
  401: "RiskHold",
  402: "InvalidSenderId",
  403: "InvalidPhoneNumber",
  404: "UnsupportedNumberType",
  405: "InsufficientBalance",
  406: "UserInBlacklist",
  407: "CouldNotRoute",
  409: "DoNotDisturbRejection",
  500: "InternalServerError",
  501: "GatewayError",
  502: "RejectedByGateway",
};

/** Starts the simulator on a free port, or the given one. */
export async function startAfricasTalking(options: AfricasTalkingOptions = {}): Promise<AfricasTalkingSimulator> {
  const { username = "datafie", apiKey = "at-key-of-the-simulator", senderIds = ["DataFie"] } = options;
  const accepted: Sms[] = [];
  const faults: Fault[] = [];
  let reportUrl = options.reportUrl ?? null;
  const stopping = new AbortController();
  const sendReport = async (message: Sms, report: DeliveryReport): Promise<number> => {
    const answer = await postReport(reportUrl!, message, report, stopping.signal).catch(() => 0);
    message.reports.push({ status: report.status, reason: report.failureReason ?? null, answer });
    return answer;
  };
  const reportLater = async (message: Sms, waitMs: number): Promise<void> => {
    for (const report of REPORTS_OF_NUMBER[message.to.slice(-2)] ?? [{ status: "Success" }]) {
      await Bun.sleep(waitMs);
      if (stopping.signal.aborted || !accepted.includes(message)) return;
      if (reportUrl) await sendReport(message, report);
    }
  };
  const accept = (to: string, from: string, message: string): string => {
    const messageId = `ATXid_${crypto.randomUUID().replaceAll("-", "")}`;
    const sms: Sms = { messageId, to, from, message, at: new Date(), reports: [] };
    accepted.push(sms);
    if (options.reportAfterMs != null) void reportLater(sms, options.reportAfterMs);
    return messageId;
  };
  const server = await listen(options.port ?? 0, async (call) => {
    if (call.method !== "POST" || call.path !== "/version1/messaging") return plainText(404, "Not Found");
    return refusalOf(call, { username, apiKey }) ?? answer(call, faults.shift() ?? null, senderIds, accept);
  });
  return {
    url: server.url,
    username,
    apiKey,
    messages: () => structuredClone(accepted),
    next: (...more) => faults.push(...more),
    sendReportsTo: (url) => {
      reportUrl = url;
    },
    report: async (messageId, report) => {
      const message = accepted.find((it) => it.messageId === messageId);
      if (!reportUrl || !message) throw new Error("There is no such message, or nowhere to report it");
      return sendReport(message, report);
    },
    reset: () => {
      accepted.length = 0;
      faults.length = 0;
    },
    stop: async () => {
      stopping.abort();
      await server.stop();
    },
  };
}

type Account = { username: string; apiKey: string };

/** The API's answer to a request that it cannot accept: plain text, not JSON. */
function refusalOf(call: Call, { username, apiKey }: Account): Reply | null {
  if (call.headers.apikey !== apiKey) return plainText(401, "The supplied authentication is invalid");
  if (!/^application\/x-www-form-urlencoded\b/.test(call.headers["content-type"] ?? ""))
    return plainText(415, "The request's Content-Type is not supported");
  if (call.headers.accept !== "application/json") return plainText(406, "Only application/json is simulated");
  const form = new URLSearchParams(call.text);
  const known = ["username", "to", "message", "from", "bulkSMSMode", "enqueue"];
  for (const name of new Set(form.keys())) {
    if (!known.includes(name)) return plainText(400, `Request has an unknown field: ${name}`);
    if (form.getAll(name).length > 1) return plainText(400, `Request has a field twice: ${name}`);
  }
  for (const name of ["username", "to", "message"])
    if (!form.get(name)) return plainText(400, `Request is missing required form field '${name}'.`);
  if (form.get("username") !== username) return plainText(401, "The supplied authentication is invalid");
  if ((form.get("bulkSMSMode") ?? "1") !== "1") return plainText(400, "bulkSMSMode must be 1");
  return null;
}

type Accept = (to: string, from: string, message: string) => string;

function answer(call: Call, forced: Fault | null, senderIds: readonly string[], accept: Accept): Outcome {
  const form = new URLSearchParams(call.text);
  const numbers = form.get("to")!.split(",");
  const from = form.get("from") ?? "AFRICASTKNG";
  const forcedFault = forced ?? FAULT_OF_NUMBER[numbers[0]!.slice(-2)];
  const fault = typeof forcedFault === "string" ? forcedFault : null;
  if (fault === "hang") return "hang";
  if (fault === "dropBefore") return "drop";
  if (fault === "http500") return plainText(500, "Internal Server Error");
  const isUnknownSender = from !== "AFRICASTKNG" && !senderIds.includes(from);
  if (fault === "invalidSenderId" || isUnknownSender) return reply("InvalidSenderId", []);
  const recipients = numbers.map((number) => {
    const code = fault === "insufficientBalance" ? 405 : codeOf(number, forced !== null);
    const isAccepted = code <= 102;
    return {
      statusCode: code,
      number,
      status: code <= 102 ? "Success" : STATUSES[code]!,
      cost: isAccepted ? "GHS 0.0500" : "0",
      messageId: isAccepted ? accept(number, from, form.get("message")!) : "None",
    };
  });
  const count = recipients.filter(({ statusCode }) => statusCode <= 102).length;
  const summary = `Sent to ${count}/${recipients.length} Total Cost: GHS 0.0500 Message parts: 1`;
  if (fault === "dropAfter") return "drop";
  if (fault === "hangAfter") return "hang";
  if (fault === "html201")
    return { status: 201, headers: { "content-type": "text/html" }, body: "<html>Created</html>" };
  return { ...reply(summary, recipients), ...(fault === "http200" && { status: 200 }) };
}

function codeOf(number: string, isForced: boolean): number {
  if (!/^\+[1-9]\d{7,14}$/.test(number)) return 403;
  const forcedFault = isForced ? undefined : FAULT_OF_NUMBER[number.slice(-2)];
  return typeof forcedFault === "number" ? forcedFault : 101;
}

function reply(message: string, recipients: Record<string, string | number>[]): Reply {
  return json(201, { SMSMessageData: { Message: message, Recipients: recipients } });
}

function plainText(status: number, body: string): Reply {
  return { status, headers: { "content-type": "text/plain" }, body };
}

/** Posts a report as a form, after the documentation of delivery reports; failureReason only after a failure. */
async function postReport(
  url: string,
  { messageId, to }: Sms,
  report: DeliveryReport,
  stopping: AbortSignal,
): Promise<number> {
  const { status, failureReason, networkCode = "62001" } = report;
  const body = new URLSearchParams({ id: messageId, status, phoneNumber: to, networkCode });
  if (failureReason !== undefined) body.set("failureReason", failureReason);
  const response = await fetch(url, {
    method: "POST",
    body,
    signal: AbortSignal.any([stopping, AbortSignal.timeout(10_000)]),
  });
  return response.status;
}
