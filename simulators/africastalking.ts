// Stands in for Africa's Talking's SMS in development and in tests, as strict as its documentation: what is wrong is
// refused, and the number at the end of a phone number steers what becomes of the message.
import { type Call, json, listen, type Outcome, type Reply } from "./http.ts";

export type AfricasTalkingOptions = {
  port?: number;
  username?: string;
  apiKey?: string;
  /** Sender ids that are registered; any other is refused. */
  senderIds?: readonly string[];
  /** Where delivery reports go; null: nowhere. */
  reportUrl?: string | null;
  /** So long after a message was taken it is reported, as its number says; null: only when somebody calls `report`. */
  reportAfterMs?: number | null;
};

export type Sms = {
  messageId: string;
  to: string;
  from: string;
  message: string;
  at: Date;
  /** What was reported of it, in order, each with how the shop answered (0: not at all). */
  reports: { status: string; reason: string | null; answer: number }[];
};
export type AfricasTalkingSimulator = {
  url: string;
  username: string;
  apiKey: string;
  /** Every message that was taken, oldest first: also those whose answer was lost on its way. */
  messages: () => Sms[];
  /** What is done to the next calls, whatever their number: the first one first. */
  next: (...faults: Fault[]) => void;
  /** Posts a delivery report of a message, as the provider would; gives the status that it was answered with. */
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

/** The last two digits of a number and what becomes of a message to it; any other number receives it. */
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
};
/** Likewise what becomes of one that was taken, in order; any other number gets it. */
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

export async function startAfricasTalking(
  options: AfricasTalkingOptions = {},
): Promise<AfricasTalkingSimulator> {
  const { username = "datafie", apiKey = "at-key-of-the-simulator", senderIds = ["DataFie"] } = options;
  const taken: Sms[] = [];
  const faults: Fault[] = [];
  let reportUrl = options.reportUrl ?? null;
  const stopping = new AbortController();
  const report = async (message: Sms, told: DeliveryReport): Promise<number> => {
    const answer = await postReport(reportUrl!, message, told, stopping.signal).catch(() => 0);
    message.reports.push({ status: told.status, reason: told.failureReason ?? null, answer });
    return answer;
  };
  const reportByItself = async (message: Sms, waitMs: number): Promise<void> => {
    for (const told of REPORTS_OF_NUMBER[message.to.slice(-2)] ?? [{ status: "Success" }]) {
      await Bun.sleep(waitMs);
      if (stopping.signal.aborted || !taken.includes(message)) return;
      if (reportUrl) await report(message, told);
    }
  };
  const take = (to: string, from: string, message: string): string => {
    const messageId = `ATXid_${crypto.randomUUID().replaceAll("-", "")}`;
    const sms: Sms = { messageId, to, from, message, at: new Date(), reports: [] };
    taken.push(sms);
    if (options.reportAfterMs != null) void reportByItself(sms, options.reportAfterMs);
    return messageId;
  };
  const server = await listen(options.port ?? 0, async (call) => {
    if (call.method !== "POST" || call.path !== "/version1/messaging") return words(404, "Not Found");
    return refusalOf(call, { username, apiKey }) ?? answer(call, faults.shift() ?? null, senderIds, take);
  });
  return {
    url: server.url,
    username,
    apiKey,
    messages: () => structuredClone(taken),
    next: (...more) => faults.push(...more),
    sendReportsTo: (url) => {
      reportUrl = url;
    },
    report: async (messageId, told) => {
      const message = taken.find((one) => one.messageId === messageId);
      if (!reportUrl || !message) throw new Error("There is no such message, or nowhere to report it");
      return report(message, told);
    },
    reset: () => {
      taken.length = 0;
      faults.length = 0;
    },
    stop: async () => {
      stopping.abort();
      await server.stop();
    },
  };
}

type Account = { username: string; apiKey: string };

/** What the API says to a request that it does not read: plain words, not JSON. */
function refusalOf(call: Call, { username, apiKey }: Account): Reply | null {
  if (call.headers.apikey !== apiKey) return words(401, "The supplied authentication is invalid");
  if (!/^application\/x-www-form-urlencoded\b/.test(call.headers["content-type"] ?? ""))
    return words(415, "The request's Content-Type is not supported");
  if (call.headers.accept !== "application/json") return words(406, "Only application/json is simulated");
  const form = new URLSearchParams(call.text);
  const known = ["username", "to", "message", "from", "bulkSMSMode", "enqueue"];
  for (const name of new Set(form.keys())) {
    if (!known.includes(name)) return words(400, `Request has an unknown field: ${name}`);
    if (form.getAll(name).length > 1) return words(400, `Request has a field twice: ${name}`);
  }
  for (const name of ["username", "to", "message"])
    if (!form.get(name)) return words(400, `Request is missing required form field '${name}'.`);
  if (form.get("username") !== username) return words(401, "The supplied authentication is invalid");
  if ((form.get("bulkSMSMode") ?? "1") !== "1") return words(400, "bulkSMSMode must be 1");
  return null;
}

type Take = (to: string, from: string, message: string) => string;

function answer(call: Call, forced: Fault | null, senderIds: readonly string[], take: Take): Outcome {
  const form = new URLSearchParams(call.text);
  const numbers = form.get("to")!.split(",");
  const from = form.get("from") ?? "AFRICASTKNG";
  const steered = forced ?? FAULT_OF_NUMBER[numbers[0]!.slice(-2)];
  const fault = typeof steered === "string" ? steered : null;
  if (fault === "hang") return "hang";
  if (fault === "dropBefore") return "drop";
  if (fault === "http500") return words(500, "Internal Server Error");
  const isUnknownSender = from !== "AFRICASTKNG" && !senderIds.includes(from);
  if (fault === "invalidSenderId" || isUnknownSender) return reply("InvalidSenderId", []);
  const recipients = numbers.map((number) => {
    const code = fault === "insufficientBalance" ? 405 : codeOf(number, forced !== null);
    const isTaken = code <= 102;
    return {
      statusCode: code,
      number,
      status: code <= 102 ? "Success" : STATUSES[code]!,
      cost: isTaken ? "GHS 0.0500" : "0",
      messageId: isTaken ? take(number, from, form.get("message")!) : "None",
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
  const steered = isForced ? undefined : FAULT_OF_NUMBER[number.slice(-2)];
  return typeof steered === "number" ? steered : 101;
}

function reply(message: string, recipients: Record<string, string | number>[]): Reply {
  return json(201, { SMSMessageData: { Message: message, Recipients: recipients } });
}

function words(status: number, body: string): Reply {
  return { status, headers: { "content-type": "text/plain" }, body };
}

/** A form, as the documentation of delivery reports has it; failureReason only when it failed. */
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
