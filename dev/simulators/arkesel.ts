// The Arkesel SMS simulator (API v2) for development and tests, after what its users have published: it refuses invalid
// requests, and the last two digits of a number decide a message's fate.
import type { Sms } from "./africastalking.ts";
import { type Call, json, type Reply } from "./http.ts";
import { asObject, parseJson } from "./json.ts";
import { type Fault, type SmsSimulator, startWire } from "./sms-inbox.ts";

export type ArkeselSimulatorOptions = {
  port?: number;
  apiKey?: string;
  senderIds?: readonly string[];
  /** The delay before a message is reported as its number decides; null: only when `report` is called. */
  reportAfterMs?: number | null;
};
export type ArkeselSimulator = SmsSimulator & {
  apiKey: string;
  senderId: string;
  /** Calls the message's callback, as the provider would; returns the status of the answer. */
  report: (messageId: string, status: string) => Promise<number>;
};

const FATES: Record<string, Fault> = {
  "21": "refused",
  "22": "hang",
  "23": "http500",
  "24": "noCredit",
  "25": "dropAfter",
  "90": "noCredit",
};
/** The report of an accepted message, likewise; any other number is reported as delivered. */
const STATUS_OF_NUMBER: Record<string, string> = { "26": "NOT_DELIVERED" };
const FIELDS = ["sender", "message", "recipients", "callback_url", "scheduled_date", "use_case", "sandbox"];

/** Starts the simulator on a free port, or the given one. */
export async function startArkesel(options: ArkeselSimulatorOptions = {}): Promise<ArkeselSimulator> {
  const { port = 0, apiKey = "arkesel-key-of-the-simulator", senderIds = ["DataFie"] } = options;
  const stopping = new AbortController();
  const callbacks = new Map<string, { message: Sms; url: string }>();
  const report = async (messageId: string, status: string): Promise<number> => {
    const found = callbacks.get(messageId);
    if (!found) throw new Error("There is no such message, or nowhere to report it");
    const query = new URLSearchParams({ sms_id: messageId, status });
    const answer = await fetch(`${found.url}?${query}`, { signal: stopping.signal })
      .then((response) => response.status)
      .catch(() => 0);
    found.message.reports.push({ status, reason: null, answer });
    return answer;
  };
  const wire = await startWire({
    ...{ port, fates: FATES, read, refusalOf: (call) => refusalOf(call, apiKey, senderIds) },
    accepted: (message, call) => {
      const url = fieldsOf(call).callback_url;
      if (typeof url === "string") callbacks.set(message.messageId, { message, url });
      if (options.reportAfterMs != null && typeof url === "string")
        setTimeout(
          () => stopping.signal.aborted || void report(message.messageId, statusFor(message)),
          options.reportAfterMs,
        );
      const recipient = message.to.slice(1);
      return json(200, { status: "success", data: [{ recipient, id: message.messageId }] });
    },
    faulty: (fault) => FAULTY[fault],
  });
  return {
    ...wire,
    ...{ apiKey, senderId: senderIds[0]!, report },
    // The reports arrive after the message was kept, and belong to the kept one.
    messages: () =>
      wire.messages().map((message) => ({
        ...message,
        reports: structuredClone(callbacks.get(message.messageId)?.message.reports ?? []),
      })),
    stop: async () => {
      stopping.abort();
      await wire.stop();
    },
  };
}

const FAULTY = {
  http500: json(500, { status: "error", message: "Server Error" }),
  noCredit: json(402, { status: "error", message: "Insufficient balance!" }),
  refused: json(200, { status: "success", data: [{ "invalid numbers": ["hidden"] }] }),
};

function refusalOf(call: Call, apiKey: string, senderIds: readonly string[]): Reply | null {
  const refuse = (status: number, message: string) => json(status, { status: "error", message });
  if (call.method !== "POST" || call.path !== "/api/v2/sms/send") return refuse(404, "Not Found");
  if (call.headers["api-key"] !== apiKey) return refuse(401, "Authentication Failed");
  const fields = asObject(parseJson(call.text));
  if (!fields || !/^application\/json\b/.test(call.headers["content-type"] ?? ""))
    return refuse(422, "The body is not JSON");
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown) return refuse(422, `${unknown} is not a field`);
  const { sender, message, recipients } = fields;
  if (typeof sender !== "string" || !senderIds.includes(sender)) return refuse(422, "The sender is invalid.");
  if (typeof message !== "string" || message === "") return refuse(422, "The message field is required.");
  const isOne = Array.isArray(recipients) && recipients.length === 1;
  if (!isOne || !/^233\d{9}$/.test(String(recipients[0]))) return refuse(422, "The recipients are invalid.");
  return null;
}

function fieldsOf(call: Call): Record<string, unknown> {
  return asObject(parseJson(call.text)) ?? {};
}

function read(call: Call): { to: string; from: string; message: string } {
  const { sender, message, recipients } = fieldsOf(call);
  return { to: String((recipients as unknown[])[0]), from: String(sender), message: String(message) };
}

function statusFor({ to }: Sms): string {
  return STATUS_OF_NUMBER[to.slice(-2)] ?? "DELIVERED";
}
